//! Names get quotes where they need them, and otherwise where libpg_query prints some.

use pg::protobuf::Token;

use super::{NAME, c_route, pg};
use crate::common::corpus;
use crate::common::patched::{Theirs, patched_texts};
use crate::common::without_locations;

/// Words for the scanner, of which PostgreSQL's `quote_identifier` quotes most; and names that need quotes.
const NAMES: [&str; 6] = ["\"_$b\"", "\"ä\"", "\"b1\"", "\"Ä\"", "\"B\"", "\"select\""];

fn keeps(tree: &pg::ParseResult, text: &str) -> bool {
    pg::parse(text)
        .is_ok_and(|again| without_locations(&again.protobuf) == without_locations(&tree.protobuf))
}

#[test]
fn names_are_quoted_like_libpg_query_does() {
    let crashes: Vec<_> = patched_texts(NAME)
        .into_iter()
        .filter(|entry| entry.theirs == Theirs::Null)
        .map(|entry| entry.sql)
        .collect();
    let (mut same, mut patched) = (0, 0);
    let mut differences = Vec::new();
    for sql in corpus::own_statements() {
        let Ok(found) = pg::scan(&sql) else { continue };
        if pg::parse(&sql).is_err() || crashes.contains(&sql) {
            continue;
        }
        let words = found.tokens.iter().filter(|token| token.token == Token::Ident);
        for (at, word) in words.enumerate() {
            let name = NAMES[at % NAMES.len()];
            for name in [name, NAMES[0]] {
                let (before, after) = (&sql[..word.start as usize], &sql[word.end as usize..]);
                let sql = format!("{before}{name}{after}");
                let Ok(tree) = pg::parse(&sql) else { continue };
                let ours = pg::deparse(&tree).unwrap_or_else(|error| panic!("{sql}: {error}"));
                let theirs = c_route::deparse(&tree.protobuf, c_route::options()).ok();
                // There is no blank in `USING "b"TABLESPACE`.
                let bare = |text: &String| text.replace(' ', "");
                if theirs.as_ref().map(bare) == Some(bare(&ours)) {
                    same += 1;
                } else if theirs.as_ref().is_some_and(|theirs| keeps(&tree, theirs)) {
                    differences.push(format!("{sql}\n{ours}\n{theirs:?}"));
                } else {
                    assert!(keeps(&tree, &ours), "{NAME}: {sql}\n{ours}");
                    patched += 1;
                }
            }
        }
    }
    println!("{NAME}: {same} like libpg_query, {patched} by a patch");
    assert!(differences.is_empty(), "{NAME}: {}", differences.join("\n\n"));
    assert!(same > 5_000, "{same}");
}

#[test]
fn words_get_no_quotes() {
    let statements = [
        "CREATE STATISTICS s ON _$b, ä FROM t",
        "SELECT f(_$b => 1, ä => 2)",
        "SELECT sum(a) OVER _$b FROM t WINDOW _$b AS (PARTITION BY b)",
        "DROP TABLESPACE ä",
        "IMPORT FOREIGN SCHEMA _$b FROM SERVER s INTO p",
    ];
    for sql in statements {
        let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
        let printed = pg::deparse(&tree).expect("prints");
        let theirs = c_route::deparse(&tree.protobuf, c_route::options());
        assert_eq!(theirs.as_ref(), Ok(&printed), "{NAME}: {sql}");
        assert!(keeps(&tree, &printed), "{NAME}: {printed}");
    }
}

/// Unreserved keywords get quotes where they would begin another rule, and keep their tree in each layout of names.
#[test]
fn keywords_that_begin_another_rule() {
    let statements = [
        "SELECT \"operator\"('x'), f(\"operator\"(a) + 1)",
        "SELECT a FROM t GROUP BY \"rollup\"(a), \"cube\"(a) AND b, ROLLUP (\"cube\"(a), b)",
        "SELECT \"rollup\"(a), \"cube\"(b) FROM t GROUP BY ROLLUP (a)",
        "SELECT f() OVER (\"rows\" ORDER BY a), f() OVER (\"range\"), f() OVER (\"groups\" ROWS 1 PRECEDING)",
        "SELECT f() OVER w FROM t WINDOW w AS (\"partition\" ORDER BY a)",
        "SELECT f() OVER (ROWS BETWEEN \"unbounded\" PRECEDING AND \"unbounded\" FOLLOWING)",
        "SELECT f() OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
        "WITH \"ordinality\" AS (SELECT 1) SELECT 2",
        "CREATE TABLE t (EXCLUDE USING gist (c WITH OPERATOR(ordinality.=), d WITH =))",
    ];
    for sql in statements {
        let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
        let printed = pg::deparse(&tree).expect("prints");
        assert!(keeps(&tree, &printed), "{NAME}: {sql}\n{printed}");
        let view = pg::view::parse(sql).expect("parses").deparse();
        assert_eq!(view.as_deref(), Ok(printed.as_str()), "{NAME}: {sql}");
    }
}
