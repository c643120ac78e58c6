//! `Fingerprint`: what the C twin of a struct, of an enumeration or of the sum of nodes writes into a
//! fingerprint.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use crate::model::{Constant, Field, Mapping, Node, Shape, Struct};
use crate::names::{in_c, last, sibling};

pub(crate) fn expand(model: &Mapping) -> TokenStream {
    let krate = &model.krate;
    let stream: Path = syn::parse_quote!(#krate::__private::fingerprint);
    match &model.shape {
        Shape::Struct(data) => structure(model, &stream, data),
        Shape::Enumeration(constants) => enumeration(model, &stream, constants),
        Shape::Nodes(variants) => nodes(model, &stream, variants),
    }
}

fn structure(model: &Mapping, stream: &Path, data: &Struct) -> TokenStream {
    let raw = model.raw;
    let name = in_c(last(raw));
    let mut fields: Vec<_> = data
        .fields
        .iter()
        .filter(|field| !field.location && !field.no_fingerprint)
        .filter_map(|field| Some((in_c(field.c_name?), field)))
        .collect();
    fields.sort_by(|(a, _), (b, _)| a.cmp(b));
    let fields = fields.iter().map(|(c, field)| write_field(stream, &name, c, field));
    quote! {
        #[automatically_derived]
        impl #stream::Message for #stream::InC<#raw> {
            const NAME: &'static str = #name;

            #[allow(unused_variables, unused_unsafe)]
            fn fields(&self, out: &mut #stream::Stream, _: #stream::Place, depth: u32) {
                let raw = self.get();
                // SAFETY: a field of the struct is a part of the same tree, for which whoever made
                // `self` answers.
                unsafe { #(#fields)* }
            }
        }

        #[automatically_derived]
        impl #stream::Hashed for #stream::InC<*mut #raw> {
            // Few structs are the type of a field: for the others, nothing is compiled.
            #[inline]
            fn fingerprint(
                &self,
                out: &mut #stream::Stream,
                site: &'static #stream::Site,
                depth: u32,
            ) {
                #stream::pointer(self, out, site, depth);
            }
        }
    }
}

fn write_field(stream: &Path, name: &str, c_name: &str, field: &Field) -> TokenStream {
    let raw = &field.c_name;
    quote_spanned! {field.ty.span()=>
        #stream::Hashed::fingerprint(
            #stream::InC::new(&raw const raw.#raw),
            out,
            const { &#stream::Site::new(#name, #c_name) },
            depth,
        );
    }
}

fn enumeration(model: &Mapping, stream: &Path, constants: &[Constant]) -> TokenStream {
    let raw = model.raw;
    let mut names = constants.iter().filter_map(|constant| constant.c_name);
    // The first one stands for what is not known; the model has made sure that there is one.
    let first = names.next().map(ToString::to_string);
    let arms = names.map(|c_name| {
        let name = c_name.to_string();
        quote!(#raw::#c_name => #name,)
    });
    quote! {
        #[automatically_derived]
        impl #stream::Hashed for #stream::InC<#raw> {
            fn fingerprint(
                &self,
                out: &mut #stream::Stream,
                site: &'static #stream::Site,
                _: u32,
            ) {
                let name = match *self.get() {
                    #(#arms)*
                    _ => #first,
                };
                out.constant(site, name);
            }
        }
    }
}

fn nodes(model: &Mapping, stream: &Path, variants: &[Node]) -> TokenStream {
    let raw = model.raw;
    let node_tag = sibling(raw, "NodeTag");
    let arms = variants.iter().filter(|variant| !variant.no_fingerprint).map(|variant| {
        let Node { raw, tag, .. } = variant;
        quote_spanned! {variant.ty.span()=>
            #node_tag::#tag => #stream::Message::node(
                #stream::InC::<#raw>::new(node.cast()),
                out,
                place,
                depth,
            ),
        }
    });
    quote! {
        #[automatically_derived]
        impl #stream::RawSum for #raw {
            unsafe fn node(
                node: *const Self,
                out: &mut #stream::Stream,
                place: #stream::Place,
                depth: u32,
            ) {
                // SAFETY:
                // - the caller answers for `node`: it points to an initialised node, so its tag
                //   can be read.
                // - the tag says which C struct the node is, so the cast of its arm holds.
                unsafe {
                    match (*node).type_ {
                        #(#arms)*
                        _ => {}
                    }
                }
            }
        }
    }
}
