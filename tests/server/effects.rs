//! Holds what is told about statements to a server: their locks, what they rewrite and scan, whether they can be in a transaction
//! block and in a read-only transaction, and which privileges they need.
//!
//! The statements of `tests/effects/cases.sql` run one by one in a transaction that is rolled back: `pg_locks`, the numbers of the
//! tables' files and the counters of their scans tell what they did. Of the corpora, every utility statement is run in a
//! read-only transaction, where nothing can be harmed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::process::exit;

use pg_ast::effects::{Answer, Effects, LossKind, TransactionBlock, Which};
use pg_ast::{LockMode, view};

use super::common::{corpus, scripts::root, split};
use super::connection::{MAJOR, Server};

/// SQLSTATE of what cannot be in a transaction block.
pub const ACTIVE_TRANSACTION: &str = "25001";
/// That of what cannot be in a read-only transaction.
const READ_ONLY: &str = "25006";

/// Compares, and ends the process if something differs.
pub fn main() {
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            eprintln!("\nNOT TESTED: effects against a server: {why}\n");
            return;
        }
    };
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
        let effects = told(sql);
        maybe += usize::from(effects.rewrites() == Answer::Maybe);
        mistakes
            .extend(compared(&mut server, sql, &effects).iter().map(|it| format!("{sql}: {it}")));
    }
    println!("{} statements with their locks, {maybe} of which may rewrite", cases.len());
    assert!(cases.len() > 250 && maybe < 30, "too little is compared");
    mistakes.extend(super::outside_blocks::compared(&mut server, &cases));
    mistakes.extend(corpora(&mut server));
    mistakes.extend(privileges(&mut server));
    drop(server);
    if !mistakes.is_empty() {
        eprintln!("{} mistakes\n{}", mistakes.len(), mistakes.join("\n"));
        exit(1);
    }
    if std::env::var_os("EFFECTS_ONLY").is_some() {
        exit(0);
    }
}

