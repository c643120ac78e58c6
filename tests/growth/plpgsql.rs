//! What can be repeated in the body of a function in PL/pgSQL.

use super::shapes::{Shape, list, nested};

fn body(declarations: &str, statements: &str) -> String {
    format!("DO $$ DECLARE a int; {declarations} BEGIN {statements} END $$")
}

/// A line is short, and a search for its number starts at the body's: its time shows in long bodies only.
const FACTOR: usize = 10;

/// Starts the names.
pub const PLPGSQL: &str = "PL/pgSQL: ";

macro_rules! bodies {
    ($($name:literal: |$n:ident| $declarations:expr, $statements:expr;)*) => {
        &[$(Shape {
            name: concat!("PL/pgSQL: ", $name),
            text: |n| {
                let $n = FACTOR * n;
                body(&$declarations, &$statements)
            },
        }),*]
    };
}

pub const BODIES: &[Shape] = bodies! {
    "assignments": |n| "", "a := 1; ".repeat(n);
    "lines": |n| "", "a := 1;\n".repeat(n);
    "IF": |n| "", "IF a > 1 THEN a := 1; END IF;\n".repeat(n);
    "ELSIF": |n| "", format!("IF a = 0 THEN NULL; {} END IF;", list(n, " ", |i| format!("ELSIF a = {i} THEN NULL;")));
    "WHEN": |n| "", format!("CASE a {} END CASE;", list(n, " ", |i| format!("WHEN {i} THEN NULL;")));
    "variables": |n| list(n, " ", |i| format!("v{i} int;")), list(n, " ", |i| format!("v{i} := v{i} + 1;"));
    "variables of a type": |n| list(n, " ", |i| format!("v{i} app.t;")), list(n, " ", |i| format!("v{i}.f := 1;"));
    "fields of a record": |n| "r record;", list(n, " ", |i| format!("r.f{i} := 1;"));
    "blocks in a row": |n| "", "DECLARE b int; BEGIN b := a; END;\n".repeat(n);
    "labels": |n| "", list(n, " ", |i| format!("<<l{i}>> LOOP EXIT l{i}; END LOOP l{i};"));
    "loops": |n| "", "FOR i IN 1..a LOOP NULL; END LOOP;\n".repeat(n);
    "queries": |n| "", "SELECT b INTO a FROM t WHERE c = a;\n".repeat(n);
    "targets": |n| list(n, " ", |i| format!("v{i} int;")), format!("SELECT 1 INTO {};", list(n.min(1000), ", ", |i| format!("v{i}")));
    "cursors": |n| list(n, " ", |i| format!("c{i} CURSOR FOR SELECT 1;")), list(n, " ", |i| format!("OPEN c{i};"));
    "arguments of a cursor": |n|
        format!("c CURSOR ({}) FOR SELECT 1;", list(n, ", ", |i| format!("p{i} int"))),
        format!("OPEN c({});", list(n, ", ", |i| format!("p{i} := 1")));
    "RAISE": |n| "", format!("RAISE NOTICE '{}', {};", "% ".repeat(n), list(n, ", ", |_| "a".to_owned()));
    "handlers": |n| "", format!("NULL; EXCEPTION {}", "WHEN no_data_found THEN NULL; ".repeat(n));
    "conditions": |n| "", format!("NULL; EXCEPTION WHEN {} THEN NULL;", list(n, " OR ", |_| "no_data_found".to_owned()));
    "comments": |n| "", "/* c */ -- d\n".repeat(n);
    "one long expression": |n| "", format!("a := {};", list(n, " + ", |_| "a".to_owned()));
    "USING": |n| "", format!("EXECUTE 'q' USING {};", list(n, ", ", |_| "a".to_owned()));
    "diagnostics": |n| "", format!("GET DIAGNOSTICS {};", list(n, ", ", |_| "a = ROW_COUNT".to_owned()));
    "findings": |n| "", "IF a = NULL THEN DELETE FROM t; RETURN; NULL; SELECT 1; END IF;\n".repeat(n);
    "names in quotes": |n| list(n, " ", |i| format!("\"v{i}\" int;")), "";
    "names that hide others": |n| "", nested(n / FACTOR, "DECLARE a int; BEGIN ", "a := 1;", " END;");
    "ignored rules": |n| "", "-- pgast-ignore select-star, x\nDELETE FROM t;\n".repeat(n);
    "ignored rules in blocks": |n| "", nested(n / FACTOR, "-- pgast-ignore select-star\nBEGIN ", "DELETE FROM t;", " END;");
    "nested blocks": |n| "", nested(n / FACTOR, "BEGIN ", "NULL;", " END;");
    "nested IF": |n| "", nested(n / FACTOR, "IF true THEN ", "NULL;", " END IF;");
    "nested loops with variables": |n| "", nested(n / FACTOR, "FOR i IN 1..2 LOOP ", "a := i;", " END LOOP;");
};

/// What can be repeated in functions, besides.
pub const FUNCTIONS: &[Shape] = &[
    Shape {
        name: "PL/pgSQL: parameters",
        text: |n| {
            let params = list(FACTOR * n, ", ", |i| format!("p{i} int"));
            format!(
                "CREATE FUNCTION f({params}) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM p1; END'"
            )
        },
    },
    Shape {
        name: "PL/pgSQL: dynamic SQL with a parameter",
        text: |n| {
            let sql = list(n, " || ", |_| "'a' || p".to_owned());
            let body = format!("v := {sql}; {}", "EXECUTE v; EXECUTE 'a' || p;".repeat(n));
            format!(
                "CREATE FUNCTION f(p text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v text; BEGIN {body} END $$"
            )
        },
    },
    Shape {
        name: "PL/pgSQL: nested format",
        text: |n| {
            let sql = nested(n, "format('%s %1$s', ", "a", ")");
            format!("DO $$ DECLARE a text; BEGIN EXECUTE {sql}; END $$")
        },
    },
    Shape {
        name: "PL/pgSQL: quotes in quotes",
        text: |n| {
            let body = "IF a = ''x'' || NULL THEN DELETE FROM t; END IF; ".repeat(FACTOR * n);
            format!("DO 'DECLARE a text; BEGIN {body} END'")
        },
    },
    Shape {
        name: "PL/pgSQL: statements of a function in SQL",
        text: |n| {
            let body = "DELETE FROM t; SELECT a = NULL; -- pgast-ignore select-star\n".repeat(n);
            format!("CREATE FUNCTION f() RETURNS void LANGUAGE sql AS '{body}'")
        },
    },
];
