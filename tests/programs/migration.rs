//! A program written for pg_query.rs 6 after its migration: `use pg_ast as pg_query` replaces the crate,
//! and where more had to be edited, a comment has the original code. MIGRATING.md has all such edits.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use pg_ast as pg_query;
use pg_query::protobuf::{self, KeywordKind, Token, a_const};
use pg_query::{
    Context, ErrorKind, Node, NodeEnum, NodeMut, NodeRef, ParseResult, QualifiedName, Result,
};

/// The data that a monitor keeps about a statement.
#[derive(Debug, PartialEq)]
struct Report {
    fingerprint: String,
    normalized: String,
    short: String,
    tables: Vec<String>,
    written: Vec<String>,
    functions: Vec<String>,
    filters: Vec<(Option<String>, String)>,
    types: Vec<String>,
}

fn report(sql: &str) -> Result<Report> {
    let result = pg_query::parse(sql)?;
    let plain =
        |names: Vec<QualifiedName>| names.iter().map(QualifiedName::plain).collect::<Vec<_>>();
    let mut tables = plain(result.tables()); // plain
    tables.sort();
    Ok(Report {
        fingerprint: pg_query::fingerprint(sql)?.hex(), // .hex
        normalized: pg_query::normalize(sql)?,
        short: result.deparse_truncated(40)?,
        tables,
        written: plain(result.dml_tables()),
        functions: plain(result.call_functions()),
        filters: result.filter_columns(), // .filter_columns
        types: result.statement_types().iter().map(ToString::to_string).collect(),
    })
}

