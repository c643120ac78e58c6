//! What names mean, compared with the server: for each view of the regression SQL its columns, and the columns of tables that it
//! depends on; for each other statement whether a name in it is wrong, and the message about it.
//!
//! The server runs the definitions of each script; what it accepts is also applied to the catalog that names are resolved with.
//! Queries are explained, not run. Our own script is `tests/scopes/cases.sql`; `NAMES_ALL` shows the differences that
//! have a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use pg_ast::Context;
use pg_ast_names::{DdlCatalog, Resolution};

use super::lineage_scopes;
use super::pg::view::{self, Node};
use super::pg_names::{define, resolve};
use super::replay::Replay;
use super::wrong_names::names_of;
use crate::common::scripts;
use crate::connection::{Server, Session};
use crate::common::split::split;
use crate::projects::Project;

/// What is compared, and how often it differs for which reason.
#[derive(Default)]
pub struct Comparison {
    /// Whether queries are compared as views as well: those of projects.
    has_queries: bool,
    views: usize,
    view_columns: usize,
    dependencies: usize,
    pub accepted: usize,
    pub wrong_names: usize,
    lineage: lineage_scopes::Compared,
    reasons: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
}

impl Comparison {
    pub fn differ(&mut self, why: Option<&'static str>, text: impl FnOnce() -> String) {
        match why {
            Some(why) => {
                *self.reasons.entry(why).or_default() += 1;
                if std::env::var_os("NAMES_ALL").is_some() {
                    println!("{why}: {}", text());
                }
            }
            None => self.differences.push(text()),
        }
    }
}

/// What is done with a statement.
pub enum Kind {
    /// The server runs it, and the catalog gets what it defines.
    Definition,
    /// It reads or writes rows.
    Query,
    Other,
}

/// Returns what is done with a statement.
pub fn kind(stmt: Node<'_>) -> Kind {
    match stmt {
        Node::SelectStmt(select) if select.into_clause().is_some() => Kind::Definition,
        Node::SelectStmt(_)
        | Node::InsertStmt(_)
        | Node::UpdateStmt(_)
        | Node::DeleteStmt(_)
        | Node::MergeStmt(_) => Kind::Query,
        Node::CopyStmt(_)
        | Node::ExplainStmt(_)
        | Node::DoStmt(_)
        | Node::CallStmt(_)
        | Node::ExecuteStmt(_)
        | Node::PrepareStmt(_)
        | Node::DeclareCursorStmt(_)
        | Node::FetchStmt(_)
        | Node::ClosePortalStmt(_)
        | Node::VacuumStmt(_)
        | Node::LoadStmt(_)
        | Node::CreatedbStmt(_)
        | Node::DropdbStmt(_)
        | Node::CreateTableSpaceStmt(_)
        | Node::AlterSystemStmt(_)
        | Node::ReindexStmt(_)
        | Node::ClusterStmt(_)
        | Node::NotifyStmt(_)
        | Node::CreateEventTrigStmt(_)
        | Node::CreateSubscriptionStmt(_)
        | Node::CheckPointStmt(_)
        | Node::LockStmt(_) => Kind::Other,
        _ => Kind::Definition,
    }
}

/// Returns whether a statement defines something, and does nothing else to a server.
#[allow(dead_code, reason = "other tests call that of the newest version")]
pub fn is_definition(stmt: Node<'_>) -> bool {
    matches!(kind(stmt), Kind::Definition)
}

/// Returns the scripts of PostgreSQL 15's regression tests, and before them that of their tables.
#[allow(dead_code, reason = "other tests call that of the newest version")]
pub fn regression() -> Vec<(PathBuf, String)> {
    let mut scripts = scripts::regression();
    scripts.retain(|(path, _)| path.display().to_string().contains("0.8.2"));
    scripts.sort_by_key(|(path, _)| !path.ends_with("test_setup.sql"));
    assert!(scripts.len() > 150, "only {} scripts", scripts.len());
    scripts
}

