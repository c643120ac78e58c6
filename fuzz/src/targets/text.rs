//! SQL, and every call that takes it.

use pg_ast::{
    BackslashQuote, DeparseOptions, DigestOptions, Error, ErrorKind, FingerprintOptions, ParseMode,
    ParseResult, ParserOptions,
};
use pg_ast_syntax::{Placeholders, Script, ScriptOptions};

use super::verbs::{
    Origin, is_refusal, layout, of_tree, print, warnings_are_placed, without_places,
};
use super::{Source, split, views};

/// SQL, followed by the bytes for its options.
pub fn run(data: &[u8]) {
    let (text, rest) = split(data);
    // A separate piece of memory, which ends with the SQL.
    let sql: &str = &Box::<str>::from(text);
    let source = &mut Source::new(rest);
    let options = parser_options(source);
    if options != ParserOptions::default() {
        in_another_mode(sql, options, source);
    }
    scan(sql);
    expect(sql);

    let parsed = pg_ast::parse(sql);
    is_as_parsed("check", sql, &parsed, pg_ast::check(sql).map(|_| ()));
    is_as_parsed("fingerprint", sql, &parsed, pg_ast::fingerprint(sql).map(|_| ()));
    is_as_parsed("normalize", sql, &parsed, pg_ast::normalize(sql).map(|_| ()));
    if let Ok(normalized) = pg_ast::normalize(sql) {
        // It is SQL, in which nothing is left to replace.
        assert_eq!(pg_ast::normalize(&normalized).as_ref(), Ok(&normalized), "{sql:?}");
    }
    is_as_parsed("normalize_utility", sql, &parsed, pg_ast::normalize_utility(sql).map(|_| ()));
    is_as_parsed("is_utility_stmt", sql, &parsed, pg_ast::is_utility_stmt(sql).map(|_| ()));
    let digest = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
    is_as_parsed("digest", sql, &parsed, pg_ast::digest(sql, digest).map(|_| ()));
    is_as_parsed("summary", sql, &parsed, pg_ast::summary(sql, None).map(|_| ()));
    let pieces = pg_ast::split_with_parser(sql);
    is_as_parsed(
        "split_with_parser",
        sql,
        &parsed,
        pieces.as_ref().map(|_| ()).map_err(Clone::clone),
    );
    let tables = pg_ast::parse_as::<Tables>(sql);
    assert!(tables.is_ok() || parsed.is_err(), "{sql:?}");
    if let Err(error) = pg_ast::parse_expr(sql) {
        is_refusal(&error, sql);
    }
    let limit = source.below(400);
    if let Ok(summary) = pg_ast::summary(sql, Some(limit)) {
        let cut = summary.truncated_query.expect("asked for");
        assert!(cut.chars().count() <= limit.max(3), "{limit}: {cut:?}");
    }
    let _ = pg_ast::reformat(sql, layout(source));
    #[cfg(feature = "plpgsql")]
    plpgsql(sql);

    match pg_ast_syntax::parse(sql) {
        Ok(root) => assert!(root.text() == sql, "{root:#?} for {sql:?}"),
        Err(error) => is_refusal(&error, sql),
    }
    script(sql, source);

    views::of_text(sql, &parsed);
    match &parsed {
        Ok(tree) => {
            warnings_are_placed(&tree.warnings, sql);
            parsed_tree(sql, tree, source);
            assert_eq!(pieces.expect("it parses").len(), tree.protobuf.stmts.len());
        }
        Err(error) => is_refusal(error, sql),
    }
}

