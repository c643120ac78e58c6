//! The parsed input: an item with its attributes, not checked yet.

use darling::{FromDeriveInput as _, FromField as _, FromVariant as _};
use proc_macro2::Ident;
use quote::format_ident;
use syn::{Data, DeriveInput, Fields, GenericParam, Lifetime, Path, Type};

use crate::attr::{FieldAttr, InternalType, ProstAttr, TwinAttr, TypeAttr, VariantAttr};
use crate::errors::{Errors, Section};
use crate::names::{in_bindings, made_up, tag_of};

/// The macro that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    FromRaw,
    IntoRaw,
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
    /// `None`: the C side has no such field.
    pub(crate) c_name: Option<Ident>,
    /// The enumeration of prost's `i32`.
    pub(crate) enumeration: Option<Path>,
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    /// The type that it holds, if that is a single unnamed field.
    pub(crate) ty: Option<&'a Type>,
    /// It holds nothing.
    pub(crate) is_unit: bool,
    pub(crate) attr: VariantAttr,
    /// Its attributes could not be read, so that what is absent may just be misspelt.
    pub(crate) is_broken: bool,
}

impl<'a> Input<'a> {
    pub(crate) fn new(derive: Derive, item: &'a DeriveInput, errors: &mut Errors) -> Self {
        let attr = TypeAttr::from_derive_input(item);
        let attr = errors.read(&item.attrs, Section::OfType, attr).unwrap_or_else(|| {
            let TwinAttr { raw, krate } = TwinAttr::from_derive_input(item).unwrap_or_default();
            let [raw, krate] = [raw, krate].map(|paths| paths.into_iter().flatten().next());
            TypeAttr { raw, krate, is_broken: true, ..TypeAttr::default() }
        });
        let body = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => {
                    let fields = fields.named.iter();
                    Body::Struct(fields.filter_map(|it| InputField::new(it, errors)).collect())
                }
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

    pub(crate) fn internal(&self) -> Option<&InternalType> {
        self.attr.internal.as_deref()
    }
}

impl<'a> InputField<'a> {
    /// `None` if its attributes cannot be read: no rule is about it then.
    fn new(field: &'a syn::Field, errors: &mut Errors) -> Option<Self> {
        let attr = errors.read(&field.attrs, Section::OfField, FieldAttr::from_field(field))?;
        let ident = field.ident.as_ref()?;
        let c_name = match (&attr.skip, &attr.name) {
            (Some(_), _) => None,
            (None, Some(name)) => Some(name.clone()),
            (None, None) => Some(in_bindings(ident, ident.span())),
        };
        let ProstAttr { enumeration } = ProstAttr::from_field(field).unwrap_or_default();
        Some(Self { ident, ty: &field.ty, attr, c_name, enumeration })
    }
}

impl<'a> Variant<'a> {
    fn new(variant: &'a syn::Variant, errors: &mut Errors) -> Self {
        let ty = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Some(&fields.unnamed[0].ty),
            _ => None,
        };
        let attr = VariantAttr::from_variant(variant);
        let attr = errors.read(&variant.attrs, Section::OfVariant, attr);
        let is_unit = matches!(variant.fields, Fields::Unit);
        let is_broken = attr.is_none();
        Self { ident: &variant.ident, ty, is_unit, attr: attr.unwrap_or_default(), is_broken }
    }

    /// `None`: the C enum has no such constant.
    pub(crate) fn c_name(&self) -> Option<&Ident> {
        if self.attr.skip.is_some() || self.attr.other.is_some() {
            return None;
        }
        Some(self.attr.name.as_ref().unwrap_or(self.ident))
    }

    /// Returns the tag of the nodes that it holds: `T_` and the name of their struct, if no other is named.
    pub(crate) fn tag(&self) -> Option<Ident> {
        self.attr.tag.clone().or_else(|| self.attr.raw.as_ref().map(tag_of))
    }
}
