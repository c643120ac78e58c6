//! Formats scripts.

use anyhow::{Result, bail};
use pg_ast::{DeparseOptions, Error, ErrorKind, Version};

/// How statements are laid out.
#[derive(Clone, Debug)]
pub(crate) struct Formatter {
    version: Version,
    options: DeparseOptions,
}

/// A script as it is to be, and what is wrong in it.
#[derive(Debug)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    /// With places in the script as it was, each with the end of its statement there.
    pub(crate) errors: Vec<(Error, usize)>,
}

impl Formatter {
    pub(crate) fn new(version: Version, options: DeparseOptions) -> Result<Self> {
        let options = options.pretty_print(true);
        match version.reformat("SELECT 1", &options) {
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                bail!("PostgreSQL {version} has no layouts (--pg chooses a newer version): {error}")
            }
            _ => Ok(Self { version, options }),
        }
    }

    /// What is wrong, what psql alone understands (its commands, the data of `COPY`), and what would not mean the same
    /// any more stays as it is.
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
            // What follows a COPY may be its data, of which every line counts.
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

    /// A statement, with its comments, in lines; `None` if something would be lost.
    fn pretty(&self, stmt: &str) -> Option<String> {
        let comments = self.version.comments(stmt).ok()?;
        let count = comments.len();
        let text = self.version.reformat(stmt, &self.options.clone().comments(comments)).ok()?;
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn format(script: &str) -> Formatted {
        let options = DeparseOptions::default().indent_size(2).max_line_length(100);
        Formatter::new(Version::newest(), options).unwrap().format(script)
    }

    #[track_caller]
    fn becomes(script: &str, expected: &str) {
        assert_eq!(format(script).text, expected);
        // What is formatted stays.
        assert_eq!(format(expected).text, expected);
    }

    #[test]
    fn statements_are_laid_out() {
        becomes("select 1", "SELECT 1;\n");
        becomes(
            "select a,b from T where x=1;select 2 ;",
            "SELECT a, b\nFROM t\nWHERE x = 1;\nSELECT 2;\n",
        );
        becomes("", "");
    }

    #[test]
    fn comments_stay() {
        becomes("-- the first\nselect 1;\n/* last */", "-- the first\nSELECT 1;\n/* last */\n");
        let text = format("select a, -- one\n b from t; -- two\n-- three\nselect 2;").text;
        for comment in ["-- one", "-- two", "-- three"] {
            assert_eq!(text.matches(comment).count(), 1, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_or_not_sql_stays() {
        let script = "\\set x 1\nselect :x from from;\ncopy t from stdin;\n1\t;'\n\\.\nselect 1;";
        let formatted = format(script);
        assert_eq!(formatted.errors.len(), 1);
        let text = &formatted.text;
        assert!(text.starts_with("\\set x 1\nselect :x from from;\n"), "{text}");
        assert!(text.contains("\n1\t;'\n\\.\n"), "{text}");
        assert!(text.ends_with("SELECT 1;\n"), "{text}");
        becomes("select 1;\ncreate table x (a int,", "SELECT 1;\ncreate table x (a int,\n");
    }

    #[test]
    fn nothing_is_lost() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/statements");
        let mut count = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let script = fs::read_to_string(entry.unwrap().path()).unwrap();
            let version = Version::newest();
            let before = version.parse_script(&script);
            let formatted = format(&script).text;
            let after = version.parse_script(&formatted);
            assert_eq!(before.len(), after.len());
            for (before, after) in before.into_iter().zip(after) {
                let (before_text, after_text) = (&script[before.range], &formatted[after.range]);
                if before.result.is_ok() && after.result.is_ok() {
                    assert_eq!(version.fingerprint(before_text), version.fingerprint(after_text));
                } else {
                    assert_eq!(before_text, after_text);
                }
                count += 1;
            }
        }
        assert!(count > 1_000);
    }
}
