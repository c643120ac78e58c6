//! A cache for a proxy: statements are routed by their shape, and parsed only if it is new.
//!
//! ```text
//! cargo run --release -p pg_ast_examples --features cache --example cache -- MEGABYTES < statements.sql
//! ```
//!
//! Routes the statements of standard input, repeatedly on several threads, and
//! prints how many of them were not parsed, and the memory of the cache.

use std::io::Read as _;
use std::process::ExitCode;
use std::{env, io, thread};

use pg_ast::view::{Node, RawStmt, Tree};
use pg_ast::{Error, HeapSize, QualifiedName, ShapeCache, ShapeCacheStats, ShapeOptions};

/// What a proxy has to know of a statement, whatever its constants are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// Whether a replica can run it.
    pub(crate) reads: bool,
    pub(crate) tables: Vec<QualifiedName>,
}

impl HeapSize for Route {
    fn heap_size(&self) -> usize {
        self.tables.heap_size()
    }
}

impl Route {
    fn of(tree: &Tree) -> Self {
        let is_select = |stmt: RawStmt<'_>| {
            let select = stmt.stmt().and_then(Node::as_select_stmt);
            select.is_some_and(|select| select.locking_clause().is_empty())
        };
        Self { reads: tree.stmts().all(is_select), tables: tree.tables() }
    }
}

/// Routes by shape. If they exceed the size, the least used ones are removed.
pub(crate) struct Routes {
    cache: ShapeCache<Route>,
}

impl Routes {
    /// Returns a cache of at most that many bytes.
    pub(crate) fn new(max_bytes: usize) -> Self {
        // The comments that some drivers add are different in each statement.
        Self { cache: ShapeCache::new(max_bytes, ShapeOptions::default().ignore_layout(true)) }
    }

    /// Returns the route of a statement, and the first of its parameters and constants: what a sharded table may need.
    ///
    /// # Errors
    ///
    /// PostgreSQL's parser rejects the statement.
    pub(crate) fn route(&self, sql: &str) -> Result<(Route, Option<String>), Error> {
        let hit = self.cache.get(sql, Route::of)?;
        let key = hit.shape().constants().next().map(|constant| constant.text().to_owned());
        Ok((hit.value().clone(), key))
    }

    pub(crate) fn stats(&self) -> ShapeCacheStats {
        self.cache.stats()
    }
}

fn main() -> ExitCode {
    let megabytes = env::args().nth(1).map_or(Ok(16), |arg| arg.parse::<usize>());
    let mut script = String::new();
    let (Ok(megabytes), Ok(_)) = (megabytes, io::stdin().read_to_string(&mut script)) else {
        eprintln!("usage: cache [MEGABYTES] < FILE");
        return ExitCode::from(2);
    };
    let stmts = pg_ast::parse_script(&script);
    let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(&script)).collect();
    let routes = Routes::new(megabytes * 1024 * 1024);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                for sql in texts.iter().cycle().take(texts.len() * 100) {
                    // An error would go to the client, which does not exist here.
                    let _ = routes.route(sql);
                }
            });
        }
    });
    let ShapeCacheStats { hits, misses, entries, bytes, .. } = routes.stats();
    println!("{} statements, {hits} hits, {misses} misses", texts.len());
    println!("{entries} shapes, {bytes} bytes of {megabytes} MiB");
    ExitCode::SUCCESS
}
