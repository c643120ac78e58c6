//! `FromRaw` and `FromNode`: C to Rust.
//!
//! Names of variables begin with two underscores: a constant of the user's with the name of a variable would be a pattern
//! that it has to match.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Ident, Lifetime, Path, parse_quote};

use crate::model::{
    MappedConstants, MappedField, MappedNode, MappedNodes, MappedOther, MappedStruct, MappedType,
    Mapping,
};
use crate::names::{ends, last, own, sibling, tag_of};

pub(crate) fn expand(model: &Mapping) -> TokenStream {
    match &model.mapped {
        MappedType::Struct(data) => structure(model, data),
        MappedType::Enumeration(data) => enumeration(model, data),
        MappedType::Nodes(data) => nodes(model, data),
    }
}

/// Returns the lifetime of the C tree: the type's own, or any. A field is read with this lifetime and no other, so that what
/// borrows from the tree does not outlive it.
fn lifetime(model: &Mapping) -> Lifetime {
    model.lifetime.cloned().unwrap_or_else(|| Lifetime::new("'tree", Span::mixed_site()))
}

/// Returns the generics of the impls, which include that lifetime.
fn generics(model: &Mapping) -> Generics {
    let mut generics = model.generics.clone();
    if model.lifetime.is_none() {
        let lifetime = lifetime(model);
        generics.params.push(parse_quote!(#lifetime));
    }
    generics
}

fn structure(model: &Mapping, data: &MappedStruct) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    let (tree, generics) = (lifetime(model), generics(model));
    let (impl_generics, _, bounds) = generics.split_for_impl();
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let fields = data.fields.iter().map(|field| write_field(model, field));
    let idents = data.fields.iter().map(|field| field.ident);
    let exhaustive = (!data.partial).then(|| exhaustive(model, data));
    let internal = data.untagged.map(|untagged| internal(untagged.span()));
    let of_node = data.untagged.is_none().then(|| of_node(model));
    quote_spanned! {Span::mixed_site()=>
        // SAFETY: `write_raw` writes each field.
        #[automatically_derived]
        unsafe impl #impl_generics #krate::FromRaw<#tree, #raw> for #ident #ty_generics #bounds {
            #[inline]
            unsafe fn from_raw(
                __raw: *const #raw,
                __cx: &mut #krate::FromRawContext,
            ) -> Self {
                // SAFETY: the caller guarantees `__raw`.
                unsafe { #krate::FromRawContext::value(__cx, __raw) }
            }

            // All structs in the frame of one function would end the stack of an engine for WebAssembly after some hundred
            // levels.
            #[cfg_attr(not(target_family = "wasm"), inline)]
            #[cfg_attr(target_family = "wasm", inline(never))]
            unsafe fn write_raw(
                __raw: *const #raw,
                __place: *mut Self,
                __cx: &mut #krate::FromRawContext,
            ) {
                #internal
                // SAFETY:
                // - the caller guarantees `__raw`: it points to an initialised C struct, which
                //   nobody writes to meanwhile. So does each pointer to one of its fields.
                // - the fields point into the same tree, which the caller
                //   guarantees as well.
                // - the caller also guarantees `__place`, which contains the fields.
                // - the patterns, which read nothing, list all fields: those of Rust, even if another macro has
                //   changed the struct, and those of C.
                // - the functions are methods of the context, and of the trait that this implements: if `crate` leads to
                //   others, the context's type is not the one in the signature of the trait's method.
                unsafe {
                    #(#fields)*
                    let Self { #(#idents: _,)* } = *__place;
                    #exhaustive
                }
            }
        }

        #of_node
    }
}

/// Reads the struct as a node, which its tag says it is.
fn of_node(model: &Mapping) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    let node = sibling(raw, "Node");
    let node_tag = sibling(raw, "NodeTag");
    let tag = tag_of(raw);
    let (tree, generics) = (lifetime(model), generics(model));
    let (impl_generics, _, bounds) = generics.split_for_impl();
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let write = quote_spanned! {own(tag.span())=>
        #krate::FromRawContext::write_tagged::<Self, #raw, { #node_tag::#tag.0 }>(
            __cx, __node, __place,
        )
    };
    quote_spanned! {Span::mixed_site()=>
        // SAFETY: `write_tagged` writes to the place.
        #[automatically_derived]
        unsafe impl #impl_generics #krate::FromNode<#tree, #node> for #ident #ty_generics #bounds {
            #[inline]
            unsafe fn write_node(
                __node: *const #node,
                __place: *mut ::core::option::Option<Self>,
                __cx: &mut #krate::FromRawContext,
            ) {
                // SAFETY: the caller guarantees `__node` and `__place`.
                unsafe { #write }
            }
        }
    }
}

