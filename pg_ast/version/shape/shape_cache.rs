//! A cache of templates by their shapes.

use core::borrow::Borrow;
use core::cell::{Cell, OnceCell};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::hash::RandomState;
use std::sync::Arc;

use quick_cache::sync::Cache;
use quick_cache::{Lifecycle, OptionsBuilder, Weighter};

use super::facts::fingerprint::fingerprint_parse;
use super::facts::normalize::normalize_with;
use super::shape_of::Shape;
use super::template::{Binding, Template};
use super::view::{self, Tree};
use crate::foundation::limits::Limits;
use crate::types::cache_stats::ShapeCacheStats;
use crate::types::error::{Error, Warning};
use crate::types::fingerprint::Fingerprint;
use crate::types::heap_size::HeapSize;
use crate::types::options::{FingerprintOptions, NormalizeOptions};
use crate::types::shape_options::ShapeOptions;

/// Templates by their shapes, each with a value of the program's own, bounded by bytes.
///
/// It is for programs that see the same statements again and again with other constants, such as a proxy: SQL whose
/// shape is in the cache is not parsed. Several threads can use it at once; a hit locks one of many parts of it for
/// readers.
///
/// ```
/// use pg_ast::{ShapeCache, ShapeOptions};
///
/// // Whether a statement can go to a replica.
/// let cache = ShapeCache::new(16 << 20, ShapeOptions::default().ignore_layout(true));
/// let reads = |sql: &str| -> Result<bool, pg_ast::Error> {
///     let hit = cache.get(sql, |tree| {
///         tree.stmts().all(|stmt| stmt.stmt().is_some_and(|stmt| stmt.as_select_stmt().is_some()))
///     })?;
///     Ok(*hit.value())
/// };
/// for id in 0..100 {
///     assert!(reads(&format!("SELECT * FROM users WHERE id = {id}"))?);
///     assert!(!reads(&format!("DELETE FROM users WHERE id IN ({id}, 1)"))?);
/// }
/// assert_eq!((cache.stats().hits, cache.stats().misses), (196, 4));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # What is kept
///
/// A shape that is seen for the first time is only noted: SQL that never comes again costs a parse and a few hundred
/// bytes. A template is made the second time, which takes about ten parses of a short statement, unless it would be too
/// large. SQL that does not parse is not kept.
///
/// Shapes are compared by their contents, and the hash has a random key: no SQL can be taken for other SQL, and nobody can
/// choose statements that meet in the table.
pub struct ShapeCache<V> {
    entries: Cache<EntryKey<V>, Arc<CacheEntry<V>>, EntryWeight, RandomState, EvictionCount>,
    options: ShapeOptions,
    counts: Box<[StripeCounts; STRIPES]>,
    evictions: Arc<AtomicU64>,
}

/// So many threads count without waiting for each other.
const STRIPES: usize = 16;

/// The counts of some threads, in a line of the processor's cache of their own.
#[derive(Default)]
#[repr(align(64))]
struct StripeCounts {
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Returns the counts of this thread.
fn stripe() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static STRIPE: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    let stripe = STRIPE.try_with(|stripe| {
        if stripe.get() == usize::MAX {
            stripe.set(NEXT.fetch_add(1, Relaxed) % STRIPES);
        }
        stripe.get()
    });
    stripe.unwrap_or(0)
}

enum CacheEntry<V> {
    /// A shape without a template: it has been seen only once, or its template is too large to be kept.
    Seen {
        key: Box<[u8]>,
        is_too_large: bool,
    },
    Known(Known<V>),
}

struct Known<V> {
    template: Template,
    value: V,
    /// What both take on the heap. The value is asked once: later, it may take something else, and the table could no longer
    /// subtract what it has added.
    heap: usize,
}

impl<V> CacheEntry<V> {
    fn key(&self) -> &[u8] {
        match self {
            Self::Seen { key, .. } => key,
            Self::Known(known) => known.template.key(),
        }
    }
}

/// An entry by its key.
struct EntryKey<V>(Arc<CacheEntry<V>>);

