//! Tests the results of the examples.

use std::collections::HashMap;

use super::{null_rule, own_tree, rename_column, rewrite};

#[track_caller]
fn becomes(sql: &str, expected: &str) {
    let renames = HashMap::from([("users".to_owned(), "accounts".to_owned())]);
    let (text, _) = rewrite::rewrite(sql, "tenant_id", &renames).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(text, expected);
    // PostgreSQL accepts it.
    pg_ast::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
}

#[track_caller]
fn is_refused(sql: &str) {
    let refused = rewrite::rewrite(sql, "tenant_id", &HashMap::new());
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn each_table_is_filtered() {
    becomes("SELECT * FROM a", "SELECT * FROM a WHERE a.tenant_id = $1");
    becomes("SELECT 1", "SELECT 1");
    becomes(
        "SELECT * FROM s.a x, b WHERE x.id = b.id OR b.id = $3",
        "SELECT * FROM s.a x, b WHERE (x.id = b.id OR b.id = $3) AND x.tenant_id = $4 AND b.tenant_id = $4",
    );
    becomes(
        "SELECT * FROM a JOIN b USING (id) CROSS JOIN c",
        "SELECT * FROM a JOIN b USING (id) CROSS JOIN c WHERE a.tenant_id = $1 AND b.tenant_id = $1 AND c.tenant_id = $1",
    );
    becomes(
        "SELECT (SELECT max(x) FROM a) FROM (SELECT * FROM b) t WHERE EXISTS (SELECT FROM c)",
        "SELECT (SELECT max(x) FROM a WHERE a.tenant_id = $1) FROM (SELECT * FROM b WHERE b.tenant_id = $1) t WHERE EXISTS (SELECT FROM c WHERE c.tenant_id = $1)",
    );
    becomes(
        "SELECT x FROM a UNION ALL SELECT y FROM b",
        "SELECT x FROM a WHERE a.tenant_id = $1 UNION ALL SELECT y FROM b WHERE b.tenant_id = $1",
    );
}

#[test]
fn outer_joins_keep_their_rows() {
    becomes(
        "SELECT * FROM a LEFT JOIN b ON a.id = b.id",
        "SELECT * FROM a LEFT JOIN (SELECT * FROM b WHERE b.tenant_id = $1) b ON a.id = b.id WHERE a.tenant_id = $1",
    );
    becomes(
        "SELECT * FROM a x FULL JOIN b USING (id)",
        "SELECT * FROM (SELECT * FROM a x WHERE x.tenant_id = $1) x FULL JOIN (SELECT * FROM b WHERE b.tenant_id = $1) b USING (id)",
    );
    becomes(
        "SELECT * FROM a RIGHT JOIN (b JOIN c USING (id)) USING (id)",
        "SELECT * FROM (SELECT * FROM a WHERE a.tenant_id = $1) a RIGHT JOIN (b JOIN c USING (id)) USING (id) WHERE b.tenant_id = $1 AND c.tenant_id = $1",
    );
    becomes(
        "SELECT * FROM (a JOIN b USING (id)) AS j",
        "SELECT * FROM ((SELECT * FROM a WHERE a.tenant_id = $1) a JOIN (SELECT * FROM b WHERE b.tenant_id = $1) b USING (id) ) j",
    );
    becomes(
        "SELECT * FROM a TABLESAMPLE system (10)",
        "SELECT * FROM a TABLESAMPLE system(10) WHERE a.tenant_id = $1",
    );
    becomes(
        "SELECT * FROM b LEFT JOIN a TABLESAMPLE system (10) ON true",
        "SELECT * FROM b LEFT JOIN (SELECT * FROM a TABLESAMPLE system(10) WHERE a.tenant_id = $1) a ON true WHERE b.tenant_id = $1",
    );
}

#[test]
fn names_of_a_with_are_no_tables() {
    becomes(
        "WITH a AS (SELECT * FROM a), c AS (SELECT * FROM a) SELECT * FROM a, s.a z, c",
        "WITH a AS (SELECT * FROM a WHERE a.tenant_id = $1), c AS (SELECT * FROM a) SELECT * FROM a, s.a z, c WHERE z.tenant_id = $1",
    );
    becomes(
        "WITH RECURSIVE r AS (SELECT 1 UNION SELECT x FROM r, b) SELECT * FROM r",
        "WITH RECURSIVE r AS (SELECT 1 UNION SELECT x FROM r, b WHERE b.tenant_id = $1) SELECT * FROM r",
    );
    becomes(
        "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) t, a",
        "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) t, a WHERE a.tenant_id = $1",
    );
}

#[test]
fn update_and_delete_are_filtered() {
    becomes("DELETE FROM a", "DELETE FROM a WHERE a.tenant_id = $1");
    becomes(
        "UPDATE a SET x = (SELECT max(y) FROM b) FROM c WHERE a.id = c.id",
        "UPDATE a SET x = (SELECT max(y) FROM b WHERE b.tenant_id = $1) FROM c WHERE a.id = c.id AND a.tenant_id = $1 AND c.tenant_id = $1",
    );
    becomes(
        "DELETE FROM a x USING b WHERE x.id = b.id RETURNING x.id",
        "DELETE FROM a x USING b WHERE x.id = b.id AND x.tenant_id = $1 AND b.tenant_id = $1 RETURNING x.id",
    );
    becomes(
        "WITH gone AS (DELETE FROM a RETURNING id) SELECT * FROM gone",
        "WITH gone AS (DELETE FROM a WHERE a.tenant_id = $1 RETURNING id) SELECT * FROM gone",
    );
}

#[test]
fn tables_are_renamed() {
    becomes(
        "SELECT users.id FROM users WHERE active FOR UPDATE OF users",
        "SELECT users.id FROM accounts users WHERE active AND users.tenant_id = $1 FOR UPDATE OF users",
    );
    becomes("SELECT u.id FROM users u", "SELECT u.id FROM accounts u WHERE u.tenant_id = $1");
    becomes("DELETE FROM users", "DELETE FROM accounts users WHERE users.tenant_id = $1");
}

#[test]
fn what_is_not_known_is_refused() {
    is_refused("SELECT FROM FROM");
    is_refused("INSERT INTO a VALUES (1)");
    is_refused("SELECT 1; TRUNCATE a");
    is_refused("SELECT * INTO b FROM a");
    is_refused("WITH x AS (INSERT INTO a VALUES (1) RETURNING id) SELECT * FROM x");
    is_refused("DELETE FROM a WHERE CURRENT OF cursor");
    is_refused("SELECT * FROM a AS x (tenant_id, y)");
    is_refused("EXPLAIN SELECT * FROM a");
}

#[test]
fn deep_joins_are_rewritten() {
    let joins = " CROSS JOIN a".repeat(1_000);
    let (text, param) =
        rewrite::rewrite(&format!("SELECT FROM a{joins}"), "tenant_id", &HashMap::new())
            .expect("known");
    assert_eq!(param, 1);
    assert_eq!(text.matches("a.tenant_id = $1").count(), 1_001);
}

#[track_caller]
fn renamed(sql: &str, expected: &str) {
    let (text, _) =
        rename_column::rename(sql, "user_id", "Author").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(text, expected);
}

#[test]
fn columns_are_renamed_wherever_they_are_named() {
    renamed(
        "CREATE TABLE posts (user_id int /* user_id */, PRIMARY KEY (user_id));\nCOMMENT ON COLUMN posts.user_id IS 'user_id';",
        "CREATE TABLE posts (\"Author\" int /* user_id */, PRIMARY KEY (\"Author\"));\nCOMMENT ON COLUMN posts.\"Author\" IS 'user_id';",
    );
    renamed(
        "select  P.USER_ID as user_id -- user_id\nfrom posts p join users u using (user_id) where user_id in (1)",
        "select  P.\"Author\" as user_id -- user_id\nfrom posts p join users u using (\"Author\") where \"Author\" in (1)",
    );
    renamed(
        "INSERT INTO posts (user_id) VALUES (1) ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id",
        "INSERT INTO posts (\"Author\") VALUES (1) ON CONFLICT (\"Author\") DO UPDATE SET \"Author\" = excluded.\"Author\"",
    );
    renamed(
        "ALTER TABLE posts ALTER user_id SET NOT NULL; GRANT SELECT (user_id) ON posts TO user_id",
        "ALTER TABLE posts ALTER \"Author\" SET NOT NULL; GRANT SELECT (\"Author\") ON posts TO user_id",
    );
    renamed("SELECT user_id() FROM user_id", "SELECT user_id() FROM user_id");
}

#[test]
fn comparisons_with_null_are_found_and_mended() {
    let sql = "DELETE FROM t\nWHERE seen = NULL AND (a OR NULL <> b) -- odd";
    let (found, fixed) = null_rule::check(sql).expect("parses");
    assert_eq!(found, ["2:7: seen = NULL is never true", "2:29: NULL <> b is never true"]);
    assert_eq!(fixed, "DELETE FROM t\nWHERE seen IS NULL AND (a OR b IS NOT NULL) -- odd");
    let (found, fixed) =
        null_rule::check("SELECT 1 FROM t WHERE a IS NULL AND b = 1").expect("parses");
    assert_eq!((found, fixed.as_str()), (Vec::new(), "SELECT 1 FROM t WHERE a IS NULL AND b = 1"));
}

#[track_caller]
fn routed(sql: &str, kind: &'static str, tables: &[&str], values: Option<&[&str]>) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let values = values.map(|values| owned(values).into_iter().collect());
    let expected = own_tree::Route { kind, tables: owned(tables), values };
    let routes = own_tree::routes(sql, "id").unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!(routes, [expected], "{sql}");
}

#[test]
fn a_router_reads_its_own_types() {
    routed("SELECT FROM a, s.b WHERE id = 1", "select", &["a", "b"], Some(&["1"]));
    routed(
        "SELECT FROM a x JOIN b USING (c) WHERE $1 = x.id AND d",
        "select",
        &["a", "b"],
        Some(&["$1"]),
    );
    routed(
        "SELECT FROM a WHERE id IN (1, $2) OR id = 'x'",
        "select",
        &["a"],
        Some(&["$2", "'x'", "1"]),
    );
    routed("UPDATE a SET b = 1 WHERE (c OR d) AND id = 2", "update", &["a"], Some(&["2"]));
    routed("INSERT INTO a (b, id) VALUES (1, 2), (3, $1)", "insert", &["a"], Some(&["$1", "2"]));
    // What is not known for certain.
    routed("SELECT FROM a WHERE id = 1 OR b", "select", &["a"], None);
    routed("SELECT FROM a WHERE NOT id = 1", "select", &["a"], None);
    routed("SELECT FROM a WHERE id NOT IN (1)", "select", &["a"], None);
    routed("SELECT FROM a WHERE id = f()", "select", &["a"], None);
    routed("SELECT FROM a, (SELECT 1) b WHERE id = 1", "select", &["a"], None);
    routed("WITH a AS (SELECT FROM b) SELECT FROM a WHERE id = 1", "select", &["a"], None);
    routed("SELECT FROM a WHERE id = 1 UNION SELECT FROM b", "select", &[], None);
    routed("INSERT INTO a (id) SELECT 1", "insert", &["a"], None);
    routed("INSERT INTO a VALUES (1)", "insert", &["a"], None);
    routed("LISTEN a", "other", &[], None);
}