/// Asks for a trait that is implemented in this crate alone: the attribute says what nothing can check.
fn internal(at: Span) -> TokenStream {
    quote_spanned!(own(at)=> __cx.internal::<Self>();)
}

/// Casts a node to the struct of its tag: the only cast in derived code.
///
/// The context's type is the one in the signature of the trait's method, whatever `krate` is. A pattern has compared the tag. (`==` would not do: with an enum of the user's own in place of
/// `NodeTag`, its implementation would be the user's, too.)
fn whole(krate: &Path, raw: &Path, node_tag: &Path, tag: &Ident) -> TokenStream {
    quote_spanned! {own(tag.span())=>
        #krate::FromRawContext::tagged::<#raw, { #node_tag::#tag.0 }>(__node)
    }
}

// Fields are written in place, and are no value before all are written: drops for a panic would be half of the code.
fn write_field(model: &Mapping, field: &MappedField) -> TokenStream {
    let (krate, tree) = (&model.krate, lifetime(model));
    let MappedField { ident, ty, .. } = *field;
    // The compiler shows a mistake from the first to the last token of the place.
    let [first, last_of_ty] = ends(ty);
    let Some(c_name) = field.c_name else {
        return quote_spanned! {first=>
            (&raw mut (*__place).#ident).write(::core::default::Default::default());
        };
    };
    let mut shown = ident.clone();
    shown.set_span(last_of_ty);
    let to = quote_spanned!(first=> &raw mut (*__place).#shown);
    let from = quote_spanned!(own(c_name.span())=> &raw const (*__raw).#c_name);
    // What a list holds and how long an array is, C does not say: these functions are for this crate's own tables.
    // Without the feature `plpgsql`, there are none, so that the message is that of `internal`.
    if let Some(items) = field.items {
        let internal = internal(last(items).span());
        return quote_spanned! {own(last(items).span())=>
            #internal
            (#to).write(__cx.items::<'_, #tree, Self, #ty, #items, _>(#from));
        };
    }
    if let Some(count) = field.count {
        let internal = internal(count.span());
        return quote_spanned! {own(count.span())=>
            #internal
            (#to).write(__cx.array::<'_, #tree, Self, #ty, _>((*__raw).#count, #from));
        };
    }
    match field.enumeration {
        Some(enumeration) => quote_spanned! {first=>
            (#to).write(<#enumeration as #krate::FromRaw<#tree, _>>::from_raw(#from, __cx) as #ty);
        },
        None if field.location => quote_spanned! {first=>
            (#to).write(__cx.location(*(#from)));
        },
        // By a method that infers both types, so that a message about them has both.
        None => quote_spanned!(first=> __cx.field::<'_, #tree, _, _>(#from, #to);),
    }
}

/// A pattern without `..`: a C field that is neither mapped nor skipped does not compile.
fn exhaustive(model: &Mapping, data: &MappedStruct) -> TokenStream {
    let raw = model.raw;
    // Last, and with the span of the macro call; otherwise the compiler suggests adding fields to the path.
    let header = model
        .header_unmapped(data)
        .map(|header| Ident::new(&header.to_string(), Span::call_site()));
    let mapped = data.fields.iter().filter_map(|field| field.c_name);
    // Several arrays may have one length.
    let mut counts: Vec<_> = data.fields.iter().filter_map(|field| field.count).collect();
    counts.sort_unstable();
    counts.dedup();
    let names = mapped.chain(counts).chain(data.skip_raw).chain(&header);
    // The pattern carries the span of the C path, where the reader has to look; in a pattern of the macro's, the
    // compiler would not name the fields that are missing.
    let from = quote_spanned!(own(raw.span())=> *__raw);
    quote_spanned!(raw.span()=> let #raw { #(#names: _,)* } = #from;)
}

fn enumeration(model: &Mapping, data: &MappedConstants) -> TokenStream {
    let Mapping { ident, krate, raw, .. } = model;
    let MappedConstants { constants, other } = data;
    let (tree, generics) = (lifetime(model), generics(model));
    let arms = constants.iter().filter_map(|constant| {
        let variant = constant.ident;
        let c_name = constant.c_name?;
        Some(quote_spanned! {Span::mixed_site()=>
            #raw::#c_name => ::core::option::Option::Some(Self::#variant)
        })
    });
    let first = constants[0].ident;
    let name = last(raw).to_string();
    let rest = match other {
        Some(other) => quote!(::core::option::Option::Some(Self::#other)),
        None => quote!(::core::option::Option::None),
    };
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #krate::__private::FromConstant<#raw> for #ident {
            #[inline]
            fn from_constant(__raw: #raw) -> ::core::option::Option<Self> {
                match __raw {
                    #(#arms,)*
                    _ => #rest,
                }
            }
        }

        // SAFETY: the trait's own `write_raw`.
        #[automatically_derived]
        unsafe impl #generics #krate::FromRaw<#tree, #raw> for #ident {
            #[inline]
            unsafe fn from_raw(
                __raw: *const #raw,
                __cx: &mut #krate::FromRawContext,
            ) -> Self {
                // SAFETY: the caller guarantees `__raw`: it points to an initialised C enum, and
                // every value of its integer type is a value of the newtype.
                let __value = unsafe { *__raw };
                match <Self as #krate::__private::FromConstant<#raw>>::from_constant(__value) {
                    ::core::option::Option::Some(__constant) => __constant,
                    ::core::option::Option::None => {
                        __cx.unmapped_constant(#name, ::core::convert::From::from(__value.0));
                        Self::#first
                    }
                }
            }
        }
    }
}

fn nodes(model: &Mapping, data: &MappedNodes) -> TokenStream {
    let Mapping { ident, krate, raw, header, .. } = model;
    let (tree, generics) = (lifetime(model), generics(model));
    let (impl_generics, _, bounds) = generics.split_for_impl();
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let node_tag = model.tags.cloned().unwrap_or_else(|| sibling(raw, "NodeTag"));
    let internal = model.tags.map(|tags| internal(last(tags).span()));
    // Each arm writes its value, since one write of their result would move it.
    let arms = data.nodes.iter().map(|MappedNode { ident, ty, raw, tag, .. }| {
        let whole = whole(krate, raw, &node_tag, tag);
        quote_spanned! {own(ty.span())=>
            #node_tag::#tag => __place.write(::core::option::Option::Some(Self::#ident(
                <#ty as #krate::FromRaw<#tree, #raw>>::from_raw(#whole, __cx),
            )))
        }
    });
    let (rest, of_cells) = match &data.other {
        Some(other) => of_other(model, other),
        None => {
            let none =
                quote_spanned!(Span::mixed_site()=> __place.write(::core::option::Option::None));
            (none, TokenStream::new())
        }
    };
    quote_spanned! {Span::mixed_site()=>
        // SAFETY: every arm writes to the place.
        #[automatically_derived]
        unsafe impl #impl_generics #krate::FromNode<#tree, #raw> for #ident #ty_generics #bounds {
            unsafe fn write_node(
                __node: *const #raw,
                __place: *mut ::core::option::Option<Self>,
                __cx: &mut #krate::FromRawContext,
            ) {
                #internal
                // SAFETY:
                // - the caller guarantees `__node`: it points to an initialised node, so its tag
                //   can be read.
                // - the tag says which C struct the node is: `tagged` requires `Tagged`, an unsafe
                //   trait that guarantees that the struct of an arm is the one of its tag.
                // - the caller also guarantees `__place`.
                unsafe {
                    match (*__node) #(.#header)* {
                        #(#arms,)*
                        _ => #rest,
                    }
                }
            }

            #of_cells
        }
    }
}

/// Returns what writes a node without a variant of its own, and the methods for cells that are no nodes.
fn of_other(
    model: &Mapping,
    MappedOther { ident, ty }: &MappedOther,
) -> (TokenStream, TokenStream) {
    let (krate, raw, tree) = (&model.krate, model.raw, lifetime(model));
    let some = quote!(::core::option::Option::Some(Self::#ident));
    let Some(ty) = ty else {
        let of_cells = quote_spanned! {Span::mixed_site()=>
            fn from_null() -> ::core::option::Option<Self> {
                #some
            }

            unsafe fn from_number(
                _: *const ::core::ffi::c_int,
            ) -> ::core::option::Option<Self> {
                #some
            }
        };
        return (quote_spanned!(Span::mixed_site()=> __place.write(#some)), of_cells);
    };
    let reader = quote_spanned!(own(ty.span())=> <#ty as #krate::FromNode<#tree, #raw>>);
    let map = quote!(::core::option::Option::map);
    let of_cells = quote_spanned! {Span::mixed_site()=>
        fn from_null() -> ::core::option::Option<Self> {
            #map(#reader::from_null(), Self::#ident)
        }

        unsafe fn from_number(
            __number: *const ::core::ffi::c_int,
        ) -> ::core::option::Option<Self> {
            // SAFETY: the same condition, which the caller guarantees.
            #map(unsafe { #reader::from_number(__number) }, Self::#ident)
        }
    };
    let write = quote_spanned! {Span::mixed_site()=>
        __place.write(#map(#reader::from_node(__node, __cx), Self::#ident))
    };
    (write, of_cells)
}
