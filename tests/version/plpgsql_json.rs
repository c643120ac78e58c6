//! `parse_plpgsql` beside libpg_query's own call, over the regression SQL and our functions: the same JSON, but for what is
//! added to it, and for the differences that are counted here by their reasons.

#![cfg(feature = "plpgsql")]

use std::collections::{BTreeMap, BTreeSet};

use pg_ast::ParserOptions;
use pg_ast::serde_json::{self, Value, json};

use super::pg::{self, NodeEnum, parse_plpgsql, parse_plpgsql_with};
use super::{MAJOR, NAME, c_route};
use crate::common::plpgsql::valid;
use crate::common::split::split;
use crate::common::{corpus, on_thread};

/// What libpg_query leaves out, by struct; `*` is for each.
const ADDED: &[(&str, &[&str])] = &[
    ("*", &["location", "end", "stmtid", "dno"]),
    ("PLpgSQL_case_when", &["written"]),
    ("PLpgSQL_condition", &["sqlerrstate"]),
    ("PLpgSQL_exception", &["lineno"]),
    ("PLpgSQL_exception_block", &["sqlstate_varno", "sqlerrm_varno"]),
    (
        "PLpgSQL_function",
        &[
            "fn_is_trigger",
            "fn_retset",
            "found_varno",
            "has_exception_block",
            "is_do",
            "is_procedure",
            "name",
            "nstatements",
            "out_param_varno",
            "params",
            "print_strict_params",
            "resolve_option",
            "returns",
        ],
    ),
    ("PLpgSQL_rec", &["datatype", "default_val", "firstfield", "isconst", "notnull"]),
    ("PLpgSQL_recfield", &["nextfield"]),
    ("PLpgSQL_stmt_block", &["decls", "initvarnos"]),
    ("PLpgSQL_stmt_forc", &["args"]),
    ("PLpgSQL_stmt_open", &["args"]),
    ("PLpgSQL_stmt_return", &["retvarno"]),
    ("PLpgSQL_stmt_return_next", &["retvarno"]),
    ("PLpgSQL_type", &["collation_name", "text", "ttype", "typisarray", "unknown"]),
    // The variables of triggers.
    ("PLpgSQL_var", &["promise"]),
];

/// Why a function is not the same. Those without a version are libpg_query's in all of them.
const REASONS: &[(&str, &str)] = &[
    ("cut off", "18: libpg_query writes the end of an object alone for a variable of a trigger"),
    ("rejected", "libpg_query does not accept the function, and PostgreSQL does"),
    ("accepted", "PostgreSQL does not accept the function, and libpg_query does"),
    ("%ROWTYPE", "18: a record; libpg_query has a scalar, and a row where it is assigned to"),
    ("%TYPE", "18: the name of the variable's type, and not `x%TYPE`"),
    ("schema", "18: the label of a function with a schema is its name alone"),
    ("parseMode", "15: libpg_query does not write it"),
    ("end", "before 18: libpg_query adds a RETURN to other functions as well"),
    ("variable returned", "before 18: an expression; since 18, libpg_query does not write either"),
    (
        "types",
        "before 18: libpg_query has the types as they are written, with names that mean others",
    ),
    ("variables", "before 18: libpg_query has other variables before the body, and only scalars"),
];

fn is_null_stmt(value: &Value) -> bool {
    value.get("PLpgSQL_stmt_null").is_some()
}

fn is_added(structure: &str, field: &str) -> bool {
    let mut rows = ADDED.iter().filter(|(name, _)| ["*", structure].contains(name));
    rows.any(|(_, fields)| fields.contains(&field))
}

/// What a comparison finds.
#[derive(Default)]
struct Differences {
    /// The structs and fields that were added.
    added: BTreeSet<(String, String)>,
    /// The places that differ, with both values.
    places: Vec<(String, Value, Value)>,
}

impl Differences {
    fn of(ours: &Value, theirs: &Value) -> Self {
        let mut differences = Self::default();
        differences.compare("", ours, theirs);
        differences
    }

    fn push(&mut self, place: &str, ours: &Value, theirs: &Value) {
        self.places.push((place.to_owned(), ours.clone(), theirs.clone()));
    }

