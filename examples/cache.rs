//! A cache for the parser, bounded by bytes, as in a proxy.
//!
//! ```text
//! cargo run --release --example cache -- MEGABYTES < statements.sql
//! ```
//!
//! Parses the statements of standard input, repeatedly on several threads, and
//! prints how many of them were found in the cache, and the memory of the cache.

use std::io::Read as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::{env, io, thread};

use pg_ast::view::{self, Tree};
use pg_ast::{Error, HeapSize as _};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Trees by their SQL. If they exceed the size, the least used ones are removed.
pub(crate) struct Trees {
    cache: Cache<String, Arc<Tree>, Bytes>,
    calls: AtomicU64,
    misses: AtomicU64,
}

/// The size of an entry.
#[derive(Clone)]
struct Bytes;

impl Weighter<String, Arc<Tree>> for Bytes {
    fn weight(&self, sql: &String, tree: &Arc<Tree>) -> u64 {
        let own = size_of::<Tree>() + 2 * size_of::<usize>();
        (sql.len() + own + tree.heap_size()) as u64
    }
}

impl Trees {
    /// Returns a cache of at most that many bytes.
    pub(crate) fn new(max_bytes: u64) -> Self {
        // The number of entries is only an estimate, for the size of its table.
        let entries = usize::try_from(max_bytes / 4096).unwrap_or(usize::MAX).max(16);
        Self {
            cache: Cache::with_weighter(entries, max_bytes, Bytes),
            calls: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Returns the tree of SQL. Threads that request the same SQL at once wait for the first one to parse it.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse`]; errors are not kept.
    pub(crate) fn parse(&self, sql: &str) -> Result<Arc<Tree>, Error> {
        self.calls.fetch_add(1, Relaxed);
        self.cache.get_or_insert_with(sql, || {
            self.misses.fetch_add(1, Relaxed);
            // Reading needs no owned tree, and a compact tree takes only the memory of its nodes.
            view::parse(sql).map(|tree| Arc::new(tree.compact()))
        })
    }

    /// Returns the size of the entries in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.cache.weight()
    }

    pub(crate) fn hits(&self) -> u64 {
        self.calls.load(Relaxed) - self.misses()
    }

    pub(crate) fn misses(&self) -> u64 {
        self.misses.load(Relaxed)
    }
}

fn main() -> ExitCode {
    let megabytes = env::args().nth(1).map_or(Ok(16), |arg| arg.parse::<u64>());
    let mut script = String::new();
    let (Ok(megabytes), Ok(_)) = (megabytes, io::stdin().read_to_string(&mut script)) else {
        eprintln!("usage: cache [MEGABYTES] < FILE");
        return ExitCode::from(2);
    };
    let stmts = pg_ast::parse_script(&script);
    let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(&script)).collect();
    let trees = Trees::new(megabytes * 1024 * 1024);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                for sql in texts.iter().cycle().take(texts.len() * 100) {
                    // An error would go to the client, which does not exist here.
                    let _ = trees.parse(sql);
                }
            });
        }
    });
    println!("{} statements, {} hits, {} misses", texts.len(), trees.hits(), trees.misses());
    println!("{} bytes of {} MiB", trees.bytes(), megabytes);
    ExitCode::SUCCESS
}
