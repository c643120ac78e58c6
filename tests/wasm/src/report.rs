//! What calls return for a script, as text.

use std::fmt::{Debug, Write as _};

use pg_ast::protobuf::{Integer, Node};
use pg_ast::{DeparseOptions, DigestOptions, Error, ParserOptions, Version, view};
use pg_ast_effects::FindEffects as _;

/// Returns what the calls return for each statement of a script, and for what is left of it after some damage.
pub fn report(script: &str) -> String {
    let mut out = String::new();
    for sql in statements(script) {
        calls(sql, &mut out);
        for damaged in damage(sql) {
            errors(&damaged, &mut out);
        }
    }
    out
}

/// Returns the statements whose results do not depend on the target: `FETCH ALL` counts to C's largest `long`.
fn statements(script: &str) -> impl Iterator<Item = &str> {
    pg_ast::split_lossy(script).into_iter().filter(|sql| {
        let words = sql.to_ascii_uppercase();
        !(words.contains("FETCH") || words.contains("MOVE")) || !words.contains("ALL")
    })
}

/// Returns a statement without its end, without a character in the middle, and with a strange one.
fn damage(sql: &str) -> Vec<String> {
    let places = |parts: usize| (1..parts).map(move |part| sql.len() * part / parts);
    let at = |place: usize| (place..sql.len()).find(|place| sql.is_char_boundary(*place));
    let mut damaged = Vec::new();
    for place in places(3).filter_map(at) {
        damaged.push(sql[..place].to_owned());
        damaged.push(format!("{}){}", &sql[..place], &sql[place..]));
        damaged.push(format!("{} FORM 'é{}", &sql[..place], &sql[place..]));
    }
    damaged
}

fn show<T: Debug>(out: &mut String, name: &str, sql: &str, result: Result<T, Error>) {
    match result {
        Ok(value) => {
            let _ = writeln!(out, "{name}: {}", without_lines(&format!("{value:?}")));
        }
        Err(error) => {
            let place = error.source_location().map(|place| (&place.file, &place.function));
            let _ = writeln!(
                out,
                "{name}: {:?} {:?} {:?} {:?} {:?} {:?} {place:?}",
                error.kind(),
                // GCC and Clang shorten this path in two ways.
                error.message().replace("(./c/", "(c/"),
                error.detail(),
                error.hint(),
                error.context(),
                error.cursor(),
            );
            let _ = writeln!(out, "{:?} {:?}", error.expected(sql), error.suggestion(sql));
        }
    }
}

/// Returns a text without the lines of `source_location`: GCC and Clang disagree about a macro of several lines.
fn without_lines(shown: &str) -> String {
    const LINE: &str = "line: ";
    let mut parts = shown.split(LINE);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += LINE;
        out += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out
}

fn calls(sql: &str, out: &mut String) {
    let _ = writeln!(out, "== {sql}");
    let pretty = DeparseOptions::default().pretty_print(true);
    let digest = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    show(out, "parse", sql, pg_ast::parse(sql));
    show(out, "deparse", sql, pg_ast::parse(sql).and_then(|tree| tree.deparse()));
    show(out, "pretty", sql, pg_ast::parse(sql).and_then(|tree| tree.deparse_with(&pretty)));
    show(out, "fingerprint", sql, pg_ast::fingerprint(sql));
    show(out, "normalize", sql, pg_ast::normalize(sql));
    show(out, "digest", sql, pg_ast::digest(sql, digest.truncated(Some(60))));
    show(out, "view", sql, view::parse(sql).map(|tree| (tree.to_json(), tree.tables())));
    show(out, "of view", sql, view::parse(sql).and_then(|tree| tree.deparse()));
    show(out, "scan", sql, pg_ast::scan(sql).map(|scan| scan.tokens.len()));
    show(out, "ranges", sql, ranges(sql));
    show(out, "effects", sql, pg_ast::parse(sql).map(|tree| tree.effects()));
    let resolved =
        |tree: pg_ast::ParseResult| pg_ast_names::resolve(&tree, &pg_ast_names::NoCatalog);
    show(out, "resolve", sql, pg_ast::parse(sql).map(resolved));
    show(out, "syntax", sql, pg_ast_syntax::parse(sql).map(|tree| format!("{tree:#?}")));
    let bodies = pg_ast::plpgsql::parse(sql);
    if !bodies.as_ref().is_ok_and(|parsed| parsed.functions.is_empty()) {
        show(out, "plpgsql", sql, bodies);
        show(out, "plpgsql to JSON", sql, pg_ast::parse_plpgsql(sql).map(|json| json.to_string()));
    }
    show(out, "complete", sql, Ok(pg_ast::complete(sql, sql.len() / 2)));
    let formatted = pg_ast_fmt::format(Version::newest(), sql, &pg_ast_fmt::Options::default());
    let _ = writeln!(out, "format: {}", formatted.text);
    for finding in pg_ast_lint::lint(sql, &pg_ast_lint::Options::default()) {
        let _ = writeln!(out, "lint: {finding}");
    }
}

fn errors(sql: &str, out: &mut String) {
    let _ = writeln!(out, "== {sql}");
    show(out, "check", sql, pg_ast::check(sql));
    show(out, "scan", sql, pg_ast::scan(sql).map(|scan| scan.tokens.len()));
    show(out, "lossy", sql, pg_ast::parse_lossy(sql));
    show(out, "plpgsql", sql, pg_ast::plpgsql::parse(sql).map(|parsed| parsed.functions.len()));
}

fn ranges(sql: &str) -> Result<Vec<Option<std::ops::Range<usize>>>, Error> {
    let (_, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    Ok(ranges.iter().collect())
}

/// Returns what is printed for the tree of each statement with one of its nodes missing, or replaced by a number.
pub fn malformed(script: &str) -> String {
    let mut out = String::new();
    for sql in statements(script) {
        let Ok(tree) = pg_ast::parse(sql) else { continue };
        for stranger in [Node::default(), Node::from(Integer { ival: 7 })] {
            for wanted in 0.. {
                let (mut copy, mut place) = (tree.clone(), 0);
                copy.transform(|node| {
                    place += 1;
                    if place - 1 == wanted { stranger.clone() } else { node }
                });
                if wanted >= place {
                    break;
                }
                show(&mut out, "malformed", "", copy.deparse());
            }
        }
    }
    out
}
