//! Programs written for pg_query 6, and for PgDog's fork: only the name of the crate is another one.
#![cfg(feature = "v6")]
// The code is as it was written for pg_query.
#![allow(clippy::borrowed_box, clippy::explicit_into_iter_loop, clippy::items_after_statements)]

use std::collections::HashMap;
use std::thread;

use pg_ast_compat::v6 as pg_query;
use pg_query::protobuf::a_const::Val;
use pg_query::protobuf::{
    self, DropBehavior, KeywordKind, ObjectType, RangeVar, ResTarget, SelectStmt, Token,
};
use pg_query::{
    Context, Error, LockMode, Node, NodeEnum, NodeMut, NodeRef, ParseResult, Result, TriggerType,
};
use prost::Message;

fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort();
    values
}

#[test]
fn nodes_have_the_boxes_of_pg_query() -> Result<()> {
    let result = pg_query::parse("SELECT a.b FROM s.t AS a WHERE NOT c")?;
    let stmt = result.protobuf.stmts[0].stmt.as_ref().unwrap();
    let Some(NodeEnum::SelectStmt(select)) = &stmt.node else { panic!() };
    let select: &Box<SelectStmt> = select;
    if let Some(NodeEnum::RangeVar(RangeVar { relname, schemaname, alias: Some(alias), .. })) =
        select.from_clause[0].node.as_ref()
    {
        assert_eq!(
            (schemaname.as_str(), relname.as_str(), alias.aliasname.as_str()),
            ("s", "t", "a")
        );
    } else {
        panic!();
    }
    let Some(NodeEnum::BoolExpr(not)) = &select.where_clause.as_ref().unwrap().node else {
        panic!()
    };
    let _: &Box<protobuf::BoolExpr> = not;

    // A tree that is taken apart, and one that is put together.
    let ParseResult { protobuf, tables, .. } = result;
    assert_eq!(tables, [("s.t".to_owned(), Context::Select)]);
    let stmt = protobuf.stmts.into_iter().next().and_then(|stmt| stmt.stmt).unwrap();
    match stmt.node {
        Some(NodeEnum::SelectStmt(select)) => {
            let SelectStmt { mut target_list, .. } = *select;
            let target = target_list.remove(0);
            let Some(NodeEnum::ResTarget(target)) = target.node else { panic!() };
            let target: ResTarget = *target;
            assert!(target.name.is_empty());
        }
        _ => unreachable!(),
    }
    let created = NodeEnum::CreateStmt(protobuf::CreateStmt {
        relation: Some(RangeVar { relname: "t".to_string(), inh: true, ..Default::default() }),
        ..Default::default()
    });
    assert_eq!(created.deparse()?, "CREATE TABLE t ()");
    assert_eq!(Node { node: Some(created) }.deparse()?, "CREATE TABLE t ()");
    Ok(())
}

#[test]
fn nodes_come_level_by_level_with_depth_context_and_filter() -> Result<()> {
    let result = pg_query::parse("INSERT INTO t SELECT a FROM u WHERE b = f(c)")?;
    let nodes = result.protobuf.nodes();
    let seen: Vec<_> = nodes
        .iter()
        .map(|(node, depth, context, filters)| {
            let name = match node {
                NodeRef::InsertStmt(_) => "insert",
                NodeRef::SelectStmt(_) => "select",
                NodeRef::RangeVar(v) => v.relname.as_str(),
                NodeRef::ResTarget(_) => "target",
                NodeRef::AExpr(_) => "expr",
                NodeRef::ColumnRef(_) => "column",
                NodeRef::FuncCall(_) => "call",
                other => panic!("{other:?}"),
            };
            (name, *depth, *context, *filters)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("insert", 1, Context::None, false),
            ("select", 2, Context::DML, false),
            ("t", 2, Context::DML, false),
            ("target", 3, Context::Select, false),
            ("expr", 3, Context::Select, true),
            ("u", 3, Context::Select, false),
            ("column", 4, Context::Select, false),
            ("column", 4, Context::Select, true),
            ("call", 4, Context::Select, true),
            ("column", 5, Context::Select, true),
        ]
    );
    assert_eq!(nodes[1].0.deparse()?, "SELECT a FROM u WHERE b = f(c)");
    assert_eq!(nodes[1].0.to_enum().nodes().len(), 8);
    assert!(matches!(nodes[0].0.to_enum().to_ref(), NodeRef::InsertStmt(_)));
    Ok(())
}

