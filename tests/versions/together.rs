//! Versions side by side, and the choice at run time.

use pg_ast::{DeparseOptions, Version};

/// A statement of each version from 16 on that the previous version rejects.
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

/// The table of what is in lists has no entry that is in no tree, and lacks none. `BLESS=1` writes it.
#[test]
#[cfg(all(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18"))]
fn the_table_of_items_is_what_all_versions_have() {
    use crate::common::list_items::{self, Items};
    use crate::{pg15, pg16, pg17, pg18};

    let mut all = Items::new();
    for found in [
        &*pg15::version::list_items::FOUND,
        &*pg16::version::list_items::FOUND,
        &*pg17::version::list_items::FOUND,
        &*pg18::version::list_items::FOUND,
    ] {
        for (field, types) in found {
            all.entry(field.clone()).or_default().extend(types.iter().cloned());
        }
    }
    for types in all.values_mut() {
        *types = list_items::shortened(types);
    }
    let lines = list_items::lines(&all);
    if std::env::var_os("BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/items.txt");
        std::fs::write(path, &lines).unwrap();
    } else {
        assert!(lines == list_items::TABLE, "other items: see the difference that BLESS=1 makes");
    }
}

#[test]
fn each_version_has_its_own_grammar_on_any_thread() {
    assert!(Version::ALL.is_sorted());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    for version in Version::ALL {
                        for (since, sql) in NEW {
                            let text = version.reformat(sql, DeparseOptions::default());
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
    assert!(error.contains("unknown PostgreSQL version \"9.6\"; available: "), "{error}");
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
    assert_eq!(crate::common::split::split(script), expected);
}
