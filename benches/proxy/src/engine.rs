//! The tasks of a parser in a proxy: for each statement, whether it
//! writes, its shard, and the same statement with the table's other name.

mod owned;
mod protobuf;
mod view;

use clap::ValueEnum;
use moka::sync::Cache;

/// The table with another name in the server: it gets a schema.
pub(crate) const TABLE: &str = "pgbench_accounts";
pub(crate) const SCHEMA: &str = "public";
/// The columns by which tables are sharded.
pub(crate) const KEYS: [&str; 2] = ["aid", "tenant_id"];
/// The size of the cache, in bytes of trees.
const CACHE: usize = 16 << 20;

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Nothing is parsed.
    None,
    /// pg_query 18.1: the tree through Protobuf
    PgQuery,
    /// pg_ast: the tree as Rust structs
    Owned,
    /// pg_ast: the C tree, read in place
    View,
    /// The same, with a cache of trees
    Cache,
    /// pg_ast: trees by the shape of the SQL
    Shapes,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::None, Self::PgQuery, Self::Owned, Self::View, Self::Cache, Self::Shapes];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PgQuery => "pg_query 18.1 (Protobuf)",
            Self::Owned => "pg_ast, owned tree",
            Self::View => "pg_ast, view",
            Self::Cache => "pg_ast, views in a cache",
            Self::Shapes => "pg_ast, ShapeCache",
        }
    }
}

/// The value of a key column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Number(i64),
    /// `$1`, ..: the value is in the message Bind.
    Param(i32),
}

/// The information that a proxy needs about a statement.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Route {
    pub(crate) writes: bool,
    /// The first that is compared, for all parsers alike. A proxy with shards has to know of which table it is: `column_values` of
    /// pg_ast_names.
    pub(crate) key: Option<Key>,
    /// The statement for the server, if it differs.
    pub(crate) sql: Option<String>,
}

/// A parser in a proxy.
pub(crate) enum Engine {
    None,
    PgQuery,
    Owned,
    View,
    Cache(Cache<String, std::sync::Arc<pg_ast::view::Tree>>),
    Shapes(pg_ast::ShapeCache<view::OfShape>),
}

impl Engine {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::None => Self::None,
            Kind::PgQuery => Self::PgQuery,
            Kind::Owned => Self::Owned,
            Kind::View => Self::View,
            Kind::Cache => Self::Cache(view::cache(CACHE as u64)),
            Kind::Shapes => Self::Shapes(view::shapes(CACHE)),
        }
    }

    /// `None` if the parser rejects the statement: the server reports the error.
    pub(crate) fn route(&self, sql: &str) -> Option<Route> {
        match self {
            Self::None => Some(Route::default()),
            Self::PgQuery => protobuf::route(sql).ok(),
            Self::Owned => owned::route(sql).ok(),
            Self::View => view::route(sql).ok(),
            Self::Cache(cache) => view::route_cached(cache, sql).ok(),
            Self::Shapes(cache) => view::route_by_shape(cache, sql).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_agree() {
        let statements = [
            ("SELECT abalance FROM pgbench_accounts WHERE aid = 7;", false, Some(Key::Number(7))),
            ("SELECT abalance FROM pgbench_accounts WHERE aid = $1;", false, Some(Key::Param(1))),
            ("UPDATE pgbench_accounts SET abalance = 1 WHERE aid = $2", true, Some(Key::Param(2))),
            ("INSERT INTO pgbench_history (tid) VALUES (1), (2)", true, None),
            ("SELECT o.x FROM orders o WHERE o.tenant_id = 3", false, Some(Key::Number(3))),
            ("BEGIN", false, None),
        ];
        for (sql, writes, key) in statements {
            for kind in Kind::ALL {
                let engine = Engine::new(kind);
                // The second time, it is in the cache; its shape the third time.
                for _ in 0..3 {
                    let route = engine.route(sql).unwrap();
                    if kind == Kind::None {
                        assert_eq!(route, Route::default());
                        continue;
                    }
                    assert_eq!((route.writes, route.key), (writes, key), "{kind:?}: {sql}");
                    let renamed =
                        sql.trim_end_matches(';').replace(TABLE, "public.pgbench_accounts");
                    let renamed = sql.contains(TABLE).then_some(renamed);
                    assert_eq!(route.sql, renamed, "{kind:?}: {sql}");
                }
            }
        }
        for kind in [Kind::PgQuery, Kind::Owned, Kind::View, Kind::Cache, Kind::Shapes] {
            assert_eq!(Engine::new(kind).route("SELEC"), None);
        }
    }
}
