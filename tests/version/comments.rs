//! Comments between any two tokens: they change no result, and printed SQL keeps them.

use pg_ast::{Comment, DeparseOptions, ErrorKind};

use super::pg::{self, ScanToken};
use super::{MAJOR, NAME, c_route};
use crate::common::{corpus, without_locations};

/// Whether the deparser prints comments.
const PRINTS: bool = MAJOR >= 17;

/// Whether libpg_query's scanner skips comments. Before, it returns them as tokens, and these tests have the record of
/// the SQL that it rejects or reads as other SQL because of that.
const IN_LIBPG_QUERY: bool = MAJOR >= 18;

const COMMENTS: [&str; 3] = ["/* c */", " -- c\n", "/* ' */-- \"; $$\n"];

/// All statements of ours, and a part of the regression SQL.
fn statements(step: usize) -> Vec<String> {
    let regression = corpus::statements().into_iter().step_by(step);
    corpus::own_statements().into_iter().chain(regression).collect()
}

/// Returns the tokens of SQL that are no comments, and its comments.
fn tokens(sql: &str) -> (Vec<&str>, Vec<&str>) {
    let tokens = pg::scan(sql).unwrap_or_else(|error| panic!("{sql}: {error}")).tokens;
    let (comments, others): (Vec<ScanToken>, Vec<_>) =
        tokens.into_iter().partition(|token| token.is_comment());
    let texts = |tokens: Vec<ScanToken>| tokens.iter().map(|token| &sql[token.range()]).collect();
    (texts(others), texts(comments))
}

/// Joins the tokens by `between`.
fn joined(tokens: &[&str], between: impl Fn(usize) -> String) -> String {
    let mut sql = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 {
            sql += &between(index);
        }
        sql += token;
    }
    sql
}

/// Returns the tokens in each node's range.
fn tokens_of_nodes(sql: &str) -> Vec<Option<Vec<&str>>> {
    let (tree, ranges) = pg::parse_with_ranges(sql, pg_ast::ParserOptions::default()).expect(sql);
    let count = tree.nodes().count();
    (0..count).map(|node| Some(tokens(&sql[ranges.get(node)?]).0)).collect()
}

#[test]
fn comments_change_no_tree() {
    let mut counts = [0, 0];
    for sql in statements(6) {
        let Ok(found) = pg::scan(&sql) else { continue };
        let texts: Vec<_> = found.tokens.iter().filter(|token| !token.is_comment()).collect();
        let texts: Vec<_> = texts.iter().map(|token| &sql[token.range()]).collect();
        let blanks = joined(&texts, |_| " ".to_owned());
        let tree = pg::parse(&blanks);
        // On another line, a string after a string would be its second part.
        let are_strings = |at: usize| texts[at - 1].ends_with('\'') && texts[at].starts_with('\'');
        for (n, comment) in COMMENTS.into_iter().enumerate() {
            let sql = joined(&texts, |at| {
                if are_strings(at) { COMMENTS[0].to_owned() } else { comment.to_owned() }
            });
            match (&tree, pg::parse(&sql)) {
                (Ok(tree), Ok(again)) => {
                    let (tree, again) = (&tree.protobuf, &again.protobuf);
                    assert_eq!(without_locations(tree), without_locations(again), "{NAME}: {sql}");
                    counts[0] += 1;
                }
                (Err(tree), Err(again)) => {
                    assert_eq!(tree.message(), again.message(), "{NAME}: {sql}");
                    counts[1] += 1;
                    continue;
                }
                (tree, again) => panic!("{NAME}: {sql}\n{:?}\n{:?}", tree.is_ok(), again.err()),
            }
            if n > 0 {
                continue;
            }
            assert_eq!(pg::fingerprint(&sql).ok(), pg::fingerprint(&blanks).ok(), "{sql}");
            let normalized = |sql: &str| pg::normalize(sql).expect("it parses");
            let (commented, bare) = (normalized(&sql), normalized(&blanks));
            if pg::scan(&bare).is_ok() {
                assert_eq!(tokens(&commented).0, tokens(&bare).0, "{NAME}: {sql}");
            }
            assert_eq!(tokens_of_nodes(&sql), tokens_of_nodes(&blanks), "{NAME}: {sql}");
        }
    }
    println!("{NAME}: {} trees, {} errors", counts[0], counts[1]);
    assert!(counts[0] > 15_000 && counts[1] > 100, "{counts:?}");
}

