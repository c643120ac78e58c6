//! Reads the comments of PostgreSQL's headers.
//!
//! The sources are formatted by pgindent, so reading them line by line is enough: nothing here
//! understands C. A comment that is not found costs only a sentence of documentation.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Headers without types of the tree: those of the planner and the executor.
const OF_PLANS: [&str; 3] = ["execnodes.h", "pathnodes.h", "plannodes.h"];

/// Comments by the names of their subjects, with their lines as they are.
#[derive(Default)]
pub(crate) struct Comments {
    /// Of structs and enums.
    types: HashMap<String, String>,
    /// Of the fields of a struct and the constants of an enum, by both names.
    members: HashMap<(String, String), String>,
}

impl Comments {
    /// Reads the sources of libpg_query. A file that is not there has no comments.
    pub(crate) fn read(source: &Path) -> Self {
        let postgres = source.join("src/postgres");
        let mut comments = Self::default();
        let mut headers: Vec<_> = fs::read_dir(postgres.join("include/nodes"))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "h"))
            .filter(|path| !OF_PLANS.iter().any(|name| path.ends_with(name)))
            .collect();
        headers.sort_unstable();
        headers.push(postgres.join("include/plpgsql.h"));
        let mut named = HashMap::new();
        for header in headers {
            if let Ok(text) = fs::read_to_string(header) {
                Reader { comments: &mut comments, named: &mut named }.header(&text);
            }
        }
        // A comment that begins with a type's name is that type's, wherever it stands.
        for (name, comment) in named {
            if comments.types.contains_key(&name) {
                comments.types.insert(name, comment);
            }
        }
        comments
    }

    pub(crate) fn of_type(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str).filter(|comment| !comment.is_empty())
    }

    pub(crate) fn of_member(&self, ty: &str, name: &str) -> Option<&str> {
        let comment = self.members.get(&(ty.to_owned(), name.to_owned()));
        comment.map(String::as_str).filter(|comment| !comment.is_empty())
    }
}

/// A header that is being read.
struct Reader<'a> {
    comments: &'a mut Comments,
    /// Comments that begin with a word and a dash or the like, by this word.
    named: &'a mut HashMap<String, String>,
}

impl Reader<'_> {
    fn header(&mut self, text: &str) {
        let mut lines = text.lines();
        let mut comment = String::new();
        // An enum, and the comment before it, which is the next struct's if that has none: the type of
        // one of its fields often comes first.
        let mut of_enum: Option<(String, String)> = None;
        while let Some(line) = lines.next() {
            if let Some(begin) = line.strip_prefix("/*") {
                comment = rest_of_comment(begin, &mut lines);
                if let Some((name, text)) = name_and_text(&comment) {
                    self.named.insert(name.to_owned(), text.to_owned());
                    comment.clear();
                }
            } else if let Some(declared) =
                line.strip_prefix("typedef ").or(line.starts_with("struct ").then_some(line))
            {
                let mut comment = std::mem::take(&mut comment);
                let mut words = declared.split_whitespace();
                let (kind, name) = (words.next(), words.next().unwrap_or_default());
                if declared.ends_with(';') {
                    // An alias of a type, or a forward declaration.
                    let name = words.next_back().unwrap_or(name).trim_end_matches(';');
                    self.comments.types.insert(name.to_owned(), comment);
                } else if kind == Some("enum") {
                    self.body(name, ',', &mut lines);
                    self.comments.types.extend(of_enum.replace((name.to_owned(), comment)));
                } else if kind == Some("struct") {
                    self.body(name, ';', &mut lines);
                    if comment.is_empty()
                        && !self.named.contains_key(name)
                        && let Some((_, of_enum)) = &mut of_enum
                    {
                        comment = std::mem::take(of_enum);
                    }
                    self.comments.types.extend(of_enum.take());
                    self.comments.types.insert(name.to_owned(), comment);
                }
            } else if !line.is_empty() {
                comment.clear();
            }
        }
        self.comments.types.extend(of_enum);
    }

    /// Reads up to the end of a struct or an enum.
    fn body<'t>(&mut self, ty: &str, end: char, lines: &mut impl Iterator<Item = &'t str>) {
        let mut before = String::new();
        let mut code = String::new();
        while let Some(line) = lines.next() {
            if line.starts_with('}') {
                break;
            }
            let line = line.trim_start();
            if line.is_empty() || line == "{" {
                before.clear();
                continue;
            }
            let (declared, begin) = match line.split_once("/*") {
                Some((declared, begin)) => (declared, Some(begin)),
                None => (line, None),
            };
            let comment = begin.map(|begin| rest_of_comment(begin, lines));
            let declared = declared.trim_end();
            if declared.is_empty() {
                before = comment.unwrap_or_default();
                continue;
            }
            code.push_str(declared);
            // The last constant has no comma.
            if !declared.ends_with(end) && comment.is_none() {
                code.push(' ');
                continue;
            }
            let text = comment.as_ref().unwrap_or(&before);
            for name in names(&code, end == ',') {
                self.comments.members.insert((ty.to_owned(), name.to_owned()), text.clone());
            }
            if comment.is_some() {
                before.clear();
            }
            code.clear();
        }
    }
}

/// Returns the names that a declaration in a struct or an enum declares.
fn names(code: &str, is_enum: bool) -> impl Iterator<Item = &str> {
    let word = |c: char| !c.is_alphanumeric() && c != '_';
    without_attributes(code).split(',').filter_map(move |name| {
        let mut words = name.split(word).filter(|word| !word.is_empty());
        if is_enum { words.next() } else { words.next_back() }
    })
}

/// Removes the attributes for PostgreSQL's own scripts from a declaration.
fn without_attributes(code: &str) -> &str {
    code.split("pg_node_attr").next().unwrap_or(code).trim_end_matches([';', ' '])
}

/// Returns the text of a comment after its `/*`, with a line for each of its lines.
fn rest_of_comment<'t>(begin: &str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    if let Some((text, _)) = begin.split_once("*/") {
        return text.trim().to_owned();
    }
    let is_rule = |line: &str| line.len() > 2 && line.bytes().all(|byte| b"*-=".contains(&byte));
    let mut text = begin.trim().to_owned();
    if is_rule(&text) {
        text.clear();
    }
    for line in lines {
        let (line, ends) = match line.split_once("*/") {
            Some((line, _)) => (line, true),
            None => (line, false),
        };
        let line = line.trim();
        let line = line.strip_prefix('*').unwrap_or(line);
        if !is_rule(line.trim_start()) {
            text.push('\n');
            text.push_str(line);
        }
        if ends {
            break;
        }
    }
    text
}

/// Splits `SortBy - for ORDER BY clause` into the name and its description.
fn name_and_text(comment: &str) -> Option<(&str, &str)> {
    let comment = comment.trim_start();
    let end = comment.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (name, rest) = comment.split_at(end);
    let text = rest.trim_start_matches([' ', '-', ':']);
    // More than a blank, or the end of the line; otherwise it is the first word of a sentence.
    let is_name = text.len() + 1 < rest.len() || text.starts_with('\n');
    is_name.then_some((name, text))
}
