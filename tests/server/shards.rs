//! The values of a column: random statements, each run on the shards that its values name, and on all of them. The result is the
//! same, and no other shard is changed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pg_ast::QualifiedName;
use pg_ast_names::{ColumnValue, DdlCatalog, NoCatalog, PossibleValues, column_values, define};

use super::connection::{Server, Session};
use super::number;
use super::shard_statements::Statements;

/// The tables, which are sharded by `k`: `c` has it as its key, `d` another column.
const SCHEMA: &str = "CREATE TABLE a (k int, v int); CREATE TABLE b (v int, k int); \
    CREATE TABLE c (k int PRIMARY KEY, v int); CREATE TABLE d (v int PRIMARY KEY, k int)";
const TABLES: [&str; 4] = ["a", "b", "c", "d"];
const SHARDS: i64 = 4;

/// Rows without a key are on the first shard.
fn shard(value: &ColumnValue) -> Option<i64> {
    match value {
        ColumnValue::Integer(number) => Some(number.rem_euclid(SHARDS)),
        ColumnValue::Null => Some(0),
        _ => None,
    }
}

/// Returns the shards that a statement needs; `None` for all of them.
fn shards(sql: &str, catalog: Option<&DdlCatalog>) -> Option<BTreeSet<i64>> {
    let tree = pg_ast::view::parse(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
    let mut named = BTreeSet::new();
    for table in TABLES {
        let table = QualifiedName::new("public", table);
        let found = match catalog {
            Some(catalog) => column_values(&tree, &table, "k", catalog),
            None => column_values(&tree, &table, "k", &NoCatalog),
        };
        for used in &found.uses {
            let PossibleValues::These(values) = &used.values else { return None };
            for value in values.iter() {
                named.insert(shard(value)?);
            }
        }
    }
    Some(named)
}

/// Runs a statement on some shards; returns its rows and those of the tables afterwards.
fn run(session: &mut Session, sql: &str, on: Option<&str>) -> Option<Vec<Vec<String>>> {
    let mut texts = "BEGIN;".to_owned();
    for table in TABLES.into_iter().filter(|_| on.is_some()) {
        let _ = write!(
            texts,
            "DELETE FROM {table} WHERE coalesce(k, 0) % {SHARDS} NOT IN ({});",
            on.unwrap_or_default()
        );
    }
    let _ = write!(texts, "{sql};");
    for table in TABLES {
        let _ = write!(texts, "SELECT '{table}', k, v FROM {table};");
    }
    let rows = session.query(&(texts + "ROLLBACK")).ok();
    if rows.is_none() {
        session.query("ROLLBACK").expect("the transaction ends");
    }
    rows
}

/// Compares random statements; returns those whose result differs.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut catalog = DdlCatalog::new();
    define(&pg_ast::parse(SCHEMA).expect("the schema"), &mut catalog);
    server.query(SCHEMA).expect("the tables");
    let mut statements = Statements::new(number("SHARDS_SEED", 1), major);
    let count = number("SHARDS", 12_000);
    let (mut compared, mut on_one, mut failed) = (0, 0, 0);
    let mut mistakes = Vec::new();
    for round in 0..count {
        if round % 500 == 0 {
            server.query(&statements.data()).expect("the rows");
        }
        let sql = statements.next();
        let with_catalog = round % 4 != 0;
        let Some(named) = shards(&sql, with_catalog.then_some(&catalog)) else { continue };
        if (0..SHARDS).all(|shard| named.contains(&shard)) {
            continue;
        }
        let list: Vec<_> = named.iter().map(ToString::to_string).collect();
        let list = if list.is_empty() { "-1".to_owned() } else { list.join(", ") };
        let Some(mut on_all) = run(server, &sql, None) else {
            failed += 1;
            continue;
        };
        compared += 1;
        on_one += usize::from(named.len() == 1);
        let Some(mut on_some) = run(server, &sql, Some(&list)) else {
            mistakes.push(format!("{sql}: fails on shards {list}"));
            continue;
        };
        for table in TABLES {
            let others = format!(
                "SELECT '{table}', k, v FROM {table} WHERE coalesce(k, 0) % {SHARDS} NOT IN ({list})"
            );
            on_some.extend(server.query(&others).expect("the other shards"));
        }
        on_all.sort();
        on_some.sort();
        if on_all != on_some {
            mistakes.push(format!(
                "{sql}: has another result on shards {list} (catalog: {with_catalog})"
            ));
        }
    }
    println!(
        "PostgreSQL {major}: {count} statements on shards, {compared} compared ({on_one} on one), {failed} failed, {} differ",
        mistakes.len()
    );
    if compared * 8 < count {
        mistakes.push(format!("only {compared} of {count} statements on shards are compared"));
    }
    mistakes
}
