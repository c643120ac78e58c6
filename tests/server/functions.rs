//! Functions, procedures and DO blocks in PL/pgSQL, and the literals that their bodies are in.

use std::ops::Range;

use pg_ast::{NodeEnum, Version};

/// A statement with a body in PL/pgSQL.
#[derive(Debug, Clone)]
pub struct Function {
    /// Where it was found.
    pub source: String,
    pub sql: String,
    /// The literal, with `UESCAPE` and the parts that it is continued by.
    pub literal: Range<usize>,
    pub is_do: bool,
}

impl Function {
    /// Returns the function of SQL, if it is a single statement with such a body.
    pub fn new(source: &str, sql: &str) -> Option<Self> {
        let tree = pg_ast::parse(sql).ok()?;
        let [stmt] = &tree.protobuf.stmts[..] else { return None };
        let (is_do, options) = match stmt.stmt.as_ref()?.node.as_ref()? {
            NodeEnum::DoStmt(stmt) => (true, &stmt.args),
            NodeEnum::CreateFunctionStmt(stmt) if stmt.sql_body.is_none() => (false, &stmt.options),
            _ => return None,
        };
        let (mut language, mut place) = (is_do.then(|| "plpgsql".to_owned()), None);
        for option in options {
            let Some(NodeEnum::DefElem(option)) = &option.node else { continue };
            match &*option.defname {
                "language" => match &option.arg.as_ref()?.node {
                    Some(NodeEnum::String(name)) => language = Some(name.sval.to_lowercase()),
                    _ => return None,
                },
                "as" => place = usize::try_from(option.location).ok(),
                _ => {}
            }
        }
        if language? != "plpgsql" {
            return None;
        }
        let literal = literal(sql, place?)?;
        Some(Self { source: source.to_owned(), sql: sql.to_owned(), literal, is_do })
    }

    /// What the server gets, and by how much a position in it is larger. A DO would be run.
    pub fn for_server(&self) -> (String, isize) {
        if !self.is_do {
            return (self.sql.clone(), 0);
        }
        let head = "CREATE FUNCTION inline_code_block() RETURNS void LANGUAGE plpgsql AS ";
        let moved = head.len().cast_signed() - self.literal.start.cast_signed();
        (format!("{head}{}", &self.sql[self.literal.clone()]), moved)
    }

    /// The same function with another body; `None` if its literal is not plain.
    pub fn with_body(&self, change: impl FnOnce(&str) -> String) -> Option<Self> {
        let literal = &self.sql[self.literal.clone()];
        let body = match literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            Some(quoted) if !quoted.replace("''", "").contains('\'') => quoted.replace("''", "'"),
            Some(_) => return None,
            None => {
                let tag = &literal[..literal.strip_prefix('$')?.find('$')? + 2];
                literal.strip_prefix(tag)?.strip_suffix(tag)?.to_owned()
            }
        };
        let body = format!("$mutant${}$mutant$", change(&body));
        let Range { start, end } = self.literal;
        let sql = [&self.sql[..start], &body, &self.sql[end..]].concat();
        Some(Self { sql, literal: start..start + body.len(), ..self.clone() })
    }
}

/// The first string constant at or after a place: what the grammar makes one of.
fn literal(sql: &str, place: usize) -> Option<Range<usize>> {
    let scanned = pg_ast::scan_lossy(sql).scan;
    let mut tokens = scanned.tokens.iter().filter(|token| !token.is_comment()).map(|it| it.range());
    let is_string =
        |range: &Range<usize>| range.start >= place && sql[range.clone()].contains(['\'', '$']);
    let mut range = tokens.find(is_string)?;
    if sql[range.clone()].to_lowercase().starts_with("u&") {
        let word = tokens.next().filter(|word| sql[word.clone()].eq_ignore_ascii_case("uescape"));
        if let Some(escape) = word.and_then(|_| tokens.next()) {
            range.end = escape.end;
        }
    }
    Some(range)
}

/// Returns the places of a literal's characters: of the `n`th character of its value, in the literal.
///
/// An implementation apart from that of the library, which has to find the same places.
pub fn places(literal: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let bytes = literal.as_bytes();
    let skip = |at: usize| at + literal[at..].chars().next().map_or(1, char::len_utf8);
    if bytes[0] == b'$' {
        let tag = literal[1..].find('$').map_or(0, |end| end + 2);
        let content = literal[tag..literal.len() - tag].char_indices();
        places.extend(content.map(|(at, _)| tag + at));
        places.push(literal.len() - tag);
        return places;
    }
    let (prefix, escape) = match bytes[0] {
        b'E' | b'e' => (1, Some(b'\\')),
        b'U' | b'u' => {
            let lower = literal.to_lowercase();
            let named = lower.rfind("uescape").and_then(|at| literal[at..].split('\'').nth(1));
            (2, Some(named.map_or(b'\\', |escape| escape.as_bytes()[0])))
        }
        _ => (0, None),
    };
    let is_unicode = prefix == 2;
    let mut at = prefix + 1;
    while at < literal.len() {
        match bytes[at] {
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => {
                places.push(at);
                at += 2;
            }
            b'\'' => {
                // Another part, or the end.
                let Some(next) = continued(literal, at + 1) else { break };
                at = next;
            }
            byte if Some(byte) == escape => {
                places.push(at);
                at += 1 + escaped(&bytes[at + 1..], byte, is_unicode);
            }
            _ => {
                places.push(at);
                at = skip(at);
            }
        }
    }
    places.push(at.min(literal.len()));
    places
}

/// The number of bytes of an escape after its first.
fn escaped(rest: &[u8], escape: u8, is_unicode: bool) -> usize {
    let digits = |limit: usize, is_digit: fn(&u8) -> bool| {
        rest.iter().skip(1).take(limit).take_while(|byte| is_digit(byte)).count()
    };
    match rest.first() {
        Some(b'+') if is_unicode => 7,
        Some(first) if is_unicode => {
            if *first == escape {
                1
            } else {
                4
            }
        }
        Some(b'x') => 1 + digits(2, u8::is_ascii_hexdigit),
        Some(b'u') => 5,
        Some(b'U') => 9,
        Some(b'0'..=b'7') => 1 + digits(2, |byte| (b'0'..=b'7').contains(byte)),
        _ => 1,
    }
}

/// Where the content of the next part begins, if there is one after a newline.
fn continued(literal: &str, mut at: usize) -> Option<usize> {
    let mut has_newline = false;
    loop {
        let rest = &literal[at..];
        match rest.bytes().next()? {
            b'\'' if has_newline => return Some(at + 1),
            b'\n' | b'\r' => has_newline = true,
            b'-' if rest.starts_with("--") => {
                at += rest.find('\n')?;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => return None,
        }
        at += 1;
    }
}

/// What pg_ast says of a function.
pub fn parsed(version: Version, sql: &str) -> Result<(), pg_ast::Error> {
    macro_rules! parse {
        ($($feature:literal $variant:ident $module:ident,)*) => {
            match version {
                $(#[cfg(feature = $feature)]
                Version::$variant => {
                    let parsed = pg_ast::$module::plpgsql::parse(sql)?;
                    parsed.functions.into_iter().try_for_each(|it| it.function.map(drop))
                })*
                other => unreachable!("{other} is not compiled"),
            }
        };
    }
    parse! {
        "pg15" Pg15 pg15,
        "pg16" Pg16 pg16,
        "pg17" Pg17 pg17,
        "pg18" Pg18 pg18,
    }
}
