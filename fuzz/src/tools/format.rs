//! The formatter: nothing is lost, and a second run changes nothing.

use std::ops::Range;

use pg_ast::Version;
use pg_ast_cli::inside::{Formatted, format};

use super::{Result, comments, ensure};

/// Names of fields in JSON that have places.
const PLACES: [&str; 11] = [
    "location",
    "stmt_location",
    "arg_location",
    "name_location",
    "conninfo_location",
    "payload_location",
    "stmt_len",
    "list_start",
    "list_end",
    "rexpr_list_start",
    "rexpr_list_end",
];

/// Formats a script.
pub fn of(script: &str) -> Result<Formatted> {
    let formatted = format(Version::newest(), script);
    let text = &formatted.text;
    let stmts = pg_ast::parse_script(script);
    // Variables of psql are no mistakes to the formatter.
    let wrong =
        stmts.iter().filter(|it| formatted.refused.is_some() || !has_variables(it.text(script)));
    let errors: Vec<_> = wrong.filter_map(|stmt| stmt.result.as_ref().err()).collect();
    let is_same = errors.iter().all(|error| formatted.errors.contains(error));
    ensure(is_same, || format!("errors: {:?}", formatted.errors))?;
    if let Some(difference) = &formatted.refused {
        ensure(text == script, || format!("changed in spite of {difference}"))?;
        return Ok(formatted);
    }
    compare(script, text).map_err(|what| format!("{what}\n---\n{text}"))?;
    ensure(!has_crlf_alone(script) || !has_lf_between_tokens(text), || {
        format!("a line break:\n---\n{text}")
    })?;
    let again = format(Version::newest(), text);
    ensure(again.text == *text && again.refused.is_none(), || {
        format!("formatted again:\n---\n{text}\n---\n{}", again.text)
    })?;
    Ok(formatted)
}

/// Returns the number of statements of two equal scripts, or what differs.
fn compare(old: &str, new: &str) -> Result<usize> {
    let [old_stmts, new_stmts] = [old, new].map(pg_ast::parse_script);
    if old_stmts.len() != new_stmts.len() {
        return Err(format!("{} statements, then {}", old_stmts.len(), new_stmts.len()));
    }
    for (a, b) in old_stmts.iter().zip(&new_stmts) {
        let (a_sql, b_sql) = (a.text(old), b.text(new));
        let same = match (&a.result, &b.result) {
            (Ok(a), Ok(b)) => {
                let shape = |tree: &pg_ast::ParseResult| {
                    let json = pg_ast::json::to_string(&tree.protobuf).expect("JSON");
                    (without_places(&json), tree.fingerprint())
                };
                match with_body_of(a_sql, b_sql) {
                    Some(b_sql) => {
                        let again = pg_ast::parse(&b_sql).map_err(|error| format!("{error}"))?;
                        shape(a) == shape(&again) && has_same_tokens(a_sql, &b_sql)
                    }
                    None => shape(a) == shape(b) && has_same_tokens(a_sql, b_sql),
                }
            }
            (Err(_), Err(_)) if has_variables(a_sql) => has_same_tokens(a_sql, b_sql),
            // It may name a keyword of the next statement.
            (Err(a), Err(b)) => a.message().eq_ignore_ascii_case(b.message()) && a_sql == b_sql,
            _ => false,
        };
        if !same {
            return Err(format!("a statement:\n{a_sql}\n---\n{b_sql}"));
        }
    }
    let [old_rests, new_rests] = [(old, &old_stmts), (new, &new_stmts)].map(|(script, stmts)| {
        let ranges: Vec<_> = stmts.iter().map(|stmt| stmt.range.clone()).collect();
        rests(script, &ranges)
    });
    let (mut old_comments, mut new_comments) = (Vec::new(), Vec::new());
    for (index, (a, b)) in old_rests.iter().zip(&new_rests).enumerate() {
        let is_last = index == old_stmts.len();
        let added = is_last && a.code.is_empty() && b.code == ";";
        if a.code != b.code && !added {
            return Err(format!("between statements: {:?} became {:?}", a.code, b.code));
        }
        // Commands and data, blanks included.
        if a.code.contains('\\') && a.text != b.text {
            return Err(format!("text for psql: {:?} became {:?}", a.text, b.text));
        }
        old_comments.extend(a.comments.iter().map(|comment| comment.trim_end()));
        new_comments.extend(b.comments.iter().map(|comment| comment.trim_end()));
        let (Some(a), Some(b)) = (old_stmts.get(index), new_stmts.get(index)) else { continue };
        old_comments.extend(comments(a.text(old)));
        new_comments.extend(comments(b.text(new)));
    }
    if old_comments != new_comments {
        return Err(format!("comments: {old_comments:?} became {new_comments:?}"));
    }
    Ok(old_stmts.len())
}

fn has_variables(sql: &str) -> bool {
    sql.split(':').skip(1).any(|behind| !behind.starts_with([' ', '=', ':', '\n']))
}

