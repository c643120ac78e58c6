//! Transactions of the statements that fill a catalog.

use std::collections::BTreeMap;

use pg_ast_names::{Catalog as _, DdlCatalog, Relation};

use super::NAME;
use super::pg;
use super::pg_names::define;

fn after<'s>(stmts: impl IntoIterator<Item = &'s str>) -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    for stmt in stmts {
        define(&pg::parse(stmt).expect("parses"), &mut catalog);
    }
    catalog
}

/// The tables and where names are looked up.
fn shown(catalog: &DdlCatalog) -> String {
    let tables = catalog.relations().map(|relation| {
        let columns: Vec<_> = relation.columns.iter().map(|it| it.name.as_str()).collect();
        format!("{}({})", relation.name, columns.join(" "))
    });
    let mut tables: Vec<_> = tables.collect();
    tables.sort();
    format!("{} | {}", catalog.search_path().join(","), tables.join(" "))
}

/// Scripts, each with the search path and the tables that it leaves.
const SCRIPTS: &[(&str, &str)] = &[
    ("BEGIN; CREATE TABLE t (a int); ROLLBACK", "public | "),
    ("START TRANSACTION; CREATE TABLE t (a int); ABORT", "public | "),
    ("BEGIN; CREATE TABLE t (a int); COMMIT", "public | public.t(a)"),
    ("BEGIN; CREATE TABLE t (a int); END; ROLLBACK", "public | public.t(a)"),
    // The server warns.
    ("CREATE TABLE t (a int); ROLLBACK; COMMIT", "public | public.t(a)"),
    ("BEGIN; CREATE TABLE t (a int); BEGIN; CREATE TABLE u (a int); ROLLBACK", "public | "),
    (
        "CREATE TABLE t (a int, b int); BEGIN; ALTER TABLE t DROP b; DROP TABLE t; ROLLBACK",
        "public | public.t(a b)",
    ),
    (
        "CREATE TABLE t (a int); BEGIN; ALTER TABLE t RENAME TO u; ALTER TABLE u SET SCHEMA s; ROLLBACK",
        "public | public.t(a)",
    ),
    (
        "BEGIN; CREATE TABLE t (a int); COMMIT AND CHAIN; CREATE TABLE u (a int); ROLLBACK",
        "public | public.t(a)",
    ),
    (
        "BEGIN; CREATE TABLE t (a int); ROLLBACK AND CHAIN; CREATE TABLE u (a int); ROLLBACK; CREATE TABLE v ()",
        "public | public.v()",
    ),
    ("COMMIT AND CHAIN; CREATE TABLE t (a int); ROLLBACK", "public | public.t(a)"),
    // Savepoints.
    (
        "BEGIN; CREATE TABLE t (); SAVEPOINT a; CREATE TABLE u (); ROLLBACK TO a; CREATE TABLE v (); COMMIT",
        "public | public.t() public.v()",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); SAVEPOINT a; CREATE TABLE u (); ROLLBACK TO a; ROLLBACK TO a; COMMIT",
        "public | public.t()",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); SAVEPOINT a; CREATE TABLE u (); RELEASE a; ROLLBACK TO a; COMMIT",
        "public | ",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); SAVEPOINT b; CREATE TABLE u (); ROLLBACK TO a; CREATE TABLE v (); COMMIT",
        "public | public.v()",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); RELEASE a; CREATE TABLE u (); COMMIT",
        "public | public.t() public.u()",
    ),
    ("SAVEPOINT a; CREATE TABLE t (); ROLLBACK TO a; RELEASE a", "public | public.t()"),
    // What fails.
    (
        "BEGIN; CREATE TABLE t (); ROLLBACK TO nothing; CREATE TABLE u (); COMMIT; CREATE TABLE v ()",
        "public | public.v()",
    ),
    (
        "BEGIN; CREATE TABLE t (); RELEASE nothing; SAVEPOINT a; COMMIT AND CHAIN; CREATE TABLE u (); COMMIT",
        "public | public.u()",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); RELEASE b; CREATE TABLE u (); ROLLBACK TO a; CREATE TABLE v (); COMMIT",
        "public | public.v()",
    ),
    ("BEGIN; CREATE TABLE t (); DISCARD ALL; COMMIT", "public | "),
    // Where names are looked up.
    ("BEGIN; SET search_path = s; ROLLBACK", "public | "),
    ("BEGIN; SET search_path = s; COMMIT", "s | "),
    (
        "BEGIN; SET LOCAL search_path = s; CREATE TABLE t (); COMMIT; CREATE TABLE u ()",
        "public | public.u() s.t()",
    ),
    ("SET search_path = r; BEGIN; SET LOCAL search_path = s; SET search_path = q; COMMIT", "q | "),
    ("SET search_path = r; BEGIN; SET search_path = q; SET LOCAL search_path = s; COMMIT", "q | "),
    (
        "SET search_path = r; BEGIN; SET LOCAL search_path = s; SET LOCAL search_path TO DEFAULT; COMMIT",
        "r | ",
    ),
    (
        "BEGIN; SAVEPOINT a; SET LOCAL search_path = s; ROLLBACK TO a; CREATE TABLE t (); COMMIT",
        "public | public.t()",
    ),
    (
        "BEGIN; SAVEPOINT a; SET LOCAL search_path = s; RELEASE a; CREATE TABLE t (); COMMIT",
        "public | s.t()",
    ),
    (
        "BEGIN; SELECT set_config('search_path', 's', true); COMMIT; CREATE TABLE t ()",
        "public | public.t()",
    ),
    ("BEGIN; SELECT set_config('search_path', 's', false); COMMIT; CREATE TABLE t ()", "s | s.t()"),
    ("SET search_path = s; CREATE TEMP TABLE t (); DISCARD ALL", "public | "),
    ("BEGIN; SET search_path = s; CREATE TEMP TABLE t (); DISCARD TEMP; COMMIT", "s | "),
    // Tables of a transaction.
    ("BEGIN; CREATE TEMP TABLE t () ON COMMIT DROP; COMMIT", "public | "),
    (
        "BEGIN; CREATE TEMP TABLE t () ON COMMIT DROP; ALTER TABLE t RENAME TO u; COMMIT",
        "public | ",
    ),
    (
        "BEGIN; CREATE TEMP TABLE t ON COMMIT DROP AS SELECT 1 AS a; DROP TABLE t; CREATE TEMP TABLE t (b int); COMMIT",
        "public | pg_temp.t(b)",
    ),
    (
        "BEGIN; SAVEPOINT a; CREATE TEMP TABLE t () ON COMMIT DROP; ROLLBACK TO a; CREATE TEMP TABLE t (b int); COMMIT",
        "public | pg_temp.t(b)",
    ),
];

