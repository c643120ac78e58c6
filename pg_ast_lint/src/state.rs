//! What the statements so far have changed, as far as rules ask for it.

use core::mem;
use std::collections::{HashMap, HashSet};

use pg_ast::protobuf::{ObjectType, TransactionStmtKind};
use pg_ast::view::{self, Node, RangeVar};
use pg_ast_effects::Effects;
use pg_ast_names::{DdlCatalog, define};

use crate::Options;
use crate::events::{Event, TableEvent, events_of, events_of_stmt, locked};
use crate::known_database;
use crate::overview::hash;
use crate::settings::{FunctionPath, Parameter, Settings};
use crate::stmt::{self, Key, Name, in_transaction_after, key_of, name_key};

/// The effects of the previous statements.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) in_transaction: bool,
    /// What the database has, before the script and by it: the constraints of tables are asked of it. Its mark is the number of events,
    /// so what the script has added has one.
    pub(crate) catalog: DdlCatalog,
    /// The number of events so far, and of those up to the beginning of the transaction.
    count: usize,
    begun: usize,
    pub(crate) settings: Settings,
    /// What the last function says about the path on which names are looked up.
    function_path: FunctionPath,
    /// Whether a statement has locked a table that others use.
    pub(crate) has_locked: bool,
    /// What the script has created, and whether it is temporary.
    created: HashMap<Name, bool>,
    /// Columns that the script has added to other tables.
    columns: HashMap<Key, HashSet<String>>,
    /// Tables with a constraint that the script has validated, and of which nothing else is known.
    validated: HashSet<Key>,
    /// What takes back the changes of the transaction, in their order.
    undo: Vec<Undo>,
    /// The places to which the transaction can go back: that of `BEGIN`, and those of savepoints.
    savepoints: Vec<Savepoint>,
    /// The events since somebody took them.
    events: Vec<Event>,
    /// Stands for all events so far.
    key: u64,
}

/// What takes back a change.
#[derive(Debug)]
enum Undo {
    /// Something was new, or not.
    Created(Name, Option<bool>),
    AllCreated(HashMap<Name, bool>),
    Column(Key, String, bool),
    Columns(Key, Option<HashSet<String>>),
    /// A table had another name, with which its new columns and its constraints go.
    Renamed {
        old: Key,
        new: Key,
    },
    /// A constraint of a table was validated.
    Validated(Key),
}

/// A place in a transaction.
#[derive(Debug)]
struct Savepoint {
    /// Empty for the beginning of the transaction.
    name: String,
    settings: Settings,
    /// How many changes were before it.
    changes: usize,
}

impl State {
    pub(crate) fn new(in_transaction: bool) -> Self {
        let mut state = Self { in_transaction, ..Self::default() };
        state.begin_undo();
        state
    }

    /// Makes the state in which a script begins.
    pub(crate) fn of_script(options: &Options) -> Self {
        let mut catalog = options.database.catalog.clone();
        if options.in_transaction
            && let Ok(begin) = view::parse("BEGIN")
        {
            define(&begin, &mut catalog);
        }
        Self { catalog, ..Self::new(options.in_transaction) }
    }

    /// Makes the state in which the function that was created last runs.
    pub(crate) fn of_function(created: &Self) -> Self {
        let mut state = Self::new(true);
        let is_safe = matches!(created.function_path, FunctionPath::Safe | FunctionPath::Unknown);
        state.settings.safe_path = Parameter::new(is_safe);
        state
    }

    /// Returns whether the script has created a table or another relation: no program uses it yet.
    pub(crate) fn is_new(&self, table: Option<RangeVar<'_>>) -> bool {
        table.is_some_and(|table| {
            // A temporary one is the session's own.
            table.relpersistence() == "t"
                || self.is_key_new(ObjectType::ObjectTable, &key_of(table))
        })
    }