    /// `place` is a struct and its field.
    fn compare(&mut self, place: &str, ours: &Value, theirs: &Value) {
        match (ours, theirs) {
            (Value::Array(ours), Value::Array(theirs)) => {
                let ours: Vec<_> = ours.iter().filter(|value| !is_null_stmt(value)).collect();
                if ours.len() != theirs.len() {
                    self.push(place, &json!(ours), &json!(theirs));
                    return;
                }
                for (ours, theirs) in ours.into_iter().zip(theirs) {
                    self.compare(place, ours, theirs);
                }
            }
            (Value::Object(ours), Value::Object(theirs)) => {
                let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
                for name in names {
                    self.compare_field(place, name, ours.get(name), theirs.get(name));
                }
            }
            _ if ours == theirs => {}
            _ => self.push(place, ours, theirs),
        }
    }

    fn compare_field(
        &mut self,
        place: &str,
        name: &str,
        ours: Option<&Value>,
        theirs: Option<&Value>,
    ) {
        let structure = place.split('.').next().unwrap_or_default();
        // A struct's name is the only field of the object around it.
        if name.starts_with("PLpgSQL_") {
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => self.compare(name, ours, theirs),
                _ => self.push(place, &json!({name: ours}), &json!({name: theirs})),
            }
            return;
        }
        let place = format!("{structure}.{name}");
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => self.compare(&place, ours, theirs),
            (Some(Value::Array(ours)), None) if ours.iter().all(is_null_stmt) => {}
            (Some(_), None) if is_added(structure, name) => {
                self.added.insert((structure.to_owned(), name.to_owned()));
            }
            (ours, theirs) => {
                self.push(&place, ours.unwrap_or(&Value::Null), theirs.unwrap_or(&Value::Null));
            }
        }
    }
}

/// Returns the reason for a difference; `None` if there is none.
fn reason(sql: &str, place: &str, ours: &Value, theirs: &Value) -> Option<&'static str> {
    let has = |text: &str| sql.to_ascii_lowercase().contains(text);
    let (structure, field) = place.split_once('.')?;
    let of_variable = ["PLpgSQL_var", "PLpgSQL_row", "PLpgSQL_rec", "PLpgSQL_recfield"];
    Some(match (structure, field) {
        ("PLpgSQL_function", "datums") if theirs.is_null() => "cut off",
        (_, "parseMode") if MAJOR < 16 && theirs.is_null() => "parseMode",
        ("PLpgSQL_stmt_return" | "PLpgSQL_stmt_return_next", "expr")
            if MAJOR < 18 && ours.is_null() =>
        {
            "variable returned"
        }
        ("PLpgSQL_type", "typname") if MAJOR < 18 => "types",
        (structure, _) if MAJOR < 18 && of_variable.contains(&structure) => "variables",
        (
            _,
            "curvar" | "datums" | "new_varno" | "old_varno" | "target" | "t_varno" | "var"
            | "varno",
        ) if MAJOR < 18 => "variables",
        ("PLpgSQL_expr", "query") if MAJOR < 18 && theirs.as_str()?.contains("__Case__") => {
            "variables"
        }
        ("PLpgSQL_type", "typname") if theirs.as_str()?.ends_with("%TYPE") => "%TYPE",
        ("PLpgSQL_stmt_return", "expr") if ours.is_null() && has("create function app.") => {
            "schema"
        }
        ("PLpgSQL_function", "datums") | (_, "target" | "var") if has("%rowtype") => "%ROWTYPE",
        _ => return None,
    })
}

/// Removes the `RETURN` that was added to each function, and the block for it; returns whether they were there.
fn take_ends(functions: &mut Value) -> Vec<(bool, bool)> {
    let functions = functions.as_array_mut().expect("an array");
    let ends = functions.iter_mut().map(|function| {
        let action = &mut function["PLpgSQL_function"]["action"];
        let Some(block) = action.get_mut("PLpgSQL_stmt_block") else { return (false, false) };
        let body = block.get_mut("body").and_then(Value::as_array_mut);
        let Some(body) = body else { return (false, false) };
        let is_added = |stmt: &Value| {
            stmt.get("PLpgSQL_stmt_return").is_some_and(|stmt| stmt.get("lineno").is_none())
        };
        let is_returned = body.last().is_some_and(is_added);
        if is_returned {
            body.pop();
        }
        if body.is_empty() {
            block.as_object_mut().expect("a struct").remove("body");
        } else if block.get("lineno").is_none() {
            *action = block["body"][0].take();
            return (true, is_returned);
        }
        (false, is_returned)
    });
    ends.collect()
}

/// Counts of functions.
type Counts = BTreeMap<&'static str, usize>;

