//! `Message`: the code that all messages of the tree share.
//!
//! For a struct, it writes a table of its fields and their places; for an enum of nodes, the way to
//! the node in it. The operations on both are compiled once, for all messages: comparison,
//! `Debug`, size, walks, Protobuf. Only what makes a value of the type (`Clone`, `Default`) has code of
//! its own.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, Path, PathArguments, PathSegment, Type};

use crate::model::{Message, Numbered, Parts};

pub(crate) fn expand(model: &Message) -> TokenStream {
    let impls = match &model.parts {
        Parts::Fields(fields) => structure(model, fields),
        Parts::Nodes(nodes) => sum(model, nodes),
    };
    // The tables are nobody else's.
    quote! { const _: () = { #impls }; }
}

fn structure(model: &Message, fields: &[Numbered]) -> TokenStream {
    let Message { ident: message, tree, .. } = model;
    let mut names = String::new();
    let table: Vec<_> = fields.iter().map(|field| entry(tree, field, &mut names)).collect();
    let accessors = fields.iter().filter_map(|field| {
        field.enumeration.map(|enumeration| accessors(field.ident, enumeration))
    });
    let idents: Vec<_> = fields.iter().map(|field| field.ident).collect();
    let name = message.unraw().to_string();
    let count = fields.len();
    let standard = standard(model, &idents);
    let serde = model.json.then(|| serde(model));
    quote! {
        impl #message { #(#accessors)* }

        static FIELDS: [#tree::MessageField; #count] = {
            let whole = ::core::mem::MaybeUninit::<#message>::uninit();
            let __message = whole.as_ptr();
            // SAFETY: `__message` points to memory of the message, and so to its fields. Nothing is read.
            unsafe { [#(#table),*] }
        };
        static TABLE: #tree::MessageTable = #tree::MessageTable::new::<#message>(#name, #names, &FIELDS);

            // SAFETY: the derive sees the fields, each with its type.
            #[automatically_derived]
            unsafe impl #tree::Message for #message {
                fn table(&self) -> &'static #tree::MessageTable { &TABLE }
            }

            #[automatically_derived]
            impl #tree::Held for #message {
                type Message = Self;
            }

            #standard
            #serde
    }
}

/// The entry of a field in the table. Its names are appended to those of the other fields.
fn entry(tree: &Path, field: &Numbered, names: &mut String) -> TokenStream {
    let Numbered { ident, ty, numbers, enumeration, json, json_form } = field;
    let name = ident.unraw().to_string();
    let is_location = ["location", "stmt_location"].contains(&name.as_str());
    let location = is_location.then(|| quote!(.location()));
    let (first, last) = (unsuffixed(numbers.first()), unsuffixed(numbers.last()));
    let field_type = match enumeration {
        Some(path) => quote!(constant(<#path as #tree::Named>::CONSTANTS)),
        None => common_type(ty),
    };
    let name_place = place_of(&name, names);
    let in_json = json.map(|json| {
        let json = json.to_string();
        let place = if json == name { name_place.clone() } else { place_of(&json, names) };
        let form = json_form.cloned().unwrap_or_else(|| format_ident!("UnlessDefault"));
        quote!(.in_json(#place, #tree::Form::#form))
    });
    quote_spanned! {ty.span()=>
        #tree::MessageField::new(
            #name_place,
            (#first, #last),
            #tree::FieldType::<#ty>::#field_type,
            __message,
            &raw const (*__message).#ident,
        )
        #location
        #in_json
    }
}

/// The table has shorter numbers than Protobuf.
fn unsuffixed(number: Option<&u32>) -> Option<Literal> {
    number.map(|number| Literal::u32_unsuffixed(*number))
}

/// Appends a name, and returns its place: start and length.
fn place_of(name: &str, names: &mut String) -> TokenStream {
    let start = Literal::usize_unsuffixed(names.len());
    let length = Literal::usize_unsuffixed(name.len());
    names.push_str(name);
    quote!((#start, #length))
}

/// Returns the constant for a type that many fields have, which takes less memory than the one for any type. The compiler
/// checks it.
fn common_type(ty: &Type) -> TokenStream {
    let is_boxed_node = |ty| inside(ty, "Box").is_some_and(|ty| is(ty, "Node"));
    if is(ty, "bool") {
        quote!(BOOL)
    } else if is(ty, "i32") {
        quote!(I32)
    } else if is(ty, "String") {
        quote!(TEXT)
    } else if inside(ty, "Option").is_some_and(is_boxed_node) {
        quote!(NODE)
    } else if inside(ty, "Vec").is_some_and(|ty| is(ty, "Node")) {
        quote!(NODES)
    } else {
        quote!(OTHER)
    }
}

/// Both directions are compiled where they are called, once per format.
fn serde(model: &Message) -> TokenStream {
    let Message { ident, tree, .. } = model;
    quote! {
        #[automatically_derived]
        impl #tree::serde::Serialize for #ident {
            fn serialize<S: #tree::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                #tree::serialize(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> #tree::serde::Deserialize<'de> for #ident {
            fn deserialize<D: #tree::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                #tree::deserialize(deserializer)
            }
        }
    }
}

/// Foreign traits: by the table, except for `Clone` and `Default`.
fn standard(model: &Message, idents: &[&Ident]) -> TokenStream {
    let Message { ident, tree, .. } = model;
    quote! {
        // SAFETY: each field is detached: the pattern, which reads nothing, has all of them.
        #[automatically_derived]
        unsafe impl #tree::Detach for #ident {
            unsafe fn detach(place: *mut u8) {
                // SAFETY: the caller guarantees the message, and so its fields.
                unsafe {
                    let place = place.cast::<Self>();
                    #(#tree::detach(&raw mut (*place).#idents);)*
                    let Self { #(#idents: _,)* } = *place;
                }
            }
        }

        #[automatically_derived]
        impl ::core::clone::Clone for #ident {
            #[inline]
            fn clone(&self) -> Self { #tree::cloned(self) }
        }

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #ident {
            #[inline]
            fn eq(&self, other: &Self) -> bool { #tree::equals(self, other) }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for #ident {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #tree::debug(self, f)
            }
        }

        #[automatically_derived]
        impl #tree::HeapSize for #ident {
            #[inline]
            fn heap_size(&self) -> usize { #tree::heap_size(self) }
        }

        #[automatically_derived]
        impl ::core::default::Default for #ident {
            #[inline]
            fn default() -> Self {
                Self { #(#idents: ::core::default::Default::default(),)* }
            }
        }

        #[automatically_derived]
        impl #tree::prost::Message for #ident {
            fn encode_raw(&self, buf: &mut impl #tree::prost::bytes::BufMut) {
                buf.put_slice(&#tree::encode(self));
            }
            fn merge_field(
                &mut self,
                number: u32,
                wire_type: #tree::prost::encoding::WireType,
                buf: &mut impl #tree::prost::bytes::Buf,
                _: #tree::prost::encoding::DecodeContext,
            ) -> ::core::result::Result<(), #tree::prost::DecodeError> {
                #tree::merge_from(self, number, wire_type, buf)
            }
            #[inline]
            fn encoded_len(&self) -> usize { #tree::encoded_len(self) }
            #[inline]
            fn encode_to_vec(&self) -> ::std::vec::Vec<u8> { #tree::encode(self) }
            #[inline]
            fn clear(&mut self) { #tree::clear(self); }
        }
    }
}

/// Accessors between a constant's number and the constant, as in prost.
fn accessors(field: &Ident, enumeration: &Path) -> TokenStream {
    let name = field.unraw().to_string();
    let set = format_ident!("set_{name}");
    let get_doc =
        format!("The constant in `{name}`; the default one if there is none of that number.");
    let set_doc = format!("Sets `{name}`.");
    quote! {
        #[doc = #get_doc]
        #[inline]
        pub fn #field(&self) -> #enumeration {
            ::core::convert::TryFrom::try_from(self.#field).unwrap_or_default()
        }

        #[doc = #set_doc]
        #[inline]
        pub fn #set(&mut self, value: #enumeration) {
            self.#field = value as i32;
        }
    }
}

fn sum(model: &Message, nodes: &[Numbered]) -> TokenStream {
    let Message { ident, tree, .. } = model;
    let names: Vec<_> = nodes.iter().map(|node| node.ident).collect();
    let numbers = nodes.iter().map(|node| node.numbers.first());
    let numbers: Vec<_> = numbers.collect();
    let boxes = nodes.iter().map(|node| match unboxed(node.ty) {
        Some(message) => quote!(::core::mem::size_of::<#message>()),
        None => quote!(0),
    });
    let labels = names.iter().map(|name| name.unraw().to_string());
    let json: Vec<_> =
        nodes.iter().map(|node| node.json.map(ToString::to_string).unwrap_or_default()).collect();
    let mut by_json: Vec<_> = (0..nodes.len()).filter(|index| !json[*index].is_empty()).collect();
    by_json.sort_by_key(|index| &json[*index]);
    let indexes = 0..names.len();
    // A box is skipped: the trait object is the message in it.
    let reference = |node: &Numbered, mutable: &TokenStream| {
        if unboxed(node.ty).is_some() { quote!(&#mutable **node) } else { quote!(node) }
    };
    let shared = nodes.iter().map(|node| reference(node, &TokenStream::new()));
    let exclusive = nodes.iter().map(|node| reference(node, &quote!(mut)));
    // The standard library's impls for boxes are some hundred lines for each message.
    let defaults = nodes.iter().map(|node| {
        if unboxed(node.ty).is_some() {
            quote!(#tree::empty_box())
        } else {
            quote!(::core::default::Default::default())
        }
    });
    quote! {
        static VARIANTS: &[#tree::Variant] = &[
                #(#tree::Variant { name: #labels, json: #json, number: #numbers, boxed: #boxes },)*
            ];

            #[automatically_derived]
            impl #tree::Sum for #ident {
                const VARIANTS: &'static [#tree::Variant] = VARIANTS;
                const BY_JSON: &'static [usize] = &[#(#by_json),*];

                fn message(&self) -> (&'static #tree::Variant, &#tree::DynMessage) {
                    let (index, message): (usize, &#tree::DynMessage) = match self {
                        #(Self::#names(node) => (#indexes, #shared),)*
                    };
                    (&VARIANTS[index], message)
                }

                fn message_mut(&mut self) -> &mut #tree::DynMessage {
                    match self { #(Self::#names(node) => #exclusive,)* }
                }

                fn content(&mut self) -> *mut u8 {
                    match self { #(Self::#names(node) => ::core::ptr::from_mut(node).cast(),)* }
                }

                fn with_number(number: u32) -> ::core::option::Option<Self> {
                    ::core::option::Option::Some(match number {
                        #(#numbers => Self::#names(#defaults),)*
                        _ => return ::core::option::Option::None,
                    })
                }
            }

            // SAFETY: the message that the variant holds is detached, or copied.
            #[automatically_derived]
            unsafe impl #tree::Detach for #ident {
                unsafe fn detach(place: *mut u8) {
                    // SAFETY: the same conditions, which the caller guarantees.
                    unsafe { #tree::detach_sum(place.cast::<Self>()) }
                }
            }

            #[automatically_derived]
            impl ::core::clone::Clone for #ident {
                fn clone(&self) -> Self { #tree::cloned(self) }
            }
    }
}

fn unboxed(ty: &Type) -> Option<&Type> {
    inside(ty, "Box")
}

/// Returns whether a type has this name, wherever it is.
fn is(ty: &Type, name: &str) -> bool {
    last(ty).is_some_and(|last| last.ident == name)
}

/// Returns the `T` of `Box<T>`, or of another type with one argument.
fn inside<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    match &last(ty).filter(|last| last.ident == name)?.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

fn last(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last()
}
