//! Passes the paths of the schemas and of the C sources to the tests and the fuzz targets, and which version is at the root of pg_ast.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for major in 15..=18 {
        write_changes(major);
    }
    let of_versions = |what: &str| {
        let found = env::vars().filter_map(|(name, path)| {
            let version = name.strip_prefix("DEP_PG_QUERY_")?.strip_suffix(what)?;
            println!("cargo::rustc-env=PG_AST_{version}{what}={path}");
            Some((version.to_owned(), path))
        });
        found.collect::<std::collections::BTreeMap<_, _>>()
    };
    of_versions("_SOURCE");
    let schemas = of_versions("_SCHEMA");
    println!("cargo::rustc-check-cfg=cfg(newest, values(any()))");
    // The last is the newest.
    if let Some((version, schema)) = schemas.last_key_value() {
        println!("cargo::rustc-env=PG_AST_SCHEMA={schema}");
        println!("cargo::rustc-cfg=newest=\"{}\"", version.to_lowercase());
    }
}

/// Writes a call of each method that changes a field, beside the same change of an owned node: for `version/edit_fields.rs`.
fn write_changes(major: u32) {
    let path = format!("../pg_ast/pg{major}/views.rs");
    println!("cargo::rerun-if-changed={path}");
    let views = fs::read_to_string(&path).expect("the views");
    let changes = views.split_once("pub(crate) mod changes {").expect("the handles").1;
    let (mut code, mut node) = (
        String::from(
            "#[allow(unused_variables)]\n#[allow(clippy::all, clippy::pedantic)]\nfn changes(seen: &mut Seen) {\n",
        ),
        "",
    );
    for line in changes.lines().map(str::trim) {
        if let Some(handle) =
            line.strip_prefix("impl<'t> ").and_then(|line| line.split_once("Mut<"))
        {
            node = handle.0;
            let _ = writeln!(code, "seen.node::<protobuf::{node}>();");
        } else if let Some(method) = line.strip_prefix("pub fn ") {
            let (name, rest) = method.split_once('(').expect("a method");
            let (field, ty) = match rest.split_once("value: ") {
                Some((_, ty)) => (name.strip_prefix("set_").expect("a setter"), ty),
                None => {
                    let ty = rest.split_once("-> ").expect("a type").1;
                    (name.strip_suffix("_mut").expect("a handle"), ty)
                }
            };
            let marked = if ["type", "override"].contains(&field) { "r#" } else { "" };
            let ty = ty.split_once([')', '{']).expect("an end").0.trim();
            let change = match ty {
                // By hand.
                "Option<NodeMut<'_, 't>>"
                | "Option<protobuf::a_const::Val>"
                | "CreateStmtMut<'_, 't>" => continue,
                "&str" => format!("new.set_{field}(\"x\")"),
                "Vec<u64>" => format!("new.set_{field}(vec![1, 65])"),
                "ListMut<'_, 't>" => format!("new.{field}_mut().push(arena.string(\"x\"))"),
                "Slot<'_, 't>" => format!("new.{field}_mut().set(arena.string(\"x\"))"),
                _ if ty.starts_with("Slot") => format!("new.{field}_mut().set(arena.make())"),
                _ => format!("new.set_{field}(sample())"),
            };
            let (value, change) = if ty.starts_with("protobuf::") {
                let constant = format!("constant::<{ty}>()");
                (format!("{constant}.into()"), format!("new.set_{field}({constant})"))
            } else if ty.starts_with("Slot<'_, 't, ") {
                ("Some(Default::default())".to_owned(), change)
            } else {
                ("sample()".to_owned(), change)
            };
            let _ = writeln!(
                code,
                "seen.field::<protobuf::{node}>(\"{field}\", |old| old.{marked}{field} = {value}, |mut new, arena| {change});"
            );
        }
    }
    code.push_str("}\n");
    let out = env::var_os("OUT_DIR").expect("a folder");
    fs::write(Path::new(&out).join(format!("pg{major}_changes.rs")), code).expect("is written");
}
