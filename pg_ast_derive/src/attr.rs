//! Reads `#[pg_ast(..)]`, by darling: a receiver for each place that has attributes.
//!
//! darling finds the items and collects the errors. What is written in an item is read by the functions in `form.rs`,
//! whose messages name the form that was meant.

use darling::ast::NestedMeta;
use darling::util::SpannedValue;
use darling::{Error, FromDeriveInput, FromField, FromMeta, FromVariant};
use proc_macro2::Ident;
use syn::Path;

use crate::form;

/// Attributes of the struct or enum itself.
#[derive(Default, FromDeriveInput)]
#[darling(attributes(pg_ast), default)]
pub(crate) struct TypeAttr {
    /// The C twin: `raw = ::libpg_query::pg18::SelectStmt`.
    #[darling(with = |meta| form::path(meta, "pg_ast::raw::SelectStmt"))]
    pub(crate) raw: Option<Path>,
    /// The place of the node tag in the C struct: `header = "xpr.type_"`; `type_` if absent.
    #[darling(with = |meta| form::c_path(meta, "xpr.type_"))]
    pub(crate) header: Option<Vec<Ident>>,
    /// Only the named C fields are read. As with each flag, the word itself, to point at.
    #[darling(with = form::flag)]
    pub(crate) partial: Option<Ident>,
    /// C fields that have no place in Rust: `skip_raw(field, ..)`.
    #[darling(with = form::c_names)]
    pub(crate) skip_raw: Vec<Ident>,
    /// The path of the `pg_ast` crate, where it is renamed: `crate = other::name`.
    #[darling(rename = "crate", with = |meta| form::path(meta, "path"))]
    pub(crate) krate: Option<Path>,
    pub(crate) internal: Option<SpannedValue<InternalType>>,
    /// Something could not be read, so that what is absent may just be misspelt.
    #[darling(skip)]
    pub(crate) is_broken: bool,
    #[darling(flatten)]
    pub(crate) _unknown: UnknownOfType,
}

/// `#[pg_ast(internal(..))]` of a type of this crate's own trees. The code that is made of it asks for a trait that no
/// other crate can implement.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct InternalType {
    /// The C struct is not a node: it is read only where a field's type says what it is.
    #[darling(with = form::flag)]
    pub(crate) untagged: Option<Ident>,
    /// The C enum of the tags, where these are not node tags: `tags = raw::PLpgSQL_stmt_type`.
    #[darling(with = |meta| form::path(meta, "raw::PLpgSQL_stmt_type"))]
    pub(crate) tags: Option<Path>,
    /// The type says which field it cannot be printed without.
    #[darling(with = form::flag)]
    pub(crate) complete: Option<Ident>,
}

/// The twin, and the crate, of a type with a mistake elsewhere in its attributes.
#[derive(Default, FromDeriveInput)]
#[darling(attributes(pg_ast), default, allow_unknown_fields)]
pub(crate) struct TwinAttr {
    #[darling(multiple, with = |meta| Ok(form::path(meta, "").unwrap_or_default()))]
    pub(crate) raw: Vec<Option<Path>>,
    #[darling(multiple, rename = "crate", with = |meta| Ok(form::path(meta, "").unwrap_or_default()))]
    pub(crate) krate: Vec<Option<Path>>,
}

/// Attributes of a field of a struct.
#[derive(Default, FromField)]
#[darling(attributes(pg_ast), default)]
pub(crate) struct FieldAttr {
    /// The C name, if it is not the Rust name: `name = "targetList"`.
    #[darling(with = |meta| form::c_name(meta, "targetList"))]
    pub(crate) name: Option<Ident>,
    /// The C side has no such field: it becomes `Default::default()`.
    #[darling(with = form::flag)]
    pub(crate) skip: Option<Ident>,
    /// The empty string is an empty C string here and not a null pointer.
    #[darling(with = form::flag)]
    pub(crate) not_null: Option<Ident>,
    /// The number is a location in text that may be part of a longer one.
    #[darling(with = form::flag)]
    pub(crate) location: Option<Ident>,
    pub(crate) internal: InternalField,
    #[darling(flatten)]
    pub(crate) _unknown: UnknownOfField,
}

/// `#[pg_ast(internal(..))]` of a field.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct InternalField {
    /// The structs that the cells of a C list point to, where these have no tags: `items = raw::PLpgSQL_expr`.
    #[darling(with = |meta| form::path(meta, "raw::PLpgSQL_expr"))]
    pub(crate) items: Option<Path>,
    /// The C field with the length of an array: `count = "ndatums"`.
    #[darling(with = |meta| form::c_name(meta, "ndatums"))]
    pub(crate) count: Option<Ident>,
}

/// Attributes of a variant, of an enumeration or of an enum of nodes.
#[derive(Default, FromVariant)]
#[darling(attributes(pg_ast), default)]
pub(crate) struct VariantAttr {
    /// The C constant of an enumeration's variant: `name = "SETOP_UNION"`.
    #[darling(with = |meta| form::c_name(meta, "SETOP_UNION"))]
    pub(crate) name: Option<Ident>,
    /// The variant has no C constant (Protobuf's `..._UNDEFINED`).
    #[darling(with = form::flag)]
    pub(crate) skip: Option<Ident>,
    /// The C struct of a node: `raw = ::libpg_query::pg18::SelectStmt`.
    #[darling(with = |meta| form::path(meta, "pg_ast::raw::SelectStmt"))]
    pub(crate) raw: Option<Path>,
    /// The node tag, if it is not `T_` and the C struct's name: `tag = "T_IntList"`.
    #[darling(with = |meta| form::c_name(meta, "T_IntList"))]
    pub(crate) tag: Option<Ident>,
    /// The variant is for everything that no other one is for.
    #[darling(with = form::flag)]
    pub(crate) other: Option<Ident>,
    #[darling(flatten)]
    pub(crate) _unknown: UnknownOfVariant,
}

/// What is read from `#[prost(..)]`. Mistakes are left to prost's own derive.
#[derive(Default, FromField)]
#[darling(attributes(prost), default, allow_unknown_fields)]
pub(crate) struct ProstAttr {
    /// The enumeration of `#[prost(enumeration = "SetOperation")]`: prost stores it as an `i32`, whose type says nothing
    /// of the C enum behind it.
    pub(crate) enumeration: Option<Path>,
}

/// The items that a receiver does not name: each is a mistake, for which darling has no list of what there is.
macro_rules! unknown {
    ($($name:ident, $place:literal: $($known:literal)*;)*) => {$(
        #[derive(Default)]
        pub(crate) struct $name;

        impl FromMeta for $name {
            fn from_list(items: &[NestedMeta]) -> Result<Self, Error> {
                form::unknown(items, $place, &[$($known),*]).map(|()| Self)
            }
        }
    )*};
}

unknown! {
    UnknownOfType, "type": "raw" "partial" "header" "skip_raw" "crate";
    UnknownOfField, "field": "name" "skip" "not_null" "location";
    UnknownOfVariant, "variant": "raw" "tag" "name" "skip" "other";
}