fn has_sql_body(sql: &str) -> bool {
    let tree = pg::parse(sql).expect("parses").into_protobuf();
    tree.stmts.iter().any(|stmt| match &stmt.stmt.as_ref().expect("a statement").node {
        Some(NodeEnum::CreateFunctionStmt(function)) => function.sql_body.is_some(),
        _ => false,
    })
}

/// C's result only has the end of an object, `{}}`, for each variable of a trigger.
fn read(theirs: &str) -> Value {
    let theirs = theirs.replace(",{}}", ",null").replace("[{}}", "[null");
    serde_json::from_str(&theirs).expect("JSON now")
}

/// Compares the functions in SQL.
fn count(
    sql: &str,
    counts: &mut Counts,
    added: &mut BTreeSet<(String, String)>,
    unexplained: &mut Vec<String>,
) {
    let mut add = |what| *counts.entry(what).or_default() += 1;
    let ours = parse_plpgsql_with(sql, ParserOptions::default().normalized(true));
    if ours == Ok(json!([])) {
        assert_eq!(c_route::plpgsql(sql).as_deref(), Ok("[]"), "{sql}");
        return;
    }
    // C ends the process before 18, and from 18 on rejects those without LANGUAGE.
    if ours.is_ok() && has_sql_body(sql) {
        assert_eq!(ours, Ok(json!([{"PLpgSQL_function": {"datums": []}}])), "{sql}");
        return add("a body in SQL");
    }
    match (ours, c_route::plpgsql(sql)) {
        (Ok(mut ours), Ok(theirs)) => {
            let mut theirs = read(&theirs);
            let mut reasons = BTreeSet::new();
            if take_ends(&mut ours) != take_ends(&mut theirs) {
                reasons.insert("end");
            }
            let differences = Differences::of(&ours, &theirs);
            for (place, ours, theirs) in &differences.places {
                match reason(sql, place, ours, theirs) {
                    Some(reason) => _ = reasons.insert(reason),
                    None => unexplained.push(format!("{place}\n{ours}\n{theirs}\n{sql}")),
                }
            }
            if reasons.is_empty() {
                add("equal");
            }
            reasons.into_iter().for_each(add);
            added.extend(differences.added);
        }
        (Ok(_), Err(_)) => add("rejected"),
        (Err(_), Ok(_)) => add("accepted"),
        (Err(ours), Err(theirs)) => {
            add(if ours.message() == theirs.message { "the same error" } else { "another error" });
        }
    }
}

/// The first version, and the counts.
const EXPECTED: [(u32, &[(&str, usize)]); 4] = [
    (
        15,
        &[
            ("a body in SQL", 26),
            ("accepted", 10),
            ("another error", 7),
            ("end", 47),
            ("equal", 391),
            ("parseMode", 787),
            ("rejected", 114),
            ("the same error", 540),
            ("types", 506),
            ("variable returned", 225),
            ("variables", 452),
        ],
    ),
    (
        16,
        &[
            ("a body in SQL", 26),
            ("accepted", 10),
            ("another error", 7),
            ("end", 47),
            ("equal", 391),
            ("rejected", 114),
            ("the same error", 370),
            ("types", 507),
            ("variable returned", 226),
            ("variables", 452),
        ],
    ),
    (
        17,
        &[
            ("a body in SQL", 26),
            ("accepted", 10),
            ("another error", 2),
            ("end", 55),
            ("equal", 391),
            ("rejected", 44),
            ("the same error", 374),
            ("types", 705),
            ("variable returned", 234),
            ("variables", 318),
        ],
    ),
    (
        18,
        &[
            ("%ROWTYPE", 6),
            ("%TYPE", 4),
            ("a body in SQL", 26),
            ("accepted", 4),
            ("cut off", 160),
            ("equal", 1165),
            ("rejected", 49),
            ("schema", 1),
            ("the same error", 382),
        ],
    ),
];

