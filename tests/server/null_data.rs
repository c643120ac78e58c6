//! Which columns can be NULL: random statements over random data with NULL wherever it may be. A column that is said not to be NULL
//! never is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pg_ast_names::{DdlCatalog, define};
use pg_ast_types::{Nullability, types};

use super::connection::Server;
use super::lineage_queries::Queries;
use super::number;

/// The tables of the random queries, some columns of which are NOT NULL.
const SCHEMA: &str =
    "CREATE TABLE t (k int NOT NULL, a int); CREATE TABLE u (k int NOT NULL, b int NOT NULL);
    CREATE TABLE w (a int, b int NOT NULL); CREATE TABLE s (k int, a int NOT NULL DEFAULT 0);
    CREATE TABLE c (k int PRIMARY KEY, a int)";
/// The columns that can be NULL have it in one row of three.
const TABLES: [(&str, [bool; 2]); 4] =
    [("t", [false, true]), ("u", [false, false]), ("w", [true, false]), ("s", [true, false])];
/// How many statements run on the same data.
const STMTS: usize = 40;

fn data(queries: &mut Queries) -> String {
    let mut sql =
        "TRUNCATE t, u, w, s, c; INSERT INTO c VALUES (0, 1), (1, NULL), (3, 2);".to_owned();
    for (table, may_be_null) in TABLES {
        // Sometimes a table is empty.
        for _ in 0..queries.below(7) {
            let values = may_be_null.map(|may_be_null| match queries.below(6) {
                0 | 1 if may_be_null => "NULL".to_owned(),
                number => (number / 2).to_string(),
            });
            let _ = write!(sql, "INSERT INTO {table} VALUES ({});", values.join(", "));
        }
    }
    sql
}

/// A statement around a query, whose values are computed from its columns.
fn around(queries: &mut Queries) -> String {
    let (query, [first, second]) = queries.next_query();
    let values = [
        format!("x.{first} + x.{second}"),
        format!("abs(x.{first})"),
        format!("coalesce(x.{first}, x.{second}, 0)"),
        format!("coalesce(x.{first}, x.{second})"),
        format!("greatest(x.{first}, x.{second})"),
        format!("nullif(x.{first}, 1)"),
        format!("x.{first} IS NULL"),
        format!("x.{first} IN (1, x.{second})"),
        format!("x.{first} BETWEEN 0 AND x.{second}"),
        format!("x.{first} = ANY (ARRAY[x.{second}])"),
        format!("CASE WHEN x.{first} > 0 THEN 1 ELSE x.{second} END"),
        format!("CASE WHEN x.{first} > 0 THEN 1 END"),
        format!("x.{first}::text || x.{second}::text"),
        format!("ARRAY[x.{first}]"),
        format!("(ARRAY[x.{first}])[1]"),
        format!("(SELECT x.{first})"),
        format!("(SELECT u.b FROM u WHERE u.k = x.{first} LIMIT 1)"),
        format!("(SELECT count(*) FROM u WHERE u.k = x.{first})"),
        format!("(SELECT count(x.{first}) FROM u)"),
        format!("(SELECT max(u.k) FROM u WHERE u.k > x.{first})"),
        format!("EXISTS (SELECT FROM u WHERE u.k = x.{first})"),
        format!("x.{first} IN (SELECT b FROM u)"),
        format!("NOT (x.{first} > 1)"),
        format!("row_number() OVER (ORDER BY x.{second})"),
        format!("lag(x.{first}) OVER (ORDER BY x.{second})"),
        format!("sum(x.{first}) OVER (ORDER BY x.{second})"),
        format!("concat('x', x.{first}, x.{second})"),
        format!("to_jsonb(x.{first})"),
        format!("random_normal(x.{first}, 0)"),
    ];
    let mut one = || values[queries.below(values.len())].clone();
    let (a, b) = (one(), one());
    let conditions = [
        String::new(),
        format!(" WHERE x.{first} IS NOT NULL"),
        format!(" WHERE x.{first} = x.{second}"),
        format!(" WHERE x.{first} > 0 OR x.{second} > 0"),
        format!(" WHERE NOT (x.{first} = 1) AND x.{second} IN (0, 1, 2)"),
        format!(" WHERE x.{first} = ANY (SELECT k FROM u)"),
        format!(" WHERE x.{first} IS DISTINCT FROM 1"),
        format!(" WHERE (x.{first} > 1) IS NOT TRUE"),
        format!(" WHERE x.{first} NOT IN (SELECT b FROM u)"),
        format!(" WHERE x.{first} BETWEEN 0 AND 2"),
    ];
    let condition = conditions[queries.below(conditions.len())].clone();
    let aggregates = ["sum", "max", "count", "array_agg", "avg", "bool_and"];
    let call = aggregates[queries.below(aggregates.len())];
    let argument =
        if call == "bool_and" { format!("x.{second} > 0") } else { format!("x.{second}") };
    match queries.below(8) {
        0 => format!(
            "SELECT x.{first}, {call}({argument}) FROM ({query}) AS x{condition} GROUP BY 1"
        ),
        1 => format!("SELECT {call}({argument}), count(*) FROM ({query}) AS x{condition}"),
        2 => {
            let sets = ["ROLLUP (1)", "GROUPING SETS ((1), ())", "CUBE (1)"][queries.below(3)];
            format!(
                "SELECT x.{first}, {call}({argument}) FROM ({query}) AS x{condition} GROUP BY {sets}"
            )
        }
        3 => format!("VALUES ((SELECT max(x.{first}) FROM ({query}) AS x), 1), (2, NULL)"),
        _ => format!("SELECT {a}, {b}, x.* FROM ({query}) AS x{condition}"),
    }
}