/// Compares all scripts.
pub fn compare(server: &mut Server, project: Option<&Project>) -> Vec<String> {
    let mut found = Comparison { has_queries: project.is_some(), ..Comparison::default() };
    let mut replay = Replay::new(server);
    let scripts = project.map_or_else(
        || {
            let own = scripts::sql_files(&scripts::root().join("tests/scopes"));
            regression().into_iter().chain(scripts::read_all(own)).collect()
        },
        |project| project.scripts.clone(),
    );
    for (path, script) in scripts {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        of_script(&mut replay, &name.unwrap_or_default(), &script, &mut found);
        replay.end_script();
    }
    println!(
        "names: {} views with {} columns that depend on {} columns of tables; {} statements without a wrong name, {} \
         with one; {} differences",
        found.views,
        found.view_columns,
        found.dependencies,
        found.accepted,
        found.wrong_names,
        found.differences.len()
    );
    for (reason, count) in &found.reasons {
        println!("  {count:>5} {reason}");
    }
    println!("  {}", found.lineage.summary());
    let mut mistakes = found.differences;
    if project.is_some() {
        return mistakes;
    }
    if !found.lineage.is_enough() {
        mistakes.push(found.lineage.summary());
    }
    if found.views < 300 || found.wrong_names < 100 {
        mistakes.push(format!("only {} views, {} wrong names", found.views, found.wrong_names));
    }
    mistakes
}

fn of_script(replay: &mut Replay<'_>, name: &str, script: &str, found: &mut Comparison) {
    for sql in split(script) {
        if sql.contains('\0') {
            continue;
        }
        let Ok(tree) = view::parse(&sql) else { continue };
        let stmts: Vec<_> = tree.stmts().filter_map(view::RawStmt::stmt).collect();
        let [stmt] = stmts[..] else { continue };
        if let Node::TransactionStmt(transaction) = stmt {
            replay.run_transaction(&sql, transaction);
            continue;
        }
        if replay.session.transaction() == b'E' {
            continue;
        }
        let error = match kind(stmt) {
            Kind::Other => continue,
            Kind::Query => {
                // Errors must not end the transaction of the script.
                let is_open = replay.session.transaction() == b'T';
                if is_open {
                    replay.run("SAVEPOINT explained");
                }
                let error = replay.run(&format!("EXPLAIN {sql}"));
                if is_open {
                    replay.run("ROLLBACK TO explained");
                    replay.run("RELEASE explained");
                }
                error
            }
            Kind::Definition => replay.run(&sql),
        };
        let names = resolve(&tree, &replay.catalog);
        names_of(name, &sql, &names, error.as_ref(), found);
        // In those of the regression SQL are rows whose types names alone do not tell.
        if found.has_queries
            && error.is_none()
            && matches!(stmt, Node::SelectStmt(select) if select.into_clause().is_none())
        {
            query_of(replay.session, &replay.catalog, name, &sql, found);
        }
        if error.is_none() && matches!(kind(stmt), Kind::Definition) {
            let view = match stmt {
                Node::ViewStmt(view) => view.view(),
                Node::CreateTableAsStmt(create) if sql.to_lowercase().contains("materialized") => {
                    create.into().and_then(view::IntoClause::rel)
                }
                _ => None,
            };
            if let Some(table) = view {
                let schema = table.schemaname();
                let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
                let qualified = match schema {
                    "" => quoted(table.relname()),
                    schema => format!("{}.{}", quoted(schema), quoted(table.relname())),
                };
                // A view that reads itself is none that the server depends on.
                if names.tables.iter().any(|it| it.name.name == table.relname() && it.context != Context::Ddl) {
                    define(&tree, &mut replay.catalog);
                    continue;
                }
                let server = of_server(replay.session, &qualified);
                let differs = lineage_scopes::differs(
                    &tree,
                    &names,
                    &replay.catalog,
                    &without_own(&server.1),
                    &mut found.lineage,
                );
                if let Some(differs) = differs {
                    found.differ(None, || format!("{name}: comes from: {differs}: {sql}"));
                }
                view_of(name, &sql, &names, server, found);
            }
            define(&tree, &mut replay.catalog);
        }
    }
}

