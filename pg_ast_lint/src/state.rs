//! What the statements so far have changed, as far as rules ask for it.

use core::mem;
use std::collections::HashSet;

use pg_ast::effects::Effects;
use pg_ast::protobuf::ObjectType;
use pg_ast::view::{Node, RangeVar};

use crate::events::{Event, TableEvent, events_of, events_of_stmt, locked};
use crate::not_null::NotNulls;
use crate::overview::hash;
use crate::settings::{FunctionPath, Parameter, Settings};
use crate::stmt::{Key, in_transaction_after, key_of, name_key};

/// What can be created besides tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Functions,
    Types,
    Schemas,
    Views,
    /// Those of tables, by the names of the table and their own.
    Triggers,
    Rules,
    Policies,
}

/// The effects of the previous statements.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) in_transaction: bool,
    /// The number of transactions that have begun.
    transactions: usize,
    pub(crate) settings: Settings,
    /// What the last function says about the path on which names are looked up.
    function_path: FunctionPath,
    /// Whether a statement has locked a table that others use.
    pub(crate) has_locked: bool,
    /// Tables that the script has created, and their indexes.
    created: HashSet<Key>,
    /// The temporary ones among them.
    temporary: HashSet<Key>,
    /// Columns that the script has added to other tables.
    columns: HashSet<(Key, String)>,
    /// What the script has created besides tables and indexes.
    others: HashSet<(Space, Key)>,
    not_nulls: NotNulls,
    /// The events since somebody took them.
    events: Vec<Event>,
    /// Stands for all events so far.
    key: u64,
}

impl State {
    pub(crate) fn new(in_transaction: bool) -> Self {
        Self { in_transaction, ..Self::default() }
    }

    /// Makes the state in which the function that was created last runs.
    pub(crate) fn of_function(created: &Self) -> Self {
        let mut state = Self::new(true);
        let is_safe = matches!(created.function_path, FunctionPath::Safe | FunctionPath::Unknown);
        state.settings.safe_path = Parameter::new(is_safe);
        state
    }

    /// Returns whether the script has created a table or an index.
    pub(crate) fn is_new(&self, table: Option<RangeVar<'_>>) -> bool {
        table.is_some_and(|table| self.created.contains(&key_of(table)))
    }

    /// Returns whether the script has added a column: no program uses it yet.
    pub(crate) fn is_column_new(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        table.is_some_and(|table| self.columns.contains(&(key_of(table), column.to_owned())))
    }

    /// Returns whether a valid constraint says that a column is not NULL.
    pub(crate) fn is_not_null(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        table.is_some_and(|table| self.not_nulls.has(&key_of(table), column))
    }

    /// Does the same by the parts of a name.
    pub(crate) fn is_name_new(&self, name: Node<'_>) -> bool {
        name_key(name).is_some_and(|key| self.created.contains(&key))
    }

    /// Does the same by the schema and the name.
    pub(crate) fn is_key_new(&self, key: &Key) -> bool {
        self.created.contains(key)
    }

    /// Returns whether the script has created a temporary table.
    pub(crate) fn is_temporary(&self, name: &Key) -> bool {
        self.temporary.contains(name)
    }

    /// Returns whether the script has created something that is not a table or an index.
    pub(crate) fn is_other_new(&self, space: Space, name: &Key) -> bool {
        self.others.contains(&(space, name.clone()))
    }

    /// Returns whether the current transaction has added a constraint, which has to be validated.
    pub(crate) fn is_unvalidated_here(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        let table = table.map(key_of).unwrap_or_default();
        self.transaction().is_some_and(|it| self.not_nulls.is_unvalidated(&table, name, it))
    }

    /// Returns whether the script has added a constraint.
    pub(crate) fn is_constraint_new(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        table.is_some_and(|table| self.not_nulls.has_added(&key_of(table), name))
    }

    /// Returns the number of the current transaction.
    fn transaction(&self) -> Option<usize> {
        self.in_transaction.then_some(self.transactions)
    }

