//! Holds what is told about statements to a server: their locks, what they rewrite and scan, whether they can be in a transaction
//! block and in a read-only transaction, and which privileges they need.
//!
//! The statements of `tests/effects/cases.sql` run one by one in a transaction that is rolled back: `pg_locks`, the numbers of the
//! tables' files and the counters of their scans tell what they did. Of the corpora, every utility statement is run in a
//! read-only transaction, where nothing can be harmed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pg_ast::{LockMode, view};
use pg_ast_effects::{
    Answer, Effects, FindEffects as _, LossKind, TableEffect, TransactionBlock, Which,
};

use super::common::{corpus, scripts::root, split};
use super::connection::Server;

/// SQLSTATE of what cannot be in a transaction block.
pub const ACTIVE_TRANSACTION: &str = "25001";
/// That of what cannot be in a read-only transaction.
pub const READ_ONLY: &str = "25006";

/// The major versions, whose servers read the same statements.
pub const SERVERS: [u32; 4] = [15, 16, 17, 18];

/// That of a syntax error.
const SYNTAX: &str = "42601";

/// Compares on each server that there is.
pub fn compare() -> Vec<String> {
    let mut mistakes = Vec::new();
    for major in SERVERS {
        match Server::of(major) {
            Ok(mut server) => {
                let found = on(&mut server);
                mistakes.extend(found.iter().map(|mistake| format!("{major}: {mistake}")));
            }
            Err(why) => eprintln!("\nNOT TESTED: effects on PostgreSQL {major}: {why}\n"),
        }
    }
    mistakes
}

fn on(server: &mut Server) -> Vec<String> {
    let setup = std::fs::read_to_string(root().join("tests/effects/setup.sql")).expect("the setup");
    for sql in split::split(&setup) {
        if let Err(error) = server.query(&sql) {
            panic!("{sql}: {}", error.get(b'M'));
        }
    }
    let cases = std::fs::read_to_string(root().join("tests/effects/cases.sql")).expect("the cases");
    let cases: Vec<_> = cases.lines().filter(|line| !line.starts_with("--")).collect();
    let mut mistakes = Vec::new();
    let mut maybe = 0;
    for sql in &cases {
        let effects = told(sql, server.major());
        maybe += usize::from(effects.rewrites() == Answer::Maybe);
        mistakes.extend(compared(server, sql, &effects).iter().map(|it| format!("{sql}: {it}")));
    }
    let major = server.major();
    println!(
        "PostgreSQL {major}: {} statements with their locks, {maybe} of which may rewrite",
        cases.len()
    );
    assert!(cases.len() > 250 && maybe < 30, "too little is compared");
    mistakes.extend(super::outside_blocks::compared(server, &cases));
    let others =
        std::fs::read_to_string(root().join("tests/effects/privileges.sql")).expect("the cases");
    let all: Vec<_> = cases
        .iter()
        .copied()
        .chain(others.lines().filter(|line| !line.starts_with("--")))
        .collect();
    mistakes.extend(super::read_only::of_cases(server, &all));
    mistakes.extend(corpora(server));
    mistakes
}

pub fn told(sql: &str, major: u32) -> Effects {
    let tree = view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    tree.effects_on(major).expect("a version").into_iter().next().expect("a statement")
}

/// What a statement did to a relation.
#[derive(Debug, Default)]
struct Seen {
    kind: String,
    lock: Option<LockMode>,
    rewritten: bool,
    scanned: bool,
}

const BEFORE: &str = "CREATE TEMP TABLE before AS
    SELECT c.oid, c.relname, relkind, pg_relation_filenode(c.oid) AS file, coalesce(seq_tup_read, 0) AS read
    FROM pg_class c LEFT JOIN pg_stat_xact_user_tables s ON relid = c.oid
    WHERE relnamespace IN ('public'::regnamespace, 'schema'::regnamespace)";

const AFTER: &str = "SELECT b.relname, b.relkind, coalesce(l.modes, ''), c.oid IS NOT NULL AND
        pg_relation_filenode(c.oid) IS DISTINCT FROM b.file, coalesce(s.seq_tup_read, 0) > b.read
    FROM before b LEFT JOIN pg_class c USING (oid) LEFT JOIN pg_stat_xact_user_tables s ON s.relid = b.oid
    LEFT JOIN (SELECT relation, string_agg(DISTINCT mode, ',') AS modes FROM pg_locks
        WHERE pid = pg_backend_pid() AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY 1) l
        ON l.relation = b.oid";

