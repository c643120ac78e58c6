//! Lists the public API of a crate, from rustdoc's JSON, and compares it with a file.
//!
//! ```text
//! pg_ast_api [--write] JSON LISTING
//! ```
//!
//! The exit code is 1 if the listing differs, 2 if it cannot be made.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::{env, fs};

use heck::ToSnakeCase as _;
use public_api::Builder;

fn main() -> ExitCode {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let write = args.first().is_some_and(|arg| arg == "--write");
    args.drain(..usize::from(write));
    let [json, listing] = args.as_slice() else {
        eprintln!("usage: pg_ast_api [--write] JSON LISTING");
        return ExitCode::from(2);
    };
    match run(json, listing, write) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether the listing equals the file, or was written.
fn run(json: &str, path: &str, write: bool) -> Result<bool, String> {
    let api = |has_traits: bool| {
        let builder = Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(!has_traits)
            .omit_auto_derived_impls(!has_traits);
        let api = builder.build().map_err(|error| format!("{json}: {error}"))?;
        Ok::<_, String>(api.to_string())
    };
    let written = api(false)?;
    let traits = traits(&written, &api(true)?);
    let new = listing(&(written + &traits));
    if write {
        let text: String = new.iter().flat_map(|line| [line, "\n"]).collect();
        return fs::write(path, text).map(|()| true).map_err(|error| format!("{path}: {error}"));
    }
    let old = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let new: BTreeSet<&str> = new.iter().map(String::as_str).collect();
    let old: BTreeSet<&str> = old.lines().collect();
    old.difference(&new).for_each(|line| println!("-{line}"));
    new.difference(&old).for_each(|line| println!("+{line}"));
    Ok(old == new)
}

/// Returns a line for each type with the traits that it derives, and the auto traits that it has: their impls are those of all
/// items that are not among the written ones.
fn traits(written: &str, all: &str) -> String {
    let written: BTreeSet<&str> = written.lines().collect();
    let mut of_types: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for line in all.lines().filter(|line| !written.contains(line)) {
        let Some((before, of_type)) = line.split_once(" for ").filter(|_| line.starts_with("impl"))
        else {
            continue;
        };
        // `impl<'a> core::marker::Send`, `impl !core::marker::Send`
        let words = before
            .split_whitespace()
            .filter(|word| word.trim_start_matches('!').starts_with("core::"));
        let Some(path) = words.last().map(|word| word.split('<').next().unwrap_or(word)) else {
            continue;
        };
        let name = path.rsplit("::").next().unwrap_or(path);
        // The compiler's own.
        if ["Freeze", "StructuralPartialEq", "UnsafeUnpin"].contains(&name) {
            continue;
        }
        let not = if path.starts_with('!') { "!" } else { "" };
        of_types.entry(of_type).or_default().insert(format!("{not}{name}"));
    }
    let mut lines = String::new();
    for (of_type, traits) in of_types {
        let traits: Vec<_> = traits.into_iter().collect();
        lines += &format!("\ntraits of {of_type}: {}", traits.join(", "));
    }
    lines
}

/// Returns the lines of the listing, sorted. Items that many types of the tree share
/// are one line, followed by their number; fields and constants are listed one by one.
fn listing(api: &str) -> Vec<String> {
    // The items of the newest version are also those of the crate.
    let lines = api.lines().map(|line| line.replace("::pg18::", "::"));
    // The items of the C library are generated, and not part of the public API.
    let lines = lines.filter(|line| !line.contains(" libpg_query::") || line.starts_with("impl"));
    let lines: BTreeSet<String> = lines.filter(|line| !line.is_empty()).collect();
    let types: BTreeMap<String, String> = lines
        .iter()
        .filter_map(|line| {
            line.split_once("pub struct pg_ast::protobuf::")
                .or(line.split_once("pub enum pg_ast::protobuf::"))
        })
        .filter(|(_, name)| name.chars().all(char::is_alphanumeric) && *name != "Node")
        .map(|(_, name)| (name.to_owned(), name.to_snake_case()))
        .collect();
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for line in &lines {
        alike.entry(of_any_type(line, &types)).or_default().push(line);
    }
    let mut listing: Vec<String> = alike
        .into_iter()
        .map(|(general, lines)| match lines.as_slice() {
            [line] => (*line).to_owned(),
            lines => format!("{general}  ({} types)", lines.len()),
        })
        .collect();
    listing.sort();
    listing
}

/// Replaces the only type of the tree in a line by `{Type}`, unless the line is that of a field or a constant.
fn of_any_type(line: &str, types: &BTreeMap<String, String>) -> String {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let mut named = words.filter(|word| types.contains_key(*word));
    let Some(name) = named.next() else {
        return line.to_owned();
    };
    let is_field = |prefix: &str| {
        line.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| {
            let member = rest.trim_start_matches(['<', '>', '\'', 'a', '_']);
            member.starts_with("::")
                && !member.contains("::eq(")
                && !member.contains("::fmt(")
                && !member.contains("::hash<")
        })
    };
    if is_field("pub pg_ast::protobuf::")
        || is_field("pub fn pg_ast::view::")
        || named.any(|other| other != name)
    {
        return line.to_owned();
    }
    let snake = &types[name];
    let mut result = String::with_capacity(line.len());
    let mut word = String::new();
    for letter in line.chars().chain(['\0']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        result += &general(&word, name, snake);
        word.clear();
        result.push(letter);
    }
    result.pop();
    result
}

fn general(word: &str, name: &str, snake: &str) -> String {
    if word == name {
        return "{Type}".to_owned();
    }
    for prefix in ["as_", "visit_"] {
        for suffix in ["", "_mut"] {
            if word.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix)) == Some(snake) {
                return format!("{prefix}{{type}}{suffix}");
            }
        }
    }
    word.to_owned()
}
