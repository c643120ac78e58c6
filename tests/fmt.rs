//! Tests the output of the example `fmt` for scripts.

mod common;

#[path = "../examples/fmt.rs"]
#[allow(dead_code)]
mod fmt;

use common::corpus;

fn format(script: &str) -> fmt::Formatted {
    fmt::format(script).unwrap()
}

#[track_caller]
fn becomes(script: &str, expected: &str) {
    let formatted = format(script);
    assert_eq!(formatted.text, expected);
    // Formatted SQL is unchanged.
    assert_eq!(format(&formatted.text).text, expected);
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
    assert!(formatted.text.starts_with("\\set x 1\nselect :x from from;\n"), "{}", formatted.text);
    assert!(formatted.text.contains("\n1\t;'\n\\.\n"), "{}", formatted.text);
    assert!(formatted.text.ends_with("SELECT 1;\n"), "{}", formatted.text);
    becomes("select 1;\ncreate table x (a int,", "SELECT 1;\ncreate table x (a int,\n");
}

#[test]
fn nothing_is_lost() {
    for (path, script) in corpus::own() {
        let before = pg_ast::parse_script(&script);
        let formatted = format(&script).text;
        let after = pg_ast::parse_script(&formatted);
        assert_eq!(before.len(), after.len(), "{}", path.display());
        for (before, after) in before.iter().zip(&after) {
            let (Ok(a), Ok(b)) = (&before.result, &after.result) else {
                assert_eq!(before.text(&script), after.text(&formatted));
                continue;
            };
            assert_eq!(a.fingerprint(), b.fingerprint(), "{}", before.text(&script));
        }
        let count = |text: &str| pg_ast::comments(text).map(|comments| comments.len());
        assert_eq!(count(&script), count(&formatted), "{}", path.display());
    }
}
