//! Functions in PL/pgSQL: instructions of libpg_query's call, and of ours.

use std::ffi::CString;
use std::hint::black_box;

use pg_ast::plpgsql;

use super::peers;

/// Functions that libpg_query accepts.
const SQL: &str = include_str!("../sql/plpgsql.sql");

/// The measured functions. The second one is what the first spends on JSON.
const FUNCTIONS: [&str; 5] =
    ["plpgsql/c", "plpgsql/c_json", "plpgsql/view", "plpgsql/parse", "plpgsql/json"];

/// The function of libpg_query that writes JSON, for callgrind.
pub const JSON: &str = "--toggle-collect=*plpgsqlToJSON";

/// Runs a function on all of the SQL.
pub fn run(function: &str, repetitions: u32) {
    let c_text = CString::new(SQL).expect("no NUL");
    for _ in 0..repetitions {
        match function {
            "plpgsql/c" | "plpgsql/c_json" => peers::plpgsql(&c_text),
            "plpgsql/view" => drop(black_box(plpgsql::view::parse(black_box(SQL)))),
            "plpgsql/parse" => drop(black_box(plpgsql::parse(black_box(SQL)))),
            "plpgsql/json" => drop(black_box(pg_ast::parse_plpgsql(black_box(SQL)))),
            _ => panic!("no function {function}"),
        }
    }
}

/// Prints the table; `count` counts the instructions of a function.
pub fn table(count: impl Fn(&str) -> f64) {
    let parsed = plpgsql::parse(SQL).expect("parses");
    assert!(parsed.functions.iter().all(|it| it.function.is_ok()));
    let [c, c_json, view, parse, json] = FUNCTIONS.map(count);
    let compile = c - c_json;
    println!(
        "| libpg_query's compile | with its JSON | `view::parse` | `plpgsql::parse` | `parse_plpgsql` |"
    );
    println!("|--:|--:|--:|--:|--:|");
    let cell = |count: f64| format!("{count:.0} ({:.2})", count / compile);
    println!("| {compile:.0} | {} | {} | {} | {} |", cell(c), cell(view), cell(parse), cell(json));
}
