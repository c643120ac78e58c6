//! The tests of `tests/version/`, once for each PostgreSQL version that is enabled, all linked into
//! one program.

macro_rules! each_version {
    ($($variant:ident $version:ident $name:literal $variable:literal $major:literal;)*) => {$(
        #[cfg(feature = $name)]
        #[path = "version"]
        #[allow(clippy::duplicate_mod)]
        mod $version {
            use libpg_query::$version as pg;

            const NAME: &str = $name;
            const ARCHIVE: &str = env!(concat!("LIBPG_QUERY_", $variable, "_ARCHIVE"));
            const INCLUDE: &str = env!(concat!("LIBPG_QUERY_", $variable, "_INCLUDE"));

            /// The name where a literal is needed.
            macro_rules! name {
                () => {
                    $name
                };
            }

            mod calls;
            mod coexist;
            mod layout;
            mod smoke;
            mod symbols;
            mod threads;
        }
    )*};
}

/// All of them once more: rustfmt does not look into macros.
#[cfg(any())]
#[path = "version"]
mod version {
    mod calls;
    mod coexist;
    mod layout;
    mod smoke;
    mod symbols;
    mod threads;
}

libpg_query::for_each_version! { [each_version!] }
