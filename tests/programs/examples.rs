//! Tests the results of the examples.

#[path = "../../examples/cache.rs"]
#[allow(dead_code)]
mod cache;
#[path = "../../examples/null_rule.rs"]
#[allow(dead_code)]
mod null_rule;
#[path = "../../examples/own_tree.rs"]
#[allow(dead_code)]
mod own_tree;
#[path = "../../examples/proxy.rs"]
#[allow(dead_code)]
mod proxy;
#[path = "../../examples/rename.rs"]
#[allow(dead_code)]
mod rename;
#[path = "../../examples/rename_column.rs"]
#[allow(dead_code)]
mod rename_column;
#[path = "../../examples/rewrite.rs"]
#[allow(dead_code)]
mod rewrite;
#[path = "../../examples/route.rs"]
#[allow(dead_code)]
mod route;
#[path = "../../examples/writes.rs"]
#[allow(dead_code)]
mod writes;

mod of_cache;
mod of_proxy;
mod of_rename;
mod of_rewrite;
mod of_route;
mod of_writes;
