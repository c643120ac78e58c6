//! What names mean, compared with the server: for each view of the regression SQL its columns, and the columns of tables that it
//! depends on; for each other statement whether a name in it is wrong, and the message about it.
//!
//! The server runs the definitions of each script; what it accepts is also applied to the catalog that names are resolved with.
//! Queries are explained, not run. Our own script is `tests/scopes/cases.sql`; the SQL files in the folder that `NAMES_CORPUS` names are
//! read in place of all others, and `NAMES_ALL` shows the differences that have a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use pg_ast::QualifiedName;
use pg_ast::view::{self, Node};
use pg_ast_names::{
    DdlCatalog, MistakeKind, Relation, RelationColumn, RelationKind, Resolution, Routine,
    RoutineResult, TableMeaning, define, resolve,
};

use super::connection::{Fields, Server};
use super::lineage_scopes;
use crate::common::scripts;
use crate::common::split::split;

/// Names that the server does not find.
const CODES: [(&str, &str); 5] = [
    ("42703", "undefined column"),
    ("42P01", "undefined table"),
    ("42702", "ambiguous column"),
    ("42712", "duplicate alias"),
    ("42883", "undefined function"),
];

/// Messages with other codes that are compared, too.
const MESSAGES: [&str; 8] = [
    "INSERT has more ",
    " query must have the same number of columns",
    "VALUES lists must all be the same length",
    "multiple assignments to same column ",
    "non-integer constant in ",
    " is not in select list",
    "WITH query name ",
    "window \"",
];

/// What is compared, and how often it differs for which reason.
#[derive(Default)]
struct Comparison {
    views: usize,
    view_columns: usize,
    dependencies: usize,
    accepted: usize,
    wrong_names: usize,
    lineage: lineage_scopes::Compared,
    reasons: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
}

