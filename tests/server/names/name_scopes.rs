//! What names mean, compared with the server: for each view of the regression SQL its columns, and the columns of tables that it
//! depends on; for each other statement whether a name in it is wrong, and the message about it.
//!
//! The server runs the definitions of each script; what it accepts is also applied to the catalog that names are resolved with.
//! Queries are explained, not run. Our own script is `tests/scopes/cases.sql`; the SQL files in the folder that `NAMES_CORPUS` names are
//! read in place of all others, and `NAMES_ALL` shows the differences that have a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use pg_ast_names::{DdlCatalog, Resolution};

use super::lineage_scopes;
use super::pg::protobuf::TransactionStmtKind as TransKind;
use super::pg::view::{self, Node};
use super::pg_names::{define, resolve};
use super::wrong_names::names_of;
use crate::common::scripts;
use crate::connection::{Fields, Server};
use crate::common::split::split;

/// What is compared, and how often it differs for which reason.
#[derive(Default)]
pub struct Comparison {
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
enum Kind {
    /// The server runs it, and the catalog gets what it defines.
    Definition,
    /// The server explains it.
    Query,
    Other,
}

fn kind(stmt: Node<'_>) -> Kind {
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
pub fn compare(server: &mut Server) -> Vec<String> {
    let mut found = Comparison::default();
    run(server, "SET statement_timeout = '10s'");
    let mut catalog = DdlCatalog::new();
    let mut scripts = regression();
    scripts.extend(scripts::read_all(scripts::sql_files(&scripts::root().join("tests/scopes"))));
    if let Some(folder) = std::env::var_os("NAMES_CORPUS") {
        scripts = scripts::read_all(scripts::sql_files(folder.as_ref()));
    }
    for (path, script) in scripts {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        of_script(server, &mut catalog, &name.unwrap_or_default(), &script, &mut found);
        // As in a new session.
        run(server, "ROLLBACK");
        run(server, "RESET SESSION AUTHORIZATION");
        run(server, "DISCARD ALL");
        run(server, "SET statement_timeout = '10s'");
        catalog.set_search_path(["public".to_owned()]);
        catalog.clear_schema("pg_temp");
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
    if let Some(path) = std::env::var_os("NAMES_REPORT") {
        std::fs::write(path, found.differences.join("\n")).expect("the report can be written");
    }
    println!("  {}", found.lineage.summary());
    let mut mistakes = found.differences;
    if !found.lineage.is_enough() {
        mistakes.push(found.lineage.summary());
    }
    if found.views < 300 || found.wrong_names < 100 {
        mistakes.push(format!("only {} views, {} wrong names", found.views, found.wrong_names));
    }
    mistakes
}

fn run(server: &mut Server, sql: &str) -> Option<Fields> {
    server.run(&[sql]).pop().flatten()
}

fn of_script(
    server: &mut Server,
    catalog: &mut DdlCatalog,
    name: &str,
    script: &str,
    found: &mut Comparison,
) {
    // What the catalog was before a transaction, and before each savepoint in it.
    let mut before: Option<DdlCatalog> = None;
    let mut savepoints = Vec::<(String, DdlCatalog)>::new();
    for sql in split(script) {
        if sql.contains('\0') {
            continue;
        }
        let Ok(tree) = view::parse(&sql) else { continue };
        let stmts: Vec<_> = tree.stmts().filter_map(view::RawStmt::stmt).collect();
        let [stmt] = stmts[..] else { continue };
        if let Node::TransactionStmt(transaction) = stmt {
            let savepoint = transaction.savepoint_name().to_owned();
            let was = server.transaction();
            let failed = run(server, &sql).is_some();
            let kind = transaction.kind();
            match server.transaction() {
                b'I' => {
                    let is_undone = was == b'E'
                        || matches!(
                            kind,
                            TransKind::TransStmtRollback | TransKind::TransStmtPrepare
                        );
                    if let Some(before) = before.take().filter(|_| is_undone) {
                        *catalog = before;
                    }
                    savepoints.clear();
                }
                _ if was == b'I' => before = Some(catalog.clone()),
                _ if failed => {}
                _ if kind == TransKind::TransStmtSavepoint => {
                    savepoints.push((savepoint, catalog.clone()));
                }
                _ if kind == TransKind::TransStmtRollbackTo => {
                    if let Some((_, then)) = savepoints.iter().rev().find(|it| it.0 == savepoint) {
                        *catalog = then.clone();
                    }
                }
                _ => {}
            }
            continue;
        }
        if server.transaction() == b'E' {
            continue;
        }
        let error = match kind(stmt) {
            Kind::Other => continue,
            Kind::Query => {
                // Errors must not end the transaction of the script.
                let is_open = server.transaction() == b'T';
                if is_open {
                    run(server, "SAVEPOINT explained");
                }
                let error = run(server, &format!("EXPLAIN {sql}"));
                if is_open {
                    run(server, "ROLLBACK TO explained");
                    run(server, "RELEASE explained");
                }
                error
            }
            Kind::Definition => run(server, &sql),
        };
        let names = resolve(&tree, &*catalog);
        names_of(name, &sql, &names, error.as_ref(), found);
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
                let server = of_server(server, &qualified);
                let differs = lineage_scopes::differs(
                    &tree,
                    &names,
                    catalog,
                    &without_own(&server.1),
                    &mut found.lineage,
                );
                if let Some(differs) = differs {
                    found.differ(None, || format!("{name}: comes from: {differs}: {sql}"));
                }
                view_of(name, &sql, &names, server, found);
            }
            define(&tree, catalog);
        }
    }
}

/// Returns the columns of a view, and those that it depends on.
fn of_server(server: &mut Server, view: &str) -> (Vec<String>, BTreeSet<(String, String)>) {
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
