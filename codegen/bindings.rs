//! The C structs and enums, read from the committed bindings.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use syn::{Fields, ImplItem, Item, Type};

use super::schema::{LIST, is_list};

/// The enum of the tags, and the type of the field that holds one.
const NODE_TAG: &str = "NodeTag";

#[derive(Default)]
pub(crate) struct Bindings {
    /// The fields of each struct and union, each with the name of its type (empty for pointers
    /// and the like).
    records: HashMap<String, Vec<(String, String)>>,
    /// `type DistinctExpr = OpExpr`
    aliases: HashMap<String, String>,
    /// The newtypes that stand for C enums.
    enums: HashSet<String>,
    /// The constants of `NodeTag`.
    tags: Vec<String>,
}

impl Bindings {
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut bindings = Self::default();
        for item in syn::parse_file(&fs::read_to_string(path)?)?.items {
            match item {
                Item::Struct(item) => match item.fields {
                    Fields::Named(fields) => {
                        bindings.records.insert(item.ident.to_string(), named(fields.named));
                    }
                    _ => {
                        bindings.enums.insert(item.ident.to_string());
                    }
                },
                Item::Union(item) => {
                    bindings.records.insert(item.ident.to_string(), named(item.fields.named));
                }
                Item::Type(item) => {
                    bindings.aliases.insert(item.ident.to_string(), type_name(&item.ty));
                }
                Item::Impl(item)
                    if item.trait_.is_none() && type_name(&item.self_ty) == NODE_TAG =>
                {
                    bindings.tags.extend(item.items.into_iter().filter_map(|item| match item {
                        ImplItem::Const(item) => Some(item.ident.to_string()),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        Ok(bindings)
    }

    pub(crate) fn is_enum(&self, name: &str) -> bool {
        self.enums.contains(name)
    }

    /// Returns the name that a C struct was declared with.
    pub(crate) fn record_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// Returns the fields of a C struct, declared directly or by a typedef.
    fn record(&self, name: &str) -> Option<&[(String, String)]> {
        self.records.get(self.record_name(name)).map(Vec::as_slice)
    }

    pub(crate) fn is_record(&self, name: &str) -> bool {
        self.record(name).is_some()
    }

    pub(crate) fn fields(&self, name: &str) -> impl Iterator<Item = &str> {
        self.record(name).unwrap_or_default().iter().map(|(field, _)| field.as_str())
    }

    /// Returns the name of a C field in the bindings: bindgen marks Rust's keywords.
    pub(crate) fn field(&self, record: &str, c_name: &str) -> String {
        let marked = format!("{c_name}_");
        if self.fields(record).any(|field| field == marked) { marked } else { c_name.to_owned() }
    }

    /// Returns the path of a node's tag, if it is a node: `type_`, `xpr.type_`, ..: in its first field, or
    /// in the first field of that.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let (field, ty) = self.record(name)?.first()?;
        if ty == NODE_TAG {
            return Some(field.clone());
        }
        Some(format!("{field}.{}", self.header(ty)?))
    }

    /// Returns each tag of a node that is bound, after the struct of the node: the one with the tag's
    /// name, as in `makeNode` of nodes.h, or one for all kinds of lists, as in pg_list.h.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        // The list without a message: no node of the grammar has one.
        const XID_LIST: &str = "XidList";
        self.tags.iter().filter_map(|tag| {
            let name = tag.strip_prefix("T_")?;
            let name = if is_list(name) || name == XID_LIST { LIST } else { name };
            self.header(name).map(|_| (self.aliases.get(name).map_or(name, String::as_str), &**tag))
        })
    }

    /// Returns the structs of nodes that a pointer to one describes: not a list, of which there are several kinds, and no
    /// set, which is not a node in each version.
    pub(crate) fn pointees(&self) -> impl Iterator<Item = &str> {
        let nodes = self.tags().map(|(raw, _)| raw);
        nodes.filter(|raw| ![LIST, "Bitmapset"].contains(raw))
    }

    /// Returns the structs that have only a tag, which other nodes begin with.
    pub(crate) fn bare_headers(&self) -> impl Iterator<Item = &str> {
        let bare = |fields: &[(String, String)]| fields.len() == 1 && fields[0].1 == NODE_TAG;
        self.records.iter().filter(move |(_, fields)| bare(fields)).map(|(name, _)| name.as_str())
    }

    /// Returns whether a field is the header of another node.
    pub(crate) fn is_header(&self, record: &str, field: &str) -> bool {
        let fields = self.record(record).unwrap_or_default().iter();
        let mut types = fields.filter(|(name, _)| name == field).map(|(_, ty)| ty);
        types.any(|ty| self.bare_headers().any(|header| header == ty))
    }

    /// Returns whether a field is another node, and not a pointer to one.
    pub(crate) fn is_embedded(&self, record: &str, field: &str) -> bool {
        let fields = self.record(record).unwrap_or_default().iter();
        fields.filter(|(name, _)| name == field).any(|(_, ty)| self.header(ty).is_some())
    }

    /// Returns whether `A_Const` holds a node by value (a member of `ValUnion`): nodes.h makes sure that
    /// their strings are never null.
    pub(crate) fn is_value_node(&self, name: &str) -> bool {
        self.record("ValUnion").unwrap_or_default().iter().any(|(_, ty)| ty == name)
    }
}

fn named(fields: impl IntoIterator<Item = syn::Field>) -> Vec<(String, String)> {
    fields
        .into_iter()
        .filter_map(|field| Some((field.ident?.to_string(), type_name(&field.ty))))
        .collect()
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => {
            path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
        }
        _ => String::new(),
    }
}
