//! Determines the destination of a statement, in a database that is sharded by a column: whether it only reads, and the values
//! of that column. What is not known for certain goes to every shard.
//!
//! ```text
//! cargo run -p pg_ast_examples --features effects --example route -- tenant_id "SELECT * FROM orders WHERE tenant_id = 42 AND paid"
//! read, tenant_id = 42
//! ```

use std::collections::BTreeSet;

use pg_ast::{Error, FilterValue, view};
use pg_ast_effects::{Effects, FindEffects as _};

/// Returns whether SQL does more than read, and the values of its shards, as SQL; an empty list means all of them.
pub(crate) fn route(sql: &str, column: &str) -> Result<(bool, BTreeSet<String>), Error> {
    let tree = view::parse(sql)?;
    let writes = !tree.effects().iter().all(Effects::is_pure);
    let keys = tree.values_of(column).unwrap_or_default();
    let keys: Option<_> = keys.iter().map(FilterValue::to_sql).collect();
    Ok((writes, keys.unwrap_or_default()))
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let column = arguments.next().expect("usage: route COLUMN SQL ..");
    for sql in arguments {
        let (writes, keys) = route(&sql, &column)?;
        let verb = if writes { "write" } else { "read" };
        let keys: Vec<_> = keys.iter().map(|key| format!("{column} = {key}")).collect();
        let shards = if keys.is_empty() { "every shard".to_owned() } else { keys.join(" or ") };
        println!("{verb}, {shards}");
    }
    Ok(())
}
