//! Renames a column in the SQL files of a folder, and keeps the rest of them: comments, layout, the case of words.
//!
//! ```text
//! cargo run -p pg_ast_examples --example rename_column -- user_id author_id queries/
//! ```

use std::error::Error;
use std::{env, fs};

use pg_ast::{Edits, ParserOptions, quote_identifier, view};

/// Returns SQL with a column renamed wherever a statement names it, and the number of places.
pub(crate) fn rename(sql: &str, old: &str, new: &str) -> Result<(String, usize), pg_ast::Error> {
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

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [old, new, folder] = &arguments[..] else { return Err("usage: OLD NEW FOLDER".into()) };
    let files = fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path()));
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "sql")) {
        match rename(&fs::read_to_string(&path)?, old, new) {
            Ok((_, 0)) => {}
            Ok((sql, _)) => fs::write(&path, sql)?,
            Err(error) => eprintln!("{}: {error:#}", path.display()),
        }
    }
    Ok(())
}
