//! PL/pgSQL functions as JSON: one for each statement, triggers, errors and their places, depth. `plpgsql_json.rs` compares
//! with libpg_query.

#![cfg(feature = "plpgsql")]

use pg_ast::serde_json::{Value, json};
use pg_ast::{Error, ErrorKind};

use super::NAME;
use super::pg::{self, parse_plpgsql};
use crate::common::{corpus, on_thread};

/// The result for a function in another language.
fn other_language() -> Value {
    json!({"PLpgSQL_function": {"datums": []}})
}

const TRIGGER: &str = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.a := tg_op; RETURN NEW; END $$";
const EVENT_TRIGGER: &str = "CREATE FUNCTION g() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN RAISE NOTICE '%', tg_tag; END $$";

#[test]
fn triggers() {
    let functions = parse_plpgsql(&format!("{TRIGGER}; {EVENT_TRIGGER}; {TRIGGER}")).unwrap();
    assert_eq!(functions.as_array().map(Vec::len), Some(3));
    let names = |function: &Value| {
        let datums = function["PLpgSQL_function"]["datums"].as_array().expect("datums").clone();
        let name = |datum: &Value| {
            let (_, datum) = datum.as_object()?.iter().next()?;
            Some(datum.get("refname").or(datum.get("fieldname"))?.as_str()?.to_owned())
        };
        datums.iter().map(|datum| name(datum).expect("a name")).collect::<Vec<_>>()
    };
    assert_eq!(names(&functions[0]), names(&functions[2]));
    assert_eq!(
        names(&functions[0]),
        [
            "new",
            "old",
            "tg_name",
            "tg_when",
            "tg_level",
            "tg_op",
            "tg_relid",
            "tg_relname",
            "tg_table_name",
            "tg_table_schema",
            "tg_nargs",
            "tg_argv",
            "found",
            "a"
        ]
    );
    assert_eq!(names(&functions[1]), ["tg_event", "tg_tag", "found"]);
    assert_eq!(
        functions[0]["PLpgSQL_function"]["datums"][5],
        json!({"PLpgSQL_var": {
            "dno": 5,
            "refname": "tg_op",
            "promise": "PLPGSQL_PROMISE_TG_OP",
            "datatype": {"PLpgSQL_type": {"typname": "text", "ttype": "PLPGSQL_TTYPE_SCALAR"}}
        }})
    );
}

#[test]
fn one_for_each() {
    let functions = parse_plpgsql(
        "DO $$ BEGIN NULL; END $$; SELECT 1;
        CREATE PROCEDURE p(a int, INOUT b text) AS 'BEGIN b := ''x\\y''; END' LANGUAGE 'plpgsql';
        CREATE FUNCTION s() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE FUNCTION t() RETURNS int RETURN 1;
        CREATE FUNCTION u() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END;
        CREATE FUNCTION c() RETURNS int LANGUAGE c AS 'file', 'symbol'; DO LANGUAGE x 'y'",
    )
    .unwrap();
    assert_eq!(functions.as_array().map(Vec::len), Some(7));
    let block = |index: usize| {
        &functions[index]["PLpgSQL_function"]["action"]["PLpgSQL_stmt_block"]["body"]
    };
    assert!(block(0).is_array() && block(1).is_array(), "{functions}");
    let assignment = &block(1)[0]["PLpgSQL_stmt_assign"]["expr"]["PLpgSQL_expr"]["query"];
    assert_eq!(assignment, r"b := 'x\\y'".replace(r"\\", r"\").as_str());
    for other in 2..7 {
        assert_eq!(functions[other], other_language());
    }
    for nothing in ["", "-- DO $$ $$", "SELECT 'DO'"] {
        assert_eq!(parse_plpgsql(nothing), Ok(json!([])));
    }
}

fn error(sql: &str) -> Error {
    parse_plpgsql(sql).expect_err(sql)
}

#[test]
fn mistakes_have_a_place() {
    // The place is marked.
    for (sql, message) in [
        ("SELECT 1; ^SELEC 2", "syntax error at or near \"SELEC\""),
        ("DO $$ BEGIN ^x := ; END $$", "\"x\" is not a known variable"),
        ("DO $$ BEGIN IF ^THEN END IF; END $$", "missing expression at or near \"THEN\""),
        ("DO $$ BEGIN PERFORM 1 FROM ^FROM; END $$", "syntax error at or near \"FROM\""),
        ("DO $ä$ BEGIN /* ä🐘 */ PERFORM a b ^c; END $ä$", "syntax error at or near \"c\""),
        ("DO ' BEGIN PERFORM ''ä'', '''' FROM ^FROM; END '", "syntax error at or near \"FROM\""),
        ("DO LANGUAGE plpgsql E'BEGIN\\n PERFORM a b ^c; END '", "syntax error at or near \"c\""),
        (
            "SELECT 'ä'; DO $$BEGIN END$$; DO $$BEGIN\n PERFORM (1 + ^; END$$",
            "mismatched parentheses at or near \";\"",
        ),
        (
            "CREATE FUNCTION f() RETURNS int AS $$ BEGIN EN ^$$ LANGUAGE plpgsql",
            "unexpected end of function definition at end of input",
        ),
    ] {
        let place = sql.find('^').expect("a place");
        let error = error(&sql.replacen('^', "", 1));
        assert_eq!(error.message(), message);
        assert_eq!(error.kind(), ErrorKind::Syntax);
        assert_eq!(error.cursor(), Some(place), "{error:?}");
    }
}

#[test]
fn mistakes_have_a_context() {
    let sql = "DO $$ BEGIN END $$;
        CREATE FUNCTION f() RETURNS int AS $$
        BEGIN
            RAISE NOTICE '%', 1, 2;
        END $$ LANGUAGE plpgsql";
    let error = error(sql);
    assert_eq!(error.message(), "too many parameters specified for RAISE");
    assert_eq!(error.cursor(), None);
    assert_eq!(error.context(), Some("compilation of PL/pgSQL function \"f\" near line 3"));
    assert_eq!(
        error.source_location().map(|source| &*source.function),
        Some("check_raise_parameters")
    );
}

/// Before 18, the first three end the process in libpg_query's own function.
#[test]
fn functions_without_a_body() {
    for (sql, message) in [
        ("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql", "no function body specified"),
        ("DO LANGUAGE plpgsql", "no inline code specified"),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql RETURN 1",
            "inline SQL function body only valid for language SQL",
        ),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS ''", "syntax error at end of input"),
        ("DO ''", "syntax error at end of input"),
    ] {
        assert_eq!(error(sql).message(), message);
    }
    assert_eq!(error("DO 'a\0b'").kind(), ErrorKind::Nul);
}

/// The state after an error is harmless, here and on another thread.
#[test]
fn calls_do_not_disturb_each_other() {
    let good = "CREATE FUNCTION f(a int) RETURNS int AS $$ DECLARE b int := 1; BEGIN
        FOR i IN 1..2 LOOP a := a + b; END LOOP; RETURN a; END $$ LANGUAGE plpgsql";
    let bad = [
        "DO $$ DECLARE a int; b",
        "DO $$ DECLARE a int; b $$",
        "DO $$ <<l>> DECLARE c CURSOR FOR SELECT FROM FROM; BEGIN END $$",
        "DO $$ BEGIN IF 1 THEN LOOP EXIT l; END LOOP; END IF; END $$",
        "CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 'a; END $$ LANGUAGE plpgsql",
    ];
    let expected = parse_plpgsql(good).unwrap();
    let tree = pg::parse("SELECT 1").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (expected, tree) = (&expected, &tree);
            scope.spawn(move || {
                for round in 0..20 {
                    assert!(parse_plpgsql(bad[(thread + round) % bad.len()]).is_err());
                    assert_eq!(parse_plpgsql(good).as_ref(), Ok(expected));
                    assert_eq!(pg::parse("SELECT 1").as_ref(), Ok(tree));
                }
            });
        }
    });
}

