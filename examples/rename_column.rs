//! Renames a column in the SQL files of a folder, and keeps the rest of them: comments, layout, the case of words.
//!
//! ```text
//! cargo run --example rename_column -- user_id=author_id queries/
//! queries/report.sql: 3 places
//! ```

use std::process::ExitCode;
use std::{env, fs, io};

use pg_ast::{Edits, Error, ParserOptions, quote_identifier, view};

/// Returns SQL with a column renamed wherever a statement names it, and the number of places.
pub(crate) fn rename(sql: &str, old: &str, new: &str) -> Result<(String, usize), Error> {
    let tree = view::parse_with_ranges(sql, ParserOptions::default())?;
    let (mut edits, mut places) = (Edits::new(sql), 0);
    tree.walk_columns(|column, _used| {
        if let Some(range) = tree.name_range(column).filter(|_| column.name() == old) {
            edits.replace(range, quote_identifier(new));
            places += 1;
        }
    });
    Ok((edits.apply_and_parse(ParserOptions::default())?.0, places))
}

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [names, folder] = &arguments[..] else { return Ok(ExitCode::from(2)) };
    let Some((old, new)) = names.split_once('=') else { return Ok(ExitCode::from(2)) };
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "sql") {
            match rename(&fs::read_to_string(&path)?, old, new) {
                Ok((_, 0)) => {}
                Ok((sql, places)) => {
                    fs::write(&path, sql)?;
                    println!("{}: {places} places", path.display());
                }
                Err(error) => eprintln!("{}: {error:#}", path.display()),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
