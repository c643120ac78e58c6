//! Programs written for pg_query 18: what differs from `tests/v6.rs`, which has the rest.
#![cfg(feature = "v18")]
// The code is as it was written for pg_query.
#![allow(clippy::default_trait_access)]

use pg_ast_compat::v18 as pg_query;
use pg_query::{
    DeparseComment, DeparseOptions, Error, FingerprintOptions, NodeEnum, NodeRef, ParserOptions,
    Result,
};

#[test]
fn options_are_constants_or_numbers() -> Result<()> {
    assert_eq!(pg_query::parse("SELECT * FROM t", 0)?.tables(), ["t"]);
    assert_eq!(pg_query::parse("SELECT 1", 0_u32)?.statement_types(), ["SelectStmt"]);
    let options = ParserOptions::PLPGSQL_EXPR | ParserOptions::DISABLE_ESCAPE_STRING_WARNING;
    assert_eq!((options.bits(), ParserOptions::DEFAULT.bits()), (66, 0));
    let result = pg_query::parse("a + 1", options)?;
    assert!(matches!(result.protobuf.nodes()[0].0, NodeRef::SelectStmt(_)));
    let mut options = ParserOptions::from(32);
    assert_eq!(pg_query::parse(r"SELECT 'a\\b'", options)?.warnings.len(), 1);
    options |= ParserOptions::DISABLE_ESCAPE_STRING_WARNING;
    assert!(pg_query::parse(r"SELECT 'a\\b'", options)?.warnings.is_empty());
    assert!(matches!(
        pg_query::parse(r"SELECT E'a\'b'", ParserOptions::DISABLE_BACKSLASH_QUOTE),
        Err(Error::Parse(message)) if message.starts_with("unsafe use")
    ));
    Ok(())
}

#[test]
fn statements_are_printed_in_layouts() -> Result<()> {
    let sql = "SELECT a, b FROM t -- all\n";
    let result = pg_query::parse(sql, 0)?;
    let comments: Vec<DeparseComment> = pg_query::deparse_comments_for_query(sql)?;
    assert_eq!((comments[0].text.as_str(), comments[0].newlines_after_comment), ("-- all", 0));
    let options = DeparseOptions { comments, pretty_print: true, ..Default::default() };
    let printed = pg_query::deparse(&result.protobuf, options.clone())?;
    assert!(printed.starts_with("SELECT a, b\nFROM t") && printed.contains("-- all"), "{printed}");
    assert_eq!(result.deparse(options.clone())?, printed);
    assert_eq!(result.protobuf.deparse(options)?, printed);

    let stmt = result.protobuf.stmts[0].stmt.as_ref().unwrap();
    let plain = "SELECT a, b FROM t";
    assert_eq!(stmt.deparse(DeparseOptions::default())?, plain);
    assert_eq!(stmt.node.as_ref().unwrap().deparse(Default::default())?, plain);
    assert_eq!(result.protobuf.nodes()[0].0.deparse(Default::default())?, plain);

    let comments = vec![DeparseComment { text: "/* \0 */".to_owned(), ..Default::default() }];
    let options = DeparseOptions { comments, ..Default::default() };
    assert!(matches!(result.deparse(options), Err(Error::Conversion(_))));
    Ok(())
}

#[test]
fn fingerprints_have_options() -> Result<()> {
    let hex = |sql, options: FingerprintOptions| {
        Ok::<_, Error>(pg_query::fingerprint(sql, 0, options)?.hex)
    };
    let (a, b) = ("SELECT * FROM s.orders_2024_01 AS o", "SELECT * FROM r.orders_2024_02 AS o");
    assert_eq!(hex(a, FingerprintOptions::DEFAULT)?, hex(b, 0.into())?);
    assert_ne!(
        hex(a, FingerprintOptions::RANGEVAR_PG17_COMPAT)?,
        hex(b, FingerprintOptions::RANGEVAR_PG17_COMPAT)?
    );
    let options = FingerprintOptions::RANGEVAR_IGNORE_ALIASES | FingerprintOptions::FULL_RELNAME;
    assert_ne!(hex(a, options)?, hex(b, options)?);
    assert_eq!(options.bits(), 17);
    Ok(())
}

#[test]
fn the_new_calls_are_there() -> Result<()> {
    assert_eq!(pg_query::is_utility_stmt("SELECT 1; SHOW fsync")?, [false, true]);
    assert!(matches!(pg_query::is_utility_stmt("SELEC 1"), Err(Error::IsUtility(_))));
    assert_eq!(pg_query::scan_tokens("SELECT a {")?, pg_query::scan("SELECT a {")?.tokens);
    let result = pg_query::summary("SELECT a, b, c FROM t", 0, 15)?;
    assert_eq!(
        (result.tables(), result.truncated_query.as_str()),
        (vec!["t".to_owned()], "SELECT ... F...")
    );
    Ok(())
}

#[test]
fn trees_are_those_of_18() -> Result<()> {
    let result = pg_query::parse("UPDATE t SET a = 1, b = 2 WHERE c RETURNING old.a", 0)?;
    let NodeRef::UpdateStmt(update) = result.protobuf.nodes()[0].0 else { panic!() };
    let returning = update.returning_clause.as_ref().unwrap();
    assert!(matches!(returning.exprs[0].node, Some(NodeEnum::ResTarget(_))));
    assert_eq!(result.truncate(48)?, "UPDATE t SET ... = ... WHERE c RETURNING old.a");
    assert_eq!(result.protobuf.version / 10_000, 18);
    Ok(())
}