#[test]
fn beside_libpg_query() {
    let (mut counts, mut added, mut unexplained) = (Counts::new(), BTreeSet::new(), Vec::new());
    let own = valid().into_iter().flat_map(|(_, sql)| split(&sql));
    let reached = split(include_str!("../plpgsql/reached.sql"));
    for sql in corpus::statements().into_iter().chain(own).chain(reached) {
        count(&sql, &mut counts, &mut added, &mut unexplained);
    }
    let records =
        "DO $$ DECLARE r CONSTANT record := ROW(1); s record NOT NULL := ROW(1); BEGIN END $$";
    count(records, &mut Counts::new(), &mut added, &mut unexplained);
    assert!(
        unexplained.is_empty(),
        "{NAME}: {}\n{counts:?}\n{}",
        unexplained.len(),
        unexplained[..unexplained.len().min(20)].join("\n\n")
    );
    let expected = EXPECTED.iter().rfind(|(since, _)| *since <= MAJOR).expect("a version").1;
    assert_eq!(counts, expected.iter().copied().collect(), "{NAME}");
    let others = ["a body in SQL", "another error", "equal", "the same error"];
    let has_reason =
        |what: &&str| others.contains(what) || REASONS.iter().any(|(reason, _)| reason == what);
    assert!(counts.keys().all(has_reason), "{NAME}: {counts:?}");
    // Each field that is added is in some function. Before 18, libpg_query does not accept what has some of them.
    // In 18, it does not write the variables of triggers whole.
    for (structure, fields) in ADDED
        .iter()
        .filter(|_| MAJOR >= 18)
        .filter(|(name, _)| !["*", "PLpgSQL_var"].contains(name))
    {
        for field in *fields {
            let place = ((*structure).to_owned(), (*field).to_owned());
            assert!(added.contains(&place), "{NAME}: {place:?}");
        }
    }
}

fn function(sql: &str) -> Value {
    let functions = parse_plpgsql(sql).unwrap_or_else(|error| panic!("{sql}: {error:#}"));
    functions[0]["PLpgSQL_function"].clone()
}

/// The statements of a body.
fn body(function: &Value) -> Value {
    function["action"]["PLpgSQL_stmt_block"]["body"].clone()
}

/// The form is that of 18 in all versions.
#[test]
fn form() {
    let sql = "CREATE FUNCTION f(a int, OUT b text) LANGUAGE plpgsql AS $$
DECLARE
    c CURSOR (x int, y int) FOR SELECT x + y;
    d ALIAS FOR a;
    n numeric(5, 2) := 1.5;
    t varchar(10) COLLATE pg_catalog.\"C\";
    r record := (1, 2);
BEGIN
    NULL;
    OPEN c(y := 2, x := a);
    CASE a WHEN 1, 2 THEN b := 'x'; END CASE;
END $$";
    let function = function(sql);
    let text = |value: &Value| {
        let place = |key: &str| usize::try_from(value[key].as_u64().expect(key)).expect(key);
        &sql[place("location")..place("end")]
    };
    assert_eq!(function["name"], "f");
    let params = function["params"].as_array().expect("parameters");
    assert_eq!(params[1]["PLpgSQL_param"]["mode"], "FUNC_PARAM_OUT");
    assert_eq!(function["out_param_varno"], params[1]["PLpgSQL_param"]["dno"]);

    let block = &function["action"]["PLpgSQL_stmt_block"];
    let decls = block["decls"].as_array().expect("declarations");
    let kinds: Vec<_> = decls.iter().map(|decl| decl["PLpgSQL_decl"]["kind"].clone()).collect();
    let (variable, alias) = ("PLPGSQL_DECL_VARIABLE", "PLPGSQL_DECL_ALIAS");
    assert_eq!(kinds, ["PLPGSQL_DECL_CURSOR", alias, variable, variable, variable]);
    assert_eq!(decls[1]["PLpgSQL_decl"].get("dno"), None, "the first variable is number 0");
    let datum = |decl: &Value| {
        let dno = decl["PLpgSQL_decl"]["dno"].as_u64().expect("a number");
        function["datums"][usize::try_from(dno).expect("a number")].clone()
    };
    assert_eq!(text(&decls[2]["PLpgSQL_decl"]), "n numeric(5, 2) := 1.5;");
    let ty = &datum(&decls[2])["PLpgSQL_var"]["datatype"]["PLpgSQL_type"];
    assert_eq!((&ty["typname"], &ty["text"]), (&json!("numeric"), &json!("numeric(5, 2)")));
    let ty = &datum(&decls[3])["PLpgSQL_var"]["datatype"]["PLpgSQL_type"];
    assert_eq!(ty["collation_name"], json!(["pg_catalog", "C"]));
    let value = &datum(&decls[4])["PLpgSQL_rec"]["default_val"]["PLpgSQL_expr"];
    assert_eq!((value["query"].as_str(), text(value)), (Some("(1, 2)"), "(1, 2)"));

    let stmts = body(&function);
    assert_eq!(text(&stmts[0]["PLpgSQL_stmt_null"]), "NULL;");
    let open = &stmts[1]["PLpgSQL_stmt_open"];
    assert_eq!(open["argquery"]["PLpgSQL_expr"]["query"], "a AS x, 2 AS y");
    assert_eq!(text(&open["args"][0]["PLpgSQL_cursor_arg"]), "y := 2");
    let case = &stmts[2]["PLpgSQL_stmt_case"];
    let when = &case["case_when_list"][0]["PLpgSQL_case_when"];
    let variable = &function["datums"][usize::try_from(case["t_varno"].as_u64().unwrap()).unwrap()];
    let name = variable["PLpgSQL_var"]["refname"].as_str().expect("a name");
    assert_eq!(when["expr"]["PLpgSQL_expr"]["query"], format!("\"{name}\" IN (1, 2)"));
    assert_eq!(text(&when["written"]["PLpgSQL_expr"]), "1, 2");
    let end = &stmts[3]["PLpgSQL_stmt_return"];
    assert_eq!(*end, json!({"retvarno": function["out_param_varno"]}));
}

