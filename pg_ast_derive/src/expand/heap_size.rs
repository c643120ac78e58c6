//! `HeapSize`: the bytes that a value holds on the heap, as the sum over its fields.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::model::{Parts, Plain};

pub(crate) fn expand(model: &Plain) -> TokenStream {
    let Plain { ident, krate, parts } = model;
    let size = match parts {
        Parts::Fields(fields) => {
            let fields = fields.iter().map(|field| {
                let name = field.ident;
                quote_spanned!(field.ty.span()=> + #krate::HeapSize::heap_size(&self.#name))
            });
            quote!(0 #(#fields)*)
        }
        Parts::Nodes(variants) => {
            let arms = variants.iter().map(|(name, ty)| {
                quote_spanned!(ty.span()=> Self::#name(node) => #krate::HeapSize::heap_size(node),)
            });
            quote!(match self { #(#arms)* })
        }
    };
    quote! {
        #[automatically_derived]
        impl #krate::HeapSize for #ident {
            fn heap_size(&self) -> usize { #size }
        }
    }
}
