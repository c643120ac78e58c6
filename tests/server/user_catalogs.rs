//! The catalog of a user's database, which `pg_ast_catalog::SCHEMA_QUERY` returns as SQL: each statement is read, all of them run in an
//! empty database, the query returns the same text there, and what it defines is what the server has.
//!
//! The databases are filled by the regression SQL, without what it drops, and by our own scripts (`tests/catalogs/`, `tests/order/`).
//! What differs for a known reason is counted and printed by it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pg_ast::view::{self, Node};
use pg_ast::{Version, with_version};
use pg_ast_catalog::{SCHEMA_QUERY, SCHEMA_TRANSACTION};
use pg_ast_names::{Catalog, DdlCatalog};

use super::compare::enabled;
use super::connection::{Server, Session};
use super::name_scopes::{is_definition, regression};
use super::order::{empty, failed, is_global};
use crate::common::scripts;
use crate::common::split::split;

/// How many scripts of the regression SQL fill a database.
const SCRIPTS: usize = 40;

/// The fewest statements that the catalogs of a version have.
const FEWEST: usize = 4000;

/// Statements that are refused, though nothing is wrong with them: their beginnings, and why.
const REFUSED: [(&str, &str); 3] = [
    (
        "ALTER TABLE fkpart6.fk ADD CONSTRAINT fk_a_fkey4 ",
        "PostgreSQL has given the name to the constraint of a partition",
    ),
    (
        "ALTER FOREIGN DATA WRAPPER foo OWNER TO regress_test_role_super",
        "the owner was a superuser",
    ),
    (
        "ALTER TABLE one.checked ADD CONSTRAINT checked_a_check ",
        "the body of a function needs a search path",
    ),
];

fn refusal(row: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(stmt, _)| row.starts_with(stmt)).map(|(_, reason)| *reason)
}

/// What has been compared, and what differs for which reason.
#[derive(Default)]
struct Compared {
    databases: usize,
    stmts: usize,
    relations: usize,
    columns: usize,
    functions: usize,
    types: usize,
    reasons: BTreeMap<&'static str, usize>,
    mistakes: Vec<String>,
}

/// Returns the catalog of a database: one text for each row of a query.
fn catalog_of(session: &mut Session, query: &str) -> Result<Vec<String>, String> {
    let begun = session.run(&[SCHEMA_TRANSACTION]).pop().flatten();
    assert!(begun.is_none(), "{begun:?}");
    let rows = session.query(query).map_err(|error| error.get(b'M').to_owned());
    session.run(&["COMMIT"]);
    Ok(rows?.into_iter().map(|row| row.concat()).collect())
}

/// Returns the statements of a script that define something in its database, and drop nothing.
fn definitions(sql: &str) -> Vec<String> {
    let mut stmts = split(sql);
    stmts.retain(|stmt| {
        view::parse(stmt).is_ok_and(|tree| {
            let mut stmts = tree.stmts().filter_map(view::RawStmt::stmt);
            stmts.all(|stmt| is_definition(stmt) && !is_global(stmt) && !takes_away(stmt))
        })
    });
    stmts
}

fn takes_away(stmt: Node<'_>) -> bool {
    match stmt {
        Node::DropStmt(_) | Node::DropSubscriptionStmt(_) => true,
        // A validator may refuse the options that were there before it.
        Node::AlterFdwStmt(alter) => !alter.func_options().is_empty(),
        // It would change whose all the others are.
        Node::AlterOwnerStmt(alter) => {
            alter.object_type() == pg_ast::protobuf::ObjectType::ObjectDatabase
        }
        _ => false,
    }
}

/// Returns how something begins, to tell it in a message.
fn beginning(text: &str) -> String {
    text.chars().take(150).collect()
}

impl Compared {
    fn count(&mut self, reason: &'static str) {
        *self.reasons.entry(reason).or_default() += 1;
    }

    fn wrong(&mut self, name: &str, what: &str, text: &str) {
        self.mistakes.push(format!("{name}: {what}: {}", beginning(text)));
    }

    /// Fills a database by scripts, all of whose statements have to run if it `is_whole`, and compares its catalog.
    fn of_scripts(
        &mut self,
        server: &mut Server,
        version: Version,
        name: &str,
        scripts: &[Vec<String>],
        is_whole: bool,
    ) {
        drop(empty(server, "source", false));
        for stmts in scripts {
            // In a session of its own: a transaction may be open behind it, or objects of the session.
            let mut session = server.in_database("source");
            session.query("SET statement_timeout = '10s'").expect("set");
            let texts: Vec<&str> = stmts.iter().map(String::as_str).collect();
            let failed = failed(&mut session, &texts);
            if is_whole {
                for (stmt, error) in failed {
                    self.wrong(name, &error, stmt);
                }
            }
        }
        self.databases += 1;
        if let Err(error) = self.of_database(server, version, name, SCHEMA_QUERY) {
            self.wrong(name, "the query", &error);
        }
    }

