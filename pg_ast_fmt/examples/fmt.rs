//! Formats SQL scripts, and keeps their comments.
//!
//! ```text
//! cargo run --release -p pg_ast_fmt --example fmt -- FILE..           prints the files, formatted
//! cargo run --release -p pg_ast_fmt --example fmt -- --write FILE..   writes them
//! cargo run --release -p pg_ast_fmt --example fmt -- --check FILE..   lists the unformatted ones
//! echo 'select 1' | cargo run --release -p pg_ast_fmt --example fmt
//! ```
//!
//! Statements with errors, parts that only psql reads (its commands, the data
//! of `COPY`) stay unchanged. A file stays unchanged if more than its layout
//! would change. The exit code is 1 in that case, if a statement is wrong, or
//! with `--check` if a file is not formatted.

use std::io::Read as _;
use std::process::ExitCode;
use std::{env, fs, io};

use pg_ast::{ColumnUnit, LineIndex, Version};
use pg_ast_fmt::{Formatted, Options};

fn main() -> ExitCode {
    let (options, files): (Vec<_>, Vec<_>) =
        env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let (mut write, mut check) = (false, false);
    for option in &options {
        match option.as_str() {
            "--write" => write = true,
            "--check" => check = true,
            _ => {
                eprintln!("usage: fmt [--write | --check] [FILE..]");
                return ExitCode::from(2);
            }
        }
    }
    let mut ok = true;
    if files.is_empty() {
        let mut script = String::new();
        match io::stdin().read_to_string(&mut script) {
            Ok(_) => ok &= file("standard input", &script, false, check),
            Err(error) => {
                eprintln!("standard input: {error}");
                ok = false;
            }
        }
    }
    for path in &files {
        match fs::read_to_string(path) {
            Ok(script) => ok &= file(path, &script, write, check),
            Err(error) => {
                eprintln!("{path}: {error}");
                ok = false;
            }
        }
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Formats one file; returns false on an error in it.
fn file(path: &str, script: &str, write: bool, check: bool) -> bool {
    let formatted = pg_ast_fmt::format(Version::newest(), script, &Options::default());
    let Formatted { text, errors, kept, refused, .. } = formatted;
    let lines = LineIndex::new(script);
    for (error, _) in &errors {
        let place = lines.line_column(error.cursor().unwrap_or(0), ColumnUnit::Bytes);
        eprintln!("{path}:{}: {}", place.line + 1, error.message());
    }
    let mut ok = errors.is_empty();
    if let Some(difference) = refused {
        let place = lines.line_column(difference.offset, ColumnUnit::Bytes);
        eprintln!("{path}:{}: not formatted: {} would change", place.line + 1, difference.kind);
        ok = false;
    }
    for stmt in kept {
        let line = lines.line_column(stmt, ColumnUnit::Bytes).line + 1;
        eprintln!("{path}:{line}: left as it is, since its layout would not be the same SQL");
    }
    if check {
        if text != script {
            println!("{path} is not formatted");
            ok = false;
        }
    } else if write {
        if text != script
            && let Err(error) = fs::write(path, text)
        {
            eprintln!("{path}: {error}");
            ok = false;
        }
    } else {
        print!("{text}");
    }
    ok
}
