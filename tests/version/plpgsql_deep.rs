//! Bodies that nest deep, or are long, on small stacks: a result, or an error that says so.

#![cfg(feature = "plpgsql")]

use pg_ast::{Error, ErrorKind};

use super::NAME;
use super::pg::plpgsql;
use crate::common::on_thread;

fn nested(levels: usize, before: &str, inside: &str, after: &str) -> String {
    format!("{}{inside}{}", before.repeat(levels), after.repeat(levels))
}

type Body = fn(usize) -> String;

/// What nests, by level.
const NESTED: &[(&str, Body)] = &[
    ("blocks", |n| nested(n, "BEGIN ", "NULL;", " END;")),
    ("blocks with variables", |n| nested(n, "DECLARE b int := a; BEGIN ", "NULL;", " END;")),
    ("labelled blocks", |n| nested(n, "<<l>> BEGIN ", "EXIT l;", " END l;")),
    ("IF", |n| nested(n, "IF a > 1 THEN ", "NULL;", " END IF;")),
    ("ELSE", |n| nested(n, "IF a > 1 THEN NULL; ELSE ", "NULL;", " END IF;")),
    ("ELSIF", |n| nested(n, "IF a > 1 THEN NULL; ELSIF a > 2 THEN ", "NULL;", " END IF;")),
    ("CASE", |n| nested(n, "CASE a WHEN 1 THEN ", "NULL;", " ELSE END CASE;")),
    ("searched CASE", |n| nested(n, "CASE WHEN a > 1 THEN NULL; ELSE ", "NULL;", " END CASE;")),
    ("LOOP", |n| nested(n, "LOOP ", "EXIT;", " END LOOP;")),
    ("WHILE", |n| nested(n, "WHILE a > 1 LOOP ", "CONTINUE;", " END LOOP;")),
    ("FOR over numbers", |n| nested(n, "FOR i IN 1..a LOOP ", "NULL;", " END LOOP;")),
    ("FOR over rows", |n| nested(n, "FOR r IN SELECT 1 LOOP ", "NULL;", " END LOOP;")),
    ("FOR over EXECUTE", |n| nested(n, "FOR r IN EXECUTE 'q' LOOP ", "NULL;", " END LOOP;")),
    ("FOREACH", |n| nested(n, "FOREACH a IN ARRAY b LOOP ", "NULL;", " END LOOP;")),
    ("handlers", |n| nested(n, "BEGIN NULL; EXCEPTION WHEN OTHERS THEN ", "RAISE;", " END;")),
    ("handled blocks", |n| nested(n, "BEGIN ", "NULL;", " EXCEPTION WHEN OTHERS THEN NULL; END;")),
    ("parentheses", |n| format!("a := {};", nested(n, "(", "1", ")"))),
    ("subscripts", |n| format!("b{} := 1;", nested(n, "[b", "", "[1]]"))),
    ("subselects", |n| format!("PERFORM {};", nested(n, "(SELECT ", "1", ")"))),
    ("comments", |n| nested(n, "/*", "", "*/")),
];

/// What is long, and nests nothing.
const LONG: &[(&str, Body)] = &[
    ("statements", |n| "a := 1; ".repeat(n)),
    ("ELSIF", |n| format!("IF a = 1 THEN NULL; {} END IF;", "ELSIF a = 2 THEN NULL; ".repeat(n))),
    ("WHEN", |n| format!("CASE a {} END CASE;", "WHEN 1 THEN NULL; ".repeat(n))),
    ("values of WHEN", |n| format!("CASE a WHEN 1{} THEN NULL; END CASE;", ", 2".repeat(n))),
    ("handlers", |n| format!("NULL; EXCEPTION {}", "WHEN no_data_found THEN NULL; ".repeat(n))),
    ("conditions", |n| {
        format!("NULL; EXCEPTION WHEN no_data_found{} THEN NULL;", " OR no_data_found".repeat(n))
    }),
    ("blocks in a row", |n| "DECLARE b int; BEGIN NULL; END; ".repeat(n)),
    ("parts of RAISE", |n| format!("RAISE NOTICE '{}'{};", "% ".repeat(n), ", a".repeat(n))),
    ("USING", |n| format!("EXECUTE 'q' USING a{};", ", a".repeat(n))),
    ("diagnostics", |n| format!("GET DIAGNOSTICS a = ROW_COUNT{};", ", a = ROW_COUNT".repeat(n))),
    ("comments", |n| format!("NULL; {}", "/* c */ -- d\n".repeat(n))),
];

/// Returns the first error.
fn parse(sql: &str) -> Result<(), Error> {
    let parsed = plpgsql::parse(sql)?;
    parsed.functions.into_iter().try_for_each(|it| it.function.map(drop))
}

fn function(body: &str) -> String {
    format!("DO $$ DECLARE a int; b int[]; r record; BEGIN {body} END $$")
}

#[test]
fn nested_on_small_stacks() {
    for (name, body) in NESTED {
        for stack in [256 << 10, 1 << 20] {
            on_thread(stack, || {
                let mut refused = false;
                for levels in [1, 10, 100, 1_000, 10_000, 100_000] {
                    match parse(&function(&body(levels))) {
                        // A level that is refused has none below it.
                        Ok(()) => assert!(!refused, "{NAME}: {levels} of {name}"),
                        Err(error) => {
                            refused = true;
                            assert_eq!(
                                error.kind(),
                                ErrorKind::TooDeep,
                                "{NAME}: {levels} of {name}: {error:?}"
                            );
                            assert!(levels > 10, "{NAME}: {levels} of {name} on {stack}");
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn long_on_small_stacks() {
    on_thread(256 << 10, || {
        for (name, body) in LONG {
            for count in [1, 100, 4_000] {
                let result = parse(&function(&body(count)));
                assert!(result.is_ok(), "{NAME}: {count} of {name}: {result:?}");
            }
        }
        let all = |line: fn(usize) -> String| (0..4_000).map(line).collect::<Vec<_>>().concat();
        let declarations = all(|i| format!("v{i} int := {i};\n"));
        let uses = all(|i| format!("v{i} := v{i} + 1;\n"));
        let result = parse(&format!("DO $$ DECLARE {declarations} BEGIN {uses} END $$"));
        assert!(result.is_ok(), "{NAME}: {result:?}");
    });
}
