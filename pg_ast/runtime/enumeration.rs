//! The impls that prost derives for an enumeration, without the dependencies of its derives.

use core::fmt::{self, Debug};

/// Implements for an enumeration, whose constants follow with their numbers, what `prost::Enumeration` derives.
///
/// None of it is compiled unless it is called.
macro_rules! enumeration {
    ($name:ident: $first_number:literal $first:ident $(, $number:literal $constant:ident)* $(,)?) => {
        const _: () = {
            assert!($name::$first as i32 == $first_number);
            $(assert!($name::$constant as i32 == $number);)*
        };

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

/// An enumeration with the names that prost-build wrote.
pub(crate) trait Named: Copy + Debug + 'static {
    const ALL: &'static [Self];
    /// The same as [`Constants`].
    const CONSTANTS: &'static Constants;

    #[cfg(feature = "serde")]
    fn name(self) -> &'static str;
}

/// An enumeration, for code that works with any of them.
pub(crate) struct Constants {
    /// In the order of the constants, which the functions take the index of.
    numbers: &'static [i32],
    debug: fn(usize, &mut fmt::Formatter<'_>) -> fmt::Result,
    #[cfg(feature = "serde")]
    name: fn(usize) -> &'static str,
    #[cfg(feature = "serde")]
    path: fn() -> &'static str,
}

impl Constants {
    pub(crate) const fn of<E: Named>(numbers: &'static [i32]) -> Self {
        Self {
            numbers,
            debug: |index, f| E::ALL[index].fmt(f),
            #[cfg(feature = "serde")]
            name: |index| E::ALL[index].name(),
            #[cfg(feature = "serde")]
            path: core::any::type_name::<E>,
        }
    }

    fn index(&self, number: i32) -> Option<usize> {
        self.numbers.iter().position(|other| *other == number)
    }

    /// Prints the constant with a number, or the number if there is none, as prost does.
    pub(crate) fn debug(&self, number: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index(number) {
            Some(index) => (self.debug)(index, f),
            None => number.fmt(f),
        }
    }
}

#[cfg(feature = "serde")]
impl Constants {
    /// Returns the C name of the constant with a number, if there is one.
    pub(crate) fn name(&self, number: i32) -> Option<&'static str> {
        self.index(number).map(self.name)
    }

    /// Returns the number of the constant with a name.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let mut named = self.numbers.iter().enumerate();
        named.find(|(index, _)| (self.name)(*index) == name).map(|(_, number)| *number)
    }

    /// Returns the name of the enumeration.
    pub(crate) fn enumeration(&self) -> &'static str {
        let path = (self.path)();
        path.rsplit_once("::").map_or(path, |(_, name)| name)
    }
}

/// Implements [`Named`] with the functions that prost-build writes.
macro_rules! named {
    ($name:ident: $($number:literal $constant:ident),* $(,)?) => {
        impl crate::runtime::enumeration::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$constant),*];
            const CONSTANTS: &'static crate::runtime::enumeration::Constants =
                &crate::runtime::enumeration::Constants::of::<Self>(&[$($number),*]);

            #[cfg(feature = "serde")]
            fn name(self) -> &'static str {
                self.as_str_name()
            }
        }
    };
}
pub(crate) use named;
