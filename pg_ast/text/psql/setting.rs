//! A setting of the session, and the effect of transactions on it.

use std::collections::HashMap;

/// The value of a boolean setting whose default is on, by the rules of PostgreSQL's `guc.c`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    value: SettingValue,
    transaction: Option<Transaction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SettingValue {
    now: bool,
    /// Its value after the transaction: without `SET LOCAL`.
    kept: bool,
}

impl Default for SettingValue {
    fn default() -> Self {
        Self { now: true, kept: true }
    }
}

#[derive(Clone, Debug)]
struct Transaction {
    /// Its value after a `ROLLBACK`.
    before: bool,
    savepoints: Vec<(String, SettingValue)>,
    /// The places of savepoints by name, so that lookups stay fast with many.
    by_name: HashMap<String, Vec<usize>>,
}

impl Transaction {
    /// Leaves only the savepoints up to the last one of a name, if there is one.
    fn back_to(&mut self, name: &str) -> Option<SettingValue> {
        let &index = self.by_name.get(name)?.last()?;
        while self.savepoints.len() > index + 1 {
            self.pop();
        }
        self.savepoints.last().map(|(_, value)| *value)
    }

    fn pop(&mut self) {
        if let Some((name, _)) = self.savepoints.pop()
            && let Some(places) = self.by_name.get_mut(&name)
        {
            places.pop();
        }
    }
}

impl PartialEq for Transaction {
    fn eq(&self, other: &Self) -> bool {
        (self.before, &self.savepoints) == (other.before, &other.savepoints)
    }
}

impl Setting {
    /// Returns the number of savepoints, which its copies take.
    pub(crate) fn savepoints(&self) -> usize {
        self.transaction.as_ref().map_or(0, |transaction| transaction.savepoints.len())
    }

    pub(crate) fn is_on(&self) -> bool {
        self.value.now
    }

    /// `SET`, or `SET LOCAL`.
    pub(crate) fn set(&mut self, on: bool, local: bool) {
        if !local {
            self.value = SettingValue { now: on, kept: on };
        } else if self.transaction.is_some() {
            self.value.now = on;
        }
    }

    pub(crate) fn discard_all(&mut self) {
        // In a transaction it is an error.
        if self.transaction.is_none() {
            self.value = SettingValue::default();
        }
    }

    pub(crate) fn begin(&mut self) {
        let before = self.value.kept;
        self.transaction.get_or_insert_with(|| Transaction {
            before,
            savepoints: Vec::new(),
            by_name: HashMap::new(),
        });
    }

    /// Ends a transaction; with `chain`, the next one begins.
    pub(crate) fn end(&mut self, commit: bool, chain: bool) {
        let Some(transaction) = self.transaction.take() else { return };
        let kept = if commit { self.value.kept } else { transaction.before };
        self.value = SettingValue { now: kept, kept };
        if chain {
            self.begin();
        }
    }

    pub(crate) fn savepoint(&mut self, name: &str) {
        if let Some(transaction) = &mut self.transaction {
            let places = transaction.by_name.entry(name.to_owned()).or_default();
            places.push(transaction.savepoints.len());
            transaction.savepoints.push((name.to_owned(), self.value));
        }
    }

    pub(crate) fn rollback_to(&mut self, name: &str) {
        if let Some(value) = self.transaction.as_mut().and_then(|it| it.back_to(name)) {
            self.value = value;
        }
    }

    pub(crate) fn release(&mut self, name: &str) {
        if let Some(transaction) = &mut self.transaction
            && transaction.back_to(name).is_some()
        {
            transaction.pop();
        }
    }
}
