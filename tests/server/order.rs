//! The order of shuffled statements: it runs, as the order that they had does.
//!
//! Each script fills a database, of which `pg_dump` writes the definitions. These are shuffled, put in order, and run in an empty
//! database. Our own scripts (`tests/order/`) are themselves shuffled as well: their names have no schemas, and they rename what they
//! create. Nothing that is in order is moved. `ORDER_SEEDS` says how often each is shuffled.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pg_ast::view;
use pg_ast_names::{NoCatalog, dependencies};

use super::connection::{Server, Session};
use super::number;
use super::projects::{self, Project};
use crate::common::scripts;
use crate::common::split::split;
use crate::name_scopes::{is_definition, regression};

/// What one session can be sent without reading its answers.
const AT_ONCE: usize = 100;

/// How many scripts of the regression SQL fill a database.
const SCRIPTS: usize = 12;

/// The fewest statements that all of this has.
const FEWEST: usize = 4000;

#[derive(Default)]
struct Tested {
    statements: usize,
    moved: usize,
    shuffled: usize,
    failed: usize,
    unread: usize,
    mistakes: Vec<String>,
}

/// Random numbers: Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Runs statements, and returns those that fail, with their errors.
pub fn failed<'s>(session: &mut Session, stmts: &[&'s str]) -> Vec<(&'s str, String)> {
    let mut failed = Vec::new();
    for part in stmts.chunks(AT_ONCE) {
        let errors = session.run(part);
        let errors = part.iter().zip(errors).filter_map(|(stmt, error)| Some((*stmt, error?)));
        failed.extend(errors.map(|(stmt, error)| (stmt, error.get(b'M').to_owned())));
    }
    failed
}

/// Makes an empty database and opens a session in it. That of a former test is dropped, with its roles.
pub fn empty(server: &mut Server, name: &str, keeps_roles: bool) -> Session {
    server.query(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).expect("dropped");
    if !keeps_roles {
        let roles = "SELECT rolname FROM pg_roles WHERE oid >= 16384";
        for role in server.query(roles).expect("roles") {
            let _ = server.query(&format!("DROP ROLE \"{}\"", role[0]));
        }
    }
    server.query(&format!("CREATE DATABASE {name} TEMPLATE template0")).expect("created");
    let mut session = server.in_database(name);
    session.query("SET statement_timeout = '20s'").expect("set");
    session
}

/// Returns the statements of a text; `None` if one of them is not read, since it is of another version.
fn read(sql: &str) -> Option<Vec<String>> {
    // psql's commands around a dump.
    let lines = sql
        .lines()
        .filter(|line| !line.starts_with("\\restrict") && !line.starts_with("\\unrestrict"));
    let stmts = split(&lines.collect::<Vec<_>>().join("\n"));
    stmts.iter().all(|stmt| view::parse(stmt).is_ok()).then_some(stmts)
}

/// Returns whether a statement is a setting, which applies to all that follow.
fn is_setting(stmt: &str) -> bool {
    let tree = view::parse(stmt).expect("it was parsed before");
    let is_setting = |node: view::Node<'_>| match node {
        view::Node::VariableSetStmt(_) => true,
        view::Node::SelectStmt(_) => stmt.contains("set_config("),
        _ => false,
    };
    tree.stmts().filter_map(view::RawStmt::stmt).all(is_setting)
}

/// Returns whether a statement is about a transaction, or about more than one database.
pub fn is_global(stmt: view::Node<'_>) -> bool {
    use view::Node;
    let is_role = matches!(stmt, Node::DropRoleStmt(_) | Node::DropOwnedStmt(_));
    is_role || matches!(stmt, Node::TransactionStmt(_) | Node::AlterDatabaseStmt(_))
}

/// Returns statements in order.
fn ordered<'s>(stmts: &[&'s str]) -> (Vec<usize>, Vec<&'s str>) {
    let tree = view::parse(&stmts.join(";\n")).expect("each is parsed");
    let order = dependencies(&tree, &NoCatalog).order();
    let in_order = order.stmts.iter().map(|index| stmts[*index]).collect();
    (order.stmts, in_order)
}

impl Tested {
    fn print(&self) {
        println!(
            "order of statements: {} statements, {} shuffled, {} failed, {} texts moved, {} not read",
            self.statements, self.shuffled, self.failed, self.moved, self.unread
        );
    }

