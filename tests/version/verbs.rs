//! The calls of a version's module.

use pg_ast::{
    DeparseOptions, ErrorKind, FingerprintOptions, ParseMode, ParserOptions, Version, with_version,
};

use super::{NAME, pg, raw};
use crate::common::corpus;

/// A version chosen at run time returns the results of its module, without the module's types.
#[test]
fn chosen_at_run_time() {
    let version: Version = NAME.parse().expect("a version");
    for sql in corpus::own_statements() {
        let tokens = version.scan(&sql).expect("scans");
        let theirs = pg::scan(&sql).expect("scans").tokens;
        assert_eq!(tokens.len(), theirs.len(), "{sql}");
        for (token, theirs) in tokens.iter().zip(theirs) {
            assert_eq!(pg::protobuf::Token::from_str_name(token.name), Some(theirs.token));
            assert_eq!(token.range, theirs.range(), "{sql}");
            assert_eq!(token.is_comment(), theirs.is_comment(), "{sql}");
            let keyword = theirs.keyword_kind != pg::protobuf::KeywordKind::NoKeyword;
            assert_eq!(token.is_keyword, keyword, "{sql}");
        }
        assert_eq!(version.analyze(&sql).ok(), pg::parse(&sql).ok().map(|tree| tree.analyze()));
        assert_eq!(version.complete(&sql, sql.len() / 2), pg::complete(&sql, sql.len() / 2));
        let types =
            with_version!(version, pg => pg::parse(&sql).map(|tree| tree.statement_types()));
        assert_eq!(types, pg::parse(&sql).map(|tree| tree.statement_types()));
    }
    let script = corpus::own_statements().join(";\n");
    let stmts = version.parse_script(&script);
    let theirs = pg::parse_script(&script);
    assert_eq!(stmts.len(), theirs.len());
    for (stmt, theirs) in stmts.iter().zip(&theirs) {
        assert_eq!(stmt.range, theirs.range);
        let result = theirs.result.as_ref().map(|tree| &tree.warnings);
        assert_eq!(stmt.result.as_ref(), result);
    }
}

/// Settings of a version that is chosen at run time are those of its module.
#[test]
fn chosen_at_run_time_with_settings() {
    let version: Version = NAME.parse().expect("a version");
    let strings = ParserOptions::default().standard_conforming_strings(false);
    let names = FingerprintOptions::default().full_relname(true);
    for sql in [r"SELECT 'it\'s' FROM t_10", "TABLE t_11", "SELEC"] {
        let normal = pg_ast::NormalizeOptions::default();
        assert_eq!(
            version.normalize_with(sql, strings, normal),
            pg::normalize_with(sql, strings, normal)
        );
        for options in [names, FingerprintOptions::default()] {
            let fingerprint = version.fingerprint_with(sql, strings, options);
            assert_eq!(fingerprint, pg::fingerprint_with(sql, strings, options));
        }
    }
    // Each layout by all calls that print in it.
    let tree = pg::parse("select a from t").expect("parses");
    for options in [DeparseOptions::default(), DeparseOptions::default().pretty_print(true)] {
        let text = pg::deparse_with(&tree, &options);
        assert_eq!(tree.deparse_with(&options), text);
        assert_eq!(tree.protobuf.deparse_with(&options), text);
        assert_eq!(version.reformat("select a from t", options), text);
    }
}

#[test]
fn reformat_is_parse_and_deparse() {
    let mut count = 0;
    for sql in corpus::own_statements() {
        let expected = pg::parse(&sql).and_then(|tree| pg::deparse(&tree));
        let options = DeparseOptions::default();
        match (pg::reformat(&sql, &options), expected) {
            (Ok(text), Ok(expected)) if text == expected => {}
            // The C tree distinguishes an empty string from NULL; a tree with Protobuf's schema does not.
            (Ok(text), Ok(_)) => assert!(text.contains("''"), "{text}"),
            (Ok(text), Err(error)) => {
                assert!(error.message().contains("NULL where there must be a string"), "{error}");
                assert!(text.contains("''") || text.contains("\"\""), "{text}");
            }
            (Err(error), Err(expected)) => assert_eq!(error.message(), expected.message(), "{sql}"),
            (ours, expected) => panic!("{sql}\n{ours:?}\n{expected:?}"),
        }
        assert_eq!(pg::check(&sql).is_ok(), pg::parse(&sql).is_ok());
        count += 1;
    }
    assert!(count >= 1_390, "{count}");
}

#[test]
fn modes_and_settings_are_there() {
    let options = ParserOptions::default().mode(ParseMode::TypeName);
    let tree = pg::parse_with("pg_catalog.int4[]", options).expect("a type name");
    let node = &tree.protobuf.stmts[0].stmt.as_ref().unwrap().node;
    assert!(matches!(node, Some(pg::NodeEnum::TypeName(_))), "{node:?}");
    let options = ParserOptions::default().standard_conforming_strings(false);
    let tree = pg::parse_with(r"SELECT 'a\nb'", options).expect("parses");
    assert_eq!(tree.warnings.len(), 1);
    assert!(tree.warnings[0].message.contains("nonstandard use of escape"));
}

#[test]
fn layouts_are_there_or_refused() {
    let tree = pg::parse("SELECT a FROM t").expect("parses");
    let printed = pg::deparse_with(&tree, DeparseOptions::default().pretty_print(true));
    if raw::PG_VERSION_NUM >= 170_000 {
        assert_eq!(printed.expect("a layout"), "SELECT a\nFROM t");
        // Each of several statements is on a line of its own, and ends in a semicolon.
        let sql = "SELECT 1 -- one\n; SELECT a FROM t; SELECT 2 -- two";
        let tree = pg::parse(sql).expect("parses");
        let options = DeparseOptions::default().pretty_print(true);
        let print = |options| pg::deparse_with(&tree, options).expect("a layout");
        assert_eq!(print(options.clone()), "SELECT 1;\nSELECT a\nFROM t;\nSELECT 2;");
        assert_eq!(
            print(options.clone().trailing_newline(true)),
            "SELECT 1;\nSELECT a\nFROM t;\nSELECT 2;\n"
        );
        let text = print(options.comments(pg::comments(sql).expect("scans")));
        assert_eq!(pg::deparse(&pg::parse(&text).expect("parses")), pg::deparse(&tree));
        assert!(text.contains("-- one\n") && text.contains("-- two\n"), "{text}");
    } else {
        let error = printed.expect_err("no layout");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(NAME.trim_start_matches("pg")), "{error}");
    }
}

#[test]
fn comments_are_found() {
    let comments = pg::comments("SELECT 1 -- one\n, /* two */ 2").expect("scans");
    let texts: Vec<_> = comments.iter().map(|comment| &*comment.text).collect();
    assert_eq!(texts, ["-- one", "/* two */"]);
}

#[test]
fn deep_statements_are_parsed_or_refused() {
    for levels in [1_000, 100_000] {
        let sql = format!("SELECT 1{}", " + 1".repeat(levels));
        match pg::parse(&sql) {
            Ok(tree) => assert!(pg::deparse(&tree).expect("prints").ends_with(" + 1")),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TooDeep);
                assert!(levels > 1_000);
            }
        }
    }
}
