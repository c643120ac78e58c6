//! The tests of `tests/version/`, once for each PostgreSQL version that is enabled, all linked into
//! one program.

macro_rules! each_version {
    ($($version:ident $name:literal $archive:literal $include:literal)*) => {$(
        #[cfg(feature = $name)]
        #[path = "version"]
        #[allow(clippy::duplicate_mod)]
        mod $version {
            use libpg_query::$version as pg;

            const NAME: &str = $name;
            const ARCHIVE: &str = env!($archive);
            const INCLUDE: &str = env!($include);

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

each_version! {
    pg15 "pg15" "LIBPG_QUERY_PG15_ARCHIVE" "LIBPG_QUERY_PG15_INCLUDE"
    pg16 "pg16" "LIBPG_QUERY_PG16_ARCHIVE" "LIBPG_QUERY_PG16_INCLUDE"
    pg17 "pg17" "LIBPG_QUERY_PG17_ARCHIVE" "LIBPG_QUERY_PG17_INCLUDE"
    pg18 "pg18" "LIBPG_QUERY_PG18_ARCHIVE" "LIBPG_QUERY_PG18_INCLUDE"
}
