//! Completion in the bodies of functions: which SQL is being typed there, and which variables it sees.

use core::ops::Range;

use pg_ast::plpgsql;

use crate::answers::body_outline::{BodyWord, Outline};
use crate::answers::completion::word_start;
use crate::stmt::bodies::{DeclaredName, visible};

/// Words that statements of PL/pgSQL begin with, and SQL does not know there.
const STATEMENTS: &[&str] = &[
    "ASSERT",
    "BEGIN",
    "CASE",
    "CONTINUE",
    "DECLARE",
    "ELSE",
    "ELSIF",
    "END",
    "EXCEPTION",
    "EXIT",
    "FOR",
    "FOREACH",
    "GET",
    "IF",
    "LOOP",
    "NULL",
    "OPEN",
    "PERFORM",
    "RAISE",
    "RETURN",
    "WHILE",
];

/// Words that a query in a `FOR` begins with.
const QUERIES: &[&str] =
    &["SELECT", "WITH", "VALUES", "TABLE", "INSERT", "UPDATE", "DELETE", "MERGE", "("];

/// What is being typed in a body.
pub(crate) struct BodyCompletion {
    /// The statement at the place, or one that has the same expression; none where there is no SQL.
    pub(crate) sql: Option<String>,
    /// The place in it.
    pub(crate) offset: usize,
    /// The variables that are visible there.
    pub(crate) names: Vec<DeclaredName>,
    /// The keywords of PL/pgSQL that can be there.
    pub(crate) keywords: &'static [&'static str],
}

impl BodyCompletion {
    /// Looks at a place in a statement; `None` if it is not in a body that a dollar-quoted string is.
    pub(crate) fn new(sql: &str, offset: usize) -> Option<Self> {
        let quoted = quoted_at(sql, offset)?;
        let text = sql.get(quoted.clone())?;
        let quote = text.get(..=text.get(1..)?.find('$')? + 1)?;
        let inner = quoted.start + quote.len();
        let end = if text.len() >= 2 * quote.len() && text.ends_with(quote) {
            quoted.end - quote.len()
        } else {
            quoted.end
        };
        if offset < inner || offset > end {
            return None;
        }
        let (head, body, tail) = (sql.get(..inner)?, sql.get(inner..end)?, sql.get(quoted.end..)?);
        let scan = pg_ast::scan_lossy(body).scan.tokens;
        let tokens: Vec<_> = scan
            .into_iter()
            .filter(|token| !token.is_comment())
            .filter_map(|token| {
                Some(BodyWord { text: body.get(token.range())?, range: token.range() })
            })
            .collect();
        let at = offset - inner;
        match language(head, tail)? {
            Language::Sql => Some(in_sql(body, &tokens, at)),
            Language::PlPgSql => {
                let outline = Outline::new(&tokens, at);
                let names = names(&outline, head, quote, body, tail);
                Some(in_plpgsql(body, &tokens, at, &outline, names))
            }
        }
    }
}

enum Language {
    Sql,
    PlPgSql,
}

/// Returns the range of the dollar-quoted string at a place. It may have no end yet.
fn quoted_at(sql: &str, offset: usize) -> Option<Range<usize>> {
    let scanned = pg_ast::scan_lossy(sql);
    let mut tokens = scanned.scan.tokens.iter().map(|token| token.range());
    let mut open = scanned.errors.into_iter().map(|error| error.range);
    let range = tokens
        .find(|range| range.contains(&offset))
        .or_else(|| open.find(|range| (range.start..=range.end).contains(&offset)))?;
    sql.get(range.clone()).filter(|text| text.starts_with('$') && text.len() > 1)?;
    Some(range)
}

/// Returns the language of the statement around a body.
fn language(head: &str, tail: &str) -> Option<Language> {
    let mut language = None;
    let mut words = Vec::new();
    for part in [head, tail] {
        let tokens = pg_ast::scan_lossy(part).scan.tokens;
        let found = tokens.iter().filter(|token| !token.is_comment());
        words.extend(found.filter_map(|token| part.get(token.range())));
    }
    for pair in words.windows(2) {
        if pair[0].eq_ignore_ascii_case("LANGUAGE") {
            language = Some(pair[1].trim_matches(['\'', '"']).to_lowercase());
        }
    }
    let is_do = words.first().is_some_and(|word| word.eq_ignore_ascii_case("DO"));
    match language.as_deref() {
        Some("plpgsql") => Some(Language::PlPgSql),
        Some("sql") => Some(Language::Sql),
        None if is_do => Some(Language::PlPgSql),
        _ => None,
    }
}

