//! What transactions leave of tables, compared with the server: random ones, of definitions that fail and of those that do not.

use std::collections::BTreeSet;

use pg_ast::view;
use pg_ast_names::{Catalog as _, DdlCatalog, RelationKind, define};

use super::connection::Server;
use crate::relation_facts::{facts, facts_of_server};

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("small")
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn transaction(&mut self) -> String {
        let name = self.one(&["a", "b", "c"]);
        match self.below(8) {
            0..3 => format!("SAVEPOINT {name}"),
            3 => format!("RELEASE {name}"),
            4 => format!("ROLLBACK TO {name}"),
            5 => self.one(&["COMMIT", "COMMIT AND CHAIN", "END"]).to_owned(),
            6 => self.one(&["ROLLBACK", "ROLLBACK AND CHAIN", "ABORT"]).to_owned(),
            _ => self.one(&["BEGIN", "START TRANSACTION"]).to_owned(),
        }
    }

    fn definition(&mut self) -> String {
        let [t, u, n] = [12, 12, 4].map(|limit| self.below(limit));
        let path = self.one(&["s0", "s1, public", "public", "DEFAULT"]);
        let local = self.one(&["", "SESSION", "LOCAL"]);
        match self.below(20) {
            0..4 => format!("CREATE TABLE t{t} (a int PRIMARY KEY, b{n} serial)"),
            4 => format!("CREATE TEMP TABLE t{t} (a int, b{n} int) ON COMMIT DROP"),
            5 => format!("CREATE TABLE t{t} () INHERITS (t{u})"),
            6 => format!("ALTER TABLE t{t} ADD FOREIGN KEY (a) REFERENCES t{u} NOT VALID"),
            7 => format!("ALTER TABLE t{t} ADD COLUMN c{n} int DEFAULT 1"),
            8 => format!("ALTER TABLE t{t} DROP COLUMN b{n} CASCADE"),
            9 => format!("ALTER TABLE t{t} ADD CONSTRAINT k{n} CHECK (a > 0) NOT VALID"),
            10 => format!("ALTER TABLE t{t} VALIDATE CONSTRAINT k{n}"),
            11 => format!("DROP TABLE t{t} CASCADE"),
            12 => format!("CREATE UNIQUE INDEX i{u} ON t{t} (a)"),
            13 => format!("ALTER TABLE t{t} RENAME TO t{u}"),
            14 => format!("ALTER TABLE t{t} SET SCHEMA s{}", n % 2),
            15 => format!("ALTER TABLE t{t} RENAME COLUMN b{n} TO c{n}"),
            16 => format!("CREATE TABLE t{t} AS SELECT a FROM t{u}"),
            17 => self.one(&["DISCARD TEMP", "DISCARD ALL"]).to_owned(),
            _ => format!("SET {local} search_path TO {path}"),
        }
    }
}

/// Compares the tables and the search path after each statement.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut catalog = DdlCatalog::new();
    let mut mistakes = BTreeSet::new();
    let (mut stmts, mut back) = (0, 0);
    let run = |server: &mut Server, catalog: &mut DdlCatalog, sql: &str| {
        let error = server.run(&[sql]).pop().flatten();
        if error.is_none() {
            define(&view::parse(sql).expect("it parses"), catalog);
        }
        error.is_none()
    };
    for sql in ["DISCARD ALL", "CREATE SCHEMA s0", "CREATE SCHEMA s1"] {
        assert!(run(server, &mut catalog, sql), "{sql}");
    }
    for _ in 0..700 {
        let is_in = catalog.is_in_transaction();
        let sql = if random.below(if is_in { 3 } else { 6 }) == 0 {
            random.transaction()
        } else {
            random.definition()
        };
        // Text does not tell whether a definition fails, so one that does is taken back. What a command about transactions does, it tells.
        let is_command = !sql.contains(|c: char| c.is_ascii_digit()) && !sql.starts_with("SET");
        let is_failed = server.run(&["SELECT 1"]).pop().flatten().is_some();
        if is_command {
            let before: Vec<_> = catalog.relations().cloned().collect();
            server.run(&[&sql]);
            define(&view::parse(&sql).expect("it parses"), &mut catalog);
            back += usize::from(!catalog.relations().eq(&before));
        } else if is_failed {
            define(&view::parse(&sql).expect("it parses"), &mut catalog);
        } else if is_in {
            server.run(&["SAVEPOINT guard"]);
            if run(server, &mut catalog, &sql) {
                server.run(&["RELEASE guard"]);
            } else {
                server.run(&["ROLLBACK TO guard", "RELEASE guard"]);
            }
        } else if !sql.contains("LOCAL") && !sql.contains("ON COMMIT") {
            run(server, &mut catalog, &sql);
        }
        stmts += 1;
        if server.run(&["SELECT 1"]).pop().flatten().is_some() {
            continue;
        }
        let counts = "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND (relnamespace = pg_my_temp_schema()
            OR relnamespace::regnamespace::text IN ('public', 's0', 's1')) AND relname LIKE 't%'";
        let rows = server.query(counts).unwrap_or_else(|error| panic!("{}", error.get(b'M')));
        let is_table = |name: &str, kind| kind == RelationKind::Table && name.starts_with('t');
        let own = catalog.relations().filter(|it| is_table(&it.name.name, it.kind));
        let own: Vec<_> = own.collect();
        if rows.concat() != [own.len().to_string()] {
            mistakes.insert(format!("{major}: {rows:?} tables, not {}, after {sql}", own.len()));
        }
        // What a definition does to a table is compared elsewhere: this is what is left of it.
        for relation in own.into_iter().filter(|_| is_command) {
            let (truth, own) = (facts_of_server(server, relation), facts(relation));
            let truth = truth.unwrap_or_default();
            if let Some(line) = truth.symmetric_difference(&own).next() {
                let who = if truth.contains(line) { "server" } else { "catalog" };
                mistakes
                    .insert(format!("{major}: {}: only the {who}: {line}: {sql}", relation.name));
            }
        }
        let path = "SELECT replace(current_setting('search_path'), '\"$user\", ', '')";
        let path = server.query(path).unwrap_or_else(|error| panic!("{}", error.get(b'M')));
        if path.concat() != [catalog.search_path().join(", ")] {
            mistakes.insert(format!("{major}: {path:?} after {sql}"));
        }
        if mistakes.len() > 5 {
            break;
        }
    }
    println!("{major}: {stmts} statements in random transactions, {back} of which changed tables");
    if back < 5 {
        mistakes.insert(format!("{major}: only {back} changed something"));
    }
    server.run(&["ROLLBACK", "DISCARD ALL", "DROP SCHEMA s0, s1 CASCADE"]);
    mistakes.into_iter().collect()
}
