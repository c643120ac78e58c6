//! Generates the syntax tree of every PostgreSQL version whose feature is on.
//!
//! The tree is prost's reading of libpg_query's `pg_query.proto`. Data that the schema lacks is
//! added as attributes: the C struct of a message (`#[pg_ast(raw = ..)]`), the name of a field
//! in C, and the derives that convert. All of it follows from the schema and the bindings by rule;
//! exceptions are in the tables of `pg_ast/codegen/`.

#[path = "pg_ast/codegen/attributes.rs"]
mod attributes;
#[path = "pg_ast/codegen/bindings.rs"]
mod bindings;
#[path = "pg_ast/codegen/comments.rs"]
mod comments;
#[path = "pg_ast/codegen/descriptor.rs"]
mod descriptor;
#[path = "pg_ast/codegen/docs.rs"]
mod docs;
#[path = "pg_ast/codegen/fingerprint_rules.rs"]
mod fingerprint_rules;
#[path = "pg_ast/codegen/items.rs"]
mod items;
#[path = "pg_ast/codegen/known.rs"]
mod known;
#[path = "pg_ast/codegen/markdown.rs"]
mod markdown;
#[path = "pg_ast/codegen/name_places.rs"]
mod name_places;
#[path = "pg_ast/codegen/objects.rs"]
mod objects;
#[path = "pg_ast/codegen/printer.rs"]
mod printer;
#[path = "pg_ast/codegen/prost_code.rs"]
mod prost_code;
#[path = "pg_ast/codegen/required.rs"]
mod required;
#[path = "pg_ast/codegen/schema.rs"]
mod schema;
#[path = "pg_ast/codegen/serde_attributes.rs"]
mod serde_attributes;
#[path = "pg_ast/codegen/statement_rules.rs"]
mod statement_rules;
#[path = "pg_ast/codegen/texts.rs"]
mod texts;
#[path = "pg_ast/codegen/views.rs"]
mod views;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use bindings::Bindings;
use comments::Comments;
use descriptor::FileDescriptorSet;
use docs::Docs;
use prost_code::Additions;
use schema::Schema;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=pg_ast/codegen");
    // With AddressSanitizer, pieces of memory are separate allocations, as in arena.h.
    println!("cargo::rustc-check-cfg=cfg(pg_ast_malloc)");
    if env::var("CARGO_CFG_SANITIZE")
        .is_ok_and(|names| names.split(',').any(|name| name == "address"))
    {
        println!("cargo::rustc-cfg=pg_ast_malloc");
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
    let schema = from_sys_crate(version, "SCHEMA")?;
    let bindings = Bindings::read(&from_sys_crate(version, "BINDINGS")?)?;
    let files = FileDescriptorSet::decode(&fs::read(schema)?)?;
    let major = version.trim_start_matches("pg").parse()?;
    let schema = Schema::new(&files, major);
    attributes::check(&schema, &bindings)?;
    required::check(&schema)?;
    texts::check(&schema)?;
    fingerprint_rules::check(&schema)?;
    objects::check(&schema)?;
    serde_attributes::check(&schema)?;
    statement_rules::check(&schema)?;
    let comments = comments(version);
    let docs = Docs::new(&schema, &bindings, &comments);

    let mut added = Additions::default();
    attributes::add(&mut added, &schema, &bindings);
    // Not left to `cfg_attr`: code that is not there costs the default build nothing.
    if env::var_os("CARGO_FEATURE_SERDE").is_some() {
        serde_attributes::add(&mut added, &schema, &bindings);
    }
    docs.add(&mut added);

    let code = fs::read_to_string(from_sys_crate(version, "PROTOBUF")?)?;
    let mut code = added.put_into(&code)?;
    code += &attributes::each_node_macro(&schema);
    code += &attributes::each_other_message_macro(&schema);
    code += &attributes::headers_macro(&schema, &bindings);
    code += &attributes::if_node_macro(&bindings);
    code += &attributes::tags_macro(&bindings);
    code += &attributes::pointees_macro(&bindings);
    code += &required::methods(&schema);

    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out_dir.join(version).with_extension("rs"), code)?;
    let views = views::generate(&schema, &bindings, &docs);
    let views = views + &statement_rules::tables(&schema) + &objects::function();
    fs::write(out_dir.join(format!("{version}_view.rs")), views)?;
    Ok(())
}

/// Reads the comments of PostgreSQL's sources, if these are there: only the documentation needs them.
fn comments(version: &str) -> Comments {
    let variable = format!("DEP_PG_QUERY_{}_SOURCE", version.to_uppercase());
    println!("cargo::rerun-if-env-changed={variable}");
    env::var_os(variable).map_or(Comments::default(), |source| Comments::read(Path::new(&source)))
}

/// Returns a path that the build script of `libpg_query` exports.
fn from_sys_crate(version: &str, what: &str) -> Result<PathBuf, Box<dyn Error>> {
    let variable = format!("DEP_PG_QUERY_{}_{what}", version.to_uppercase());
    println!("cargo::rerun-if-env-changed={variable}");
    let path =
        env::var_os(&variable).ok_or_else(|| format!("libpg_query does not set {variable}"))?;
    println!("cargo::rerun-if-changed={}", Path::new(&path).display());
    Ok(path.into())
}
