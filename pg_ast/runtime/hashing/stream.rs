//! What a fingerprint is the hash of: a stream of strings, written by a walk over the C tree.
//!
//! `#[derive(Fingerprint)]` writes [`Message`] for the C struct of each node: it asks each of its fields,
//! in the order of their C names, and the type of a field answers by [`Hashed`]. A type that has no
//! answer does not compile, so that no field can be forgotten. The rules are those of libpg_query's
//! `pg_query_fingerprint.c` and of what its generator makes of the structs
//! (`pg_query_fingerprint_defs.c`):
//!
//! - What is not set (0, false, a null pointer, an empty list) writes nothing; the rest writes its
//!   name and its value. Names of enumeration constants always count.
//! - The name of a child is taken back where the child itself writes nothing.
//! - The items of some lists are sorted by their hash, and repetitions dropped.
//! - What is 100 levels deep writes nothing.

use std::io::Write as _;

use twox_hash::XxHash3_64;

use crate::runtime::limits::BYTES_PER_NODE;
use crate::runtime::order::sort;
use crate::runtime::stack::with_stack;
use crate::types::options::FingerprintOptions;

/// The version of the rules, by libpg_query's count.
const SEED: u64 = 3;

/// What is this deep in the tree does not count.
const MAX_DEPTH: u32 = 100;

/// Where in the tree a node stands, as far as that makes a difference to its fingerprint.
#[derive(Clone, Copy)]
pub struct Place {
    /// In a list whose items' order and repetition do not count.
    sorted: bool,
    /// A relation that a query reads or writes, and not one that is defined.
    pub(crate) query: bool,
    /// In what a `SELECT` puts out, where names do not count.
    pub(crate) output: bool,
}

impl Place {
    /// Below no other node.
    pub(crate) const ROOT: Self = Self { sorted: false, query: false, output: false };

    const fn new(parent: &str, field: &str) -> Self {
        let query = match parent.as_bytes() {
            b"SelectStmt" => is(field, "fromClause"),
            b"InsertStmt" => is(field, "relation"),
            b"UpdateStmt" => is(field, "relation") || is(field, "fromClause"),
            b"DeleteStmt" => is(field, "relation") || is(field, "usingClause"),
            b"MergeStmt" => is(field, "relation") || is(field, "sourceRelation"),
            b"JoinExpr" | b"RangeTableSample" | b"LockingClause" => true,
            _ => false,
        };
        let sorted = is(field, "fromClause")
            || is(field, "targetList")
            || is(field, "cols")
            || is(field, "rexpr")
            || is(field, "valuesLists")
            || is(field, "args");
        Self { sorted, query, output: is(parent, "SelectStmt") && is(field, "targetList") }
    }
}

const fn is(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut equal = a.len() == b.len();
    let mut index = 0;
    while equal && index < a.len() {
        equal = a[index] == b[index];
        index += 1;
    }
    equal
}

/// A field of a struct.
pub struct Site {
    /// Its C name.
    name: &'static str,
    /// Where that puts what the field holds.
    place: Place,
}

