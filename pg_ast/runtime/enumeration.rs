//! What prost derives for an enumeration, without the packages that its derives take.

/// Implements for an enumeration, whose constants follow with their numbers, what `prost::Enumeration` derives.
///
/// Nothing of it is compiled before it is called.
macro_rules! enumeration {
    ($name:ident: $first_number:literal $first:ident $(, $number:literal $constant:ident)* $(,)?) => {
        const _: () = {
            assert!($name::$first as i32 == $first_number);
            $(assert!($name::$constant as i32 == $number);)*
        };

        impl $name {
            /// Whether a constant has that number.
            #[allow(clippy::manual_range_patterns)]
            #[inline]
            #[must_use]
            pub const fn is_valid(value: i32) -> bool {
                matches!(value, $first_number $(| $number)*)
            }

            /// The constant of a number.
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

/// The names of an enumeration's constants, as they are in C.
pub(crate) trait Named: Sized + TryFrom<i32> + Into<i32> {
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    fn name(self) -> &'static str;
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    fn by_name(name: &str) -> Option<Self>;
}

/// The name of a constant's number, if there is such a constant.
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
pub(crate) fn name_of<E: Named>(number: i32) -> Option<&'static str> {
    // No combinators: this is compiled for each enumeration.
    match E::try_from(number) {
        Ok(constant) => Some(constant.name()),
        Err(_) => None,
    }
}

/// Implements [`Named`] by what prost-build writes.
macro_rules! named {
    ($name:ident) => {
        impl crate::runtime::enumeration::Named for $name {
            fn name(self) -> &'static str {
                self.as_str_name()
            }

            fn by_name(name: &str) -> Option<Self> {
                Self::from_str_name(name)
            }
        }
    };
}
pub(crate) use named;
