//! `Message`: what is alike for all messages of the tree.
//!
//! Written for a struct is a table of its fields and the way to each of them, for a sum of nodes the way to
//! the node in it. The verbs over both are compiled once, for all messages: to compare, to print with
//! `Debug`, to measure, to walk, Protobuf. Only what makes a value of the type (`Clone`, `Default`) is code of
//! its own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Data, DataEnum, DeriveInput, Field, Fields, FieldsNamed, GenericArgument, Ident, LitStr, Path,
    PathArguments, Type,
};

use crate::attr::{ContainerAttr, attr_span};
use crate::check;
use darling::FromAttributes as _;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let impls = container(input).and_then(|(tree, recurses)| match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => structure(input, &tree, recurses, fields),
            other => Err(unsupported(other)),
        },
        Data::Enum(data) => sum(input, &tree, data),
        Data::Union(data) => Err(unsupported(&data.union_token)),
    });
    impls.unwrap_or_else(darling::Error::write_errors)
}

fn unsupported(span: &impl syn::spanned::Spanned) -> darling::Error {
    darling::Error::custom("`Message` is for structs with named fields and for sums of nodes")
        .with_span(span)
}

/// Where the traits are: each PostgreSQL version has its own. And whether a type can hold itself, without a
/// sum of nodes between.
fn container(input: &DeriveInput) -> darling::Result<(Path, bool)> {
    let mut errors = darling::Error::accumulator();
    check::generics(input, &mut errors);
    let attr = errors.handle(ContainerAttr::from_attributes(&input.attrs));
    errors.finish()?;
    attr.and_then(|attr| Some((attr.tree?, attr.recursive.is_present()))).ok_or_else(|| {
        darling::Error::custom(format_args!(
            "`{}` does not say which tree it is part of: add `#[pg_ast(tree = ..)]`",
            input.ident
        ))
        .with_span(&attr_span(&input.attrs, input.ident.span()))
    })
}

/// What prost's attribute says of a field.
#[derive(Default)]
struct ProstField {
    numbers: Vec<u32>,
    /// The enumeration whose numbers the field has.
    enumeration: Option<Path>,
}

impl ProstField {
    fn new(attrs: &[syn::Attribute], span: &impl syn::spanned::Spanned) -> darling::Result<Self> {
        let mut field = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("prost")) {
            attr.parse_nested_meta(|meta| {
                let is = |name| meta.path.is_ident(name);
                if is("tag") || is("tags") {
                    let lit: LitStr = meta.value()?.parse()?;
                    for number in lit.value().split(',') {
                        let number = number.trim().parse();
                        field
                            .numbers
                            .push(number.map_err(|error| syn::Error::new(lit.span(), error))?);
                    }
                } else if is("enumeration") {
                    field.enumeration = Some(meta.value()?.parse::<LitStr>()?.parse()?);
                } else if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                }
                Ok(())
            })?;
        }
        field.numbers.sort_unstable();
        if field.numbers.is_empty() {
            return Err(darling::Error::custom(
                "a field of a message has a number: `#[prost(.., tag = \"1\")]`",
            )
            .with_span(span));
        }
        Ok(field)
    }
}

