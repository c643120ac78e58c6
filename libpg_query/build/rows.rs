//! Packs the rows of the grammar's tables into one array, in a quarter of the space that Bison needs.
//!
//! In some two hundred states, any of four hundred keywords can come next. Such rows are nearly the same, and most of
//! Bison's entries are in them. Here, a long row has only the entries in which it differs from another row, its base;
//! the entries that are not in it are read from there.
//!
//! All rows overlap in the array: an entry says which column it is, and no two rows begin at the same place.

use std::collections::BTreeMap;

/// The entries of a row by their columns.
pub(crate) type Row = BTreeMap<i32, i32>;

/// Rows with fewer entries have no base: looking there takes time.
const LONG: usize = 100;

/// A row may differ from its base in one of so many entries; otherwise it becomes a base itself.
const DIFFERENCE: usize = 16;

/// Where a row is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The index of its column 0.
    pub(crate) entry: usize,
    /// The index of column 0 of its base; 0 if it has none.
    pub(crate) base: usize,
}

/// The array of all rows.
#[derive(Default)]
pub(crate) struct Packed {
    /// The column and the value of each entry; `None` where no row has one.
    pub(crate) entries: Vec<Option<(i32, i32)>>,
    /// The indexes that have an entry.
    taken: Bits,
    /// The indexes at which a row begins.
    begins: Bits,
    /// The first index without an entry.
    free: usize,
}

/// A set of indexes.
#[derive(Default)]
struct Bits(Vec<u64>);

/// A row of the grammar's actions, and the value that stands for a column that is not in it.
pub(crate) type Actions = (Row, i32);

/// Packs the rows of actions, and then other rows, which get no base. Returns the places of both.
pub(crate) fn pack(actions: &[Actions], others: &[Row]) -> (Packed, Vec<Place>, Vec<Place>) {
    let (bases, parts) = divided(actions);
    let mut packed = Packed::default();
    let mut rows: Vec<&Row> = parts.iter().map(|(row, _)| row).chain(others).collect();
    rows.sort_by_key(|row| usize::MAX - row.len());
    let mut known = BTreeMap::new();
    for row in bases.iter().chain(rows) {
        known.entry(row).or_insert_with(|| packed.add(row));
    }
    let place = |(row, base): &(Row, Option<usize>)| Place {
        entry: known[row],
        base: base.map_or(0, |base| known[&bases[base]]),
    };
    let others = others.iter().map(|row| Place { entry: known[row], base: 0 }).collect();
    let actions = parts.iter().map(place).collect();
    (packed, actions, others)
}

/// Returns the bases, and what remains of each row, with the index of its base.
fn divided(actions: &[Actions]) -> (Vec<Row>, Vec<(Row, Option<usize>)>) {
    let mut bases: Vec<Row> = Vec::new();
    let parts = actions.iter().map(|(row, missing)| {
        if row.len() < LONG {
            return (row.clone(), None);
        }
        let parts = bases.iter().map(|base| difference(row, *missing, base)).enumerate();
        let best = parts.min_by_key(|(_, part)| part.len());
        match best.filter(|(_, part)| part.len() <= row.len() / DIFFERENCE) {
            Some((base, part)) => (part, Some(base)),
            None => {
                bases.push(row.clone());
                (row.clone(), None)
            }
        }
    });
    let parts = parts.collect();
    (bases, parts)
}

/// Returns the entries of a row that its base has not, or has otherwise.
fn difference(row: &Row, missing: i32, base: &Row) -> Row {
    let own = row.iter().filter(|(column, value)| base.get(column) != Some(value));
    let mut part: Row = own.map(|(column, value)| (*column, *value)).collect();
    let lost = base.keys().filter(|column| !row.contains_key(column));
    part.extend(lost.map(|column| (*column, missing)));
    part
}

impl Bits {
    fn insert(&mut self, index: usize) {
        if self.0.len() <= index / 64 {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Returns whether 64 indexes are in the set: a bit for each, the lowest for the first.
    fn from(&self, first: usize) -> u64 {
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let (at, shift) = (first / 64, first % 64);
        let rest = if shift == 0 { 0 } else { word(at + 1) << (64 - shift) };
        word(at) >> shift | rest
    }
}

impl Packed {
    /// Adds a row at the first place where it fits, and returns that place, which is not 0.
    fn add(&mut self, row: &Row) -> usize {
        let column = |column: &i32| usize::try_from(*column).expect("a column");
        let columns: Vec<_> = row.keys().map(column).collect();
        while self.entries.get(self.free).is_some_and(Option::is_some) {
            self.free += 1;
        }
        let first = columns.first().copied().unwrap_or(0);
        let mut begin = self.free.saturating_sub(first).max(1);
        // Sixty-four places at once: build scripts are not optimised.
        begin += loop {
            let mut unfit = self.begins.from(begin);
            for column in &columns {
                unfit |= self.taken.from(begin + column);
                if unfit == u64::MAX {
                    break;
                }
            }
            if unfit != u64::MAX {
                break unfit.trailing_ones() as usize;
            }
            begin += 64;
        };
        self.begins.insert(begin);
        for (key, value) in row {
            let index = begin + column(key);
            if self.entries.len() <= index {
                self.entries.resize(index + 1, None);
            }
            self.entries[index] = Some((*key, *value));
            self.taken.insert(index);
        }
        begin
    }

    /// Makes the array so long that each column of a row can be read, whether or not it has an entry.
    pub(crate) fn extend(&mut self, places: &[Place], columns: usize) {
        let end = places.iter().map(|place| place.entry.max(place.base) + columns).max();
        let end = end.unwrap_or(0).max(self.entries.len());
        self.entries.resize(end, None);
    }
}
