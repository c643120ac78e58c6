//! What a statement of a project does: its locks, what it rewrites, writes, loses, and changes in the session.

use std::collections::BTreeMap;

use pg_ast::LockMode;
use pg_ast_effects::{Answer, Effects, LossKind, SessionEffect, Which};

use pg_ast_names::{Catalog as _, DdlCatalog};

use super::connection::Server;
use super::effects::{READ_ONLY, mode};
use super::effects_in::{Locks, Tally as Compared, compared};
use super::project_statements::Tally;

/// What is in the database and the session.
pub struct State {
    /// The name, the kind and the file of each relation.
    relations: BTreeMap<String, (String, String, String)>,
    session: Vec<String>,
    /// Whether a statement has run since then.
    pub is_old: bool,
}

const RELATIONS: &str = "SELECT c.oid, CASE WHEN n.oid = pg_my_temp_schema() THEN 'pg_temp' ELSE nspname END || '.' || relname,
        relkind, relfilenode
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema', 'give')";

/// Parameters without those of libraries, and what a client may have prepared.
const SESSION: &str = "SELECT name || ' = ' || setting FROM pg_settings
        WHERE name NOT IN ('transaction_read_only', 'transaction_isolation', 'in_hot_standby', 'is_superuser')
            AND name NOT LIKE '%.%'
    UNION ALL SELECT 'prepared ' || name FROM pg_prepared_statements
    UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE name <> ''
    UNION ALL SELECT 'channel ' || c FROM pg_listening_channels() c
    UNION ALL SELECT 'temporary ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind IN ('r', 'v', 'S')
    ORDER BY 1";

/// What is locked, with its file now and whether rows of it were read and changed.
const LOCKED: &str = "SELECT relation, string_agg(DISTINCT mode, ','),
        (SELECT relfilenode FROM pg_class WHERE oid = relation),
        coalesce((SELECT seq_tup_read > 0 FROM pg_stat_xact_user_tables WHERE relid = relation), false),
        coalesce((SELECT n_tup_upd + n_tup_del > 0 FROM pg_stat_xact_user_tables WHERE relid = relation), false)
    FROM pg_locks WHERE pid = pg_backend_pid() AND granted AND locktype = 'relation'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY 1";

const WRITES: &str = "SELECT pg_current_xact_id_if_assigned() IS NOT NULL";

fn session(server: &mut Server) -> Vec<String> {
    server.query(SESSION).expect("the session").into_iter().flatten().collect()
}

impl State {
    pub fn of(server: &mut Server) -> Self {
        let rows = server.query(RELATIONS).expect("the relations");
        let relations = rows.into_iter().map(|row| {
            let [oid, name, kind, file] = &row[..] else { panic!("four columns") };
            (oid.clone(), (name.clone(), kind.clone(), file.clone()))
        });
        Self { relations: relations.collect(), session: session(server), is_old: false }
    }

    /// Reads it again.
    pub fn renew(&mut self, server: &mut Server) {
        *self = Self::of(server);
    }
}

/// What a statement has done.
pub struct Found {
    locks: Locks,
    rewritten: Vec<(String, String)>,
    scanned: Vec<String>,
    gone: Vec<String>,
    writes: bool,
    loses_rows: bool,
    /// What the session has now, and had not before, or the reverse.
    session: Vec<String>,
}

