//! Where values come from: random statements, run with the values of one column of a table changed. If a column of the result has
//! other values then, the changed column is one that it comes from, or that decides about the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pg_ast::QualifiedName;
use pg_ast_names::{DdlCatalog, Lineage, LineageOrigin, LineageSource, define, lineage};

use super::connection::{Server, Session};
use super::lineage_queries::Queries;
use super::number;

pub const TABLES: [(&str, [&str; 2]); 3] =
    [("t", ["k", "a"]), ("u", ["k", "b"]), ("w", ["a", "b"])];
const SCHEMA: &str =
    "CREATE TABLE t (k int, a int); CREATE TABLE u (k int, b int); CREATE TABLE w (a int, b int);
    CREATE TABLE s (k int, a int); CREATE TABLE c (k int PRIMARY KEY, a int)";
const ROWS: usize = 7;
/// How often each column gets other values.
const CHANGES: usize = 2;

fn values(queries: &mut Queries) -> Vec<String> {
    let one = |queries: &mut Queries| match queries.below(9) {
        0 => "NULL".to_owned(),
        number => (number / 2).to_string(),
    };
    (0..ROWS).map(|_| one(queries)).collect()
}

fn data(queries: &mut Queries) -> String {
    let mut sql = "TRUNCATE t, u, w, s, c; INSERT INTO c VALUES (0, 1), (1, 1), (3, 2);".to_owned();
    for (table, _) in TABLES {
        let rows = values(queries).into_iter().zip(values(queries));
        let rows: Vec<_> = rows.map(|(one, other)| format!("({one}, {other})")).collect();
        let _ = write!(sql, "INSERT INTO {table} VALUES {};", rows.join(", "));
    }
    sql
}

/// A statement that makes all values of a column negative. No other column has such values, and no query makes some.
fn negate(table: &str, column: &str) -> String {
    format!("UPDATE {table} SET {column} = -1000 - {column}")
}

/// A statement that gives a column other values.
fn change(queries: &mut Queries, table: &str, column: &str) -> String {
    if table == "c" {
        return format!("UPDATE c SET {column} = {column} + {}", 10 + queries.below(3));
    }
    // The rows are in their places in the first page.
    let values = values(queries).join(", ");
    format!(
        "UPDATE {table} SET {column} = (ARRAY[{values}])[(ctid::text::point)[1]::int + 1 - (SELECT min((ctid::text::point)[1]::int) FROM {table})]"
    )
}

/// Runs a statement, and returns the values of each column, in their order.
fn run(session: &mut Session, before: &str, sql: &str) -> Option<Vec<Vec<String>>> {
    let Ok(rows) = session.query(&format!("BEGIN; {before}; {sql}; ROLLBACK")) else {
        session.query("ROLLBACK").expect("the transaction ends");
        return None;
    };
    let width = rows.first().map_or(0, Vec::len);
    let columns = (0..width).map(|place| {
        let mut column: Vec<_> = rows.iter().map(|row| row[place].clone()).collect();
        column.sort();
        column
    });
    Some(columns.collect())
}

type Column = (String, String);

fn columns(sources: &[LineageSource]) -> BTreeSet<Column> {
    let columns = sources.iter().filter_map(|source| match &source.origin {
        LineageOrigin::Column(column) => {
            assert_eq!(column.table.schema.as_deref(), Some("public"), "{source:?}");
            Some((column.table.name.clone(), column.column.to_string()))
        }
        _ => None,
    });
    columns.collect()
}

/// What a statement's result comes from: for each column, and for all rows.
struct Told {
    columns: Vec<BTreeSet<Column>>,
    /// Those whose values are in the result.
    direct: Vec<BTreeSet<Column>>,
    rows: BTreeSet<Column>,
}

fn told(found: &Lineage) -> Option<Told> {
    let result = found.results.last()?;
    let columns_of = result.columns.iter().map(|column| columns(&found.sources(column)));
    let direct = result.columns.iter().map(|column| {
        let mut sources = found.sources(column);
        sources.retain(|source| source.flows.is_direct());
        columns(&sources)
    });
    Some(Told {
        columns: columns_of.collect(),
        direct: direct.collect(),
        rows: columns(&found.influences(result)),
    })
}