#[test]
fn what_is_left_after_transactions() {
    for (script, expected) in SCRIPTS {
        let whole = after([*script]);
        assert_eq!(shown(&whole), *expected, "{NAME}: {script}");
        let each = after(script.split("; "));
        assert_eq!(shown(&each), *expected, "{NAME}: {script}");
        assert!(!each.is_in_transaction(), "{NAME}: {script}");
    }
}

#[test]
fn a_script_that_ends_in_a_transaction() {
    let mut catalog = after(["BEGIN; SET LOCAL search_path = s; CREATE TABLE t ()"]);
    assert!(catalog.is_in_transaction());
    catalog.end_script();
    assert!(!catalog.is_in_transaction());
    assert_eq!(shown(&catalog), "public | s.t()");
    define(&pg::parse("ROLLBACK").expect("parses"), &mut catalog);
    assert_eq!(shown(&catalog), "public | s.t()");
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("small")
    }

    fn definition(&mut self) -> String {
        let [t, u, n] = [40, 40, 8].map(|limit| self.below(limit));
        match self.below(16) {
            0..5 => format!("CREATE TABLE IF NOT EXISTS t{t} (a int PRIMARY KEY, b{n} int)"),
            5 => format!("CREATE TABLE IF NOT EXISTS t{t} () INHERITS (t{u})"),
            6 => format!("ALTER TABLE t{t} ADD FOREIGN KEY (a) REFERENCES t{u}"),
            7 => format!("ALTER TABLE t{t} ADD COLUMN IF NOT EXISTS c{n} int DEFAULT 1"),
            8 => format!("ALTER TABLE t{t} DROP COLUMN IF EXISTS b{n} CASCADE"),
            9 => format!("CREATE OR REPLACE VIEW v{n} AS SELECT * FROM t{t}"),
            10 => format!("DROP TABLE IF EXISTS t{t} CASCADE"),
            11 => format!("CREATE INDEX IF NOT EXISTS i{u} ON t{t} (a)"),
            12 => format!("SET search_path = s{}, public", n % 2),
            13 => format!("CREATE OR REPLACE FUNCTION f{n}() RETURNS int LANGUAGE sql RETURN {u}"),
            14 => format!("ALTER TABLE t{t} SET SCHEMA s{}", n % 2),
            _ => format!("CREATE DOMAIN d{u} AS int"),
        }
    }
}

