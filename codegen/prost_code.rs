//! The structs and enums that prost-build writes, with our derives in place of its own.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use heck::ToUpperCamelCase as _;
use prost_build::{Config, Module};
use prost_types::FileDescriptorSet;

use super::attributes::{self, is_boxed};
use super::bindings::Bindings;
use super::docs::Docs;
use super::schema::{NODE, Schema, Type, last};
use super::views::rust_name;

/// The derives of prost-build for a message or a oneof that the tables of `messages.rs` replace.
const REPLACED: [&str; 4] = ["Clone", "PartialEq", "::prost::Message", "::prost::Oneof"];

/// The derive of prost-build for an enumeration that `pg_ast/convert/enumeration.rs` replaces.
const ENUMERATION: &str = "::prost::Enumeration";

/// The paths to types of the prelude, which the derives repeat. `String` is a node, too.
const PATHS: [(&str, &str); 4] = [
    ("::core::option::Option<", "Option<"),
    ("::prost::alloc::boxed::Box<", "Box<"),
    ("::prost::alloc::string::String", "std::string::String"),
    ("::prost::alloc::vec::Vec<", "Vec<"),
];

/// # Errors
///
/// prost-build wrote something that is not understood here.
pub(crate) fn generate(
    files: FileDescriptorSet,
    schema: &Schema,
    bindings: &Bindings,
    docs: &Docs,
) -> Result<String, Box<dyn Error>> {
    let mut config = Config::new();
    attributes::add(&mut config, schema, bindings, docs);
    let requests = files.file.into_iter();
    let requests = requests.map(|it| (Module::from_protobuf_package_name(it.package()), it));
    let [mut code] = config
        .generate(requests.collect())?
        .into_values()
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|modules: Vec<String>| format!("{} packages in one schema", modules.len()))?;
    for (path, short) in PATHS {
        code = code.replace(path, short);
    }
    unbox(&mut code, schema)?;
    rewrite(&code)
}

/// Takes small nodes out of their boxes: prost-build boxes everything that leads back to the enum, and has no setting
/// for that.
fn unbox(code: &mut String, schema: &Schema) -> Result<(), String> {
    for field in &schema.messages[NODE].field {
        if !is_boxed(schema, field.type_name()) {
            let variant = field.name().to_upper_camel_case();
            let ty = last(field.type_name()).to_upper_camel_case();
            let boxed = format!("    {variant}(Box<super::{ty}>),\n");
            let plain = format!("    {variant}(super::{ty}),\n");
            if code.contains(&boxed) {
                *code = code.replace(&boxed, &plain);
            } else if !code.contains(&plain) {
                return Err(format!("prost-build wrote no variant {variant} of this form"));
            }
        }
    }
    Ok(())
}

/// Replaces the derives of prost-build, and what it writes for enumerations.
fn rewrite(code: &str) -> Result<String, Box<dyn Error>> {
    let mut text = String::with_capacity(code.len());
    // The attribute of prost comes after the documentation and ours.
    let mut of_prost = None;
    let mut is_mapped = false;
    let mut constants: Vec<(&str, i32)> = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        if let Some(derives) = rest.strip_prefix("#[derive(").and_then(|it| it.strip_suffix(")]"))
            && derives.contains("::prost::")
        {
            let is_enumeration = derives.contains(ENUMERATION);
            let is_kept = |derive: &&str| {
                *derive != ENUMERATION && (is_enumeration || !REPLACED.contains(derive))
            };
            let kept: Vec<_> = derives.split(", ").filter(is_kept).collect();
            if !kept.is_empty() {
                writeln!(text, "{indent}#[derive({})]", kept.join(", "))?;
            }
            constants.clear();
        } else if rest.starts_with("#[prost(") {
            // The enumeration of an `i32` is for our derives as well; the rest is in the table of the message.
            of_prost = Some(line).filter(|line| is_mapped && line.contains("enumeration = "));
        } else if let Some(name) = rest.strip_prefix("impl ").and_then(|it| it.strip_suffix(" {")) {
            // The code for the names of its constants; it ends where it begins.
            let end = format!("{indent}}}");
            let code = lines.by_ref().take_while(|line| *line != end);
            let names = code.filter_map(|line| {
                let (constant, name) = line.trim().strip_prefix("Self::")?.split_once(" => \"")?;
                Some((constant, name.strip_suffix("\",")?))
            });
            let names: HashMap<_, _> = names.collect();
            writeln!(text, "{indent}crate::convert::enumeration::named! {{ {name}:")?;
            for (constant, number) in &constants {
                let name = names.get(constant).ok_or("prost-build gave a constant no name")?;
                writeln!(text, "{indent}    {number} {constant} {name:?},")?;
            }
            writeln!(text, "{indent}}}")?;
        } else if !indent.is_empty()
            && (rest.starts_with("#[derive(") || rest.starts_with("#[pg_ast("))
        {
            // In a module.
            let rest = rest.replace("raw = raw::", "raw = super::raw::");
            let rest = match rest.split_once("#[derive(") {
                Some((_, derives)) => {
                    format!("#[derive(super::{}", derives.replace(", ", ", super::"))
                }
                None => rest,
            };
            writeln!(text, "{indent}{rest}")?;
        } else {
            if let Some((constant, number)) = rest.trim_end_matches(',').split_once(" = ")
                && let Ok(number) = number.parse()
            {
                constants.push((constant, number));
            }
            // The derives come right before the type.
            if rest.starts_with("#[derive(FromRaw") {
                is_mapped = true;
            } else if rest == "}" {
                is_mapped = false;
            }
            if !rest.starts_with(['#', '/'])
                && let Some(line) = of_prost.take()
            {
                writeln!(text, "{line}")?;
            }
            writeln!(text, "{line}")?;
        }
    }
    Ok(text)
}

/// A module with the enumerations of the tree: a version re-exports what is in it.
pub(crate) fn enums(schema: &Schema) -> String {
    let tree = schema.of_tree();
    let fields = tree.iter().flat_map(|message| &schema.messages[*message].field);
    let enums = fields.filter(|field| field.r#type() == Type::Enum);
    let mut names: Vec<_> = enums.map(|field| rust_name(last(field.type_name()))).collect();
    names.sort_unstable();
    names.dedup();
    let names = names.join(", ");
    format!("/// The enumerations.\npub(crate) mod enums {{\npub use super::{{{names}}};\n}}\n")
}