/// Nested blocks are a value, or too deep.
#[test]
fn deep() {
    type Shape = fn(usize) -> String;
    let shapes: [Shape; 3] = [
        |n| format!("DO $$ {}NULL;{} $$", "BEGIN ".repeat(n), "END; ".repeat(n)),
        |n| format!("DO $$ BEGIN {}NULL; {} END $$", "IF a THEN ".repeat(n), "END IF; ".repeat(n)),
        |n| {
            format!(
                "DO $$ BEGIN {}NULL; {} EXCEPTION WHEN OTHERS THEN NULL; END $$",
                "LOOP ".repeat(n),
                "END LOOP; ".repeat(n)
            )
        },
    ];
    for shape in shapes {
        for (stack, at_least) in [(2 << 20, 100), (64 << 20, 3_000)] {
            on_thread(stack, || {
                for levels in [1, 100, 3_000, 100_000] {
                    match parse_plpgsql(&shape(levels)) {
                        Ok(value) => assert!(
                            value.clone() == value && !format!("{value}{value:?}").is_empty()
                        ),
                        Err(error) => {
                            assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?}");
                            assert!(levels > at_least, "{levels} on {stack}: {error:?}");
                        }
                    }
                }
            });
        }
    }
    // Brackets in a string nest nothing.
    let sql = format!("DO $$ BEGIN PERFORM '{}\\\"'; END $$", "[".repeat(100_000));
    on_thread(256 << 10, || assert!(parse_plpgsql(&sql).is_ok()));
    let sql =
        format!("DO $$ BEGIN PERFORM {}1{}; END $$", "(".repeat(100_000), ")".repeat(100_000));
    let error = error(&sql);
    assert_eq!(error.kind(), ErrorKind::TooDeep, "{}", error.message());
}

/// Removes what comments change.
fn without_places(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(without_places),
        Value::Object(fields) => {
            fields.retain(|name, _| !["location", "end", "lineno"].contains(&name.as_str()));
            fields.values_mut().for_each(without_places);
        }
        _ => {}
    }
}

/// Before 18, the scanner passes each comment on.
#[test]
fn many_comments() {
    let parsed = |comments: &str| {
        let sql = format!("DO $$ {comments} BEGIN {comments} COMMIT; END $$ {comments}");
        let mut functions = parse_plpgsql(&sql).expect("parses");
        without_places(&mut functions);
        functions
    };
    on_thread(256 << 10, || {
        assert_eq!(parsed(&"/**/".repeat(100_000)), parsed(""));
        assert_eq!(parsed(&"--\n".repeat(100_000)), parsed(""));
    });
}

/// Bodies that end too early.
#[test]
fn cut_off() {
    let mut errors = 0;
    for sql in corpus::statements() {
        let Some((before, rest)) = sql.split_once("$$") else { continue };
        let Some((body, after)) = rest.split_once("$$") else { continue };
        if !parse_plpgsql(&sql).is_ok_and(|value| value != json!([])) {
            continue;
        }
        for end in (0..body.len()).step_by(97).filter(|end| body.is_char_boundary(*end)) {
            errors += usize::from(
                parse_plpgsql(&format!("{before}$${}$${after}", &body[..end])).is_err(),
            );
        }
    }
    assert!(errors > 1_000, "{errors}");
}

#[test]
fn by_version() {
    let version: pg_ast::Version = NAME.parse().unwrap();
    assert_eq!(version.parse_plpgsql(TRIGGER), parse_plpgsql(TRIGGER));
}
