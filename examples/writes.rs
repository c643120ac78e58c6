//! Lists the tables that functions write, with those in blocks, loops, handlers, cursors and dynamic SQL.
//!
//! ```text
//! $ cat functions.sql
//! CREATE FUNCTION pay(id int) RETURNS void LANGUAGE plpgsql AS $$
//! BEGIN
//!     UPDATE orders SET paid = true WHERE orders.id = pay.id;
//!     EXECUTE 'DELETE FROM reminders WHERE order_id = $1' USING id;
//!     EXECUTE 'TRUNCATE ' || quote_ident(current_user);
//! END $$;
//! $ cargo run --features plpgsql --example writes -- functions.sql
//! pay: orders
//! pay: reminders (dynamic)
//! pay: unknown: 'TRUNCATE ' || quote_ident(current_user)
//! ```
//!
//! It shows how to walk over the trees of PL/pgSQL and of the SQL inside them.

use std::process::ExitCode;
use std::{env, fmt, fs};

use pg_ast::plpgsql::{self, Function, Part};
use pg_ast::{Context, Error, Literal, ParseResult};

/// What a function writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Write {
    Table {
        name: String,
        is_dynamic: bool,
    },
    /// Dynamic SQL that is put together at run time: the expression.
    Unknown(String),
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { name, is_dynamic: false } => f.write_str(name),
            Self::Table { name, is_dynamic: true } => write!(f, "{name} (dynamic)"),
            Self::Unknown(expr) => write!(f, "unknown: {expr}"),
        }
    }
}

/// Returns what a function writes, without repetitions, in order.
pub(crate) fn writes(function: &Function) -> Vec<Write> {
    let mut writes = Vec::new();
    let mut parts = function.parts();
    while let Some(part) = parts.next() {
        let Part::Expr(expr) = part else { continue };
        parts.skip_children();
        let found = if parts.is_dynamic() {
            match constant(&expr.tree).map(|sql| pg_ast::parse(&sql)) {
                Some(Ok(tree)) => tables(&tree, true),
                Some(Err(_)) | None => vec![Write::Unknown(expr.query.clone())],
            }
        } else {
            tables(&expr.tree, false)
        };
        for write in found {
            if !writes.contains(&write) {
                writes.push(write);
            }
        }
    }
    writes
}

/// Returns the tables that SQL writes or defines.
fn tables(tree: &ParseResult, is_dynamic: bool) -> Vec<Write> {
    let tables = tree.analyze().tables.into_iter();
    let written = tables.filter(|table| matches!(table.context, Context::Dml | Context::Ddl));
    written.map(|table| Write::Table { name: table.name, is_dynamic }).collect()
}

/// Returns the string that an expression is, if it is a constant.
fn constant(expr: &ParseResult) -> Option<String> {
    let select = expr.stmts().next()?.as_select_stmt()?;
    let [target] = &select.target_list[..] else { return None };
    let value = target.to_ref()?.as_res_target()?.val.as_deref()?;
    match value.literal()? {
        Literal::String(text) => Some(text.to_owned()),
        _ => None,
    }
}

/// Returns a line for each table that a function in the SQL writes.
///
/// # Errors
///
/// The SQL around the bodies, or one of these, is wrong.
pub(crate) fn report(sql: &str) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    for parsed in plpgsql::parse(sql)?.functions {
        let function = parsed.function?;
        let name = function.name.as_deref().unwrap_or("DO");
        lines.extend(writes(&function).iter().map(|write| format!("{name}: {write}")));
    }
    Ok(lines)
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: writes FILE");
        return ExitCode::FAILURE;
    };
    let lines = fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|sql| report(&sql).map_err(|error| format!("{error:#}")));
    match lines {
        Ok(lines) => {
            for line in lines {
                println!("{line}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
