//! What a server is asked for its own objects.

/// A query for the schema of a database, on PostgreSQL 15 to 18: SQL that defines it, in an order in which it runs.
///
/// Each row has one column, a text: mostly one statement, with the `;` behind it. All names are full, so the text does not depend on a
/// search path; joined by line breaks, it is the script of a catalog, which `pg_ast_names::define` reads and psql runs. The order
/// depends on the names alone, so two databases can be compared by their scripts. An extension that [`extensions`](crate::extensions())
/// knows is a `CREATE EXTENSION`; of others, the objects are described. What has no description is counted in comments at the end:
/// `-- Not described: 2 large objects`.
///
/// It only reads, and needs no privileges but `CONNECT`. The search path has to be empty before the server reads it, or it returns an
/// error: users could have functions with the names of those that it calls. So it runs in [a transaction](SCHEMA_TRANSACTION), in which
/// it is also planned so that its time is linear.
///
/// PostgreSQL locks what views, rules and the bodies of functions name (`ACCESS SHARE`), until the end of the transaction: the query waits
/// for a migration that changes such a table, and a database with more of them than the server has locks needs a higher
/// `max_locks_per_transaction`, as it does for `pg_dump`.
///
/// ```
/// use pg_ast_catalog::{SCHEMA_QUERY, SCHEMA_TRANSACTION};
///
/// // client.batch_execute(SCHEMA_TRANSACTION)?; client.query(SCHEMA_QUERY, &[])?; client.batch_execute("COMMIT")?
/// assert!(SCHEMA_TRANSACTION.contains("READ ONLY"));
/// assert_eq!(SCHEMA_QUERY.matches(';').last(), Some(";"));
/// assert!(SCHEMA_QUERY.trim_end().ends_with(r#"ORDER BY stage, pass, phase, sort COLLATE "C", line COLLATE "C";"#));
/// ```
pub const SCHEMA_QUERY: &str = concat!(
    include_str!("schema_query/settings.sql"),
    include_str!("schema_query/relations.sql"),
    include_str!("schema_query/tables.sql"),
    include_str!("schema_query/table_parts.sql"),
    include_str!("schema_query/types.sql"),
    include_str!("schema_query/functions.sql"),
    include_str!("schema_query/operators.sql"),
    include_str!("schema_query/text_search.sql"),
    include_str!("schema_query/servers.sql"),
    include_str!("schema_query/privileges.sql"),
    include_str!("schema_query/statements.sql"),
    include_str!("schema_query/order.sql"),
);

/// The statements that have to run before [`SCHEMA_QUERY`]; `COMMIT` ends what they begin.
///
/// PostgreSQL has no statistics of what the query joins, and expects few rows: nested loops would take time quadratic in the number of
/// objects, and to compile its many expressions takes longer than to run them. The text is in UTF-8, whatever the database is in.
///
/// ```
/// assert!(pg_ast_catalog::SCHEMA_TRANSACTION.starts_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"));
/// ```
pub const SCHEMA_TRANSACTION: &str = "\
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL search_path = '';
SET LOCAL client_encoding = 'UTF8';
SET LOCAL enable_nestloop = off;
SET LOCAL jit = off;
";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::SCHEMA_QUERY;

    #[test]
    fn the_query_names_the_extensions() {
        let (_, rest) = SCHEMA_QUERY.split_once("btrim('").expect("the list of extensions");
        let (list, _) = rest.split_once('\'').expect("its end");
        let named: BTreeSet<_> = list.split_whitespace().collect();
        let known = (15..=18).flat_map(crate::extensions).map(|extension| extension.name);
        assert_eq!(named, known.collect());
    }
}