    /// Returns whether the script has created an object of a kind.
    pub(crate) fn is_key_new(&self, kind: ObjectType, key: &Key) -> bool {
        let is_created = |kind, key| self.created.contains_key(&Name::new(kind, key));
        // Nobody else has something in a schema that the script has made, or in that of the session.
        let is_in_new = || match key.0.as_str() {
            "" => false,
            "pg_temp" => true,
            schema => is_created(ObjectType::ObjectSchema, stmt::key("", schema)),
        };
        is_created(kind, key.clone()) || is_in_new()
    }

    /// Returns whether the script has created what a node names.
    pub(crate) fn is_name_new(&self, kind: ObjectType, name: Node<'_>) -> bool {
        name_key(name).is_some_and(|key| self.is_key_new(kind, &key))
    }

    /// Returns whether the script has created a trigger, a rule or a policy of a table, or the table.
    pub(crate) fn is_part_new(&self, kind: ObjectType, table: &Key, name: &str) -> bool {
        self.is_key_new(ObjectType::ObjectTable, table)
            || self.created.contains_key(&Name::of_part(kind, &table.1, name))
    }

    /// Returns whether the script has added a column to a table.
    pub(crate) fn is_column_new(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        let columns = table.and_then(|table| self.columns.get(&key_of(table)));
        columns.is_some_and(|columns| columns.contains(column))
    }

    /// Returns whether a valid constraint says that a column is not NULL.
    pub(crate) fn is_not_null(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        table.is_some_and(|table| {
            let relation = known_database::relation(&self.catalog, table);
            relation.is_some_and(|it| it.is_never_null(column))
                || self.validated.contains(&key_of(table))
        })
    }

    /// Returns whether the script has created a temporary table.
    pub(crate) fn is_temporary(&self, name: &Key) -> bool {
        let name = Name::new(ObjectType::ObjectTable, name.clone());
        self.created.get(&name).copied().unwrap_or_default()
    }

    /// Returns whether the current transaction has added a constraint, which has to be validated.
    pub(crate) fn is_unvalidated_here(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        let constraint = table.and_then(|it| known_database::constraint(&self.catalog, it, name));
        self.in_transaction && constraint.is_some_and(|it| !it.is_validated && it.mark > self.begun)
    }

    /// Returns whether the script has added a constraint.
    pub(crate) fn is_constraint_new(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        let constraint = table.and_then(|it| known_database::constraint(&self.catalog, it, name));
        constraint.is_some_and(|it| it.mark > 0)
    }

    /// Returns whether a statement keeps others from reading or writing a table that the script has not created.
    pub(crate) fn locks_others(&self, effects: &Effects) -> bool {
        self.has_others(&locked(effects))
    }

