//! Lists the tables that functions write, with those in blocks, loops, handlers, cursors and dynamic SQL.
//!
//! ```text
//! $ cat functions.sql
//! CREATE FUNCTION pay(id int) RETURNS void LANGUAGE plpgsql AS $$
//! BEGIN
//!     UPDATE orders SET paid = true WHERE orders.id = pay.id;
//!     EXECUTE format('DELETE FROM reminders WHERE order_id = %L', id);
//!     EXECUTE 'TRUNCATE ' || quote_ident(current_user);
//! END $$;
//! $ cargo run -p pg_ast_examples --features plpgsql --example writes -- functions.sql
//! pay: orders
//! pay: reminders (dynamic)
//! pay: unknown: 'TRUNCATE ' || quote_ident(current_user)
//! ```
//!
//! It shows what is known of the SQL in a function.

use std::process::ExitCode;
use std::{env, fmt, fs};

use pg_ast::plpgsql::{self, Function};
use pg_ast::{Context, Error, QualifiedName};

/// What a function writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Write {
    Table {
        name: QualifiedName,
        is_dynamic: bool,
    },
    /// Dynamic SQL that writes a table whose name is put together at run time, or that cannot be read: the expression.
    Unknown(String),
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { name, is_dynamic: false } => write!(f, "{name}"),
            Self::Table { name, is_dynamic: true } => write!(f, "{name} (dynamic)"),
            Self::Unknown(expr) => write!(f, "unknown: {expr}"),
        }
    }
}

/// Returns what a function writes, without repetitions: what is not known is at the end.
pub(crate) fn writes(function: &Function) -> Vec<Write> {
    let is_written = |table: &pg_ast::Table| matches!(table.context, Context::Dml | Context::Ddl);
    let facts = pg_ast_plpgsql::facts(function);
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for sql in &facts.sql {
        let tables = sql.names.tables.iter().filter(|table| is_written(table));
        found.extend(
            tables
                .map(|table| Write::Table { name: table.name.clone(), is_dynamic: sql.is_dynamic }),
        );
        if sql.computed.tables.iter().any(is_written) {
            unknown.push(Write::Unknown(sql.expr.query.clone()));
        }
    }
    let unread = facts.unread.iter().map(|dynamic| Write::Unknown(dynamic.expr.query.clone()));
    let mut writes = Vec::new();
    for write in found.into_iter().chain(unknown).chain(unread) {
        if !writes.contains(&write) {
            writes.push(write);
        }
    }
    writes
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
        let name = function.name.as_deref().filter(|_| !function.is_do).unwrap_or("DO");
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
