//! Holds what is told with a catalog to a server: every relation that a statement locks is named, with at least the mode that
//! `pg_locks` has, and all that are told to be locked in any case are.
//!
//! The catalog is that of the statements of the setup: those of `tests/effects/catalog_setup.sql`, for the statements of
//! `tests/effects/catalog_cases.sql`, and those of `effects.rs`.

use std::collections::{BTreeMap, HashMap};

use pg_ast::{LockMode, view};
use pg_ast_effects::{Answer, Effects, FindEffects as _, Which};
use pg_ast_names::{DdlCatalog, define};

use super::common::{scripts::root, split};
use super::connection::Server;
use super::effects::{SERVERS, mode};

/// Compares on each server that there is; with `PROJECTS`, statements about what they have.
pub fn compare() -> Vec<String> {
    if super::projects::given().is_some() {
        return super::projects::compare(super::effects_of_files::compare);
    }
    let mut mistakes = Vec::new();
    for major in SERVERS {
        for (setup, cases, least) in
            [("catalog_setup.sql", "catalog_cases.sql", 150), ("setup.sql", "cases.sql", 230)]
        {
            match Server::of(major) {
                Ok(mut server) => {
                    let found = on(&mut server, setup, cases, least);
                    mistakes.extend(found.iter().map(|mistake| format!("{major}: {mistake}")));
                }
                Err(why) => {
                    eprintln!("\nNOT TESTED: effects with a catalog, PostgreSQL {major}: {why}\n");
                }
            }
        }
    }
    mistakes
}

#[derive(Default)]
pub struct Tally {
    pub statements: usize,
    pub locks: usize,
    pub certain: usize,
    /// Named relations that may be locked, and were not.
    pub not_taken: usize,
    pub taken: usize,
    /// Relations that only a general entry or unknown SQL accounts for.
    pub general: usize,
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/effects").join(name)).expect("a file of SQL")
}

fn on(server: &mut Server, setup: &str, cases: &str, least: usize) -> Vec<String> {
    let mut catalog = DdlCatalog::new();
    let mut path = "public".to_owned();
    for sql in split::split(&read(setup)) {
        if let Err(error) = server.query(&sql) {
            panic!("{sql}: {}", error.get(b'M'));
        }
        define(&view::parse(&sql).expect("it parses"), &mut catalog);
        if let Some(value) = sql.trim().strip_prefix("SET search_path = ") {
            value.trim_end_matches(';').clone_into(&mut path);
        }
    }
    let mut mistakes = Vec::new();
    let mut tally = Tally::default();
    for sql in read(cases).lines().filter(|line| !line.starts_with("--")) {
        let tree = view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        if std::env::var_os("EFFECTS_IN_PRINT").is_some() {
            println!("{sql}");
        }
        let effects = tree.effects_in_on(&catalog, server.major()).expect("a version");
        let locks = match locks(server, &path, sql) {
            Ok(locks) => locks,
            // It cannot be in a transaction block, or is none of this version.
            Err(state) if ["25001", "42601", "0A000"].contains(&state.as_str()) => continue,
            // Nothing is detached half-way.
            Err(state) if state == "55000" && sql.ends_with("FINALIZE") => continue,
            Err(state) => {
                mistakes.push(format!("{sql}: {state}"));
                continue;
            }
        };
        let strict = setup == "catalog_setup.sql";
        let found = compared(&effects[0], &locks, strict, &mut tally);
        mistakes.extend(found.iter().map(|mistake| format!("{sql}: {mistake}")));
    }
    println!(
        "PostgreSQL {}, {cases}: {} statements with a catalog, {} locks of the server, {} of which are told by no name; {} \
         certain entries, {} that may be locked and were, {} that were not",
        server.major(),
        tally.statements,
        tally.locks,
        tally.general,
        tally.certain,
        tally.taken,
        tally.not_taken
    );
    assert!(tally.statements > least, "too little is compared");
    mistakes
}

const BEFORE: &str = "CREATE TEMP TABLE before AS
    SELECT c.oid, nspname AS schema, relname, relkind FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema')";

