//! Whether the statements of a script are correct: as PostgreSQL says, but for variables and placeholders.

use pg_ast::{CheckedStmt, ParserOptions};

use super::NAME;
use super::pg::{parse, parse_script, parse_script_with};
use super::pg_syntax::{Placeholders, Script, ScriptOptions, SyntaxNode, mistakes};
use crate::common::scripts::{own, regression};

fn script(text: &str) -> Script {
    Script::parse(text).unwrap_or_else(|error| panic!("{NAME}: {error} for {text}"))
}

fn scripts() -> Vec<String> {
    own().into_iter().chain(regression()).map(|(_, text)| text).collect()
}

/// Returns the errors, with the statements that they are in.
fn errors(script: &Script) -> Vec<(String, String, usize)> {
    let wrong = script.check().into_iter().filter_map(|stmt| {
        let error = stmt.result.err()?;
        let sql = script.text()[stmt.range].to_owned();
        Some((sql, error.message().to_owned(), error.cursor().unwrap()))
    });
    wrong.collect()
}

/// All statements are those of `parse_script`, with its errors, warnings and data; those that are correct but for variables are
/// correct here.
#[test]
fn results_of_scripts() {
    let (mut correct, mut wrong, mut with_variables) = (0, 0, 0);
    // A semicolon for the server is right before a wrong statement.
    let more =
        ["\\;TABLE a (b int);SELECT 1", "SELECT 1\\;SELEC 2\\;SELECT 3", "A \\;B \\;C (1); D"];
    for text in scripts().into_iter().chain(more.map(str::to_owned)) {
        let script = script(&text);
        let root = script.root();
        let nodes: Vec<SyntaxNode> = root.children().collect();
        let (found, expected) = (script.check(), parse_script(&text));
        assert_eq!(found.len(), expected.len(), "{NAME}: {text}");
        for ((found, expected), node) in found.iter().zip(&expected).zip(&nodes) {
            let sql = expected.text(&text);
            assert_eq!(found.range, expected.range, "{NAME}: {sql}");
            assert_eq!(found.copy_data, expected.copy_data, "{NAME}: {sql}");
            match (&found.result, &expected.result) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found, &expected.warnings, "{NAME}: {sql}");
                    assert_eq!(mistakes(node).count(), 0, "{NAME}: {sql}");
                    correct += 1;
                }
                (Err(found), Err(expected)) if sql.contains(':') => {
                    assert!(found.cursor() >= expected.cursor(), "{NAME}: {found:?} for {sql}");
                    wrong += 1;
                }
                (Err(found), Err(expected)) => {
                    assert_eq!(found, expected, "{NAME}: {sql}");
                    assert_eq!(found.expected(&text), expected.expected(&text), "{NAME}: {sql}");
                    wrong += 1;
                }
                (Ok(_), Err(_)) => {
                    assert!(sql.contains(':'), "{NAME}: {sql}");
                    assert_eq!(mistakes(node).count(), 0, "{NAME}: {sql}");
                    with_variables += 1;
                }
                (Err(error), Ok(_)) => panic!("{NAME}: {error:?} for {sql}"),
            }
        }
    }
    assert!(correct > 20_000, "{NAME}: {correct}");
    assert!(wrong > 100 && with_variables > 100, "{NAME}: {wrong} {with_variables}");
}

/// With tokens in place of what stands for them, the same statements are correct for all calls.
#[test]
fn written_scripts() {
    let mut replaced = 0;
    for text in scripts() {
        let script = script(&text);
        let written = script.written();
        let (stmts, again) = (script.check(), parse_script(written.text()));
        replaced += written.replaced().len();
        let wrong = |stmt: &CheckedStmt| stmt.result.is_err();
        if written.has_replaced() && stmts.iter().any(wrong) {
            // Where wrong statements end depends on what is in them.
            continue;
        }
        assert_eq!(stmts.len(), again.len(), "{NAME}: {}", written.text());
        for (stmt, again) in stmts.iter().zip(&again) {
            let sql = &text[stmt.range.clone()];
            assert_eq!(written.original(&again.range), stmt.range, "{NAME}: {sql}");
            assert_eq!(stmt.result.is_ok(), again.result.is_ok(), "{NAME}: {sql} {again:?}");
        }
        for (range, here) in written.replaced() {
            assert_eq!(written.original(&here), range, "{NAME}: {text}");
        }
    }
    assert!(replaced > 100, "{NAME}: {replaced}");
}

