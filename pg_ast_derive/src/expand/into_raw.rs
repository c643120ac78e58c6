//! `IntoRaw`: Rust to C.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use crate::model::{
    MappedConstants, MappedField, MappedNode, MappedNodes, MappedStruct, MappedType, Mapping,
};
use crate::names::{last, sibling, tag_of};

pub(crate) fn expand(model: &Mapping) -> TokenStream {
    match &model.mapped {
        MappedType::Struct(data) => structure(model, data),
        MappedType::Enumeration(constants) => enumeration(model, constants),
        MappedType::Nodes(data) => nodes(model, data),
    }
}

fn structure(model: &Mapping, data: &MappedStruct) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    let node_tag = sibling(raw, "NodeTag");
    let tag = tag_of(raw);
    let mapped = data.fields.iter().filter_map(|field| into_field(model, field));
    let value = quote_spanned!(tag.span()=> { #node_tag::#tag.0 });
    // Nothing here is unsafe: `crate` selects the context, which may be the user's own.
    let zeroes = |c_name: &Ident| quote!(#c_name: cx.zeroed::<#raw, #value>().#c_name);
    let skipped = data.skip_raw.iter().map(zeroes);
    // A struct only gets one of its own tags.
    let tag = quote_spanned!(tag.span()=> <#raw as #krate::Tagged<#value>>::TAG);
    let header = &model.header;
    let assign = quote!(raw.#(#header).* = #tag;);
    let (init, assign) = match &header[..] {
        _ if model.header_unmapped(data).is_none() => (None, Some(assign)),
        [field] => (Some(quote!(#field: #tag,)), None),
        // The tag is in a nested struct, whose type has not been named.
        path => {
            let zeroes = zeroes(&path[0]);
            (Some(quote!(#zeroes,)), Some(assign))
        }
    };
    let value = quote!(#raw { #init #(#mapped,)* #(#skipped,)* });
    let value = match assign {
        Some(assign) => quote!(let mut raw = #value; #assign raw),
        None => value,
    };
    let complete = data.complete.then(|| {
        let name = last(raw).to_string();
        quote! {
            if let ::core::option::Option::Some(field) = self.missing_field() {
                cx.incomplete(#name, field);
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #krate::IntoRaw<#raw> for &#ident {
            #[inline]
            #[allow(unused_variables)]
            fn into_raw(self, cx: &mut #krate::IntoRawContext<'_>) -> #raw {
                #complete
                #value
            }
        }

        #[automatically_derived]
        impl #krate::IntoRaw<*mut #raw> for &#ident {
            #[inline]
            fn into_raw(self, cx: &mut #krate::IntoRawContext<'_>) -> *mut #raw {
                cx.node::<#ident, #raw>(self)
            }
        }
    }
}

fn into_field(model: &Mapping, field: &MappedField) -> Option<TokenStream> {
    let krate = &model.krate;
    let MappedField { ident, ty, .. } = field;
    let c_name = field.c_name?;
    let place = quote_spanned!(c_name.span()=> #c_name);
    Some(if let Some(enumeration) = field.enumeration {
        quote_spanned! {ty.span()=>
            #place: <&#enumeration as #krate::IntoRaw<_>>::into_raw(
                // An unknown value is read as prost reads it: as the first variant. (`unwrap_or_default` is another
                // function to compile for each type.)
                &match <#enumeration as ::core::convert::TryFrom<#ty>>::try_from(self.#ident) {
                    ::core::result::Result::Ok(constant) => constant,
                    ::core::result::Result::Err(_) => ::core::default::Default::default(),
                },
                cx,
            )
        }
    } else if field.not_null {
        quote_spanned! {ty.span()=> #place: cx.c_string(&self.#ident) }
    } else {
        quote_spanned! {ty.span()=>
            #place: <&#ty as #krate::IntoRaw<_>>::into_raw(&self.#ident, cx)
        }
    })
}

fn enumeration(
    model: &Mapping,
    MappedConstants { constants, .. }: &MappedConstants,
) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    // A variant without a C constant becomes the first constant, as in libpg_query's own reader.
    let first = constants.iter().find_map(|constant| constant.c_name);
    let arms = constants.iter().map(|constant| {
        let variant = constant.ident;
        let c_name = constant.c_name.or(first);
        quote!(#ident::#variant => #raw::#c_name)
    });
    quote! {
        #[automatically_derived]
        impl #krate::IntoRaw<#raw> for &#ident {
            #[inline]
            fn into_raw(self, _: &mut #krate::IntoRawContext<'_>) -> #raw {
                match *self { #(#arms,)* }
            }
        }
    }
}

fn nodes(model: &Mapping, MappedNodes { nodes, .. }: &MappedNodes) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    let arms = nodes.iter().map(|MappedNode { ident: variant, ty, raw: c_struct, .. }| {
        quote_spanned! {ty.span()=>
            #ident::#variant(node) => {
                <&#ty as #krate::IntoRaw<*mut #c_struct>>::into_raw(node, cx).cast::<#raw>()
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #krate::IntoRaw<*mut #raw> for &#ident {
            fn into_raw(self, cx: &mut #krate::IntoRawContext<'_>) -> *mut #raw {
                match self { #(#arms,)* }
            }
        }
    }
}
