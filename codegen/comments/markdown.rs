//! Converts PostgreSQL's comments to Markdown for rustdoc: names become code, with links if they are those of
//! types, and everything else stays as it is.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The types of the tree by their names in C: their names in Rust, and whether they are enums.
pub(crate) type Types<'a> = HashMap<&'a str, (String, bool)>;

/// The place of the text, which decides what can be linked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Api {
    /// The module of the owned tree.
    Tree,
    /// The module of the views. It has the nodes under the same names, and the enums elsewhere.
    View,
}

/// The names that a comment may use.
pub(crate) struct Names<'a> {
    pub(crate) types: &'a Types<'a>,
    /// Tells whether a name is that of a field or a constant of the type that the comment is about.
    pub(crate) is_member: &'a dyn Fn(&str) -> bool,
    pub(crate) api: Api,
}

impl Names<'_> {
    /// Returns the paragraphs of a comment. The first one begins and ends as a sentence does.
    pub(crate) fn paragraphs(&self, comment: &str) -> Vec<String> {
        let mut paragraphs: Vec<_> = blocks(comment)
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => self.markdown(&text),
                Block::Code(code) => format!("```text\n{code}\n```"),
            })
            .collect();
        let only = paragraphs.len() == 1;
        if let Some(first) = paragraphs.first_mut() {
            if only && first.ends_with(':') {
                first.pop();
            }
            capitalise(first);
            if first.ends_with(|c: char| c.is_alphanumeric() || ")]`'\"".contains(c)) {
                first.push('.');
            }
        }
        paragraphs
    }

    /// Converts a line of plain text to Markdown.
    fn markdown(&self, text: &str) -> String {
        let mut markdown = String::with_capacity(text.len() * 2);
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = word_length(rest);
            if length > 0 {
                let (word, after) = rest.split_at(length);
                self.word(word, after, &mut markdown);
                rest = after;
            } else if let Some(name) = self.quoted_member(rest) {
                // Writing to a String cannot fail.
                let _ = write!(markdown, "`{name}`");
                rest = &rest[name.len() + 2..];
            } else {
                // A list begins at the start only, and the target of a link after its name.
                if r"\`*_[]<>~#&".contains(c)
                    || (markdown.is_empty() && "+-".contains(c))
                    || (markdown.ends_with("`]") && "(:".contains(c))
                {
                    markdown.push('\\');
                }
                markdown.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        markdown
    }

    fn word(&self, word: &str, after: &str, markdown: &mut String) {
        // Writing to a String cannot fail.
        let _ = if let Some((name, link)) = self.link(word, after, markdown) {
            write!(markdown, "{link}{}", &word[name.len()..])
        } else if is_code(word) {
            write!(markdown, "`{word}`")
        } else {
            write!(markdown, "{word}")
        };
    }

    /// Returns the name of a member in quotes that a text begins with.
    fn quoted_member<'t>(&self, text: &'t str) -> Option<&'t str> {
        let quotes = [('\'', '\''), ('"', '"'), ('`', '\'')];
        let (begin, end) = quotes.into_iter().find(|(begin, _)| text.starts_with(*begin))?;
        let rest = text.strip_prefix(begin)?;
        let (name, after) = rest.split_at(word_length(rest));
        ((self.is_member)(name) && after.starts_with(end)).then_some(name)
    }

    /// Returns the link to the type that a word names, and the name: the word may be its plural.
    fn link<'w>(&self, word: &'w str, after: &str, before: &str) -> Option<(&'w str, String)> {
        let singular = word.strip_suffix('s').unwrap_or(word);
        let name = [word, singular].into_iter().find(|name| self.types.contains_key(name))?;
        // `String` and `List` are also English words.
        if !is_code(name) && !after.starts_with(" node") && !before.ends_with("ist of ") {
            return None;
        }
        let (rust, is_enum) = &self.types[name];
        let link = match (self.api, is_enum) {
            // All kinds of lists are one type in the views.
            (Api::View, _) if name == "List" => format!("`{name}`"),
            (Api::View, true) => format!("[`{name}`](protobuf::{rust})"),
            _ if rust == name => format!("[`{name}`]"),
            _ => format!("[`{name}`]({rust})"),
        };
        Some((name, link))
    }
}

