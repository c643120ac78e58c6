//! Formats SQL scripts, and keeps their comments.
//!
//! ```text
//! cargo run --release --example fmt -- FILE..           prints the files, formatted
//! cargo run --release --example fmt -- --write FILE..   writes them
//! cargo run --release --example fmt -- --check FILE..   says which are not formatted
//! echo 'select 1' | cargo run --release --example fmt
//! ```
//!
//! What is wrong, what psql alone understands (its commands, the data of `COPY`), and what would not
//! mean the same any more stays as it is. The exit code is 1 if a statement is wrong, or with
//! `--check` if a file is not formatted.

use std::io::Read as _;
use std::process::ExitCode;
use std::{env, fs, io};

use pg_ast::{DeparseOptions, Error};

/// A script as it is to be, and what is wrong in it.
pub(crate) struct Formatted {
    pub(crate) text: String,
    pub(crate) errors: Vec<Error>,
}

pub(crate) fn format(script: &str) -> Formatted {
    indented(script, 2)
}

/// With so many spaces per level.
pub(crate) fn indented(script: &str, indent: u16) -> Formatted {
    let mut text = String::with_capacity(script.len());
    let mut errors = Vec::new();
    let mut end = 0;
    let mut data = false;
    for stmt in pg_ast::parse_script(script) {
        let between = &script[end..stmt.range.start];
        // The comments before a statement are printed with it; anything else there is left alone.
        let start = if is_space_or_comments(between) { end } else { stmt.range.start };
        text += if data { &script[end..start] } else { script[end..start].trim_start() };
        let part = script[start..stmt.range.end].trim_start_matches([';', ' ', '\t', '\r', '\n']);
        match stmt.result {
            Ok(_) => text += &pretty(part, indent).unwrap_or_else(|| part.to_owned()),
            Err(error) => {
                text += part;
                errors.push(error);
            }
        }
        end = stmt.range.end;
        // A semicolon, unless a command for psql ended the statement.
        let rest = &script[end..];
        if rest.trim_start().starts_with(';') {
            end += rest.find(';').map_or(0, |semicolon| semicolon + 1);
            text.push(';');
        } else if rest.trim().is_empty() {
            text.push(';');
        }
        // What follows a COPY may be its data, of which every line counts.
        data = starts_copy(part);
        text += if data { "" } else { "\n" };
    }
    text += if data { &script[end..] } else { script[end..].trim_start() };
    let text = text.trim_end().to_owned() + "\n";
    Formatted { text: if text == "\n" { String::new() } else { text }, errors }
}

/// A statement, with its comments, in lines; `None` if something would be lost.
fn pretty(stmt: &str, indent: u16) -> Option<String> {
    let comments = pg_ast::comments(stmt).ok()?;
    let options = DeparseOptions::default()
        .pretty_print(true)
        .indent_size(indent)
        .max_line_length(100)
        .comments(comments.clone());
    let tree = pg_ast::parse(stmt).ok()?;
    let text = pg_ast::deparse_with(&tree, &options).ok()?;
    let again = pg_ast::parse(&text).ok()?;
    // It is the same statement, with the same constants, and every comment is still there.
    let same = tree.fingerprint() == again.fingerprint()
        && pg_ast::deparse(&tree).ok()? == pg_ast::deparse(&again).ok()?;
    let kept = pg_ast::comments(&text).ok()?;
    (same && kept.len() == comments.len()).then_some(text)
}

fn is_space_or_comments(text: &str) -> bool {
    pg_ast::scan(text).is_ok_and(|scan| {
        let semicolon = |range: std::ops::Range<usize>| &text[range] == ";";
        scan.tokens.iter().all(|token| token.is_comment() || semicolon(token.range()))
    })
}

fn starts_copy(stmt: &str) -> bool {
    stmt.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("copy"))
}

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

/// Formats one file; false if something is wrong in it.
fn file(path: &str, script: &str, write: bool, check: bool) -> bool {
    let Formatted { text, errors } = format(script);
    for error in &errors {
        let before = &script[..error.cursor().unwrap_or(0)];
        let line = before.matches('\n').count() + 1;
        eprintln!("{path}:{line}: {}", error.message());
    }
    let mut ok = errors.is_empty();
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
