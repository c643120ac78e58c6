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

/// The number of values of `plpgsql_bucket`.
const PLPGSQL_BUCKETS: usize = 128;

/// The function `plpgsql_bucket` of `plpgsql_words.h`.
fn plpgsql_bucket(word: &[u8]) -> usize {
    let (first, last) = (usize::from(word[0] & 31), usize::from(word[word.len() - 1] & 31));
    (first * 4 + last + word.len() * 3) % PLPGSQL_BUCKETS
}

/// Writes the tables that parser.c and PL/pgSQL's scanner include into `folder`.
pub(crate) fn write(source: &Path, folder: &Path) -> Result<(), String> {
    let include = source.join("src/postgres/include");
    let words = words(&include.join("parser/kwlist.h"))?;

    let (heads, nexts) = chains(&words, BUCKETS, bucket);
    let header = arrays("const uint16 keyword", heads, nexts);
    write_file(&folder.join("keyword_tables.h"), &header)?;

    let mut header = String::new();
    for list in ["reserved", "unreserved"] {
        let words = self::words(&include.join(format!("pl_{list}_kwlist.h")))?;
        let (heads, nexts) = chains(&words, PLPGSQL_BUCKETS, plpgsql_bucket);
        header += &arrays(&format!("static const uint8 plpgsql_{list}"), heads, nexts);
    }
    write_file(&folder.join("plpgsql_keyword_tables.h"), &header)
}

/// Returns the first word of each bucket, and for each word the next one in its bucket. A word is its number plus 1, so
/// that 0 means none.
fn chains(
    words: &[String],
    buckets: usize,
    bucket: fn(&[u8]) -> usize,
) -> (Vec<usize>, Vec<usize>) {
    let (mut heads, mut nexts) = (vec![0; buckets], vec![0; words.len()]);
    for (number, word) in words.iter().enumerate() {
        let head = &mut heads[bucket(word.as_bytes())];
        nexts[number] = std::mem::replace(head, number + 1);
    }
    (heads, nexts)
}

/// Returns the definitions of these arrays.
fn arrays(name: &str, heads: Vec<usize>, nexts: Vec<usize>) -> String {
    let mut header = String::new();
    for (suffix, numbers) in [("heads", heads), ("nexts", nexts)] {
        writeln!(header, "{name}_{suffix}[] = {{").expect("writing to a String");
        for number in numbers {
            writeln!(header, "{number},").expect("writing to a String");
        }
        header += "};\n";
    }
    header
}

/// Returns the keywords of a list.
fn words(path: &Path) -> Result<Vec<String>, String> {
    let list = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let entries = list.lines().filter_map(|line| line.strip_prefix("PG_KEYWORD(\""));
    let words: Vec<_> = entries.filter_map(|entry| Some(entry.split('"').next()?.into())).collect();
    if words.is_empty() {
        return Err(format!("{}: no keywords", path.display()));
    }
    Ok(words)
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
