//! PostgreSQL versions as values, for programs that choose one at run time.

use core::fmt;
use core::str::FromStr;

use crate::foundation::arena;
use crate::foundation::stack;

/// The items that follow from the list of versions.
macro_rules! versions {
    // `$d` is a dollar sign, for the macros in it.
    ($d:tt $($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        /// Calls a function of the version's module.
        macro_rules! of_version {
            ($d version:expr, $d($d function:ident)::+ ($d($d argument:expr),*)) => {
                match $d version {
                    $(
                        #[cfg(feature = $feature)]
                        Version::$variant => crate::$module::$d($d function)::+ ($d($d argument),*),
                    )*
                }
            };
        }

        $(
            /// Code for the version, if its feature is on: it is for [`with_version!`](crate::with_version).
            #[cfg(feature = $feature)]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $module {
                ($d($d code:tt)*) => {
                    $d($d code)*
                };
            }
            #[cfg(not(feature = $feature))]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $module {
                ($d($d code:tt)*) => {};
            }
        )*

        $(
            /// Calls a macro with the name of the newest enabled version, for crates that are compiled once per version as well.
            #[cfg(pg_ast_newest = $feature)]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! newest_version {
                ($d called:ident) => {
                    $d called! { $module }
                };
            }
        )*

        /// Runs code with the module of a [`Version`](crate::Version) that is chosen at run time.
        ///
        /// The code is compiled once for each enabled version, with that version's module under the given name.
        /// All versions have the same calls, but each has its own types, so the code has to return
        /// a type that does not depend on the version. The modules of the crates above this one follow it:
        /// `with_version!(version, pg, pg_ast_syntax as syntax => syntax::parse(sql)?.to_string())`.
        ///
        /// ```
        /// use pg_ast::{Version, with_version};
        ///
        /// /// The number of joins.
        /// fn joins(version: Version, sql: &str) -> Result<usize, pg_ast::Error> {
        ///     with_version!(version, pg => {
        ///         let tree = pg::parse(sql)?;
        ///         Ok(tree.nodes().filter(|node| matches!(node, pg::NodeRef::JoinExpr(_))).count())
        ///     })
        /// }
        ///
        /// for &version in Version::ALL {
        ///     assert_eq!(joins(version, "SELECT 1 FROM a JOIN b USING (c), d")?, 1);
        /// }
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[macro_export]
        macro_rules! with_version {
            ($d version:expr, $d pg:ident $d(, $d layer:ident as $d name:ident)* => $d code:expr) => {{
                let version: $d crate::Version = $d version;
                // A `match`, since its arms cannot be macros.
                'version: {
                    $(
                        $d crate::$module! {
                            if version == $d crate::Version::$variant {
                                #[allow(unused_imports)]
                                use $d crate::$module as $d pg;
                                $d(use $d layer::$module as $d name;)*
                                break 'version $d code;
                            }
                        }
                    )*
                    ::core::unreachable!("all versions are above")
                }
            }};
        }

        /// An enabled PostgreSQL version, for calls that choose the version at run time.
        ///
        /// A tree is a type of its version, so the calls that return one are in that version's module
        /// (`pg_ast::pg18::parse`). The calls here return text, numbers and names, which are the same for all versions.
        ///
        /// Only enabled versions have a variant.
        ///
        /// ```
        /// use pg_ast::{DeparseOptions, Version};
        ///
        /// let version = Version::newest();
        /// assert_eq!(version.reformat("select  1", DeparseOptions::default())?, "SELECT 1");
        /// assert_eq!(version.to_string().parse(), Ok(version));
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Version {
            $(
                #[cfg(feature = $feature)]
                #[doc = concat!("PostgreSQL ", $major, ".")]
                $variant,
            )*
        }

        impl Version {
            /// The enabled versions, oldest first.
            pub const ALL: &[Self] = &[$(#[cfg(feature = $feature)] Self::$variant,)*];

            /// The major version: 18.
            #[must_use]
            pub const fn major(self) -> u32 {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => $major,)*
                }
            }

            /// The release that the parser is from, in the form of `server_version_num`: 180006 for 18.6.
            #[must_use]
            pub const fn server_version_num(self) -> u32 {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$variant => libpg_query::$module::PG_VERSION_NUM,
                    )*
                }
            }
        }
    };
}

libpg_query::for_each_version! { [versions!] $ }

mod calls;

impl Version {
    /// Returns the newest enabled version: the one at the crate's root.
    #[must_use]
    pub const fn newest() -> Self {
        Self::ALL[Self::ALL.len() - 1]
    }

    /// Returns the version of a server that reports this `server_version_num`; `None` if it is
    /// not enabled.
    ///
    /// ```
    /// use pg_ast::Version;
    ///
    /// # #[cfg(feature = "pg18")]
    /// assert_eq!(Version::from_server_version_num(18_00_03), Some(Version::Pg18));
    /// assert_eq!(Version::from_server_version_num(9_06_24), None);
    /// ```
    #[must_use]
    pub fn from_server_version_num(number: u32) -> Option<Self> {
        Self::from_major(number / 10_000)
    }

    pub(crate) fn from_major(major: u32) -> Option<Self> {
        Self::ALL.iter().copied().find(|version| version.major() == major)
    }
}

/// The major version: `18`.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.major().fmt(f)
    }
}

/// Reads a major version, `18` or `pg18`.
impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        let major = text.strip_prefix("pg").unwrap_or(text).parse();
        major.ok().and_then(Self::from_major).ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}

/// The error for a version that is unknown or not enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVersion(String);

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let versions: Vec<_> = Version::ALL.iter().map(ToString::to_string).collect();
        write!(f, "unknown PostgreSQL version {:?}; available: {}", self.0, versions.join(", "))
    }
}

impl std::error::Error for UnknownVersion {}

/// Gives back the memory that this thread keeps for its next call.
///
/// Calls do not take all of their memory from the system each time. Between two calls, a thread keeps at most 2 MiB
/// for all PostgreSQL versions together, 1 MiB for what `deparse` writes, and 256 KiB of a stack if its own was too
/// short. All of it is freed when the thread ends. This call frees it now, for a thread that lives on and will not parse
/// again soon. Trees are not affected; they own their memory.
///
/// ```
/// let tree = pg_ast::parse("SELECT 1")?;
/// pg_ast::release_memory();
/// assert_eq!(tree.deparse()?, "SELECT 1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub fn release_memory() {
    for version in Version::ALL {
        of_version!(version, release_memory());
    }
    arena::release();
    stack::release();
}