#[test]
fn nodes_can_be_changed_through_pointers() -> Result<()> {
    let mut result = pg_query::parse("UPDATE t SET a = 1 FROM u WHERE t.x = u.x")?;
    // SAFETY: the pointers are used one at a time, and no node is replaced.
    unsafe {
        for (node, _depth, context) in result.protobuf.nodes_mut().into_iter() {
            match node {
                NodeMut::RangeVar(v) if context == Context::DML => {
                    let v = v.as_mut().ok_or(Error::InvalidPointer)?;
                    v.schemaname = "s".to_owned();
                }
                NodeMut::AConst(c) => {
                    let c = c.as_mut().unwrap();
                    c.val = Some(Val::Ival(protobuf::Integer { ival: 2 }));
                    assert!(matches!(node.to_enum()?, NodeEnum::AConst(_)));
                }
                _ => (),
            }
        }
    }
    assert_eq!(result.deparse()?, "UPDATE s.t SET a = 2 FROM u WHERE t.x = u.x");
    assert_eq!(NodeMut::RangeVar(std::ptr::null_mut()).to_enum(), Err(Error::InvalidPointer));

    let mut table = RangeVar { relname: "t".to_owned(), ..RangeVar::default() };
    assert!(matches!(table.to_mut(), NodeMut::RangeVar(_)));
    assert!(
        matches!(table.to_ref(), NodeRef::RangeVar(RangeVar { relname, .. }) if relname == "t")
    );
    Ok(())
}

#[test]
fn statements_are_analysed_as_by_pg_query() -> Result<()> {
    let result = pg_query::parse(
        "WITH c AS (SELECT * FROM x) SELECT f(y.a), s.g(1) FROM s.y AS y JOIN c ON c.i = y.i WHERE y.b = 1 AND d = 2",
    )?;
    assert_eq!(sorted(result.tables()), ["s.y", "x"]);
    assert_eq!(sorted(result.select_tables()), ["s.y", "x"]);
    assert!(result.dml_tables().is_empty() && result.ddl_tables().is_empty());
    assert_eq!(result.cte_names, ["c"]);
    assert_eq!(result.aliases, HashMap::from([("y".to_owned(), "s.y".to_owned())]));
    assert_eq!(sorted(result.functions()), ["f", "s.g"]);
    assert_eq!(sorted(result.call_functions()), ["f", "s.g"]);
    assert_eq!(
        sorted(result.filter_columns.clone()),
        [(None, "d".to_owned()), (Some("y".to_owned()), "b".to_owned())]
    );
    assert_eq!(result.statement_types(), ["SelectStmt"]);

    let tables = |sql| {
        pg_query::parse(sql).map(|mut result| {
            result.tables.sort_by(|a, b| a.0.cmp(&b.0));
            result.tables
        })
    };
    let table = |name: &str, context| (name.to_owned(), context);
    // What is read by COPY counts as written, and where a view is dropped, nothing does.
    assert_eq!(tables("COPY t TO stdout")?, [table("t", Context::DML)]);
    assert_eq!(tables("DROP VIEW v")?, []);
    assert_eq!(
        tables("DROP TABLE a.b, c")?,
        [table("a.b", Context::DDL), table("c", Context::DDL)]
    );
    assert_eq!(tables("DROP TRIGGER x ON a.b")?, [table("a.b", Context::DDL)]);
    assert_eq!(
        tables("CREATE TABLE a AS SELECT * FROM b")?,
        [table("a", Context::DDL), table("b", Context::Select)]
    );
    assert_eq!(
        tables("GRANT SELECT ON a, b TO c")?,
        [table("a", Context::DDL), table("b", Context::DDL)]
    );

    let functions = |sql| pg_query::parse(sql).map(|result| sorted(result.ddl_functions()));
    assert_eq!(functions("DROP FUNCTION f(int), g")?, ["f"]);
    assert_eq!(functions("ALTER FUNCTION f(int) RENAME TO g")?, ["f", "g"]);
    assert_eq!(functions("CREATE FUNCTION s.f() RETURNS int LANGUAGE sql AS 'x'")?, ["s"]);
    let types = pg_query::parse(
        "CREATE LANGUAGE l HANDLER h; SET x = 1; VACUUM; ALTER DATABASE d REFRESH COLLATION VERSION",
    )?;
    assert_eq!(types.statement_types(), ["CreatePLangStmt", "VariableSetStmt", "VacuumStmt"]);
    Ok(())
}

