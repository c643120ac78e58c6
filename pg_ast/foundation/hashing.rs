//! The input of a fingerprint's hash: a stream of strings, written by a walk over the C tree.
//!
//! Each version has its own walk (`version/facts/fingerprint/rules.rs`); it visits the fields of a struct in the order
//! of their C names, by the table of the structs. The rules are those of libpg_query's `pg_query_fingerprint.c` and of
//! what its generator makes of the structs (`pg_query_fingerprint_defs.c`):
//!
//! - An unset field (0, false, a null pointer, an empty list) writes nothing; others write their
//!   name and their value. Names of enumeration constants always count.
//! - The name of a child is removed again if the child itself writes nothing.
//! - The items of some lists are sorted by their hash, and repetitions dropped.
//! - Nodes 100 levels deep write nothing.

use std::io::Write as _;

use twox_hash::XxHash3_64;

use crate::foundation::limits::BYTES_PER_NODE;
use crate::foundation::name::FieldName;
use crate::foundation::name::Name;
use crate::foundation::order::sort;
use crate::types::options::FingerprintOptions;

/// The version of the rules, as numbered by libpg_query.
const SEED: u64 = 3;

/// The depth from which nodes do not count.
pub(crate) const MAX_DEPTH: u32 = 100;

/// The place of a node in the tree, as far as it affects the fingerprint.
#[derive(Clone, Copy)]
pub(crate) struct HashPlace(u8);

impl HashPlace {
    /// No special place, such as the top level.
    pub(crate) const NONE: Self = Self(0);
    /// In a list whose items' order and repetition do not count.
    pub(crate) const SORTED: Self = Self(1);
    /// A relation that a query reads or writes, and not one that is defined.
    pub(crate) const QUERY: Self = Self(2);
    /// In the output of a `SELECT`, where names do not count.
    pub(crate) const OUTPUT: Self = Self(4);

    /// Returns the union of the properties of two places.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether this place has any of the properties of `other`.
    #[inline]
    pub(crate) const fn has_any_of(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The start of a field's content in the stream.
pub(crate) struct Child {
    before: usize,
    /// The position after the field's name.
    named: usize,
}

/// A list that is being written.
pub(crate) struct OpenList {
    /// Its first item.
    first: usize,
    /// The position in the stream where the list begins.
    before: usize,
    /// The position where the next item begins.
    start: usize,
}

/// The strings, one after the other.
pub(crate) struct Stream {
    bytes: Vec<u8>,
    /// The items of the lists that are being sorted: their hashes, and where they are in `bytes`.
    items: Vec<(u64, usize, usize)>,
    /// For the items in their new order.
    sorted: Vec<u8>,
    pub(crate) options: FingerprintOptions,
    /// True if the depth of a child also counts if its type is fixed: since PostgreSQL 18.
    cut_messages: bool,
    /// The number of nodes that may still be written. A C tree may have parts that several nodes point to.
    nodes_left: usize,
}

impl Stream {
    /// Creates an empty stream, for a tree of this major version of PostgreSQL with fewer than `nodes_left` nodes.
    pub(crate) fn new(major: u32, options: FingerprintOptions, nodes_left: usize) -> Self {
        let since_18 = major >= 18;
        Self {
            // malloc returns this much quickly; four times as much takes longer than some hashes.
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

    /// Returns how many nodes may still be written; 0 if there were too many, so that some are missing.
    pub(crate) fn nodes_left(&self) -> usize {
        self.nodes_left
    }

    /// Counts `count` nodes; false if there are too many of them.
    #[inline]
    pub(crate) fn count(&mut self, count: usize) -> bool {
        self.nodes_left = self.nodes_left.saturating_sub(count);
        self.nodes_left > 0
    }

    /// Returns whether a child with a fixed type counts below a node at this depth.
    #[inline]
    pub(crate) fn takes_message(&self, depth: u32) -> bool {
        !self.cut_messages || depth + 1 < MAX_DEPTH
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    #[inline]
    pub(crate) fn name<const LONGEST: usize>(&mut self, name: &Name<LONGEST>) {
        name.append_to(&mut self.bytes);
    }

    /// Writes the value of a field.
    #[inline]
    pub(crate) fn value(&mut self, value: &[u8]) {
        if value.len() > BYTES_PER_NODE && !self.count(value.len() / BYTES_PER_NODE) {
            return;
        }
        self.bytes.extend_from_slice(value);
    }

    /// Writes a name without its numbers: without all digits that are next to another digit.
    pub(crate) fn without_numbers(&mut self, name: &[u8]) {
        let digit = |index: usize| name.get(index).is_some_and(u8::is_ascii_digit);
        let counts =
            |index: usize| !(digit(index) && (digit(index + 1) || index > 0 && digit(index - 1)));
        self.bytes.extend((0..name.len()).filter(|index| counts(*index)).map(|index| name[index]));
    }

    pub(crate) fn number(&mut self, value: impl std::fmt::Display) {
        // Writing to a `Vec` cannot fail.
        let _ = write!(self.bytes, "{value}");
    }

    /// Writes a field's name. All that is written up to `end` is the field's content.
    #[inline]
    pub(crate) fn begin(&mut self, name: &FieldName) -> Child {
        let before = self.bytes.len();
        self.name(name);
        Child { before, named: self.bytes.len() }
    }

    /// Removes the field's name again if nothing came after it.
    #[inline]
    pub(crate) fn end(&mut self, child: &Child) {
        if self.bytes.len() == child.named {
            self.bytes.truncate(child.before);
        }
    }

    /// Begins a list whose items' order and repetition do not count.
    pub(crate) fn begin_list(&self) -> OpenList {
        let before = self.bytes.len();
        OpenList { first: self.items.len(), before, start: before }
    }

    /// Ends an item of the list.
    pub(crate) fn end_item(&mut self, list: &mut OpenList) {
        let end = self.bytes.len();
        // An item that writes nothing has no place in the order.
        if end > list.start {
            self.items.push((hash(&self.bytes[list.start..]), list.start, end));
        }
        list.start = end;
    }

    /// Sorts the items of the list, and drops repetitions.
    pub(crate) fn sort(&mut self, list: &OpenList) {
        let OpenList { first, before, .. } = *list;
        let found = &mut self.items[first..];
        if !found.is_sorted_by(|(a, ..), (b, ..)| a < b) {
            sort(found);
            self.sorted.clear();
            let mut before_it = None;
            for (hash, start, end) in found {
                if before_it != Some(*hash) {
                    self.sorted.extend_from_slice(&self.bytes[*start..*end]);
                }
                before_it = Some(*hash);
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
