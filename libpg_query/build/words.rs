//! Builds the keyword tables, indexed by the features that are visible in a word at once: see `c/parser/words.h`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The number of values of `bucket`.
const BUCKETS: usize = 4096;

/// The function `keyword_bucket` of `words.h`.
fn bucket(word: &[u8]) -> usize {
    let (first, last) = (usize::from(word[0] & 31), usize::from(word[word.len() - 1] & 31));
    first | last << 5 | (word.len() & 3) << 10
}

/// Writes the tables that parser.c includes into `folder`.
pub(crate) fn write(source: &Path, folder: &Path) -> Result<(), String> {
    let path = source.join("src/postgres/include/parser/kwlist.h");
    let list = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let entries = list.lines().filter_map(|line| line.strip_prefix("PG_KEYWORD(\""));
    let words: Vec<_> = entries.filter_map(|entry| entry.split('"').next()).collect();
    if words.is_empty() {
        return Err(format!("{}: no keywords", path.display()));
    }

    // A keyword is stored as its number plus 1, so that 0 means none.
    let mut heads = vec![0; BUCKETS];
    let mut nexts = vec![0; words.len()];
    for (number, word) in words.iter().enumerate() {
        let head = &mut heads[bucket(word.as_bytes())];
        nexts[number] = std::mem::replace(head, number + 1);
    }
    let mut header = String::new();
    for (name, numbers) in [("keyword_heads", heads), ("keyword_nexts", nexts)] {
        writeln!(header, "const uint16 {name}[] = {{").expect("writing to a String");
        for number in numbers {
            writeln!(header, "{number},").expect("writing to a String");
        }
        header += "};\n";
    }
    let path = folder.join("keyword_tables.h");
    fs::write(&path, header).map_err(|e| format!("{}: {e}", path.display()))
}
