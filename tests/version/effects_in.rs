//! What statements do to a database that a catalog knows.

use pg_ast::LockMode;
use pg_ast_effects::{Answer, Effects, FindEffects as _, LossKind, UnknownSql, Which};
use pg_ast_names::{Catalog, DdlCatalog, NoCatalog, Relation, RelationKind, Routine};

use super::{pg, pg_names as names};
use crate::common::scripts::root;

fn catalog(sql: &str) -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    names::define(&pg::parse(sql).expect("parses"), &mut catalog);
    catalog
}

fn told(sql: &str, catalog: &dyn Catalog) -> Effects {
    pg::parse(sql).expect("parses").effects_in(catalog).remove(0)
}

/// The entries as `name which of lock`, with `?` if they may not be locked.
fn tables(effects: &Effects) -> Vec<String> {
    let one = |it: &pg_ast_effects::TableEffect| {
        let of = it.of.as_ref().map_or(String::new(), |of| format!(" of {of}"));
        let maybe = if it.locked.is_yes() { "" } else { "?" };
        format!("{} {:?}{of} {:?}{maybe}", it.name, it.which, it.lock)
    };
    let mut found: Vec<_> = effects.tables.iter().map(one).collect();
    found.sort();
    found
}

const SHOP: &str = "CREATE TABLE users (id int PRIMARY KEY, name text);
    CREATE TABLE orders (id int PRIMARY KEY, user_id int REFERENCES users ON DELETE CASCADE);
    CREATE TABLE items (order_id int REFERENCES orders ON DELETE SET NULL);
    CREATE VIEW names AS SELECT name FROM users;
    CREATE VIEW short AS SELECT name FROM names;
    CREATE TABLE log (what text);
    CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO log VALUES (tg_op); RETURN NULL; END';
    CREATE TRIGGER log AFTER UPDATE ON items FOR EACH STATEMENT EXECUTE FUNCTION log();";

/// A cascade goes on, and the triggers of what it writes are called.
#[test]
fn foreign_keys_and_triggers() {
    let catalog = catalog(SHOP);
    let effects = told("DELETE FROM users", &catalog);
    assert_eq!(
        tables(&effects),
        [
            "public.items Referencing of public.orders RowExclusiveLock?",
            "public.log Itself RowExclusiveLock?",
            "public.orders Referenced of public.items RowShareLock?",
            "public.orders Referencing of public.users RowExclusiveLock?",
            "public.users Itself RowExclusiveLock",
        ]
    );
    let lost: Vec<_> =
        effects.losses.iter().map(|it| (it.kind, it.name.as_ref().unwrap().plain())).collect();
    assert_eq!(
        lost,
        [
            (LossKind::AllRows, "public.users".to_owned()),
            (LossKind::Rows, "public.orders".to_owned()),
            (LossKind::Values, "public.items".to_owned()),
        ]
    );
    assert_eq!(
        tables(&told("UPDATE items SET order_id = 1", &catalog)),
        [
            "public.items Itself RowExclusiveLock",
            "public.log Itself RowExclusiveLock",
            "public.orders Referenced of public.items RowShareLock?",
        ]
    );
    // A key that does not change is not looked for.
    let name = told("UPDATE users SET name = 'x'", &catalog);
    assert_eq!(tables(&name), ["public.users Itself RowExclusiveLock"]);
    // Nothing is written when it is planned.
    let planned = told("EXPLAIN DELETE FROM users", &catalog);
    assert_eq!(tables(&planned), ["public.users Itself RowExclusiveLock"]);
}

/// Whether a column's default has another value for each row, its functions tell.
#[test]
fn new_columns() {
    let catalog = catalog(
        "CREATE TABLE t (a int); CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN d AS int CHECK (value > 0);
        CREATE FUNCTION s() RETURNS int STABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
        CREATE FUNCTION v() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
        CREATE FUNCTION q() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    );
    let rewrites = |sql: &str| told(sql, &catalog).rewrites();
    assert_eq!(rewrites("ALTER TABLE t ADD b int DEFAULT s()"), Answer::No);
    assert_eq!(rewrites("ALTER TABLE t ADD b int DEFAULT v()"), Answer::Yes);
    assert_eq!(rewrites("ALTER TABLE t ADD b int DEFAULT q()"), Answer::Maybe);
    assert_eq!(rewrites("ALTER TABLE t ADD b int DEFAULT x()"), Answer::Maybe);
    assert_eq!(rewrites("ALTER TABLE t ADD b mood"), Answer::No);
    assert_eq!(rewrites("ALTER TABLE t ADD b d"), Answer::Maybe);
}

