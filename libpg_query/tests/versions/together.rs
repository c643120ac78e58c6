//! All versions in one program, on several threads at once: they do not share state.

/// A statement of each version from 16 on that the previous version rejects.
const NEW: [(u32, &str); 3] = [
    (16, "SELECT JSON_ARRAY(1 NULL ON NULL)"),
    (17, "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE RETURNING *"),
    (18, "DELETE FROM t RETURNING WITH (OLD AS o) o.a"),
];

macro_rules! each_knows_its_own {
    ($($variant:ident $version:ident $name:literal $variable:literal $major:literal;)*) => {$(
        #[cfg(feature = $name)]
        for (since, sql) in NEW {
            use crate::$version::version::calls::{deparse, options, parse};
            let known = parse(sql, &options(), |parse| {
                parse.error.is_null() && deparse(parse.stmts).is_ok()
            });
            assert_eq!(known, $major >= since, "{}: {sql}", $name);
        }
    )*};
}

#[test]
fn versions_know_nothing_of_each_other() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    libpg_query::for_each_version! { [each_knows_its_own!] }
                }
            });
        }
    });
}

macro_rules! majors {
    ($($variant:ident $version:ident $name:literal $variable:literal $major:literal;)*) => {
        [$($major),*]
    };
}

#[test]
fn rows_are_in_order() {
    let all: &[u32] = &libpg_query::for_each_version!([majors!]);
    let since_17: &[u32] = &libpg_query::for_each_version!(since 17 [majors!]);
    assert!(all.is_sorted() && since_17.is_sorted());
    assert_eq!((all[0], since_17[0]), (15, 17));
    assert!(all.ends_with(since_17));
}