#[test]
fn errors_are_those_of_the_calls() {
    let syntax = || "syntax error at or near \"FORM\"".to_owned();
    let error = pg_query::parse("SELECT * FORM t").unwrap_err();
    assert_eq!(error, Error::Parse(syntax()));
    assert_eq!(error.to_string(), "Invalid statement: syntax error at or near \"FORM\"");
    assert_eq!(pg_query::normalize("SELECT * FORM t"), Err(Error::Parse(syntax())));
    assert_eq!(pg_query::split_with_parser("SELECT * FORM t"), Err(Error::Split(syntax())));
    assert!(matches!(pg_query::fingerprint("SELECT * FORM t"), Err(Error::Parse(_))));
    assert!(matches!(pg_query::summary("SELECT * FORM t", -1), Err(Error::Parse(_))));
    assert!(matches!(pg_query::scan("SELECT 'a"), Err(Error::Scan(_))));
    assert!(matches!(pg_query::split_with_scanner("SELECT 'a"), Err(Error::Split(_))));
    assert!(matches!(pg_query::parse_plpgsql("SELECT FROM FROM"), Err(Error::Parse(_))));

    let error = pg_query::parse("SELECT \0").unwrap_err();
    assert!(matches!(&error, Error::Conversion(nul) if nul.nul_position() == 7));
    assert!(pg_query::scan("SELECT \0").is_err() && pg_query::normalize("\0").is_err());

    fn decode(bytes: &[u8]) -> Result<protobuf::ParseResult> {
        std::ffi::CString::new("x")?;
        Ok(protobuf::ParseResult::decode(bytes)?)
    }
    assert!(matches!(decode(&[0xFF]), Err(Error::Decode(_))));
    let _: Box<dyn std::error::Error + Send + Sync> = error.into();
    // What is not a statement.
    assert!(matches!(RangeVar::default().to_ref().deparse(), Err(Error::Parse(_))));
    assert!(matches!(Node { node: None }.deparse(), Err(Error::Parse(_))));
}

#[test]
fn sql_is_truncated_as_by_pg_query() -> Result<()> {
    let cut = |sql, length| pg_query::parse(sql)?.truncate(length);
    let insert = "INSERT INTO \"x\" (a, b, c, d, e, f) VALUES ($1)";
    assert_eq!(cut(insert, 32)?, "INSERT INTO x (...) VALUES (...)");
    assert_eq!(cut("SELECT a, b, c FROM t", 100)?, "SELECT a, b, c FROM t");
    assert_eq!(cut("SELECT a, b, c, d, e FROM t WHERE x = 1", 27)?, "SELECT ... FROM t WHERE ...");
    assert_eq!(
        cut("WITH x AS (SELECT * FROM y) SELECT * FROM x", 40)?,
        "WITH x AS (...) SELECT * FROM x"
    );
    assert_eq!(
        cut("UPDATE t SET a = 1, b = 2, c = 3 WHERE d = 4", 32)?,
        "UPDATE t SET ... = ... WHERE ..."
    );
    assert_eq!(cut("CREATE TABLE a_table_with_a_name (b int)", 10)?, "CREATE ...");
    // pg_query panics on a limit that has no place for the dots.
    assert_eq!(cut("SELECT 1", 1)?, "...");
    let result = pg_query::parse(insert)?;
    assert_eq!(pg_query::truncate(&result.protobuf, 32)?, result.truncate(32)?);
    Ok(())
}

#[test]
fn texts_are_scanned_split_normalized_and_hashed() -> Result<()> {
    let scan = pg_query::scan("SELECT {a} -- b")?;
    assert_eq!(scan.version, i32::try_from(pg_query::PG_VERSION_NUM).unwrap());
    let token = &scan.tokens[0];
    assert_eq!(
        format!("{token:?}"),
        "ScanToken { start: 0, end: 6, token: Select, keyword_kind: ReservedKeyword }"
    );
    assert_eq!(token.token(), Token::Select);
    assert_eq!(KeywordKind::try_from(token.keyword_kind), Ok(KeywordKind::ReservedKeyword));
    let numbers: Vec<_> = scan.tokens.iter().map(|token| token.token).collect();
    // A character that is no token has its own number.
    assert_eq!(numbers[1..4], [123, Token::Ident as i32, 125]);
    assert_eq!(scan.tokens[4].token(), Token::SqlComment);

    let sql = "select /*;*/ 1; asdf; select (2; 3); select 4)";
    assert_eq!(pg_query::split_with_scanner(sql)?, ["select /*;*/ 1", " select (2; 3)"]);
    let sql = "select 1; select 2;";
    assert_eq!(pg_query::split_with_parser(sql)?, ["select 1", " select 2"]);

    assert_eq!(pg_query::normalize("SELECT 'a', $2")?, "SELECT $3, $2");
    let (a, b) = (pg_query::fingerprint("SELECT 1")?, pg_query::fingerprint_raw("select 2")?);
    assert_eq!((a.value, a.hex.as_str()), (b.value, "50fde20626009aba"));
    assert_eq!(a.hex, format!("{:016x}", a.value));
    Ok(())
}

