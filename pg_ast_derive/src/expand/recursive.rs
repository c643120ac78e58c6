//! `Recursive`: `Clone`, `PartialEq` and `Debug` that make the stack larger as the tree gets deeper.

use darling::FromAttributes;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Data, DataEnum, DeriveInput, Fields, FieldsNamed, Path};

use crate::attr::{ContainerAttr, prost_enumeration};
use crate::check;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = darling::Error::accumulator();
    check::generics(input, &mut errors);
    if let Err(error) = errors.finish() {
        return error.write_errors();
    }
    let krate = match ContainerAttr::from_attributes(&input.attrs) {
        Ok(attr) => attr.krate.unwrap_or_else(|| syn::parse_quote!(::pg_ast)),
        Err(error) => return error.write_errors(),
    };
    let impls = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => structure(input, &krate, fields),
            other => Err(unsupported(other)),
        },
        Data::Enum(data) => enumeration(input, &krate, data),
        Data::Union(data) => Err(unsupported(&data.union_token)),
    };
    match impls {
        Ok(impls) => quote! { const _: () = { #impls }; },
        Err(error) => error.write_errors(),
    }
}

fn unsupported(span: &impl syn::spanned::Spanned) -> darling::Error {
    darling::Error::custom("`Recursive` is for structs with named fields and for sums of nodes")
        .with_span(span)
}

/// The three impls around the three bodies.
fn impls(input: &DeriveInput, krate: &Path, bodies: [TokenStream; 3]) -> TokenStream {
    let ident = &input.ident;
    let [clone, eq, debug] = bodies;
    quote! {
        #[automatically_derived]
        impl ::core::clone::Clone for #ident {
            fn clone(&self) -> Self {
                #krate::__private::with_stack(|| #clone)
            }
        }

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #ident {
            fn eq(&self, other: &Self) -> bool {
                #krate::__private::with_stack(|| #eq)
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #krate::__private::with_stack(|| #debug)
            }
        }
    }
}

fn structure(
    input: &DeriveInput,
    krate: &Path,
    fields: &FieldsNamed,
) -> darling::Result<TokenStream> {
    let name = input.ident.to_string();
    let idents: Vec<_> = fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
    let mut shown = Vec::new();
    for field in &fields.named {
        let (ident, ty) = (&field.ident, &field.ty);
        shown.push(match prost_enumeration(&field.attrs)? {
            // As prost prints it: the constant's name, or the number where there is none.
            Some(enumeration) => quote! {
                match <#enumeration as ::core::convert::TryFrom<#ty>>::try_from(self.#ident) {
                    ::core::result::Result::Ok(ref constant) => constant as &dyn ::core::fmt::Debug,
                    ::core::result::Result::Err(_) => &self.#ident,
                }
            },
            None => quote!(&self.#ident),
        });
    }
    let clone = quote!(Self { #(#idents: ::core::clone::Clone::clone(&self.#idents),)* });
    let eq = quote!(true #(&& self.#idents == other.#idents)*);
    let labels = idents.iter().map(|ident| ident.unraw().to_string());
    let debug = quote!(f.debug_struct(#name)#(.field(#labels, #shown))*.finish());
    Ok(impls(input, krate, [clone, eq, debug]))
}

fn enumeration(input: &DeriveInput, krate: &Path, data: &DataEnum) -> darling::Result<TokenStream> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => variants.push(&variant.ident),
            _ => return Err(unsupported(variant)),
        }
    }
    let names = variants.iter().map(ToString::to_string);
    let clone = quote! {
        match self { #(Self::#variants(node) => Self::#variants(::core::clone::Clone::clone(node)),)* }
    };
    let eq = quote! {
        match (self, other) {
            #((Self::#variants(a), Self::#variants(b)) => a == b,)*
            _ => false,
        }
    };
    let debug = quote! {
        match self { #(Self::#variants(node) => f.debug_tuple(#names).field(node).finish(),)* }
    };
    Ok(impls(input, krate, [clone, eq, debug]))
}
