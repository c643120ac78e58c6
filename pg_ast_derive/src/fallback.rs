//! Impls for a type with an error: they are never run, since the crate does not compile; they
//! exist so that the error is the only message.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, Generics, Path, parse_quote};

use crate::input::{Body, Derive, Input};
use crate::names::sibling;

pub(crate) fn expand(input: &Input, errors: &TokenStream) -> TokenStream {
    let stub = match input.derive {
        Derive::FromRaw => from_raw(input),
        Derive::IntoRaw => into_raw(input),
    };
    quote! { #errors #stub }
}

/// Returns the body of every method.
fn unreachable() -> TokenStream {
    quote!(::core::unreachable!("the derive reported an error"))
}

/// Returns the generics of an impl for any C type, for the case that the twin is not known.
fn generics(input: &Input) -> Generics {
    let mut generics = input.item.generics.clone();
    if input.attr.raw.is_none() {
        generics.params.push(parse_quote!(AnyRaw));
    }
    generics
}

fn is_struct(input: &Input) -> bool {
    matches!(input.item.data, Data::Struct(_))
}

fn from_raw(input: &Input) -> TokenStream {
    let (krate, ident) = (input.krate(), &input.item.ident);
    let mut generics = generics(input);
    let tree = input.lifetime().cloned().unwrap_or_else(|| parse_quote!('tree));
    if input.lifetime().is_none() {
        generics.params.push(parse_quote!(#tree));
    }
    let (generics, _, bounds) = generics.split_for_impl();
    let (_, ty_generics, _) = input.item.generics.split_for_impl();
    let any: Path = parse_quote!(AnyRaw);
    let raw = input.attr.raw.as_ref().unwrap_or(&any);
    let node = match (&input.attr.raw, &input.body) {
        (Some(raw), Body::Nodes(_)) => raw.clone(),
        (Some(raw), _) => sibling(raw, "Node"),
        (None, _) => any.clone(),
    };
    let unreachable = unreachable();
    let of_value = (!matches!(input.body, Body::Nodes(_))).then(|| {
        quote! {
            // SAFETY: the trait's own `write_raw`.
            #[automatically_derived]
            unsafe impl #generics #krate::FromRaw<#tree, #raw> for #ident #ty_generics #bounds {
                unsafe fn from_raw(_: *const #raw, _: &mut #krate::FromRawContext) -> Self {
                    #unreachable
                }
            }
        }
    });
    let is_node = is_struct(input) || matches!(input.body, Body::Nodes(_));
    let of_node = is_node.then(|| {
        quote! {
            #[automatically_derived]
            // SAFETY: it does not return.
            unsafe impl #generics #krate::FromNode<#tree, #node> for #ident #ty_generics #bounds {
                unsafe fn write_node(
                    _: *const #node,
                    _: *mut ::core::option::Option<Self>,
                    _: &mut #krate::FromRawContext,
                ) {
                    #unreachable
                }
            }
        }
    });
    quote!(#of_value #of_node)
}

fn into_raw(input: &Input) -> TokenStream {
    let (krate, ident) = (input.krate(), &input.item.ident);
    let generics = generics(input);
    let (generics, _, bounds) = generics.split_for_impl();
    let (_, ty_generics, _) = input.item.generics.split_for_impl();
    // A struct is written by value and by pointer, an enum of nodes by pointer, one of constants by
    // value.
    let targets = match (&input.attr.raw, &input.body) {
        (None, _) => vec![quote!(AnyRaw)],
        (Some(raw), Body::Nodes(_)) => vec![quote!(*mut #raw)],
        (Some(raw), _) if is_struct(input) => vec![quote!(#raw), quote!(*mut #raw)],
        (Some(raw), _) => vec![quote!(#raw)],
    };
    let unreachable = unreachable();
    quote! {#(
        #[automatically_derived]
        impl #generics #krate::IntoRaw<#targets> for &#ident #ty_generics #bounds {
            fn into_raw(self, _: &mut #krate::IntoRawContext<'_>) -> #targets {
                #unreachable
            }
        }
    )*}
}
