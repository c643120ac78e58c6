//! The input of the expansions: it is complete, so they cannot fail.
//!
//! A model is made of an input that has passed `check`; others may have no model.

use proc_macro2::Ident;
use syn::{Generics, Lifetime, Path, Type};

use crate::input::{self, Body, Input};

/// A Rust type and its C twin.
pub(crate) struct Mapping<'a> {
    pub(crate) ident: &'a Ident,
    /// At most one lifetime.
    pub(crate) generics: &'a Generics,
    /// The lifetime of the C tree, if the type borrows from it.
    pub(crate) lifetime: Option<&'a Lifetime>,
    /// `::pg_ast`, or the path of `crate = ..`.
    pub(crate) krate: Path,
    /// The C twin: the struct, the enum, or the node header of an enum of nodes.
    pub(crate) raw: &'a Path,
    /// The C enum of the tags, where these are not node tags.
    pub(crate) tags: Option<&'a Path>,
    /// The place of the tag in the C struct, field by field: `[type_]`, or `[xpr, type_]`.
    pub(crate) header: Vec<Ident>,
    pub(crate) mapped: MappedType<'a>,
}

pub(crate) enum MappedType<'a> {
    Struct(MappedStruct<'a>),
    Enumeration(MappedConstants<'a>),
    Nodes(MappedNodes<'a>),
}

pub(crate) struct MappedConstants<'a> {
    pub(crate) constants: Vec<MappedConstant<'a>>,
    /// The variant for all other constants.
    pub(crate) other: Option<&'a Ident>,
}

pub(crate) struct MappedNodes<'a> {
    pub(crate) nodes: Vec<MappedNode<'a>>,
    /// The variant for all other nodes.
    pub(crate) other: Option<MappedOther<'a>>,
}

pub(crate) struct MappedOther<'a> {
    pub(crate) ident: &'a Ident,
    /// The type that reads them, if the variant holds one.
    pub(crate) ty: Option<&'a Type>,
}

pub(crate) struct MappedStruct<'a> {
    /// It is not a node, and has no tag: the word that says so.
    pub(crate) untagged: Option<&'a Ident>,
    pub(crate) partial: bool,
    /// C fields without a place in Rust.
    pub(crate) skip_raw: &'a [Ident],
    /// It says which field it cannot be printed without: the word for that.
    pub(crate) complete: Option<&'a Ident>,
    pub(crate) fields: Vec<MappedField<'a>>,
}

impl Mapping<'_> {
    /// Returns the C field of a struct that starts with the tag, unless that is one of the mapped fields.
    pub(crate) fn header_unmapped(&self, data: &MappedStruct) -> Option<&Ident> {
        let header = &self.header[0];
        let is_mapped = data.fields.iter().any(|field| field.c_name == Some(header));
        (data.untagged.is_none() && !is_mapped).then_some(header)
    }
}

pub(crate) struct MappedField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// None: the C side has no such field.
    pub(crate) c_name: Option<&'a Ident>,
    /// The enumeration of prost's `i32`.
    pub(crate) enumeration: Option<&'a Path>,
    pub(crate) not_null: bool,
    /// True for a location, which moves with its text.
    pub(crate) location: bool,
    /// The structs that the cells of a C list point to, where these have no tags.
    pub(crate) items: Option<&'a Path>,
    /// The C field with the length of an array.
    pub(crate) count: Option<&'a Ident>,
}

pub(crate) struct MappedConstant<'a> {
    pub(crate) ident: &'a Ident,
    /// None: the C enum has no such constant.
    pub(crate) c_name: Option<&'a Ident>,
}

pub(crate) struct MappedNode<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) raw: &'a Path,
    pub(crate) tag: Ident,
}

impl<'a> Mapping<'a> {
    pub(crate) fn new(input: &'a Input<'a>) -> Option<Self> {
        let mapped = match &input.body {
            Body::Struct(fields) => MappedType::Struct(MappedStruct {
                untagged: input.internal().and_then(|internal| internal.untagged.as_ref()),
                partial: input.attr.partial.is_some(),
                skip_raw: &input.attr.skip_raw,
                complete: input.internal().and_then(|internal| internal.complete.as_ref()),
                fields: fields.iter().map(MappedField::new).collect(),
            }),
            Body::Constants(variants) => {
                let constants = variants.iter().map(MappedConstant::new).collect();
                let other = other(variants).map(|variant| variant.ident);
                MappedType::Enumeration(MappedConstants { constants, other })
            }
            Body::Nodes(variants) => {
                let named = variants.iter().filter(|variant| variant.attr.other.is_none());
                let nodes = named.map(MappedNode::new).collect::<Option<_>>()?;
                let other = other(variants)
                    .map(|variant| MappedOther { ident: variant.ident, ty: variant.ty });
                MappedType::Nodes(MappedNodes { nodes, other })
            }
            Body::Other => return None,
        };
        let raw = input.attr.raw.as_ref()?;
        let (ident, krate, header) = (&input.item.ident, input.krate(), input.header());
        let tags = input.internal().and_then(|internal| internal.tags.as_ref());
        let (generics, lifetime) = (&input.item.generics, input.lifetime());
        Some(Self { ident, generics, lifetime, krate, raw, tags, header, mapped })
    }
}

/// Returns the variant for what no other one names.
fn other<'a>(variants: &'a [input::Variant<'a>]) -> Option<&'a input::Variant<'a>> {
    variants.iter().find(|variant| variant.attr.other.is_some())
}

impl<'a> MappedField<'a> {
    fn new(field: &'a input::InputField<'a>) -> Self {
        Self {
            ident: field.ident,
            ty: field.ty,
            c_name: field.c_name.as_ref(),
            enumeration: field.enumeration.as_ref(),
            not_null: field.attr.not_null.is_some(),
            location: field.attr.location.is_some(),
            items: field.attr.internal.items.as_ref(),
            count: field.attr.internal.count.as_ref(),
        }
    }
}

impl<'a> MappedConstant<'a> {
    fn new(variant: &'a input::Variant<'a>) -> Self {
        Self { ident: variant.ident, c_name: variant.c_name() }
    }
}

impl<'a> MappedNode<'a> {
    fn new(variant: &'a input::Variant<'a>) -> Option<Self> {
        Some(Self {
            ident: variant.ident,
            ty: variant.ty?,
            raw: variant.attr.raw.as_ref()?,
            tag: variant.tag()?,
        })
    }
}
