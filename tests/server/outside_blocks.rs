//! Locks of statements that cannot be in a transaction block, such as `VACUUM` and those with `CONCURRENTLY`: another session has
//! locked the table, so that `pg_locks` shows what they wait for. Then they are cancelled.

use std::thread;
use std::time::{Duration, Instant};

use pg_ast::LockMode;
use pg_ast_effects::{TransactionBlock, Which};

use super::connection::{Server, Session};
use super::effects::{ACTIVE_TRANSACTION, mode, told};

/// SQLSTATE of what must be in a transaction block.
const NO_TRANSACTION: &str = "25P01";

/// That of what another session has cancelled.
const CANCELED: &str = "57014";

/// Compares the statements that the server refuses in a transaction block.
pub fn compared(server: &mut Server, cases: &[&str]) -> Vec<String> {
    let (mut holder, mut waiter) = (server.another(), server.another());
    let mut mistakes = Vec::new();
    let mut count = 0;
    for sql in cases {
        let effects = told(sql, server.major());
        if !matches!(effects.block, TransactionBlock::Outside | TransactionBlock::MaybeOutside) {
            continue;
        }
        server.query("BEGIN").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK").expect("it ends");
        if state.as_deref() != Some(ACTIVE_TRANSACTION) {
            continue;
        }
        for table in &effects.tables {
            let Some(name) = table_of(server, table.which, &table.name.name) else { continue };
            // It is the weakest one that all of them wait for, and some look at the table first, with a weaker one.
            let mut seen =
                waits_for(&mut holder, &mut waiter, sql, &name, "SHARE UPDATE EXCLUSIVE");
            if seen.is_ok_and(|seen| seen.is_some_and(|seen| seen < table.lock)) {
                seen = waits_for(&mut holder, &mut waiter, sql, &name, "ACCESS SHARE");
            }
            let Ok(seen) = seen else { continue };
            count += 1;
            if seen != Some(table.lock) {
                let told = table.lock;
                mistakes.push(format!(
                    "{sql}: {name}: {told:?} is told, the server waits for {seen:?}"
                ));
            }
        }
    }
    println!("{count} locks of statements outside of transaction blocks");
    if count < 10 {
        mistakes.push(format!("only {count} locks of statements outside of transaction blocks"));
    }
    mistakes
}

/// Returns the table to lock: an index cannot be locked by itself.
fn table_of(server: &mut Server, which: Which, name: &str) -> Option<String> {
    let query = match which {
        Which::Itself => format!(
            "SELECT oid::regclass FROM pg_class WHERE oid = to_regclass('{name}') AND relkind IN ('r', 'p', 'm')"
        ),
        Which::TableOf => {
            format!(
                "SELECT indrelid::regclass FROM pg_index WHERE indexrelid = to_regclass('{name}')"
            )
        }
        _ => return None,
    };
    server.query(&query).expect("it can be told").concat().pop()
}

/// The server refuses a statement before it waits.
#[derive(Clone, Copy)]
struct Refused;

/// Returns the lock on a table that a statement waits for, while another session holds one.
fn waits_for(
    holder: &mut Session,
    waiter: &mut Session,
    sql: &str,
    table: &str,
    held: &str,
) -> Result<Option<LockMode>, Refused> {
    let waiting = waiter.query("SELECT pg_backend_pid()").expect("a number").concat().concat();
    // A materialized view cannot be locked by `LOCK`.
    let lock = format!(
        "BEGIN; DO 'BEGIN LOCK TABLE {table} IN {held} MODE; EXCEPTION WHEN wrong_object_type THEN
            ALTER TABLE {table} SET (fillfactor = 100); END'"
    );
    holder.query(&lock).expect("the table is locked");
    let (seen, error) = thread::scope(|scope| {
        let run = scope.spawn(|| waiter.query(sql).err());
        let start = Instant::now();
        let mut seen = None;
        while seen.is_none() && !run.is_finished() && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(5));
            let query = format!(
                "SELECT mode FROM pg_locks WHERE NOT granted AND pid = {waiting} AND relation = '{table}'::regclass"
            );
            seen = holder.query(&query).expect("it can be told").concat().pop();
        }
        while !run.is_finished() {
            let cancelled = holder.query(&format!("SELECT pg_cancel_backend({waiting})"));
            cancelled.expect("it is cancelled");
            thread::sleep(Duration::from_millis(5));
        }
        (seen, run.join().expect("it runs"))
    });
    holder.query("ROLLBACK").expect("it ends");
    match error {
        Some(error) if error.get(b'C') != CANCELED => Err(Refused),
        _ => Ok(seen.map(|name| mode(&name))),
    }
}

/// What the server says of statements that are outside of a transaction block.
pub fn must_be_inside(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for sql in [
        "SAVEPOINT a",
        "RELEASE a",
        "ROLLBACK TO a",
        "LOCK TABLE t",
        "DECLARE n CURSOR FOR SELECT 1",
        "DECLARE n CURSOR WITH HOLD FOR SELECT 1",
        "COMMIT AND CHAIN",
        "ROLLBACK AND CHAIN",
        "COMMIT",
        "ROLLBACK",
        "SET LOCAL search_path = a",
        "SET CONSTRAINTS ALL DEFERRED",
        "SET TRANSACTION READ ONLY",
        "BEGIN",
        "SELECT 1",
        "DO 'BEGIN LOCK TABLE t; SET LOCAL work_mem = ''1MB''; END'",
    ] {
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        let _ = server.query("ROLLBACK");
        let is_inside = state.as_deref() == Some(NO_TRANSACTION);
        let told = told(sql, server.major()).block;
        if is_inside != (told == TransactionBlock::Inside) {
            mistakes.push(format!("{sql}: {told:?}, the server: {state:?}"));
        }
    }
    mistakes
}
