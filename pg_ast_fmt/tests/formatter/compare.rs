//! The comparison that every formatted script has to pass.

use pg_ast::Version;
use pg_ast_fmt::{DifferenceKind, compare};

#[track_caller]
fn same(old: &str, new: &str) {
    assert_eq!(compare(Version::newest(), old, new), Ok(()), "{old:?} {new:?}");
}

#[track_caller]
fn differ(old: &str, new: &str, kind: DifferenceKind, at: &str) {
    let difference = compare(Version::newest(), old, new).expect_err(new);
    assert_eq!(difference.kind, kind, "{old:?} {new:?}");
    assert!(old[difference.offset..].starts_with(at), "{old:?} {new:?} {difference:?}");
}

#[test]
fn layout_is_no_difference() {
    same("select 1", "SELECT 1;\n");
    same("select a,b\nfrom T -- c  \n;", "SELECT\n  a, b\nFROM T -- c\n;\n");
    same("select a, /* c */ b;", "SELECT\n  a,\n  /* c */ b;");
    same("select 1; select 2;", "SELECT 1;\n\nSELECT 2;");
    same("select 1 \\gset\n", "SELECT\n  1 \\gset\n");
    same("", "");
}

#[test]
fn nothing_may_be_lost() {
    use DifferenceKind::{Comment, NotSql, Stmt};
    // A statement, by a semicolon that is lost or in a comment.
    differ(
        "DELETE FROM t -- x\n; UPDATE t SET a = 2;",
        "DELETE FROM t -- x\nUPDATE t SET a = 2;",
        Stmt,
        "DELETE",
    );
    differ("SELECT 1; COMMIT;", "SELECT 1 COMMIT;", Stmt, "SELECT");
    differ("SELECT 1; SELECT 2;", "SELECT 1 -- ;\n; SELECT 2;", Comment, "; SELECT 2");
    differ("SELECT 1; SELECT 2;", "SELECT 1;", Stmt, "SELECT 2");
    differ("SELECT 1;", "SELECT 1; SELECT 2;", Stmt, "");
    // Another statement, constant, or name.
    differ("SELECT 1; end;", "SELECT 1; ABORT;", Stmt, "end");
    differ("SELECT 1, 'a';", "SELECT 1, 'b';", Stmt, "SELECT");
    differ("SELECT \"A\";", "SELECT a;", Stmt, "SELECT");
    // The same tree, by other tokens.
    differ("SELECT A;", "SELECT a;", Stmt, "SELECT");
    differ("SELECT 0xFF;", "SELECT 255;", Stmt, "SELECT");
    differ("END;", "COMMIT;", Stmt, "END");
    differ("SELECT '\"location: 5';", "SELECT '\"location: 6';", Stmt, "SELECT");
    differ("COMMENT ON TABLE t IS '';", "COMMENT ON TABLE t IS NULL;", Stmt, "COMMENT");
    // The text of a wrong statement.
    differ("SELEC  1;", "SELEC 1;", Stmt, "SELEC");
    // A variable of psql.
    differ("SELECT a[1: x];", "SELECT a[1:x];", Stmt, "SELECT");
    // Comments, their order, and their statements.
    differ("-- a\nSELECT 1;", "SELECT 1;", Comment, "-- a");
    differ("SELECT 1; -- a", "SELECT 1; -- b", Comment, "; -- a");
    differ("SELECT /* a */ 1 /* b */;", "SELECT /* b */ 1 /* a */;", Comment, "SELECT");
    differ("select /* c */ 1;", "/* c */\nSELECT 1;", Comment, "select");
    differ("SELECT 1, /* a */ 2;", "SELECT 1 /* a */, 2;", Comment, "SELECT");
    differ("SELECT 1, -- a\n2;", "SELECT 1,\n-- a\n2;", Comment, "SELECT");
    differ("SELECT 1,\n-- a\n2;", "SELECT 1, -- a\n2;", Comment, "SELECT");
    differ("SELECT 1 /* a */; SELECT 2;", "SELECT 1; /* a */ SELECT 2;", Comment, " /* a */");
    differ("/* a\n b */ SELECT 1;", "/* a b */ SELECT 1;", Comment, "/* a");
    differ("SELECT 1;;", "SELECT 1;", Comment, "");
    // Text for psql.
    differ("SELECT 1;\n\\echo  a\n", "SELECT 1;\n\\echo a\n", NotSql, ";\n\\echo");
    differ("SELECT 1 \\g\n", "SELECT 1;\n", NotSql, " \\g");
    differ("COPY t FROM stdin;\n1 \n\\.\n", "COPY t FROM stdin;\n1\n\\.\n", NotSql, ";\n1 \n");
    differ(
        "COPY t FROM stdin;\nselect  1;\n",
        "COPY t FROM stdin;\nselect 1;\n",
        NotSql,
        ";\nselect",
    );
    differ("COPY t FROM stdin;\n", "COPY t FROM stdin;\n\n", NotSql, ";\n");
    // Blanks of the data of a statement before.
    let script = "COPY t FROM stdin; SELECT 1;\n-- a\n";
    differ(script, &script.replace("\n--", "\n\n--"), NotSql, ";\n-- a");
    differ("COPY t FRM stdin;\n1\n\\.\n", "COPY t FRM stdin;\n1 \n\\.\n", NotSql, ";\n1");
    differ("\u{feff}SELECT 1;", "SELECT 1;", NotSql, "\u{feff}");
    // The setting is part of the script.
    let script = "SET standard_conforming_strings = off; SELECT 'a\\\\b';";
    differ(script, &script.replace("'a\\\\b'", "E'a\\\\\\\\b'"), Stmt, "SELECT");
}
