//! What statements do to a server, without one: `tests/server/effects.rs` asks one.

use std::collections::BTreeSet;

use pg_ast::{LockMode, QualifiedName};
use pg_ast_effects::__testing::functions_without_effect;
use pg_ast_effects::{
    Answer, Effects, FindEffects as _, LossKind, SessionEffect, TransactionBlock,
    TransactionEffect, UnknownSql, Which, has_alter_rule,
};

use super::pg::protobuf::{AlterTableType, node::Node as NodeEnum};
use super::pg::view;
use super::{MAJOR, pg};
use crate::common::{corpus, on_thread, scripts::root};

#[track_caller]
fn of(sql: &str) -> Effects {
    let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut all = tree.effects();
    assert_eq!(all.len(), 1, "{sql}");
    all.remove(0)
}

#[test]
fn every_subcommand_has_a_rule() {
    let mut count = 0;
    for number in 1..200 {
        if let Ok(subtype) = AlterTableType::try_from(number) {
            assert!(has_alter_rule(MAJOR, subtype.as_str_name()), "{subtype:?}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

/// Each subcommand that the grammar has is among the statements that the server is asked about.
#[test]
fn every_subcommand_is_compared_with_a_server() {
    if MAJOR != 18 {
        return;
    }
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("a file");
    let enums = read("tests/statements/enums.txt");
    let all: BTreeSet<_> =
        enums.lines().filter_map(|line| line.strip_prefix("AlterTableType ")).collect();
    let cases = read("tests/effects/cases.sql");
    let tree = view::parse(&cases.replace('\n', ";\n")).expect("parses");
    let cmds = tree.nodes().filter_map(view::Node::as_alter_table_cmd);
    let found: BTreeSet<_> = cmds.map(|cmd| cmd.subtype().as_str_name()).collect();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(all.len() > 50 && missing.is_empty(), "{missing:?}");
    let types: BTreeSet<_> = tree.statement_types().into_iter().collect();
    for name in
        ["IndexStmt", "ReindexStmt", "ClusterStmt", "VacuumStmt", "DropStmt", "CreateTrigStmt"]
    {
        assert!(types.contains(name), "{name}");
    }
}

#[test]
fn every_volatile_function_has_an_effect() {
    assert_eq!(functions_without_effect(), [""; 0]);
    let catalog = pg_ast_catalog::builtin(MAJOR).expect("a version");
    let functions = catalog.all_functions().iter();
    let functions = functions.filter(|it| it.schema == "pg_catalog" && it.is_callable());
    let names: BTreeSet<_> = functions.map(|function| function.name).collect();
    assert!(names.len() > 2_000, "{}", names.len());
    for name in names {
        let effects = of(&format!("SELECT pg_catalog.\"{name}\"()"));
        assert!(effects.functions[0].is_builtin, "{name}");
    }
    let is_builtin = |sql: &str, major| {
        let tree = pg::view::parse(sql).expect("parses");
        tree.effects_on(major).expect("a version")[0].functions[0].is_builtin
    };
    assert_eq!(
        [15, 16, 18].map(|major| is_builtin("SELECT any_value(a)", major)),
        [false, true, true]
    );
    assert_eq!([16, 17].map(|major| is_builtin("SELECT interval_avg(a)", major)), [true, false]);
    assert!(!of("SELECT a.lower(b)").functions[0].is_builtin);
    assert!(!of("SELECT zzz()").functions[0].is_builtin);
}

#[test]
fn reads_and_writes() {
    use Answer::{Maybe, No, Yes};
    for (sql, writes) in [
        ("SELECT a, lower(b), now(), random() FROM t WHERE c ~ 'd'", No),
        ("SELECT count(*) OVER w FROM t WINDOW w AS (PARTITION BY a)", No),
        ("SELECT nextval('s')", Yes),
        ("SELECT currval('s')", No),
        ("SELECT f(1)", Maybe),
        ("SELECT 1 WHERE EXISTS (SELECT s.f())", Maybe),
        ("SELECT query_to_xml('DELETE FROM t', true, true, '')", Maybe),
        ("SELECT * FROM t FOR UPDATE", Yes),
        ("SELECT * INTO n FROM t", Yes),
        ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", Yes),
        ("EXPLAIN DELETE FROM t", No),
        ("EXPLAIN SELECT nextval('s')", No),
        ("EXPLAIN ANALYZE DELETE FROM t", Yes),
        ("EXPLAIN (ANALYZE off) DELETE FROM t", No),
        ("EXPLAIN (ANALYZE off, ANALYZE) DELETE FROM t", Yes),
        ("PREPARE p AS DELETE FROM t", No),
        ("EXECUTE p", Maybe),
        ("CALL p()", Maybe),
        ("DO LANGUAGE plperl '..'", Maybe),
        ("DECLARE c CURSOR FOR SELECT nextval('s')", Yes),
        ("CREATE VIEW v AS SELECT nextval('s')", Yes),
        ("COPY t TO STDOUT", No),
        ("COPY t FROM STDIN", Yes),
        ("COPY (DELETE FROM t RETURNING a) TO STDOUT", Yes),
        ("VACUUM t", Yes),
        ("SET a = 1", No),
        ("SHOW a", No),
        ("BEGIN", No),
        ("COMMIT PREPARED 'a'", Yes),
        ("TABLE t", No),
        ("VALUES (1)", No),
        ("LOCK TABLE t", No),
    ] {
        assert_eq!(of(sql).writes, writes, "{sql}");
    }
    // A function that writes does not write if it is not run.
    let create = of("CREATE TABLE n AS SELECT f() WITH NO DATA");
    assert!(create.unknown.is_empty() && create.functions.is_empty());
    assert_eq!(of("SELECT f(1)").unknown, [UnknownSql::Function(QualifiedName::unqualified("f"))]);
    let called = &of("SELECT pg_catalog.lower(a)").functions[0];
    assert_eq!((called.is_strict, called.parallel_safe, called.writes), (true, Yes, No));
}

#[test]
fn where_a_standby_refuses() {
    for (sql, allowed) in [
        ("SELECT 1", true),
        ("LOCK TABLE t IN ROW EXCLUSIVE MODE", true),
        ("LOCK TABLE t IN SHARE MODE", false),
        ("LISTEN a", false),
        ("SELECT pg_notify('a', '')", false),
        ("PREPARE TRANSACTION 'a'", false),
        ("SAVEPOINT a", true),
        ("SELECT pg_current_xact_id()", false),
        ("SELECT pg_current_wal_lsn()", false),
        ("SELECT pg_last_wal_replay_lsn()", true),
        ("SELECT pg_walfile_name('0/1')", false),
        ("SELECT pg_replication_origin_create('a')", false),
        ("VACUUM", false),
        ("SET a = 1", true),
    ] {
        assert_eq!(of(sql).on_standby, Answer::from(allowed), "{sql}");
    }
    assert!(of("INSERT INTO pg_temp.t VALUES (1)").in_read_only.is_yes());
    assert!(of("INSERT INTO t VALUES (1)").in_read_only.is_no());
}

#[test]
fn sessions_and_transactions() {
    use SessionEffect as Session;
    use TransactionEffect as Transaction;
    let name = || "a".to_owned();
    for (sql, expected) in [
        ("SET a = 1", vec![Session::Setting(name())]),
        ("RESET a", vec![Session::Setting(name())]),
        ("RESET ALL", vec![Session::AllSettings]),
        ("SET SESSION AUTHORIZATION b", vec![Session::Setting("session_authorization".into())]),
        (
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
            vec![Session::Setting("default_transaction_read_only".into())],
        ),
        ("SELECT set_config('a', 'b', false)", vec![Session::Setting(name())]),
        ("SELECT set_config('a', 'b', c) FROM t", vec![Session::Setting(name())]),
        ("SELECT set_config('a', 'b', 't')", vec![]),
        ("SELECT pg_try_advisory_lock(1)", vec![Session::AdvisoryLock]),
        ("SELECT pg_advisory_xact_lock(1)", vec![]),
        ("LISTEN a", vec![Session::Listen(name())]),
        ("UNLISTEN *", vec![Session::Unlisten(String::new())]),
        ("CREATE TEMP TABLE a (b int)", vec![Session::Temporary(name())]),
        ("CREATE TEMP VIEW a AS SELECT 1", vec![Session::Temporary(name())]),
        ("SELECT 1 INTO TEMP a", vec![Session::Temporary(name())]),
        ("CREATE TABLE pg_temp.a AS SELECT 1", vec![Session::Temporary(name())]),
        ("PREPARE a AS SELECT 1", vec![Session::Prepare(name())]),
        ("DEALLOCATE a", vec![Session::Deallocate(name())]),
        ("DECLARE a CURSOR WITH HOLD FOR SELECT 1", vec![Session::Cursor(name())]),
        ("DECLARE a CURSOR FOR SELECT 1", vec![]),
        ("LOAD 'a'", vec![Session::Load(name())]),
        ("SELECT nextval('a')", vec![Session::Sequence]),
        ("SELECT f()", vec![Session::Unknown]),
        ("ALTER ROLE r SET a = 1", vec![]),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE sql SET a = 1 AS ''", vec![]),
    ] {
        assert_eq!(of(sql).session, expected, "{sql}");
    }
    assert!(of("DISCARD ALL").session.contains(&Session::AllSettings));
    for (sql, effect, block) in [
        ("BEGIN", Transaction::Begin, TransactionBlock::Anywhere),
        ("COMMIT", Transaction::Commit { chain: false }, TransactionBlock::UsefulInside),
        ("ABORT AND CHAIN", Transaction::Rollback { chain: true }, TransactionBlock::Inside),
        ("SAVEPOINT a", Transaction::Savepoint(name()), TransactionBlock::Inside),
        ("ROLLBACK TO a", Transaction::RollbackTo(name()), TransactionBlock::Inside),
        ("PREPARE TRANSACTION 'a'", Transaction::Prepare(name()), TransactionBlock::UsefulInside),
        ("COMMIT PREPARED 'a'", Transaction::CommitPrepared(name()), TransactionBlock::Outside),
        ("SET LOCAL a = 1", Transaction::Setting(name()), TransactionBlock::UsefulInside),
        ("SET CONSTRAINTS ALL DEFERRED", Transaction::Constraints, TransactionBlock::UsefulInside),
        ("DECLARE a CURSOR FOR SELECT 1", Transaction::Cursor(name()), TransactionBlock::Inside),
        (
            "SELECT set_config('a', 'b', true)",
            Transaction::Setting(name()),
            TransactionBlock::Anywhere,
        ),
        ("NOTIFY a", Transaction::Notify, TransactionBlock::Anywhere),
        ("CALL p()", Transaction::MayEnd, TransactionBlock::MaybeOutside),
    ] {
        let effects = of(sql);
        assert_eq!((effects.transaction, effects.block), (vec![effect], block), "{sql}");
    }
}

/// The lock on each relation of a statement, the weakest first.
fn locks(sql: &str) -> Vec<(String, LockMode)> {
    let mut tables: Vec<_> = of(sql)
        .tables
        .into_iter()
        .filter(|table| table.which == Which::Itself)
        .map(|table| (table.name.name, table.lock))
        .collect();
    tables.sort_by_key(|(_, lock)| *lock);
    tables
}

#[test]
fn locks_of_names_in_scope() {
    use LockMode::{AccessShareLock, RowExclusiveLock, RowShareLock};
    let of = |names: &[(&str, LockMode)]| {
        names.iter().map(|(name, lock)| ((*name).to_owned(), *lock)).collect::<Vec<_>>()
    };
    for (sql, expected) in [
        // A name of a WITH is no table.
        ("WITH a AS (SELECT * FROM b) SELECT * FROM a", of(&[("b", AccessShareLock)])),
        (
            "WITH a AS (INSERT INTO b SELECT * FROM c RETURNING *) TABLE a",
            of(&[("c", AccessShareLock), ("b", RowExclusiveLock)]),
        ),
        // The strongest of several.
        ("UPDATE a SET b = (SELECT max(b) FROM a)", of(&[("a", RowExclusiveLock)])),
        // Row locks are those of the names in FROM, by their aliases.
        (
            "SELECT * FROM a x JOIN b USING (c) FOR UPDATE OF x",
            of(&[("b", AccessShareLock), ("a", RowShareLock)]),
        ),
        (
            "SELECT * FROM (SELECT * FROM a) s, b FOR SHARE OF s",
            of(&[("b", AccessShareLock), ("a", RowShareLock)]),
        ),
        (
            "SELECT * FROM a WHERE b IN (SELECT c FROM d) FOR UPDATE",
            of(&[("d", AccessShareLock), ("a", RowShareLock)]),
        ),
        ("SELECT * FROM (SELECT * FROM a FOR UPDATE) s", of(&[("a", RowShareLock)])),
        ("WITH a AS (SELECT * FROM b) SELECT * FROM a FOR UPDATE", of(&[("b", AccessShareLock)])),
    ] {
        assert_eq!(locks(sql), expected, "{sql}");
    }
}

#[test]
fn what_is_lost() {
    for (sql, kind, name) in [
        ("DROP TABLE s.t", LossKind::Relation, "s.t"),
        ("DROP VIEW v", LossKind::Definition, "v"),
        ("DROP SCHEMA s", LossKind::Container, "s"),
        ("DROP DATABASE d", LossKind::Database, "d"),
        ("DROP FUNCTION s.f(int)", LossKind::Definition, "s.f"),
        ("DROP TYPE s.x", LossKind::Definition, "s.x"),
        ("TRUNCATE s.t", LossKind::AllRows, "s.t"),
        ("DELETE FROM t", LossKind::AllRows, "t"),
        ("DELETE FROM t WHERE a", LossKind::Rows, "t"),
        ("DELETE FROM t USING u", LossKind::Rows, "t"),
        ("UPDATE t SET a = 1", LossKind::AllValues, "t"),
        ("UPDATE t SET a = 1 WHERE b", LossKind::Values, "t"),
        ("INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1", LossKind::Values, "t"),
        ("DROP TRIGGER r ON s.t", LossKind::Definition, "s.t r"),
        ("DROP RULE r ON t", LossKind::Definition, "t r"),
        ("DROP OPERATOR CLASS c USING btree", LossKind::Definition, "c"),
        ("DROP OPERATOR FAMILY s.c USING btree", LossKind::Definition, "s.c"),
        ("DROP CAST (a AS b)", LossKind::Definition, ""),
        ("DROP TRANSFORM FOR a LANGUAGE b", LossKind::Definition, ""),
        ("ALTER TABLE t DROP a", LossKind::Column, "t a"),
        ("ALTER TABLE t ALTER a TYPE text", LossKind::AllValues, "t a"),
        ("ALTER TABLE s.t DROP CONSTRAINT \"c d\"", LossKind::Definition, "s.t c d"),
        ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", LossKind::AllRows, "t"),
        ("EXPLAIN ANALYZE DELETE FROM t", LossKind::AllRows, "t"),
    ] {
        let losses = of(sql).losses;
        assert_eq!(losses.len(), 1, "{sql}: {losses:?}");
        let parts = losses[0].name.iter().map(ToString::to_string).chain(losses[0].part.clone());
        let found = parts.collect::<Vec<_>>().join(" ");
        assert_eq!((losses[0].kind, found.as_str()), (kind, name), "{sql}");
        assert!(!losses[0].cascades || sql.starts_with("DROP DATABASE"));
    }
    assert!(of("DROP TABLE t CASCADE").losses[0].cascades);
    assert!(of("EXPLAIN DELETE FROM t").losses.is_empty());
    assert!(of("CREATE RULE r AS ON INSERT TO t DO DELETE FROM u").losses.is_empty());
}

#[test]
fn what_can_run_twice() {
    use Answer::{Maybe, No, Yes};
    for (sql, repeatable) in [
        ("SELECT 1", Yes),
        ("SELECT nextval('s')", No),
        ("CREATE TABLE t (a int)", No),
        ("CREATE TABLE IF NOT EXISTS t (a int)", Yes),
        ("CREATE OR REPLACE VIEW v AS SELECT 1", Yes),
        ("DROP TABLE t", No),
        ("DROP TABLE IF EXISTS t", Yes),
        ("DROP DATABASE IF EXISTS d", Yes),
        ("ALTER TABLE t ADD a int", No),
        ("ALTER TABLE t ADD COLUMN IF NOT EXISTS a int", Yes),
        ("ALTER TABLE t ADD COLUMN IF NOT EXISTS a int, DROP b", No),
        ("ALTER TABLE t ALTER a SET NOT NULL", Yes),
        ("ALTER TYPE e ADD VALUE IF NOT EXISTS 'a'", Yes),
        ("CREATE INDEX IF NOT EXISTS i ON t (a)", Yes),
        ("INSERT INTO t VALUES (1)", No),
        ("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING", Maybe),
        ("UPDATE t SET a = 1", Yes),
        ("UPDATE t SET a = a + 1", Maybe),
        ("DELETE FROM t", Yes),
        ("COMMENT ON TABLE t IS 'a'", Yes),
        ("ALTER TABLE t RENAME TO u", No),
    ] {
        assert_eq!(of(sql).repeatable, repeatable, "{sql}");
    }
}

#[cfg(feature = "plpgsql")]
#[test]
fn bodies_of_do() {
    let body = |body: &str| of(&format!("DO $body$ {body} $body$"));
    assert!(body("BEGIN PERFORM * FROM t; END").writes.is_no());
    assert!(body("DECLARE a int := f(); BEGIN NULL; END").writes == Answer::Maybe);
    let deletes = body("BEGIN IF a() THEN EXECUTE format('DELETE FROM %I', 't'); END IF; END");
    assert_eq!((deletes.writes, deletes.in_read_only), (Answer::Maybe, Answer::Maybe));
    assert_eq!(deletes.losses[0].kind, LossKind::AllRows);
    assert!(body("BEGIN EXECUTE format('DELETE FROM %I', 't'); END").writes.is_yes());
    let unknown = body("BEGIN EXECUTE $1; END");
    assert!(unknown.unknown.iter().any(|it| matches!(it, UnknownSql::Dynamic(_))), "{unknown:?}");
    let ends = body("BEGIN COMMIT; END");
    assert_eq!(ends.transaction, [TransactionEffect::Commit { chain: false }]);
    assert_eq!(ends.block, TransactionBlock::Outside);
    let may_end = body("BEGIN FOR i IN 1 .. 3 LOOP COMMIT; END LOOP; END");
    assert_eq!(may_end.block, TransactionBlock::MaybeOutside);
    // A body in a body.
    let inner = body("BEGIN EXECUTE $a$ DO 'BEGIN TRUNCATE t; END' $a$; END");
    assert_eq!(inner.losses[0].kind, LossKind::AllRows);
    let locked = body("BEGIN LOCK TABLE t; END");
    assert_eq!(locked.strongest_lock(), LockMode::AccessExclusiveLock);
    // What runs it is a transaction.
    assert_eq!(locked.block, TransactionBlock::Anywhere);
    let adds =
        body("BEGIN IF a() THEN ALTER TABLE t ADD b uuid DEFAULT gen_random_uuid(); END IF; END");
    assert_eq!(adds.rewrites(), Answer::Maybe);
    assert!(body("BEGIN syntax error END").writes == Answer::Maybe);
}

#[test]
fn views_and_owned_trees_are_the_same() {
    let (mut count, mut tables) = (0, 0);
    for sql in
        corpus::own_statements().into_iter().chain(corpus::statements().into_iter().step_by(7))
    {
        let Ok(view) = view::parse(&sql) else { continue };
        let effects = view.effects();
        let owned = view.to_owned_tree().expect("a tree").effects();
        assert_eq!(effects, owned, "{sql}");
        for effects in &effects {
            count += 1;
            tables += effects.tables.len();
            assert!(
                !effects.is_pure() || effects.on_standby >= Answer::Maybe || effects.writes.is_no(),
                "{sql}"
            );
            // What writes is not allowed where nothing may be written.
            assert!(
                !(effects.in_read_only.is_no() && effects.writes.is_no()),
                "{sql}: {effects:?}"
            );
            assert!(effects.losses.is_empty() || !effects.writes.is_no(), "{sql}: {effects:?}");
            let mut seen = BTreeSet::new();
            for table in &effects.tables {
                assert!(table.lock != LockMode::NoLock, "{sql}: {table:?}");
                let is_new = seen.insert((&table.name, table.which));
                assert!(is_new, "{sql}: {table:?}");
            }
        }
    }
    assert!(count > 2_000 && tables > 2_000, "{count}, {tables}");
}

/// Trees that no grammar makes: each lacks nodes here and there.
#[test]
fn damaged_trees() {
    let mut state = 1_u64 << 32 | 5;
    let mut random = move |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % end
    };
    on_thread(256 << 10, || {
        let mut count = 0;
        for sql in corpus::own_statements() {
            let Ok(tree) = pg::parse(&sql) else { continue };
            for _ in 0..4 {
                let mut damaged = tree.clone();
                for stmt in &mut damaged.protobuf.stmts {
                    let Some(node) = stmt.stmt.as_mut() else { continue };
                    node.transform(|node| match random(12) {
                        0 => pg::Node { node: None },
                        1 => pg::Node {
                            node: Some(NodeEnum::String(pg::protobuf::String { sval: "a".into() })),
                        },
                        _ => node,
                    });
                }
                count += damaged.effects().len();
            }
        }
        assert!(count > 4_000, "{count}");
    });
}

/// On a small stack, as deep as the parser allows; each level locks all below it again.
#[test]
fn deep_statements() {
    on_thread(256 << 10, || {
        const LEVELS: usize = 1_000;
        let locking = format!(
            "{}SELECT * FROM t{}",
            "SELECT * FROM (".repeat(LEVELS),
            ") s FOR UPDATE".repeat(LEVELS)
        );
        let tree = view::parse(&locking).expect("parses");
        let effects = &tree.effects()[0];
        assert_eq!(effects.tables.len(), 1);
        assert_eq!(effects.tables[0].lock, LockMode::RowShareLock);
        let calls = format!("SELECT {}1{}", "f(".repeat(LEVELS), ")".repeat(LEVELS));
        assert_eq!(view::parse(&calls).expect("parses").effects()[0].unknown.len(), 1);
    });
}