/// What depends on a table goes with it, and the views of a view are read through.
#[test]
fn related_relations() {
    let catalog = catalog(SHOP);
    assert_eq!(
        tables(&told("DROP TABLE users CASCADE", &catalog)),
        [
            "public.names Dependents of public.users AccessExclusiveLock",
            "public.orders Dependents of public.users AccessExclusiveLock",
            "public.short Dependents of public.users AccessExclusiveLock",
            "public.users Itself AccessExclusiveLock",
        ]
    );
    assert_eq!(
        tables(&told("SELECT * FROM short FOR UPDATE", &catalog)),
        [
            "public.names Read of public.short RowShareLock",
            "public.short Itself RowShareLock",
            "public.users Read of public.names RowShareLock",
        ]
    );
    // What the catalog does not have stays as it is without one.
    let sql = "ALTER TABLE elsewhere.t ADD a int";
    assert_eq!(told(sql, &catalog), pg::parse(sql).expect("parses").effects().remove(0));
    let mut open = catalog.clone();
    let sql = "DO $$ BEGIN EXECUTE 'CREATE TABLE heir () INHERITS (users)'; END $$";
    names::define(&pg::parse(sql).expect("parses"), &mut open);
    let effects = told("TRUNCATE users", &open);
    assert!(tables(&effects).contains(&"public.users Descendants AccessExclusiveLock?".to_owned()));
}

/// Names get the schemas that the path tells, also those of what is new.
#[test]
fn names_by_the_path() {
    let mut path = DdlCatalog::new();
    path.set_search_path(["$user".to_owned(), "app".to_owned()]);
    let schema = |sql: &str| told(sql, &path).privileges[0].name.as_ref().unwrap().plain();
    assert_eq!(schema("CREATE TABLE t ()"), "app");
    assert_eq!(schema("CREATE VIEW v AS SELECT 1"), "app");
    assert_eq!(schema("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"), "app");
    assert_eq!(schema("CREATE TABLE other.t ()"), "other");
    // It can be in no other schema.
    assert_eq!(tables(&told("SELECT * FROM t", &path)), ["app.t Itself AccessShareLock"]);
    assert_eq!(
        tables(&told("SELECT * FROM pg_class", &path)),
        ["pg_catalog.pg_class Itself AccessShareLock"]
    );
    let dropped = told("DROP TABLE t; ", &path);
    assert_eq!(dropped.losses[0].name.as_ref().unwrap().plain(), "app.t");
    // It can be in two.
    path.set_search_path(["a".to_owned(), "b".to_owned()]);
    assert_eq!(tables(&told("SELECT * FROM t", &path)), ["t Itself AccessShareLock"]);
    let schemas = "CREATE SCHEMA a; CREATE SCHEMA b; CREATE TABLE b.t (); SET search_path = a, b";
    let known = catalog(schemas);
    assert_eq!(tables(&told("SELECT * FROM t", &known)), ["b.t Itself AccessShareLock"]);
}