/// Which variable is returned, which may be number 0.
#[test]
fn returned_variable() {
    let sql = "CREATE FUNCTION f(a int, b int) RETURNS int AS $$ BEGIN
        IF b THEN RETURN b; END IF; RETURN a; END $$ LANGUAGE plpgsql";
    let stmts = body(&function(sql));
    assert_eq!(stmts[1]["PLpgSQL_stmt_return"]["retvarno"], 0);
    let then = &stmts[0]["PLpgSQL_stmt_if"]["then_body"][0];
    assert_eq!(then["PLpgSQL_stmt_return"]["retvarno"], 1);
}

/// As PostgreSQL does: after a label or handlers, in a block of its own; not after a RETURN.
#[test]
fn added_return() {
    let names = |sql: &str| -> Vec<String> {
        let stmts = body(&function(sql)).as_array().cloned().unwrap_or_default();
        stmts.iter().flat_map(|stmt| stmt.as_object().expect("a struct").keys().cloned()).collect()
    };
    assert_eq!(names("DO $$ BEGIN END $$"), ["PLpgSQL_stmt_return"]);
    assert_eq!(
        names("DO $$ BEGIN RETURN; NULL; END $$"),
        ["PLpgSQL_stmt_return", "PLpgSQL_stmt_null"]
    );
    let whole = ["PLpgSQL_stmt_block", "PLpgSQL_stmt_return"];
    assert_eq!(names("DO $$ <<l>> BEGIN RETURN; END $$"), whole);
    assert_eq!(names("DO $$ BEGIN EXCEPTION WHEN OTHERS THEN COMMIT; END $$"), whole);
    let sql =
        "CREATE FUNCTION f() RETURNS int AS $$ <<l>> BEGIN LOOP END LOOP; END $$ LANGUAGE plpgsql";
    assert_eq!(names(sql), ["PLpgSQL_stmt_loop"]);
}

/// The value of a record is written once, and not where it is assigned to.
#[test]
fn linear() {
    let bytes = |count: usize| {
        let (value, stmts) = ("1 + ".repeat(count), "SELECT 1 INTO r; ".repeat(count));
        let sql = format!("DO $$ DECLARE r record := {value}1; BEGIN {stmts} END $$");
        parse_plpgsql(&sql).expect("parses").to_string().len()
    };
    let (small, large) = (bytes(100), bytes(1_000));
    assert!(large < 11 * small, "{small} {large}");
}

/// Lists of arms take no stack, and levels are values or too deep on any stack.
#[test]
fn long_and_deep() {
    on_thread(256 << 10, || {
        let arms = "ELSIF a THEN COMMIT; ".repeat(20_000);
        let sql = format!("DO $$ BEGIN IF a THEN COMMIT; {arms} END IF; END $$");
        let stmts = body(&function(&sql));
        let list = stmts[0]["PLpgSQL_stmt_if"]["elsif_list"].as_array().map(Vec::len);
        assert_eq!(list, Some(20_000));
        for levels in [1, 10, 100, 1_000] {
            let (begin, end) = ("LOOP ".repeat(levels), "END LOOP; ".repeat(levels));
            match parse_plpgsql(&format!("DO $$ <<l>> BEGIN {begin} {end} END $$")) {
                Ok(value) => assert!(value.clone() == value),
                Err(error) => {
                    assert_eq!(error.kind(), pg_ast::ErrorKind::TooDeep);
                    assert!(levels > 10, "{levels}");
                }
            }
        }
    });
}