fn in_sql(body: &str, tokens: &[BodyWord<'_>], at: usize) -> BodyCompletion {
    let next = tokens.partition_point(|token| token.range.end <= at);
    let semicolon = tokens[..next].iter().rposition(|token| token.text == ";");
    let start = semicolon.map_or(0, |semicolon| tokens[semicolon].range.end);
    let end = tokens[next..].iter().find(|token| token.text == ";");
    let end = end.map_or(body.len(), |end| end.range.start);
    BodyCompletion {
        sql: body.get(start..end).map(str::to_owned),
        offset: at - start,
        names: Vec::new(),
        keywords: &[],
    }
}

/// Returns the names that are visible at a place, the inner ones first. If the declarations have an error, only those of
/// the parameters.
fn names(outline: &Outline, head: &str, quote: &str, body: &str, tail: &str) -> Vec<DeclaredName> {
    let declarations = outline.declarations(body);
    let compiled = [declarations.as_str(), "BEGIN END"].into_iter().find_map(|body| {
        let parsed = plpgsql::parse(&format!("{head}{body}{quote}{tail}")).ok()?;
        parsed.functions.into_iter().next()?.function.ok()
    });
    let mut names = compiled.as_ref().map(visible).unwrap_or_default();
    if outline.in_handler() {
        for name in ["sqlerrm", "sqlstate"] {
            let (name, of_type) = (name.to_owned(), "text".to_owned());
            names.push(DeclaredName { name, kind: "variable", of_type, place: 0..0 });
        }
    }
    names
}

/// What stands before SQL that is an expression.
const EXPRESSION: &str = "SELECT ";
const TYPE: &str = "SELECT NULL::";

fn in_plpgsql(
    body: &str,
    tokens: &[BodyWord<'_>],
    at: usize,
    outline: &Outline,
    names: Vec<DeclaredName>,
) -> BodyCompletion {
    let before = tokens.partition_point(|token| token.range.end < at);
    let stmt = tokens.get(outline.first..before).unwrap_or_default();
    // The part that is SQL: what to put before it, and where it begins.
    let part = if outline.declare.is_some() {
        in_declaration(stmt)
    } else if stmt.is_empty() {
        outline.is_in_block().then_some(("", word_start(body, at)))
    } else {
        in_stmt(stmt)
    };
    let keywords = if stmt.is_empty() { STATEMENTS } else { &[] };
    let Some((prefix, start)) = part else {
        return BodyCompletion { sql: None, offset: 0, names, keywords };
    };
    let behind = tokens.iter().filter(|token| token.range.start >= at);
    let end = behind.into_iter().find(|token| {
        token.text == ";" || token.is("LOOP") || token.is("THEN") && prefix == EXPRESSION
    });
    let end = end.map_or(body.len(), |end| end.range.start);
    let sql = body.get(start..end).map(|rest| format!("{prefix}{rest}"));
    BodyCompletion { sql, offset: prefix.len() + at - start, names, keywords }
}

type SqlPart = Option<(&'static str, usize)>;

/// The expression or the type in an unfinished declaration.
fn in_declaration(stmt: &[BodyWord<'_>]) -> SqlPart {
    let name = stmt.first()?;
    let value = |token: &&BodyWord<'_>| matches!(token.text, ":=" | "=") || token.is("DEFAULT");
    if let Some(value) = stmt.iter().rfind(value) {
        return Some((EXPRESSION, value.range.end));
    }
    if stmt.iter().any(|token| token.is("CURSOR")) {
        let query = stmt.iter().find(|token| token.is("FOR") || token.is("IS"))?;
        return Some(("", query.range.end));
    }
    let constant = stmt.get(1).filter(|token| token.is("CONSTANT"));
    Some((TYPE, constant.unwrap_or(name).range.end))
}

/// The SQL in an unfinished statement.
fn in_stmt(stmt: &[BodyWord<'_>]) -> SqlPart {
    let (first, rest) = stmt.split_first()?;
    let behind = |keyword: &str| rest.iter().rfind(|token| token.is(keyword));
    let expression = |token: &BodyWord<'_>| Some((EXPRESSION, token.range.end));
    let query_or_expression = |token: &BodyWord<'_>, rest: &[BodyWord<'_>]| {
        let is_query = rest.first().is_some_and(|next| QUERIES.iter().any(|it| next.is(it)));
        Some((if is_query { "" } else { EXPRESSION }, token.range.end))
    };
    match first.text.to_ascii_uppercase().as_str() {
        "PERFORM" | "IF" | "ELSIF" | "ELSEIF" | "WHILE" | "ASSERT" | "CASE" | "WHEN"
        | "EXECUTE" => expression(first),
        "RETURN" => match rest.first() {
            Some(next) if next.is("NEXT") => expression(next),
            Some(next) if next.is("QUERY") => match rest.get(1) {
                Some(execute) if execute.is("EXECUTE") => expression(execute),
                _ => Some(("", next.range.end)),
            },
            _ => expression(first),
        },
        "EXIT" | "CONTINUE" => expression(behind("WHEN")?),
        "RAISE" => expression(rest.iter().find(|token| token.text == "," || token.is("USING"))?),
        "FOR" => {
            let index = rest.iter().position(|token| token.is("IN"))?;
            if let Some(dots) = rest[index..].iter().rfind(|token| token.text == "..") {
                return expression(dots);
            }
            let next = rest.get(index + 1);
            match next.filter(|next| next.is("REVERSE") || next.is("EXECUTE")) {
                Some(next) => expression(next),
                None => query_or_expression(&rest[index], &rest[index + 1..]),
            }
        }
        "FOREACH" => expression(behind("ARRAY")?),
        "OPEN" => Some(("", behind("FOR")?.range.end)),
        "FETCH" | "MOVE" | "CLOSE" | "GET" | "NULL" | "COMMIT" | "ROLLBACK" | "END" => None,
        _ => {
            if let Some(assign) = rest.iter().find(|token| token.text == ":=") {
                return expression(assign);
            }
            match rest.first() {
                Some(assign) if assign.text == "=" => expression(assign),
                _ => Some(("", first.range.start)),
            }
        }
    }
}
