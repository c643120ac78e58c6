//! Results of parsing besides the tree: errors and their locations, warnings, the effects of options.

use std::error::Error as StdError;
use std::ffi::c_int;

use crate::common;
use crate::pg18::version::c_route;
use pg_ast::protobuf::ParseResult as Tree;
use pg_ast::{
    BackslashQuote, Comment, DeparseOptions, Error, ErrorKind, FromRaw, Node, NodeEnum,
    ParseResult, ParserOptions, SourceLocation, Warning, parse, parse_as, parse_with,
};
use prost::Message as _;

/// The switches in pg_query.h; the bits below are the mode.
const DISABLE_BACKSLASH_QUOTE: c_int = 16;
const DISABLE_STANDARD_CONFORMING_STRINGS: c_int = 32;
const DISABLE_ESCAPE_STRING_WARNING: c_int = 64;

/// Returns the only warning of SQL.
#[track_caller]
fn warning(sql: &str, options: ParserOptions) -> Warning {
    let warnings = parse_with(sql, options).expect("parses").warnings.clone();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    warnings.into_iter().next().expect("one")
}

/// Returns the message of an error and the SQL from its location on.
#[track_caller]
fn fails(sql: &str) -> (String, &str) {
    let error = parse(sql).expect_err(sql);
    assert_eq!(error.kind(), ErrorKind::Syntax);
    let theirs = c_route::parse(sql, 0).expect_err(sql);
    let cursor = error.cursor().expect("a place");
    assert_eq!(error.message(), theirs.message);
    assert_eq!(sql[..cursor].chars().count() + 1, theirs.cursor, "{sql}");
    (error.message().to_owned(), &sql[cursor..])
}

#[test]
fn no_statement_is_an_empty_tree() {
    for sql in ["", " ", "\n\t", ";", ";;", " ; ; ", "-- none", "/* none */", "/* a */; -- b\n;"] {
        let result = parse(sql).unwrap_or_else(|error| panic!("{sql:?}: {error}"));
        assert!(result.protobuf.stmts.is_empty(), "{sql:?}");
        assert!(result.warnings.is_empty(), "{sql:?}");
        assert_eq!(result.protobuf, c_route::parse(sql, 0).expect("parses"), "{sql:?}");
        assert_eq!(pg_ast::deparse(&result).as_deref(), Ok(""));
    }
}

#[test]
fn statements_know_their_places() {
    let sql = "SELECT 'é';  /* c */ DELETE FROM t ;; SELECT 2";
    let stmts = parse(sql).expect("parses").into_protobuf().stmts;
    let texts: Vec<_> = stmts
        .iter()
        .map(|stmt| {
            let start = usize::try_from(stmt.stmt_location).expect("a place");
            match usize::try_from(stmt.stmt_len).expect("a length") {
                // Up to the end.
                0 => &sql[start..],
                len => &sql[start..start + len],
            }
        })
        .collect();
    assert_eq!(texts, ["SELECT 'é'", "DELETE FROM t ", "SELECT 2"]);
}

#[test]
fn the_version_is_that_of_postgresql() {
    assert_eq!(parse("").expect("parses").protobuf.version / 10_000, 18);
}

#[test]
fn errors_point_at_bytes() {
    let near = |text: &str| format!("syntax error at or near \"{text}\"");
    assert_eq!(fails("SELECT 1 FROM FROM t"), (near("FROM"), "FROM t"));
    assert_eq!(fails("SELECT 'é日本🐘', x y z"), (near("z"), "z"));
    assert_eq!(fails("é é é"), (near("é"), "é é é"));
    assert_eq!(fails("SELECT '日本';\n\nSELEC 2"), (near("SELEC"), "SELEC 2"));
    assert_eq!(fails("/* 🐘 */ )"), (near(")"), ")"));
    assert_eq!(fails("SELECT 1 🐘 FROM t, 🐘 u v"), (near("v"), "v"));
}

#[test]
fn errors_point_behind_the_end() {
    for sql in ["SELECT (", "SELECT 'é' FROM", "INSERT INTO 日本 "] {
        let (message, rest) = fails(sql);
        assert_eq!(message, "syntax error at end of input");
        assert_eq!(rest, "", "{sql}");
    }
}

#[test]
fn unterminated_tokens_point_at_their_start() {
    for (what, rest) in
        [("quoted string", "'é"), ("quoted identifier", "\"é"), ("/* comment", "/* /* é */")]
    {
        let sql = format!("SELECT 'ü', {rest}");
        let (message, found) = fails(&sql);
        assert_eq!(message, format!("unterminated {what} at or near \"{rest}\""));
        assert_eq!(found, rest);
    }
}