/// After an edit, a script is that of the new text.
fn script(sql: &str, source: &mut Source<'_>) {
    let options = ScriptOptions::default().placeholders(Placeholders::all());
    let mut script = match Script::parse_with(sql, options) {
        Ok(script) => script,
        Err(error) => return is_refusal(&error, sql),
    };
    assert!(script.root().text() == sql, "{:#?} for {sql:?}", script.root());
    let written = script.written();
    for (range, here) in written.replaced() {
        assert_eq!(written.original(&here), range, "{sql:?}");
    }
    body(sql);
    let mut place = || {
        let place = source.below(sql.len() + 1);
        (0..=place).rev().find(|place| sql.is_char_boundary(*place)).unwrap_or(0)
    };
    let mut places = [place(), place(), place()];
    places.sort_unstable();
    let [from, start, end] = places;
    // A part of the text, in place of another one.
    let put_in = &sql[from..start];
    if script.edit(start..end, put_in).is_ok() {
        let again = Script::parse_with(script.text(), options).expect("as long as the edited one");
        assert!(script.root().green() == again.root().green(), "{places:?} in {sql:?}");
        assert_eq!(script.check(), again.check(), "{places:?} in {sql:?}");
    }
}

/// Any text is the body of a function.
#[cfg(feature = "plpgsql")]
fn body(text: &str) {
    const QUOTE: &str = "$pgast_quote$";
    let root = pg_ast_syntax::parse(&format!("DO {QUOTE}{text}{QUOTE}"));
    let body = root.and_then(|root| pg_ast_syntax::body_of(&root));
    if let Ok(Some(body)) = body
        && !text.contains(QUOTE)
    {
        assert!(body.root().text() == text, "{:#?} for {text:?}", body.root());
    }
}

#[cfg(not(feature = "plpgsql"))]
fn body(_: &str) {}

/// A part of a statement: a user type.
#[derive(pg_ast::FromRaw)]
#[pg_ast(raw = pg_ast::raw::SelectStmt, partial)]
struct Tables {
    #[pg_ast(name = "fromClause")]
    #[allow(dead_code)]
    from_clause: Vec<pg_ast::Node>,
}

pub(super) fn parser_options(source: &mut Source<'_>) -> ParserOptions {
    const MODES: [ParseMode; 6] = [
        ParseMode::Default,
        ParseMode::TypeName,
        ParseMode::PlPgSqlExpr,
        ParseMode::PlPgSqlAssign1,
        ParseMode::PlPgSqlAssign2,
        ParseMode::PlPgSqlAssign3,
    ];
    let mode = MODES[source.below(MODES.len())];
    let bits = source.byte();
    ParserOptions::default()
        .mode(mode)
        .standard_conforming_strings(bits & 1 == 0)
        .escape_string_warning(bits & 2 == 0)
        .backslash_quote(match bits >> 2 & 3 {
            0 | 3 => BackslashQuote::SafeEncoding,
            1 => BackslashQuote::On,
            _ => BackslashQuote::Off,
        })
}

/// The calls with options, with values other than the defaults.
fn in_another_mode(sql: &str, options: ParserOptions, source: &mut Source<'_>) {
    let fingerprint = pg_ast::fingerprint_with(sql, options, FingerprintOptions::default());
    match pg_ast::parse_with(sql, options) {
        Ok(tree) => {
            warnings_are_placed(&tree.warnings, sql);
            of_tree(&tree, source, Origin::Part);
            fingerprints_agree(sql, &tree, &fingerprint);
        }
        Err(error) => is_refusal(&error, sql),
    }
}

/// A call that parses accepts the same SQL as `parse`, and rejects the rest with the same error.
fn is_as_parsed(
    verb: &str,
    sql: &str,
    parsed: &Result<ParseResult, Error>,
    outcome: Result<(), Error>,
) {
    match (parsed, outcome) {
        (Ok(_), Ok(())) => {}
        (Err(expected), Err(error)) => {
            let same = (expected.kind(), expected.cursor(), expected.message());
            let is = (error.kind(), error.cursor(), error.message());
            // A call with its own limit may stop at another place.
            let bound = matches!(error.kind(), ErrorKind::TooDeep | ErrorKind::TooLarge);
            assert!(same == is || bound, "{verb}: {error:?}, parse: {expected:?} for {sql:?}");
        }
        // Only conversion checks the depth of a tree, and the encoding of its strings.
        (Err(error), Ok(())) => assert!(
            matches!(
                error.kind(),
                ErrorKind::TooDeep | ErrorKind::TooLarge | ErrorKind::InvalidEncoding
            ),
            "{verb}: fine, parse: {error:?} for {sql:?}"
        ),
        (Ok(_), Err(error)) => assert!(
            matches!(
                error.kind(),
                ErrorKind::TooDeep | ErrorKind::TooLarge | ErrorKind::Unsupported
            ),
            "{verb}: {error:?}, parse: fine, for {sql:?}"
        ),
    }
}