/// PostgreSQL allows line comments between the parts of a string.
#[test]
fn strings_continue_after_comments() {
    let accepted = [
        ("'a' -- c\n'b'", "ab"),
        ("'a'-- c\r\n  -- ' d\n\t\n 'b'\n--\n'c'", "abc"),
        ("'a'\n-- c\n'b'", "ab"),
        ("E'\\x61' -- c\n'\\x62'", "ab"),
        ("b'1' -- c\n'0'", "b10"),
        ("x'1' -- c\n'0'", "x10"),
        ("U&'\\0061' -- c\n'!0062' -- d\n UESCAPE -- e\n '!'", "\\0061b"),
        ("U&'\\0061' -- c\n'\\0062'", "ab"),
        ("'a''' -- '\n'''b'", "a''b"),
    ];
    for (string, value) in accepted {
        let sql = format!("SELECT {string}, 'x'; SELECT 2");
        let tree = pg::parse(&sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
        assert_eq!(c_route::parse(&sql, 0).ok(), IN_LIBPG_QUERY.then(|| tree.protobuf.clone()));
        let shown = format!("{:?}", tree.protobuf.stmts[0]);
        assert!(shown.contains(&format!("sval: {value:?}")) || shown.contains(value), "{shown}");

        let end = sql.find(", 'x'").expect("the other target");
        let found = pg::scan(&sql).expect("scans").tokens;
        assert!(found.iter().any(|token| token.start == 7 && token.end as usize <= end));
        if !string.contains("UESCAPE") {
            assert_eq!(found[1].range(), 7..end, "{NAME}: {sql}");
            assert!(found.iter().all(|token| !token.is_comment()), "{NAME}: {sql}");
            assert_eq!(
                pg::normalize(&sql).as_deref(),
                Ok("SELECT $1, $2; SELECT $3"),
                "{NAME}: {sql}"
            );
        }
        let parts = [&sql[..sql.find("; SELECT").expect("two")], " SELECT 2"];
        let trimmed = |parts: Vec<&str>| parts.join(";").replace("; ", ";");
        let expected = trimmed(parts.to_vec());
        assert_eq!(trimmed(pg::split_with_parser(&sql).expect("parses")), expected);
        assert_eq!(trimmed(pg::split_with_scanner(&sql).expect("scans")), expected);
        let lossy = pg::scan_lossy(&sql);
        assert!(lossy.errors.is_empty() && lossy.scan.tokens == found, "{NAME}: {sql}");
        let (tree, ranges) =
            pg::parse_with_ranges(&sql, pg_ast::ParserOptions::default()).expect("parses");
        let place = tree.nodes().position(|node| matches!(node, pg::NodeRef::AConst(_)));
        let range = ranges.get(place.expect("a constant")).expect("its range");
        assert_eq!(range, 7..end, "{NAME}: {sql}");
    }
    let rejected = [
        "'a' /* c */\n'b'",
        "'a' -- c",
        "'a' -- c\n",
        "'a' -- 'b'",
        "'a' -- c\nE'b'",
        "'a' -- c\n\u{a0}'b'",
        "'a' --",
    ];
    for string in rejected {
        let sql = format!("SELECT {string}");
        let bare = string.split(' ').next().expect("a string");
        let found = pg::scan(&sql).expect("scans").tokens;
        assert_eq!(&sql[found[1].range()], bare, "{NAME}: {sql}");
    }
}

/// Look-ahead of the filter between scanner and grammar.
#[test]
fn words_are_joined_across_comments() {
    for sql in [
        "SELECT NOT /* c */ TRUE, 1 NOT /* c */ BETWEEN -- d\n 2 AND 3, a NOT -- c\n LIKE b",
        "SELECT 1 ORDER BY a NULLS /* c */ /* d */ FIRST",
        "SELECT '1'::time WITH /* c */ TIME ZONE, '1'::timestamp WITHOUT -- c\n TIME ZONE",
        "SELECT * FROM f() WITH /* c */ ORDINALITY",
        "SELECT U&\"d!0061t\" /* c */ UESCAPE /* d */ '!'",
    ] {
        let bare = tokens(sql).0.join(" ");
        assert_eq!(c_route::parse(sql, 0).is_ok(), IN_LIBPG_QUERY, "{NAME}: {sql}");
        let trees = [sql, &bare].map(|sql| {
            let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
            without_locations(&tree.protobuf)
        });
        assert_eq!(trees[0], trees[1], "{NAME}: {sql}");
    }
}

/// Returns whether SQL that was printed with comments has these, and otherwise the tokens that it has without them.
pub fn is_intact(printed: &str, bare: &str, comments: &[Comment]) -> bool {
    let expected: Vec<_> = comments.iter().map(|comment| &*comment.text).collect();
    pg::scan(printed).is_ok() && tokens(printed) == (tokens(bare).0, expected)
}

/// Prints SQL with its comments, and checks the result.
fn check_printed(sql: &str) -> bool {
    let Ok(comments) = pg::comments(sql) else { return false };
    for options in [DeparseOptions::default(), DeparseOptions::default().pretty_print(true)] {
        let Ok(bare) = pg::reformat(sql, &options) else { return false };
        let printed = pg::reformat(sql, options.comments(comments.clone()))
            .unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
        assert!(is_intact(&printed, &bare, &comments), "{NAME}: {sql}\n{printed}");
    }
    true
}

#[test]
fn comments_change_no_printed_token() {
    if !PRINTS {
        return;
    }
    let mut count = 0;
    let mut random = 7_usize;
    for sql in statements(9) {
        if pg::parse(&sql).is_err() {
            continue;
        }
        let texts = tokens(&sql).0;
        // One comment between two tokens, and comments everywhere.
        for n in 0..4 {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
            let place = 1 + random % texts.len().max(2);
            let comment = COMMENTS[n % 3];
            let sql = joined(&texts, |index| match index == place || n == 3 {
                true if index % 2 == 0 => format!(" {comment}\n{} ", COMMENTS[random % 3]),
                true => format!(" {comment} "),
                false => " ".to_owned(),
            });
            count += usize::from(check_printed(&sql));
            // After the last token, and in the middle of several statements.
            if n == 2 {
                let script = format!("{comment} SELECT 1 {comment};{sql} {comment};; SELECT 2 --");
                count += usize::from(check_printed(&script));
            }
        }
    }
    println!("{NAME}: {count} statements printed with comments");
    assert!(count > 15_000, "{count}");
}

#[test]
fn line_comments_hide_nothing() {
    if !PRINTS {
        return;
    }
    let flat = DeparseOptions::default();
    let print = |sql: &str| pg::reformat(sql, flat.clone().comments(pg::comments(sql).expect(sql)));
    let cases = [
        (
            "INSERT INTO t VALUES (1 -- one\n); DELETE FROM t",
            "INSERT INTO t VALUES (1) -- one\n; DELETE FROM t",
        ),
        ("CREATE TABLE t (id int -- k\n); SELECT 1", "CREATE TABLE t (id int) -- k\n; SELECT 1"),
        ("SELECT 1 -- end", "SELECT 1 -- end"),
        ("SELECT - -- minus  \n a", "SELECT - -- minus  \na"),
        ("-- only", "-- only"),
        ("SELECT 1; -- a\n/* b */ -- c", "SELECT 1 -- a\n/* b */-- c"),
    ];
    for (sql, printed) in cases {
        assert_eq!(print(sql).as_deref(), Ok(printed), "{NAME}: {sql}");
        assert_eq!(print(printed).as_deref(), Ok(printed), "{NAME}: {printed}");
    }
}

/// No comment is dropped or repeated, wherever it is.
#[test]
fn comments_are_printed_once() {
    if !PRINTS {
        return;
    }
    let sql = "SELECT 1; SELECT 2; SELECT 3";
    let mut tree = pg::parse(sql).expect("parses");
    for order in [[0, 1, 2], [1, 1, 0], [0, 2, 1]] {
        tree.protobuf.stmts.swap(order[0], order[2]);
        for places in [[0, 5, 10, 40], [usize::MAX, 0, 12, 24], [9, 9, 9, 9], [28, 27, 26, 25]] {
            let comment = |(n, place): (usize, &usize)| Comment::new(format!("/*{n}*/"), *place);
            let comments = places.iter().enumerate().map(comment).collect();
            let options = DeparseOptions::default().comments(comments);
            let printed = pg::deparse_with(&tree, options).expect("prints");
            let mut found = tokens(&printed).1;
            found.sort_unstable();
            assert_eq!(found, ["/*0*/", "/*1*/", "/*2*/", "/*3*/"], "{NAME}: {printed}");
        }
    }
    // Behind the last node, and in SQL that has no node.
    for sql in ["SELECT 1 /* a */", "SELECT 1 FROM t /* a */; COMMIT /* b */", "/* a */;;", ";-- a"]
    {
        check_printed(sql);
    }
}

#[test]
fn only_comments_are_printed() {
    let tree = pg::parse("SELECT 1").expect("parses");
    let print = |text: &str| {
        let comments = vec![Comment::new(text, 0)];
        pg::deparse_with(&tree, DeparseOptions::default().comments(comments))
    };
    let error = print("-- x\n; DROP TABLE t").expect_err("more than a comment");
    assert_eq!(error.kind(), ErrorKind::Deparse);
    assert_eq!(error.message(), r#"not a single comment: "-- x\n; DROP TABLE t""#);
    assert_eq!(print("/* \0 */").expect_err("a NUL").kind(), ErrorKind::Nul);
    assert!(print(&"é".repeat(100_000)).expect_err("no comment").message().len() < 200);

    // What the scanner takes for one comment is one.
    let mut accepted = 0;
    let pieces = ["-", "/", "*", "\n", "\r", "a"];
    for length in 0..=6_u32 {
        for number in 0..6_usize.pow(length) {
            let digit = |at: u32| pieces[number / 6_usize.pow(at) % 6];
            let text: String = (0..length).map(digit).collect();
            let is_comment = pg::scan(&text).is_ok_and(|scan| match &scan.tokens[..] {
                [token] => token.is_comment() && token.range() == (0..text.len()),
                _ => false,
            });
            let printed = print(&text);
            if MAJOR < 17 {
                let kind = if is_comment { ErrorKind::Unsupported } else { ErrorKind::Deparse };
                assert_eq!(printed.expect_err("no comments").kind(), kind, "{text:?}");
            } else {
                assert_eq!(printed.is_ok(), is_comment, "{text:?}");
            }
            accepted += usize::from(is_comment);
        }
    }
    assert!(accepted > 300, "{accepted}");
}
