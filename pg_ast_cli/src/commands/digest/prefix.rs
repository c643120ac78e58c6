//! What a `log_line_prefix` says about a message: when and by whom, found by its form or by the setting itself.

use super::times::Time;

/// What is known about a message besides its text. All are empty if they are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Prefixed<'a> {
    pub(super) session: &'a str,
    pub(super) at: Option<Time>,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
    pub(super) application: &'a str,
}

/// Returns whether a byte may stand around names in a prefix.
fn is_around(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b','
            | b';'
            | b':'
            | b'['
            | b']'
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'|'
            | b'"'
            | b'\t'
            | b'/'
    )
}

/// Returns the name at the end of a text.
fn last_name(text: &str) -> &str {
    &text[text.bytes().rposition(is_around).map_or(0, |at| at + 1)..]
}

/// Returns the name at the beginning of a text.
fn first_name(text: &str) -> &str {
    &text[..text.bytes().position(is_around).unwrap_or(text.len())]
}

/// A prefix is no longer than that, whatever stands before a severity.
const LONGEST: usize = 1 << 10;

/// Finds what a prefix says, by what is usual.
pub(super) fn find(prefix: &str) -> Prefixed<'_> {
    let prefix = cut(prefix, LONGEST);
    let mut found =
        Prefixed { session: session(prefix), at: Time::find(prefix), ..Prefixed::default() };
    for (at, _) in prefix.match_indices('=') {
        let (before, value) = (&prefix[..at], &prefix[at + 1..]);
        match last_name(before) {
            "user" | "usr" | "u" => found.user = first_name(value),
            "db" | "database" | "dbname" | "d" => found.database = first_name(value),
            // It may have blanks.
            "app" | "application" | "application_name" | "appname" | "a" => {
                let end = value.find([',', ';', '|', ']', ')', '"']);
                found.application = value[..end.unwrap_or(value.len())].trim_end();
            }
            _ => {}
        }
    }
    if found.user.is_empty()
        && found.database.is_empty()
        && let Some((before, behind)) = prefix.split_once('@')
    {
        (found.user, found.database) = (last_name(before), first_name(behind));
    }
    for name in [&mut found.user, &mut found.database, &mut found.application] {
        if *name == "[unknown]" {
            *name = "";
        }
    }
    found
}

/// Returns the beginning of a text, of at most so many bytes.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns what tells a session: the process (`[%p]`, `[%p-%l]`), or the session (`%c`). Without them, all messages are
/// of one session.
fn session(prefix: &str) -> &str {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    for (bracket, _) in prefix.match_indices('[') {
        let rest = &prefix[bracket + 1..];
        let length = digits(rest);
        if length > 0 && rest[length..].starts_with([']', '-']) {
            return &rest[..length];
        }
    }
    let is_id = |word: &&str| {
        word.split_once('.').is_some_and(|(start, process)| {
            let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
            start.len() == 8 && !process.is_empty() && is_hex(start) && is_hex(process)
        })
    };
    prefix.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').find(is_id).unwrap_or_default()
}

/// A `log_line_prefix`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Escape(char),
}

impl std::str::FromStr for Template {
    type Err = String;

