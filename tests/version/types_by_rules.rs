//! PostgreSQL's rules of types by hand: what operators and calls mean, what values have in common, and how types are written.

use pg_ast_names::DdlCatalog;

use super::pg::parse;
use super::pg_names::define;
use super::pg_types::types;

/// What is defined for the calls below.
const DEFINED: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TYPE pair AS (a int, b text);
    CREATE TABLE parent (a int);
    CREATE TABLE child (b int) INHERITS (parent);
    CREATE DOMAIN positive AS int CHECK (value > 0);
    CREATE DOMAIN strict AS positive;
    CREATE DOMAIN list AS int[];
    CREATE TYPE span AS RANGE (subtype = float8, multirange_type_name = spans);
    CREATE FUNCTION of(int) RETURNS text LANGUAGE sql AS 'SELECT 1::text';
    CREATE FUNCTION of(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION of(parent) RETURNS mood LANGUAGE sql AS 'SELECT NULL::mood';
    CREATE FUNCTION more(a int, b text = 'x', c numeric = 1) RETURNS numeric LANGUAGE sql AS 'SELECT c';
    CREATE FUNCTION all_of(VARIADIC anyarray) RETURNS anyarray LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION parts(anyrange, OUT low anyelement, OUT several anymultirange) LANGUAGE sql AS 'SELECT lower($1), multirange($1)';
    CREATE FUNCTION each_of(a int, b int) RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION each_of(b int, a int, c int = 1) RETURNS text LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION mood_or(mood, mood) RETURNS mood LANGUAGE sql AS 'SELECT $1';
    CREATE OPERATOR || (FUNCTION = mood_or, LEFTARG = mood, RIGHTARG = mood);
    CREATE CAST (varchar AS mood) WITH INOUT AS IMPLICIT;
";

/// Returns the types of the columns of a query: a question mark where it is not known.
fn of(sql: &str, catalog: &DdlCatalog) -> String {
    let types = types(&parse(sql).expect("SQL"), catalog);
    let columns = types.stmts[0].columns.iter().flatten();
    let texts = columns.map(|it| it.sql_type().unwrap_or_else(|| "?".to_owned()));
    texts.collect::<Vec<_>>().join(", ")
}

fn check(catalog: &DdlCatalog, cases: &[(&str, &str)]) {
    for (expr, expected) in cases {
        assert_eq!(of(&format!("SELECT {expr}"), catalog), *expected, "{expr}");
    }
}

fn defined() -> DdlCatalog {
    let mut catalog = DdlCatalog::new();
    define(&parse(DEFINED).expect("SQL"), &mut catalog);
    catalog
}

#[test]
fn operators() {
    check(
        &DdlCatalog::new(),
        &[
            ("1 + 1.5", "numeric"),
            ("1::int2 + 1::int8", "bigint"),
            ("1 + '1'", "integer"),
            ("'a' || 'b'", "text"),
            ("1 || 'a'", "text"),
            ("ARRAY[1] || 2", "integer[]"),
            ("ARRAY[1] || 2.5", "numeric[]"),
            ("ARRAY[1] || '{2}'", "integer[]"),
            ("date '2026-01-01' - date '2026-01-02'", "integer"),
            ("date '2026-01-01' + 1", "date"),
            ("date '2026-01-01' + interval '1 day'", "timestamp without time zone"),
            ("now() - '1 day'", "interval"),
            ("now() - interval '1 day'", "timestamp with time zone"),
            ("'{}'::jsonb -> 'a'", "jsonb"),
            ("'{}'::jsonb ->> 'a'", "text"),
            ("int4range(1, 2) * int4range(3, 4)", "int4range"),
            ("int4range(1, 2) @> 3", "boolean"),
            ("- '1'::numeric", "numeric"),
            ("@ (-1.5::float4)", "real"),
            ("1 OPERATOR(pg_catalog.+) 2::int8", "bigint"),
            ("'a'::varchar(3) = 'b'", "boolean"),
            // Nothing takes them, or several do.
            ("1 + true", "?"),
            ("'1' - '2'", "?"),
            ("point '(1,2)' || 1", "?"),
        ],
    );
}

#[test]
fn functions() {
    check(
        &DdlCatalog::new(),
        &[
            ("abs('-1')", "double precision"),
            ("round(1)", "double precision"),
            ("round(1.5)", "numeric"),
            ("sum(1::int2)", "bigint"),
            ("sum(1::int8)", "numeric"),
            ("avg(1::float4)", "double precision"),
            ("count(*)", "bigint"),
            ("count('x')", "bigint"),
            ("array_agg(1)", "integer[]"),
            ("array_agg(ARRAY[1])", "integer[]"),
            ("unnest(ARRAY['a'])", "text"),
            ("array_append(ARRAY[1], 2.5)", "numeric[]"),
            ("lag(1, 1, 2.5) OVER ()", "numeric"),
            ("row_number() OVER ()", "bigint"),
            ("lower(int4range(1, 2))", "integer"),
            ("lower('A')", "text"),
            ("multirange(int4range(1, 2))", "int4multirange"),
            ("percentile_cont(0.5) WITHIN GROUP (ORDER BY 1)", "double precision"),
            ("percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY interval '1 day')", "interval[]"),
            ("mode() WITHIN GROUP (ORDER BY 'a'::varchar)", "character varying"),
            ("rank(1, 'a') WITHIN GROUP (ORDER BY 2.5, 'b')", "bigint"),
            ("rank(1, 2) WITHIN GROUP (ORDER BY 1)", "?"),
            ("concat(1, 'a', NULL)", "text"),
            ("concat(VARIADIC ARRAY[1])", "text"),
            ("concat(VARIADIC 1)", "?"),
            ("num_nulls(1, NULL)", "integer"),
            ("make_interval(days => 1)", "interval"),
            ("make_interval(1, days => 2)", "interval"),
            ("make_interval(1, years => 2)", "?"),
            ("jsonb_build_object('a', 1)", "jsonb"),
            ("width_bucket(1, ARRAY[2])", "integer"),
            // A cast that is written as a call, and functions of the same names.
            ("int4('1')", "integer"),
            ("text(1::varchar)", "text"),
            ("date(now())", "date"),
            ("\"varchar\"('a')", "character varying"),
            // Nothing tells what they are of, or nothing takes them.
            ("array_length(NULL, 1)", "?"),
            ("sum('1')", "?"),
            ("abs(true)", "?"),
            ("nothing(1)", "?"),
        ],
    );
}

#[test]
fn common_types() {
    check(
        &DdlCatalog::new(),
        &[
            ("coalesce(1, 2.5)", "numeric"),
            ("coalesce(1::int8, 2::int2)", "bigint"),
            ("coalesce('a'::varchar(3), 'b')", "character varying"),
            ("coalesce('a', 'b'::name)", "name"),
            ("coalesce('a'::bpchar, 'b'::text)", "bpchar"),
            ("greatest(date '2026-01-01', now())", "timestamp with time zone"),
            ("ARRAY[1, 2.5, NULL]", "numeric[]"),
            ("CASE WHEN true THEN 'a' ELSE 'b' END", "text"),
            ("CASE WHEN true THEN 1 ELSE 'b'::text END", "?"),
            ("coalesce(1, true)", "?"),
        ],
    );
}

#[test]
fn types_of_users() {
    let catalog = defined();
    check(
        &catalog,
        &[
            ("of(1)", "text"),
            ("of('a')", "integer"),
            ("of(2::int2)", "text"),
            ("of(1::strict)", "text"),
            ("of(child) FROM child", "public.mood"),
            ("of(true)", "?"),
            ("more(1)", "numeric"),
            ("more(1, c => 2)", "numeric"),
            ("more(c => 2, b => 'x')", "?"),
            ("all_of(1, 2.5::int2)", "?"),
            ("all_of(1, 2)", "integer[]"),
            ("all_of('sad'::mood)", "public.mood[]"),
            ("all_of(VARIADIC '{1}'::list)", "integer[]"),
            ("* FROM parts('[1,2]'::span)", "double precision, public.spans"),
            ("each_of(1, 2)", "?"),
            ("each_of(a => 1, b => 2)", "?"),
            ("each_of(a => 1, b => 2, c => 3)", "text"),
            ("'sad'::mood || 'ok'", "public.mood"),
            ("'sad'::mood || 'ok'::varchar", "public.mood"),
            ("'a'::text || 'ok'", "text"),
            ("1::strict + 1", "integer"),
            ("coalesce(1::strict, 2::strict)", "public.strict"),
            ("coalesce(1::strict, 2::positive)", "integer"),
            ("enum_range(NULL::mood)", "public.mood[]"),
            ("enum_range(NULL)", "?"),
            ("lower('[1,2]'::span)", "double precision"),
            ("mood('sad')", "public.mood"),
            ("unnest('{1}'::list)", "integer"),
        ],
    );
}

/// What is not known may be in a schema that comes before.
#[test]
fn unknown_schemas() {
    let mut catalog = DdlCatalog::new();
    define(&parse("SET search_path = app, public").expect("SQL"), &mut catalog);
    check(
        &catalog,
        &[
            ("lower('a'::text)", "text"),
            ("lower('a')", "?"),
            ("1 + 1", "integer"),
            ("1 + 1::int2", "integer"),
            ("1 + 1.5", "?"),
            ("nothing(1)", "?"),
            ("pg_catalog.lower('a')", "text"),
            ("1 OPERATOR(pg_catalog.+) 1.5", "numeric"),
        ],
    );
}

/// As `format_type` writes them.
#[test]
fn written_types() {
    let cases = [
        ("varchar(40)", "character varying(40)"),
        ("varchar", "character varying"),
        ("char(3)[]", "character(3)[]"),
        ("char", "character(1)"),
        ("bpchar", "bpchar"),
        ("\"char\"", "\"char\""),
        ("numeric(10, 2)", "numeric(10,2)"),
        ("numeric(3)", "numeric(3,0)"),
        ("numeric(2, -3)", "numeric(2,-3)"),
        ("decimal", "numeric"),
        ("bit", "bit(1)"),
        ("bit(8)", "bit(8)"),
        ("bit varying(5)", "bit varying(5)"),
        ("bit varying", "bit varying"),
        ("time(3)", "time(3) without time zone"),
        ("time(9) with time zone", "time(6) with time zone"),
        ("timestamp(0)", "timestamp(0) without time zone"),
        ("timestamptz(3)[]", "timestamp(3) with time zone[]"),
        ("interval", "interval"),
        ("interval(3)", "interval(3)"),
        ("interval year to month", "interval year to month"),
        ("interval day to second(3)", "interval day to second(3)"),
        ("interval second(2)", "interval second(2)"),
        ("interval hour", "interval hour"),
        ("float(3)", "real"),
        ("int2vector", "int2vector"),
        ("\"Quoted\"", "public.\"Quoted\""),
        ("\"Quoted\"[]", "public.\"Quoted\"[]"),
    ];
    let columns = cases.iter().enumerate().map(|(index, (of, _))| format!("c{index} {of}"));
    let columns: Vec<_> = columns.collect();
    let sql =
        format!("CREATE TYPE \"Quoted\" AS ENUM (); CREATE TABLE written ({})", columns.join(", "));
    let mut catalog = DdlCatalog::new();
    define(&parse(&sql).expect("SQL"), &mut catalog);
    for (index, (written, expected)) in cases.iter().enumerate() {
        assert_eq!(of(&format!("SELECT c{index} FROM written"), &catalog), *expected, "{written}");
        if !written.contains("Quoted") {
            assert_eq!(of(&format!("SELECT NULL::{written}"), &catalog), *expected, "{written}");
        }
    }
}

/// A hundred arguments are allowed, more are not; and candidates are compared in linear time.
#[test]
fn many_arguments() {
    let catalog = DdlCatalog::new();
    let call = |count: usize| format!("SELECT concat({})", vec!["NULL"; count].join(", "));
    assert_eq!(of(&call(100), &catalog), "text");
    assert_eq!(of(&call(101), &catalog), "?");
}