pub fn mode(name: &str) -> LockMode {
    let modes = [
        LockMode::AccessShareLock,
        LockMode::RowShareLock,
        LockMode::RowExclusiveLock,
        LockMode::ShareUpdateExclusiveLock,
        LockMode::ShareLock,
        LockMode::ShareRowExclusiveLock,
        LockMode::ExclusiveLock,
        LockMode::AccessExclusiveLock,
    ];
    modes.into_iter().find(|mode| format!("{mode:?}") == name).expect("a mode of PostgreSQL")
}

/// Runs a statement; the error is its SQLSTATE with the message.
fn seen(server: &mut Server, sql: &str) -> Result<BTreeMap<String, Seen>, (String, String)> {
    server.query(&format!("BEGIN; {BEFORE}; SAVEPOINT s")).expect("it can be remembered");
    let result = server.query(sql);
    let after =
        if result.is_ok() { server.query(AFTER).expect("it can be told") } else { Vec::new() };
    server
        .query("ROLLBACK; DISCARD ALL")
        .or_else(|_| server.query("ROLLBACK"))
        .expect("it is rolled back");
    if let Err(error) = result {
        return Err((error.get(b'C').to_owned(), error.get(b'M').to_owned()));
    }
    Ok(after
        .into_iter()
        .map(|row| {
            let lock = row[2].split(',').filter(|name| !name.is_empty()).map(mode).max();
            let (rewritten, scanned) = (row[3] == "t", row[4] == "t");
            (row[0].clone(), Seen { kind: row[1].clone(), lock, rewritten, scanned })
        })
        .collect())
}

/// Returns what differs from what the server does.
fn compared(server: &mut Server, sql: &str, effects: &Effects) -> Vec<String> {
    let mut mistakes = Vec::new();
    let is_outside = effects.block == TransactionBlock::Outside;
    let seen = match seen(server, sql) {
        Ok(_) if is_outside => return vec!["it can be in a transaction block".to_owned()],
        Ok(seen) => seen,
        Err((state, _)) if state == ACTIVE_TRANSACTION => {
            let is_known = is_outside || effects.block == TransactionBlock::MaybeOutside;
            return if is_known {
                mistakes
            } else {
                vec!["cannot be in a transaction block".to_owned()]
            };
        }
        // The grammar is that of the newest version.
        Err((state, _)) if state == SYNTAX && server.major() < 18 => return mistakes,
        // Nothing is detached half-way.
        Err((state, _)) if state == "55000" && sql.ends_with("FINALIZE") => return mistakes,
        Err((state, message)) => return vec![format!("{state}: {message}")],
    };
    let entry = |name: &str| {
        let mut tables = effects.tables.iter();
        tables.find(|table| table.name.name == name && table.which == Which::Itself)
    };
    let empties = effects.losses.iter().any(|loss| loss.kind == LossKind::AllRows);
    for (name, seen) in &seen {
        let is_index = ["i", "I"].contains(&seen.kind.as_str());
        let told = entry(name);
        match (told, seen.lock) {
            (Some(told), None) if told.locked == Answer::Maybe => {}
            (Some(told), lock) if Some(told.lock) != lock => {
                mistakes.push(format!("{name}: {:?} is told, the server has {lock:?}", told.lock));
            }
            // A procedure does what it does.
            (None, _) if !effects.unknown.is_empty() => {}
            // The indexes of a table are locked with it.
            (None, Some(lock)) if !is_index => {
                let mut others = effects.tables.iter().filter(|table| table.which != Which::Itself);
                // Which relation it is by is not in the text.
                let is_told = |table: &TableEffect| {
                    table.lock == lock
                        && !(seen.rewritten
                            && seen.kind == "r"
                            && table.rewrites.is_no()
                            && !empties)
                        && !(seen.scanned
                            && seen.kind == "r"
                            && scans_are_told(sql)
                            && table.scans.is_no())
                };
                if !others.any(is_told) {
                    mistakes.push(format!(
                        "{name}: nothing is told, the server has {lock:?}, scanned {}, rewritten {}",
                        seen.scanned, seen.rewritten
                    ));
                }
            }
            _ => {}
        }
        if seen.lock.is_some_and(|lock| lock > effects.strongest_lock())
            && effects.unknown.is_empty()
        {
            mistakes.push(format!("{name}: {:?} is stronger than all that is told", seen.lock));
        }
        let Some(told) = told.filter(|_| ["r", "p", "m"].contains(&seen.kind.as_str())) else {
            continue;
        };
        // A partitioned table has no file, and an empty file is no rewrite.
        if seen.kind != "p" && (!empties || told.rewrites.is_yes()) {
            let is_wrong =
                if seen.rewritten { told.rewrites.is_no() } else { told.rewrites.is_yes() };
            if is_wrong {
                mistakes.push(format!("{name}: rewrites {:?}, not as the server", told.rewrites));
            }
        }
        if scans_are_told(sql) && seen.kind == "r" {
            let is_wrong = if seen.scanned { told.scans.is_no() } else { told.scans.is_yes() };
            if is_wrong {
                mistakes.push(format!("{name}: scans {:?}, not as the server", told.scans));
            }
        }
    }
    for table in effects.tables.iter().filter(|table| table.which == Which::Itself) {
        if !seen.contains_key(&table.name.name) {
            mistakes.push(format!("{}: it is none of the server's", table.name.name));
        }
    }
    mistakes
}

