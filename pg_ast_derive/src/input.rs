//! The parsed input: an item with its attributes, not checked yet.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, GenericParam, Lifetime, Path, Type};

use crate::attr::{FieldAttr, ProstAttr, TypeAttr, VariantAttr};
use crate::errors::Errors;
use crate::names::{made_up, tag_of};

/// The macro that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    FromRaw,
    IntoRaw,
    Message,
}

impl Derive {
    /// Returns whether it needs the C twin. The others only see the Rust type.
    pub(crate) fn maps(self) -> bool {
        matches!(self, Self::FromRaw | Self::IntoRaw)
    }
}

pub(crate) struct Input<'a> {
    pub(crate) derive: Derive,
    pub(crate) item: &'a DeriveInput,
    pub(crate) attr: TypeAttr,
    pub(crate) body: Body<'a>,
}

pub(crate) enum Body<'a> {
    /// A struct whose fields have names.
    Struct(Vec<InputField<'a>>),
    /// An enum whose variants hold nothing.
    Constants(Vec<Variant<'a>>),
    /// Any other enum.
    Nodes(Vec<Variant<'a>>),
    /// An item that nothing is derived for.
    Other,
}

pub(crate) struct InputField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) attr: FieldAttr,
    /// The enumeration of prost's `i32`.
    pub(crate) enumeration: Option<Path>,
    /// Its Protobuf numbers, from prost's attribute.
    pub(crate) numbers: Option<Vec<u32>>,
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    /// The type that it holds, if that is a single unnamed field.
    pub(crate) ty: Option<&'a Type>,
    /// It holds nothing.
    pub(crate) is_unit: bool,
    pub(crate) attr: VariantAttr,
    /// Its Protobuf numbers, from prost's attribute.
    pub(crate) numbers: Option<Vec<u32>>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(derive: Derive, item: &'a DeriveInput, errors: &mut Errors) -> Self {
        let attr = TypeAttr::new(&item.attrs, errors);
        let body = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Body::Struct(
                    fields
                        .named
                        .iter()
                        .filter_map(|field| InputField::new(field, errors))
                        .collect(),
                ),
                Fields::Unnamed(_) | Fields::Unit => Body::Other,
            },
            Data::Enum(data) => {
                let constants = data.variants.iter().all(|variant| variant.fields.is_empty());
                let variants: Vec<_> =
                    data.variants.iter().map(|variant| Variant::new(variant, errors)).collect();
                if variants.is_empty() {
                    Body::Other
                } else if constants {
                    Body::Constants(variants)
                } else {
                    Body::Nodes(variants)
                }
            }
            Data::Union(_) => Body::Other,
        };
        Self { derive, item, attr, body }
    }

    /// Returns `::pg_ast`, or the path of `crate = ..`.
    pub(crate) fn krate(&self) -> Path {
        self.attr.krate.clone().unwrap_or_else(|| syn::parse_quote!(::pg_ast))
    }

    /// Returns the lifetime of the C tree, if the type borrows from it.
    pub(crate) fn lifetime(&self) -> Option<&Lifetime> {
        self.item.generics.lifetimes().next().map(|param| &param.lifetime)
    }

    /// Returns the parameters of the type that are not the lifetime of the tree.
    pub(crate) fn other_params(&self) -> impl Iterator<Item = &GenericParam> {
        let lifetime = self.lifetime();
        self.item.generics.params.iter().filter(move |param| {
            !matches!(param, GenericParam::Lifetime(param) if Some(&param.lifetime) == lifetime)
        })
    }

    /// Returns the place of the tag in the C struct, field by field: `[type_]`, or `[xpr, type_]`.
    pub(crate) fn header(&self) -> Vec<Ident> {
        self.attr.header.clone().unwrap_or_else(|| {
            let name = "type_";
            let raw = self.attr.raw.as_ref();
            vec![raw.map_or_else(|| format_ident!("{name}"), |raw| made_up(name, raw))]
        })
    }
}

impl<'a> InputField<'a> {
    fn new(field: &'a syn::Field, errors: &mut Errors) -> Option<Self> {
        let attr = FieldAttr::new(&field.attrs, errors);
        let ProstAttr { enumeration, numbers } = ProstAttr::new(&field.attrs);
        Some(Self { ident: field.ident.as_ref()?, ty: &field.ty, attr, enumeration, numbers })
    }

    /// `None`: the C side has no such field.
    pub(crate) fn c_name(&self) -> Option<&Ident> {
        c_name(self.attr.skip.as_ref(), self.attr.name.as_ref(), self.ident)
    }

    /// Returns its name in JSON: the one in C, unless another is named.
    pub(crate) fn json(&self) -> Option<String> {
        let name = self.attr.json.as_ref().or_else(|| self.c_name())?;
        Some(name.unraw().to_string())
    }
}

impl<'a> Variant<'a> {
    fn new(variant: &'a syn::Variant, errors: &mut Errors) -> Self {
        let ty = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Some(&fields.unnamed[0].ty),
            _ => None,
        };
        let ProstAttr { numbers, .. } = ProstAttr::new(&variant.attrs);
        let is_unit = matches!(variant.fields, Fields::Unit);
        let attr = VariantAttr::new(&variant.attrs, errors);
        Self { ident: &variant.ident, ty, is_unit, attr, numbers }
    }

    /// `None`: the C enum has no such constant.
    pub(crate) fn c_name(&self) -> Option<&Ident> {
        let skip = self.attr.skip.as_ref().or(self.attr.other.as_ref());
        c_name(skip, self.attr.name.as_ref(), self.ident)
    }

    /// Returns the tag of the nodes that it holds: `T_` and the name of their struct, if no other is named.
    pub(crate) fn tag(&self) -> Option<Ident> {
        self.attr.tag.clone().or_else(|| self.attr.raw.as_ref().map(tag_of))
    }

    /// Returns its name in JSON: that of the node in C, unless another is named.
    pub(crate) fn json(&self) -> Option<String> {
        if let Some(json) = &self.attr.json {
            return Some(json.to_string());
        }
        let tag = self.tag()?.to_string();
        Some(tag.strip_prefix("T_").unwrap_or(&tag).to_owned())
    }
}

/// The C name of what has a Rust one, if the C side has it.
fn c_name<'a>(
    skip: Option<&Ident>,
    name: Option<&'a Ident>,
    ident: &'a Ident,
) -> Option<&'a Ident> {
    if skip.is_some() { None } else { Some(name.unwrap_or(ident)) }
}
