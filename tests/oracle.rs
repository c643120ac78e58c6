//! Over the whole of PostgreSQL's regression SQL, ours is what libpg_query's own Protobuf route
//! makes, in every version: the same trees, the same texts, the same errors.

mod common;

each_version!(oracle);

#[test]
fn splits_as_psql_does() {
    let script = r#"
SELECT 1; -- one; more
SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1;
/* ; /* ; */ ; */ SELECT (1; 2);
\set x 1
SELECT 2 \gset
BEGIN\; SELECT 3\; END;
COPY t FROM stdin;
1;2'
\.
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;
SELECT 4"#;
    let expected = [
        "SELECT 1;",
        "-- one; more\nSELECT ';', E'\\';', \"a;b\", $$;$$, $x$ ; $$ $x$, $1;",
        "/* ; /* ; */ ; */ SELECT (1; 2);",
        "SELECT 2",
        "BEGIN; SELECT 3; END;",
        "COPY t FROM stdin;",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;",
        "SELECT 4",
    ];
    assert_eq!(common::split::split(script), expected);
}