/// All that a catalog tells.
fn told(catalog: &DdlCatalog) -> impl PartialEq + core::fmt::Debug + use<> {
    let relations = catalog.relations().map(|it| (it.name.to_string(), it.clone()));
    let relations: BTreeMap<String, Relation> = relations.collect();
    let related: Vec<_> = relations
        .values()
        .flat_map(|relation| {
            use pg_ast_names::Relationship::{
                Children, Parents, Read, Referencing, TableOf, Views,
            };
            let all = [Children, Parents, Read, Referencing, TableOf, Views];
            all.map(|how| catalog.related(&relation.name, how))
        })
        .collect();
    let others: Vec<_> = ["public", "s0", "s1"]
        .into_iter()
        .map(|schema| {
            let routines: Vec<_> =
                (0..8).map(|n| catalog.routines(schema, &format!("f{n}")).to_vec()).collect();
            let types: Vec<_> = catalog.type_names(schema).map(str::to_owned).collect();
            (routines, types)
        })
        .collect();
    (catalog.search_path().to_vec(), relations, related, others)
}

/// A catalog after a script is that after the statements which the script has not taken back.
#[test]
fn random_transactions() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut taken_back, mut kept) = (0, 0);
    for _ in 0..60 {
        let mut catalog = DdlCatalog::new();
        let mut stmts: Vec<String> = Vec::new();
        // How many statements there were, and the names of savepoints.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for _ in 0..200 {
            let name = 1 + random.below(3);
            let place = places.iter().rposition(|(_, other)| *other == name);
            let sql = match (random.below(12), places.is_empty()) {
                (0, true) => {
                    places.push((stmts.len(), 0));
                    "BEGIN".to_owned()
                }
                (1, false) => {
                    taken_back += stmts.len() - places[0].0;
                    stmts.truncate(places[0].0);
                    places.clear();
                    "ROLLBACK".to_owned()
                }
                (2, false) => {
                    places.clear();
                    "COMMIT".to_owned()
                }
                (3 | 4, false) => {
                    places.push((stmts.len(), name));
                    format!("SAVEPOINT p{name}")
                }
                (5, _) if let Some(place) = place => {
                    places.truncate(place);
                    format!("RELEASE p{name}")
                }
                (6, _) if let Some(place) = place => {
                    places.truncate(place + 1);
                    taken_back += stmts.len() - places[place].0;
                    stmts.truncate(places[place].0);
                    format!("ROLLBACK TO p{name}")
                }
                _ => {
                    stmts.push(random.definition());
                    stmts[stmts.len() - 1].clone()
                }
            };
            define(&pg::parse(&sql).expect("parses"), &mut catalog);
        }
        kept += stmts.len();
        let expected = after(stmts.iter().map(String::as_str));
        assert_eq!(told(&catalog), told(&expected), "{NAME}: {stmts:?}");
    }
    assert!(taken_back > 1000 && kept > 3000, "{taken_back} of {kept}");
}

/// A copy for each savepoint would take minutes.
#[test]
fn many_savepoints() {
    let mut catalog = DdlCatalog::new();
    let mut run = |sql: &str| define(&pg::parse(sql).expect("parses"), &mut catalog);
    for number in 0..5000 {
        run(&format!("CREATE TABLE t{number} (a int, b int, c text)"));
    }
    run("CREATE TABLE above (a int) PARTITION BY LIST (a); BEGIN");
    for number in 0..5000 {
        run(&format!("SAVEPOINT p{number}"));
        run(&format!("CREATE TABLE part{number} PARTITION OF above FOR VALUES IN ({number})"));
        run(&format!("ALTER TABLE t{number} ADD COLUMN d int"));
    }
    run("ROLLBACK TO p2500");
    let count = catalog.relations().count();
    assert_eq!(count, 5001 + 2500);
    let columns = |table| catalog.relation("public", table).map(|it| it.columns.len());
    assert_eq!((columns("t2499"), columns("t2500")), (Some(4), Some(3)));
}
