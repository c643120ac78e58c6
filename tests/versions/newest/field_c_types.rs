//! The C types of the fields of all nodes, in the bindings of each version.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::field_types::{MATRIX, key};

/// Every field of a node has a C type of the matrix, or one of the same kind as one of these, in every version.
#[test]
fn the_types_of_all_fields_are_tried() {
    for version in fs::read_dir("../libpg_query").expect("the folder of the C library") {
        let path = version.expect("an entry").path().join("bindings.rs");
        if path.exists() {
            let bindings = fs::read_to_string(&path).expect("the bindings of a version");
            types_of_fields_are_tried(&path.display().to_string(), &bindings);
        }
    }
}

fn types_of_fields_are_tried(path: &str, bindings: &str) {
    let (mut aliases, mut records, mut enums) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    let mut record: Option<&str> = None;
    for line in bindings.lines() {
        if let Some((name, ty)) = line
            .strip_prefix("pub type ")
            .and_then(|alias| alias.strip_suffix(';'))
            .and_then(|alias| alias.split_once(" = "))
        {
            aliases.insert(name, ty);
        } else if let Some(name) =
            line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub union "))
        {
            let (name, rest) = name.split_once([' ', '(']).unwrap_or((name, ""));
            if rest.starts_with("pub ") {
                enums.insert(name);
            }
            record = Some(name);
        } else if let Some((_, ty)) = line
            .strip_prefix("    pub ")
            .and_then(|field| field.strip_suffix(','))
            .and_then(|field| field.split_once(": "))
            && let Some(record) = record
        {
            records.entry(record).or_insert_with(Vec::new).push(ty);
        }
    }
    let is_node = |name: &str| bindings.contains(&format!("pub const T_{name}: NodeTag"));
    let is_header = |name: &str| records.get(name).is_some_and(|fields| fields == &["NodeTag"]);
    let tried: BTreeSet<_> =
        MATRIX.iter().filter_map(|pairs| Some(key("", pairs.first()?.c).1)).collect();
    let mut fields = 0;
    let in_field = |name: &str| is_node(name) && !["List", "Bitmapset"].contains(&name);
    for (name, types) in records.iter().filter(|(name, _)| in_field(name)) {
        for &ty in types {
            fields += 1;
            let pointer = ["*mut ", "*const "].into_iter().find(|pointer| ty.starts_with(pointer));
            let pointer = pointer.unwrap_or_default();
            let mut target = &ty[pointer.len()..];
            while let Some(named) = aliases.get(target) {
                target = named;
            }
            let target = target.strip_prefix("::core::ffi::").unwrap_or(target);
            let ty = match (pointer, target) {
                ("", "c_short") => "i16".to_owned(),
                ("", "c_int") => "i32".to_owned(),
                ("", "c_uint") => "u32".to_owned(),
                ("", "c_long") => "i64".to_owned(),
                ("", "c_ulong") => "u64".to_owned(),
                (_, "c_char" | "c_void") => format!("{pointer}{target}"),
                ("", name) if enums.contains(name) && name != "NodeTag" => {
                    "raw::SetOperation".to_owned()
                }
                (_, name) if is_header(name) && name != "Node" => format!("{pointer}raw::Expr"),
                ("*mut ", name) if in_field(name) => "*mut raw::RangeVar".to_owned(),
                (_, name) if records.contains_key(name) || enums.contains(name) => {
                    format!("{pointer}raw::{name}")
                }
                _ => format!("{pointer}{target}"),
            };
            assert!(tried.contains(&key("", &ty).1), "{path}: a field of {name} is a {ty}");
        }
    }
    println!("{path}: {fields} fields");
    assert!(fields > 1_000, "{path}: {fields}");
}