/// The expected tokens at a place in the middle, and at the grammar's error.
fn expect(sql: &str) {
    let _ = pg_ast::parse_lossy(sql);
    let found = pg_ast::complete(sql, sql.len() / 2);
    assert!(sql.get(found.word.clone()).is_some(), "{:?} for {sql:?}", found.word);
    if let Err(error) = pg_ast::check(sql) {
        let expected = error.expected(sql);
        let suggestion = error.suggestion(sql);
        assert!(suggestion.is_none() || !expected.is_empty(), "{suggestion:?} for {sql:?}");
        assert!(suggestion.is_none_or(|found| sql.get(found.range).is_some()), "for {sql:?}");
    }
}

fn scan(sql: &str) {
    let scan = match pg_ast::scan(sql) {
        Ok(scan) => scan,
        Err(error) => return is_refusal(&error, sql),
    };
    warnings_are_placed(&scan.warnings, sql);
    let mut end = 0;
    for token in &scan.tokens {
        let range = token.range();
        assert!(end <= range.start && range.start < range.end, "{token:?} of {sql:?}");
        assert!(sql.get(range.clone()).is_some(), "{token:?} of {sql:?}");
        end = range.end;
    }
    let places = |piece: &str| {
        let start = piece.as_ptr().addr() - sql.as_ptr().addr();
        start..start + piece.len()
    };
    let mut end = 0;
    for piece in pg_ast::split_with_scanner(sql).expect("it scans") {
        let range = places(piece);
        assert!(end <= range.start && range.end <= sql.len(), "{piece:?} of {sql:?}");
        end = range.end;
    }
    for comment in pg_ast::comments(sql).expect("it scans") {
        assert!(sql.contains(&comment.text) && comment.match_location <= sql.len());
    }
}

/// A tree from PostgreSQL's grammar can be printed, and used by other calls.
fn parsed_tree(sql: &str, tree: &ParseResult, source: &mut Source<'_>) {
    of_tree(tree, source, Origin::Statement);
    fingerprints_agree(sql, tree, &pg_ast::fingerprint(sql));
    let with_comments = layout(source).comments(pg_ast::comments(sql).expect("it scans"));
    print(tree, &with_comments, Origin::Statement);
    let options = DeparseOptions::default();
    let Some(text) = print(tree, &options, Origin::Statement) else { return };
    let again = pg_ast::parse(&text)
        .unwrap_or_else(|error| panic!("{sql:?} becomes {text:?}, which is wrong: {error:?}"));
    let (before, after) = (without_places(&tree.protobuf), without_places(&again.protobuf));
    assert!(before == after, "{sql:?} becomes {text:?}, another statement");
    assert_eq!(print(&again, &options, Origin::Statement).as_deref(), Some(&*text), "for {sql:?}");
}

/// The results for SQL equal those for its tree, except for empty strings, which a tree does not distinguish from NULL.
fn fingerprints_agree(sql: &str, tree: &ParseResult, of_text: &Result<pg_ast::Fingerprint, Error>) {
    let Ok(of_text) = of_text else { return };
    let of_tree = tree.fingerprint();
    assert!(*of_text == of_tree || sql.contains("''") || sql.contains('$'), "for {sql:?}");
}

#[cfg(feature = "plpgsql")]
fn plpgsql(sql: &str) {
    if let Err(error) = pg_ast::parse_plpgsql(sql) {
        super::verbs::is_place(error.cursor(), sql);
        let expected = !matches!(error.kind(), ErrorKind::UnmappedNode | ErrorKind::OutOfMemory);
        assert!(expected, "{error:?} for {sql:?}");
    }
}
