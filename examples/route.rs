//! Determines the destination of a statement, in a database whose table is sharded by a column: whether it only reads, and the
//! values of that column in the rows that it needs. What is not known for certain goes to every shard.
//!
//! ```text
//! cargo run -p pg_ast_examples --features effects,names --example route -- orders tenant_id "SELECT * FROM orders WHERE tenant_id = 42"
//! read, tenant_id = 42
//! ```

use std::collections::BTreeSet;

use pg_ast::{Error, QualifiedName, view};
use pg_ast_effects::{Effects, FindEffects as _};
use pg_ast_names::{ColumnValue, NoCatalog, column_values};

/// Returns whether SQL does more than read, and the values of its shards, as SQL; `None` means all of them. Without the table, there
/// are no values, and any shard will do.
pub(crate) fn route(
    sql: &str,
    table: &str,
    column: &str,
) -> Result<(bool, Option<BTreeSet<String>>), Error> {
    let tree = view::parse(sql)?;
    let writes = !tree.effects().iter().all(Effects::is_pure);
    let table = QualifiedName { schema: None, name: table.to_owned() };
    let values = column_values(&tree, &table, column, &NoCatalog);
    let keys = values.of_all_uses().and_then(|values| values.into_iter().map(key).collect());
    Ok((writes, keys))
}

/// Returns a value that a shard can be chosen by: for a parameter, the proxy takes it from the message `Bind`.
fn key(value: &ColumnValue) -> Option<String> {
    let is_one = !matches!(value, ColumnValue::Null | ColumnValue::ElementsOf(_));
    is_one.then(|| value.to_string())
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(table), Some(column)) = (arguments.next(), arguments.next()) else {
        panic!("usage: route TABLE COLUMN SQL ..");
    };
    for sql in arguments {
        let (writes, keys) = route(&sql, &table, &column)?;
        let verb = if writes { "write" } else { "read" };
        let shards = match keys {
            None => "every shard".to_owned(),
            Some(keys) if keys.is_empty() => "any shard".to_owned(),
            Some(keys) => {
                let keys: Vec<_> = keys.iter().map(|key| format!("{column} = {key}")).collect();
                keys.join(" or ")
            }
        };
        println!("{verb}, {shards}");
    }
    Ok(())
}