const AFTER: &str = "SELECT schema, relname, relkind, coalesce(l.modes, '')
    FROM pg_temp.before b LEFT JOIN (SELECT relation, string_agg(DISTINCT mode, ',') AS modes FROM pg_locks
        WHERE pid = pg_backend_pid() AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY 1) l
        ON l.relation = b.oid";

/// The kind of each relation that there was, and its lock.
pub type Locks = BTreeMap<String, (String, Option<LockMode>)>;

pub fn locks(server: &mut Server, path: &str, sql: &str) -> Result<Locks, String> {
    server
        .query(&format!("SET search_path = {path}; BEGIN; {BEFORE}; SAVEPOINT s"))
        .expect("it can be remembered");
    let result = server.query(sql);
    let after =
        if result.is_ok() { server.query(AFTER).expect("it can be told") } else { Vec::new() };
    server.query("ROLLBACK").expect("it is rolled back");
    server.query("DISCARD ALL").expect("a session without prepared statements");
    if let Err(error) = result {
        let state = error.get(b'C').to_owned();
        let is_known = ["25001", "42601", "0A000", "55000"].contains(&state.as_str());
        return Err(if is_known { state } else { format!("{state}: {}", error.get(b'M')) });
    }
    let rows = after.into_iter().map(|row| {
        let lock = row[3].split(',').filter(|name| !name.is_empty()).map(mode).max();
        (format!("{}.{}", row[0], row[1]), (row[2].clone(), lock))
    });
    Ok(rows.collect())
}

/// Returns what differs from what the server has locked.
pub fn compared(effects: &Effects, locks: &Locks, strict: bool, tally: &mut Tally) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut named: HashMap<String, (LockMode, Answer)> = HashMap::new();
    for table in effects.tables.iter().filter(|it| it.which == Which::Itself || it.of.is_some()) {
        let entry = named.entry(table.name.plain()).or_insert((table.lock, table.locked));
        entry.0 = entry.0.max(table.lock);
        entry.1 = entry.1.max(table.locked);
    }
    tally.statements += 1;
    let strongest = effects.strongest_lock();
    for (name, (kind, lock)) in locks {
        let Some(lock) = lock else { continue };
        let is_index = ["i", "I"].contains(&kind.as_str());
        tally.locks += usize::from(!is_index);
        match named.get(name) {
            // SQL that is not known may lock it as well.
            Some((told, _)) if told < lock && effects.unknown.is_empty() => {
                mistakes.push(format!("{name}: {told:?} is told, the server has {lock:?}"));
            }
            Some((told, locked))
                if told > lock && std::env::var_os("EFFECTS_IN_PRINT").is_some() =>
            {
                println!("weaker: {name} {told:?} {lock:?} {locked:?}");
            }
            Some(_) => {}
            None if is_index => {}
            None => {
                tally.general += 1;
                if std::env::var_os("EFFECTS_IN_PRINT").is_some() {
                    println!("no name: {name} {lock:?} {:?}", effects.unknown);
                }
                let is_general = effects
                    .tables
                    .iter()
                    .any(|it| it.which != Which::Itself && it.of.is_none() && it.lock >= *lock);
                if effects.unknown.is_empty() && (strict || !is_general) {
                    mistakes.push(format!("{name}: it is not named, the server has {lock:?}"));
                }
            }
        }
        if *lock > strongest && !is_index && effects.unknown.is_empty() {
            mistakes.push(format!("{name}: {lock:?} is stronger than all that is told"));
        }
    }
    for (name, (told, locked)) in &named {
        let lock = locks.get(name).and_then(|(_, lock)| *lock);
        match locked {
            Answer::Yes => {
                tally.certain += 1;
                if lock.is_none() {
                    mistakes.push(format!("{name}: {told:?} is told, the server has none"));
                }
            }
            _ if lock.is_some() => tally.taken += 1,
            _ => {
                tally.not_taken += 1;
                if std::env::var_os("EFFECTS_IN_PRINT").is_some() {
                    println!("not taken: {name} {told:?}");
                }
            }
        }
    }
    mistakes
}
