//! Summaries, SQL cut to a length and utility statements, compared with libpg_query's own.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::c_int;

use pg_ast::{Context, ParserOptions, Summary};
use prost::Message as _;

use super::pg::protobuf::{self, summary_result};
use super::pg::{self, NodeRef, ParseResult};
use super::raw::oracle as c;
use super::{MAJOR, NAME, c_route};
use crate::common::patched::patched_texts;
use crate::common::{corpus, on_thread};

/// The lengths to which each statement is cut.
const LIMITS: [usize; 5] = [0, 10, 30, 60, 120];

/// Errors of libpg_query, and the number of statements in
/// each version: field, reason, number in 17 and in 18.
const WRONG: &[(&str, &str, usize, usize)] = &[
    ("aliases", "the source of a MERGE", 75, 75),
    ("filter_columns", "columns after a subselect", 41, 41),
    ("functions", "DROP FUNCTION of several", 5, 5),
    ("functions", "RETURNING", 0, 17),
    ("statement_types", "RETURNING", 0, 2),
    ("statement_types", "a type it does not know", 1, 1),
    ("tables", "RETURNING", 0, 3),
    ("tables", "a table named like a WITH", 7, 0),
    ("tables", "the source of a MERGE", 105, 106),
];

/// The same for SQL cut to a length, for each of `LIMITS`.
const WRONG_CUTS: &[(&str, usize, usize)] = &[
    ("an empty string", 8, 8),
    ("an error about CURRENT OF", 48, 48),
    ("columns of INSERT that seem longer than they are", 339, 339),
];

/// Returns the summary of SQL; a limit of -1 leaves `truncated_query` empty.
fn c_summary(sql: &str, limit: c_int) -> Result<protobuf::SummaryResult, c_route::Error> {
    let call = |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::summary(sql, limit, out) };
    };
    c_route::bytes(sql, call, |bytes| {
        protobuf::SummaryResult::decode(bytes).expect("a summary decodes")
    })
}

fn c_is_utility_stmt(sql: &str) -> Result<Vec<bool>, c_route::Error> {
    let call = |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::is_utility_stmt(sql, out) };
    };
    c_route::bytes(sql, call, |bytes| bytes.iter().map(|&byte| byte == 1).collect())
}

fn statements() -> Vec<String> {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    statements
}

/// Counts over all statements, on two threads.
fn count<K: Ord + Send>(
    statements: &[String],
    check: impl Fn(&str, &mut BTreeMap<K, usize>) + Sync,
) -> BTreeMap<K, usize> {
    let check_all = |statements: &[String]| {
        let mut counts = BTreeMap::new();
        for sql in statements {
            check(sql, &mut counts);
        }
        counts
    };
    let (first, second) = statements.split_at(statements.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| check_all(second));
        let mut counts = check_all(first);
        for (key, count) in other.join().expect("no panic") {
            *counts.entry(key).or_default() += count;
        }
        counts
    })
}

fn of_version((of_17, of_18): (usize, usize)) -> usize {
    if MAJOR < 18 { of_17 } else { of_18 }
}

#[test]
fn utility_statements_are_those_of_c() {
    let mut count = 0;
    for sql in statements() {
        match c_is_utility_stmt(&sql) {
            Ok(theirs) => {
                assert_eq!(pg::is_utility_stmt(&sql).as_ref(), Ok(&theirs), "{sql}");
                let tree = pg::parse_with(&sql, ParserOptions::default().normalized(true));
                assert_eq!(tree.expect("parses").is_utility_stmt(), theirs, "{sql}");
                count += 1;
            }
            Err(theirs) => {
                let ours = pg::is_utility_stmt(&sql).expect_err("does not parse");
                assert_eq!(ours.message(), theirs.message, "{sql}");
            }
        }
    }
    assert!(count > 36_000, "{count}");
}

#[test]
fn summaries_are_those_of_c() {
    let counts = count(&statements(), |sql, counts| {
        let Ok(tree) = pg::parse(sql) else { return };
        let ours = fields(&pg::summary(sql, None).expect("a summary"));
        let theirs = c_fields(&c_summary(sql, -1).expect("a summary"));
        for ((field, ours), theirs) in ours.iter().zip(&theirs) {
            assert!(theirs.is_subset(ours), "{field} of {sql}\n{ours:?}\n{theirs:?}");
            if ours != theirs {
                let reason = reason(field, &tree).unwrap_or_else(|| {
                    panic!("{field} of {sql}\n{ours:?}\n{theirs:?}");
                });
                *counts.entry((*field, reason)).or_default() += 1;
            }
        }
    });
    let expected: BTreeMap<_, _> = WRONG
        .iter()
        .map(|&(field, reason, of_17, of_18)| ((field, reason), of_version((of_17, of_18))))
        .filter(|(_, count)| *count > 0)
        .collect();
    assert_eq!(counts, expected);
}

