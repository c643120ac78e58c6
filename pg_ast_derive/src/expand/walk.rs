//! `Walk`: the way from a message to the nodes in its fields.

use darling::FromAttributes;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Data, DataEnum, DeriveInput, Fields, FieldsNamed, Path};

use crate::attr::{ContainerAttr, attr_span};
use crate::check;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let impls = walk_module(input).and_then(|walk| match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(structure(input, &walk, fields)),
            other => Err(unsupported(other)),
        },
        Data::Enum(data) => sum(input, &walk, data),
        Data::Union(data) => Err(unsupported(&data.union_token)),
    });
    match impls {
        Ok(impls) => quote! { const _: () = { #impls }; },
        Err(error) => error.write_errors(),
    }
}

fn unsupported(span: &impl syn::spanned::Spanned) -> darling::Error {
    darling::Error::custom("`Walk` is for structs with named fields and for sums of nodes")
        .with_span(span)
}

/// Where the traits are: each PostgreSQL version has its own.
fn walk_module(input: &DeriveInput) -> darling::Result<Path> {
    let mut errors = darling::Error::accumulator();
    check::generics(input, &mut errors);
    let attr = errors.handle(ContainerAttr::from_attributes(&input.attrs));
    errors.finish()?;
    attr.and_then(|attr| attr.walk).ok_or_else(|| {
        darling::Error::custom(format_args!(
            "`{}` does not say which tree it is part of: add `#[pg_ast(walk = ..)]`",
            input.ident
        ))
        .with_span(&attr_span(&input.attrs, input.ident.span()))
    })
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
fn structure(input: &DeriveInput, walk: &Path, fields: &FieldsNamed) -> TokenStream {
    let ident = &input.ident;
    let methods = methods(walk, ["children", "children_mut"], |mutable, method| {
        let fields = fields.named.iter().map(|field| {
            let name = &field.ident;
            quote_spanned!(field.ty.span()=> #method(&#mutable self.#name, f)?;)
        });
        quote! {
            #(#fields)*
            ::core::ops::ControlFlow::Continue(())
        }
    });
    let singles = fields.named.iter().map(|field| {
        let (name, ty) = (&field.ident, &field.ty);
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

fn sum(input: &DeriveInput, walk: &Path, data: &DataEnum) -> darling::Result<TokenStream> {
    let ident = &input.ident;
    let mut errors = darling::Error::accumulator();
    for variant in &data.variants {
        errors.handle(check::single_field(variant));
    }
    errors.finish()?;
    let methods = methods(walk, ["walk", "walk_mut"], |_, method| {
        let arms = data.variants.iter().map(|variant| {
            let name = &variant.ident;
            quote_spanned!(variant.fields.span()=> Self::#name(node) => #method(node, f),)
        });
        quote!(match self { #(#arms)* })
    });
    Ok(quote! {
        #[automatically_derived]
        impl #walk::Field for #ident { #methods }
    })
}
