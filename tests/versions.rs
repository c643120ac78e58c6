//! The calls of each version, versions side by side, and the choice at run time.

mod common;

each_version!(parts, script, verbs);

use pg_ast::Version;

#[cfg(all(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18"))]
mod together {
    use pg_ast::{DeparseOptions, Version};

    /// One statement of each version from 16 on that the version before does not know.
    const NEW: [(u32, &str); 3] = [
        (16, "SELECT JSON_ARRAY(1 NULL ON NULL)"),
        (17, "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE RETURNING *"),
        (18, "DELETE FROM t RETURNING WITH (OLD AS o) o.a"),
    ];

    #[test]
    fn each_version_has_its_own_grammar_on_any_thread() {
        assert_eq!(Version::ALL, [Version::Pg15, Version::Pg16, Version::Pg17, Version::Pg18]);
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
                        // Trees of all versions at once.
                        let sql = "SELECT a FROM t WHERE b = 'x'";
                        let trees = (
                            pg_ast::pg15::parse(sql).unwrap(),
                            pg_ast::pg16::parse(sql).unwrap(),
                            pg_ast::pg17::parse(sql).unwrap(),
                            pg_ast::pg18::parse(sql).unwrap(),
                        );
                        assert_eq!(pg_ast::pg15::deparse(&trees.0).unwrap(), sql);
                        assert_eq!(pg_ast::pg16::deparse(&trees.1).unwrap(), sql);
                        assert_eq!(pg_ast::pg17::deparse(&trees.2).unwrap(), sql);
                        assert_eq!(pg_ast::pg18::deparse(&trees.3).unwrap(), sql);
                    }
                });
            }
        });
    }
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
