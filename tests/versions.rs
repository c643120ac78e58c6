//! What runs for each PostgreSQL version that is enabled (`tests/version/`), versions side by side, and the choice at run
//! time. One program has all of it, which is built in half of the time that a program for each file would take.
//!
//! ```text
//! cargo test --test versions                 # all of it
//! cargo test --test versions oracle          # one file
//! cargo test --test versions pg17::view::    # one file for one version, if its feature is on
//! ```

mod common;

/// All of them once more: rustfmt does not look into macros.
#[cfg(any())]
#[path = "version"]
mod version {
    mod accessors;
    mod analysis;
    mod c_route;
    mod digest;
    mod edits;
    mod expect;
    mod fields;
    mod heap_size;
    mod json;
    mod layouts;
    mod linear;
    mod lossy;
    mod make;
    mod maker;
    mod malformed;
    mod numbers;
    mod oracle;
    mod parts;
    mod plpgsql;
    mod ranges;
    mod ranges_again;
    mod recover;
    mod rewrite;
    mod scan_lossy;
    mod schema;
    mod script;
    mod summary;
    mod text;
    mod verbs;
    mod view;
    mod view_compact;
    mod view_encode;
    mod walk;
    mod walk_places;
}

each_version!(
    accessors,
    analysis,
    digest,
    edits,
    expect,
    fields,
    json,
    linear,
    lossy,
    make,
    oracle,
    parts,
    plpgsql,
    ranges,
    ranges_again,
    recover,
    rewrite,
    scan_lossy,
    script,
    text,
    verbs,
    view,
    view_compact,
    view_encode,
    walk,
    walk_places
);

/// What libpg_query has of its own since 17.
#[path = "."]
mod since_17 {
    crate::each_version!(since 17: layouts, summary);
}

use pg_ast::{DeparseOptions, Version};

/// One statement of each version from 16 on that the version before does not know.
const NEW: [(u32, &str); 3] = [
    (16, "SELECT JSON_ARRAY(1 NULL ON NULL)"),
    (17, "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE RETURNING *"),
    (18, "DELETE FROM t RETURNING WITH (OLD AS o) o.a"),
];

macro_rules! trees {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        /// Holds trees of all versions at once.
        fn trees_side_by_side(sql: &str) {
            $(
                #[cfg(feature = $feature)]
                let $module = pg_ast::$module::parse(sql).unwrap();
            )*
            $(
                #[cfg(feature = $feature)]
                assert_eq!(pg_ast::$module::deparse(&$module).unwrap(), sql);
            )*
        }
    };
}
libpg_query::for_each_version! { [trees!] }

#[test]
fn each_version_has_its_own_grammar_on_any_thread() {
    assert!(Version::ALL.is_sorted());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    for version in Version::ALL {
                        for (since, sql) in NEW {
                            let text = version.reformat(sql, &DeparseOptions::default());
                            assert_eq!(text.is_ok(), version.major() >= since, "{text:?}");
                        }
                    }
                    trees_side_by_side("SELECT a FROM t WHERE b = 'x'");
                }
            });
        }
    });
}

#[test]
fn versions_are_named() {
    for &version in Version::ALL {
        assert_eq!(version.server_version_num() / 10_000, version.major());
        assert_eq!(Version::from_server_version_num(version.server_version_num()), Some(version));
        assert_eq!(version.to_string().parse(), Ok(version));
        assert_eq!(format!("pg{version}").parse(), Ok(version));
        let tree = pg_ast::parse("SELECT 1").unwrap();
        assert_eq!(
            u32::try_from(tree.protobuf.version).unwrap(),
            Version::newest().server_version_num()
        );
    }
    let error = "9.6".parse::<Version>().unwrap_err().to_string();
    assert!(error.contains("no PostgreSQL version \"9.6\"; there is "), "{error}");
}

#[test]
fn splits_as_psql_does() {
    let script = r#"
SELECT 1; -- one; more
SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1;
/* ; /* ; */ ; */ SELECT (1; 2);
\set x 1
SELECT 2 \gset
BEGIN\; SELECT 3\; END;
COPY t FROM stdin;
1;2'
\.
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;
SELECT 4"#;
    let expected = [
        "SELECT 1;",
        "-- one; more\nSELECT ';', E'\\';', \"a;b\", $$;$$, $x$ ; $$ $x$, $1;",
        "/* ; /* ; */ ; */ SELECT (1; 2);",
        "SELECT 2",
        "BEGIN; SELECT 3; END;",
        "COPY t FROM stdin;",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;",
        "SELECT 4",
    ];
    assert_eq!(common::split::split(script), expected);
}