#[test]
fn errors_know_their_origin() {
    let error = parse("SELECT FROM FROM").expect_err("no table");
    let source = error.source_location().expect("C says where");
    assert_eq!((&*source.file, &*source.function), ("scan.l", "scanner_yyerror"));
    assert!(source.line > 0);
    assert_eq!((error.detail(), error.hint(), error.context()), (None, None, None));

    let error = parse(
        "CREATE TABLE t (a int NOT NULL DEFERRABLE, CHECK (a) NO INHERIT NOT VALID, \
                       UNIQUE (a) NOT VALID)",
    )
    .expect_err("no such constraint");
    assert_eq!(error.message(), "UNIQUE constraints cannot be marked NOT VALID");
    let source = error.source_location().expect("C says where");
    assert_eq!((&*source.file, &*source.function), ("gram.y", "processCASbits"));
}

#[test]
fn hints_are_kept() {
    let error = parse(r"SELECT U&'\00g'").expect_err("no such character");
    assert_eq!(error.message(), "invalid Unicode escape");
    assert_eq!(error.hint(), Some(r"Unicode escapes must be \XXXX or \+XXXXXX."));
}

#[test]
fn a_nul_is_an_error() {
    for (sql, place) in [("\0", 0), ("SELECT 'é\0'", 10), ("SELECT 1;\0", 9)] {
        let error = parse(sql).expect_err("a NUL");
        assert_eq!((error.kind(), error.cursor()), (ErrorKind::Nul, Some(place)), "{sql:?}");
        assert_eq!(error.source_location(), None);
        assert_eq!(pg_ast::comments(sql).expect_err("a NUL").kind(), ErrorKind::Nul);
        assert_eq!(parse_as::<Tables>(sql).expect_err("a NUL").kind(), ErrorKind::Nul);
    }
}

#[test]
fn what_is_not_utf_8_is_an_error() {
    // PostgreSQL's scanner reads the encoding itself.
    let error = parse(r"SELECT E'\xff'").expect_err("no character");
    assert_eq!(error.kind(), ErrorKind::InvalidEncoding);
    assert_eq!(error.message(), "invalid byte sequence for encoding \"UTF8\": 0xff");
    for sql in [r"SELECT E'a\xc3'", r"SELECT E'\303\050'", r"SELECT E'\xed\xa0\x80'"] {
        let error = parse(sql).expect_err("no character");
        assert_eq!(error.kind(), ErrorKind::InvalidEncoding, "{error}");
        assert!(error.message().starts_with("invalid byte sequence"), "{error}");
    }
    // Bytes that form a character together.
    common::verified_as(r"SELECT E'\xc3\xa9\u00e9'", "SELECT 'éé'");
}

#[test]
fn backslash_quote() {
    let options = |value| ParserOptions::default().backslash_quote(value);
    let sql = r"SELECT E'a\'b'";
    for value in [BackslashQuote::On, BackslashQuote::SafeEncoding] {
        let tree = parse_with(sql, options(value)).expect("a quote");
        assert_eq!(pg_ast::deparse(&tree).as_deref(), Ok("SELECT 'a''b'"));
    }
    let error = parse_with(sql, options(BackslashQuote::Off)).expect_err("no quote");
    let theirs = c_route::parse(sql, DISABLE_BACKSLASH_QUOTE).expect_err("no quote");
    assert_eq!(error.message(), theirs.message);
    assert_eq!(error.cursor().map(|cursor| cursor + 1), Some(theirs.cursor));
    assert!(error.message().starts_with("unsafe use of \\'"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.starts_with("Use ''")), "{error:?}");
    // The settings of a call do not affect the next call.
    assert!(parse(sql).is_ok());
}

#[test]
fn standard_conforming_strings() {
    let sql = r"SELECT 'a\nb\\c'";
    let off = ParserOptions::default().standard_conforming_strings(false);
    let result = parse_with(sql, off).expect("parses");
    let theirs = c_route::parse(sql, DISABLE_STANDARD_CONFORMING_STRINGS).expect("parses");
    assert_eq!(result.protobuf, theirs);
    assert_eq!(pg_ast::deparse(&result).as_deref(), Ok("SELECT E'a\nb\\\\c'"));
    common::verified_as(sql, r"SELECT E'a\\nb\\\\c'");
    // Unicode escapes are disabled then.
    let error = parse_with(r"SELECT U&'\0061'", off).expect_err("refused");
    assert_eq!(error.message(), "unsafe use of string constant with Unicode escapes");
    assert!(error.detail().is_some_and(|detail| detail.contains("standard_conforming_strings")));
}