impl Site {
    /// The field of a struct, both by their C names.
    #[must_use]
    pub const fn new(parent: &str, field: &'static str) -> Self {
        Self { name: field, place: Place::new(parent, field) }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
}

/// The field of a struct, both by their C names.
macro_rules! site {
    ($parent:literal, $field:literal) => {
        const { &Site::new($parent, $field) }
    };
}
pub(crate) use site;

/// Where in the stream what a field holds begins.
struct Child {
    before: usize,
    /// Behind the field's name.
    named: usize,
}

/// The strings, one behind the other.
pub struct Stream {
    bytes: Vec<u8>,
    /// The items of the lists that are being sorted: their hashes, and where they are in `bytes`.
    items: Vec<(u64, usize, usize)>,
    /// For the items in their new order.
    sorted: Vec<u8>,
    pub(crate) options: FingerprintOptions,
    /// Whether the depth of a child counts where its type is fixed, too: since PostgreSQL 18.
    cut_messages: bool,
    /// How many nodes may still be written. A C tree may have parts that several nodes point to.
    nodes_left: usize,
}

impl Stream {
    /// An empty stream, for a tree of this major version of PostgreSQL with fewer nodes than so many.
    pub(crate) fn new(major: u32, options: FingerprintOptions, nodes_left: usize) -> Self {
        let since_18 = major >= 18;
        Self {
            // So much malloc has at hand; four times of it takes longer than some hashes.
            bytes: Vec::with_capacity(1000),
            items: Vec::with_capacity(32),
            sorted: Vec::new(),
            options: if since_18 { options } else { FingerprintOptions::pg17_compat() },
            cut_messages: since_18,
            nodes_left,
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        hash(&self.bytes)
    }

    /// How many nodes may still be written; 0 if there were too many: then some are not in the stream.
    pub(crate) fn nodes_left(&self) -> usize {
        self.nodes_left
    }

    /// Counts `count` nodes; false if there are too many of them.
    #[inline]
    fn count(&mut self, count: usize) -> bool {
        self.nodes_left = self.nodes_left.saturating_sub(count);
        self.nodes_left > 0
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A field with its value.
    pub(crate) fn value(&mut self, name: &str, value: &[u8]) {
        self.text(name);
        if value.len() > BYTES_PER_NODE && !self.count(value.len() / BYTES_PER_NODE) {
            return;
        }
        self.bytes.extend_from_slice(value);
    }

    /// A name without its numbers: without all digits that stand beside another one.
    pub(crate) fn without_numbers(&mut self, name: &[u8]) {
        let digit = |index: usize| name.get(index).is_some_and(u8::is_ascii_digit);
        let counts =
            |index: usize| !(digit(index) && (digit(index + 1) || index > 0 && digit(index - 1)));
        self.bytes.extend((0..name.len()).filter(|index| counts(*index)).map(|index| name[index]));
    }

    /// The name of an enumeration's constant, which always counts.
    pub fn constant(&mut self, site: &'static Site, name: &str) {
        self.value(site.name, name.as_bytes());
    }

    pub(crate) fn number(&mut self, value: impl std::fmt::Display) {
        // Writing to a `Vec` cannot fail.
        let _ = write!(self.bytes, "{value}");
    }

    /// Writes the field's name. What comes then, up to `end`, is what the field holds.
    fn begin(&mut self, site: &Site) -> Child {
        let before = self.bytes.len();
        self.text(site.name);
        Child { before, named: self.bytes.len() }
    }

    /// Takes the field's name back if nothing came behind it.
    fn end(&mut self, child: &Child) {
        if self.bytes.len() == child.named {
            self.bytes.truncate(child.before);
        }
    }

    /// A child whose type is fixed. It is compiled once, for all of those types.
    fn message(
        &mut self,
        site: &'static Site,
        depth: u32,
        fields: &mut dyn FnMut(&mut Self, Place, u32),
    ) {
        if (!self.cut_messages || depth + 1 < MAX_DEPTH) && self.count(1) {
            let child = self.begin(site);
            with_stack(|| fields(self, site.place, depth + 1));
            self.end(&child);
        }
    }

    /// A list in a field, or in another list.
    pub(crate) fn list<T: Item>(&mut self, items: &[T], place: Place, depth: u32) {
        if !self.count(items.len()) {
            return;
        }
        if place.sorted && items.len() > 1 {
            self.sorted_list(items, place, depth);
        } else {
            for item in items {
                item.fingerprint(self, place, depth + 1);
            }
        }
    }

    fn sorted_list<T: Item>(&mut self, items: &[T], place: Place, depth: u32) {
        let first = self.items.len();
        let mut start = self.bytes.len();
        let before = start;
        for item in items {
            item.fingerprint(self, place, depth + 1);
            let end = self.bytes.len();
            // What writes nothing writes nothing at any place.
            if end > start {
                self.items.push((hash(&self.bytes[start..]), start, end));
            }
            start = end;
        }
        let found = &mut self.items[first..];
        if !found.is_sorted_by(|(a, ..), (b, ..)| a < b) {
            sort(found);
            self.sorted.clear();
            let mut last = None;
            for (hash, start, end) in found {
                if last != Some(*hash) {
                    self.sorted.extend_from_slice(&self.bytes[*start..*end]);
                }
                last = Some(*hash);
            }
            self.bytes.truncate(before);
            self.bytes.extend_from_slice(&self.sorted);
        }
        self.items.truncate(first);
    }
}

fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(SEED, bytes)
}

/// A struct of the tree.
#[diagnostic::on_unimplemented(
    message = "what counts of `{Self}` in a fingerprint is not known",
    label = "this type is no part of a fingerprint",
    note = "a node is one by `#[derive(Fingerprint)]`; see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub trait Message {
    /// What the node is called in C.
    const NAME: &'static str;

    /// Writes the fields alone: where no node of another type can stand.
    fn fields(&self, out: &mut Stream, place: Place, depth: u32);

    /// Writes the node's name and its fields: where any node can stand.
    fn node(&self, out: &mut Stream, place: Place, depth: u32) {
        out.text(Self::NAME);
        self.fields(out, place, depth);
    }
}

/// What all nodes begin with in C.
pub trait RawSum {
    /// Writes the node that this is the beginning of.
    ///
    /// # Safety
    ///
    /// As for [`FromNode::from_node`](crate::FromNode::from_node).
    unsafe fn node(raw: *const Self, out: &mut Stream, place: Place, depth: u32);
}

/// A node in a list.
pub trait Item {
    /// Whether there is no node.
    fn is_null(&self) -> bool;

    /// Writes the node, unless it is too deep.
    fn fingerprint(&self, out: &mut Stream, place: Place, depth: u32);
}

/// The value of a field.
#[diagnostic::on_unimplemented(
    message = "what counts of `{Self}` in a fingerprint is not known",
    label = "no fingerprint has a field of this type",
    note = "see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub trait Hashed {
    /// Writes the field of a struct at the given depth.
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32);
}

/// A child whose type is fixed.
///
/// Not a blanket impl of [`Hashed`], which would be in the way of the others; the derive calls it.
pub fn message<T: Message>(value: &T, out: &mut Stream, site: &'static Site, depth: u32) {
    out.message(site, depth, &mut |out, place, depth| value.fields(out, place, depth));
}

/// A child of any type.
pub(crate) fn node<T: Item>(value: &T, out: &mut Stream, site: &'static Site, depth: u32) {
    if out.count(1) {
        let child = out.begin(site);
        value.fingerprint(out, site.place, depth + 1);
        out.end(&child);
    }
}

/// A child that is a list.
pub(crate) fn list<T: Item>(items: &[T], out: &mut Stream, site: &'static Site, depth: u32) {
    match items {
        [] => {}
        // What `SELECT DISTINCT` has in place of columns.
        [only] if only.is_null() => out.text(site.name),
        items if depth + 1 < MAX_DEPTH => {
            let child = out.begin(site);
            out.list(items, site.place, depth + 1);
            out.end(&child);
        }
        _ => {}
    }
}

/// Runs `f` for what is not too deep, with enough stack.
#[inline]
pub(crate) fn enter(depth: u32, f: impl FnOnce()) {
    if depth < MAX_DEPTH {
        with_stack(f);
    }
}