/// Returns a formatted function with its body as it was before, if that has the same tokens in the same quotes.
fn with_body_of(old: &str, new: &str) -> Option<String> {
    let is_function = |word| old.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if !is_function("cr") && !is_function("do") {
        return None;
    }
    let literals = |sql: &str| -> Vec<Range<usize>> {
        let tokens = Version::newest().scan_lossy(sql).tokens.into_iter();
        let strings = tokens.filter(|token| token.name == "SCONST").map(|token| token.range);
        strings.filter(|range| sql[range.clone()].starts_with('$')).collect()
    };
    let (old_literals, new_literals) = (literals(old), literals(new));
    let mut pairs = old_literals.iter().zip(&new_literals);
    let (a, b) = pairs.find(|(a, b)| old[(*a).clone()] != new[(*b).clone()])?;
    let [a_text, b_text] = [&old[a.clone()], &new[b.clone()]];
    let tag = a_text[1..].find('$')? + 2;
    let inner = |text: &str| {
        let text = text.get(tag..text.len().checked_sub(tag)?)?;
        // PL/pgSQL has more words than SQL.
        let tokens = Version::newest().scan_lossy(text).tokens.into_iter().map(|token| {
            let is_word = token.is_keyword || token.name == "IDENT";
            match &text[token.range] {
                text if is_word && !text.starts_with('"') => text.to_ascii_lowercase(),
                text => text.trim_end().to_owned(),
            }
        });
        Some(tokens.collect::<Vec<_>>())
    };
    let is_same = a_text[..tag] == *b_text.get(..tag)? && inner(a_text)? == inner(b_text)?;
    is_same.then(|| [&new[..b.start], a_text, &new[b.end..]].concat())
}

/// Whether two statements have the same tokens, but for the case of keywords, with the same comments between them.
fn has_same_tokens(old: &str, new: &str) -> bool {
    let texts = |sql: &str| -> Vec<String> {
        let tokens = Version::newest().scan_lossy(sql).tokens.into_iter();
        let texts = tokens.map(|token| match &sql[token.range.clone()] {
            text if token.is_keyword => text.to_ascii_lowercase(),
            text => text.trim_end().to_owned(),
        });
        texts.collect()
    };
    texts(old) == texts(new)
}

/// The text before, between and after statements.
struct Rest<'a> {
    text: &'a str,
    /// Without blanks and comments.
    code: String,
    comments: Vec<&'a str>,
}

fn rests<'a>(script: &'a str, stmts: &[Range<usize>]) -> Vec<Rest<'a>> {
    let mut rests = Vec::new();
    let mut start = 0;
    let ends = stmts.iter().map(|stmt| (stmt.start, stmt.end));
    for (end, next) in ends.chain([(script.len(), script.len())]) {
        let text = &script[start..end];
        let mut code = String::new();
        let mut from = 0;
        let tokens = pg_ast::scan_lossy(text).scan.tokens;
        let found: Vec<_> =
            tokens.into_iter().filter(|it| it.is_comment()).map(pg_ast::ScanToken::range).collect();
        for range in &found {
            code += &text[from..range.start];
            from = range.end;
        }
        code += &text[from..];
        code.retain(|c| !c.is_ascii_whitespace());
        rests.push(Rest { text, code, comments: found.into_iter().map(|it| &text[it]).collect() });
        start = next;
    }
    rests
}

/// Returns JSON without the fields that are places; those that are 0 are missing. In a string, a quote has a backslash
/// before it, so that no string has the name of a field with its quotes; and no control character.
fn without_places(json: &str) -> String {
    const GONE: &str = "\u{1}";
    let json = PLACES.iter().fold(json.to_owned(), |json, name| {
        let name = format!("\"{name}\":");
        let mut parts = json.split(name.as_str());
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |kept, part| {
            let number = |c: char| c == '-' || c.is_ascii_digit();
            kept + GONE + part.trim_start_matches(number)
        })
    });
    let json = json.replace(&format!(",{GONE}"), "").replace(&format!("{GONE},"), "");
    json.replace(GONE, "")
}

fn has_crlf_alone(script: &str) -> bool {
    script.contains('\n') && !has_lf(script)
}

fn has_lf(text: &str) -> bool {
    text.replace("\r\n", "").contains('\n')
}

/// Returns whether a correct statement has a line that does not end with CRLF. In a constant, it is part of that.
fn has_lf_between_tokens(script: &str) -> bool {
    pg_ast::parse_script(script).iter().filter(|stmt| stmt.result.is_ok()).any(|stmt| {
        let sql = stmt.text(script);
        let tokens = pg_ast::scan_lossy(sql).scan.tokens;
        let ends = tokens.iter().map(|token| token.range().end);
        let starts = tokens.iter().skip(1).map(|token| token.range().start);
        ends.zip(starts).any(|(end, start)| has_lf(&sql[end..start]))
    })
}