    /// Returns whether a statement keeps others from reading or writing a table that the script has not created.
    pub(crate) fn locks_others(&self, effects: &Effects) -> bool {
        self.has_others(&locked(effects))
    }

    fn has_others(&self, tables: &[Key]) -> bool {
        tables.iter().any(|table| !self.created.contains(table))
    }

    /// Returns a number that stands for all events so far: states with the same one are equal.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Returns the events since the last call.
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        mem::take(&mut self.events)
    }

    /// Begins a `DO`; returns whether there was a transaction already.
    pub(crate) fn begin_do(&mut self) -> bool {
        let was_in_transaction = self.in_transaction;
        self.add(Event::DoBegins);
        was_in_transaction
    }

    pub(crate) fn end_do(&mut self, was_in_transaction: bool) {
        self.add(Event::DoEnds(was_in_transaction));
    }

    /// Applies the effect of a statement as a whole, before its nodes.
    pub(crate) fn follow_stmt(&mut self, stmt: Node<'_>, effects: &Effects) {
        for event in events_of_stmt(stmt, effects) {
            self.add(event);
        }
    }

    /// Applies the effect of a node of a statement.
    pub(crate) fn follow(&mut self, node: Node<'_>) {
        for event in events_of(node) {
            self.add(event);
        }
    }

    fn add(&mut self, event: Event) {
        self.apply(&event);
        self.events.push(event);
    }

    /// Applies an event.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.key = hash((self.key, event));
        match event {
            Event::Transaction(kind, chain) => {
                let was_in = mem::take(&mut self.in_transaction);
                self.in_transaction = in_transaction_after(*kind, *chain, was_in);
                self.transactions += usize::from(self.in_transaction && (!was_in || *chain));
                if !self.in_transaction || *chain {
                    self.settings.end_transaction();
                }
            }
            Event::DoBegins => {
                self.transactions += usize::from(!self.in_transaction);
                self.in_transaction = true;
            }
            Event::DoEnds(was_in_transaction) => self.in_transaction = *was_in_transaction,
            Event::Setting(event) => self.settings.apply(*event),
            Event::Locks(tables) => self.has_locked |= self.has_others(tables),
            Event::CreatesRelation { relation, is_temporary } => {
                self.temporary.extend(is_temporary.then(|| relation.clone()));
                self.created.insert(relation.clone());
            }
            Event::CreatesIndex { table, index } => {
                if self.created.contains(table) {
                    self.created.insert(index.clone());
                }
            }
            Event::CreatesOther(space, name) => {
                self.others.insert((*space, name.clone()));
            }
            Event::Function(path) => self.function_path = *path,
            Event::AltersTable(table, events) => {
                if !self.created.contains(table) {
                    self.alter(table, events);
                }
            }
            Event::Renames { table, kind, old, new } => {
                self.not_nulls.rename(table, *kind, old, new);
                self.rename(table, *kind, old, new);
            }
            Event::Drops(name) => {
                self.created.remove(name);
                self.not_nulls.drop(name);
            }
            Event::DropsAll => self.created.clear(),
        }
    }

    fn alter(&mut self, table: &Key, events: &[TableEvent]) {
        let transaction = self.transaction();
        for event in events {
            match event {
                TableEvent::AddsColumn(column) => {
                    self.columns.insert((table.clone(), column.clone()));
                }
                TableEvent::DropsColumn(column) => {
                    self.columns.remove(&(table.clone(), column.clone()));
                }
                event => self.not_nulls.alter(table, event, transaction),
            }
        }
    }

    fn rename(&mut self, table: &Key, kind: ObjectType, old: &str, new: &str) {
        match kind {
            ObjectType::ObjectTable | ObjectType::ObjectIndex | ObjectType::ObjectMatview => {
                let was_created = self.created.remove(table);
                self.created.extend(was_created.then(|| (table.0.clone(), new.to_owned())));
            }
            ObjectType::ObjectColumn => {
                let was_added = self.columns.remove(&(table.clone(), old.to_owned()));
                self.columns.extend(was_added.then(|| (table.clone(), new.to_owned())));
            }
            _ => {}
        }
    }
}