/// Runs a statement and commits it; `None` if it fails.
pub fn run(server: &mut Server, sql: &str, is_outside: bool, state: &mut State) -> Option<Found> {
    // The counters of the transactions before.
    server.query("SELECT pg_stat_force_next_flush()").expect("they are added");
    if !is_outside {
        server.query("BEGIN").expect("a transaction begins");
    }
    let result = server.query(sql);
    let is_open = server.transaction() == b'T';
    let (mut rows, mut writes, mut after) = (Vec::new(), false, None);
    if result.is_ok() && is_open {
        writes = server.query(WRITES).is_ok_and(|rows| rows[0][0] == "t");
        rows = server.query(LOCKED).unwrap_or_default();
        if writes {
            after = Some(server.query("SELECT oid FROM pg_class").unwrap_or_default());
        }
    }
    let end = if result.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = if server.transaction() == b'I' { Ok(Vec::new()) } else { server.query(end) };
    if result.is_err() || ended.is_err() {
        return None;
    }
    let mut found = Found {
        locks: Locks::new(),
        rewritten: Vec::new(),
        scanned: Vec::new(),
        gone: Vec::new(),
        writes,
        loses_rows: rows.iter().any(|row| row[4] == "t"),
        session: Vec::new(),
    };
    for row in &rows {
        let Some((name, kind, file)) = state.relations.get(&row[0]) else { continue };
        let lock = row[1].split(',').filter(|name| !name.is_empty()).map(mode).max();
        found.locks.insert(name.clone(), (kind.clone(), lock));
        if *file != row[2] && !row[2].is_empty() && !file.is_empty() {
            found.rewritten.push((name.clone(), kind.clone()));
        }
        if row[3] == "t" {
            found.scanned.push(name.clone());
        }
    }
    if let Some(after) = after {
        let there: std::collections::HashSet<_> = after.iter().map(|row| row[0].as_str()).collect();
        let gone = state.relations.iter().filter(|(oid, _)| !there.contains(oid.as_str()));
        found.gone = gone.map(|(_, (name, _, _))| name.clone()).collect();
    }
    let now = session(server);
    if now != state.session {
        let differs = |one: &[String], other: &[String]| {
            one.iter().filter(|it| !other.contains(it)).cloned().collect::<Vec<_>>()
        };
        found.session = differs(&now, &state.session);
        found.session.extend(differs(&state.session, &now));
        state.session = now;
    }
    Some(found)
}

/// Compares whether a statement runs in a read-only transaction.
pub fn read_only(server: &mut Server, sql: &str, told: &Effects, tally: &mut Tally) {
    server.query("BEGIN READ ONLY").expect("a transaction begins");
    let error = server.query(sql).err();
    server.query("ROLLBACK").expect("it ends");
    let state = error.as_ref().map(|error| error.get(b'C'));
    let wrong = match (told.in_read_only, state) {
        (Answer::Yes, Some(READ_ONLY)) => Some("it is refused in a read-only transaction"),
        (Answer::No, None) => Some("it runs in a read-only transaction"),
        _ => None,
    };
    let unknown = (told.in_read_only == Answer::Maybe).then_some("it depends");
    tally.answer("read-only", wrong.map(str::to_owned), unknown);
}

/// Compares what a statement has done with what is told by its text, and with a catalog.
pub fn compare(
    (by_text, told): (&Effects, &Effects),
    found: &Found,
    catalog: &DdlCatalog,
    sql: &str,
    tally: &mut Tally,
) {
    with_catalog(told, found, catalog, sql, tally);
    without_catalog(by_text, told, found, tally);
    for (part, effects) in [("writes, by text", by_text), ("writes", told)] {
        // A lock that a standby takes as well has the transaction's number.
        let is_lock = sql.to_uppercase().contains("LOCK TABLE");
        let wrong = found.writes && effects.writes.is_no() && !is_lock;
        let is_unknown = effects.writes == Answer::Maybe;
        let reason = unknown(effects).unwrap_or_else(|| "it depends".to_owned());
        let wrong = wrong.then(|| "it writes".to_owned());
        tally.answer(part, wrong, is_unknown.then_some(&*reason));
    }
    let wrong = !found.session.is_empty() && told.session.is_empty();
    let wrong = wrong.then(|| format!("it changes the session: {:?}", found.session));
    let is_unknown = told.session.contains(&SessionEffect::Unknown);
    tally.answer("session", wrong, is_unknown.then_some("functions and SQL that are not known"));
    let loses = !found.gone.is_empty() || found.loses_rows;
    let wrong = (loses && told.losses.is_empty() && told.unknown.is_empty()).then(|| {
        format!("nothing is lost, the server has lost {:?}, rows {}", found.gone, found.loses_rows)
    });
    tally.answer("losses", wrong, unknown(told).as_deref());
}

/// Returns what is not known.
fn unknown(told: &Effects) -> Option<String> {
    let first = told.unknown.first()?;
    let text = format!("{first:?}");
    Some(text.split('(').next().unwrap_or_default().to_owned())
}

/// Gives names without a schema that of the relation which is locked, and leaves out PostgreSQL's own relations.
fn with_schemas(told: &Effects, found: &Found) -> Effects {
    let mut told = told.clone();
    let is_own = |schema: Option<&str>| matches!(schema, Some("pg_catalog" | "information_schema"));
    told.tables.retain(|table| !is_own(table.name.schema.as_deref()));
    for table in told.tables.iter_mut().filter(|table| table.name.schema.is_none()) {
        let is_it = |name: &&String| name.split_once('.').is_some_and(|it| it.1 == table.name.name);
        let schema = found.locks.keys().find(is_it).and_then(|name| name.split_once('.'));
        table.name.schema = schema.map(|(schema, _)| schema.to_owned());
    }
    told
}

