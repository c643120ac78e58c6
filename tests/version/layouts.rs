//! Statements of many parts in each layout, with their comments, compared with libpg_query's own code.

use pg_ast::DeparseOptions;

use super::version::comments::is_intact;
use super::{NAME, c_route, pg};

fn list(separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..150).map(item).collect::<Vec<_>>().join(separator)
}

fn nested(before: &str, inside: &str, after: &str) -> String {
    before.repeat(40) + inside + &after.repeat(40)
}

/// Statements of many parts, in lists and nested, with comments.
#[test]
fn many_parts() {
    let statements = [
        format!("VALUES {}", list(", ", |i| format!("({i}, /* c */ 'x')"))),
        format!("SELECT {} FROM t", list(", ", |i| format!("a{i} -- c{i}  \n AS b"))),
        format!("SELECT 1 FROM t ORDER BY {}", list(", ", |i| "b".repeat(i % 90 + 1))),
        format!("SELECT 1 FROM t GROUP BY {}", list(", ", |i| format!("a{i}"))),
        list(" UNION ALL ", |i| format!("SELECT {i} /* c{i} */ FROM t{i}")),
        nested("SELECT a, /* c */ (", "SELECT 1, 2 -- d   \n", "), b, c"),
        nested("SELECT (SELECT 1), (", "SELECT 1", ") FROM (SELECT 2) AS t WHERE a IN (SELECT 3)"),
        format!("SELECT {}, x, y", nested("CASE WHEN a THEN f(b, ", "2", ") ELSE 'long' END")),
        nested("WITH x AS (", "SELECT 1", ") SELECT a, b, /* c */ d FROM x"),
        nested("SELECT 1 FROM (", "SELECT 1", ") AS x -- d  \n ORDER BY a, b"),
        list("; ", |i| format!("-- c{i}\n\nSELECT {i}, /* d */ 2 /* e */")),
    ];
    let (mut count, mut patched) = (0, 0);
    for sql in statements {
        let tree = pg::parse(&sql).expect("parses");
        for pretty in [false, true] {
            for line in [0, 20] {
                let mut options = c_route::options();
                (options.pretty_print, options.max_line_length) = (pretty, line.into());
                let ours = DeparseOptions::default().pretty_print(pretty).max_line_length(line);
                if pretty && tree.protobuf.stmts.len() > 1 {
                    // libpg_query joins statements by "; " in any layout.
                    let bare = pg::deparse_with(&tree, &ours).expect("prints");
                    let theirs = c_route::deparse(&tree.protobuf, options).expect("prints");
                    assert_eq!(bare.replace(";\n", "; "), theirs + ";", "{NAME}: {line} {sql}");
                    let comments = pg::comments(&sql).expect("scans");
                    let ours = pg::deparse_with(&tree, ours.comments(comments.clone()));
                    let ours = ours.expect("prints");
                    assert!(is_intact(&ours, &bare, &comments), "{NAME}: {ours}");
                    continue;
                }
                assert_eq!(
                    pg::deparse_with(&tree, &ours).ok(),
                    c_route::deparse(&tree.protobuf, options).ok(),
                    "{NAME}: {pretty} {line} {sql}"
                );
                let comments = pg::comments(&sql).expect("scans");
                let theirs = c_route::with_comments(&sql, options, |_, options| {
                    c_route::deparse(&tree.protobuf, options).ok()
                });
                let theirs = theirs.expect("scans");
                let bare = pg::deparse_with(&tree, &ours);
                let ours = pg::deparse_with(&tree, ours.comments(comments.clone())).ok();
                if ours != theirs {
                    // libpg_query loses comments, cuts blanks off them, or hides tokens behind them.
                    let (ours, theirs) = (ours.expect("prints"), theirs.expect("prints"));
                    let bare = bare.expect("prints");
                    assert!(!is_intact(&theirs, &bare, &comments), "{NAME}: {theirs}");
                    assert!(is_intact(&ours, &bare, &comments), "{NAME}: {ours}");
                    patched += 1;
                }
                count += 1;
            }
        }
    }
    assert!(patched < count / 2, "{patched} of {count}");
}

/// Comments need not be ordered by location.
#[test]
fn comments_in_any_order() {
    let sql = "SELECT 1, 2, 3; SELECT 4, 5";
    let tree = pg::parse(sql).expect("parses");
    let comment = |text: &str, at| {
        let mut comment = pg::comments("/* x */ SELECT 1").expect("scans").remove(0);
        (comment.text, comment.match_location) = (text.to_owned(), at);
        comment
    };
    let places = [("/*a*/", 10), ("/*b*/", 0), ("/*c*/", 24), ("/*d*/", 8), ("/*e*/", 10)];
    let comments: Vec<_> = places.iter().map(|(text, at)| comment(text, *at)).collect();
    let texts: Vec<_> = places
        .iter()
        .map(|(text, at)| (std::ffi::CString::new(*text).expect("no NUL"), *at))
        .collect();
    let theirs: Vec<_> = texts
        .iter()
        .map(|(text, at)| super::raw::ShimComment {
            match_location: i32::try_from(*at).expect("small"),
            newlines_before: 0,
            newlines_after: 0,
            text: text.as_ptr(),
        })
        .collect();
    let mut options = c_route::options();
    (options.comments, options.comment_count) = (theirs.as_ptr(), theirs.len());
    let ours = DeparseOptions::default().comments(comments);
    assert_eq!(
        pg::deparse_with(&tree, &ours).expect("prints"),
        c_route::deparse(&tree.protobuf, options).expect("prints"),
    );
}