impl<V> Borrow<[u8]> for EntryKey<V> {
    fn borrow(&self) -> &[u8] {
        self.0.key()
    }
}

impl<V> PartialEq for EntryKey<V> {
    fn eq(&self, other: &Self) -> bool {
        self.0.key() == other.0.key()
    }
}

impl<V> Eq for EntryKey<V> {}

impl<V> Hash for EntryKey<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.key().hash(state);
    }
}

/// The size of an entry in the table.
const IN_TABLE: usize = 64;

#[derive(Clone)]
struct EntryWeight;

impl<V> Weighter<EntryKey<V>, Arc<CacheEntry<V>>> for EntryWeight {
    fn weight(&self, _: &EntryKey<V>, entry: &Arc<CacheEntry<V>>) -> u64 {
        weight(entry)
    }
}

fn weight<V>(entry: &CacheEntry<V>) -> u64 {
    let heap = match entry {
        CacheEntry::Seen { key, .. } => key.len(),
        CacheEntry::Known(known) => known.heap,
    };
    // The two counts of an Arc.
    (IN_TABLE + 2 * size_of::<usize>() + size_of::<CacheEntry<V>>()).saturating_add(heap) as u64
}

/// Counts what is evicted.
#[derive(Clone)]
struct EvictionCount(Arc<AtomicU64>);

impl<V> Lifecycle<EntryKey<V>, Arc<CacheEntry<V>>> for EvictionCount {
    /// What is dropped when nothing is locked any more.
    type RequestState = Vec<Arc<CacheEntry<V>>>;

    fn on_evict(
        &self,
        evicted: &mut Self::RequestState,
        _: EntryKey<V>,
        entry: Arc<CacheEntry<V>>,
    ) {
        self.0.fetch_add(1, Relaxed);
        evicted.push(entry);
    }
}

/// The usual size of an entry, for the size of the table.
const USUAL_BYTES: usize = 2048;

impl<V: HeapSize> ShapeCache<V> {
    /// Makes a cache whose entries take at most that many bytes.
    ///
    /// A template that takes more than the part of a shard is not kept: there are some shards for each processor.
    #[must_use]
    pub fn new(max_bytes: usize, options: impl Borrow<ShapeOptions>) -> Self {
        let evictions = Arc::default();
        let bytes = max_bytes as u64;
        let entries = (max_bytes / USUAL_BYTES).max(16);
        let build = || {
            OptionsBuilder::new().estimated_items_capacity(entries).weight_capacity(bytes).build()
        };
        let Ok(table) = build() else { unreachable!("both numbers are there") };
        let count = EvictionCount(Arc::clone(&evictions));
        let entries = Cache::with_options(table, EntryWeight, RandomState::new(), count);
        Self { entries, options: *options.borrow(), counts: Box::default(), evictions }
    }

