//! What is counted besides the kinds of statements: by user, database and application, and over time.

use std::collections::{BTreeMap, HashMap};

use super::batch::Calls;
use super::shown;
use super::times::Time;

/// The maximum number of different origins, and of different messages of errors, that are told from others.
const MAX: usize = 10_000;

/// The maximum number of periods of time. When there are more, each becomes twice as long.
const MAX_PERIODS: usize = 480;

/// The number of characters of an error message that tell it from others.
const MESSAGE: usize = 200;

/// A user, a database and an application, as an index; 0 if nothing is known about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin(u32);

/// What statements are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Database,
    User,
    Application,
}

#[derive(Debug, Default)]
pub(super) struct Tallies {
    /// The indexes of the origins by their names, with a NUL between these.
    known: HashMap<Box<str>, u32>,
    /// The calls of each.
    calls: Vec<Calls>,
    /// To look a name up.
    name: String,
    /// The last one, which is often also the next one.
    last: ([String; 3], Origin),
    pub(super) periods: Periods,
    /// The errors that the server has logged, by the form of their message.
    pub(super) errors: HashMap<String, u64>,
    /// All of them, and those without their statement.
    pub(super) error_count: u64,
    pub(super) errors_without_stmt: u64,
}

impl Tallies {
    /// Returns the index of an origin; 0 also if there are too many.
    pub(super) fn origin(&mut self, database: &str, user: &str, application: &str) -> Origin {
        if database.is_empty() && user.is_empty() && application.is_empty() {
            return Origin(0);
        }
        let names = [database, user, application];
        let (last, known) = &self.last;
        if *last == names {
            return *known;
        }
        self.name.clear();
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                self.name.push('\0');
            }
            // A hostile name may be as long as a line, and have anything in it.
            self.name.extend(name.chars().filter(|c| *c != '\0').take(MESSAGE));
        }
        let origin = match self.known.get(self.name.as_str()) {
            Some(known) => Origin(*known),
            None if self.known.len() >= MAX => Origin(0),
            None => {
                let index = u32::try_from(self.known.len() + 1).unwrap_or(0);
                self.known.insert(self.name.as_str().into(), index);
                Origin(index)
            }
        };
        self.last = (names.map(str::to_owned), origin);
        origin
    }

    pub(super) fn add(&mut self, origin: Origin, at: Option<Time>, calls: Calls) {
        let index = origin.0 as usize;
        if self.calls.len() <= index {
            self.calls.resize(index + 1, Calls::default());
        }
        self.calls[index].add(calls);
        if let Some(at) = at {
            self.periods.add(at, calls);
        }
    }

    /// Counts an error that the server has logged.
    pub(super) fn error(&mut self, message: &str, has_stmt: bool) {
        self.error_count += 1;
        self.errors_without_stmt += u64::from(!has_stmt);
        let first = message.split('\n').next().unwrap_or_default();
        let first: String = first.chars().take(MESSAGE).collect();
        let form = shown::line(&first);
        let is_known = self.errors.len() < MAX || self.errors.contains_key(&form);
        let form = if is_known { form } else { "(others)".to_owned() };
        *self.errors.entry(form).or_default() += 1;
    }

    /// Returns the calls by name, those with most of them first. An unknown name is empty.
    pub(super) fn by(&self, group: Group) -> Vec<(String, Calls)> {
        let mut by: BTreeMap<&str, Calls> = BTreeMap::new();
        for (name, index) in &self.known {
            let calls = self.calls.get(*index as usize).copied().unwrap_or_default();
            let name = name.split('\0').nth(group as usize).unwrap_or_default();
            by.entry(name).or_default().add(calls);
        }
        by.entry("").or_default().add(self.calls.first().copied().unwrap_or_default());
        let is_some = |(_, calls): &(&str, Calls)| calls.count > 0 || calls.errors > 0;
        let mut by: Vec<_> = by.into_iter().filter(is_some).collect();
        by.sort_by(|a, b| b.1.count.cmp(&a.1.count).then(a.0.cmp(b.0)));
        by.into_iter().map(|(name, calls)| (name.to_owned(), calls)).collect()
    }
}

/// Calls over time, in a bounded number of periods of one length.
#[derive(Debug)]
pub(super) struct Periods {
    /// In milliseconds.
    pub(super) length: i64,
    by_start: BTreeMap<i64, Calls>,
    /// The last period, which is most often also the next one.
    last: Option<(i64, Calls)>,
}

impl Default for Periods {
    fn default() -> Self {
        Self { length: 1_000, by_start: BTreeMap::new(), last: None }
    }
}

impl Periods {
    fn add(&mut self, at: Time, calls: Calls) {
        let start = at.0.div_euclid(self.length);
        if let Some((_, sum)) = self.last.as_mut().filter(|(last, _)| *last == start) {
            sum.add(calls);
        } else {
            self.settle();
            // They may have become longer.
            self.last = Some((at.0.div_euclid(self.length), calls));
        }
    }

    fn settle(&mut self) {
        if let Some((last, calls)) = self.last.take() {
            self.by_start.entry(last).or_default().add(calls);
        }
        while self.span() >= MAX_PERIODS as u64 {
            self.length = self.length.saturating_mul(2);
            let old = std::mem::take(&mut self.by_start);
            for (start, calls) in old {
                self.by_start.entry(start.div_euclid(2)).or_default().add(calls);
            }
        }
    }

    /// The number of periods from the first to the last.
    fn span(&self) -> u64 {
        let first = self.by_start.first_key_value().map_or(0, |(start, _)| *start);
        let last = self.by_start.last_key_value().map_or(0, |(start, _)| *start);
        last.abs_diff(first)
    }

    /// Returns the periods with calls or errors: where each starts, and these.
    pub(super) fn all(&mut self) -> Vec<(Time, Calls)> {
        self.settle();
        self.by_start.iter().map(|(start, calls)| (Time(start * self.length), *calls)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_become_longer_and_lose_nothing() {
        let mut periods = Periods::default();
        for at in 0..100_000_i64 {
            periods.add(Time(at * 7_919 % 90_000_000), Calls::one(Some(1.0), None));
        }
        let all = periods.all();
        assert!(all.len() <= MAX_PERIODS + 1, "{}", all.len());
        assert_eq!(all.iter().map(|(_, calls)| calls.count).sum::<u64>(), 100_000);
        assert!(all.is_sorted_by_key(|(start, _)| *start));
        // Whatever the clock says.
        periods.add(Time(i64::MAX / 4), Calls::one(None, None));
        periods.add(Time(-5), Calls::failed());
        let all = periods.all();
        assert_eq!(all.iter().map(|(_, calls)| calls.count).sum::<u64>(), 100_001);
        assert!(all.len() <= MAX_PERIODS + 1);
    }

    #[test]
    fn origins_are_bounded_and_lose_nothing() {
        let mut tallies = Tallies::default();
        for index in 0..2 * MAX {
            let origin = tallies.origin("d", &format!("u{index}"), "");
            tallies.add(origin, None, Calls::one(None, None));
            tallies.error(&format!("{} does not exist", "a".repeat(index % 150)), true);
        }
        assert_eq!(tallies.by(Group::User).len(), MAX + 1);
        let databases = tallies.by(Group::Database);
        let count =
            |name: &str| databases.iter().find(|(by, _)| by == name).map(|(_, calls)| calls.count);
        assert_eq!((count("d"), count("")), (Some(MAX as u64), Some(MAX as u64)));
        assert_eq!(tallies.errors.values().sum::<u64>(), 2 * MAX as u64);
        assert_eq!(tallies.error_count, 2 * MAX as u64);
    }
}
