//! The bodies of functions, in their quotes.

use std::ops::Range;

use pg_ast::{Version, with_version};

use crate::body_builder::{Builder, NOTHING, Piece};
use crate::check::difference_of_bodies;
use crate::ops::{LINE, OUTSIDE};
use crate::options::Options;
use crate::plpgsql::lay_out_body;
use crate::printer::print;
use crate::statements::{Hash, hash};
use crate::tree::Kinds;

/// The body of a function, procedure or `DO`, between dollars.
pub(crate) struct Body {
    pub(crate) language: Language,
    /// Its place in the statement, with the quotes.
    pub(crate) literal: Range<usize>,
    /// The length of a quote.
    pub(crate) tag: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Sql,
    PlPgSql,
}

impl Language {
    /// By its name as it is written.
    fn of(name: &str) -> Option<Self> {
        let name = match name.as_bytes().first()? {
            b'"' | b'\'' => name.get(1..name.len().checked_sub(1)?)?.to_owned(),
            _ => name.to_ascii_lowercase(),
        };
        match name.as_str() {
            "sql" => Some(Self::Sql),
            "plpgsql" => Some(Self::PlPgSql),
            _ => None,
        }
    }
}

impl Body {
    /// Finds the body that a statement has, if it is in a language that is known.
    pub(crate) fn find(version: Version, sql: &str) -> Option<Self> {
        let starts = |word: &str| sql.get(..word.len())?.eq_ignore_ascii_case(word).then_some(());
        let is_do = starts("do").is_some();
        if !sql.contains('$') || (!is_do && starts("create").is_none()) {
            return None;
        }
        let tokens = version.scan(sql).ok()?;
        let mut tokens = tokens.into_iter().filter(|token| !token.is_comment());
        let first = tokens.next()?;
        let (mut last, mut before_last) = (first.name, "");
        let (mut depth, mut literal, mut language, mut is_function) = (0_usize, None, None, is_do);
        for token in tokens {
            let text = &sql[token.range.clone()];
            match text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                // The object file and the symbol of a function in C.
                "," if depth == 0 && last == "SCONST" => return None,
                _ => {}
            }
            let is_name = token.is_keyword || matches!(token.name, "IDENT" | "SCONST");
            let is_language =
                last == "LANGUAGE" && !matches!(before_last, "RETURNS" | "SETOF" | "ASCII_46");
            if depth > 0 {
            } else if !is_function {
                match token.name {
                    "FUNCTION" | "PROCEDURE" => is_function = true,
                    "OR" | "REPLACE" => {}
                    _ => return None,
                }
            } else if is_language && is_name {
                language = language.or(Some(text));
            } else if token.name == "SCONST" && (last == "AS" || is_do) {
                literal = literal.or(Some(token.range));
            }
            (before_last, last) = (last, token.name);
        }
        let literal: Range<usize> = literal?;
        let language = match language {
            Some(name) => Language::of(name)?,
            None if is_do => Language::PlPgSql,
            None => return None,
        };
        let text = &sql[literal.clone()];
        let tag = text.strip_prefix('$')?.find('$')? + 2;
        (text.len() >= tag * 2).then_some(Self { language, literal, tag })
    }

    pub(crate) fn content<'a>(&self, sql: &'a str) -> &'a str {
        &sql[self.literal.start + self.tag..self.literal.end - self.tag]
    }

    pub(crate) fn quote<'a>(&self, sql: &'a str) -> &'a str {
        &sql[self.literal.start..self.literal.start + self.tag]
    }

    /// Returns a hash of what the body is, beside its tokens: its statements, and the fingerprints of their expressions. `None`
    /// if it is wrong.
    pub(crate) fn meaning(&self, version: Version, sql: &str) -> Option<Hash> {
        with_version!(version, pg => {
            use pg::plpgsql::Part;

            if self.language == Language::Sql {
                return Some(pg::view::parse(self.content(sql)).ok()?.fingerprint().value);
            }
            let mut functions = pg::plpgsql::parse(sql).ok()?.functions.into_iter();
            let function = functions.next()?.function.ok()?;
            let mut meaning = Vec::new();
            let mut parts = function.parts();
            while let Some(part) = parts.next() {
                let depth = parts.ancestors().len();
                meaning.extend_from_slice(format!("{depth} {} ", part.name()).as_bytes());
                if let Part::Expr(expr) = part {
                    let value = expr.tree.protobuf.fingerprint().value;
                    meaning.extend_from_slice(&value.to_le_bytes());
                    parts.skip_children();
                }
            }
            Some(hash(&meaning))
        })
    }
}

