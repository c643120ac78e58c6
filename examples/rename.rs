//! Renames tables in a script, and keeps the rest of it: comments, layout, the case of its words.
//!
//! ```text
//! $ cat report.sql
//! select users.name, count(*) -- of posts
//!   from users join posts on posts.author = users.id;
//! $ cargo run -p pg_ast_examples --example rename -- users=people report.sql
//! select users.name, count(*) -- of posts
//!   from people AS users join posts on posts.author = users.id;
//! ```
//!
//! It shows how to change SQL with `Edits`, and how to get from nodes to their places in the SQL: a
//! copy of the tree is changed, and wherever a node differs from the original, the SQL is edited.
//! The example `rewrite` prints the changed tree instead, which is simpler, but loses the comments.

use std::collections::{HashMap, HashSet};
use std::process::ExitCode;
use std::{env, fs};

use pg_ast::{Context, Edits, Error, NodeRef, ParserOptions, ScanResult, make};

/// Returns the script with renamed tables.
///
/// A table that is referenced by its name elsewhere, as in `users.id`, keeps it as an alias.
///
/// # Errors
///
/// The script cannot be parsed, or a statement would be invalid with the new names.
pub(crate) fn rename(sql: &str, names: &HashMap<String, String>) -> Result<String, Error> {
    let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    let scan = pg_ast::scan(sql)?;
    // Names by which other places reference tables.
    let called: HashSet<&str> = tree
        .nodes()
        .filter_map(NodeRef::as_column_ref)
        .filter_map(|column| column.names().next())
        .collect();

    let mut renamed = tree.clone();
    let mut aliased = HashSet::new();
    // It distinguishes names of tables from those of a `WITH` or a sequence.
    renamed.walk_tables_mut(|table, context| {
        if let Some(new) = names.get(&table.relname) {
            if context != Context::Ddl && called.contains(table.relname.as_str()) {
                aliased.insert(table.location);
            }
            table.relname.clone_from(new);
        }
    });

    let mut edits = Edits::new(sql);
    for ((old, range), new) in tree.nodes().with_ranges(&ranges).zip(renamed.nodes()) {
        let Some(range) = range else { continue };
        match (old, new) {
            (NodeRef::RangeVar(old), NodeRef::RangeVar(new)) if old.relname != new.relname => {
                let name = name_behind(&scan, sql, old.location, range.end);
                edits.replace(name, quoted(&new.relname)?);
                if old.alias.is_none() && aliased.contains(&old.location) {
                    edits.insert_behind(range.end, format!(" AS {}", quoted(&old.relname)?));
                }
            }
            // Such as `DROP TABLE`, whose names are strings.
            (NodeRef::String(old), NodeRef::String(new)) if old.sval != new.sval => {
                edits.replace(range, quoted(&new.sval)?);
            }
            _ => {}
        }
    }
    Ok(edits.apply_and_parse(ParserOptions::default())?.0)
}

/// Returns the last part of the name that starts at a location: `t` of `s.t`.
fn name_behind(scan: &ScanResult, sql: &str, location: i32, end: usize) -> std::ops::Range<usize> {
    let start = usize::try_from(location).unwrap_or(end);
    let mut tokens = scan.inside(&(start..end)).iter().filter(|token| !token.is_comment());
    let mut name = tokens.next().map_or(end..end, |token| token.range());
    while tokens.next().is_some_and(|token| &sql[token.range()] == ".") {
        name = tokens.next().map_or(name, |token| token.range());
    }
    name
}

/// Returns a name as written in SQL.
fn quoted(name: &str) -> Result<String, Error> {
    pg_ast::deparse_node(&make::range_var(None, name).into())
}

/// Parses pairs like `users=people`, and the script.
fn main() -> ExitCode {
    let (pairs, paths): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|arg| arg.contains('='));
    let names = pairs.iter().filter_map(|pair| pair.split_once('='));
    let names = names.map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
    let [path] = paths.as_slice() else {
        eprintln!("usage: rename OLD=NEW .. FILE");
        return ExitCode::from(2);
    };
    let renamed = fs::read_to_string(path)
        .map_err(|error| error.to_string())
        .and_then(|sql| rename(&sql, &names).map_err(|error| format!("{error:#}")));
    match renamed {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
