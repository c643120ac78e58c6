//! Which names are visible at a place: for each name a stack of what has it, the innermost query last.
//!
//! A query has a level, and each item of its `FROM` a number. What is visible at a place are items next to each other:
//! those of a join within its `ON`, those before an item for `LATERAL`, all of them in `WHERE`. So a name is found by a binary
//! search in its stack, however many sources there are, and however deep the queries are nested.

use core::borrow::Borrow;
use core::hash::Hash;
use core::ops::Range;
use std::collections::HashMap;
use std::sync::Arc;

use crate::resolution::{UnknownSource, VisibleUnknown};

/// What a visible name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Meant {
    /// A column of a source, by its place.
    Column {
        source: usize,
        index: usize,
    },
    Source(usize),
    /// An entry of [`Resolution::unknown`](crate::Resolution).
    Unknown(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleEntry {
    pub(crate) level: u32,
    pub(crate) item: u32,
    pub(crate) meant: Meant,
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundName {
    pub(crate) level: u32,
    pub(crate) meant: Meant,
    /// Another one of the same level has the name as well.
    pub(crate) is_ambiguous: bool,
}

/// A query that is being resolved.
#[derive(Clone, Debug)]
pub(crate) struct VisibleLevel {
    /// The items that are visible now.
    pub(crate) visible: Range<u32>,
    /// The number of items so far.
    pub(crate) items: u32,
    /// The first item that a `LATERAL` one can use.
    pub(crate) first_lateral: u32,
    /// Its index in [`Resolution::outer`](crate::Resolution).
    pub(crate) query: usize,
    /// Whether a query is being resolved that is not within this one, but in an outer `WITH`.
    pub(crate) is_hidden: bool,
    /// The names that have an entry of this level, in the order of the items.
    columns: Vec<(u32, Arc<str>)>,
    sources: Vec<(u32, Arc<str>)>,
    /// The queries of its `WITH`.
    pub(crate) ctes: Vec<Arc<str>>,
}

/// All names that are visible, or will be again.
#[derive(Default)]
pub(crate) struct VisibleNames {
    pub(crate) levels: Vec<VisibleLevel>,
    columns: HashMap<Arc<str>, Vec<VisibleEntry>>,
    /// Sources by their names; and by schema, NUL and name, if they have no alias.
    sources: HashMap<Arc<str>, Vec<VisibleEntry>>,
    /// The sources whose columns are not all known.
    unknown: Vec<VisibleEntry>,
    /// The sources with system columns.
    stored: Vec<VisibleEntry>,
}

/// Finds the innermost visible entry.
fn find(levels: &[VisibleLevel], entries: &[VisibleEntry]) -> Option<FoundName> {
    let mut end = entries.len();
    while let Some(last) = entries[..end].last() {
        let level = last.level;
        let of = levels.get(level as usize)?;
        if !of.is_hidden {
            let place = (level, of.visible.end);
            let end = entries[..end].partition_point(|entry| (entry.level, entry.item) < place);
            let is_visible =
                |entry: &&VisibleEntry| entry.level == level && entry.item >= of.visible.start;
            if let Some(entry) = entries[..end].last().filter(is_visible) {
                let other = entries[..end - 1].last().filter(is_visible);
                let is_ambiguous = other.is_some();
                return Some(FoundName { level, meant: entry.meant, is_ambiguous });
            }
        }
        end = entries[..end].partition_point(|entry| entry.level < level);
    }
    None
}

fn find_in<K: Borrow<str> + Eq + Hash>(
    levels: &[VisibleLevel],
    map: &HashMap<K, Vec<VisibleEntry>>,
    name: &str,
) -> Option<FoundName> {
    find(levels, map.get(name)?)
}

/// Removes the entries of a level from an item on.
fn cut(entries: &mut Vec<VisibleEntry>, level: u32, item: u32) {
    let end = entries.partition_point(|entry| (entry.level, entry.item) < (level, item));
    entries.truncate(end);
}

impl VisibleNames {
    pub(crate) fn open(&mut self, query: usize) {
        self.levels.push(VisibleLevel {
            visible: 0..0,
            items: 0,
            first_lateral: 0,
            query,
            is_hidden: false,
            columns: Vec::new(),
            sources: Vec::new(),
            ctes: Vec::new(),
        });
    }

    /// Closes the innermost level, and returns it.
    pub(crate) fn close(&mut self) -> Option<VisibleLevel> {
        self.hide_from(0);
        self.levels.pop()
    }

    /// The number of the innermost level.
    pub(crate) fn level(&self) -> u32 {
        u32::try_from(self.levels.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The query of the innermost level.
    pub(crate) fn query(&self) -> usize {
        self.levels.last().map_or(0, |level| level.query)
    }

    pub(crate) fn top(&mut self) -> Option<&mut VisibleLevel> {
        self.levels.last_mut()
    }

    /// Makes some items of the innermost level the visible ones; returns those that were.
    pub(crate) fn show(&mut self, items: Range<u32>) -> Range<u32> {
        match self.levels.last_mut() {
            Some(level) => core::mem::replace(&mut level.visible, items),
            None => 0..0,
        }
    }

    /// Returns the number of items of the innermost level.
    pub(crate) fn items(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.items)
    }

    /// Adds an item to the innermost level, and returns its number.
    pub(crate) fn add_item(&mut self) -> u32 {
        let Some(level) = self.levels.last_mut() else { return 0 };
        level.items += 1;
        level.items - 1
    }

    pub(crate) fn add_column(&mut self, item: u32, name: &Arc<str>, meant: Meant) {
        let level = self.level();
        let Some(top) = self.levels.last_mut() else { return };
        top.columns.push((item, name.clone()));
        let entry = VisibleEntry { level, item, meant };
        match self.columns.get_mut(name) {
            Some(entries) => entries.push(entry),
            None => drop(self.columns.insert(name.clone(), vec![entry])),
        }
    }

    pub(crate) fn add_source(&mut self, item: u32, name: Arc<str>, source: usize) {
        let level = self.level();
        let Some(top) = self.levels.last_mut() else { return };
        top.sources.push((item, name.clone()));
        let meant = Meant::Source(source);
        self.sources.entry(name).or_default().push(VisibleEntry { level, item, meant });
    }

    pub(crate) fn add_unknown(&mut self, item: u32, index: usize) {
        let meant = Meant::Unknown(index);
        self.unknown.push(VisibleEntry { level: self.level(), item, meant });
    }

    pub(crate) fn add_stored(&mut self, item: u32, source: usize) {
        let meant = Meant::Source(source);
        self.stored.push(VisibleEntry { level: self.level(), item, meant });
    }

    /// Removes the names of the innermost level's items from one on.
    pub(crate) fn hide_from(&mut self, item: u32) {
        let number = self.level();
        let Some(level) = self.levels.last_mut() else { return };
        while let Some((_, name)) = level.columns.pop_if(|(of, _)| *of >= item) {
            if let Some(entries) = self.columns.get_mut(&name) {
                cut(entries, number, item);
            }
        }
        while let Some((_, name)) = level.sources.pop_if(|(of, _)| *of >= item) {
            if let Some(entries) = self.sources.get_mut(&name) {
                cut(entries, number, item);
            }
        }
        cut(&mut self.unknown, number, item);
        cut(&mut self.stored, number, item);
    }

    /// Hides the system columns of the innermost level's items from one on: they are not those of a join.
    pub(crate) fn hide_stored_from(&mut self, item: u32) {
        let level = self.level();
        cut(&mut self.stored, level, item);
    }

    /// Makes a column of the innermost level's items from one on mean one thing.
    pub(crate) fn merge_column(&mut self, item: u32, name: &Arc<str>, meant: Meant) {
        let level = self.level();
        if let Some(entries) = self.columns.get_mut(name) {
            cut(entries, level, item);
        }
        self.add_column(item, name, meant);
    }

    pub(crate) fn column(&self, name: &str) -> Option<FoundName> {
        find_in(&self.levels, &self.columns, name)
    }

    /// Returns what a column means among items of the innermost level.
    pub(crate) fn column_among(&mut self, items: Range<u32>, name: &str) -> Option<FoundName> {
        let before = self.show(items);
        let level = self.level();
        let found = self.column(name).filter(|found| found.level == level);
        self.show(before);
        found
    }

    pub(crate) fn source(&self, name: &str) -> Option<FoundName> {
        find_in(&self.levels, &self.sources, name)
    }

    /// Returns whether the innermost level has a source of the name, visible or not.
    pub(crate) fn has_source(&self, name: &str) -> Option<(usize, u32)> {
        let entry = self.sources.get(name)?.last()?;
        match entry.meant {
            Meant::Source(source) if entry.level == self.level() => Some((source, entry.item)),
            _ => None,
        }
    }

    /// Returns the sources of all queries that are open, visible or not.
    pub(crate) fn open_sources(&self) -> impl Iterator<Item = usize> {
        self.sources.values().flatten().filter_map(|entry| match entry.meant {
            Meant::Source(source) => Some(source),
            _ => None,
        })
    }

    /// Returns whether there is a source of the name anywhere, visible or not.
    pub(crate) fn is_source_somewhere(&self, name: &str) -> bool {
        self.sources.get(name).is_some_and(|entries| !entries.is_empty())
    }

    /// Returns the innermost visible source with system columns.
    pub(crate) fn stored(&self) -> Option<FoundName> {
        find(&self.levels, &self.stored)
    }

    /// Returns the last visible source whose columns are not all known, with what is visible of its level.
    pub(crate) fn unknown(&self) -> Option<(u32, VisibleUnknown)> {
        let found = find(&self.levels, &self.unknown)?;
        let Meant::Unknown(last) = found.meant else { return None };
        let first_item = self.levels.get(found.level as usize)?.visible.start;
        Some((found.level, VisibleUnknown { last, first_item }))
    }

    /// Returns the one before a new unknown source in the innermost level.
    pub(crate) fn unknown_before(&self) -> Option<usize> {
        let last = self.unknown.last().filter(|last| last.level == self.level())?;
        match last.meant {
            Meant::Unknown(index) => Some(index),
            _ => None,
        }
    }

    /// Returns the names of columns that some source has.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> {
        let used = self.columns.iter().filter(|(_, entries)| !entries.is_empty());
        used.map(|(name, _)| &**name)
    }

    /// Returns the names of sources.
    pub(crate) fn source_names(&self) -> impl Iterator<Item = &str> {
        let used = self.sources.iter().filter(|(_, entries)| !entries.is_empty());
        used.map(|(name, _)| &**name).filter(|name| !name.contains('\0'))
    }
}

/// Makes the record of a source whose columns are not all known.
pub(crate) fn unknown_source(names: &VisibleNames, source: usize, item: u32) -> UnknownSource {
    let query = names.query();
    UnknownSource { source, item, query, level: names.level(), before: names.unknown_before() }
}
