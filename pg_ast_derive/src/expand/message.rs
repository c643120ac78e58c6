//! `Message`: the code that all messages of the tree share.
//!
//! For a struct, it writes a table of its fields and their places; for an enum of nodes, the way to
//! the node in it. The operations on both are compiled once, for all messages: comparison,
//! `Debug`, size, walks, Protobuf. Only what makes a value of the type (`Clone`, `Default`) has code of
//! its own.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, Path, PathArguments, PathSegment, Type};

use crate::model::{Message, Numbered, Parts};

pub(crate) fn expand(model: &Message) -> TokenStream {
    match &model.parts {
        Parts::Fields(fields) => structure(model, fields),
        Parts::Nodes(nodes) => oneof(model, nodes),
    }
}

fn structure(model: &Message, fields: &[Numbered]) -> TokenStream {
    let Message { ident: message, tree, .. } = model;
    let parts: Vec<_> = fields.iter().map(|field| part(tree, field)).collect();
    let names = fields.iter().map(|field| {
        let (name, json) = (field.ident.unraw().to_string(), field.json.as_deref());
        let json = json.unwrap_or_default();
        quote!((#name, #json))
    });
    let numbers = fields.iter().map(numbers);
    let accessors: Vec<_> = fields
        .iter()
        .filter_map(|field| Some(accessors(field.ident, field.enumeration?)))
        .collect();
    let accessors = (!accessors.is_empty()).then(|| quote!(impl #message { #(#accessors)* }));
    let name = message.unraw().to_string();
    let standard = standard(model, fields);
    let serde = model.json.then(|| serde(model));
    quote! {
        #accessors

        // SAFETY: the derive sees the fields, each with its type.
        #[automatically_derived]
        unsafe impl #tree::Message for #message {
            fn table(&self) -> &'static #tree::MessageTable {
                const {
                    let whole = ::core::mem::MaybeUninit::<#message>::uninit();
                    let message = whole.as_ptr();
                    // SAFETY: `message` points to memory of the message, and so to its fields. Nothing is read.
                    let parts = unsafe { [#(#parts),*] };
                    &#tree::MessageTable::new::<#message>(#name, [#(#names),*], [#(#numbers),*], parts)
                }
            }
        }

        #[automatically_derived]
        impl #tree::OwnedMessage for #message {
            type Message = Self;
        }

        #standard
        #serde
    }
}

/// The type and the place of a field in the table.
///
/// The functions for a type that many fields have take less memory than the one for any type. The compiler checks the type.
fn part(tree: &Path, field: &Numbered) -> TokenStream {
    let Numbered { ident, ty, enumeration, .. } = field;
    let function = match enumeration {
        Some(path) => quote!(constant::<#path, _>),
        None => common_type(ty),
    };
    quote_spanned!(ty.span()=> #tree::#function(message, &raw const (*message).#ident))
}

/// The forms of a field in JSON, which the table has as numbers from 1 on.
const FORMS: [&str; 4] = ["UnlessDefault", "Always", "Signed", "Unsigned"];

/// The numbers of a field in the table: its first and its last one in Protobuf, its kind of place in the SQL,
/// and its form in JSON.
fn numbers(field: &Numbered) -> TokenStream {
    let Numbered { ident, numbers, json, json_form, .. } = field;
    let name = ident.unraw().to_string();
    let place = match name.as_str() {
        "location" | "stmt_location" => 1,
        "stmt_len" => 3,
        name if ["_location", "list_start", "list_end"].iter().any(|end| name.ends_with(end)) => 2,
        _ => 0,
    };
    let form = json_form.map_or(0, |form| {
        // The table refuses a number that has no form.
        FORMS.iter().position(|it| form == it).unwrap_or(FORMS.len())
    });
    let form = if json.is_some() { form + 1 } else { 0 };
    let [first, last] = [numbers.first(), numbers.last()].map(Option::<&u32>::copied);
    let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
    let numbers = [first, last, place, u32::try_from(form).unwrap_or(0)];
    let numbers = numbers.map(proc_macro2::Literal::u32_unsuffixed);
    quote!((#(#numbers),*))
}

/// Returns the function for a type.
fn common_type(ty: &Type) -> TokenStream {
    let is_boxed_node = |ty| inside(ty, "Box").is_some_and(|ty| is(ty, "Node"));
    if is(ty, "bool") {
        quote!(flag)
    } else if is(ty, "i32") {
        quote!(number)
    } else if is(ty, "String") {
        quote!(text)
    } else if inside(ty, "Option").is_some_and(is_boxed_node) {
        quote!(node)
    } else if inside(ty, "Vec").is_some_and(|ty| is(ty, "Node")) {
        quote!(nodes)
    } else {
        quote!(other)
    }
}

/// Both directions are compiled where they are called, once per format.
fn serde(model: &Message) -> TokenStream {
    let Message { ident, tree, .. } = model;
    quote! {
        #[automatically_derived]
        impl #tree::Serialize for #ident {
            fn serialize<S: #tree::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                #tree::serialize(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> #tree::Deserialize<'de> for #ident {
            fn deserialize<D: #tree::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                #tree::deserialize(deserializer)
            }
        }
    }
}

/// Foreign traits: by the table, except for `Clone` and `Default`.
fn standard(model: &Message, fields: &[Numbered]) -> TokenStream {
    let Message { ident, tree, .. } = model;
    let idents: Vec<_> = fields.iter().map(|field| field.ident).collect();
    // The table asks for these very types.
    let owns_nothing = |field: &&Numbered| is(field.ty, "bool") || is(field.ty, "i32");
    let detached = fields.iter().filter(|field| !owns_nothing(field)).map(|field| field.ident);
    // A map cannot be made at compile time.
    let defaults = fields.iter().map(|field| {
        if is(field.ty, "HashMap") {
            quote!(Default::default())
        } else {
            quote!(#tree::ConstDefault::DEFAULT)
        }
    });
    quote! {
        // SAFETY: each field is detached, unless it is a number: the pattern, which reads nothing, has all of them.
        #[automatically_derived]
        unsafe impl #tree::Detach for #ident {
            unsafe fn detach(place: *mut u8) {
                // SAFETY: the caller guarantees the message, and so its fields.
                unsafe {
                    let place = place.cast::<Self>();
                    #(#tree::detach(&raw mut (*place).#detached);)*
                    let Self { #(#idents: _,)* } = *place;
                }
            }
        }

        #[automatically_derived]
        impl Clone for #ident {
            #[inline]
            fn clone(&self) -> Self { #tree::cloned(self) }
        }

        #[automatically_derived]
        impl PartialEq for #ident {
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
        impl Default for #ident {
            #[inline]
            fn default() -> Self {
                Self { #(#idents: #defaults,)* }
            }
        }

        #[automatically_derived]
        impl #tree::ProstMessage for #ident {
            fn encode_raw(&self, buf: &mut impl #tree::BufMut) {
                #tree::encode_into(self, buf);
            }
            fn merge_field(
                &mut self,
                number: u32,
                wire_type: #tree::WireType,
                buf: &mut impl #tree::Buf,
                _: #tree::DecodeContext,
            ) -> Result<(), #tree::DecodeError> {
                #tree::merge_from(self, number, wire_type, buf)
            }
            #[inline]
            fn encoded_len(&self) -> usize { #tree::encoded_len(self) }
            #[inline]
            fn encode_to_vec(&self) -> Vec<u8> { #tree::encode(self) }
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

fn oneof(model: &Message, nodes: &[Numbered]) -> TokenStream {
    let Message { ident, tree, .. } = model;
    let names: Vec<_> = nodes.iter().map(|node| node.ident).collect();
    let numbers = nodes.iter().map(|node| node.numbers.first());
    let numbers: Vec<_> = numbers.collect();
    let boxes = nodes.iter().map(|node| match unboxed(node.ty) {
        Some(message) => quote!(::core::mem::size_of::<#message>()),
        None => quote!(0),
    });
    let labels = names.iter().map(|name| name.unraw().to_string());
    let json: Vec<_> = nodes.iter().map(|node| node.json.clone().unwrap_or_default()).collect();
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
    // The table is nobody else's.
    quote! { const _: () = {
        static VARIANTS: &[#tree::Variant] = &[
                #(#tree::Variant { name: #labels, json: #json, number: #numbers, boxed: #boxes },)*
            ];

            #[automatically_derived]
            impl #tree::Oneof for #ident {
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
                    unsafe { #tree::detach_oneof(place.cast::<Self>()) }
                }
            }

            #[automatically_derived]
            impl ::core::clone::Clone for #ident {
                fn clone(&self) -> Self { #tree::cloned(self) }
            }
    }; }
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
