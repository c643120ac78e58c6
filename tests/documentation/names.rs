//! Checks that the library gives each of its types and files one name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Types of the owned tree with a twin of the same name for views, types that two features share.
const TWINS: [&str; 8] =
    ["Contents", "Nodes", "NodesMut", "Parsed", "ParsedFunction", "Target", "Visit", "WithDepth"];

/// Files with the same subject: types and calls, or the owned tree and views.
const PAIRS: [&str; 13] = [
    "accessors.rs",
    "analysis.rs",
    "decode.rs",
    "digest.rs",
    "expect.rs",
    "fingerprint.rs",
    "nodes.rs",
    "nodes_mut.rs",
    "parts.rs",
    "ranges.rs",
    "scan.rs",
    "shapes.rs",
    "shared.rs",
];

/// Returns the files of the library, of the layers on it and of `pg_ast_ide` that are written by hand.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [
        "pg_ast",
        "pg_ast_catalog/src",
        "pg_ast_effects/src",
        "pg_ast_ide/src",
        "pg_ast_names/src",
        "pg_ast_plpgsql/src",
        "pg_ast_syntax/src",
        "pg_ast_types/src",
    ];
    let (mut files, mut folders) = (Vec::new(), crates.map(|name| root.join(name)).to_vec());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                // `pg18/` is generated: its types have the names of PostgreSQL's.
                if path.file_name().is_none_or(|name| !name.to_string_lossy().starts_with("pg")) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).expect("a file below").display().to_string();
                files.push((name, fs::read_to_string(&path).expect("UTF-8")));
            }
        }
    }
    files
}

/// Returns the type that a line declares. Associated types and types in functions are indented.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || ["in", "unsafe"].contains(word) || word.ends_with(')')
    });
    let kind = words.next().filter(|_| !line.starts_with(' '))?;
    let name =
        words.next().filter(|_| ["struct", "enum", "trait", "type", "union"].contains(&kind));
    name?.split(|c: char| !c.is_alphanumeric()).next()
}

fn several<K: Ord>(all: impl Iterator<Item = (K, String)>) -> BTreeMap<K, Vec<String>> {
    let mut by_name = BTreeMap::<K, Vec<String>>::new();
    all.for_each(|(name, place)| by_name.entry(name).or_default().push(place));
    by_name.retain(|_, places| places.len() > 1);
    by_name
}

#[test]
fn types_have_one_name() {
    let files = files();
    let types = files.iter().flat_map(|(file, text)| {
        text.lines().filter_map(declared).map(move |name| (name, file.clone()))
    });
    let mut several = several(types);
    // Each crate has the first.
    several.retain(|name, places| {
        *name != "ReadmeDoctests" && (!TWINS.contains(name) || places.len() > 2)
    });
    assert!(several.is_empty(), "{several:#?}");
}

#[test]
fn files_have_one_name() {
    let files = files();
    let names = files
        .iter()
        .map(|(file, _)| (file.rsplit(['/', '\\']).next().unwrap_or_default(), file.clone()));
    let mut several = several(names);
    several.retain(|name, places| {
        !["lib.rs", "mod.rs"].contains(name) && (!PAIRS.contains(name) || places.len() > 2)
    });
    assert!(several.is_empty(), "{several:#?}");
}
