//! `IntoRaw`: Rust to C.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Ident;

use crate::model::{
    MappedConstants, MappedField, MappedNode, MappedNodes, MappedStruct, MappedType, Mapping,
};
use crate::names::{ends, last, own, sibling, tag_of};

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
    let at_tag = own(tag.span());
    let site = Span::mixed_site();
    let mapped = data.fields.iter().filter_map(|field| into_field(model, field));
    let value = quote_spanned!(at_tag=> { #node_tag::#tag.0 });
    // Nothing here is unsafe: `crate` selects the context, which may be the user's own.
    let zeroes =
        |c_name: &Ident| quote_spanned!(site=> #c_name: __cx.zeroed::<#raw, #value>().#c_name);
    let skipped = data.skip_raw.iter().map(zeroes);
    // A struct only gets one of its own tags.
    let tag = quote_spanned!(at_tag=> <#raw as #krate::Tagged<#value>>::TAG);
    let header = &model.header;
    let assign = quote_spanned!(site=> __raw.#(#header).* = #tag;);
    let (init, assign) = match &header[..] {
        _ if model.header_unmapped(data).is_none() => (None, Some(assign)),
        [field] => (Some(quote_spanned!(site=> #field: #tag,)), None),
        // The tag is in a nested struct, whose type has not been named.
        path => {
            let zeroes = zeroes(&path[0]);
            (Some(quote_spanned!(site=> #zeroes,)), Some(assign))
        }
    };
    let value = quote_spanned!(site=> #raw { #init #(#mapped,)* #(#skipped,)* });
    let value = match assign {
        Some(assign) => quote_spanned!(site=> let mut __raw = #value; #assign __raw),
        None => value,
    };
    let complete = data.complete.map(|complete| {
        let name = last(raw).to_string();
        quote_spanned!(own(complete.span())=> __cx.complete(self, #name);)
    });
    quote_spanned! {site=>
        #[automatically_derived]
        impl #krate::IntoRaw<#raw> for &#ident {
            #[inline]
            #[allow(unused_variables)]
            fn into_raw(self, __cx: &mut #krate::IntoRawContext<'_>) -> #raw {
                #complete
                #value
            }
        }

        #[automatically_derived]
        impl #krate::IntoRaw<*mut #raw> for &#ident {
            #[inline]
            fn into_raw(self, __cx: &mut #krate::IntoRawContext<'_>) -> *mut #raw {
                __cx.node::<#ident, #raw>(self)
            }
        }
    }
}

fn into_field(model: &Mapping, field: &MappedField) -> Option<TokenStream> {
    let krate = &model.krate;
    let MappedField { ident, ty, .. } = field;
    let c_name = field.c_name?;
    let [first, _] = ends(ty);
    Some(if let Some(enumeration) = field.enumeration {
        quote_spanned! {first=>
            #c_name: <&#enumeration as #krate::IntoRaw<_>>::into_raw(
                // An unknown value is read as prost reads it: as the first variant. (`unwrap_or_default` is another
                // function to compile for each type.)
                &match <#enumeration as ::core::convert::TryFrom<#ty>>::try_from(self.#ident) {
                    ::core::result::Result::Ok(__constant) => __constant,
                    ::core::result::Result::Err(_) => ::core::default::Default::default(),
                },
                __cx,
            )
        }
    } else if field.not_null {
        quote_spanned!(first=> #c_name: __cx.c_string(&self.#ident))
    } else {
        quote_spanned! {first=>
            #c_name: <&#ty as #krate::IntoRaw<_>>::into_raw(&self.#ident, __cx)
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
        quote_spanned!(Span::mixed_site()=> #ident::#variant => #raw::#c_name)
    });
    quote_spanned! {Span::mixed_site()=>
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
        let [first, _] = ends(ty);
        quote_spanned! {first=>
            #ident::#variant(__node) => {
                <&#ty as #krate::IntoRaw<*mut #c_struct>>::into_raw(__node, __cx).cast::<#raw>()
            }
        }
    });
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #krate::IntoRaw<*mut #raw> for &#ident {
            fn into_raw(self, __cx: &mut #krate::IntoRawContext<'_>) -> *mut #raw {
                match self { #(#arms,)* }
            }
        }
    }
}