    fn has_others(&self, tables: &[Key]) -> bool {
        tables.iter().any(|table| !self.is_key_new(ObjectType::ObjectTable, table))
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

    /// Lets the catalog follow a statement, after its nodes.
    pub(crate) fn define(&mut self, text: &str, tree: &view::Tree) {
        let is_query = |stmt: Node<'_>| match stmt {
            Node::SelectStmt(select) => {
                select.into_clause().is_none() && !text.contains("set_config")
            }
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => true,
            _ => false,
        };
        if tree.stmts().filter_map(view::RawStmt::stmt).all(is_query) {
            return;
        }
        // Rules ask only for tables that the script has not created: what it creates needs no new look at the statements behind it.
        let is_change = |stmt: Node<'_>| {
            matches!(stmt, Node::AlterTableStmt(_) | Node::VariableSetStmt(_) | Node::SelectStmt(_))
        };
        if tree.stmts().filter_map(view::RawStmt::stmt).any(is_change) {
            self.add(Event::Defines(hash(text)));
        }
        self.catalog.set_mark(self.count + 1);
        known_database::follow(&mut self.catalog, tree);
        let alters = tree.stmts().filter_map(|raw| raw.stmt().and_then(Node::as_alter_table_stmt));
        let tables =
            alters.filter_map(|alter| known_database::unknown_validated(&self.catalog, alter));
        for table in tables.collect::<Vec<_>>() {
            self.add(Event::ValidatesUnknown(table));
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

    /// Brings about what a statement has changed before, in a state that was equal.
    pub(crate) fn restore(&mut self, events: &[Event], catalog: &DdlCatalog) {
        for event in events {
            self.apply(event);
        }
        self.catalog = catalog.clone();
    }

    /// Applies an event.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.key = hash((self.key, event));
        self.count += 1;
        match event {
            Event::Transaction { kind, chain, savepoint } => {
                if self.in_transaction {
                    self.go_back(*kind, savepoint);
                }
                let was_in = mem::take(&mut self.in_transaction);
                self.in_transaction = in_transaction_after(*kind, *chain, was_in);
                let begins = self.in_transaction && (!was_in || *chain);
                if begins {
                    self.begun = self.count;
                }
                if !self.in_transaction || *chain {
                    self.settings.end_transaction();
                }
                if begins || !self.in_transaction {
                    self.begin_undo();
                }
            }
            Event::DoBegins => {
                if !self.in_transaction {
                    self.begun = self.count;
                }
                self.in_transaction = true;
            }
            Event::DoEnds(was_in_transaction) => {
                self.in_transaction = *was_in_transaction;
                if !self.in_transaction {
                    self.begin_undo();
                }
            }
            Event::Setting(event) => self.settings.apply(*event),
            Event::Locks(tables) => self.has_locked |= self.has_others(tables),
            Event::Creates { name, is_temporary, is_new: true, .. } => {
                self.set_created(name.clone(), Some(*is_temporary));
            }
            Event::ValidatesUnknown(table) => {
                if self.validated.insert(table.clone()) {
                    self.changes(Undo::Validated(table.clone()));
                }
            }
            Event::Creates { .. }
            | Event::AltersDomain(..)
            | Event::RenamesConstraint { .. }
            | Event::Defines(_) => {}
            Event::CreatesIndex { table, index } => {
                if self.is_key_new(ObjectType::ObjectTable, table) {
                    self.set_created(index.clone(), Some(false));
                }
            }
            Event::Function(path) => self.function_path = *path,
            Event::AltersTable(kind, table, events) => {
                if !self.is_key_new(*kind, table) {
                    self.alter(table, events);
                }
            }
            Event::RenamesColumn { table, old, new } => {
                if self.set_column(table, old, false) {
                    self.set_column(table, new, true);
                }
            }
            Event::Renames { old, new, .. } => self.rename(old, new),
            Event::Drops(name) => {
                self.set_created(name.clone(), None);
                if name.kind == ObjectType::ObjectTable {
                    let columns = self.columns.remove(&name.key);
                    self.changes(Undo::Columns(name.key.clone(), columns));
                    self.validated.remove(&name.key);
                }
            }
            Event::DropsAll => {
                let created = mem::take(&mut self.created);
                self.changes(Undo::AllCreated(created));
            }
        }
    }

    fn alter(&mut self, table: &Key, events: &[TableEvent]) {
        for event in events {
            match event {
                TableEvent::AddsColumn(column) => {
                    self.set_column(table, column, true);
                }
                TableEvent::DropsColumn(column) => {
                    self.set_column(table, column, false);
                }
                TableEvent::SetsDefault(_) | TableEvent::AddsConstraint(_) => {}
            }
        }
    }

    /// Gives something another name, or moves it to another schema.
    fn rename(&mut self, old: &Name, new: &Name) {
        match self.set_created(old.clone(), None) {
            Some(is_temporary) => {
                self.set_created(new.clone(), Some(is_temporary));
            }
            // From now on, the schema has something that the script has not made.
            None if old.key.0 != new.key.0 && !self.is_key_new(old.kind, &old.key) => {
                let schema = stmt::key("", &new.key.0);
                self.set_created(Name::new(ObjectType::ObjectSchema, schema), None);
            }
            None => {}
        }
        if old.kind == ObjectType::ObjectTable {
            self.rename_table(&old.key, &new.key);
            self.changes(Undo::Renamed { old: old.key.clone(), new: new.key.clone() });
        }
    }

