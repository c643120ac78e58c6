//! What can be written in `#[pg_ast(..)]`, and the one thing that is read from `#[prost(..)]`.

use darling::util::{Flag, PathList, SpannedValue};
use darling::{FromAttributes, FromMeta};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Attribute, Ident, LitStr, Path};

/// Attributes of the struct or enum itself.
#[derive(FromAttributes)]
#[darling(attributes(pg_ast))]
pub(crate) struct ContainerAttr {
    /// The C twin: `raw = ::libpg_query::pg18::SelectStmt`.
    pub(crate) raw: Option<SpannedValue<Path>>,
    /// Where the C struct keeps its node tag: `header = "xpr.type_"`; `type_` if absent.
    pub(crate) header: Option<FieldPath>,
    /// Only the named C fields are read.
    pub(crate) partial: Flag,
    /// C fields that have no place in Rust: `skip_raw(field, ..)`.
    #[darling(default)]
    pub(crate) skip_raw: PathList,
    /// The module with the traits of a version's messages: `tree = crate::pg18::message`.
    pub(crate) tree: Option<Path>,
    /// The message can hold one of its own type, without a sum of nodes between.
    pub(crate) recursive: Flag,
    /// The path of the `pg_ast` crate, where it is renamed: `crate = other::name`.
    #[darling(rename = "crate")]
    pub(crate) krate: Option<Path>,
}

/// Attributes of a field of a struct.
#[derive(FromAttributes)]
#[darling(attributes(pg_ast))]
pub(crate) struct FieldAttr {
    /// The C name, where it is not the Rust one: `name = "targetList"`.
    pub(crate) name: Option<CName>,
    /// The C side has no such field: it becomes `Default::default()`.
    pub(crate) skip: Flag,
    /// The empty string is an empty C string here and not a null pointer.
    pub(crate) not_null: Flag,
    /// The number is a place in the text, which may be a part of a longer one.
    pub(crate) location: Flag,
    /// The field makes no difference to the fingerprint.
    pub(crate) no_fingerprint: Flag,
}

/// Attributes of a variant, of an enumeration or of a sum of nodes.
#[derive(FromAttributes)]
#[darling(attributes(pg_ast))]
pub(crate) struct VariantAttr {
    /// The C constant of an enumeration's variant: `name = "SETOP_UNION"`.
    pub(crate) name: Option<CName>,
    /// The variant has no C constant (Protobuf's `..._UNDEFINED`).
    pub(crate) skip: Flag,
    /// The C struct of a node: `raw = ::libpg_query::pg18::SelectStmt`.
    pub(crate) raw: Option<SpannedValue<Path>>,
    /// The node tag, where it is not `T_` and the C struct's name: `tag = "T_IntList"`.
    pub(crate) tag: Option<CName>,
    /// The node makes no difference to the fingerprint.
    pub(crate) no_fingerprint: Flag,
}

/// An identifier in a string literal, which keeps the literal's span.
pub(crate) struct CName(pub(crate) Ident);

impl FromMeta for CName {
    fn from_value(value: &syn::Lit) -> darling::Result<Self> {
        match value {
            syn::Lit::Str(lit) => parse_ident(lit, &lit.value()).map(CName),
            other => Err(darling::Error::unexpected_lit_type(other)),
        }
    }
}

/// One or more identifiers with dots between, in a string literal.
pub(crate) struct FieldPath(pub(crate) Vec<Ident>);

impl FromMeta for FieldPath {
    fn from_value(value: &syn::Lit) -> darling::Result<Self> {
        match value {
            syn::Lit::Str(lit) => lit
                .value()
                .split('.')
                .map(|part| parse_ident(lit, part))
                .collect::<darling::Result<_>>()
                .map(FieldPath),
            other => Err(darling::Error::unexpected_lit_type(other)),
        }
    }
}

fn parse_ident(lit: &LitStr, text: &str) -> darling::Result<Ident> {
    let parsed = syn::parse::Parser::parse_str(Ident::parse_any, text);
    match parsed {
        // `r#type` is Rust's way to write a name; C has no such thing.
        Ok(mut ident) if text != "_" && ident == ident.unraw() => {
            ident.set_span(lit.span());
            Ok(ident)
        }
        _ => Err(darling::Error::custom(format_args!("`{text}` is not the name of a C item"))
            .with_span(lit)),
    }
}

/// The enumeration of `#[prost(enumeration = "SetOperation")]`: prost stores it as an `i32`, whose
/// type says nothing of the C enum behind it.
pub(crate) fn prost_enumeration(attrs: &[Attribute]) -> darling::Result<Option<Path>> {
    let mut enumeration = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("prost")) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("enumeration") {
                let lit: LitStr = meta.value()?.parse()?;
                enumeration = Some(lit.parse()?);
            } else if meta.input.peek(syn::Token![=]) {
                // Another of prost's keys: its value is none of ours.
                meta.value()?.parse::<syn::Expr>()?;
            }
            Ok(())
        })?;
    }
    Ok(enumeration)
}

/// The span to blame for a whole `#[pg_ast(..)]` mistake when there is no attribute to point at.
pub(crate) fn attr_span(attrs: &[Attribute], fallback: Span) -> Span {
    attrs
        .iter()
        .find(|attr| attr.path().is_ident("pg_ast"))
        .map_or(fallback, |attr| attr.path().segments[0].ident.span())
}