#[test]
fn functions_in_plpgsql_are_json() -> Result<()> {
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$";
    let functions: serde_json::Value = pg_query::parse_plpgsql(sql)?;
    assert!(functions[0]["PLpgSQL_function"]["action"].is_object());
    Ok(())
}

/// Nothing more than what `pg_query` 6 writes, and an expression for what is returned.
#[test]
fn functions_in_plpgsql_have_the_form_of_pg_query() -> Result<()> {
    let sql = "
        CREATE FUNCTION label(name varchar, total numeric(5, 2)) RETURNS varchar AS '
        DECLARE
            found_one jsonb := 1;
            \"V\" int;
        BEGIN
            NULL;
            IF name IS NULL THEN
                RETURN name;
            END IF;
            SELECT b INTO found_one FROM t;
            RETURN /* this */ \"V\" ;
        END
        ' LANGUAGE plpgsql; DO $$ BEGIN EXCEPTION WHEN others THEN NULL; END $$";
    let functions = pg_query::parse_plpgsql(sql)?;
    let var = |name: &str, ty: &str| serde_json::json!({"PLpgSQL_var": {"refname": name, "datatype": {"PLpgSQL_type": {"typname": ty}}}});
    let datums = functions[0]["PLpgSQL_function"]["datums"].as_array().expect("variables");
    assert_eq!(datums[0], var("name", "pg_catalog.\"varchar\""));
    assert_eq!(datums[1], var("total", "pg_catalog.\"numeric\""));
    assert_eq!(datums[2], var("found", "pg_catalog.\"boolean\""));
    let expr = |query: &str| serde_json::json!({"PLpgSQL_expr": {"query": query, "parseMode": 2}});
    let row = serde_json::json!({"PLpgSQL_row": {
        "refname": "(unnamed row)", "lineno": 10, "fields": [{"name": "found_one", "varno": 3}],
    }});
    assert_eq!(
        functions[0]["PLpgSQL_function"]["action"],
        serde_json::json!({"PLpgSQL_stmt_block": {"lineno": 5, "body": [
            {"PLpgSQL_stmt_if": {
                "lineno": 7,
                "cond": expr("name IS NULL"),
                "then_body": [{"PLpgSQL_stmt_return": {"lineno": 8, "expr": expr("name")}}],
            }},
            {"PLpgSQL_stmt_execsql": {
                "lineno": 10,
                "into": true,
                "sqlstmt": {"PLpgSQL_expr": {"query": "SELECT b                FROM t", "parseMode": 0}},
                "target": row,
            }},
            {"PLpgSQL_stmt_return": {"lineno": 11, "expr": expr("\"V\"")}},
        ]}})
    );
    assert_eq!(
        functions[1]["PLpgSQL_function"]["action"]["PLpgSQL_stmt_block"]["body"][1],
        serde_json::json!({"PLpgSQL_stmt_return": {}})
    );
    Ok(())
}

#[test]
fn summaries_have_the_details() -> Result<()> {
    use pg_query::protobuf::summary_result;

    let result = pg_query::summary("SELECT s.f(a) FROM s.t AS x WHERE x.b = 1", 30)?;
    let table = &result.tables[0];
    assert_eq!(
        (table.name.as_str(), table.schema_name.as_str(), table.table_name.as_str()),
        ("s.t", "s", "t")
    );
    assert_eq!(table.context, summary_result::Context::Select);
    let function = &result.functions[0];
    assert_eq!(
        (function.function_name.as_str(), function.schema_name.as_deref()),
        ("f", Some("s"))
    );
    let filter = &result.filter_columns[0];
    assert_eq!((filter.table_name.as_deref(), filter.column.as_str()), (Some("x"), "b"));
    assert_eq!(result.aliases["x"], "s.t");
    assert_eq!(result.statement_types(), ["SelectStmt"]);
    assert_eq!(
        (result.tables(), result.select_tables()),
        (vec!["s.t".to_owned()], vec!["s.t".to_owned()])
    );
    assert_eq!(result.call_functions(), ["s.f"]);
    assert_eq!(result.truncated_query.len(), 30);
    assert_eq!(result.protobuf.tables[0].table_name, "t");
    assert_eq!(pg_query::summary("SELECT 1", -1)?.truncated_query, "");
    assert_eq!(pg_query::SummaryResult::new(result.protobuf.clone(), String::new()), result);
    Ok(())
}