    /// Lets new columns and constraints go with a table.
    fn rename_table(&mut self, old: &Key, new: &Key) {
        if let Some(columns) = self.columns.remove(old) {
            self.columns.insert(new.clone(), columns);
        }
        if self.validated.remove(old) {
            self.validated.insert(new.clone());
        }
    }

    /// Notes that something is new, and whether it is temporary, or that it is not; returns what was said of it before.
    fn set_created(&mut self, name: Name, is_new: Option<bool>) -> Option<bool> {
        let before = match is_new {
            Some(is_temporary) => self.created.insert(name.clone(), is_temporary),
            None => self.created.remove(&name),
        };
        self.changes(Undo::Created(name, before));
        before
    }

    /// Notes that a column is new, or that it is not; returns whether it was.
    fn set_column(&mut self, table: &Key, column: &str, is_new: bool) -> bool {
        let columns = self.columns.entry(table.clone()).or_default();
        let was_new =
            if is_new { !columns.insert(column.to_owned()) } else { columns.remove(column) };
        self.changes(Undo::Column(table.clone(), column.to_owned(), was_new));
        was_new
    }

    /// Notes how to take back a change: outside of a transaction, nothing does.
    fn changes(&mut self, undo: Undo) {
        if self.in_transaction {
            self.undo.push(undo);
        }
    }

    /// Forgets how to take back changes, and begins anew.
    fn begin_undo(&mut self) {
        self.undo.clear();
        self.savepoints.clear();
        let (name, settings) = (String::new(), self.settings);
        self.savepoints.push(Savepoint { name, settings, changes: 0 });
    }

    /// Does what a command about transactions says of savepoints, and of what was before them.
    fn go_back(&mut self, kind: TransactionStmtKind, name: &str) {
        let savepoints = &mut self.savepoints;
        // That of BEGIN has no name. A name that is not known ends the transaction, too.
        let last = |savepoints: &[Savepoint]| {
            savepoints.iter().rposition(|it| it.name == name).unwrap_or_default()
        };
        match kind {
            TransactionStmtKind::TransStmtSavepoint => {
                let (name, settings) = (name.to_owned(), self.settings);
                savepoints.push(Savepoint { name, settings, changes: self.undo.len() });
            }
            TransactionStmtKind::TransStmtRelease => savepoints.truncate(last(savepoints).max(1)),
            TransactionStmtKind::TransStmtRollback | TransactionStmtKind::TransStmtRollbackTo => {
                savepoints.truncate(last(savepoints) + 1);
                let Some(Savepoint { settings, changes, .. }) = savepoints.last() else { return };
                self.settings = *settings;
                for undo in self.undo.split_off(*changes).into_iter().rev() {
                    self.take_back(undo);
                }
            }
            _ => {}
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Created(name, Some(was_temporary)) => {
                self.created.insert(name, was_temporary);
            }
            Undo::Created(name, None) => {
                self.created.remove(&name);
            }
            Undo::AllCreated(created) => self.created = created,
            Undo::Column(table, column, true) => {
                self.columns.entry(table).or_default().insert(column);
            }
            Undo::Column(table, column, false) => {
                if let Some(columns) = self.columns.get_mut(&table) {
                    columns.remove(&column);
                }
            }
            Undo::Columns(table, columns) => {
                self.columns.extend(columns.map(|columns| (table, columns)));
            }
            Undo::Renamed { old, new } => self.rename_table(&new, &old),
            Undo::Validated(table) => {
                self.validated.remove(&table);
            }
        }
    }
}