/// Runs random statements; returns those with a column that is NULL although it was said not to be.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut catalog = DdlCatalog::new();
    define(&pg_ast::parse(SCHEMA).expect("the schema"), &mut catalog);
    server.query("SET statement_timeout = '300ms'").expect("a limit");
    server.query(SCHEMA).expect("the tables");
    let mut queries = Queries::new(number("NULLS_SEED", 1), major);
    let count = number("NULLS", 4000);
    let (mut failed, mut claims, mut nullable, mut seen) = (0, 0, 0, 0);
    let mut reasons = BTreeMap::<String, [usize; 2]>::new();
    let mut mistakes = Vec::new();
    for round in 0..count {
        if round % STMTS == 0 {
            server.query(&data(&mut queries)).expect("the rows");
        }
        let sql = if round % 3 == 0 { queries.next_stmt() } else { around(&mut queries) };
        let Ok(rows) = server.query(&format!("BEGIN; {sql}; ROLLBACK")) else {
            server.query("ROLLBACK").expect("the transaction ends");
            failed += 1;
            continue;
        };
        let tree = pg_ast::view::parse(&sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
        let found = types(&tree, &catalog);
        let Some(columns) = found.stmts.first().and_then(|stmt| stmt.columns.as_ref()) else {
            continue;
        };
        for (place, column) in columns.iter().enumerate() {
            let is_null = rows.iter().any(|row| row.get(place).is_some_and(String::is_empty));
            match column.nullability {
                Nullability::NotNull(reason) => {
                    claims += usize::from(!rows.is_empty());
                    if is_null {
                        mistakes.push(format!("{sql}: column {place} is NULL, not {reason:?}"));
                    }
                }
                Nullability::Nullable(reason) => {
                    nullable += 1;
                    seen += usize::from(is_null);
                    let of_reason = reasons.entry(format!("{reason:?}")).or_default();
                    of_reason[usize::from(is_null)] += 1;
                }
            }
        }
    }
    println!(
        "PostgreSQL {major}: {count} statements, {failed} failed; {claims} columns of results are not NULL; of {nullable} that may be, \
         {seen} are"
    );
    for (reason, [never, seen]) in reasons {
        println!("  {reason}: {seen} are, {never} are not");
    }
    if claims * 2 < count {
        mistakes.push("too few columns that are not NULL".to_owned());
    }
    mistakes
}
