//! Expressions of each operator and function with values of each type: which of several is meant, and what it returns.

use crate::connection::Session;

/// The types of the arguments of operators, beside our own.
const TYPES: &[&str] = &[
    "bool", "int2", "int4", "int8", "float4", "float8", "numeric", "money", "text", "varchar", "bpchar", "\"char\"", "name",
    "bytea", "date", "time", "timetz", "timestamp", "timestamptz", "interval", "uuid", "json", "jsonb", "xml", "bit", "varbit",
    "oid", "regclass", "inet", "cidr", "point", "box", "tsvector", "tsquery", "int4[]", "int8[]", "text[]", "varchar[]",
    "numeric[]", "int4range", "numrange", "tstzrange", "int4multirange", "int2vector", "pg_lsn",
];

/// Types of users.
pub const DEFINITIONS: &[&str] = &[
    "CREATE DOMAIN pair_id AS int8",
    "CREATE DOMAIN pair_email AS varchar(40) CHECK (VALUE <> '')",
    "CREATE DOMAIN pair_list AS int4[]",
    "CREATE TYPE pair_mood AS ENUM ('sad', 'happy')",
    "CREATE TYPE pair_row AS (a int4, b text)",
    "CREATE TYPE pair_range AS RANGE (subtype = date)",
];
const OWN: &[&str] =
    &["pair_id", "pair_email", "pair_list", "pair_mood", "pair_row", "pair_range", "pair_mood[]", "pair_id[]"];

/// Returns the values that are operands: of each type, and of none yet.
fn operands() -> Vec<String> {
    let of_types = TYPES.iter().chain(OWN).map(|name| format!("NULL::{name}"));
    of_types.chain(["''".to_owned(), "1".to_owned(), "1.5".to_owned(), "$1".to_owned()]).collect()
}

/// Returns statements with each pair of operands, and with each operator between them.
pub fn statements(session: &mut Session) -> Vec<String> {
    let mut query = |sql: &str| -> Vec<Vec<String>> {
        session.query(sql).unwrap_or_else(|error| panic!("{}: {sql}", error.get(b'M')))
    };
    let operators = query(
        "SELECT DISTINCT oprname, oprkind FROM pg_operator
         WHERE oid < 16384 AND oprname !~ '^[*][<>=]|^~[<>]=?~$|^@@@$' ORDER BY 1, 2",
    );
    let operands = operands();
    let mut texts = Vec::new();
    for row in &operators {
        let [name, kind] = &row[..] else { panic!("two columns") };
        for one in &operands {
            if kind == "l" {
                texts.push(format!("SELECT {name} {one}"));
                continue;
            }
            for other in &operands {
                let other = if one == "$1" && other == "$1" { "$2" } else { other };
                texts.push(format!("SELECT {one} {name} {other}"));
            }
        }
    }
    for one in &operands {
        for other in &operands {
            let other = if one == "$1" && other == "$1" { "$2" } else { other };
            texts.push(format!("SELECT coalesce({one}, {other}), ARRAY[{one}, {other}]"));
            texts.push(format!("SELECT CASE WHEN true THEN {one} ELSE {other} END"));
            texts.push(format!("SELECT {one} AS a UNION ALL SELECT {other}"));
            texts.push(format!("SELECT {one} IN ({other}, {other}), {one} = ANY (ARRAY[{other}])"));
            texts.push(format!("SELECT {one} BETWEEN {other} AND {other}"));
            texts.push(format!("SELECT nullif({one}, {other}), greatest({one}, {other})"));
            texts.push(format!("SELECT * FROM (VALUES ({one}), ({other})) v"));
        }
        for name in TYPES.iter().chain(OWN) {
            texts.push(format!("SELECT CAST({one} AS {name})"));
        }
    }
    let functions = query(
        "SELECT DISTINCT p.proname, array_to_string(ARRAY(SELECT format_type(u.t, NULL)
             FROM unnest(p.proargtypes) WITH ORDINALITY u (t, n) ORDER BY n), ';'), p.prokind
         FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'a')
             AND p.prorettype NOT IN ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
             AND 'internal'::regtype <> ALL (p.proargtypes) ORDER BY 1, 2",
    );
    for row in &functions {
        let [name, arguments, _] = &row[..] else { panic!("three columns") };
        texts.extend(calls(name, arguments));
    }
    texts
}

/// Returns calls of a function: with its own types, and with others that may become these.
fn calls(name: &str, arguments: &str) -> Vec<String> {
    let types: Vec<_> = arguments.split(';').filter(|it| !it.is_empty()).collect();
    let call = |value: &dyn Fn(usize, &str) -> String| {
        let values = types.iter().enumerate().map(|(index, of)| value(index, of));
        format!("SELECT \"{name}\"({})", values.collect::<Vec<_>>().join(", "))
    };
    let concrete = |of: &str| match of {
        "anyelement" | "anynonarray" | "anycompatible" | "anycompatiblenonarray" | "\"any\"" => {
            "int4".to_owned()
        }
        "anyarray" | "anycompatiblearray" => "pair_email[]".to_owned(),
        "anyenum" => "pair_mood".to_owned(),
        "anyrange" | "anycompatiblerange" => "pair_range".to_owned(),
        "anymultirange" | "anycompatiblemultirange" => "int4multirange".to_owned(),
        of => of.to_owned(),
    };
    let narrower = |of: &str| match of {
        "bigint" | "numeric" | "double precision" | "integer" => "int2".to_owned(),
        "text" => "pair_email".to_owned(),
        "timestamp with time zone" | "timestamp without time zone" => "date".to_owned(),
        "anyarray" | "anycompatiblearray" => "int4[]".to_owned(),
        "anyelement" | "anycompatible" => "int8".to_owned(),
        "anyrange" | "anycompatiblerange" => "int4range".to_owned(),
        "json" | "jsonb" | "bytea" => "text".to_owned(),
        of => concrete(of),
    };
    let mut texts = vec![
        call(&|_, of| format!("NULL::{}", concrete(of))),
        call(&|_, of| format!("NULL::{}", narrower(of))),
        call(&|_, _| "''".to_owned()),
        call(&|index, _| format!("${}", index + 1)),
        call(&|_, _| "1".to_owned()),
    ];
    if types.len() > 1 {
        texts.push(call(&|index, of| match index {
            0 => format!("NULL::{}", concrete(of)),
            index => format!("${index}"),
        }));
        texts.push(call(&|index, of| match index {
            0 => "$1".to_owned(),
            _ => format!("NULL::{}", concrete(of)),
        }));
        texts.push(call(&|index, of| match index {
            0 => format!("NULL::{}", narrower(of)),
            _ => "''".to_owned(),
        }));
    }
    texts.dedup();
    texts
}
