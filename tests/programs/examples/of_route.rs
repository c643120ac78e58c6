//! Tests the servers to which the example `route` sends statements.

use super::route;

/// `keys` are those of the table `a`; `None` is every shard.
#[track_caller]
fn goes(sql: &str, writes: bool, keys: Option<&[&str]>) {
    let (found, values) =
        route::route(sql, "a", "tenant_id").unwrap_or_else(|error| panic!("{sql}: {error}"));
    let values = values.map(|values| values.into_iter().collect::<Vec<_>>());
    let keys = keys.map(|keys| keys.iter().map(ToString::to_string).collect());
    assert_eq!((found, values), (writes, keys), "{sql}");
}

#[test]
fn to_the_shards_of_a_condition() {
    goes("SELECT * FROM a WHERE tenant_id = 42 AND b", false, Some(&["42"]));
    goes("SELECT * FROM a WHERE $1 = a.tenant_id", false, Some(&["$1"]));
    goes("SELECT * FROM a WHERE tenant_id = '4''2'::text", false, Some(&["'4''2'"]));
    goes("SELECT * FROM a WHERE tenant_id IN (1, $2)", false, Some(&["$2", "1"]));
    goes("SELECT * FROM a WHERE tenant_id = 1 OR tenant_id = 2", false, Some(&["1", "2"]));
    goes("UPDATE a SET b = 1 WHERE tenant_id = 12345678901", true, Some(&["12345678901"]));
    goes("DELETE FROM a WHERE b AND (c AND tenant_id = $1)", true, Some(&["$1"]));
    goes(
        "SELECT * FROM a WHERE tenant_id = 1 UNION SELECT * FROM a WHERE tenant_id = 2",
        false,
        Some(&["1", "2"]),
    );
    goes("WITH x AS (DELETE FROM a WHERE tenant_id = 1 RETURNING b) SELECT 1", true, Some(&["1"]));
    goes("SELECT * FROM a WHERE tenant_id = 1 FOR UPDATE", true, Some(&["1"]));
    goes("EXPLAIN SELECT * FROM a WHERE tenant_id = 1", false, Some(&["1"]));
}

#[test]
fn functions_may_write() {
    goes("SELECT lower(b) FROM a WHERE tenant_id = 1", false, Some(&["1"]));
    goes("SELECT nextval('s') FROM a WHERE tenant_id = 1", true, Some(&["1"]));
    goes("SELECT own_function(b) FROM a WHERE tenant_id = 1", true, Some(&["1"]));
    goes("SET search_path = b", true, None);
}

#[test]
fn to_the_shards_of_the_rows() {
    goes("INSERT INTO a (b, tenant_id) VALUES (1, 2), (3, $1)", true, Some(&["$1", "2"]));
    goes("INSERT INTO a (tenant_id) SELECT 1", true, Some(&["1"]));
    goes("INSERT INTO a VALUES (1)", true, None);
    goes("INSERT INTO b VALUES (1)", true, Some(&[]));
}

#[test]
fn what_is_not_known_goes_everywhere() {
    goes("SELECT * FROM a", false, None);
    goes("SELECT * FROM a WHERE tenant_id > 1", false, None);
    goes("SELECT * FROM a WHERE tenant_id = 1 OR b", false, None);
    goes("SELECT * FROM a WHERE NOT tenant_id = 1", false, None);
    goes("SELECT * FROM a WHERE tenant_id = b", false, None);
    goes("SELECT * FROM a, b WHERE b.tenant_id = 1", false, None);
    goes("UPDATE a SET tenant_id = 9 WHERE tenant_id = 3", true, None);
    goes("SELECT * FROM a WHERE tenant_id = ANY ($1)", false, None);
    goes("SELECT * FROM a WHERE tenant_id = 1; TRUNCATE b", true, None);
    goes("MERGE INTO a USING b ON b.tenant_id = 1 WHEN MATCHED THEN DELETE", true, None);
}
