//! The impls that all messages of a tree share: `codegen/messages.rs` writes a call of `message!` for each message, and one
//! of `oneof!` for each enum of nodes.
//!
//! A message has a table of its fields and their places, an enum of nodes the way to the node in it. The operations on
//! both are compiled once, for all messages: comparison, `Debug`, size, walks, Protobuf. Only what makes a value of the
//! type (`Clone`, `Default`) has code of its own. The derives of the standard library and of prost would write code for
//! each type, and need a stack as deep as the tree.
//!
//! `message` is a name of the place of the call: the module of a version with the traits.

/// A row is a field: its names in Rust and in JSON, the function of the table for its type, its numbers; its name again
/// after `+`, if it owns memory; the accessors of the constant that it holds, if it holds one.
macro_rules! message {
    ([$message:ty] $label:literal $json:ident $defaults:ident $(
        $field:ident $field_label:literal $field_json:literal [$($function:tt)+] $numbers:tt
        $(+ $owned:ident)? $(($get:ident $set:ident $enumeration:ty))?;
    )*) => {
        /// The constants in its fields.
        impl $message {$($(
            #[doc = concat!(
                "The constant in `", $field_label, "`; the default one if there is none of that number."
            )]
            #[inline]
            pub fn $get(&self) -> $enumeration {
                <$enumeration>::try_from(self.$field).unwrap_or_default()
            }

            #[doc = concat!("Sets `", $field_label, "`.")]
            #[inline]
            pub fn $set(&mut self, value: $enumeration) {
                self.$field = value as i32;
            }
        )?)*}

        // SAFETY: the rows are the fields, and the functions of the table ask for their types; the pattern in `detach`
        // has all of them.
        unsafe impl message::Message for $message {
            // Some messages have no fields.
            #[allow(unused_unsafe, unused_variables)]
            fn table(&self) -> &'static message::MessageTable {
                const {
                    let whole = ::core::mem::MaybeUninit::<$message>::uninit();
                    let place = whole.as_ptr();
                    // SAFETY: `place` is memory of the message, and so of its fields. Nothing is read.
                    let parts = unsafe {
                        [$(message::$($function)+(place, &raw const (*place).$field)),*]
                    };
                    let names = [$(($field_label, $field_json)),*];
                    &message::MessageTable::new::<$message>($label, names, [$($numbers),*], parts)
                }
            }
        }

        impl message::OwnedMessage for $message {
            type Message = Self;
        }

        // SAFETY: each field is detached, unless it is a number, which has no row with a `+`: the table has asked for its
        // type. The pattern, which reads nothing, has all fields.
        unsafe impl message::Detach for $message {
            unsafe fn detach(place: *mut u8) {
                // SAFETY: the caller guarantees the message, and so its fields.
                unsafe {
                    let place = place.cast::<Self>();
                    $($(message::detach(&raw mut (*place).$owned);)?)*
                    let Self { $($field: _,)* } = *place;
                }
            }
        }

        impl Clone for $message {
            #[inline]
            fn clone(&self) -> Self {
                message::cloned(self)
            }
        }

        impl PartialEq for $message {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                message::equals(self, other)
            }
        }

        impl ::core::fmt::Debug for $message {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                message::debug(self, f)
            }
        }

        impl message::HeapSize for $message {
            #[inline]
            fn heap_size(&self) -> usize {
                message::heap_size(self)
            }
        }

        impl Default for $message {
            #[inline]
            fn default() -> Self {
                $crate::convert::message_impls::defaults!($defaults $($field)*)
            }
        }

        impl message::ProstMessage for $message {
            fn encode_raw(&self, buf: &mut impl message::BufMut) {
                message::encode_into(self, buf);
            }

            fn merge_field(
                &mut self,
                number: u32,
                wire_type: message::WireType,
                buf: &mut impl message::Buf,
                _: message::DecodeContext,
            ) -> Result<(), message::DecodeError> {
                message::merge_from(self, number, wire_type, buf)
            }

            #[inline]
            fn encoded_len(&self) -> usize {
                message::encoded_len(self)
            }

            #[inline]
            fn encode_to_vec(&self) -> Vec<u8> {
                message::encode(self)
            }

            #[inline]
            fn clear(&mut self) {
                message::clear(self);
            }
        }

        $crate::convert::message_impls::json! { $json $message }
    };
}
pub(crate) use message;

macro_rules! defaults {
    (constant $($field:ident)*) => { Self { $($field: message::ConstDefault::DEFAULT,)* } };
    // A map cannot be made at compile time.
    (computed $($field:ident)*) => { Self { $($field: Default::default(),)* } };
}
pub(crate) use defaults;

/// Both directions are compiled where they are called, once per format.
#[cfg(feature = "serde")]
macro_rules! json {
    (plain $message:ty) => {};
    (json $message:ty) => {
        impl message::Serialize for $message {
            fn serialize<S: message::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                message::serialize(self, serializer)
            }
        }

        impl<'de> message::Deserialize<'de> for $message {
            fn deserialize<D: message::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                message::deserialize(deserializer)
            }
        }
    };
}
#[cfg(not(feature = "serde"))]
macro_rules! json {
    ($json:ident $message:ty) => {};
}
pub(crate) use json;

/// The indexes in the order of the names in JSON; and a row for each variant: its index, its names in Rust and in JSON, its number, a
/// `*` if it is a box, the function that makes an empty one, the message in the box.
macro_rules! oneof {
    ([$oneof:ty] [$($by_json:literal),*] $(
        $index:literal $variant:ident $json:literal $number:literal
        [$($box:tt)?] $empty:ident $($boxed:ty)?;
    )*) => { const _: () = {
        static VARIANTS: &[message::Variant] = &[$(message::Variant {
            name: stringify!($variant),
            json: if cfg!(feature = "serde") { $json } else { "" },
            number: $number,
            boxed: 0 $(+ ::core::mem::size_of::<$boxed>())?,
        }),*];

        impl message::Oneof for $oneof {
            const VARIANTS: &'static [message::Variant] = VARIANTS;
            const BY_JSON: &'static [usize] = &[$($by_json),*];

            fn message(&self) -> (&'static message::Variant, &message::DynMessage) {
                let (index, message): (usize, &message::DynMessage) = match self {
                    $(Self::$variant(node) => ($index, &*$($box)? node),)*
                };
                (&VARIANTS[index], message)
            }

            fn message_mut(&mut self) -> &mut message::DynMessage {
                match self { $(Self::$variant(node) => &mut *$($box)? node,)* }
            }

            fn content(&mut self) -> *mut u8 {
                match self { $(Self::$variant(node) => ::core::ptr::from_mut(node).cast(),)* }
            }

            fn with_number(number: u32) -> Option<Self> {
                Some(match number {
                    $($number => Self::$variant(message::$empty()),)*
                    _ => return None,
                })
            }
        }

        // SAFETY: the message that the variant holds is detached, or copied.
        unsafe impl message::Detach for $oneof {
            unsafe fn detach(place: *mut u8) {
                // SAFETY: the same conditions, which the caller guarantees.
                unsafe { message::detach_oneof(place.cast::<Self>()) }
            }
        }

        impl Clone for $oneof {
            fn clone(&self) -> Self {
                message::cloned(self)
            }
        }
    }; };
}
pub(crate) use oneof;