/// What becomes of a statement with a body.
pub(crate) enum WithBody {
    /// It stays as it is: it has no body that is laid out, or that one is wrong.
    Same,
    /// The statement with another body.
    Changed(String),
    /// It stays as it is, since its layout would not be the same.
    Kept,
}

/// Lays out the body in a statement.
pub(crate) fn format_body(
    version: Version,
    options: &Options,
    kinds: &'static Kinds,
    sql: &str,
    eol: &str,
) -> WithBody {
    let Some(body) = Body::find(version, sql) else { return WithBody::Same };
    let content = body.content(sql);
    // Comments say that it stays as it is.
    if ["fmt: off", "fmt: skip"].iter().any(|comment| content.contains(comment)) {
        return WithBody::Same;
    }
    let Some(meaning) = body.meaning(version, sql) else { return WithBody::Same };
    let literal = body.trimmed(sql, eol);
    let Some(mut builder) = Builder::new(version, options, kinds, &literal, body.tag) else {
        return WithBody::Same;
    };
    let laid_out = match body.language {
        Language::PlPgSql => lay_out_body(&mut builder),
        Language::Sql => lay_out_statements(&mut builder),
    };
    if laid_out.is_none() {
        return WithBody::Kept;
    }
    let (tree, mut ops) = builder.finish();
    let around = "AS ".len() + ";".len();
    let printed = print(&tree, options, &mut ops, eol, around);
    let old = &sql[body.literal.clone()];
    if printed == old {
        return WithBody::Same;
    }
    let text = [&sql[..body.literal.start], &printed, &sql[body.literal.end..]].concat();
    match Body::find(version, &text) {
        Some(new)
            if difference_of_bodies(version, (sql, &body), (&text, &new)).is_none()
                && new.meaning(version, &text) == Some(meaning) =>
        {
            WithBody::Changed(text)
        }
        _ => WithBody::Kept,
    }
}

impl Body {
    /// The literal without empty lines at its start and its end.
    fn trimmed(&self, sql: &str, eol: &str) -> String {
        let content = self.content(sql);
        let without_start = content.trim_ascii_start();
        let inner = without_start.trim_ascii_end();
        let blanks = |text: &str| match text {
            text if text.contains('\n') => eol.to_owned(),
            "" => String::new(),
            _ => " ".to_owned(),
        };
        let start = blanks(&content[..content.len() - without_start.len()]);
        let end = blanks(&without_start[inner.len()..]);
        let quote = self.quote(sql);
        [quote, &start, inner, &end, quote].concat()
    }
}

/// Lays out a body in SQL. `None` if it is not a list of statements.
fn lay_out_statements(out: &mut Builder<'_>) -> Option<()> {
    let end = out.tokens.len() - 1;
    let is_end = |out: &Builder<'_>, token: usize| token == end || out.text_of(token) == ";";
    let semicolons = (1..end).filter(|token| out.text_of(*token) == ";").count();
    let has_several = semicolons > usize::from(out.text_of(end - 1) == ";");
    out.open(true, has_several || out.sql.contains('\n'));
    out.token(0);
    let mut at = 1;
    while at < end {
        let (start, mut depth) = (at, 0_usize);
        while !is_end(out, at) || (depth > 0 && at < end) {
            match out.text_of(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        if start < at {
            out.gap(LINE);
            out.piece(start..at, Piece::Stmt, None, None);
        }
        if at < end {
            out.gap(NOTHING);
            out.token(at);
            at += 1;
        }
    }
    out.gap(OUTSIDE);
    out.token(end);
    out.close();
    // A statement of SQL is laid out, or not understood here.
    out.verbatim.is_empty().then_some(())
}
