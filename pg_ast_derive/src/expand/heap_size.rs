//! `HeapSize`: the bytes that a value holds on the heap, as the sum over its fields.

use darling::FromAttributes;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Data, DataEnum, DeriveInput, Fields, FieldsNamed, Path};

use crate::attr::ContainerAttr;
use crate::check;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = darling::Error::accumulator();
    check::generics(input, &mut errors);
    let attr = errors.handle(ContainerAttr::from_attributes(&input.attrs));
    if let Err(error) = errors.finish() {
        return error.write_errors();
    }
    let krate = attr.and_then(|attr| attr.krate).unwrap_or_else(|| syn::parse_quote!(::pg_ast));
    let size = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(structure(&krate, fields)),
            other => Err(unsupported(other)),
        },
        Data::Enum(data) => sum(&krate, data),
        Data::Union(data) => Err(unsupported(&data.union_token)),
    };
    let size = match size {
        Ok(size) => size,
        Err(error) => return error.write_errors(),
    };
    let ident = &input.ident;
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #krate::HeapSize for #ident {
                fn heap_size(&self) -> usize { #size }
            }
        };
    }
}

fn unsupported(span: &impl syn::spanned::Spanned) -> darling::Error {
    darling::Error::custom("`HeapSize` is for structs with named fields and for sums of nodes")
        .with_span(span)
}

fn structure(krate: &Path, fields: &FieldsNamed) -> TokenStream {
    let fields = fields.named.iter().map(|field| {
        let name = &field.ident;
        quote_spanned!(field.ty.span()=> + #krate::HeapSize::heap_size(&self.#name))
    });
    quote!(0 #(#fields)*)
}

fn sum(krate: &Path, data: &DataEnum) -> darling::Result<TokenStream> {
    let mut errors = darling::Error::accumulator();
    let arms: Vec<_> = data
        .variants
        .iter()
        .map(|variant| {
            errors.handle(check::single_field(variant));
            let name = &variant.ident;
            quote_spanned! {variant.fields.span()=>
                Self::#name(node) => #krate::HeapSize::heap_size(node),
            }
        })
        .collect();
    errors.finish()?;
    Ok(quote!(match self { #(#arms)* }))
}
