//! The model that the expansions work from: a checked description of the Rust type and its twin.

use darling::FromAttributes;
use darling::error::Accumulator;
use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Path, Type};

use crate::attr::{ContainerAttr, FieldAttr, VariantAttr, attr_span, prost_enumeration};
use crate::check;

/// Which derive is running: some rules are for one direction only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    FromRaw,
    IntoRaw,
}

pub(crate) struct Model {
    pub(crate) ident: Ident,
    /// `::pg_ast`, or what `crate = ..` says.
    pub(crate) krate: Path,
    /// The C twin: the struct, the enum, or the node header of a sum of nodes.
    pub(crate) raw: Path,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    Struct(Struct),
    Enumeration(Vec<Constant>),
    Nodes(Vec<NodeVariant>),
}

pub(crate) struct Struct {
    /// Field by field, where the C struct keeps its tag: `[type_]`, or `[xpr, type_]`.
    pub(crate) header: Vec<Ident>,
    pub(crate) partial: bool,
    /// C fields without a place in Rust.
    pub(crate) skip_raw: Vec<Ident>,
    pub(crate) fields: Vec<Field>,
}

impl Struct {
    /// Whether the C field that starts with the tag is one of the mapped fields.
    pub(crate) fn header_is_mapped(&self) -> bool {
        self.fields.iter().any(|field| field.c_name.as_ref() == Some(&self.header[0]))
    }
}

pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// None: the C side has no such field.
    pub(crate) c_name: Option<Ident>,
    /// The enumeration behind prost's `i32`.
    pub(crate) enumeration: Option<Path>,
    pub(crate) not_null: bool,
    /// Places in a text move with it.
    pub(crate) location: bool,
    /// It makes no difference to the fingerprint.
    pub(crate) no_fingerprint: bool,
}

pub(crate) struct Constant {
    pub(crate) ident: Ident,
    /// None: the C enum has no such constant.
    pub(crate) c_name: Option<Ident>,
}

pub(crate) struct NodeVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) raw: Path,
    pub(crate) tag: Ident,
    /// It makes no difference to the fingerprint.
    pub(crate) no_fingerprint: bool,
}

impl Model {
    /// Reads the input, or gives every mistake that is in it.
    pub(crate) fn new(input: &DeriveInput, direction: Direction) -> darling::Result<Self> {
        let mut errors = darling::Error::accumulator();
        check::generics(input, &mut errors);

        let attr = errors.handle(ContainerAttr::from_attributes(&input.attrs));
        if let Some(attr) = &attr {
            check::raw_is_named(input, attr, &mut errors);
            check::partial(input, attr, direction, &mut errors);
        }
        let shape = match &input.data {
            Data::Struct(data) => Self::fields(input, &data.fields, attr.as_ref(), &mut errors),
            Data::Enum(data) => Self::variants(input, data, &mut errors),
            Data::Union(data) => {
                errors.push(
                    darling::Error::custom("a union has no tag that says which field to convert")
                        .with_span(&data.union_token),
                );
                None
            }
        };
        errors.finish()?;

        // Present, or an error stood in `errors`.
        let (Some(attr), Some(shape)) = (attr, shape) else {
            return Err(darling::Error::custom("cannot derive for this item").with_span(input));
        };
        let Some(raw) = attr.raw else {
            return Err(darling::Error::custom("no C twin").with_span(input));
        };
        Ok(Self {
            ident: input.ident.clone(),
            krate: attr.krate.unwrap_or_else(|| syn::parse_quote!(::pg_ast)),
            raw: raw.into_inner(),
            shape,
        })
    }

    fn fields(
        input: &DeriveInput,
        fields: &Fields,
        attr: Option<&ContainerAttr>,
        errors: &mut Accumulator,
    ) -> Option<Shape> {
        let fields = match fields {
            Fields::Named(named) => &named.named,
            Fields::Unit => {
                errors.push(
                    darling::Error::custom("a struct without fields has nothing to convert")
                        .with_span(&input.ident),
                );
                return None;
            }
            Fields::Unnamed(unnamed) => {
                errors.push(
                    darling::Error::custom(
                        "fields are mapped by name: a tuple struct has no names to map",
                    )
                    .with_span(unnamed),
                );
                return None;
            }
        };
        let fields: Vec<Field> =
            fields.iter().filter_map(|field| errors.handle(Field::new(field))).collect();
        check::no_c_field_twice(&fields, errors);
        let attr = attr?;
        Some(Shape::Struct(Struct {
            header: attr.header.as_ref().map_or_else(
                || vec![Ident::new("type_", Span::call_site())],
                |path| path.0.clone(),
            ),
            partial: attr.partial.is_present(),
            skip_raw: check::skip_raw(attr, &fields, errors),
            fields,
        }))
    }