/// Bodies are read, each once, and those that are not known say so.
#[test]
fn functions() {
    let catalog = catalog(
        "CREATE TABLE t (a int);
        CREATE FUNCTION reads() RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM t';
        CREATE FUNCTION writes(x int) RETURNS void LANGUAGE plpgsql AS 'BEGIN DELETE FROM t WHERE a = x; END';
        CREATE FUNCTION again(n int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN again(n - 1); END';
        CREATE FUNCTION refused() RETURNS void STABLE LANGUAGE sql AS 'DELETE FROM t';
        CREATE FUNCTION in_c() RETURNS int LANGUAGE c AS 'a', 'b';
        CREATE SCHEMA s; CREATE TABLE s.u ();
        CREATE FUNCTION elsewhere() RETURNS bigint LANGUAGE sql SET search_path = s AS 'SELECT count(*) FROM u';
        CREATE PROCEDURE p() LANGUAGE plpgsql AS 'BEGIN TRUNCATE t; IF random() > 1 THEN DELETE FROM s.u; END IF; END';",
    );
    let reads = told("SELECT reads()", &catalog);
    assert!(reads.is_pure() && reads.unknown.is_empty(), "{reads:?}");
    assert_eq!(tables(&reads), ["public.t Itself AccessShareLock?"]);
    let writes = told("SELECT writes(1)", &catalog);
    assert_eq!((writes.writes, writes.unknown.len()), (Answer::Maybe, 0));
    assert_eq!(tables(&writes), ["public.t Itself RowExclusiveLock?"]);
    assert!(told("SELECT again(5)", &catalog).is_pure());
    // The server refuses the statement.
    assert!(told("SELECT refused()", &catalog).writes.is_no());
    for sql in ["SELECT in_c()", "SELECT writes()", "SELECT nowhere.f()"] {
        let effects = told(sql, &catalog);
        assert!(matches!(effects.unknown[..], [UnknownSql::Function(_)]), "{sql}");
    }
    let elsewhere = told("SELECT elsewhere()", &catalog);
    assert_eq!(tables(&elsewhere), ["s.u Itself AccessShareLock?"]);
    assert_eq!(
        tables(&told("CALL p()", &catalog)),
        ["public.t Itself AccessExclusiveLock", "s.u Itself RowExclusiveLock?"]
    );
    // What it does depends on the database without a catalog.
    let without = pg::parse("CALL p()").expect("parses").effects().remove(0);
    assert_eq!(without.strongest_lock(), LockMode::NoLock);
}

/// A catalog that knows nothing adds nothing.
#[test]
fn without_knowledge() {
    let cases = std::fs::read_to_string(root().join("tests/effects/cases.sql")).expect("the cases");
    let mut count = 0;
    for sql in cases.lines().filter(|line| !line.starts_with("--")) {
        let Ok(tree) = pg::parse(sql) else { continue };
        assert_eq!(tree.effects_in(&NoCatalog), tree.effects(), "{sql}");
        count += 1;
    }
    assert!(count > 250);
}

/// All trees and nodes answer the same.
#[test]
fn trees_and_nodes() {
    let catalog = catalog(SHOP);
    let tree = pg::parse("DELETE FROM users").expect("parses");
    let stmt = tree.stmts().next().expect("a statement");
    let view = tree.to_view().expect("a view");
    let raw = view.stmts().next().expect("a statement");
    let own = tree.effects_in(&catalog);
    assert_eq!(own, view.effects_in(&catalog));
    assert_eq!(own[0], stmt.effects_in(&catalog));
    assert_eq!(own[0], raw.effects_in(&catalog));
    for server in [15, 18] {
        assert_eq!(tree.effects_in_on(&catalog, server).as_ref(), Ok(&own));
    }
    assert!(tree.effects_in_on(&catalog, 14).is_err());
}

/// Long chains and cycles end, in linear time and on any stack.
#[test]
fn long_chains() {
    use std::fmt::Write as _;
    let mut sql = "CREATE TABLE t0 (id int PRIMARY KEY, up int);".to_owned();
    for i in 1..2000 {
        let before = i - 1;
        write!(
            sql,
            "CREATE TABLE t{i} (id int PRIMARY KEY, up int REFERENCES t{before} ON DELETE CASCADE ON UPDATE CASCADE);"
        )
        .expect("a string");
    }
    sql += "ALTER TABLE t0 ADD FOREIGN KEY (up) REFERENCES t1999 ON DELETE CASCADE;";
    for i in 0..200 {
        let next = (i + 1) % 200;
        write!(
            sql,
            "CREATE FUNCTION f{i}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM t{next}; PERFORM g{i}(); END';
             CREATE FUNCTION g{i}() RETURNS void LANGUAGE sql AS 'SELECT g{next}(), g{i}()';
             CREATE TRIGGER x AFTER DELETE ON t{i} FOR EACH STATEMENT EXECUTE FUNCTION f{i}();"
        )
        .expect("a string");
    }
    let catalog = catalog(&sql);
    let effects = told("DELETE FROM t0", &catalog);
    let names: std::collections::HashSet<_> = effects.tables.iter().map(|it| &it.name).collect();
    assert_eq!(names.len(), 2000);
    // Bodies in bodies are not read without end.
    assert!(effects.unknown.iter().any(|it| matches!(it, UnknownSql::Function(_))));
}

/// What refers to itself, and a table with very much, end on a small stack.
#[test]
fn hostile_catalogs() {
    use std::fmt::Write as _;
    let views = "CREATE VIEW a AS SELECT 1 AS x; CREATE VIEW b AS SELECT x FROM a; CREATE VIEW c AS SELECT x FROM b;
        CREATE OR REPLACE VIEW a AS SELECT x FROM c; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT x FROM d';
        CREATE VIEW d AS SELECT f() AS x; CREATE DOMAIN e AS int; CREATE DOMAIN h AS e; CREATE TABLE users (a h);
        CREATE TABLE own (id int PRIMARY KEY, up int REFERENCES own ON DELETE CASCADE ON UPDATE CASCADE);
        CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM own; RETURN NULL; END';
        CREATE TRIGGER t AFTER DELETE ON own FOR EACH ROW EXECUTE FUNCTION t();";
    let mut much = "CREATE TABLE p (id int PRIMARY KEY, up int);
        CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO p VALUES (1); END';"
        .to_owned();
    for i in 0..2000 {
        write!(
            much,
            "CREATE TABLE t{i} (up int REFERENCES p ON DELETE CASCADE);
            CREATE TRIGGER g{i} BEFORE DELETE ON p FOR EACH ROW EXECUTE FUNCTION g();
            CREATE VIEW v{i} AS SELECT id FROM p; CREATE INDEX i{i} ON p (id);"
        )
        .expect("a string");
    }
    let run = move || {
        let of_views = catalog(views);
        for sql in [
            "SELECT * FROM a",
            "SELECT * FROM d",
            "INSERT INTO b VALUES (1)",
            "UPDATE d SET x = 1",
            "DROP VIEW a CASCADE",
            "LOCK TABLE c",
            "DELETE FROM own",
            "UPDATE own SET id = 2",
            "TRUNCATE own CASCADE",
            "ALTER DOMAIN e ADD CHECK (value > 0)",
            "DROP SCHEMA public CASCADE",
            "ALTER TABLE own ALTER id TYPE bigint",
        ] {
            assert!(!tables(&told(sql, &of_views)).is_empty(), "{sql}");
        }
        let much = catalog(&much);
        let count = |sql| told(sql, &much).tables.len();
        assert!(count("DELETE FROM p") >= 2001);
        assert!(count("DROP TABLE p CASCADE") >= 4001);
        assert!(count("TRUNCATE p CASCADE") >= 2001);
        assert!(count("ALTER TABLE p ALTER id TYPE bigint") >= 2001);
        assert!(count("DROP SCHEMA public CASCADE") >= 4001);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
    thread.join().expect("it ends");
}

/// Rules are unknown SQL.
#[test]
fn rules() {
    let catalog = catalog(
        "CREATE TABLE t (a int); CREATE RULE r AS ON INSERT TO t DO ALSO NOTHING;
        CREATE TABLE u (a int); CREATE RULE r AS ON INSERT TO u DO ALSO NOTHING; DROP RULE r ON u;",
    );
    assert!(matches!(
        told("INSERT INTO t VALUES (1)", &catalog).unknown[..],
        [UnknownSql::Rules(_)]
    ));
    assert!(told("UPDATE t SET a = 1", &catalog).unknown.is_empty());
    assert!(told("INSERT INTO u VALUES (1)", &catalog).unknown.is_empty());
}

/// A catalog of one's own that tells nothing of what is related leaves the general entries.
#[test]
fn other_catalogs() {
    struct One(Vec<String>, Relation);

    impl Catalog for One {
        fn search_path(&self) -> &[String] {
            &self.0
        }

        fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
            (schema == "public" && name == "t").then_some(&self.1)
        }

        fn routines(&self, _: &str, _: &str) -> &[Routine] {
            &[]
        }

        fn is_known(&self, schema: &str) -> bool {
            schema == "public"
        }
    }

    let table = Relation::new("public", "t", RelationKind::Table, ["a"]);
    let catalog = One(vec!["public".to_owned()], table);
    let effects = told("TRUNCATE t CASCADE", &catalog);
    let which: Vec<_> = effects.tables.iter().map(|it| (it.which, it.of.is_none())).collect();
    assert_eq!(
        which,
        [(Which::Itself, true), (Which::Descendants, true), (Which::Referencing, true)]
    );
    assert!(effects.tables.iter().all(|it| it.name.plain() == "public.t"));
}