#[test]
fn the_calls_of_the_fork_are_there() -> Result<()> {
    let sql = "SELECT a FROM t";
    let result = pg_query::parse_raw(sql)?;
    assert_eq!(result.protobuf, pg_query::parse(sql)?.protobuf);
    assert_eq!(pg_query::parse_raw_with_stack(sql, 1 << 20)?.protobuf, result.protobuf);
    assert_eq!(result.deparse_raw()?, sql);
    assert_eq!(result.protobuf.deparse_raw()?, sql);
    assert_eq!(pg_query::deparse_raw(&result.protobuf)?, sql);
    assert_eq!(pg_query::deparse_raw_with_stack(&result.protobuf, 1 << 20)?, sql);
    let node = result.protobuf.stmts[0].stmt.as_ref().unwrap();
    assert_eq!(node.deparse_raw()?, sql);
    assert_eq!(node.node.as_ref().unwrap().deparse_raw()?, sql);
    assert_eq!(result.protobuf.nodes()[0].0.deparse_raw()?, sql);
    let mut changed = result.protobuf.clone();
    // SAFETY: the tree lives as long as the node, and nothing else borrows it.
    let (node, ..) = unsafe { changed.nodes_mut() }.remove(0);
    assert_eq!(node.deparse_raw()?, sql);
    assert_eq!(pg_query::scan_raw(sql)?, pg_query::scan(sql)?);
    assert_eq!(result.protobuf.version, i32::try_from(pg_query::PG_VERSION_NUM).unwrap());
    Ok(())
}

#[test]
fn warnings_are_lines() -> Result<()> {
    let result = pg_query::parse("CREATE GLOBAL TEMP TABLE t ()")?;
    assert_eq!(result.warnings, ["WARNING:  GLOBAL is deprecated in temporary table creation"]);
    let stderr = "WARNING:  a \nHINT:  b\n".to_owned();
    assert_eq!(ParseResult::new(result.protobuf, stderr).warnings, ["WARNING:  a"]);
    Ok(())
}

#[test]
fn messages_are_those_of_prost_and_serde() -> Result<()> {
    let tree = pg_query::parse("DROP TABLE t CASCADE; LOCK TABLE t IN ACCESS SHARE MODE")?.protobuf;
    let read = protobuf::ParseResult::decode(tree.encode_to_vec().as_slice())?;
    assert_eq!(read, tree);
    let NodeRef::DropStmt(drop) = tree.nodes()[0].0 else { panic!() };
    assert_eq!(
        (drop.behavior(), drop.remove_type()),
        (DropBehavior::DropCascade, ObjectType::ObjectTable)
    );
    #[allow(deprecated)]
    let behavior = DropBehavior::from_i32(drop.behavior);
    assert_eq!(behavior, Some(DropBehavior::DropCascade));
    assert_eq!(DropBehavior::DropCascade.as_str_name(), "DROP_CASCADE");
    let NodeRef::LockStmt(lock) = tree.nodes()[1].0 else { panic!() };
    assert_eq!(LockMode::try_from(lock.mode), Ok(LockMode::AccessShareLock));
    assert_eq!(TriggerType::Instead as i32, 64);

    let json = serde_json::to_value(&tree).unwrap();
    assert_eq!(json["stmts"][0]["stmt"]["node"]["DropStmt"]["behavior"], 2);
    assert_eq!(serde_json::to_value(Context::DML).unwrap(), "DML");
    assert!(serde_json::to_value(pg_query::scan("SELECT")?).unwrap()["tokens"].is_array());
    Ok(())
}

#[test]
fn deep_statements_need_little_stack() {
    let nested = |levels| format!("SELECT {}1{}", "f(".repeat(levels), ")".repeat(levels));
    let sql = nested(300);
    let deparsed = thread::Builder::new().stack_size(256 * 1024).spawn(move || {
        let result = pg_query::parse(&sql).unwrap();
        (result.deparse().unwrap() == sql, result.functions())
    });
    assert_eq!(deparsed.unwrap().join().unwrap(), (true, vec!["f".to_owned()]));

    let error = pg_query::parse(&nested(3_000)).unwrap_err();
    assert!(matches!(error, Error::Decode(_)));
    assert!(error.to_string().ends_with("recursion limit reached"), "{error}");
}