#[test]
fn variables_are_written_as_what_they_are() {
    let cases = [
        ("SELECT :a, :b, :a FROM :tab;", "SELECT $1, $2, $1 FROM \":tab\";"),
        ("SELECT 1; SELECT :b", "SELECT 1; SELECT $1"),
        ("SELECT * FROM tab_:n, s.:\"t\"", "SELECT * FROM tab_n, s.\":t\""),
        ("DROP TABLE :t; SELECT interval :'i'", "DROP TABLE \":t\"; SELECT interval 'i'"),
        ("SELECT é, :'ü' FROM :é", "SELECT é, 'v' FROM \":é\""),
        ("SELECT 1 FROM t WHERE a :op b LIMIT :n", "SELECT 1 FROM t WHERE a ~~ b LIMIT $1"),
        ("SELECT 1", "SELECT 1"),
    ];
    for (text, expected) in cases {
        let script = script(text);
        assert_eq!(errors(&script), [], "{NAME}: {text}");
        let written = script.written();
        assert_eq!(written.text(), expected, "{NAME}");
        parse(written.text()).unwrap();
    }
    let long = format!("SELECT * FROM :{}", "a".repeat(100));
    let written = script(&long).written();
    assert!(parse(written.text()).unwrap().warnings.is_empty(), "{NAME}");
}

/// The mistake is what is wrong apart from variables, in its place.
#[test]
fn the_real_mistake_is_reported() {
    let cases = [
        ("SELECT :a FROM FROM t WHERE b = :b", "FROM", 15),
        ("SELECT :a, é FORM t", "t", 19),
        ("\\set x 1\nSELECT 1;\nINSERT INTO :tab VALUES (:a, );", ")", 48),
        ("UPDATE :tab SET = :v", "=", 16),
        ("CREATE TABLE :t (a int,, b int)", ",", 23),
        ("SELEC :a", "SELEC", 0),
    ];
    for (text, token, place) in cases {
        let script = script(text);
        let found = errors(&script);
        let message = format!("syntax error at or near \"{token}\"");
        let found: Vec<_> = found.iter().map(|(_, message, at)| (message, *at)).collect();
        assert_eq!(found, [(&message, place)], "{NAME}: {text}");
    }
    // What was expected there is known.
    let text = "DROP TABLE :a, b c";
    let checked = script(text).check();
    let error = checked[0].result.as_ref().unwrap_err();
    let without = parse("DROP TABLE a, b c").unwrap_err();
    assert_eq!(error.expected(text), without.expected("DROP TABLE a, b c"), "{NAME}");
    assert!(!error.expected(text).is_empty(), "{NAME}");
    // Only the semicolon is missing.
    let text = "SELECT :a FROM t\nSELECT 2;\nSELECT 3";
    let found = errors(&script(text));
    assert_eq!(found.len(), 1, "{NAME}: {found:?}");
    assert_eq!((found[0].0.as_str(), found[0].2), ("SELECT :a FROM t", 17), "{NAME}");
}

#[test]
fn data_and_placeholders() {
    let text = "COPY :t FROM stdin;\n1;:x\n\\.\nSELECT :a;\n";
    let stmts = script(text).check();
    assert_eq!(stmts.len(), 2, "{NAME}: {stmts:?}");
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{NAME}: {stmts:?}");
    assert_eq!(&text[stmts[0].copy_data.clone().unwrap()], "1;:x\n\\.\n".trim_end(), "{NAME}");

    let text = "INSERT INTO ?\nSELECT {{ a }}, %(b)s FROM ${c} WHERE d = @d;";
    let options = ScriptOptions::default().placeholders(Placeholders::all());
    let with = Script::parse_with(text, options).unwrap();
    assert_eq!(errors(&with), [], "{NAME}");
    assert_eq!(with.check().len(), 1, "{NAME}");
    assert_eq!(
        with.written().text(),
        "INSERT INTO \"?\"\nSELECT $1, $2 FROM \"${c}\" WHERE d = $3;"
    );
    assert!(!errors(&script(text)).is_empty(), "{NAME}");
}

/// The limits of the parser hold.
#[test]
fn limits_are_errors() {
    let text = "SELECT ((((:a + 1) + 1) + 1) + 1); SELECT :b";
    let parser = ParserOptions::default().max_depth(6);
    let script = Script::parse_with(text, ScriptOptions::default().parser(parser)).unwrap();
    let stmts = script.check();
    let kinds: Vec<_> =
        stmts.iter().map(|stmt| stmt.result.as_ref().map_err(pg_ast::Error::kind)).collect();
    assert!(matches!(kinds[..], [Err(pg_ast::ErrorKind::TooDeep), Ok(_)]), "{NAME}: {kinds:?}");
    let plain = parse_script_with(&text.replace(':', ""), parser);
    assert_eq!(
        plain[0].result.as_ref().map_err(pg_ast::Error::kind).err(),
        kinds[0].err(),
        "{NAME}"
    );
}