/// Returns the reason why libpg_query finds less than it should.
fn reason(field: &str, tree: &ParseResult) -> Option<&'static str> {
    let has = |name: &str| tree.protobuf.nodes().any(|node| node.name() == name);
    let drops_several = tree
        .protobuf
        .nodes()
        .any(|node| matches!(node, NodeRef::DropStmt(drop) if drop.objects.len() > 1));
    Some(match field {
        "tables" | "aliases" if has("MergeStmt") => "the source of a MERGE",
        // pg_query_raw_tree_walker_supports does not know it.
        "tables" | "functions" | "statement_types" if has("ReturningClause") => "RETURNING",
        // Before 18, any name of a WITH hid every table with that name.
        "tables" if MAJOR < 18 && has("WithClause") => "a table named like a WITH",
        "functions" if drops_several => "DROP FUNCTION of several",
        // The walk ends there, instead of skipping it.
        "filter_columns" if has("SubLink") => "columns after a subselect",
        "statement_types" if has("AlterDatabaseRefreshCollStmt") => "a type it does not know",
        _ => return None,
    })
}

type Fields = [(&'static str, BTreeSet<String>); 6];

fn fields(summary: &Summary) -> Fields {
    let context = |context| match context {
        Context::Select => "Select",
        Context::Dml => "Dml",
        Context::Ddl => "Ddl",
        Context::Call => "Call",
        other => panic!("{other:?}"),
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let tables = summary.tables.iter().map(|table| {
        let (name, context) = (&table.name, context(table.context));
        format!("{name} {:?} {} {context}", text(&name.schema), name.name)
    });
    let functions = summary.functions.iter().map(|function| {
        let (name, context) = (&function.name, context(function.context));
        format!("{} {:?} {} {context}", name.plain(), text(&name.schema), name.name)
    });
    let columns = summary.filter_columns.iter().map(|column| {
        let name = column.table.clone().unwrap_or_default();
        format!("{:?} {:?} {}", text(&name.schema), name.name, column.column)
    });
    let aliases = summary.aliases.iter().map(|(alias, name)| (alias, name.to_string()));
    [
        ("tables", tables.collect()),
        ("aliases", aliases.map(|alias| format!("{alias:?}")).collect()),
        ("cte_names", summary.cte_names.iter().cloned().collect()),
        ("functions", functions.collect()),
        ("filter_columns", columns.collect()),
        ("statement_types", summary.statement_types.iter().map(|&ty| ty.to_owned()).collect()),
    ]
}

fn c_fields(summary: &protobuf::SummaryResult) -> [BTreeSet<String>; 6] {
    let context = |context: summary_result::Context| format!("{context:?}");
    let tables = summary.tables.iter().map(|table| {
        let context = context(table.context());
        format!("{} {:?} {} {context}", table.name, table.schema_name, table.table_name)
    });
    let functions = summary.functions.iter().map(|function| {
        let context = context(function.context());
        let (schema, name) = (&function.schema_name, &function.function_name);
        // A database before the schema is left out.
        let full = if schema.is_empty() { name.clone() } else { format!("{schema}.{name}") };
        format!("{full} {schema:?} {name} {context}")
    });
    let columns = summary.filter_columns.iter().map(|column| {
        format!("{:?} {:?} {}", column.schema_name, column.table_name, column.column)
    });
    [
        tables.collect(),
        summary.aliases.iter().map(|alias| format!("{alias:?}")).collect(),
        summary.cte_names.iter().cloned().collect(),
        functions.collect(),
        columns.collect(),
        summary.statement_types.iter().cloned().collect(),
    ]
}

#[test]
fn texts_are_cut_as_in_c() {
    let patched: HashSet<_> = patched_texts(NAME).into_iter().map(|entry| entry.ours).collect();
    let counts = count(&statements(), |sql, counts| {
        let Ok(tree) = pg::parse(sql) else { return };
        let Ok(whole) = pg::deparse(&tree) else { return };
        assert_eq!(tree.deparse_truncated(whole.len()).as_ref(), Ok(&whole));
        // SQL that C cannot print, or prints wrong, is tested in tests/version/oracle.rs.
        if patched.contains(&whole) {
            return;
        }
        for limit in LIMITS {
            let ours =
                tree.deparse_truncated(limit).unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert!(ours.len() <= limit.max(3) || !ours.is_ascii(), "{limit}: {ours}");
            let theirs = c_summary(sql, c_int::try_from(limit).expect("small"));
            if theirs.as_ref().is_ok_and(|theirs| theirs.truncated_query == ours) {
                continue;
            }
            let reason = cut_reason(&tree, &whole, theirs.is_err()).unwrap_or_else(|| {
                panic!(
                    "{limit} of {sql}\n{ours}\n{:?}",
                    theirs.map(|theirs| theirs.truncated_query)
                );
            });
            *counts.entry(reason).or_default() += 1;
        }
    });
    let expected: BTreeMap<_, _> = WRONG_CUTS
        .iter()
        .map(|&(reason, of_17, of_18)| (reason, of_version((of_17, of_18))))
        .collect();
    assert_eq!(counts, expected);
}

/// Returns the reason why libpg_query cuts SQL differently.
fn cut_reason(tree: &ParseResult, whole: &str, is_error: bool) -> Option<&'static str> {
    let has = |is: fn(NodeRef<'_>) -> bool| tree.protobuf.nodes().any(|node| is(node));
    if is_error {
        // It prints each condition separately, which it cannot do with this one.
        let current_of = has(|node| matches!(node, NodeRef::CurrentOfExpr(_)));
        return current_of.then_some("an error about CURRENT OF");
    }
    if has(|node| matches!(node, NodeRef::InsertStmt(insert) if !insert.cols.is_empty())) {
        // It prints them with OVERRIDING USER VALUE, and counts that. pg_query.rs does not.
        return Some("columns of INSERT that seem longer than they are");
    }
    // The C tree distinguishes an empty string from NULL; a tree with Protobuf's schema does not.
    let empty = ["COMMENT ON", "SECURITY LABEL", "NOTIFY"];
    empty.iter().any(|start| whole.starts_with(start)).then_some("an empty string")
}

#[test]
fn no_text_lacks_a_name_for_its_parts() {
    let private: String = ('\u{E000}'..='\u{F8FF}').chain('\u{F0000}'..='\u{10FFFD}').collect();
    let names: Vec<_> = (0..5_000).map(|number| format!("pg_ast{number}_{number}")).collect();
    let names = names.join(" ");
    let some = [
        "pg_ast pg_ast1 pg_ast_ pg_astx_ pg_ast00",
        "pg_ast1_ pg_ast2_",
        "pg_ast1_pg_ast0_ pg_ast3_",
        "pg_ast00_ pg_ast99999999999999999999999_",
        "\"; SELECT pg_ast0_; SELECT pg_ast0_0",
    ];
    for literal in [private, names].into_iter().chain(some.map(|text| format!("{text:60}"))) {
        let sql = format!("SELECT 'é\u{E000}0\"', '{literal}' FROM t WHERE a = 1");
        let tree = pg::parse(&sql).expect("parses");
        assert_eq!(tree.deparse_truncated(10).as_deref(), Ok("SELECT ..."));
        assert_eq!(tree.deparse_truncated(40).as_deref(), Ok("SELECT ... FROM t WHERE a = 1"));
        let sql = format!("SELECT a, 'é\u{E000}0\"' FROM t WHERE b = '{literal}'");
        let whole = "SELECT a, 'é\u{E000}0\"' FROM t WHERE ...";
        assert_eq!(pg::parse(&sql).expect("parses").deparse_truncated(60).as_deref(), Ok(whole));
    }
}

#[test]
fn a_deep_statement_is_cut_on_a_small_stack() {
    let conditions = "a IN (SELECT b FROM t WHERE ".repeat(100);
    let sum = " + 1".repeat(3_000);
    let sql = format!("SELECT c FROM t WHERE {conditions}a = b{sum}{}", ")".repeat(100));
    on_thread(64 << 20, || {
        let tree = pg::parse(&sql).expect("parses");
        let depth = tree.nodes().with_depth().map(|(_, depth)| depth).max();
        assert!(depth > Some(3_000), "{depth:?}");
        on_thread(256 << 10, || {
            let text = tree.deparse_truncated(100).expect("a text");
            assert!(text.starts_with("SELECT c FROM t WHERE a IN (SELECT "), "{text}");
            assert!(text.len() <= 100);
        });
    });
}

#[test]
fn parts_of_a_returning_are_cut() {
    let mut differences = 0;
    for sql in [
        "DELETE FROM t WHERE a = 1 RETURNING (SELECT b, c, d FROM u WHERE e = 1 AND f = 2)",
        "UPDATE t SET a = 1 RETURNING ARRAY(SELECT b, c, d FROM u WHERE e = 1 AND f = 2)",
    ] {
        let tree = pg::parse(sql).expect("parses");
        for limit in 10..sql.len() {
            let theirs = c_summary(sql, c_int::try_from(limit).expect("small"));
            let theirs = theirs.expect("a summary").truncated_query;
            differences += usize::from(tree.deparse_truncated(limit).as_ref() != Ok(&theirs));
        }
    }
    // PostgreSQL 18's libpg_query does not check that.
    assert_eq!(differences > 0, MAJOR >= 18, "{differences}");
}