    fn variants(
        input: &DeriveInput,
        data: &syn::DataEnum,
        errors: &mut Accumulator,
    ) -> Option<Shape> {
        let unit = data.variants.iter().filter(|variant| variant.fields.is_empty()).count();
        if data.variants.is_empty() {
            errors.push(
                darling::Error::custom("an enum without variants has nothing to convert")
                    .with_span(&input.ident),
            );
            None
        } else if unit == data.variants.len() {
            let constants: Vec<Constant> = data
                .variants
                .iter()
                .filter_map(|variant| errors.handle(Constant::new(variant)))
                .collect();
            check::some_constant(input, &constants, errors);
            check::no_constant_twice(&constants, errors);
            Some(Shape::Enumeration(constants))
        } else {
            let nodes = data
                .variants
                .iter()
                .filter_map(|variant| errors.handle(NodeVariant::new(variant)))
                .collect();
            Some(Shape::Nodes(nodes))
        }
    }
}

impl Field {
    fn new(field: &syn::Field) -> darling::Result<Self> {
        let attr = FieldAttr::from_attributes(&field.attrs)?;
        // The caller has only named fields.
        let ident = field.ident.clone().unwrap_or_else(|| format_ident!("_"));
        check::skip_stands_alone(&attr)?;
        check::not_null_string(field, &attr)?;
        check::location_number(field, &attr)?;
        let c_name = if attr.skip.is_present() {
            None
        } else {
            Some(attr.name.map_or_else(|| ident.clone(), |name| name.0))
        };
        Ok(Self {
            ident,
            ty: field.ty.clone(),
            c_name,
            enumeration: prost_enumeration(&field.attrs)?,
            not_null: attr.not_null.is_present(),
            location: attr.location.is_present(),
            no_fingerprint: attr.no_fingerprint.is_present(),
        })
    }
}

impl Constant {
    fn new(variant: &syn::Variant) -> darling::Result<Self> {
        let attr = VariantAttr::from_attributes(&variant.attrs)?;
        check::constant(variant, &attr)?;
        let c_name = if attr.skip.is_present() {
            None
        } else {
            Some(attr.name.map_or_else(|| variant.ident.clone(), |name| name.0))
        };
        Ok(Self { ident: variant.ident.clone(), c_name })
    }
}

impl NodeVariant {
    fn new(variant: &syn::Variant) -> darling::Result<Self> {
        let attr = VariantAttr::from_attributes(&variant.attrs)?;
        check::node_variant(variant, &attr)?;
        let ty = check::single_field(variant)?.clone();
        let Some(raw) = attr.raw else {
            return Err(darling::Error::custom(format_args!(
                "variant `{}` has no node tag: name its C struct with `#[pg_ast(raw = ..)]`",
                variant.ident
            ))
            .with_span(&attr_span(&variant.attrs, variant.ident.span())));
        };
        let raw = raw.into_inner();
        let tag = attr.tag.map_or_else(|| tag_of(&raw), |tag| tag.0);
        let no_fingerprint = attr.no_fingerprint.is_present();
        Ok(Self { ident: variant.ident.clone(), ty, raw, tag, no_fingerprint })
    }
}

/// `T_SelectStmt` for `..::SelectStmt`: PostgreSQL's own rule (`makeNode` in nodes.h).
pub(crate) fn tag_of(raw: &Path) -> Ident {
    let name = raw.segments[raw.segments.len() - 1].ident.unraw();
    Ident::new(&format!("T_{name}"), raw.span())
}

/// An item that stands beside the C struct in the bindings: `..::NodeTag` for `..::SelectStmt`.
pub(crate) fn sibling(raw: &Path, name: &str) -> Path {
    let mut path = raw.clone();
    let last = path.segments.len() - 1;
    path.segments[last].ident = Ident::new(name, raw.span());
    path
}
