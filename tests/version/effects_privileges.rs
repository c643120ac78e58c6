//! The privileges that are told. Whether they are enough is asked of servers (`tests/server/privileges.rs`).

use pg_ast::QualifiedName;
use pg_ast_effects::{Effects, FindEffects as _, Privilege, PrivilegeKind};

use super::pg;

fn of(sql: &str) -> Effects {
    pg::parse(sql).expect("parses").effects().remove(0)
}

/// A sequence is named in a string, as for `regclass`.
#[test]
fn sequences_in_strings() {
    for (text, name) in [
        ("s.Q", Some(QualifiedName::new("s", "q"))),
        ("q", Some(QualifiedName::unqualified("q"))),
        ("\"S\" . \"a.\"\"b\"", Some(QualifiedName::new("S", "a.\"b"))),
        ("db.s.q", Some(QualifiedName::new("s", "q"))),
        ("16384", None),
        ("a b", None),
        ("\"a", None),
        ("a.", None),
        ("", None),
    ] {
        let privileges = of(&format!("SELECT nextval('{text}')")).privileges;
        assert_eq!((privileges[0].on, &privileges[0].name), ("SEQUENCE", &name), "{text}");
    }
    assert_eq!(of("CREATE TABLE t (a int)").privileges[0].name, None);
    assert_eq!(of("ALTER SYSTEM RESET ALL").privileges[0].name, None);
}

/// A part of a table is owned with it.
#[test]
fn owners_of_parts() {
    let t = QualifiedName::new("s", "t");
    for (sql, on) in [
        ("DROP TRIGGER r ON s.t", "TABLE"),
        ("DROP POLICY r ON s.t", "TABLE"),
        ("COMMENT ON COLUMN s.t.c IS ''", "TABLE"),
        ("COMMENT ON CONSTRAINT c ON s.t IS ''", "TABLE"),
        ("COMMENT ON CONSTRAINT c ON DOMAIN s.t IS ''", "DOMAIN"),
        ("DROP VIEW s.t", "VIEW"),
        ("DROP OPERATOR CLASS s.t USING btree", "OPERATOR CLASS"),
    ] {
        let privileges = of(sql).privileges;
        let owner = privileges.iter().find(|it| it.kind == PrivilegeKind::Owner).expect(sql);
        assert_eq!((owner.on, owner.name.as_ref()), (on, Some(&t)), "{sql}");
    }
}

/// Related objects, other roles, and what the text does not name.
#[test]
fn whose_privileges() {
    let told = |sql: &str| -> Vec<String> {
        let name = |it: &Privilege| it.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let one = |it: &Privilege| {
            let role = it.role.clone().unwrap_or_default();
            format!("{:?} {} {} {:?} {role}", it.kind, it.on, name(it), it.which)
                .trim_end()
                .to_owned()
        };
        of(sql).privileges.iter().map(one).collect()
    };
    for (sql, expected) in [
        (
            "SELECT lower(a) FROM pg_catalog.pg_class",
            vec!["Select TABLE pg_catalog.pg_class Itself"],
        ),
        (
            "ALTER TABLE s.t RENAME COLUMN a TO b",
            vec!["Owner TABLE s.t Itself", "Owner TABLE s.t Descendants", "Usage SCHEMA s Itself"],
        ),
        ("ALTER TABLE ONLY t DROP COLUMN a", vec!["Owner TABLE t Itself"]),
        (
            "ALTER VIEW v OWNER TO r",
            vec!["Owner VIEW v Itself", "Member ROLE r Itself", "Create SCHEMA  Itself r"],
        ),
        ("ALTER LANGUAGE l OWNER TO CURRENT_USER", vec!["Owner LANGUAGE l Itself"]),
        (
            "ALTER LANGUAGE l OWNER TO SESSION_USER",
            vec!["Owner LANGUAGE l Itself", "Member ROLE  Itself"],
        ),
        (
            "ALTER TABLE s.t SET SCHEMA r",
            vec!["Owner TABLE s.t Itself", "Create SCHEMA r Itself", "Usage SCHEMA s Itself"],
        ),
        (
            "TRUNCATE t RESTART IDENTITY CASCADE",
            vec![
                "Truncate TABLE t Itself",
                "Truncate TABLE t Referencing",
                "Owner TABLE t OwnedSequences",
            ],
        ),
        (
            "CREATE FUNCTION f(a s.t.b%TYPE) RETURNS c LANGUAGE l AS ''",
            vec![
                "Create SCHEMA  Itself",
                "Usage LANGUAGE l Itself",
                "Usage SCHEMA s Itself",
                "Usage TYPE  Itself",
                "Usage TYPE c Itself",
            ],
        ),
        ("CREATE CAST (a AS b) WITHOUT FUNCTION", vec!["Superuser ROLE  Itself"]),
        (
            "CREATE CAST (a AS b) WITH INOUT",
            vec!["Owner TYPE  Itself", "Usage TYPE a Itself", "Usage TYPE b Itself"],
        ),
        (
            "COPY t TO '/f'",
            vec!["Superuser ROLE pg_write_server_files Itself", "Select TABLE t Itself"],
        ),
        ("CREATE ROLE r SUPERUSER", vec!["Superuser ROLE  Itself"]),
        (
            "CREATE SCHEMA s CREATE TABLE t (a int REFERENCES t, b c) CREATE VIEW v AS SELECT FROM t CREATE INDEX ON t (a)",
            vec!["Create DATABASE  Itself", "Usage TYPE c Itself"],
        ),
        ("EXPLAIN DELETE FROM t", vec!["Delete TABLE t Itself"]),
        ("EXPLAIN SELECT f(nextval('q'))", vec!["Execute FUNCTION f Itself"]),
        ("CREATE TABLE pg_temp.t (a serial)", vec!["Temporary DATABASE  Itself"]),
        ("SET log_statement = 'all'", vec!["Set PARAMETER log_statement Itself"]),
        ("SET work_mem = '1MB'", vec![]),
        (
            "GRANT SELECT ON ALL TABLES IN SCHEMA s TO r",
            vec!["Usage SCHEMA s Itself", "GrantOption TABLE s All"],
        ),
    ] {
        assert_eq!(told(sql), expected, "{sql}");
    }
}