    /// Looks SQL up by its shape, or parses it.
    ///
    /// `value` is called with the tree if there is no value for the shape yet, and has to return what holds for all SQL
    /// of that shape: what depends on constants is to be read from [`Hit::tree`] or [`Hit::shape`]. A value is asked for its
    /// [`heap_size`](HeapSize::heap_size) once, before it is kept.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse_with`](super::super::view::parse_with) for this SQL.
    pub fn get<'s>(
        &self,
        sql: &'s str,
        value: impl FnOnce(&Tree) -> V,
    ) -> Result<Hit<'s, V>, Error> {
        let counts = &self.counts[stripe()];
        let count_miss = || counts.misses.fetch_add(1, Relaxed);
        let parser = self.options.parser;
        let mut shape = match Shape::of_with(sql, self.options) {
            Ok(shape) => shape,
            Err(error) => {
                count_miss();
                // That of the parser may come first.
                return Err(view::parse_with(sql, parser).err().unwrap_or(error));
            }
        };
        let hit = |shape, entry, tree: Option<Box<Tree>>| {
            counts.hits.fetch_add(1, Relaxed);
            let tree = tree.map_or_else(OnceCell::new, |tree| OnceCell::from(*tree));
            Ok(Hit { shape, tree, source: Source::Entry(entry), known: true })
        };
        let mut entry = self.entries.get(shape.key());
        if let Some(CacheEntry::Known(known)) = entry.as_deref() {
            if let Some(binding) = known.template.binds(&shape)
                && let Some(entry) = entry
            {
                let tree = match binding {
                    Binding::Certain => None,
                    Binding::Made(tree) => Some(tree),
                };
                return hit(shape, entry, tree);
            }
            // The shape does not determine the tree of this SQL.
            shape = Shape::exact(sql, self.options);
            entry = self.entries.get(shape.key());
        }
        match entry {
            Some(entry) if matches!(&*entry, CacheEntry::Known(_)) => hit(shape, entry, None),
            seen => {
                count_miss();
                let tree = view::parse_with(sql, parser)?;
                let value = value(&tree);
                let makes =
                    matches!(seen.as_deref(), Some(CacheEntry::Seen { is_too_large: false, .. }));
                let source = if makes {
                    let template = Template::of(&shape, &tree);
                    let heap = template.heap_size().saturating_add(value.heap_size());
                    let entry = Arc::new(CacheEntry::Known(Known { template, value, heap }));
                    // What is replaced would count as evicted.
                    self.entries.remove(shape.key());
                    if weight(&entry) <= self.entries.shard_capacity() {
                        self.keep(&entry);
                    }
                    // The table refuses what would nearly fill a shard as well.
                    if self.entries.peek(shape.key()).is_none() {
                        self.note(&shape, true);
                    }
                    Source::Entry(entry)
                } else {
                    if seen.is_none() {
                        self.note(&shape, false);
                    }
                    Source::Value(value)
                };
                Ok(Hit { shape, tree: OnceCell::from(tree), source, known: false })
            }
        }
    }

    /// Notes that a shape has been seen.
    fn note(&self, shape: &Shape<'_>, is_too_large: bool) {
        self.keep(&Arc::new(CacheEntry::Seen { key: shape.key().into(), is_too_large }));
    }

    fn keep(&self, entry: &Arc<CacheEntry<V>>) {
        self.entries.insert(EntryKey(Arc::clone(entry)), Arc::clone(entry));
    }

    /// Returns the settings of its shapes.
    #[must_use]
    pub fn options(&self) -> ShapeOptions {
        self.options
    }

    /// Returns its counts.
    #[must_use]
    pub fn stats(&self) -> ShapeCacheStats {
        let sum = |count: fn(&StripeCounts) -> &AtomicU64| {
            self.counts.iter().map(|counts| count(counts).load(Relaxed)).sum()
        };
        ShapeCacheStats {
            hits: sum(|counts| &counts.hits),
            misses: sum(|counts| &counts.misses),
            evictions: self.evictions.load(Relaxed),
            entries: self.entries.len(),
            bytes: self.entries.weight(),
        }
    }

    /// Removes all entries, as when the values have become wrong.
    pub fn clear(&self) {
        // One by one: a value is dropped when nothing is locked, so that it may use the cache, or panic.
        self.entries.drain().for_each(drop);
    }
}

impl<V> fmt::Debug for ShapeCache<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapeCache").field("options", &self.options).finish_non_exhaustive()
    }
}

enum Source<V> {
    Entry(Arc<CacheEntry<V>>),
    /// Of a shape that is new.
    Value(V),
}

/// SQL that has been looked up in a [`ShapeCache`].
pub struct Hit<'s, V> {
    shape: Shape<'s>,
    tree: OnceCell<Tree>,
    source: Source<V>,
    /// Whether the SQL was not parsed.
    known: bool,
}

impl<'s, V> Hit<'s, V> {
    /// Returns the value for the shape.
    #[must_use]
    pub fn value(&self) -> &V {
        match &self.source {
            Source::Value(value) => value,
            Source::Entry(entry) => match &**entry {
                CacheEntry::Known(known) => &known.value,
                CacheEntry::Seen { .. } => unreachable!("only known entries are returned"),
            },
        }
    }

