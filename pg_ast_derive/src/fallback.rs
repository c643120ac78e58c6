//! Impls for a type whose attributes have a mistake: they are never run, for the crate does not
//! compile; they are there so that the mistake is the only message.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Path};

use crate::model::{Direction, sibling};

pub(crate) fn expand(
    input: &DeriveInput,
    direction: Direction,
    error: darling::Error,
) -> TokenStream {
    let errors = error.write_errors();
    let stub = stub(input, direction);
    quote! { #errors #stub }
}

/// Nothing, where not even the C twin is known: then there is no impl to stand in for.
fn stub(input: &DeriveInput, direction: Direction) -> Option<TokenStream> {
    let raw = path(input, "raw")?;
    let krate = path(input, "crate").unwrap_or_else(|| syn::parse_quote!(::pg_ast));
    let ident = &input.ident;
    let (generics, ty_generics, bounds) = input.generics.split_for_impl();
    let nodes = matches!(&input.data, Data::Enum(data)
        if data.variants.iter().any(|variant| !variant.fields.is_empty()));
    let unreachable = quote!(::core::unreachable!("the derive reported an error"));

    Some(match (direction, nodes) {
        (Direction::FromRaw, true) => quote! {
            #[automatically_derived]
            // SAFETY: it does not return.
            unsafe impl #generics #krate::FromNode<#raw> for #ident #ty_generics #bounds {
                unsafe fn write_node(
                    _: *const #raw,
                    _: *mut ::core::option::Option<Self>,
                    _: &mut #krate::FromRawContext,
                ) {
                    #unreachable
                }
            }
        },
        (Direction::FromRaw, false) => {
            let node = sibling(&raw, "Node");
            let from_node = matches!(input.data, Data::Struct(_)).then(|| {
                quote! {
                    #[automatically_derived]
                    // SAFETY: it does not return.
                    unsafe impl #generics #krate::FromNode<#node> for #ident #ty_generics #bounds {
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
            quote! {
                // SAFETY: the trait's own `write_raw`.
                #[automatically_derived]
                unsafe impl #generics #krate::FromRaw<#raw> for #ident #ty_generics #bounds {
                    unsafe fn from_raw(_: *const #raw, _: &mut #krate::FromRawContext) -> Self {
                        #unreachable
                    }
                }
                #from_node
            }
        }
        (Direction::IntoRaw, nodes) => {
            // A struct is written by value and by pointer, an enum of nodes by pointer, one of
            // constants by value.
            let by_value = (!nodes).then(|| quote!(#raw));
            let is_struct = matches!(input.data, Data::Struct(_));
            let by_pointer = (nodes || is_struct).then(|| quote!(*mut #raw));
            let impls = by_value.into_iter().chain(by_pointer).map(|target| {
                quote! {
                    #[automatically_derived]
                    impl #generics #krate::IntoRaw<#target> for &#ident #ty_generics #bounds {
                        fn into_raw(self, _: &mut #krate::IntoRawContext<'_>) -> #target {
                            #unreachable
                        }
                    }
                }
            });
            quote!(#(#impls)*)
        }
    })
}

/// The path that an attribute of the container gives, found even when another one is wrong.
fn path(input: &DeriveInput, name: &str) -> Option<Path> {
    let mut path = None;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("pg_ast")) {
        // An error ends the walk; what was found until then is as good as it gets.
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident(name) {
                path = Some(meta.value()?.parse()?);
            } else if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            } else if meta.input.peek(syn::token::Paren) {
                meta.input.parse::<proc_macro2::Group>()?;
            }
            Ok(())
        });
    }
    path
}
