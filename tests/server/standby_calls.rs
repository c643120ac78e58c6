//! PostgreSQL's own functions: a standby refuses those of which that is told.

use pg_ast::Version;
use pg_ast_effects::{Answer, FindEffects as _};

use super::compare::enabled;
use super::connection::Server;

/// Functions without parameters, which are called with nothing.
const WITHOUT_PARAMETERS: &str =
    "SELECT DISTINCT proname FROM pg_proc WHERE pronargs = 0 AND prokind = 'f'
    AND pronamespace = 'pg_catalog'::regnamespace AND provolatile <> 'i'
    AND prorettype <> ALL (ARRAY['trigger', 'event_trigger', 'internal']::regtype[]) ORDER BY 1";

/// Those that end the recovery, or wait.
const NOT_CALLED: [&str; 4] =
    ["pg_promote", "pg_stop_making_pinned_objects", "pg_rotate_logfile", "pg_backup_stop"];

/// Others, with arguments.
const CALLS: &[&str] = &[
    "pg_replication_origin_create('o')",
    "pg_replication_origin_drop('o')",
    "pg_replication_origin_oid('o')",
    "pg_replication_origin_session_setup('o')",
    "pg_replication_origin_session_progress(false)",
    "pg_replication_origin_xact_setup('0/1', now())",
    "pg_replication_origin_advance('o', '0/1')",
    "pg_replication_origin_progress('o', false)",
    "pg_walfile_name('0/1000000')",
    "pg_walfile_name_offset('0/1000000')",
    "pg_create_restore_point('a')",
    "pg_switch_wal()",
    "pg_current_wal_lsn()",
    "pg_current_wal_insert_lsn()",
    "pg_current_wal_flush_lsn()",
    "pg_log_standby_snapshot()",
    "pg_current_xact_id()",
    "txid_current()",
    "pg_replication_origin_session_is_setup()",
    "pg_replication_origin_session_reset()",
    "pg_replication_origin_xact_reset()",
    "pg_stat_reset()",
    "pg_reload_conf()",
    "pg_advisory_unlock_all()",
    "random()",
    "pg_notify('a', 'b')",
    "pg_logical_emit_message(false, 'a', 'b')",
    "set_config('work_mem', '1MB', false)",
    "setseed(0.5)",
    "pg_advisory_lock(1)",
    "pg_advisory_xact_lock(1)",
    "pg_try_advisory_lock(1)",
    "pg_xact_status('3')",
    "pg_database_size('postgres')",
    "pg_table_size('pg_class')",
    "lo_create(0)",
    "lo_from_bytea(0, 'a')",
    "pg_create_physical_replication_slot('s1')",
    "pg_drop_replication_slot('s1')",
    "pg_terminate_backend(0)",
    "pg_log_backend_memory_contexts(0)",
    "pg_sleep(0)",
    "pg_stat_reset_slru(NULL)",
    "pg_relation_size('pg_class')",
    "pg_ls_dir('.')",
    "pg_read_file('PG_VERSION')",
    "pg_nextoid('pg_class', 'oid', 'pg_class_oid_index')",
    "query_to_xml('SELECT 1', true, true, '')",
    "pg_import_system_collations('pg_catalog')",
];

/// Statements other than calls. Both servers have no tables but those of the catalog.
const STATEMENTS: &[&str] = &[
    "BEGIN",
    "BEGIN READ ONLY",
    "BEGIN READ WRITE",
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
    "BEGIN ISOLATION LEVEL SERIALIZABLE",
    "START TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY",
    "SET default_transaction_read_only = off",
    "SET transaction_read_only = off",
    "SET transaction_read_only = on",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "COMMIT",
    "ROLLBACK",
    "MERGE INTO pg_description USING (VALUES (1)) v ON true WHEN MATCHED THEN DO NOTHING",
    "EXPLAIN ANALYZE CREATE TABLE n AS SELECT 1",
    "EXPLAIN CREATE TABLE n AS SELECT 1",
    "EXPLAIN DELETE FROM pg_description",
    "EXPLAIN ANALYZE DELETE FROM pg_description",
    "SELECT FROM pg_class FOR SHARE",
    "LISTEN a",
    "NOTIFY a",
    "CHECKPOINT",
    "VACUUM pg_description",
    "ANALYZE pg_description",
    "REINDEX TABLE pg_description",
    "CREATE TEMP TABLE n (a int)",
    "PREPARE n AS DELETE FROM pg_description",
    "DO 'BEGIN NULL; END'",
    "DO 'BEGIN DELETE FROM pg_description; END'",
    "LOAD 'plpgsql'",
    "DISCARD PLANS",
    "GRANT SELECT ON pg_description TO public",
    "COPY (SELECT 1) TO '/dev/null'",
    "COPY pg_description FROM '/dev/null'",
];

/// Compares all that servers there are of; returns what differs.
pub fn compare() -> Vec<String> {
    let mut mistakes = Vec::new();
    for version in enabled() {
        let major = version.major();
        match (Server::of(major), Server::standby(major)) {
            (Ok(mut server), Ok(mut standby)) => {
                mistakes.extend(refused(&mut server, &mut standby, version));
            }
            (Err(why), _) | (_, Err(why)) => {
                eprintln!("\nNOT TESTED: functions of PostgreSQL {major}: {why}\n");
            }
        }
    }
    mistakes
}

/// Compares which functions a standby refuses.
fn refused(server: &mut Server, standby: &mut Server, version: Version) -> Vec<String> {
    let names = server.query(WITHOUT_PARAMETERS).expect("names");
    let names = names.into_iter().filter_map(|mut row| row.pop());
    let calls = names.filter(|name| !NOT_CALLED.contains(&name.as_str()));
    let calls = calls
        .map(|name| format!("pg_catalog.\"{name}\"()"))
        .chain(CALLS.iter().map(ToString::to_string))
        .map(|call| format!("SELECT * FROM {call}"))
        .chain(STATEMENTS.iter().map(ToString::to_string));
    let (mut count, mut refusals) = (0, 0);
    let mut mistakes = Vec::new();
    for sql in calls {
        let on_primary = server.query(&sql).err();
        let error = standby.query(&sql).err();
        for session in [&mut *server, &mut *standby] {
            session.query("ROLLBACK").expect("it ends");
            session.query("DISCARD ALL").expect("nothing is left");
            session.query("SET statement_timeout = '5s'").expect("a limit");
        }
        let undefined = "42883";
        if on_primary.is_some_and(|error| error.get(b'C') == undefined) {
            continue;
        }
        let message = error.map(|error| error.get(b'M').to_owned()).unwrap_or_default();
        let is_refused = ["recovery", "read-only transaction", "hot standby"]
            .iter()
            .any(|word| message.contains(word));
        let told = on_standby(&sql, version);
        count += 1;
        refusals += usize::from(is_refused);
        // Another error says nothing.
        let is_right = match told {
            Answer::Yes => !is_refused,
            Answer::No => is_refused || !message.is_empty(),
            Answer::Maybe => true,
        };
        if !is_right {
            mistakes
                .push(format!("{version}: {sql}: on_standby {told:?}, the standby: {message:?}"));
        }
    }
    println!("{version}: {count} calls on a standby, {refusals} refused");
    if count < 100 || refusals < 15 {
        mistakes.push(format!("{version}: only {count} calls on a standby, {refusals} refused"));
    }
    mistakes
}

/// Returns whether a standby is told to run a statement.
fn on_standby(sql: &str, version: Version) -> Answer {
    let tree = pg_ast::view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let effects = tree.effects_on(version.major()).expect("a version");
    effects.into_iter().next().expect("a statement").on_standby
}