fn with_catalog(told: &Effects, found: &Found, catalog: &DdlCatalog, sql: &str, tally: &mut Tally) {
    let mut count = Compared::default();
    // No statement names the tables that a function makes.
    let is_known = |name: &String| {
        let (schema, name) = name.split_once('.').unwrap_or_default();
        let is_named = told.tables.iter().any(|table| table.name.name == name);
        is_named || catalog.relation(schema, name).is_some()
    };
    let mut locks = found.locks.clone();
    locks.retain(|name, (kind, _)| kind != "r" && kind != "p" || is_known(name));
    let wrong = compared(&with_schemas(told, found), &locks, false, &mut count);
    let wrong = (!wrong.is_empty()).then(|| wrong.join("; "));
    let is_general = count.general > 0 || locks.len() < found.locks.len();
    let unknown = unknown(told).or(is_general.then(|| "which relations".to_owned()));
    tally.answer("locks", wrong, unknown.as_deref());
    let mut wrong = Vec::new();
    let entries = || told.tables.iter();
    for (name, kind) in &found.rewritten {
        let is_told = entries().any(|it| {
            !it.rewrites.is_no()
                && (it.name.plain() == *name || it.which != Which::Itself || kind == "i")
        });
        let is_emptied = told.losses.iter().any(|it| it.kind == LossKind::AllRows);
        let is_known = told.unknown.is_empty() && ["r", "m"].contains(&kind.as_str());
        if !is_told && is_known && !is_emptied {
            wrong.push(format!("{name} is rewritten"));
        }
    }
    let mut is_unknown = !told.unknown.is_empty();
    for entry in entries().filter(|it| it.which == Which::Itself || it.of.is_some()) {
        let name = entry.name.plain();
        let is_table =
            found.locks.get(&name).is_some_and(|(kind, _)| ["r", "m"].contains(&kind.as_str()));
        let is_rewritten = found.rewritten.iter().any(|(it, _)| *it == name);
        is_unknown |= entry.rewrites == Answer::Maybe;
        if is_table && entry.rewrites.is_yes() && !is_rewritten {
            wrong.push(format!("{name} is not rewritten"));
        }
        let is_scanned = found.scanned.contains(&name);
        let is_asked = ["ALTER ", "CREATE INDEX", "CREATE UNIQUE INDEX"]
            .iter()
            .any(|it| sql.trim_start().to_uppercase().starts_with(it));
        if is_asked && is_scanned && entry.scans.is_no() {
            wrong.push(format!("{name} is scanned"));
        }
    }
    let wrong = (!wrong.is_empty()).then(|| wrong.join("; "));
    tally.answer("rewrites and scans", wrong, is_unknown.then_some("it depends"));
}

/// Compares what the text alone tells: names may have no schema.
fn without_catalog(by_text: &Effects, told: &Effects, found: &Found, tally: &mut Tally) {
    let strongest = by_text.strongest_lock();
    let mut wrong = Vec::new();
    let mut needs_catalog = false;
    for (name, (kind, lock)) in &found.locks {
        let Some(lock) = *lock else { continue };
        if ["i", "I"].contains(&kind.as_str()) || lock <= strongest {
            continue;
        }
        // Triggers, foreign keys and functions are in the catalog.
        if by_text.unknown.is_empty() && told.strongest_lock() < lock {
            wrong.push(format!("{name}: {lock:?} is stronger than all that is told"));
        } else {
            needs_catalog = true;
        }
    }
    for entry in by_text.tables.iter().filter(|it| it.which == Which::Itself) {
        let is_it = |name: &str| match &entry.name.schema {
            Some(_) => name == entry.name.plain(),
            None => name.split_once('.').is_some_and(|(_, name)| name == entry.name.name),
        };
        let locks: Vec<_> = found.locks.iter().filter(|(name, _)| is_it(name)).collect();
        // It may be made by the statement.
        let [(name, (_, lock))] = locks[..] else { continue };
        let lock = lock.unwrap_or(LockMode::NoLock);
        if entry.locked.is_yes() && lock < entry.lock {
            wrong.push(format!("{name}: {:?} is told, the server has {lock:?}", entry.lock));
        }
    }
    let wrong = (!wrong.is_empty()).then(|| wrong.join("; "));
    let unknown =
        unknown(by_text).or(needs_catalog.then(|| "triggers and foreign keys".to_owned()));
    tally.answer("locks, by text", wrong, unknown.as_deref());
}
