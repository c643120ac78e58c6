//! `Recursive`: `Clone`, `PartialEq` and `Debug` that make the stack larger as the tree gets deeper.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;
use syn::ext::IdentExt as _;

use crate::input::Field;
use crate::model::{Parts, Plain};

pub(crate) fn expand(model: &Plain) -> TokenStream {
    let bodies = match &model.parts {
        Parts::Fields(fields) => structure(model.ident, fields),
        Parts::Nodes(variants) => nodes(variants),
    };
    impls(model, bodies)
}

/// The three impls around the three bodies.
fn impls(model: &Plain, [clone, eq, debug]: [TokenStream; 3]) -> TokenStream {
    let Plain { ident, krate, .. } = model;
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

/// What the three methods do with a struct.
fn structure(name: &Ident, fields: &[Field]) -> [TokenStream; 3] {
    let name = name.to_string();
    let idents: Vec<_> = fields.iter().map(|field| field.ident).collect();
    let shown = fields.iter().map(|Field { ident, ty, enumeration, .. }| match enumeration {
        // As prost prints it: the constant's name, or the number where there is none.
        Some(enumeration) => quote! {
            match <#enumeration as ::core::convert::TryFrom<#ty>>::try_from(self.#ident) {
                ::core::result::Result::Ok(ref constant) => constant as &dyn ::core::fmt::Debug,
                ::core::result::Result::Err(_) => &self.#ident,
            }
        },
        None => quote!(&self.#ident),
    });
    let labels = idents.iter().map(|ident| ident.unraw().to_string());
    [
        quote!(Self { #(#idents: ::core::clone::Clone::clone(&self.#idents),)* }),
        quote!(true #(&& self.#idents == other.#idents)*),
        quote!(f.debug_struct(#name)#(.field(#labels, #shown))*.finish()),
    ]
}

/// What they do with an enum of nodes.
fn nodes(variants: &[(&Ident, &Type)]) -> [TokenStream; 3] {
    let variants: Vec<_> = variants.iter().map(|(ident, _)| ident).collect();
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
    [clone, eq, debug]
}
