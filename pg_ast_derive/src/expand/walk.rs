//! `Walk`: the way from a message to the nodes in its fields.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use crate::input::Field;
use crate::model::{Parts, Plain};

/// `walk` is the module with the traits: each PostgreSQL version has its own.
pub(crate) fn expand(model: &Plain, walk: &Path) -> TokenStream {
    match &model.parts {
        Parts::Fields(fields) => structure(model.ident, walk, fields),
        Parts::Nodes(variants) => nodes(model.ident, walk, variants),
    }
}

/// The two methods of a trait, which differ in `mut` alone.
fn methods(
    walk: &Path,
    names: [&str; 2],
    body: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
) -> TokenStream {
    let [shared, exclusive] = names.map(|name| format_ident!("{name}"));
    let shared_body = body(&TokenStream::new(), &quote!(#walk::Field::walk));
    let exclusive_body = body(&quote!(mut), &quote!(#walk::Field::walk_mut));
    quote! {
        #[allow(unused_variables)]
        fn #shared<'a>(
            &'a self,
            f: &mut #walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            #shared_body
        }

        #[allow(unused_variables)]
        fn #exclusive<'a>(
            &'a mut self,
            f: &mut #walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            #exclusive_body
        }
    }
}

/// Each field answers for itself, by its type: one whose type has no impl does not compile.
fn structure(ident: &Ident, walk: &Path, fields: &[Field]) -> TokenStream {
    let methods = methods(walk, ["children", "children_mut"], |mutable, method| {
        let fields = fields.iter().map(|field| {
            let name = field.ident;
            quote_spanned!(field.ty.span()=> #method(&#mutable self.#name, f)?;)
        });
        quote! {
            #(#fields)*
            ::core::ops::ControlFlow::Continue(())
        }
    });
    let singles = fields.iter().map(|field| {
        let (name, ty) = (field.ident, field.ty);
        quote_spanned! {field.ty.span()=>
            if !<#ty as #walk::Field>::LIST {
                #walk::Field::walk(&self.#name, f)?;
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #walk::Children for #ident {
            #methods

            #[allow(unused_variables)]
            fn singles<'a>(
                &'a self,
                f: &mut #walk::Sink<'_, 'a>,
            ) -> ::core::ops::ControlFlow<()> {
                #(#singles)*
                ::core::ops::ControlFlow::Continue(())
            }
        }
    }
}

fn nodes(ident: &Ident, walk: &Path, variants: &[(&Ident, &Type)]) -> TokenStream {
    let methods = methods(walk, ["walk", "walk_mut"], |_, method| {
        let arms = variants
            .iter()
            .map(|(name, ty)| quote_spanned!(ty.span()=> Self::#name(node) => #method(node, f),));
        quote!(match self { #(#arms)* })
    });
    quote! {
        #[automatically_derived]
        impl #walk::Field for #ident { #methods }
    }
}