pub fn told(sql: &str) -> Effects {
    let tree = view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    tree.effects_on(MAJOR).into_iter().next().expect("a statement")
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
        // Nothing is detached half-way.
        Err((state, _)) if state == "55000" && sql.ends_with("FINALIZE") => return mistakes,
        Err((state, message)) => return vec![format!("{state}: {message}")],
    };
    let entry = |name: &str| {
        let mut tables = effects.tables.iter();
        tables.find(|table| table.table_name == name && table.which == Which::Itself)
    };
    for (name, seen) in &seen {
        let is_index = ["i", "I"].contains(&seen.kind.as_str());
        let told = entry(name);
        match (told, seen.lock) {
            (Some(told), lock) if Some(told.lock) != lock => {
                mistakes.push(format!("{name}: {:?} is told, the server has {lock:?}", told.lock));
            }
            // A procedure does what it does.
            (None, _) if !effects.unknown.is_empty() => {}
            // The indexes of a table are locked with it.
            (None, Some(lock)) if !is_index => {
                let mut others = effects.tables.iter().filter(|table| table.which != Which::Itself);
                if !others.any(|table| table.lock == lock) {
                    mistakes.push(format!("{name}: nothing is told, the server has {lock:?}"));
                }
            }
            _ => {}
        }
        let Some(told) = told.filter(|_| ["r", "p", "m"].contains(&seen.kind.as_str())) else {
            continue;
        };
        // A partitioned table has no file, and an empty file is no rewrite.
        let empties = effects.losses.iter().any(|loss| loss.kind == LossKind::AllRows);
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
        if !seen.contains_key(&table.table_name) {
            mistakes.push(format!("{}: it is none of the server's", table.table_name));
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
        let [effects] = &tree.effects_on(MAJOR)[..] else { continue };
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
            ["42601", "0A000", ACTIVE_TRANSACTION].contains(&state)
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
    mistakes.extend(queries(server));
    mistakes.extend(functions(server));
    println!(
        "{compared_count} utility statements of {} types, {refused} of which write",
        types.len()
    );
    assert!(types.len() > 90 && refused > 500, "too little is compared: {types:?}");
    mistakes
}

/// Which queries a read-only transaction refuses.
fn queries(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for sql in [
        "SELECT * FROM t",
        "SELECT * FROM t FOR SHARE",
        "SELECT id INTO n FROM t",
        "INSERT INTO plain VALUES (1)",
        "WITH d AS (DELETE FROM plain RETURNING *) SELECT * FROM d",
        "EXPLAIN DELETE FROM plain",
        "EXPLAIN (ANALYZE false) DELETE FROM plain",
        "EXPLAIN (ANALYZE) DELETE FROM plain",
        "EXPLAIN ANALYZE SELECT 1",
        "EXPLAIN CREATE TABLE n AS SELECT 1",
        "COPY plain FROM '/dev/null'",
        "COPY (DELETE FROM plain RETURNING *) TO '/dev/null'",
        "COPY plain TO '/dev/null'",
        "SELECT nextval('seq')",
        "SELECT setval('seq', 1)",
        "SELECT lo_create(0)",
        "SELECT random(), clock_timestamp()",
        "SELECT set_config('search_path', 'public', true)",
        "SELECT pg_advisory_xact_lock(1)",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_current_xact_id()",
        "DO 'BEGIN DELETE FROM plain; END'",
        "DO 'BEGIN PERFORM * FROM t; END'",
        "DO 'BEGIN EXECUTE ''DELETE FROM plain''; END'",
        "DECLARE m CURSOR FOR SELECT * FROM t",
        "PREPARE n AS DELETE FROM plain",
        "LOCK TABLE t IN ACCESS SHARE MODE",
        "LOCK TABLE t",
        "LISTEN a",
        "NOTIFY a",
        "TABLE t",
        "VALUES (1)",
        "SELECT 1 AS a INTO TEMP n",
        "CREATE TEMP TABLE n (a int)",
        "CREATE TEMP VIEW n AS SELECT 1",
        "INSERT INTO plain VALUES (1) ON CONFLICT DO NOTHING",
        "WITH d AS (UPDATE plain SET a = 1 RETURNING *) INSERT INTO plain SELECT * FROM d",
        "WITH d AS (INSERT INTO plain VALUES (1)) SELECT 1",
        "SELECT * FROM plain FOR NO KEY UPDATE",
        "SELECT * FROM (SELECT * FROM plain FOR KEY SHARE) s",
        "SELECT (SELECT nextval('seq'))",
        "SELECT pg_advisory_lock(1), pg_try_advisory_lock(2), pg_advisory_unlock_all()",
        "SELECT setseed(0.5), gen_random_uuid(), pg_sleep(0), timeofday()",
        "SELECT lo_from_bytea(0, 'a')",
        "SELECT txid_current()",
        "SELECT pg_stat_reset()",
        "SELECT pg_export_snapshot()",
        "SELECT pg_backend_pid(), current_setting('work_mem'), version()",
        "DO 'BEGIN INSERT INTO plain SELECT 1; EXCEPTION WHEN division_by_zero THEN NULL; END'",
        "DO 'DECLARE n int; BEGIN n := nextval(''seq''); END'",
        "DO 'DECLARE q CURSOR FOR SELECT * FROM t; BEGIN FOR r IN q LOOP NULL; END LOOP; END'",
        "DO 'BEGIN TRUNCATE plain; END'",
        "DO 'BEGIN PERFORM set_config(''search_path'', ''public'', true); END'",
        "SET LOCAL work_mem = '1MB'",
        "SHOW ALL",
        "SAVEPOINT a",
        "EXPLAIN ANALYZE DELETE FROM plain",
        "EXPLAIN (ANALYZE, TIMING off) INSERT INTO plain VALUES (1)",
        "COPY (SELECT 1) TO STDOUT",
        "REFRESH MATERIALIZED VIEW matview",
        "COMMENT ON TABLE t IS 'a'",
        "ANALYZE t",
        "TRUNCATE plain",
        "GRANT SELECT ON plain TO public",
    ] {
        server.query("BEGIN READ ONLY").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK; DEALLOCATE ALL").expect("it ends");
        let told = told(sql).in_read_only;
        let is_right = match state.as_deref() {
            None => told.is_yes(),
            Some(READ_ONLY) => told.is_no(),
            Some(_) => false,
        };
        if !is_right {
            mistakes.push(format!("{sql}: in_read_only {told:?}, the server: {state:?}"));
        }
    }
    mistakes
}

/// The table of functions is that of the server.
fn functions(server: &mut Server) -> Vec<String> {
    let script = root().join("codegen/functions/pg_proc.sql");
    let script = std::fs::read_to_string(script).expect("the query");
    let rows =
        split::split(&script).iter().map(|sql| server.query(sql)).collect::<Result<Vec<_>, _>>();
    let rows = rows.expect("the functions");
    let lines: Vec<_> = rows.concat().concat();
    let table = root().join("pg_ast/types/effects/pg_proc.txt");
    let table = std::fs::read_to_string(table).expect("the table");
    let same = lines.iter().map(String::as_str).eq(table.lines());
    if same { Vec::new() } else { vec!["pg_proc.txt is not that of the server".to_owned()] }
}

/// Grants what is told to be needed to a role that has nothing else: without each of the privileges the statement is refused.
fn privileges(server: &mut Server) -> Vec<String> {
    const REFUSED: &str = "42501";
    let mut mistakes = Vec::new();
    let mut count = 0;
    server.query("CREATE ROLE needy; GRANT USAGE ON SCHEMA public TO needy; CREATE TABLE schema.s (a int, b int)").expect("a role");
    for sql in [
        "SELECT a FROM t",
        "SELECT s.a FROM schema.s, t",
        "SELECT a FROM t FOR UPDATE",
        "INSERT INTO schema.s VALUES (1)",
        "INSERT INTO schema.s (a) VALUES (1) RETURNING a",
        "INSERT INTO referenced VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2",
        "INSERT INTO referenced VALUES (1) ON CONFLICT (id) DO NOTHING",
        "UPDATE plain SET a = 1",
        "UPDATE plain SET a = a + 1",
        "UPDATE plain SET a = 1 WHERE id = 1",
        "DELETE FROM plain",
        "DELETE FROM plain WHERE id = 1",
        "MERGE INTO referencing USING referenced ON referencing.id = referenced.id WHEN MATCHED THEN DELETE",
        "TRUNCATE referencing",
        "LOCK TABLE plain IN ACCESS SHARE MODE",
        "LOCK TABLE plain IN ROW EXCLUSIVE MODE",
        "LOCK TABLE plain",
        "COPY plain TO STDOUT",
        "SELECT nextval('seq')",
        "SELECT setval('seq', 1)",
        "SELECT pg_stat_reset()",
        "SELECT t.* FROM t",
        "SELECT t FROM t",
        "SELECT a FROM t JOIN plain USING (id, a)",
        "SELECT plain.a FROM t, plain WHERE t.b = ''",
        "SELECT a FROM view",
        "SELECT a FROM p",
        "SELECT a FROM ONLY parent",
        "WITH d AS (DELETE FROM plain RETURNING a) SELECT * FROM d",
        "WITH t AS (SELECT 1 AS a) SELECT a FROM t",
        "UPDATE plain SET a = t.a FROM t WHERE t.id = plain.id",
        "UPDATE plain SET a = 1 RETURNING a",
        "DELETE FROM plain USING t WHERE t.id = plain.id",
        "INSERT INTO referencing SELECT id, id FROM referenced",
        "INSERT INTO schema.s (a) SELECT a FROM t ON CONFLICT DO NOTHING",
        "MERGE INTO schema.s USING t ON s.a = t.id WHEN NOT MATCHED THEN INSERT (b) VALUES (t.a)",
        "COPY (SELECT a FROM plain) TO STDOUT",
        "COPY schema.s (a) FROM STDIN",
        "EXPLAIN SELECT a FROM t",
        "EXPLAIN ANALYZE DELETE FROM plain",
        "CREATE TABLE schema.n (a int)",
        "CREATE TABLE schema.n AS SELECT a FROM t",
        "CREATE VIEW schema.n AS SELECT 1 AS a",
        "CREATE SEQUENCE schema.n",
        "SELECT last_value FROM seq",
        "SELECT (SELECT max(a) FROM plain) FROM t WHERE a IN (SELECT id FROM referenced)",
        "SELECT a FROM t WHERE EXISTS (SELECT FROM plain WHERE plain.id = t.id)",
        "SELECT count(id) FROM t GROUP BY a HAVING max(b) > '' ORDER BY min(c)",
        "LOCK TABLE plain IN SHARE MODE",
        "DO 'BEGIN PERFORM a FROM t; DELETE FROM plain WHERE id = 1; END'",
    ] {
        let effects = told(sql);
        let grant = |privilege: &pg_ast::effects::Privilege| {
            let kind = format!("{:?}", privilege.kind).to_uppercase();
            let columns = privilege.columns.join(", ");
            let columns = if columns.is_empty() { columns } else { format!(" ({columns})") };
            let is_call = privilege.on == "FUNCTION";
            let name = format!("{}{}", privilege.name, if is_call { "()" } else { "" });
            format!("GRANT {kind}{columns} ON {} {name} TO needy; ", privilege.on)
        };
        for without in (0..effects.privileges.len()).map(Some).chain([None]) {
            let granted = effects.privileges.iter().enumerate();
            let granted = granted.filter(|(place, _)| Some(*place) != without);
            let grants: String = granted.map(|(_, privilege)| grant(privilege)).collect();
            let asked = server.query(&format!("BEGIN; {grants}; SET ROLE needy"));
            if let Err(error) = asked {
                mistakes.push(format!("{sql}: {grants}: {}", error.get(b'M')));
            }
            let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
            server.query("ROLLBACK").expect("it ends");
            let is_refused = state.as_deref() == Some(REFUSED);
            count += 1;
            if is_refused != without.is_some() {
                let left = without.map(|place| &effects.privileges[place]);
                mistakes.push(format!("{sql}: without {left:?}: {state:?}"));
            }
        }
    }
    println!("{count} statements with all of their privileges but one");
    mistakes
}