    /// Compares the catalog of the database `source`.
    fn of_database(
        &mut self,
        server: &mut Server,
        version: Version,
        name: &str,
        query: &str,
    ) -> Result<(), String> {
        let mut source = server.in_database("source");
        let rows = catalog_of(&mut source, query)?;
        self.of_names(&mut source, version, name, &rows);
        drop(source);
        let copied = self.copy(server, name, &rows, query)?;
        if self.differ(name, &rows, &copied) {
            // What PostgreSQL writes otherwise is that no more, once it has read it.
            let again = self.copy(server, name, &copied, query)?;
            for (row, _) in copied.iter().zip(&again).filter(|(row, other)| row != other) {
                self.wrong(name, "no fixed point", row);
            }
        }
        Ok(())
    }

    /// Runs a catalog in an empty database, and returns the catalog of that.
    fn copy(
        &mut self,
        server: &mut Server,
        name: &str,
        rows: &[String],
        query: &str,
    ) -> Result<Vec<String>, String> {
        let mut session = empty(server, "copied", true);
        let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
        for (row, error) in failed(&mut session, &texts) {
            match refusal(row) {
                Some(reason) => self.count(reason),
                None => self.wrong(name, &error, row),
            }
        }
        drop(session);
        catalog_of(&mut server.in_database("copied"), query)
    }

    /// Compares the catalogs of a database and its copy; returns whether the texts of statements differ.
    fn differ(&mut self, name: &str, rows: &[String], copied: &[String]) -> bool {
        let known: BTreeSet<_> = rows.iter().collect();
        let new: BTreeSet<_> = copied.iter().collect();
        let is_stmt = |row: &&&String| !row.starts_with("-- ");
        let mut lost: Vec<_> = known.difference(&new).filter(is_stmt).collect();
        let gained: Vec<_> = new.difference(&known).filter(is_stmt).collect();
        lost.retain(|row| refusal(row).is_none());
        // A view or a table of the same name, whose expressions have other parentheses or casts.
        let spelled = |row: &str| {
            let kept = |c: &char| !c.is_whitespace() && !matches!(c, '(' | ')' | '[' | ']' | ';');
            let text: String = row.to_lowercase().chars().filter(kept).collect();
            text.replace("::text", "").replace("::charactervarying", "")
        };
        let mut is_other = false;
        if lost.len() == gained.len() {
            for (one, other) in lost.iter().zip(&gained) {
                if spelled(one) == spelled(other) {
                    self.count("PostgreSQL writes an expression that it has read otherwise");
                    is_other = true;
                } else {
                    self.wrong(name, "it is otherwise in the copy", one);
                }
            }
        } else {
            for row in &lost {
                self.wrong(name, "it is not in the copy", row);
            }
            for row in &gained {
                self.wrong(name, "only the copy has it", row);
            }
        }
        if known == new && rows != copied {
            self.wrong(name, "another order", &rows[0]);
        }
        is_other
    }

