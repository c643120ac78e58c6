//! Documents the code of every PostgreSQL version whose feature is on.
//!
//! That code is committed: `pg_ast/pg18/protobuf.rs` and `views.rs` beside it, which `libpg_query/tools` writes by the rules
//! in `codegen/`. Only PostgreSQL's comments are not in the repository; they come from its sources.

#[path = "codegen/comments/mod.rs"]
mod comments;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use comments::{Api, Comments, Marks, Types};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=codegen/comments");
    // With AddressSanitizer, pieces of memory are separate allocations, as in arena.h.
    println!("cargo::rustc-check-cfg=cfg(pg_ast_malloc)");
    if env::var("CARGO_CFG_SANITIZE")
        .is_ok_and(|names| names.split(',').any(|name| name == "address"))
    {
        println!("cargo::rustc-cfg=pg_ast_malloc");
    }
    // Frames are larger then: limits.rs.
    println!("cargo::rustc-check-cfg=cfg(pg_ast_unoptimised)");
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=pg_ast_unoptimised");
    }
    let versions = versions();
    for version in &versions {
        generate(version)?;
    }
    let Some(newest) = versions.last() else {
        println!(
            "cargo::error=pg_ast has no PostgreSQL version: turn on `pg18` or another of its features"
        );
        return Ok(());
    };
    // The root of the crate re-exports that one.
    println!("cargo::rustc-check-cfg=cfg(pg_ast_newest, values(any()))");
    println!("cargo::rustc-cfg=pg_ast_newest={newest:?}");
    Ok(())
}

/// Returns the enabled features that are versions, such as `pg18`, the newest last.
fn versions() -> Vec<String> {
    let features = env::vars().filter_map(|(name, _)| {
        let feature = name.strip_prefix("CARGO_FEATURE_")?.to_lowercase();
        let major = feature.strip_prefix("pg")?;
        major.parse::<u32>().is_ok().then_some(feature)
    });
    let mut versions: Vec<_> = features.collect();
    versions.sort();
    versions
}

fn generate(version: &str) -> Result<(), Box<dyn Error>> {
    let committed = |name: &str| {
        let path = Path::new("pg_ast").join(version).join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (tree, views) = (committed("protobuf.rs")?, committed("views.rs")?);
    let comments = comments(version);
    let marks = Marks { comments: &comments, types: types(&tree) };
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out_dir.join(format!("{version}.rs")), marks.replace(&tree, Api::Tree))?;
    fs::write(out_dir.join(format!("{version}_view.rs")), marks.replace(&views, Api::View))?;
    if env::var_os("CARGO_FEATURE_PLPGSQL").is_some() {
        let tree = committed("plpgsql.rs")?;
        let mut types = types(&tree);
        types.retain(|name, _| name.starts_with("PLpgSQL_"));
        let marks = Marks { comments: &comments, types };
        fs::write(out_dir.join(format!("{version}_plpgsql.rs")), marks.replace(&tree, Api::Tree))?;
        let views = marks.replace(&committed("plpgsql_views.rs")?, Api::View);
        fs::write(out_dir.join(format!("{version}_plpgsql_view.rs")), views)?;
    }
    Ok(())
}

/// Reads the comments of PostgreSQL's sources, if these are there: only the documentation needs them.
fn comments(version: &str) -> Comments {
    let variable = format!("DEP_PG_QUERY_{}_SOURCE", version.to_uppercase());
    println!("cargo::rerun-if-env-changed={variable}");
    env::var_os(variable).map_or(Comments::default(), |source| Comments::read(Path::new(&source)))
}

/// Returns the types of a tree that comments can link to, from its code.
fn types(tree: &str) -> Types<'_> {
    // These have no twin that an attribute could name.
    let without_twin = ["List", "Node"].map(|name| (name, (name.to_owned(), false)));
    let (mut types, mut in_c) = (Types::from(without_twin), None);
    for line in tree.lines() {
        if let Some(attribute) = line.strip_prefix("#[pg_ast(raw = raw::") {
            in_c = attribute.split([',', ')']).next();
        } else if let Some(item) = line.strip_prefix("pub ") {
            let mut words = item.split(' ');
            if let (Some(kind), Some(rust), Some(in_c)) = (words.next(), words.next(), in_c.take())
            {
                types.insert(in_c, (rust.to_owned(), kind == "enum"));
            }
        }
    }
    types
}