    /// Returns the template; `None` if the shape is new.
    #[must_use]
    pub fn template(&self) -> Option<&Template> {
        match &self.source {
            Source::Entry(entry) => match &**entry {
                CacheEntry::Known(known) => Some(&known.template),
                CacheEntry::Seen { .. } => None,
            },
            Source::Value(_) => None,
        }
    }

    /// Returns the shape of the SQL, with its constants; without them if the template is
    /// [exact](Template::is_exact).
    #[must_use]
    pub fn shape(&self) -> &Shape<'s> {
        &self.shape
    }

    /// Returns whether the SQL was not parsed.
    #[must_use]
    pub fn is_hit(&self) -> bool {
        self.known
    }

    /// Returns the tree of the SQL, which is bound when it is asked for.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse_with`](super::super::view::parse_with), which are found only here if SQL of this shape is
    /// known.
    pub fn tree(&self) -> Result<&Tree, Error> {
        if let Some(tree) = self.tree.get() {
            return Ok(tree);
        }
        let tree = self.bind()?;
        Ok(self.tree.get_or_init(|| tree))
    }

    /// Returns the tree of the SQL.
    ///
    /// # Errors
    ///
    /// The errors of [`tree`](Self::tree).
    pub fn into_tree(mut self) -> Result<Tree, Error> {
        match self.tree.take() {
            Some(tree) => Ok(tree),
            None => self.bind(),
        }
    }

    fn bind(&self) -> Result<Tree, Error> {
        match self.template().and_then(|template| template.bind(&self.shape)) {
            Some(tree) => Ok(tree),
            None => view::parse_with(self.shape.sql(), self.shape.options().parser),
        }
    }

    /// Returns the fingerprint of the SQL: that of the template, unless constants count in it.
    ///
    /// # Errors
    ///
    /// The errors of [`tree`](Self::tree), and of [`fingerprint_with`](super::super::fingerprint_with).
    pub fn fingerprint(&self) -> Result<Fingerprint, Error> {
        match self.template().and_then(Template::fingerprint) {
            Some(fingerprint) if self.shape.options().parser.max_nodes.is_none() => Ok(fingerprint),
            _ => self.fingerprint_with(FingerprintOptions::default()),
        }
    }

    /// Returns the SQL with parameters in place of its constants, as [`normalize_with`](super::super::normalize_with) does.
    ///
    /// It is made from that of the template, without a parse. Where the shape does not determine it, it takes one: the
    /// parameters of `SELECT a + 1 .. GROUP BY a + 1` depend on whether both constants are equal.
    ///
    /// ```
    /// use pg_ast::{ShapeCache, ShapeOptions};
    ///
    /// let cache = ShapeCache::new(1 << 20, ShapeOptions::default());
    /// for sql in ["SELECT a IN (1), -2", "SELECT a IN (3, 4), -5", "SELECT a IN (6, 7, 8), -9"] {
    ///     let hit = cache.get(sql, |_| ())?;
    ///     assert_eq!(hit.normalize()?, pg_ast::normalize(sql)?);
    /// }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`normalize_with`](super::super::normalize_with).
    pub fn normalize(&self) -> Result<String, Error> {
        match self.template().and_then(|template| template.normalized(&self.shape)) {
            Some(normalized) => Ok(normalized),
            None => {
                let parser = self.shape.options().parser;
                normalize_with(self.shape.sql(), parser, NormalizeOptions::default())
            }
        }
    }

    pub(super) fn fingerprint_with(
        &self,
        options: FingerprintOptions,
    ) -> Result<Fingerprint, Error> {
        let (sql, parser) = (self.shape.sql(), self.shape.options().parser);
        fingerprint_parse(self.tree()?.parse(), sql, Limits::new(sql, parser), options)
    }

    pub(super) fn warnings(&self) -> Result<Vec<Warning>, Error> {
        match self.template() {
            Some(template) if !template.has_warnings() => Ok(Vec::new()),
            _ => Ok(self.tree()?.warnings().to_vec()),
        }
    }
}

impl<V: fmt::Debug> fmt::Debug for Hit<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hit")
            .field("shape", &self.shape)
            .field("value", self.value())
            .field("is_hit", &self.known)
            .finish_non_exhaustive()
    }
}