    fn from_str(prefix: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = prefix.chars().peekable();
        while let Some(c) = rest.next() {
            if c != '%' {
                text.push(c);
                continue;
            }
            // The width.
            while rest.next_if(|c| c.is_ascii_digit() || *c == '-').is_some() {}
            match rest.next() {
                Some('%') => text.push('%'),
                Some(escape) if "audprhbtmniecLlsvxqQPB".contains(escape) => {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    pieces.push(Piece::Escape(escape));
                }
                escape => {
                    let escape = escape.map(String::from).unwrap_or_default();
                    return Err(format!("log_line_prefix has no %{escape}"));
                }
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(Self(pieces))
    }
}

impl Template {
    /// Returns what the prefix of a line says, if it has this form. The time and the session are also looked for by their
    /// form.
    pub(super) fn find<'a>(&self, line: &'a str) -> Option<Prefixed<'a>> {
        let line = cut(line, LONGEST);
        let mut found = Prefixed::default();
        let (mut process, mut rest, mut end) = ("", line, 0);
        for (index, piece) in self.0.iter().enumerate() {
            match piece {
                Piece::Escape('q') if rest.trim().is_empty() => break,
                Piece::Escape('q') => {}
                // Texts may also be part of what was written for the escape before.
                Piece::Text(text) => match rest.strip_prefix(text.as_str()) {
                    Some(behind) => rest = behind,
                    // What the server itself writes ends before `%q`.
                    None if self.0[..index].contains(&Piece::Escape('q')) => break,
                    None => return None,
                },
                Piece::Escape(escape) => {
                    let behind =
                        self.0[index + 1..].iter().find(|next| **next != Piece::Escape('q'));
                    let length = match behind {
                        Some(Piece::Text(next)) => rest.find(next.as_str()),
                        Some(Piece::Escape(_)) | None => None,
                    };
                    let value = rest[..length.unwrap_or(rest.len())].trim();
                    rest = &rest[length.unwrap_or(rest.len())..];
                    let value = if value == "[unknown]" { "" } else { value };
                    match escape {
                        'u' => found.user = value,
                        'd' => found.database = value,
                        'a' => found.application = value,
                        'p' => process = value,
                        'c' => found.session = value,
                        't' | 'm' | 'n' => {
                            found.at = Time::find(value).or_else(|| Time::of_number(value));
                        }
                        _ => {}
                    }
                }
            }
            end = line.len() - rest.len();
        }
        let usual = find(&line[..end]);
        if found.session.is_empty() {
            found.session = if process.is_empty() { usual.session } else { process };
        }
        found.at = found.at.or(usual.at);
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_tell_sessions() {
        assert_eq!(session("2026-01-01 10:00:00.000 UTC [123] "), "123");
        assert_eq!(session("2026-01-01 10:00:00 UTC [123]: [4-1] user=u,db=d "), "123");
        assert_eq!(session("2026-01-01 10:00:00 UTC:10.0.0.1(5432):u@d:[123]:"), "123");
        assert_eq!(session("<2026-01-01 69a1b2c3.7b u@d> "), "69a1b2c3.7b");
        assert_eq!(session("2026-01-01 u@d "), "");
    }

    #[test]
    fn usual_prefixes_tell_names() {
        let names = |prefix| {
            let Prefixed { user, database, application, at, .. } = find(prefix);
            assert!(at.is_some(), "{prefix}");
            (user, database, application)
        };
        for (prefix, expected) in [
            // Debian's, pgBadger's, that of Amazon's RDS, Azure's.
            ("2026-01-01 10:00:00.000 UTC [12] u@d ", ("u", "d", "")),
            (
                "2026-01-01 10:00:00 UTC [12]: user=u,db=d,app=psql x,client=[local] ",
                ("u", "d", "psql x"),
            ),
            ("2026-01-01 10:00:00 UTC:10.0.0.1(5432):u@d:[12]:", ("u", "d", "")),
            ("2026-01-01 10:00:00 UTC-69a1b2c3.7b-", ("", "", "")),
            ("2026-01-01 10:00:00 UTC [12]: user=[unknown],db=[unknown] ", ("", "", "")),
            ("2026-01-01 10:00:00 UTC [12] ", ("", "", "")),
        ] {
            assert_eq!(names(prefix), expected, "{prefix}");
        }
    }

    #[test]
    fn the_setting_tells_all() {
        let template: Template = "%m|%p|%q%u|%-10d|%a| ".parse().unwrap();
        let found = template.find("2026-01-01 10:00:00.000 UTC|12|u u|d         |a [x]| ").unwrap();
        assert_eq!(
            (found.session, found.user, found.database, found.application),
            ("12", "u u", "d", "a [x]")
        );
        assert!(found.at.is_some());
        // A process of the server's own.
        let found = template.find("2026-01-01 10:00:00.000 UTC|12|").unwrap();
        assert_eq!((found.session, found.user), ("12", ""));
        assert_eq!(template.find("what else"), None);
        assert!("%z".parse::<Template>().is_err() && "%".parse::<Template>().is_err());
        assert_eq!("100%%".parse(), Ok(Template(vec![Piece::Text("100%".to_owned())])));
    }
}
