//! What statements do to servers of other versions than the grammar's.

use pg_ast::ErrorKind;
use pg_ast_effects::{Answer, FindEffects as _, PrivilegeKind, Which};

use super::{MAJOR, pg};

/// A release is no major version, nor is one that is not supported.
#[test]
fn versions_of_servers() {
    let tree = pg::parse("VACUUM t").expect("parses");
    let stmt = tree.stmts().next().expect("a statement");
    let view = tree.to_view().expect("a view");
    let raw = view.stmts().next().expect("a statement");
    for server in [0, 14, 19, 180_004, u32::MAX] {
        let error = tree.effects_on(server).expect_err("no version");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&server.to_string()), "{error}");
        assert_eq!(view.effects_on(server), Err(error.clone()));
        assert_eq!(stmt.effects_on(server), Err(error.clone()));
        assert_eq!(raw.effects_on(server), Err(error));
    }
    let own = tree.effects();
    assert_eq!(tree.effects_on(MAJOR).as_ref(), Ok(&own));
    assert_eq!(
        (view.effects(), stmt.effects(), raw.effects()),
        (own.clone(), own[0].clone(), own[0].clone())
    );
}

/// What is other than in PostgreSQL 15, by the notes of each release.
#[test]
fn servers_differ() {
    let on = |sql: &str, server| {
        let tree = pg::parse(sql).expect("parses");
        tree.effects_on(server).expect("a version").remove(0)
    };
    for server in [15, 16, 17, 18] {
        let maintains = if server < 17 { PrivilegeKind::Owner } else { PrivilegeKind::Maintain };
        for sql in
            ["VACUUM t", "ANALYZE t", "CLUSTER t", "REINDEX TABLE t", "REFRESH MATERIALIZED VIEW t"]
        {
            assert_eq!(on(sql, server).privileges[0].kind, maintains, "{sql}");
        }
        // A privilege that is needed in some versions only.
        let needs = |sql: &str, kind| on(sql, server).privileges.iter().any(|it| it.kind == kind);
        for (sql, kind, is_needed) in [
            ("REFRESH MATERIALIZED VIEW CONCURRENTLY v", PrivilegeKind::Temporary, server < 17),
            ("ALTER ROLE r LOGIN", PrivilegeKind::GrantOption, server >= 16),
            ("CREATE ROLE r CREATEDB", PrivilegeKind::CreateDb, server >= 16),
        ] {
            assert_eq!(needs(sql, kind), is_needed, "{server}: {sql}");
        }
        assert_eq!(on("GRANT SELECT ON t TO r", server).tables.len(), usize::from(server >= 18));
        let large_object = on("SELECT lo_create(0)", server).in_read_only;
        assert_eq!(large_object, Answer::from(server < 16));
        let locks = on("LOCK TABLE t IN ROW SHARE MODE", server).privileges[0].kind;
        assert_eq!(locks, if server < 16 { PrivilegeKind::Update } else { PrivilegeKind::Insert });
        let identity = on("ALTER TABLE t ALTER a DROP IDENTITY", server);
        let descends = identity.tables.iter().any(|table| table.which == Which::Descendants);
        assert_eq!(descends, server >= 17);
        let method = on("ALTER TABLE t SET ACCESS METHOD m", server).rewrites();
        assert_eq!(method, if server < 17 { Answer::Yes } else { Answer::Maybe });
    }
    if MAJOR >= 17 {
        let sql = "ALTER TABLE t ALTER a SET EXPRESSION AS (1)";
        assert_eq!((on(sql, 17).rewrites(), on(sql, 18).rewrites()), (Answer::Yes, Answer::Maybe));
    }
    if MAJOR >= 18 {
        let cost = |sql: &str| on(sql, 18).tables.iter().map(|it| (it.rewrites, it.scans)).next();
        let (no, yes) = (Answer::No, Answer::Yes);
        for (sql, expected) in [
            ("ALTER TABLE t ADD a int GENERATED ALWAYS AS (b + 1) VIRTUAL", (no, no)),
            ("ALTER TABLE t ADD a int GENERATED ALWAYS AS (b + 1) STORED", (yes, yes)),
            ("ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT ENFORCED", (no, no)),
            ("ALTER TABLE t ADD CONSTRAINT c NOT NULL a NOT VALID", (no, no)),
            ("ALTER TABLE t ADD CONSTRAINT c NOT NULL a", (no, yes)),
        ] {
            assert_eq!(cost(sql), Some(expected), "{sql}");
        }
    }
}