/// Compares random statements; returns those whose result comes from something else as well.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut catalog = DdlCatalog::new();
    define(&pg_ast::parse(SCHEMA).expect("the schema"), &mut catalog);
    // Some multiply all rows several times.
    server.query("SET statement_timeout = '300ms'").expect("a limit");
    server.query(SCHEMA).expect("the tables");
    let mut queries = Queries::new(number("LINEAGE_SEED", 1), major);
    let count = number("LINEAGE", 400);
    let (mut compared, mut changed, mut negative, mut failed) = (0, 0, 0, 0);
    // Each source of a result, and whether a change of it ever changes that.
    let mut effects = BTreeMap::<(String, usize, Column), bool>::new();
    let mut mistakes = Vec::new();
    for round in 0..count {
        if round % 200 == 0 {
            let views = catalog.relations().filter(|it| it.name.name.starts_with('v')).count();
            if views < 12 {
                view(server, &mut queries, &mut catalog, views);
            }
        }
        if round % 50 == 0 {
            server.query(&data(&mut queries)).expect("the rows");
        }
        let sql = queries.next_stmt();
        let Some(before) = run(server, "", &sql) else {
            failed += 1;
            continue;
        };
        let tree = pg_ast::view::parse(&sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
        let found = lineage(&tree, &catalog);
        let Some(told) = told(&found) else {
            mistakes.push(format!("{sql}: no result"));
            continue;
        };
        compared += 1;
        let mut is_wrong = false;
        let c = ("c", ["k", "a"]);
        for (table, names) in TABLES.into_iter().chain([c]) {
            for name in names {
                let Some(after) = run(server, &negate(table, name), &sql) else { continue };
                let column = (table.to_owned(), name.to_owned());
                for (place, values) in after.iter().enumerate() {
                    let is_there = values.iter().any(|value| value.contains('-'));
                    negative += usize::from(is_there);
                    if is_there && !told.direct.get(place).is_some_and(|it| it.contains(&column)) {
                        mistakes
                            .push(format!("{sql}: column {place} has values of {table}.{name}"));
                    }
                }
            }
            for (name, _) in names.into_iter().zip(0..CHANGES).cycle().take(2 * CHANGES) {
                let update = change(&mut queries, table, name);
                let Some(after) = run(server, &update, &sql) else { continue };
                let column = (table.to_owned(), name.to_owned());
                for place in 0..told.columns.len() {
                    let none = Vec::new();
                    let of = |all: &[Vec<String>]| all.get(place).unwrap_or(&none).clone();
                    let differs = of(&before) != of(&after);
                    let is_source = told.columns[place].contains(&column);
                    if differs && !is_source && !told.rows.contains(&column) && !is_wrong {
                        is_wrong = true;
                        mistakes.push(format!(
                            "{sql}: column {place} comes from {table}.{name}: {update}"
                        ));
                    }
                    changed += usize::from(differs);
                    if is_source {
                        let key = (sql.clone(), place, column.clone());
                        *effects.entry(key).or_default() |= differs;
                    }
                }
            }
        }
    }
    let with_effect = effects.values().filter(|effect| **effect).count();
    println!(
        "PostgreSQL {major}: {count} statements, {compared} with changed data, which changes {changed} columns of results, \
         and {negative} have the values, \
         {failed} failed; {} sources of columns, {with_effect} with an effect",
        effects.len()
    );
    if compared * 2 < count || with_effect * 2 < effects.len() {
        mistakes.push("too few statements or sources that are compared".to_owned());
    }
    mistakes
}

/// Adds a view.
fn view(server: &mut Server, queries: &mut Queries, catalog: &mut DdlCatalog, number: usize) {
    let (query, names) = queries.next_query();
    let sql = format!("CREATE VIEW v{number} AS {query}");
    if server.query(&sql).is_ok() {
        define(&pg_ast::parse(&sql).expect("the view"), catalog);
        let name = QualifiedName::unqualified(format!("v{number}"));
        queries.tables.push((name.name, names));
    }
}
