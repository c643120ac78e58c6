//! Writes seeds for each target, and a dictionary: `seeds FOLDER [EVERY]`.
//!
//! The seeds are our own statements, and every twentieth (or EVERY) statement
//! of PostgreSQL's regression SQL, which is part of pinned packages.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use pg_ast::protobuf::Token;
use prost::Message as _;

/// Longer statements slow the fuzzer down more than they help.
const MAX_BYTES: usize = 4096;

/// Text between words, mostly several characters that are one token.
const SYMBOLS: [&str; 40] = [
    "::",
    ":=",
    "=>",
    "<=",
    ">=",
    "<>",
    "!=",
    "..",
    "$1",
    "$$",
    "$a$",
    "/*",
    "*/",
    "--",
    "E'",
    "e'\\\\",
    "U&'",
    "U&\\\"",
    "UESCAPE",
    "B'",
    "X'",
    "N'",
    "''",
    "\\\"\\\"",
    "0x",
    "0b1",
    "0o7",
    "1_0",
    "1e10",
    ".5",
    "\\\\",
    "\\\\;",
    "\\\\.",
    "\\x0a",
    "\\xff",
    "\\x00",
    "\\xc3\\xa9",
    "\\xef\\xbb\\xbf",
    "[1:2]",
    ".*",
];

/// Logs, each after the byte that says its format to the target `tools`.
const LOGS: [&str; 7] = [
    "e2026-01-01 10:00:00.000 UTC [7] LOG:  statement: SELECT 1\n\tFROM t\n\
     2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.250 ms\n",
    "e2026-01-01 [7] LOG:  duration: 0.125 ms  plan:\n\tQuery Text: SELECT a\n\tSeq Scan on t  (cost=0.0)\n",
    "c2026-01-01 10:00:00.000 UTC,\"u\",\"d\",7,\"[local]\",69a1.7,1,\"idle\",2026-01-01 10:00:00 UTC,3/2,0,LOG,\
     00000,\"statement: SELECT \"\"a\"\"\n, 1\",,,,,,,,,\"psql\",\"client backend\",,0\n",
    "j{\"timestamp\":\"t\",\"pid\":7,\"error_severity\":\"LOG\",\"message\":\"statement: SELECT 1\"}\n",
    "a{\"log\":\"2026-01-01 [7] LOG:  statement: SELECT 1\\n\",\"stream\":\"stderr\",\"time\":\"t\"}\n",
    "puserid;query;calls;total_exec_time\r\n10;\"SELECT \"\"a\"\", $1\";2;0.5\r\n",
    "yJan  1 10:00:00 host postgres[7]: [5-1] 2026-01-01 LOG:  statement: SELECT a,\n\
     Jan  1 10:00:00 host postgres[7]: [5-2] #011   b\n",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("seeds FOLDER [EVERY]")?);
    let every = arguments.next().map_or(Ok(20), |every| every.parse())?;

    fs::create_dir_all(&folder)?;
    fs::write(folder.join("dictionary"), dictionary())?;

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = sql_files(&root.join("tests/statements"))?;
    let regression = regression_files(&root)?;
    let mut scripts = Vec::new();
    for (file, every) in
        own.iter().map(|file| (file, 1)).chain(regression.iter().map(|file| (file, every)))
    {
        // A few files are in other encodings.
        let script = String::from_utf8_lossy(&fs::read(file)?).into_owned();
        let stmts = pg_ast::parse_script(&script);
        scripts.extend(
            stmts
                .iter()
                .step_by(every)
                .map(|stmt| stmt.text(&script).to_owned())
                .filter(|text| text.len() <= MAX_BYTES),
        );
        // Some statements in a row.
        let rows = stmts.chunks(8).step_by(every);
        let row =
            rows.filter_map(|row| script.get(row.first()?.range.start..row.last()?.range.end));
        let rows: Vec<_> = row.filter(|row| row.len() <= MAX_BYTES).collect();
        write_all(&folder.join("script"), &rows)?;
        write_all(&folder.join("tools"), rows.iter().map(|row| format!("s{row}")))?;
    }
    write_all(&folder.join("text"), &scripts)?;
    write_all(&folder.join("tools"), LOGS)?;
    // The bytes after the separator select the changes.
    let changed = scripts
        .iter()
        .map(|text| [text.as_bytes(), b"\xff", &text.as_bytes()[..text.len().min(12)]].concat());
    let changed: Vec<_> = changed.collect();
    for target in ["mutate", "edits", "shapes"] {
        write_all(&folder.join(target), &changed)?;
    }
    write_all(&folder.join("places"), &changed)?;
    write_all(&folder.join("plpgsql"), functions(&root)?)?;
    let trees: Vec<_> = scripts.iter().filter_map(|text| pg_ast::parse(text).ok()).collect();
    write_all(&folder.join("tree"), trees.iter().map(|tree| tree.protobuf.encode_to_vec()))?;
    #[cfg(feature = "serde")]
    write_all(
        &folder.join("json"),
        trees.iter().filter_map(|tree| pg_ast::json::to_string(&tree.protobuf).ok()),
    )?;
    Ok(())
}

