//! Tests the servers to which the example `route` sends statements.

use super::route;

#[track_caller]
fn goes(sql: &str, writes: bool, keys: &[&str]) {
    let (found, values) =
        route::route(sql, "tenant_id").unwrap_or_else(|error| panic!("{sql}: {error}"));
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    assert_eq!((found, values), (writes, keys.to_vec()), "{sql}");
}

#[test]
fn to_the_shards_of_a_condition() {
    goes("SELECT * FROM a WHERE tenant_id = 42 AND b", false, &["42"]);
    goes("SELECT * FROM a WHERE $1 = a.tenant_id", false, &["$1"]);
    goes("SELECT * FROM a WHERE tenant_id = '4''2'::text", false, &["'4''2'"]);
    goes("SELECT * FROM a WHERE tenant_id IN (1, $2)", false, &["$2", "1"]);
    goes("SELECT * FROM a WHERE tenant_id = 1 OR tenant_id = 2", false, &["1", "2"]);
    goes("UPDATE a SET b = 1 WHERE tenant_id = 12345678901", true, &["12345678901"]);
    goes("DELETE FROM a WHERE b AND (c AND tenant_id = $1)", true, &["$1"]);
    goes(
        "SELECT * FROM a WHERE tenant_id = 1 UNION SELECT * FROM b WHERE tenant_id = 2",
        false,
        &["1", "2"],
    );
    goes("WITH x AS (DELETE FROM a WHERE tenant_id = 1 RETURNING b) SELECT 1", true, &["1"]);
    goes("SELECT * FROM a WHERE tenant_id = 1 FOR UPDATE", true, &["1"]);
}

#[test]
fn functions_may_write() {
    goes("SELECT lower(b) FROM a WHERE tenant_id = 1", false, &["1"]);
    goes("SELECT nextval('s') FROM a WHERE tenant_id = 1", true, &["1"]);
    goes("SELECT own_function(b) FROM a WHERE tenant_id = 1", true, &["1"]);
    goes("EXPLAIN SELECT * FROM a WHERE tenant_id = 1", false, &[]);
    goes("SET search_path = b", true, &[]);
}

#[test]
fn to_the_shards_of_the_rows() {
    goes("INSERT INTO a (b, tenant_id) VALUES (1, 2), (3, $1)", true, &["$1", "2"]);
    goes("INSERT INTO a (tenant_id) SELECT 1", true, &[]);
    goes("INSERT INTO a VALUES (1)", true, &[]);
}

#[test]
fn what_is_not_known_goes_everywhere() {
    goes("SELECT * FROM a", false, &[]);
    goes("SELECT * FROM a WHERE tenant_id > 1", false, &[]);
    goes("SELECT * FROM a WHERE tenant_id = 1 OR b", false, &[]);
    goes("SELECT * FROM a WHERE NOT tenant_id = 1", false, &[]);
    goes("SELECT * FROM a WHERE tenant_id = b", false, &[]);
    goes("SELECT * FROM a WHERE tenant_id = 1 AND b = (SELECT max(c) FROM d)", false, &[]);
    goes("SELECT * FROM a WHERE tenant_id = 1; TRUNCATE b", true, &[]);
    goes("MERGE INTO a USING b ON a.tenant_id = 1 WHEN MATCHED THEN DELETE", true, &[]);
}
