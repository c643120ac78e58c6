//! Generates the same messages as prost-build does for pg_query, and lists of them for macros.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use heck::ToUpperCamelCase as _;
use prost::Message as _;
use prost_types::{DescriptorProto, FileDescriptorSet};

/// The features, and the versions of their schemas.
const VERSIONS: [(&str, &str); 2] = [("v6", "PG17"), ("v18", "PG18")];

/// Messages that are not part of trees, and those that `convert.rs` converts by hand.
const NOT_LISTED: [&str; 4] = ["RangeVar", "ScanResult", "ScanToken", "SummaryResult"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    for (feature, version) in VERSIONS {
        if env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some() {
            generate(feature, version)?;
        }
    }
    Ok(())
}

fn generate(feature: &str, version: &str) -> Result<(), Box<dyn Error>> {
    let variable = format!("DEP_PG_QUERY_{version}_SCHEMA");
    println!("cargo::rerun-if-env-changed={variable}");
    let schema = env::var_os(&variable).ok_or_else(|| format!("{variable} is not set"))?;
    println!("cargo::rerun-if-changed={}", Path::new(&schema).display());
    let files = FileDescriptorSet::decode(fs::read(schema)?.as_slice())?;
    let messages: Vec<_> = files.file.iter().flat_map(|file| file.message_type.clone()).collect();
    let lists = nodes(&messages)? + &fields(&messages);

    let mut config = prost_build::Config::new();
    config.type_attribute(".", "#[derive(serde::Serialize)]");
    let requests = files
        .file
        .into_iter()
        .map(|file| (prost_build::Module::from_protobuf_package_name(file.package()), file))
        .collect();
    let code: String = config.generate(requests)?.into_values().collect();

    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out_dir.join(format!("{feature}.rs")), code)?;
    fs::write(out_dir.join(format!("{feature}_lists.rs")), lists)?;
    Ok(())
}

/// Writes a macro that passes each variant of `NodeEnum` and its message to another macro.
fn nodes(messages: &[DescriptorProto]) -> Result<String, Box<dyn Error>> {
    let node = messages.iter().find(|message| message.name() == "Node").ok_or("no Node")?;
    let mut nodes = String::new();
    for field in &node.field {
        let message = rust_name(field.type_name());
        writeln!(nodes, "{} {message};", field.name().to_upper_camel_case())?;
    }
    Ok(list("each_node", &nodes))
}

/// Writes a macro that passes the fields of each message of a tree to another macro. Oneofs are one field each.
fn fields(messages: &[DescriptorProto]) -> String {
    let mut all = String::new();
    for message in messages {
        if NOT_LISTED.contains(&message.name()) {
            continue;
        }
        let plain = message.field.iter().filter(|field| field.oneof_index.is_none());
        let plain = plain.map(|field| ident(field.name()));
        let oneofs = message.oneof_decl.iter().map(|oneof| oneof.name().to_owned());
        let fields: Vec<_> = plain.chain(oneofs).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(all, "{} {{ {} }}", rust_name(message.name()), fields.join(", "));
    }
    list("each_message", &all)
}

fn list(name: &str, items: &str) -> String {
    format!(
        "macro_rules! {name} {{ ($then:ident) => {{ $then! {{\n{items}}} }}; }}\npub(crate) use {name};\n"
    )
}

/// Returns the name that prost-build makes of a message's name, which may be a full one.
fn rust_name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_upper_camel_case()
}

/// Returns the name that prost-build makes of a field's name.
fn ident(name: &str) -> String {
    const KEYWORDS: [&str; 6] = ["final", "override", "self", "static", "type", "virtual"];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}