/// A part of a comment.
enum Block {
    /// A paragraph, in one line.
    Text(String),
    /// Indented lines, which stay as they are.
    Code(String),
}

/// Returns the blocks of a comment, whose lines are indented as they are in the header.
fn blocks(comment: &str) -> Vec<Block> {
    let margin = comment.lines().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    let mut blocks: Vec<Block> = Vec::new();
    for paragraph in comment.split("\n\n") {
        let lines: Vec<_> = paragraph.lines().filter(|line| !line.is_empty()).collect();
        // The first paragraph is often in the middle, as a title.
        let margin = if blocks.is_empty() {
            lines.iter().map(|line| indent(line)).min().unwrap_or(margin)
        } else {
            margin
        };
        // Prose continues with a lower-case letter.
        let is_code = |line: &str| {
            indent(line) >= margin + 3
                && !line.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
        };
        // A first line with a hanging indent begins an item of a list.
        let hangs = lines.split_first().is_some_and(|(first, rest)| {
            let deeper = |line: &&str| indent(line) > indent(first);
            !rest.is_empty() && rest.iter().all(deeper)
        });
        let mut continues = false;
        for line in lines {
            let text = line.trim();
            let code = is_code(line) && !hangs;
            match blocks.last_mut() {
                Some(Block::Code(lines)) if code => {
                    lines.push('\n');
                    lines.push_str(&with_blanks(text));
                }
                Some(Block::Text(line)) if !code && continues => {
                    line.push(' ');
                    line.push_str(text);
                }
                _ if code => blocks.push(Block::Code(with_blanks(text))),
                _ => blocks.push(Block::Text(text.to_owned())),
            }
            continues = true;
        }
    }
    blocks
}

/// Replaces the tabs of a line by blanks up to every fourth column.
fn with_blanks(line: &str) -> String {
    let mut text = String::with_capacity(line.len() * 2);
    for part in line.split('\t') {
        if !text.is_empty() {
            text.push_str(&"    "[text.len() % 4..]);
        }
        text.push_str(part);
    }
    text
}

/// Returns the indentation of a line.
fn indent(line: &str) -> usize {
    let blanks = line.bytes().take_while(u8::is_ascii_whitespace);
    blanks.map(|blank| if blank == b'\t' { 4 } else { 1 }).sum()
}

/// Returns the length of the word that a text begins with: an identifier, or several with `->` or `.`
/// between, or a call without arguments.
fn word_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let rest = &text[length..];
        let joint = ["->", "."].into_iter().find(|joint| rest.starts_with(joint));
        match joint {
            Some(joint)
                if length > 0
                    && rest[joint.len()..].starts_with(|c: char| c.is_ascii_alphabetic()) =>
            {
                length += joint.len();
            }
            _ if length > 0 && rest.starts_with("()") => return length + 2,
            // `RELPERSISTENCE_*`
            _ if text[..length].ends_with('_') && rest.starts_with('*') => return length + 1,
            _ => return length,
        }
    }
}

/// Returns whether a word is a name in the sources, and not an English or SQL word.
fn is_code(word: &str) -> bool {
    let mut previous = ' ';
    word.contains(['_', '(', '>'])
        || word.chars().any(|c| {
            let hump = previous.is_ascii_lowercase() && c.is_ascii_uppercase();
            previous = c;
            hump
        })
}

fn capitalise(sentence: &mut str) {
    let word = sentence.find(' ').unwrap_or(sentence.len());
    if sentence.starts_with(|c: char| c.is_ascii_lowercase()) && !is_code(&sentence[..word]) {
        sentence[..1].make_ascii_uppercase();
    }
}