/// Counts the kinds of nodes in a statement.
fn count(result: &ParseResult) -> HashMap<&'static str, usize> {
    let mut counts = HashMap::new();
    // (node, _depth, _context, _has_filter_columns)
    for node in result.protobuf.nodes() {
        let kind = match node {
            NodeRef::SelectStmt(select) if select.op() == protobuf::SetOperation::SetopNone => {
                "select"
            }
            NodeRef::SelectStmt(_) => "set operation",
            NodeRef::JoinExpr(join) if join.jointype() == protobuf::JoinType::JoinLeft => {
                "left join"
            }
            NodeRef::RangeVar(table) if table.alias.is_some() => "table with alias",
            NodeRef::SubLink(_) => "subselect",
            _ => continue,
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

/// Returns the first statement's conditions, joined by `AND`.
fn conditions(result: &ParseResult) -> Vec<&Node> {
    let stmt = result.protobuf.stmts[0].stmt.as_ref().and_then(|stmt| stmt.node.as_ref());
    let Some(NodeEnum::SelectStmt(select)) = stmt else { return Vec::new() };
    match select.where_clause.as_deref() {
        Some(Node { node: Some(NodeEnum::BoolExpr(and)) }) => and.args.iter().collect(),
        Some(condition) => vec![condition],
        None => Vec::new(),
    }
}

/// Replaces strings by stars, and adds a schema to tables.
fn redact(mut result: ParseResult) -> Result<String> {
    // unsafe { for (node, _, _) in result.protobuf.nodes_mut() { .. } }
    let _ = result.protobuf.walk_mut(|node| {
        match node {
            // constant.as_mut().unwrap()
            NodeMut::AConst(constant) => {
                if let Some(a_const::Val::Sval(text)) = &mut constant.val {
                    text.sval = "***".into();
                }
            }
            NodeMut::RangeVar(table) => table.schemaname = "tenant".into(),
            _ => (),
        }
        ControlFlow::<()>::Continue(())
    });
    result.deparse()
}

/// `SELECT column FROM table`, built by hand.
fn select(column: &str, table: &str) -> Result<String> {
    let name = protobuf::String { sval: column.to_owned() };
    let column = protobuf::ColumnRef {
        fields: vec![Node { node: Some(NodeEnum::String(name)) }],
        location: 0,
    };
    let target = protobuf::ResTarget {
        val: Some(Box::new(Node { node: Some(NodeEnum::ColumnRef(column)) })),
        ..Default::default()
    };
    let table = protobuf::RangeVar {
        relname: table.to_owned(),
        inh: true,
        relpersistence: "p".to_owned(),
        ..Default::default()
    };
    let stmt = protobuf::SelectStmt {
        target_list: vec![Node::from(target)], // NodeEnum::ResTarget(Box::new(target))
        from_clause: vec![Node::from(table)],  // NodeEnum::RangeVar(table)
        ..Default::default()
    };
    NodeEnum::SelectStmt(Box::new(stmt)).deparse()
}

/// Returns SQL with its keywords in upper case and without its comments.
fn shout(sql: &str) -> Result<String> {
    let mut text = String::new();
    for token in pg_query::scan(sql)?.tokens {
        let word = &sql[token.start as usize..token.end as usize];
        // (token.token(), token.keyword_kind())
        match (token.token, token.keyword_kind) {
            (Token::CComment | Token::SqlComment, _) => {}
            (_, KeywordKind::NoKeyword) => write!(text, "{word} ").unwrap(),
            _ => write!(text, "{} ", word.to_uppercase()).unwrap(),
        }
    }
    text.pop();
    Ok(text)
}

#[test]
fn statements_are_reported() {
    let found = report("UPDATE s.t SET a = lower('X') WHERE t.id = 7 AND b IN (SELECT b FROM u)");
    let expected = Report {
        fingerprint: found.as_ref().unwrap().fingerprint.clone(),
        normalized: "UPDATE s.t SET a = lower($1) WHERE t.id = $2 AND b IN (SELECT b FROM u)"
            .into(),
        short: "UPDATE s.t SET a = lower('X') WHERE ...".into(),
        tables: vec!["s.t".into(), "u".into()],
        written: vec!["s.t".into()],
        functions: vec!["lower".into()],
        filters: vec![(Some("t".into()), "id".into()), (None, "b".into())],
        types: vec!["UpdateStmt".into()],
    };
    assert_eq!(found, Ok(expected));
    assert_eq!(report("SELECT 2").unwrap().fingerprint, "50fde20626009aba");

    // Err(Error::Parse(message))
    let error = report("SELECT FROM FROM").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert_eq!(error.message(), "syntax error at or near \"FROM\"");
}

#[test]
fn nodes_are_counted() {
    let sql = "SELECT (SELECT 1) FROM a x LEFT JOIN b USING (id) UNION SELECT 2";
    let counts = count(&pg_query::parse(sql).unwrap());
    assert_eq!(counts["select"], 3);
    for kind in ["set operation", "left join", "table with alias", "subselect"] {
        assert_eq!(counts[kind], 1, "{kind}");
    }
}

#[test]
fn trees_are_read_changed_and_built() {
    let result = pg_query::parse("SELECT * FROM t WHERE a = 'x' AND b").unwrap();
    assert_eq!(conditions(&result).len(), 2);
    let text = redact(result).unwrap();
    assert_eq!(text, "SELECT * FROM tenant.t WHERE a = '***' AND b");
    assert_eq!(select("a", "t").unwrap(), "SELECT a FROM t");
    assert_eq!(shout("select a /* b */ from t").unwrap(), "SELECT a FROM t");
}

#[test]
fn texts_are_split_and_summarized() {
    let sql = "select 1;;select ';'";
    assert_eq!(pg_query::split_with_parser(sql).unwrap(), ["select 1", "select ';'"]);
    assert_eq!(pg_query::split_with_scanner(sql).unwrap(), ["select 1", "select ';'"]);
    // pg_query::summary(sql, -1)
    let summary = pg_query::summary("INSERT INTO a SELECT * FROM b", None).unwrap();
    assert_eq!(summary.select_tables(), ["b"]);
    assert_eq!(summary.tables[0].context, Context::Dml);
}
