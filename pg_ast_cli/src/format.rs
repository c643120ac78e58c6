//! Formats scripts. The example `fmt` and the language server also use this file.

use pg_ast::{DeparseOptions, Error, Version};

/// A formatter of scripts.
#[derive(Clone, Debug)]
pub(crate) struct Formatter {
    version: Version,
    options: DeparseOptions,
}

/// A formatted script, with its errors.
#[derive(Debug)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    /// The errors, with positions in the original script, each with the end of its statement there.
    pub(crate) errors: Vec<(Error, usize)>,
}

impl Formatter {
    /// Returns an error if the version has no layouts.
    pub(crate) fn new(version: Version, options: DeparseOptions) -> Result<Self, Error> {
        let options = options.pretty_print(true);
        version.reformat("SELECT 1", &options)?;
        Ok(Self { version, options })
    }

    /// Wrong statements, parts for psql alone (its commands, the data of `COPY`), and statements that would change in
    /// meaning stay as they are.
    pub(crate) fn format(&self, script: &str) -> Formatted {
        let mut text = String::with_capacity(script.len());
        let mut errors = Vec::new();
        let mut end = 0;
        let mut data = false;
        for stmt in self.version.parse_script(script) {
            let between = &script[end..stmt.range.start];
            // The comments before a statement are printed with it; anything else there is left alone.
            let start = if self.is_space_or_comments(between) { end } else { stmt.range.start };
            text += if data { &script[end..start] } else { script[end..start].trim_start() };
            let part =
                script[start..stmt.range.end].trim_start_matches([';', ' ', '\t', '\r', '\n']);
            let is_correct = stmt.result.is_ok();
            match stmt.result {
                Ok(_) => text += &self.pretty(part).unwrap_or_else(|| part.to_owned()),
                Err(error) => {
                    text += part;
                    errors.push((error, stmt.range.end));
                }
            }
            end = stmt.range.end;
            // A semicolon, unless a command for psql ended the statement.
            let rest = &script[end..];
            if rest.trim_start().starts_with(';') {
                end += rest.find(';').map_or(0, |semicolon| semicolon + 1);
                text.push(';');
            } else if is_correct && rest.trim().is_empty() {
                text.push(';');
            }
            // The text after a COPY may be its data, of which every line counts.
            data = starts_copy(&script[stmt.range]);
            text += if data { "" } else { "\n" };
        }
        text += if data { &script[end..] } else { script[end..].trim_start() };
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            text.push('\n');
        }
        Formatted { text, errors }
    }

    /// Formats a statement with its comments; `None` if something would be lost.
    fn pretty(&self, stmt: &str) -> Option<String> {
        let comments = self.version.comments(stmt).ok()?;
        let count = comments.len();
        let text = self.version.reformat(stmt, self.options.clone().comments(comments)).ok()?;
        let plain = DeparseOptions::default();
        // It is the same statement, with the same constants, and every comment is still there.
        let same = self.version.fingerprint(stmt).ok()? == self.version.fingerprint(&text).ok()?
            && self.version.reformat(stmt, &plain).ok()?
                == self.version.reformat(&text, &plain).ok()?;
        (same && self.version.comments(&text).ok()?.len() == count).then_some(text)
    }

    fn is_space_or_comments(&self, text: &str) -> bool {
        self.version.scan(text).is_ok_and(|tokens| {
            tokens.iter().all(|token| token.is_comment() || &text[token.range.clone()] == ";")
        })
    }
}

fn starts_copy(stmt: &str) -> bool {
    stmt.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("copy"))
}