fn structure(
    input: &DeriveInput,
    tree: &Path,
    recurses: bool,
    fields: &FieldsNamed,
) -> darling::Result<TokenStream> {
    let ident = &input.ident;
    let mut errors = darling::Error::accumulator();
    let mut parsed: Vec<(&Field, &Ident, ProstField)> = Vec::new();
    for field in &fields.named {
        let prost = errors.handle(ProstField::new(&field.attrs, field));
        if let (Some(prost), Some(ident)) = (prost, &field.ident) {
            parsed.push((field, ident, prost));
        }
    }
    errors.finish()?;
    // As in the schema. (prost puts a oneof behind the other fields.)
    parsed.sort_by_key(|(_, _, prost)| prost.numbers.first().copied());

    let table = parsed.iter().map(|(field, ident, prost)| {
        let (ty, numbers) = (&field.ty, &prost.numbers);
        let name = ident.unraw().to_string();
        let constant = match &prost.enumeration {
            Some(path) => quote!(::core::option::Option::Some(#tree::constant::<#path>)),
            None => quote!(::core::option::Option::None),
        };
        quote_spanned! {ty.span()=>
            #tree::Field::new::<#ty>(#name, &[#(#numbers),*], #constant)
        }
    });
    let arms = |mutable: &TokenStream| {
        let arms = parsed.iter().enumerate().map(|(index, (_, ident, _))| {
            quote!(#index => ::core::option::Option::Some(&#mutable self.#ident),)
        });
        quote!(match index { #(#arms)* _ => ::core::option::Option::None })
    };
    let (shared, exclusive) = (arms(&TokenStream::new()), arms(&quote!(mut)));
    let accessors = parsed.iter().filter_map(|(_, ident, prost)| {
        prost.enumeration.as_ref().map(|enumeration| accessors(ident, enumeration))
    });
    let idents: Vec<_> = parsed.iter().map(|(_, ident, _)| ident).collect();
    let name = ident.unraw().to_string();
    let standard = standard(ident, tree, recurses, &parsed);
    Ok(quote! {
        impl #ident { #(#accessors)* }

        const _: () = {
            static TABLE: #tree::Table = #tree::Table { name: #name, fields: &[#(#table),*] };

            #[automatically_derived]
            impl #tree::Message for #ident {
                fn table(&self) -> &'static #tree::Table { &TABLE }
                fn field(&self, index: usize) -> ::core::option::Option<&#tree::DynValue> { #shared }
                fn field_mut(
                    &mut self,
                    index: usize,
                ) -> ::core::option::Option<&mut #tree::DynValue> {
                    #exclusive
                }
                fn each_mut<'a>(
                    &'a mut self,
                    f: &mut dyn ::core::ops::FnMut(
                        &'a mut #tree::DynValue,
                    ) -> ::core::ops::ControlFlow<()>,
                ) -> ::core::ops::ControlFlow<()> {
                    #(f(&mut self.#idents)?;)*
                    ::core::ops::ControlFlow::Continue(())
                }
            }

            #standard
        };
    })
}

/// The traits of others: by the table, but for `Clone` and `Default`.
fn standard(
    ident: &Ident,
    tree: &Path,
    recurses: bool,
    fields: &[(&Field, &Ident, ProstField)],
) -> TokenStream {
    let idents: Vec<_> = fields.iter().map(|(_, ident, _)| ident).collect();
    let clone = clone(
        ident,
        tree,
        recurses,
        &quote! {
            Self { #(#idents: ::core::clone::Clone::clone(&self.#idents),)* }
        },
    );
    quote! {
        #clone

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #ident {
            fn eq(&self, other: &Self) -> bool { #tree::equals(self, other) }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #tree::debug(self, f)
            }
        }

        #[automatically_derived]
        impl #tree::HeapSize for #ident {
            fn heap_size(&self) -> usize { #tree::heap_size(self) }
        }

        #[automatically_derived]
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                Self { #(#idents: ::core::default::Default::default(),)* }
            }
        }

        #[automatically_derived]
        impl #tree::prost::Message for #ident {
            fn encode_raw(&self, buf: &mut impl #tree::prost::bytes::BufMut) {
                buf.put_slice(&#tree::encode(self));
            }
            fn merge_field(
                &mut self,
                number: u32,
                wire_type: #tree::prost::encoding::WireType,
                buf: &mut impl #tree::prost::bytes::Buf,
                _: #tree::prost::encoding::DecodeContext,
            ) -> ::core::result::Result<(), #tree::prost::DecodeError> {
                #tree::merge_from(self, number, wire_type, buf)
            }
            fn encoded_len(&self) -> usize { #tree::encode(self).len() }
            fn encode_to_vec(&self) -> ::std::vec::Vec<u8> { #tree::encode(self) }
            fn clear(&mut self) { #tree::clear(self); }
        }
    }
}

/// A constant's number as the constant, and back, as prost has them.
fn accessors(field: &Ident, enumeration: &Path) -> TokenStream {
    let name = field.unraw().to_string();
    let set = format_ident!("set_{name}");
    let get_doc =
        format!("The constant in `{name}`; the default one if there is none of that number.");
    let set_doc = format!("Sets `{name}`.");
    quote! {
        #[doc = #get_doc]
        pub fn #field(&self) -> #enumeration {
            ::core::convert::TryFrom::try_from(self.#field).unwrap_or_default()
        }

        #[doc = #set_doc]
        pub fn #set(&mut self, value: #enumeration) {
            self.#field = value as i32;
        }
    }
}

/// `Clone`, with a look at the stack where a tree can be deep through the type alone.
fn clone(ident: &Ident, tree: &Path, recurses: bool, body: &TokenStream) -> TokenStream {
    let body = if recurses { quote!(#tree::with_stack(|| #body)) } else { body.clone() };
    quote! {
        #[automatically_derived]
        impl ::core::clone::Clone for #ident {
            fn clone(&self) -> Self { #body }
        }
    }
}

fn sum(input: &DeriveInput, tree: &Path, data: &DataEnum) -> darling::Result<TokenStream> {
    let ident = &input.ident;
    let mut errors = darling::Error::accumulator();
    let (mut names, mut numbers, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
    for variant in &data.variants {
        let prost = errors.handle(ProstField::new(&variant.attrs, variant));
        let field = errors.handle(check::single_field(variant));
        if let (Some(prost), Some(field)) = (prost, field) {
            names.push(&variant.ident);
            numbers.push(prost.numbers[0]);
            boxes.push(match unboxed(field) {
                Some(message) => quote!(::core::mem::size_of::<#message>()),
                None => quote!(0),
            });
        }
    }
    errors.finish()?;
    let labels = names.iter().map(|name| name.unraw().to_string());
    let indexes = 0..names.len();
    // A box is looked through: the trait's object is the message in it.
    let reference = |at: usize, mutable: &TokenStream| {
        let in_box = boxes[at].to_string() != "0";
        if in_box { quote!(&#mutable **node) } else { quote!(node) }
    };
    let shared = (0..names.len()).map(|at| reference(at, &TokenStream::new()));
    let exclusive = (0..names.len()).map(|at| reference(at, &quote!(mut)));
    // Through a sum of nodes any tree is deep.
    let clone = clone(
        ident,
        tree,
        true,
        &quote! {
            match self { #(Self::#names(node) => Self::#names(::core::clone::Clone::clone(node)),)* }
        },
    );
    Ok(quote! {
        const _: () = {
            static VARIANTS: &[#tree::Variant] = &[
                #(#tree::Variant { name: #labels, number: #numbers, boxed: #boxes },)*
            ];

            #[automatically_derived]
            impl #tree::Sum for #ident {
                fn message(&self) -> (&'static #tree::Variant, &#tree::DynMessage) {
                    let (index, message): (usize, &#tree::DynMessage) = match self {
                        #(Self::#names(node) => (#indexes, #shared),)*
                    };
                    (&VARIANTS[index], message)
                }

                fn message_mut(&mut self) -> &mut #tree::DynMessage {
                    match self { #(Self::#names(node) => #exclusive,)* }
                }

                fn with_number(number: u32) -> ::core::option::Option<Self> {
                    ::core::option::Option::Some(match number {
                        #(#numbers => Self::#names(::core::default::Default::default()),)*
                        _ => return ::core::option::Option::None,
                    })
                }
            }

            #clone
        };
    })
}

/// `T` of `Box<T>`.
fn unboxed(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