    /// Shuffles statements, puts them in order, and runs them; some fail in the order that they have, and are left out.
    fn shuffle(&mut self, server: &mut Server, name: &str, stmts: &[String], keeps_roles: bool) {
        let all: Vec<&str> = stmts.iter().map(String::as_str).collect();
        let (order, _) = ordered(&all);
        if !order.iter().copied().eq(0..all.len()) {
            self.moved += 1;
            self.mistakes.push(format!("{name}: it was in order"));
        }
        let mut session = empty(server, "ordered", keeps_roles);
        let wrong = failed(&mut session, &all);
        drop(session);
        let wrong: BTreeSet<_> = wrong.into_iter().map(|(stmt, _)| stmt).collect();
        let all = all.into_iter().filter(|stmt| !wrong.contains(stmt));
        let (mut settings, others): (Vec<_>, Vec<_>) = all.partition(|stmt| is_setting(stmt));
        // A name of an object that is created later cannot come first.
        settings.retain(|setting| !setting.contains("default_table_access_method"));
        self.statements += others.len();
        for seed in 1..=number("ORDER_SEEDS", 1) {
            let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed as u64);
            let mut others = others.clone();
            random.shuffle(&mut others);
            let shuffled = [&*settings, &*others].concat();
            let (_, order) = ordered(&shuffled);
            let mut session = empty(server, "ordered", keeps_roles);
            self.shuffled += others.len();
            for (stmt, error) in failed(&mut session, &order) {
                self.failed += 1;
                let stmt: String = stmt.chars().take(100).collect();
                self.mistakes.push(format!("{name}, shuffled by {seed}: {stmt}: {error}"));
            }
        }
    }

    /// Fills a database by scripts, and tests the order of its definitions.
    fn of_dump(&mut self, server: &mut Server, name: &str, scripts: &[Vec<String>], is_own: bool) {
        drop(empty(server, "source", false));
        for stmts in scripts {
            // In a session of its own: a transaction may be open behind it.
            let mut session = server.in_database("source");
            session.query("SET statement_timeout = '10s'").expect("set");
            let texts: Vec<&str> = stmts.iter().map(String::as_str).collect();
            let wrong = failed(&mut session, &texts).into_iter().filter(|_| is_own);
            let wrong = wrong.map(|(stmt, error)| format!("{name}: {stmt}: {error}"));
            self.mistakes.extend(wrong);
        }
        match server.dump("source").map(|dump| read(&dump)) {
            Ok(Some(dump)) => self.shuffle(server, &format!("dump of {name}"), &dump, true),
            Ok(None) => self.unread += 1,
            Err(error) => self.mistakes.push(format!("{name}: {error}")),
        }
        server.query("DROP DATABASE IF EXISTS source WITH (FORCE)").expect("dropped");
    }

    /// Tests the order of the dump of a script, and of the script.
    fn of_own(&mut self, server: &mut Server, name: &str, sql: &str) {
        self.of_dump(server, name, &[split(sql)], true);
        match read(sql) {
            Some(stmts) => self.shuffle(server, name, &stmts, false),
            None => self.mistakes.push(format!("{name}: it is not read")),
        }
    }
}

/// Returns the statements of a script that define something; others may end a session, or are about more than its database.
fn definitions(sql: &str) -> Vec<String> {
    let mut stmts = split(sql);
    stmts.retain(|stmt| {
        view::parse(stmt).is_ok_and(|tree| {
            let mut stmts = tree.stmts().filter_map(view::RawStmt::stmt);
            stmts.all(|stmt| is_definition(stmt) && !is_global(stmt))
        })
    });
    stmts
}

/// Shuffles statements, puts them in order, and runs them: of each project, or the committed ones.
pub fn compare() -> Vec<String> {
    if projects::given().is_some() {
        return projects::compare(|server, _, project| {
            let mut tested = Tested::default();
            let Project { name, scripts } = project.expect("a project");
            let scripts: Vec<_> = scripts.iter().map(|(_, sql)| definitions(sql)).collect();
            tested.of_dump(server, name, &scripts, false);
            tested.print();
            tested.mistakes
        });
    }
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            eprintln!("\nNOT TESTED: the order of statements: {why}\n");
            return Vec::new();
        }
    };
    if let Err(why) = server.dump("postgres") {
        eprintln!("\nNOT TESTED: the order of statements: {why}\n");
        return Vec::new();
    }
    let mut tested = Tested::default();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let tests = scripts::root().join("tests");
    for (path, sql) in scripts::read_all(scripts::sql_files(&tests.join("order"))) {
        tested.of_own(&mut server, &name(&path), &sql);
    }
    let setup = fs::read_to_string(tests.join("effects/setup.sql")).expect("the setup");
    tested.of_dump(&mut server, "setup.sql", &[split(&setup)], false);
    // Each database takes time, but one script may drop what others have created.
    let regression = regression();
    let (setup, others) = regression.split_first().expect("scripts");
    for group in others.chunks(SCRIPTS) {
        let of_group = core::iter::once(setup).chain(group).map(|(_, sql)| definitions(sql));
        let names: Vec<_> = group.iter().map(|(path, _)| name(path)).collect();
        let of_group: Vec<_> = of_group.collect();
        tested.of_dump(&mut server, &names.join(" "), &of_group, false);
    }
    if tested.statements < FEWEST {
        tested.mistakes.push(format!("only {} statements", tested.statements));
    }
    tested.print();
    tested.mistakes
}