impl Comparison {
    fn differ(&mut self, why: Option<&'static str>, text: impl FnOnce() -> String) {
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

/// The catalog of the server's own objects.
fn own_objects(server: &mut Server) -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    let mut query = |sql: &str| match server.query(sql) {
        Ok(rows) => rows,
        Err(error) => panic!("{}: {sql}", error.get(b'M')),
    };
    let own = "relnamespace::regnamespace::text IN ('pg_catalog', 'information_schema')";
    let columns = query(&format!(
        "SELECT c.relnamespace::regnamespace, c.relname, c.relkind, a.attname
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
         WHERE {own} ORDER BY c.oid, a.attnum"
    ));
    let mut relations = Vec::<Relation>::new();
    for row in columns {
        let [schema, name, kind, column] = &row[..] else { panic!("four columns") };
        let kind = match &**kind {
            "r" => RelationKind::Table,
            "v" => RelationKind::View,
            _ => continue,
        };
        let of = QualifiedName::new(schema, name);
        if relations.last().is_none_or(|last| last.name != of) {
            relations.push(Relation::new(schema, name, kind, []));
        }
        let last = relations.last_mut().expect("a relation");
        last.columns.push(RelationColumn::new(column.clone(), None));
    }
    for relation in relations {
        catalog.add_relation(relation);
    }

    let functions = query(
        "SELECT p.oid, p.pronamespace::regnamespace, p.proname, p.pronargs, p.pronargdefaults,
             p.provariadic <> 0, t.typname, t.typrelid <> 0 OR t.typtype = 'p',
             (SELECT string_agg(name, ' ' ORDER BY place)
              FROM unnest(p.proargmodes, p.proargnames) WITH ORDINALITY AS x(mode, name, place)
              WHERE mode IN ('o', 'b', 't'))
         FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
         WHERE p.pronamespace::regnamespace::text IN ('pg_catalog', 'information_schema')",
    );
    for row in functions {
        let [oid, schema, name, count, defaults, is_variadic, result, may_be_row, out] = &row[..]
        else {
            panic!("nine columns")
        };
        let out: Vec<_> = out.split_whitespace().collect();
        let column = |name: &&str| RelationColumn::new((*name).to_owned(), None);
        let result = match &out[..] {
            [] if may_be_row == "t" => RoutineResult::Unknown,
            [] => RoutineResult::Type(QualifiedName::new("pg_catalog", result)),
            [name] => RoutineResult::Named(column(name)),
            names => RoutineResult::Columns(names.iter().map(column).collect()),
        };
        let count: usize = count.parse().expect("a number");
        // What distinguishes them is enough.
        let parameters = (0..count).map(|index| format!("{oid}.{index}")).collect();
        let mut routine = Routine::new(schema, name, parameters, result);
        routine.defaults = defaults.parse().expect("a number");
        routine.is_variadic = is_variadic == "t";
        if count == 0 {
            routine.parameters.clear();
        }
        catalog.add_routine(routine);
    }
    catalog
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
pub fn is_definition(stmt: Node<'_>) -> bool {
    matches!(kind(stmt), Kind::Definition)
}

/// Returns the scripts of PostgreSQL 15's regression tests, and before them that of their tables.
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
    let fresh = own_objects(server);
    run(server, "SET statement_timeout = '10s'");
    let mut catalog = fresh.clone();
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
            let lower = sql.to_lowercase();
            let is = |word: &str| lower.trim_start().starts_with(word);
            match server.transaction() {
                b'I' => {
                    let is_undone = was == b'E' || is("rollback") || is("abort") || is("prepare");
                    if let Some(before) = before.take().filter(|_| is_undone) {
                        *catalog = before;
                    }
                    savepoints.clear();
                }
                _ if was == b'I' => before = Some(catalog.clone()),
                _ if failed => {}
                _ if is("savepoint") => savepoints.push((savepoint, catalog.clone())),
                _ if is("rollback") => {
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

/// Compares what is wrong with the names of a statement.
fn names_of(
    script: &str,
    sql: &str,
    names: &Resolution,
    error: Option<&Fields>,
    found: &mut Comparison,
) {
    let code = error.map_or("", |error| error.get(b'C'));
    let message = error.map_or("", |error| error.get(b'M'));
    // The types of the arguments are not known.
    let without_types = message.split_once('(').filter(|_| message.starts_with("function "));
    let without_types = without_types.map(|(function, _)| format!("{function} does not exist"));
    let message = without_types.as_deref().unwrap_or(message);
    let is_twice = code == "42701" && error.is_some_and(|error| error.number(b'P').is_some());
    let is_wrong_name = CODES.iter().any(|(of, _)| *of == code)
        || MESSAGES.iter().any(|text| message.contains(text))
        || is_twice
        || code == "42704" && message.starts_with("type ");
    let Some(error) = error.filter(|_| is_wrong_name) else {
        if error.is_none() {
            found.accepted += 1;
            if !names.mistakes.is_empty() && is_about_index(sql, names) {
                found.differ(Some("indexes are not in the catalog"), String::new);
            } else if !names.mistakes.is_empty() {
                let ours = names.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>();
                found.differ(None, || format!("{script}: accepted: {ours:?}: {sql}"));
            }
        }
        return;
    };
    found.wrong_names += 1;
    let same: Vec<_> = names.mistakes.iter().filter(|it| it.message == message).collect();
    if !same.is_empty() {
        // The server counts characters, from 1, and in what EXPLAIN precedes.
        let explained = "EXPLAIN ".len();
        let place = error.number(b'P').map(|place| place - 1);
        let ours = same
            .iter()
            .map(|mistake| mistake.location.and_then(|at| Some(sql.get(..at)?.chars().count())));
        let ours: Vec<_> = ours.collect();
        let is_there = |place: usize| {
            ours.iter()
                .any(|ours| ours.is_none_or(|ours| [ours, ours + explained].contains(&place)))
        };
        if same.iter().all(|mistake| mistake.kind.sqlstate() != code) {
            let ours = same[0].kind;
            found.differ(None, || format!("{script}: {ours:?}, not {code}: {message}: {sql}"));
        }
        if !place.is_none_or(is_there) {
            found
                .differ(None, || format!("{script}: at {ours:?}, not {place:?}: {message}: {sql}"));
        }
        return;
    }
    let has_mistake = !names.mistakes.is_empty();
    // What the server drops with a type, a function or a transaction.
    let is_dropped = code == "42P01"
        && names.tables.iter().any(|table| {
            matches!(table.meaning, TableMeaning::Relation(_)) && message.contains(&table.name.name)
        });
    let why = if is_dropped {
        Some("tables that are dropped with something else")
    } else {
        reason(code, message, sql, has_mistake)
    };
    found.differ(why, || {
        let ours = names.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>();
        format!("{script}: {code} {message}: ours {ours:?}: {sql}")
    });
}

/// Returns whether what is missing is an index that is altered as if it were a table.
fn is_about_index(sql: &str, names: &Resolution) -> bool {
    let is_alter =
        sql.to_lowercase().contains("alter table") && sql.to_lowercase().contains("rename");
    is_alter && names.mistakes.iter().all(|it| it.kind == MistakeKind::MissingTable)
}

/// Returns the reason for which a wrong name is not found.
fn reason(code: &str, message: &str, sql: &str, has_mistake: bool) -> Option<&'static str> {
    let name = message.split('"').nth(1).unwrap_or_default();
    let stmt = view::parse(sql).ok()?.stmts().next()?.stmt()?.name();
    let is_query = ["SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt"].contains(&stmt);
    match code {
        _ if message.contains("shadows a previously") => Some("variables of PL/pgSQL"),
        _ if message.contains("record data type") => Some("fields of rows without a type"),
        "42P01" if message.contains(" is not a pa") => Some("what a table inherits from"),
        "42P01" if name.starts_with("no_schema.") => Some("schemas that no statement creates"),
        "42P01" | "42704" if sql.contains(&format!("'{name}'")) => Some("named in a string"),
        "42703" if message == "column \"oid\" not found in data type compositetable" => {
            Some("functions are found by name and number of arguments, not by types")
        }
        "42703" if message == "column fullname.text does not exist" => Some("casts of rows"),
        "42P01" | "42703" if !is_query && !stmt.starts_with("View") && !has_mistake => {
            Some("utility statements that name an object alone")
        }
        "42601" if message.starts_with("multiple assignments") => {
            Some("columns of a view that are one of its table")
        }
        "42704" if !is_query => Some("types of parameters, domains and other objects"),
        "42883" if message.starts_with("operator") => Some("operators are not resolved"),
        "42883" => Some("functions are found by name and number of arguments, not by types"),
        _ if has_mistake => Some("another mistake comes first, or has another text"),
        _ => None,
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