/// Compares a query as that of a view, which is undone.
fn query_of(
    server: &mut Session,
    catalog: &DdlCatalog,
    name: &str,
    sql: &str,
    found: &mut Comparison,
) {
    let sql = format!("CREATE TEMP VIEW own_query AS {sql}");
    let Ok(tree) = view::parse(&sql) else { return };
    let is_open = server.transaction() == b'T';
    server.run(&[if is_open { "SAVEPOINT query" } else { "BEGIN" }]);
    // It has parameters, or writes, or several columns of one name.
    if server.run(&[&sql]).pop().flatten().is_none() {
        let names = resolve(&tree, catalog);
        let of_server = of_server(server, "pg_temp.own_query");
        let depends = without_own(&of_server.1);
        let differs =
            lineage_scopes::differs(&tree, &names, catalog, &depends, &mut found.lineage);
        if let Some(differs) = differs {
            found.differ(None, || format!("{name}: query comes from: {differs}: {sql}"));
        }
        view_of(name, &sql, &names, of_server, found);
    }
    for sql in if is_open { ["ROLLBACK TO query", "RELEASE query"] } else { ["ROLLBACK", ""] } {
        server.run(&[sql]);
    }
}

/// Returns the columns of a view, and those that it depends on.
fn of_server(server: &mut Session, view: &str) -> (Vec<String>, BTreeSet<(String, String)>) {
    let mut query = |sql: String| match server.query(&sql) {
        Ok(rows) => rows,
        Err(error) => panic!("{}: {sql}", error.get(b'M')),
    };
    let literal = view.replace('\'', "''");
    let columns = query(format!(
        "SELECT attname FROM pg_attribute WHERE attrelid = '{literal}'::regclass AND attnum > 0 ORDER BY attnum"
    ));
    let depends = query(format!(
        "SELECT c.relnamespace::regnamespace::text, c.relname, a.attname
         FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
             JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
         WHERE r.ev_class = '{literal}'::regclass AND c.oid <> r.ev_class AND d.refobjsubid <> 0"
    ));
    let columns = columns.into_iter().flatten().collect();
    let depends = depends.into_iter().map(|row| {
        let [schema, table, column] = &row[..] else { panic!("three columns") };
        (of_table(schema, table), column.clone())
    });
    (columns, depends.collect())
}

pub fn of_table(schema: &str, table: &str) -> String {
    let schema = schema.trim_matches('"');
    let schema = if schema.starts_with("pg_temp") { "pg_temp" } else { schema };
    format!("{schema}.{table}")
}

/// Returns the columns of all tables but the server's own.
fn without_own(columns: &BTreeSet<(String, String)>) -> BTreeSet<(String, String)> {
    columns.iter().filter(|(table, _)| !is_own(table)).cloned().collect()
}

pub fn is_own(table: &str) -> bool {
    table.starts_with("pg_catalog.") || table.starts_with("information_schema.")
}

fn view_of(
    script: &str,
    sql: &str,
    names: &Resolution,
    (columns, depends): (Vec<String>, BTreeSet<(String, String)>),
    found: &mut Comparison,
) {
    found.views += 1;
    found.view_columns += columns.len();
    found.dependencies += depends.len();
    let output = names.outputs[0].clone().unwrap_or_default();
    if !output.names().eq(columns.iter().map(String::as_str)) || !output.is_complete() {
        let ours: Vec<_> = output.names().collect();
        found.differ(None, || format!("{script}: columns {ours:?}, not {columns:?}: {sql}"));
    }
    let ours = names.columns_of_tables();
    let ours: BTreeSet<_> = ours
        .into_iter()
        .map(|(table, column)| {
            (of_table(table.schema.as_deref().unwrap_or_default(), &table.name), column)
        })
        // Those of most of the server's own tables are not recorded.
        .filter(|(table, _)| !is_own(table))
        .collect();
    let depends = without_own(&depends);
    let mut text = String::new();
    for (what, one, other) in [("missing", &depends, &ours), ("too many", &ours, &depends)] {
        let only: Vec<_> = one.difference(other).collect();
        if !only.is_empty() {
            let _ = write!(text, " {what} {only:?}");
        }
    }
    if !text.is_empty() {
        found.differ(None, || format!("{script}: depends:{text}: {sql}"));
    }
}
