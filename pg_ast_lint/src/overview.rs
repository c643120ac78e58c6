//! What a script says about its tables as a whole: rules about one statement depend on others, before it and after it.

use core::hash::{Hash, Hasher as _};
use std::collections::{HashMap, HashSet};
use std::hash::DefaultHasher;
use std::sync::Arc;

use pg_ast::Version;

use crate::known_database::Database;
use crate::stmt::in_transaction_after;
use crate::stmt_facts::{Fact, Gain, StmtFacts};
use crate::unit::Unit;

/// The numbers of statements.
type Places = Vec<usize>;

/// What statements say about others.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    facts: HashSet<Fact>,
    /// What there is before the script.
    pub(crate) database: Arc<Database>,
    /// After which statements something is there.
    gains: HashMap<Gain, Places>,
    /// The major version of PostgreSQL that the script is for.
    pub(crate) major: u32,
    /// Whether it is the script of an extension.
    pub(crate) is_extension: bool,
    /// The transaction of each statement, if it is in one.
    transactions: Vec<Option<usize>>,
    /// The `DO`: all that is in one is in one place, and in one transaction.
    dos: HashSet<usize>,
    /// Whether each statement is sent with another one, which makes them one transaction.
    joined: Vec<bool>,
}

impl Overview {
    pub(crate) fn new(
        script: &str,
        units: &[Unit],
        (in_transaction, version): (bool, Version),
    ) -> Self {
        let mut overview = Self { major: version.major(), ..Self::default() };
        let mut is_joined = false;
        let mut transaction = in_transaction.then_some(0);
        for (place, unit) in units.iter().enumerate() {
            if let Ok(parsed) = &unit.result {
                for &(kind, chain) in &parsed.facts.transactions {
                    let before = transaction.is_some();
                    let is_in = in_transaction_after(kind, chain, before);
                    let is_same = before && !chain;
                    let this = transaction.filter(|_| is_same).unwrap_or(place + 1);
                    transaction = is_in.then_some(this);
                }
                overview.add(place, &parsed.facts);
                if let Some(facts) = &parsed.facts_of_do {
                    overview.dos.insert(place);
                    overview.add(place, facts);
                }
            }
            overview.transactions.push(transaction);
            let next = units.get(place + 1).map_or(script.len(), |next| next.range.start);
            let behind = script.get(unit.range.end..next).unwrap_or_default();
            let joins = behind.contains("\\;");
            overview.joined.push(is_joined || joins);
            is_joined = joins;
        }
        overview
    }

    fn add(&mut self, place: usize, facts: &StmtFacts) {
        self.facts.extend(facts.facts.iter().cloned());
        for gain in &facts.gains {
            self.gains.entry(gain.clone()).or_default().push(place);
        }
    }

    /// Returns what stands for all that it tells.
    pub(crate) fn keys(&self) -> OverviewKeys<'_> {
        let facts = hash((hash_all(&self.facts), self.is_extension));
        let places = hash((hash_all(&self.gains), &self.transactions));
        OverviewKeys { overview: self, facts, places }
    }

    pub(crate) fn is_joined(&self, place: usize) -> bool {
        self.joined.get(place).copied().unwrap_or_default()
    }

    /// Returns whether a statement says so, or the database before the script.
    pub(crate) fn has(&self, fact: &Fact) -> bool {
        self.facts.contains(fact) || self.database.has(fact)
    }

    /// Returns whether something is there after a statement that takes it away, or later in the same transaction.
    pub(crate) fn gets(&self, place: usize, gain: &Gain) -> bool {
        let places = self.gains.get(gain).map_or(&[][..], Places::as_slice);
        // One statement can replace a default or a constraint; in a DO, each statement is in this place.
        let can_replace = matches!(gain, Gain::Default(..) | Gain::Constraint(..));
        if (can_replace || self.dos.contains(&place)) && places.binary_search(&place).is_ok() {
            return true;
        }
        // Those of a transaction are side by side.
        let transaction = |place: usize| self.transactions.get(place).copied().flatten();
        let (this, next) = (transaction(place), places.partition_point(|other| *other <= place));
        this.is_some() && places.get(next).is_some_and(|next| transaction(*next) == this)
    }
}

/// What stands for all that an overview tells: equal numbers stand for equal answers.
pub(crate) struct OverviewKeys<'a> {
    overview: &'a Overview,
    facts: u64,
    places: u64,
}

impl OverviewKeys<'_> {
    /// Returns the number for a statement.
    pub(crate) fn at(&self, place: usize) -> u64 {
        let overview = self.overview;
        let is_alone = overview.transactions.get(place).is_none_or(Option::is_none)
            && !overview.dos.contains(&place);
        // Other statements of a transaction matter.
        let others = (!is_alone).then_some((place, self.places));
        hash((self.facts, overview.is_joined(place), others))
    }
}

/// Returns a hash of elements in any order.
fn hash_all(elements: impl IntoIterator<Item: Hash>) -> u64 {
    elements.into_iter().map(hash).fold(0, u64::wrapping_add)
}

pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns whether a script says that `CREATE EXTENSION` runs it: it refuses to be run by psql, or names the schema for which
/// the extension asks.
pub(crate) fn is_extension(script: &str) -> bool {
    let is_guard = |line: &str| {
        // A byte order mark, or blanks.
        let command = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        command.starts_with("\\echo") && line.contains("EXTENSION")
    };
    script.contains("@extschema") || script.contains("@extowner@") || script.lines().any(is_guard)
}