/// The scans of queries are not told, and those of `ANALYZE` are samples, which the server does not count.
fn scans_are_told(sql: &str) -> bool {
    let words = [
        "ALTER ",
        "CREATE INDEX",
        "CREATE UNIQUE INDEX",
        "REINDEX",
        "CLUSTER",
        "DROP",
        "COMMENT",
        "LOCK",
    ];
    words.iter().any(|word| sql.starts_with(word)) && !sql.contains("IF NOT EXISTS")
        // Only old rows of a table that has none of them are not found twice.
        && !sql.contains("ATTACH")
}

/// Runs the utility statements of the corpora where they do no harm: it is told which of them a read-only transaction and a
/// transaction block refuse.
fn corpora(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut types = BTreeSet::new();
    let (mut refused, mut compared_count, mut seen) = (0, 0, HashSet::new());
    server
        .query("SET statement_timeout = '5s'; SET client_min_messages = error")
        .expect("settings");
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let [effects] = &tree.effects_on(server.major()).expect("a version")[..] else { continue };
        let Some(stmt) = tree.stmts().next().and_then(view::RawStmt::stmt) else { continue };
        // What others do is a matter of tables, which the server does not have.
        let is_asked = tree.is_utility_stmt() == [true]
            && !matches!(
                stmt,
                view::Node::TransactionStmt(_)
                    | view::Node::ExplainStmt(_)
                    | view::Node::CallStmt(_)
                    | view::Node::DoStmt(_)
                    | view::Node::ExecuteStmt(_)
                    | view::Node::CopyStmt(_)
                    | view::Node::FetchStmt(_)
                    | view::Node::CheckPointStmt(_)
                    | view::Node::LoadStmt(_)
            );
        if !is_asked || !seen.insert(tree.fingerprint()) {
            continue;
        }
        compared_count += 1;
        types.insert(stmt.name());
        let state = |server: &mut Server, begin: &str| {
            server.query(begin).expect("a transaction begins");
            let state = server.query(&sql).err().map(|error| error.get(b'C').to_owned());
            server.query("ROLLBACK").expect("it ends");
            state.unwrap_or_default()
        };
        let read_only = state(server, "BEGIN READ ONLY");
        let is_refused = read_only == READ_ONLY;
        refused += usize::from(is_refused);
        // Others are refused before: by the grammar of another version, for the transaction block, or by what they name.
        let names_first = matches!(
            stmt,
            view::Node::CreateTableAsStmt(_)
                | view::Node::DeclareCursorStmt(_)
                | view::Node::AlterSubscriptionStmt(_)
        );
        let is_early = |state: &str| {
            ["42601", "0A000", "22023", ACTIVE_TRANSACTION].contains(&state)
                || names_first && ["42P01", "42704", "42883"].contains(&state)
        };
        let is_wrong = match effects.in_read_only {
            Answer::Yes => is_refused,
            Answer::No => !is_refused && !is_early(&read_only),
            Answer::Maybe => false,
        };
        if is_wrong {
            mistakes.push(format!(
                "{sql}: in_read_only {:?}, the server: {read_only}",
                effects.in_read_only
            ));
        }
        // A table that is there may be locked, or created.
        let block = state(server, "BEGIN");
        let is_outside = block == ACTIVE_TRANSACTION;
        let is_wrong = match effects.block {
            TransactionBlock::Outside => !is_outside && !is_early(&block),
            TransactionBlock::MaybeOutside => false,
            _ => is_outside,
        };
        if is_wrong {
            mistakes.push(format!("{sql}: {:?}, the server: {block}", effects.block));
        }
    }
    mistakes.extend(super::outside_blocks::must_be_inside(server));
    mistakes.extend(super::read_only::compared(server));
    println!(
        "{compared_count} utility statements of {} types, {refused} of which write",
        types.len()
    );
    assert!(types.len() > 90 && refused > 500, "too little is compared: {types:?}");
    mistakes
}
