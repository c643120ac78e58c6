//! The impls that prost derives for an enumeration, without the dependencies of its derives.

use core::fmt::{self, Debug as _};

/// Implements for an enumeration, whose constants follow with their numbers, what `prost::Enumeration` derives.
///
/// None of it is compiled unless it is called.
macro_rules! enumeration {
    ($name:ident: $first_number:literal $first:ident $(, $number:literal $constant:ident)* $(,)?) => {
        impl $name {
            /// Returns whether a constant has this number.
            #[allow(clippy::manual_range_patterns)]
            #[inline]
            #[must_use]
            pub const fn is_valid(value: i32) -> bool {
                matches!(value, $first_number $(| $number)*)
            }

            /// Returns the constant with this number.
            #[deprecated = "use the `TryFrom<i32>` implementation instead"]
            #[inline]
            #[must_use]
            pub fn from_i32(value: i32) -> Option<Self> {
                Self::try_from(value).ok()
            }
        }

        /// The first constant.
        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self::$first
            }
        }

        impl From<$name> for i32 {
            #[inline]
            fn from(constant: $name) -> Self {
                constant as Self
            }
        }

        impl TryFrom<i32> for $name {
            type Error = ::prost::UnknownEnumValue;

            #[inline]
            fn try_from(value: i32) -> Result<Self, Self::Error> {
                Ok(match value {
                    $first_number => Self::$first,
                    $($number => Self::$constant,)*
                    _ => return Err(::prost::UnknownEnumValue(value)),
                })
            }
        }
    };
}
pub(crate) use enumeration;

/// An enumeration, with its table.
pub(crate) trait NamedEnum: Into<i32> + TryFrom<i32> {
    const CONSTANTS: &'static Constants;
}

/// Returns the name of a constant in the schema.
pub(crate) fn name<E: NamedEnum>(constant: E) -> &'static str {
    E::CONSTANTS.name(constant.into()).unwrap_or_default()
}

/// Returns the constant with this name in the schema, if there is one.
pub(crate) fn with_name<E: NamedEnum>(name: &str) -> Option<E> {
    E::try_from(E::CONSTANTS.number(name)?).ok()
}

/// The table of an enumeration, for code that works with any of them.
pub(crate) struct Constants {
    #[cfg(feature = "serde")]
    pub(crate) enumeration: &'static str,
    /// In the order of their numbers.
    pub(crate) all: &'static [Constant],
}

pub(crate) struct Constant {
    pub(crate) number: i32,
    /// The name of the variant in Rust.
    pub(crate) variant: &'static str,
    /// The name in C and in JSON.
    pub(crate) name: &'static str,
}

impl Constants {
    pub(crate) const fn new(
        #[allow(unused_variables)] enumeration: &'static str,
        all: &'static [Constant],
    ) -> Self {
        let mut index = 1;
        while index < all.len() {
            assert!(all[index - 1].number < all[index].number);
            index += 1;
        }
        Self {
            #[cfg(feature = "serde")]
            enumeration,
            all,
        }
    }

    fn constant(&self, number: i32) -> Option<&'static Constant> {
        // Most enumerations are numbered from 0 on, without gaps.
        let guess = usize::try_from(number).ok().and_then(|index| self.all.get(index));
        guess.filter(|constant| constant.number == number).or_else(|| {
            let found = self.all.binary_search_by_key(&number, |constant| constant.number);
            self.all.get(found.ok()?)
        })
    }

    /// Prints the constant with a number, or the number if there is none, as prost does.
    pub(crate) fn debug(&self, number: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant(number) {
            Some(constant) => f.write_str(constant.variant),
            None => number.fmt(f),
        }
    }

    /// Returns the bytes of the C name of the constant with a number; none if there is no such constant.
    pub(crate) fn name_bytes(&self, number: i32) -> &'static [u8] {
        self.constant(number).map_or(&[], |constant| constant.name.as_bytes())
    }

    /// Returns the C name of the constant with a number, if there is one.
    pub(crate) fn name(&self, number: i32) -> Option<&'static str> {
        Some(self.constant(number)?.name)
    }

    /// Returns the number of the constant with a C name, if there is one.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let mut constants = self.all.iter();
        let found = constants.find(|constant| constant.name == name);
        found.map(|constant| constant.number)
    }
}

/// The same for an enumeration of a version, whose constants have their names in the schema as well; and what prost-build
/// writes for these.
macro_rules! named {
    ($enumeration:ident: $($number:literal $constant:ident $name:literal),* $(,)?) => {
        crate::convert::enumeration::enumeration! { $enumeration: $($number $constant),* }

        impl crate::convert::enumeration::NamedEnum for $enumeration {
            const CONSTANTS: &'static crate::convert::enumeration::Constants = {
                use crate::convert::enumeration::{Constant, Constants};
                &Constants::new(
                    stringify!($enumeration),
                    &[$(Constant {
                        number: $number,
                        variant: stringify!($constant),
                        name: $name,
                    }),*],
                )
            };
        }

        impl $enumeration {
            /// String value of the enum field names used in the ProtoBuf definition.
            ///
            /// The values are not transformed in any way and thus are considered stable
            /// (if the ProtoBuf definition does not change) and safe for programmatic use.
            #[inline]
            pub fn as_str_name(&self) -> &'static str {
                crate::convert::enumeration::name(*self)
            }

            /// Creates an enum from field names used in the ProtoBuf definition.
            #[inline]
            pub fn from_str_name(value: &str) -> Option<Self> {
                crate::convert::enumeration::with_name(value)
            }
        }
    };
}
pub(crate) use named;
