//! Checks that each folder of the library stands only on those that `docs/design/architecture.md` says.

use std::fs;
use std::path::{Path, PathBuf};

/// The ground floor of a version and its folders: each stands only on those before it.
const FLOORS: [&str; 9] =
    ["names", "ffi", "tree", "view", "read", "facts", "print", "plpgsql", "editor"];

/// The folders of the library, with the others that they stand on.
const FOLDERS: [(&str, &[&str]); 6] = [
    ("foundation", &["types"]),
    ("types", &["foundation", "convert", "text"]),
    ("convert", &["foundation", "types"]),
    ("text", &["types"]),
    ("formats", &["foundation", "types"]),
    ("version", &["foundation", "types", "convert", "text", "formats"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files of Rust below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the code of a file without its comments, on one line.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("UTF-8");
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.collect::<Vec<_>>().join(" ")
}

/// Returns the names at the beginning of what follows a path: several of them in braces.
fn names(rest: &str) -> Vec<&str> {
    let name = |path: &'_ str| path.find(|c: char| !c.is_alphanumeric() && c != '_');
    let Some(group) = rest.strip_prefix('{') else {
        return vec![&rest[..name(rest).unwrap_or(rest.len())]];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let path = group[start..at].trim();
                names.push(&path[..name(path).unwrap_or(path.len())]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// Returns the names that the code finds `levels` modules above its own.
fn above(code: &str, levels: usize) -> Vec<&str> {
    let path = "super::".repeat(levels);
    let starts = code.match_indices(&path).map(|(at, _)| at);
    let starts = starts.filter(|at| {
        !code[..*at].ends_with("super::") && !code[at + path.len()..].starts_with("super::")
    });
    starts.flat_map(|at| names(&code[at + path.len()..])).collect()
}

#[test]
fn a_folder_of_a_version_stands_on_those_before_it() {
    let version = root().join("pg_ast/version");
    let mut wrong = Vec::new();
    for (floor, name) in FLOORS.iter().enumerate().skip(1) {
        let mut arrows = 0;
        for file in files(&version.join(name)) {
            let place = file.strip_prefix(&version).expect("a file below");
            let is_folder = place.file_name().is_some_and(|name| name == "mod.rs");
            let levels = place.components().count() - usize::from(is_folder);
            let code = code(&file);
            for other in above(&code, levels) {
                if let Some(found) = FLOORS.iter().position(|floor| *floor == other) {
                    arrows += 1;
                    if found >= floor {
                        wrong.push(format!("{} names {other}", place.display()));
                    }
                }
            }
        }
        assert!(arrows > 0, "{name} names nothing, not even `names`");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_folder_of_the_library_stands_on_those_that_are_listed() {
    let mut wrong = Vec::new();
    for (name, others) in FOLDERS {
        let mut arrows = 0;
        for file in files(&root().join("pg_ast").join(name)) {
            let code = code(&file);
            let found = code.match_indices("crate::").flat_map(|(at, path)| {
                names(&code[at + path.len()..]).into_iter().filter(|other| *other != name)
            });
            for other in found {
                // Other names are those of macros.
                let is_folder = FOLDERS.iter().any(|(folder, _)| *folder == other);
                let is_version = ["view", "pg15", "pg16", "pg17", "pg18"].contains(&other);
                arrows += usize::from(is_folder);
                if (is_folder || is_version) && !others.contains(&other) {
                    wrong.push(format!("{} names {other}", file.display()));
                }
            }
        }
        assert!(arrows > 0, "{name} names no other folder");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_seam_is_for_the_layers_alone() {
    let names_it = |folder: &str| {
        let files = files(&root().join(folder));
        files.into_iter().filter(|file| code(file).contains("seam::")).count()
    };
    for layer in [
        "pg_ast_effects/src",
        "pg_ast_names/src",
        "pg_ast_plpgsql/src",
        "pg_ast_syntax/src",
        "pg_ast_types/src",
    ] {
        assert!(names_it(layer) > 0, "{layer}");
    }
    let others =
        ["fmt", "lint", "ide", "lsp", "cli", "compat"].map(|name| format!("pg_ast_{name}/src"));
    for folder in others.iter().map(String::as_str).chain(["npm/wasm/src", "fuzz/src", "examples"])
    {
        assert_eq!(names_it(folder), 0, "{folder}");
    }
}

/// So that other programs than the language server can use it.
#[test]
fn the_ide_knows_no_protocol() {
    let manifest = fs::read_to_string(root().join("pg_ast_ide/Cargo.toml")).expect("UTF-8");
    assert!(["lsp", "serde"].iter().all(|name| !manifest.contains(name)), "{manifest}");
}

/// The page has the folders in this order, which is what people read.
#[test]
fn the_page_has_the_same_order() {
    let page = fs::read_to_string(root().join("docs/design/architecture.md")).expect("the page");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let floors = FLOORS.map(|name| match name {
        "names" => "`names.rs`".to_owned(),
        folder => format!("`{folder}/`"),
    });
    let order = floors.join(", ");
    assert!(page.contains(&order), "{order}");
    for (name, others) in FOLDERS {
        let others: Vec<_> = others.iter().map(|other| format!("`{other}/`")).collect();
        let row = format!("| `{name}/` | {} |", others.join(", "));
        assert!(page.contains(&row), "{row}");
    }
}