    /// Compares what a catalog defines with what the server has.
    fn of_names(&mut self, source: &mut Session, version: Version, name: &str, rows: &[String]) {
        // What known extensions bring is compared by itself (catalog.rs); less of it is looked up.
        let is_known = rows.iter().any(|row| row.starts_with("CREATE EXTENSION"));
        let member = if is_known { "'e'" } else { "'i'" };
        let text = rows.join("\n");
        let mut catalog = DdlCatalog::new();
        for stmt in version.parse_script(&text) {
            self.stmts += 1;
            let sql = &text[stmt.range.clone()];
            if let Err(error) = stmt.result {
                self.wrong(name, error.message(), sql);
                continue;
            }
            with_version!(version, pg, pg_ast_names as names => {
                names::define(&pg::view::parse(sql).expect("it was parsed before"), &mut catalog);
            });
        }
        let mut query = |sql: &str| source.query(sql).expect("the server's objects");
        let relations = query(
            "SELECT n.nspname, c.relname, coalesce(string_agg(a.attname, E'\\x01' ORDER BY a.attnum), '')
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND c.oid >= 16384
             AND n.nspname !~ '^pg_'
             GROUP BY n.nspname, c.relname",
        );
        let functions = query(&format!(
            "SELECT DISTINCT n.nspname, p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE p.oid >= 16384 AND n.nspname !~ '^pg_temp'
             AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype IN ('i', {member}))",
        ));
        let types = query(
            "SELECT n.nspname, t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
             WHERE t.oid >= 16384 AND n.nspname !~ '^pg_' AND t.typrelid = 0 AND t.typcategory <> 'A'",
        );
        let mut names = BTreeSet::new();
        for row in &relations {
            let [schema, relation, columns] = &row[..] else { panic!("three columns") };
            self.relations += 1;
            names.insert((schema.as_str(), relation.as_str()));
            let columns: Vec<_> = columns.split('\u{1}').filter(|it| !it.is_empty()).collect();
            self.columns += columns.len();
            let Some(found) = catalog.relation(schema, relation) else {
                self.wrong(name, "no relation", &row.join("."));
                continue;
            };
            if !found.columns.iter().map(|column| column.name.as_str()).eq(columns) {
                let found: Vec<_> = found.columns.iter().map(|column| &column.name).collect();
                self.wrong(name, "other columns", &format!("{row:?} {found:?}"));
            }
        }
        for relation in catalog.relations() {
            let schema = relation.name.schema.as_deref().unwrap_or_default();
            if !names.contains(&(schema, relation.name.name.as_str())) {
                self.wrong(name, "a relation that the server has not", &relation.name.to_string());
            }
        }
        for row in &functions {
            self.functions += 1;
            if catalog.routines(&row[0], &row[1]).is_empty() {
                self.wrong(name, "no function", &row.join("."));
            }
        }
        for row in &types {
            self.types += 1;
            if catalog.has_type(&row[0], &row[1]) == Some(false) {
                self.wrong(name, "no type", &row.join("."));
            }
        }
    }
}

/// Compares the catalogs of databases on a server.
fn on_server(server: &mut Server, version: Version) -> Vec<String> {
    let mut compared = Compared::default();
    let tests = scripts::root().join("tests");
    let name = |path: &std::path::Path| {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    for (path, sql) in scripts::read_all(scripts::sql_files(&tests.join("order"))) {
        compared.of_scripts(server, version, &name(&path), &[split(&sql)], false);
    }
    for (path, sql) in scripts::read_all(scripts::sql_files(&tests.join("catalogs"))) {
        if path.ends_with("of_18.sql") && version.major() < 18 {
            continue;
        }
        compared.of_scripts(server, version, &name(&path), &[split(&sql)], true);
    }
    // As an extension that nobody knows: its objects are described.
    let is_there = server.query("SELECT FROM pg_available_extensions WHERE name = 'hstore'");
    if !is_there.expect("extensions").is_empty() {
        drop(empty(server, "source", false));
        server.in_database("source").query("CREATE EXTENSION hstore").expect("an extension");
        let query = SCHEMA_QUERY.replacen(" hstore ", " ", 1);
        if let Err(error) = compared.of_database(server, version, "hstore", &query) {
            compared.wrong("hstore", "the query", &error);
        }
    }
    let setup = fs::read_to_string(tests.join("effects/setup.sql")).expect("the setup");
    compared.of_scripts(server, version, "setup.sql", &[split(&setup)], false);
    let regression = regression();
    let (setup, others) = regression.split_first().expect("scripts");
    for group in others.chunks(SCRIPTS) {
        let of_group = core::iter::once(setup).chain(group).map(|(_, sql)| definitions(sql));
        let of_group: Vec<_> = of_group.collect();
        compared.of_scripts(
            server,
            version,
            &format!("{} ..", name(&group[0].0)),
            &of_group,
            false,
        );
    }
    println!(
        "catalogs of {version}: {} databases, {} statements; {} relations with {} columns, {} functions, {} types; {} mistakes",
        compared.databases,
        compared.stmts,
        compared.relations,
        compared.columns,
        compared.functions,
        compared.types,
        compared.mistakes.len()
    );
    for (reason, count) in &compared.reasons {
        println!("  {count:>5} {reason}");
    }
    if compared.stmts < FEWEST {
        compared.mistakes.push(format!("only {} statements", compared.stmts));
    }
    let mistakes = compared.mistakes.into_iter();
    mistakes.map(|mistake| format!("PostgreSQL {version}: {mistake}")).collect()
}

/// Compares the catalogs of databases on servers of all versions that there are.
pub fn compare() -> Vec<String> {
    let mut mistakes = Vec::new();
    for version in enabled() {
        match Server::of(version.major()) {
            Ok(mut server) => mistakes.extend(on_server(&mut server, version)),
            Err(why) => eprintln!("\nNOT TESTED: PostgreSQL {}: {why}\n", version.major()),
        }
    }
    mistakes
}