#[test]
fn escape_string_warning() {
    let off = ParserOptions::default().standard_conforming_strings(false);
    let sql = r"SELECT 'é', 'a\nb'";
    let found = warning(sql, off);
    assert_eq!(found.message, "nonstandard use of escape in a string literal");
    assert_eq!(
        found.hint.as_deref(),
        Some(r"Use the escape string syntax for escapes, e.g., E'\r\n'."),
    );
    assert_eq!(found.detail, None);
    assert_eq!(found.cursor, sql.find("'a"));
    let source = found.source_location.expect("C says where");
    assert_eq!((&*source.file, &*source.function), ("scan.l", "check_escape_warning"));
    assert_eq!(parse(sql).expect("parses").warnings, []);

    let silent = parse_with(sql, off.escape_string_warning(false)).expect("parses");
    assert_eq!(silent.warnings, []);
    let switches = DISABLE_STANDARD_CONFORMING_STRINGS | DISABLE_ESCAPE_STRING_WARNING;
    assert_eq!(silent.protobuf, c_route::parse(sql, switches).expect("parses"));
}

#[test]
fn warnings_keep_their_order() {
    let sql = r"SELECT '\\', '\'', '\t', E'\t', '\\'";
    let off = ParserOptions::default().standard_conforming_strings(false);
    let warnings = parse_with(sql, off).expect("parses").warnings.clone();
    let found: Vec<_> = warnings
        .iter()
        .map(|warning| (&*warning.message, warning.cursor.expect("a place")))
        .collect();
    let expected = [
        (r"nonstandard use of \\ in a string literal", 7),
        (r"nonstandard use of \' in a string literal", 13),
        ("nonstandard use of escape in a string literal", 19),
        (r"nonstandard use of \\ in a string literal", 32),
    ];
    assert_eq!(found, expected);
}

#[test]
fn long_names_are_cut_with_a_warning() {
    let long = "é".repeat(40);
    let sql = format!("SELECT 1 AS {long}");
    let found = warning(&sql, ParserOptions::default());
    // 63 bytes, without half a character.
    let cut = "é".repeat(31);
    assert_eq!(found.message, format!("identifier \"{long}\" will be truncated to \"{cut}\""));
    let tree = parse(&sql).expect("parses");
    assert_eq!(pg_ast::deparse(&tree), Ok(format!("SELECT 1 AS \"{cut}\"")));
}

#[test]
fn an_error_shows_itself() {
    let error = parse("SELECT é é é").expect_err("one too many");
    assert_eq!(error.to_string(), "syntax error at or near \"é\"");
    assert_eq!(format!("{error:#}"), "syntax error at or near \"é\" (at byte 13)");
    let shown = format!("{error:?}");
    for part in ["kind: Syntax", "message: ", "cursor: Some(13)", "file: \"scan.l\""] {
        assert!(shown.contains(part), "{shown}");
    }
    let boxed: Box<dyn StdError + Send + Sync> = Box::new(error.clone());
    assert!(boxed.source().is_none());
    assert_eq!(boxed.downcast_ref::<Error>(), Some(&error));
    assert_ne!(error, parse("SELECT 1 +").expect_err("nothing to add"));
}

#[test]
fn results_are_plain_values() {
    fn plain<T: Send + Sync + Clone + PartialEq + std::fmt::Debug + Unpin + 'static>() {}
    plain::<ParseResult>();
    plain::<Tree>();
    plain::<Node>();
    plain::<NodeEnum>();
    plain::<Error>();
    plain::<ErrorKind>();
    plain::<Warning>();
    plain::<SourceLocation>();
    plain::<ParserOptions>();
    plain::<DeparseOptions>();
    plain::<Comment>();
    assert!(size_of::<Node>() <= 48, "{}", size_of::<Node>());
    assert_eq!(size_of::<Error>(), size_of::<usize>());
}

#[test]
fn trees_can_be_encoded() {
    for (path, sql) in common::corpus::own() {
        let tree = parse(&sql).unwrap_or_else(|error| panic!("{path:?}: {error}")).into_protobuf();
        let bytes = tree.encode_to_vec();
        assert_eq!(bytes.len(), tree.encoded_len());
        let decoded = Tree::decode(&*bytes).expect("what encodes decodes");
        assert!(decoded == tree, "{path:?}");
    }
}

#[test]
fn threads_do_not_share_settings() {
    let off = ParserOptions::default().standard_conforming_strings(false);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..200 {
                    let (options, text) = if (thread + round) % 2 == 0 {
                        (off, "é")
                    } else {
                        (ParserOptions::default(), r"\303\251")
                    };
                    let tree = parse_with(r"SELECT '\303\251' AS x", options).expect("parses");
                    let shown = format!("{tree:?}");
                    assert!(shown.contains(&format!("sval: {text:?}")), "{shown}");
                }
            });
        }
    });
}

