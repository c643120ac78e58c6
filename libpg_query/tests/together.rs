//! All versions in one program, on several threads at once: none sees another's state.

#![cfg(all(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18"))]

macro_rules! version {
    ($version:ident) => {
        #[path = "version"]
        #[allow(clippy::duplicate_mod)]
        mod $version {
            pub(super) use libpg_query::$version as pg;
            pub(super) mod calls;
        }
    };
}
version!(pg15);
version!(pg16);
version!(pg17);
version!(pg18);

/// One statement of each version from 16 on that the version before does not know.
const NEW: [&str; 3] = [
    "SELECT JSON_ARRAY(1 NULL ON NULL)",
    "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE RETURNING *",
    "DELETE FROM t RETURNING WITH (OLD AS o) o.a",
];

/// How many of them this version parses and prints.
macro_rules! known {
    ($version:ident) => {{
        use $version::calls::{deparse, options, parse};
        let known = |sql: &&str| {
            parse(sql, &options(), |parse| parse.error.is_null() && deparse(parse.stmts).is_ok())
        };
        NEW.iter().copied().filter(known).count()
    }};
}

#[test]
fn versions_know_nothing_of_each_other() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    assert_eq!(known!(pg15), 0);
                    assert_eq!(known!(pg18), 3);
                    assert_eq!(known!(pg16), 1);
                    assert_eq!(known!(pg17), 2);
                }
            });
        }
    });
}
