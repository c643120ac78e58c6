//! PL/pgSQL functions: the results of libpg_query for PostgreSQL's entire
//! regression SQL; JSON where its result is malformed; the locations of errors.

#![cfg(feature = "plpgsql")]

use pg_ast::serde_json::{self, Value, json};
use pg_ast::{Error, ErrorKind};

use super::pg::{self, NodeEnum, parse_plpgsql};
use super::{MAJOR, NAME, c_route, raw};
use crate::common::{corpus, on_thread};

/// Counts SQL with functions by result.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// The same value, or the same error.
    same: usize,
    errors: usize,
    /// C's result is not JSON, except for trigger functions.
    triggers: usize,
    /// Functions with a body in SQL instead of a string. Their language is SQL even without
    /// LANGUAGE; C ends the process before 18, and from 18 on rejects those without LANGUAGE.
    sql_bodies: usize,
}

/// The first version.
const EXPECTED: [(u32, Counts); 4] = [
    (15, Counts { same: 1066, errors: 606, triggers: 0, sql_bodies: 26 }),
    (16, Counts { same: 1068, errors: 436, triggers: 0, sql_bodies: 26 }),
    (17, Counts { same: 1103, errors: 400, triggers: 0, sql_bodies: 26 }),
    (18, Counts { same: 963, errors: 399, triggers: 141, sql_bodies: 26 }),
];

/// The result for a function in another language.
fn other_language() -> Value {
    json!({"PLpgSQL_function": {"datums": []}})
}

fn has_sql_body(sql: &str) -> bool {
    let tree = pg::parse(sql).expect("parses").into_protobuf();
    tree.stmts.iter().any(|stmt| match &stmt.stmt.as_ref().expect("a statement").node {
        Some(NodeEnum::CreateFunctionStmt(function)) => function.sql_body.is_some(),
        _ => false,
    })
}

#[test]
fn regression_statements() {
    let mut counts = Counts::default();
    for sql in corpus::statements() {
        let ours = parse_plpgsql(&sql);
        if ours.as_ref().is_ok_and(|ours| *ours == json!([])) {
            assert_eq!(c_route::plpgsql(&sql).as_deref(), Ok("[]"), "{sql}");
            continue;
        }
        if ours.as_ref().is_ok_and(|_| has_sql_body(&sql)) {
            assert_eq!(ours, Ok(json!([other_language()])), "{sql}");
            counts.sql_bodies += 1;
            continue;
        }
        match (ours, c_route::plpgsql(&sql)) {
            (Ok(ours), Ok(theirs)) => match serde_json::from_str::<Value>(&theirs) {
                Ok(theirs) => {
                    assert_eq!(ours, theirs, "{sql}");
                    counts.same += 1;
                }
                Err(_) => {
                    is_otherwise_equal(&ours, &theirs);
                    counts.triggers += 1;
                }
            },
            (Err(ours), Err(theirs)) => {
                assert_eq!(ours.message(), theirs.message, "{sql}");
                assert_eq!(
                    ours.kind(),
                    pg::check(&sql).err().map_or(ErrorKind::Syntax, |e| e.kind())
                );
                assert!(ours.cursor().is_some() || theirs.cursor == 0, "{sql}");
                counts.errors += 1;
            }
            (ours, theirs) => panic!("{sql}\n{ours:?}\n{theirs:?}"),
        }
    }
    let expected = EXPECTED.iter().rfind(|(since, _)| *since <= MAJOR).map(|(_, counts)| counts);
    assert_eq!(Some(&counts), expected, "{NAME}");
}

/// C's result only has the end of an object, `{}}`, for each variable of a trigger.
fn is_otherwise_equal(ours: &Value, theirs: &str) {
    let theirs = theirs.replace(",{}}", ",null").replace("[{}}", "[null");
    let theirs: Value = serde_json::from_str(&theirs).expect("JSON now");
    let mut ours = ours.clone();
    for (ours, theirs) in array_mut(&mut ours).iter_mut().zip(theirs.as_array().expect("an array"))
    {
        let datums = |function: &Value| function["PLpgSQL_function"]["datums"].clone();
        let mut lost = 0;
        let both = datums(ours).as_array().cloned().into_iter().flatten();
        for (index, datum) in both.enumerate() {
            if datums(theirs)[index].is_null() {
                let name = datum["PLpgSQL_var"]["refname"].as_str().expect("a name");
                assert!(name.starts_with("tg_"), "{datum}");
                assert!(datum["PLpgSQL_var"]["datatype"]["PLpgSQL_type"]["typname"].is_string());
                ours["PLpgSQL_function"]["datums"][index] = Value::Null;
                lost += 1;
            }
        }
        // tg_event and tg_tag, or tg_name and others.
        assert!([0, 2, 10].contains(&lost), "{lost}");
    }
    assert_eq!(ours, theirs);
}

fn array_mut(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("an array")
}

const TRIGGER: &str = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.a := tg_op; RETURN NEW; END $$";
const EVENT_TRIGGER: &str = "CREATE FUNCTION g() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN RAISE NOTICE '%', tg_tag; END $$";

#[test]
fn triggers() {
    let functions = parse_plpgsql(&format!("{TRIGGER}; {EVENT_TRIGGER}; {TRIGGER}")).unwrap();
    assert_eq!(functions.as_array().map(Vec::len), Some(3));
    assert_eq!(functions[0], functions[2]);
    let names = |function: &Value| {
        let datums = function["PLpgSQL_function"]["datums"].as_array().expect("datums").clone();
        let name = |datum: &Value| {
            let (_, datum) = datum.as_object()?.iter().next()?;
            Some(datum.get("refname").or(datum.get("fieldname"))?.as_str()?.to_owned())
        };
        datums.iter().map(|datum| name(datum).expect("a name")).collect::<Vec<_>>()
    };
    let theirs = c_route::plpgsql(TRIGGER).expect("no error");
    if raw::PG_VERSION_NUM < 180_000 {
        // It creates no such variables.
        assert_eq!(names(&functions[0]), ["found", "new", "old", "a"]);
        assert_eq!(
            parse_plpgsql(TRIGGER).unwrap(),
            serde_json::from_str::<Value>(&theirs).unwrap()
        );
        return;
    }
    assert!(serde_json::from_str::<Value>(&theirs).is_err(), "{theirs}");
    is_otherwise_equal(&parse_plpgsql(TRIGGER).unwrap(), &theirs);
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
        json!({"PLpgSQL_var": {"refname": "tg_op", "datatype": {"PLpgSQL_type": {"typname": "text"}}}})
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
        // With escapes, only the body as a whole is known.
        ("DO LANGUAGE plpgsql ^E'BEGIN\\n PERFORM a b c; END '", "syntax error at or near \"c\""),
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

/// Before 18, the scanner passes each comment on.
#[test]
fn many_comments() {
    let parsed = |comments: &str| {
        let sql = format!("DO $$ {comments} BEGIN {comments} NULL; END $$ {comments}");
        parse_plpgsql(&sql).expect("parses")
    };
    on_thread(256 << 10, || {
        assert_eq!(parsed(&"/**/".repeat(100_000)), parsed(""));
        let body = |functions: Value| {
            functions[0]["PLpgSQL_function"]["action"]["PLpgSQL_stmt_block"]["body"].clone()
        };
        assert_eq!(body(parsed(&"--\n".repeat(100_000))), body(parsed("")));
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