/// Returns the tables of a `SELECT`.
#[derive(Debug, FromRaw)]
#[pg_ast(raw = pg_ast::raw::SelectStmt, partial)]
struct Tables {
    #[pg_ast(name = "fromClause")]
    from_clause: Vec<Node>,
    all: bool,
}

/// Returns the name of a table, with a struct of the test inside of another one.
#[derive(Debug, PartialEq, FromRaw)]
#[pg_ast(raw = pg_ast::raw::RangeVar, partial)]
struct Table {
    relname: String,
    inh: bool,
}

#[derive(Debug, PartialEq, FromRaw)]
#[pg_ast(raw = pg_ast::raw::DeleteStmt, partial)]
struct Delete {
    relation: Option<Table>,
}

#[derive(Debug, PartialEq, FromRaw)]
#[pg_ast(raw = pg_ast::raw::InsertStmt, partial)]
struct Insert {
    relation: Option<Box<Table>>,
}

#[derive(Debug, PartialEq, FromRaw)]
#[pg_ast(raw = pg_ast::raw::Node)]
enum Write {
    #[pg_ast(raw = pg_ast::raw::DeleteStmt)]
    Delete(Delete),
    #[pg_ast(raw = pg_ast::raw::InsertStmt)]
    Insert(Insert),
}

#[test]
fn parse_as_a_struct() {
    let sql = "SELECT 1 FROM a, b; DELETE FROM c; SELECT 2 UNION ALL SELECT 3";
    let found = parse_as::<Tables>(sql).expect("parses");
    let found: Vec<_> =
        found.iter().map(|stmt| stmt.as_ref().map(|s| (s.from_clause.len(), s.all))).collect();
    assert_eq!(found, [Some((2, false)), None, Some((0, true))]);
    assert!(parse_as::<Tables>("").expect("parses").is_empty());
}

#[test]
fn parse_as_an_enum() {
    let sql = "DELETE FROM ONLY a; SELECT 1; INSERT INTO é.ü VALUES (1)";
    let table = |relname: &str, inh| Table { relname: relname.to_owned(), inh };
    let expected = [
        Some(Write::Delete(Delete { relation: Some(table("a", false)) })),
        None,
        Some(Write::Insert(Insert { relation: Some(Box::new(table("ü", true))) })),
    ];
    assert_eq!(parse_as::<Write>(sql).as_deref(), Ok(&expected[..]));
}

#[test]
fn parse_as_a_node_type() {
    let found = parse_as::<pg_ast::protobuf::DeleteStmt>("DELETE FROM t").expect("parses");
    let tree = parse("DELETE FROM t").expect("parses").into_protobuf();
    let stmt = tree.stmts[0].stmt.as_ref().and_then(|stmt| stmt.node.as_ref());
    let Some(NodeEnum::DeleteStmt(delete)) = stmt else { panic!("{stmt:?}") };
    assert_eq!(found[0].as_ref(), Some(&**delete));
    let found = parse_as::<NodeEnum>("DELETE FROM t").expect("parses");
    assert_eq!(found[0].as_ref(), stmt);
    let error = parse_as::<NodeEnum>("DELETE t").expect_err("no FROM");
    assert_eq!(error, parse("DELETE t").expect_err("no FROM"));
}

/// Thread-local values are dropped in the reverse order of their
/// first use: ours is dropped last, after pg_ast's own values.
#[test]
fn works_while_a_thread_ends() {
    struct Last(std::sync::mpsc::Sender<(String, Tree)>);

    impl Drop for Last {
        fn drop(&mut self) {
            let tree = pg_ast::parse("SELECT (SELECT (SELECT a))").unwrap();
            let bytes = tree.protobuf.encode_to_vec();
            let read = Tree::decode(&*bytes).unwrap();
            self.0.send((pg_ast::deparse(&tree).unwrap(), read)).unwrap();
        }
    }

    thread_local! {
        static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) };
    }

    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        LAST.set(Some(Last(sender)));
        let tree = pg_ast::parse("SELECT 1").unwrap();
        tree.protobuf.encode_to_vec();
        pg_ast::deparse(&tree).unwrap();
    });
    thread.join().unwrap();
    let (text, tree) = receiver.recv().unwrap();
    assert_eq!(text, "SELECT (SELECT (SELECT a))");
    assert_eq!(tree, pg_ast::parse(&text).unwrap().into_protobuf());
}