/// Returns our functions in PL/pgSQL, each with changes to its body.
fn functions(root: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut functions = Vec::new();
    for folder in ["tests/plpgsql/valid", "tests/plpgsql/wrong"] {
        for file in sql_files(&root.join(folder))? {
            let script = fs::read_to_string(file)?;
            let stmts = pg_ast::parse_script(&script);
            functions.extend(stmts.iter().enumerate().map(|(at, stmt)| {
                let changes = at.to_le_bytes().repeat(2);
                [stmt.text(&script).as_bytes(), b"\xff", &changes].concat()
            }));
        }
    }
    Ok(functions)
}

fn write_all(
    folder: &Path,
    seeds: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let first = fs::read_dir(folder)?.count();
    for (number, seed) in seeds.into_iter().enumerate() {
        if seed.as_ref().len() <= MAX_BYTES {
            fs::write(folder.join(format!("{:05}", first + number)), seed)?;
        }
    }
    Ok(())
}

/// Returns the words of the grammar that are keywords for the scanner, and symbols.
fn dictionary() -> String {
    let tokens = (0..2_000).filter_map(|number| Token::try_from(number).ok());
    let names =
        tokens.map(|token| token.as_str_name().trim_end_matches("_P").trim_end_matches("_LA"));
    let is_keyword = |name: &&str| {
        let scan = pg_ast::scan(name);
        scan.is_ok_and(|scan| {
            matches!(&scan.tokens[..], [token] if token.keyword_kind != pg_ast::protobuf::KeywordKind::NoKeyword)
        })
    };
    let mut words: Vec<_> = names.filter(is_keyword).map(|name| format!("{name} ")).collect();
    words.sort();
    words.dedup();
    let symbols = SYMBOLS.iter().map(|symbol| (*symbol).to_owned());
    words.into_iter().chain(symbols).fold(String::new(), |mut text, word| {
        writeln!(text, "\"{word}\"").expect("a String takes everything");
        text
    })
}

/// Returns PostgreSQL's regression SQL, from two packages in pg_ast's lockfile.
fn regression_files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let metadata =
        cargo_metadata::MetadataCommand::new().manifest_path(root.join("Cargo.toml")).exec()?;
    let mut files = Vec::new();
    for package in metadata.packages.iter().filter(|package| *package.name == "pg_query") {
        let folder = package.manifest_path.parent().ok_or("a folder")?.join("libpg_query/test/sql");
        for folder in ["postgres_regress", "plpgsql_regress"].map(|name| folder.join(name)) {
            if folder.exists() {
                files.extend(sql_files(folder.as_std_path())?);
            }
        }
    }
    if files.len() < 400 {
        return Err(format!("only {} files of regression SQL", files.len()).into());
    }
    Ok(files)
}

fn sql_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    Ok(files)
}
