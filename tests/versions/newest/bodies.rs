//! PL/pgSQL: what only PostgreSQL 18 has.

#![cfg(feature = "plpgsql")]

use pg_ast::pg18::plpgsql;

/// `tests/version/plpgsql_views.rs` compares the other fields.
#[test]
fn has_exception_block() {
    for (sql, expected) in [
        ("DO $$ BEGIN COMMIT; END $$", false),
        ("DO $$ BEGIN COMMIT; EXCEPTION WHEN OTHERS THEN ROLLBACK; END $$", true),
    ] {
        let viewed = plpgsql::view::parse(sql).expect("parses");
        let function = viewed.functions().next().expect("one").function().expect("right");
        let owned = plpgsql::parse(sql).expect("parses").functions.remove(0).function;
        assert_eq!(owned.map(|function| function.has_exception_block), Ok(expected));
        assert_eq!(function.has_exception_block(), expected);
    }
}
