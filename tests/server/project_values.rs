//! The values of columns in the rows that a statement of a project uses: without all other rows it does the same.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pg_ast::QualifiedName;
use pg_ast::view::Node;
use pg_ast_names::{
    Catalog as _, ColumnValue, DdlCatalog, PossibleValues, RelationKind, column_values,
};

use super::connection::Server;
use super::project_statements::{Statement, Tally};

/// How many columns of a table are compared.
const COLUMNS: usize = 12;

/// What a statement returns, or why it fails, with the values of the column in the rows that it has made or changed.
type Done = Result<(Vec<Vec<String>>, Vec<Vec<String>>), String>;

fn run(
    server: &mut Server,
    (table, column): (&QualifiedName, &str),
    before: &str,
    sql: &str,
) -> Done {
    server.query("BEGIN").expect("a transaction begins");
    let done = server
        .query(before)
        .and_then(|_| server.query(sql))
        .and_then(|mut rows| {
            rows.sort();
            let column = QualifiedName::unqualified(column);
            let mut made = server.query(&format!(
                "SELECT {column}::text FROM {table} WHERE xmin = pg_current_xact_id_if_assigned()::xid"
            ))?;
            made.sort();
            Ok((rows, made))
        })
        .map_err(|error| error.get(b'M').to_owned());
    server.query("ROLLBACK").expect("it ends");
    done
}

pub fn compare(
    server: &mut Server,
    statement: &Statement<'_>,
    catalog: &DdlCatalog,
    tally: &mut Tally,
) {
    let is_compared = matches!(
        statement.node,
        Node::SelectStmt(_)
            | Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_)
    );
    if !is_compared {
        return;
    }
    let mut named = BTreeSet::new();
    statement.node.walk_tables(|table, _| {
        let name = table.qualified_name();
        let mut schemas: Vec<&str> = catalog.search_path().iter().map(String::as_str).collect();
        if let Some(schema) = name.schema.as_deref() {
            schemas = vec![schema];
        }
        let found = schemas.into_iter().find_map(|schema| catalog.relation(schema, &name.name));
        if let Some(found) = found.filter(|it| it.kind == RelationKind::Table) {
            named.insert(found.name.to_string());
            let columns = found.columns.iter().take(COLUMNS).map(|it| it.name.clone());
            let columns: Vec<_> = columns.collect();
            let table = found.name.clone();
            for column in columns {
                of_column(server, statement, catalog, (&table, &column), tally);
            }
        }
    });
}

fn of_column(
    server: &mut Server,
    statement: &Statement<'_>,
    catalog: &DdlCatalog,
    (table, column): (&QualifiedName, &str),
    tally: &mut Tally,
) {
    let found = column_values(statement.tree, table, column, catalog);
    if found.uses.is_empty() {
        return;
    }
    let Some(values) = found.of_all_uses() else {
        let is_any = found.uses.iter().any(|it| it.values == PossibleValues::Any);
        let is_unknown = found.uses.iter().any(|it| it.values == PossibleValues::Unknown);
        if is_unknown || !is_any {
            tally.unknown("values", statement.node.name());
        } else {
            tally.right("values");
        }
        return;
    };
    let has_null = values.contains(&&ColumnValue::Null);
    let list: Vec<_> =
        values.iter().filter(|it| ***it != ColumnValue::Null).map(ToString::to_string).collect();
    let name = QualifiedName::unqualified(column);
    let mut condition = if list.is_empty() {
        "false".to_owned()
    } else {
        format!("{name} IN ({})", list.join(", "))
    };
    if has_null {
        let _ = write!(condition, " OR {name} IS NULL");
    }
    // Neither triggers nor foreign keys are of the statement.
    let replica = "SET LOCAL session_replication_role = replica";
    let all = run(server, (table, column), replica, statement.sql);
    let Ok(all) = all else {
        tally.unknown("values", "it fails without triggers");
        return;
    };
    let deleted = format!("{replica}; DELETE FROM {table} WHERE ({condition}) IS NOT TRUE");
    let wrong = match run(server, (table, column), &deleted, statement.sql) {
        Ok(some) if some == all => None,
        // The condition is the test's.
        Err(error) if error.starts_with("operator does not exist") => {
            tally.unknown("values", "types without an equality");
            return;
        }
        Ok(_) => Some(format!("{table}.{column}: another result with {condition}")),
        Err(error) => Some(format!("{table}.{column}: {condition}: {error}")),
    };
    tally.answer("values", wrong, None);
    if statement.node.as_insert_stmt().is_none() {
        return;
    }
    let others = format!(
        "SELECT count(*) FROM {table} WHERE xmin = pg_current_xact_id_if_assigned()::xid AND ({condition}) IS NOT TRUE"
    );
    server.query("BEGIN").expect("a transaction begins");
    let rows = server
        .query(replica)
        .and_then(|_| server.query(statement.sql))
        .and_then(|_| server.query(&others));
    server.query("ROLLBACK").expect("it ends");
    let wrong = rows.is_ok_and(|rows| rows[0][0] != "0");
    let wrong = wrong.then(|| format!("{table}.{column}: rows have other values than {condition}"));
    tally.answer("values", wrong, None);
}
