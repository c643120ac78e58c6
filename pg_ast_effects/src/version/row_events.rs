//! What a server does by itself when rows are written: triggers, the queries of foreign keys, writes through views.
//!
//! The queries of foreign keys are those of PostgreSQL's `src/backend/utils/adt/ri_triggers.c`.

use pg_ast::{LockMode, QualifiedName};
use pg_ast_names::{ColumnDefault, ForeignKeyAction, RelationKind, Relationship, TriggerEvents};

use super::finder::EffectsFinder;
use super::with_catalog::{KnownCatalog, reached};
use crate::known_relations::KnownRelations;
use crate::{Answer, Loss, LossKind, UnknownSql, Which};

/// What is done to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Event {
    Insert,
    Update,
    Delete,
    Truncate,
}

impl Event {
    const fn is_in(self, events: TriggerEvents) -> bool {
        match self {
            Self::Insert => events.insert,
            Self::Update => events.update,
            Self::Delete => events.delete,
            Self::Truncate => events.truncate,
        }
    }
}

/// What is done to the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowEvent {
    pub(super) table: QualifiedName,
    pub(super) event: Event,
    /// The columns that an update sets, if no others can change.
    pub(super) columns: Option<Vec<String>>,
}

/// Whether a statement does it to rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    /// It is about rows that there may not be, or about a relation that may not be the one that is written.
    Maybe,
    /// It would, but is only planned.
    Planned,
    Yes,
}

impl<'a> EffectsFinder<'a> {
    /// Adds what the server does when a statement writes rows of a relation; `runs` says whether it does so, or is only planned.
    pub(super) fn written(&mut self, known: KnownCatalog<'a>, event: RowEvent, runs: bool) {
        let mut open = vec![(event, if runs { Happens::Yes } else { Happens::Planned })];
        while let Some((event, happens)) = open.pop() {
            if !known.done.borrow_mut().events.insert(event.clone()) {
                continue;
            }
            let relations = known.relations(self.server);
            let Some(relation) = relations.relation(&event.table) else { continue };
            if relation.rules.iter().any(|rule| event.event.is_in(rule.events)) {
                self.unknown(UnknownSql::Rules(event.table.clone()));
                if happens == Happens::Yes {
                    // They may say what is done instead.
                    self.effects.in_read_only = Answer::Maybe;
                    self.effects.writes = Answer::Maybe;
                }
            }
            if relation.kind == RelationKind::View {
                self.called_by_relation(known, &event.table);
                self.through_view(relations, &event, happens, &mut open);
                if runs {
                    self.triggers(known, &event, Happens::Maybe);
                }
                continue;
            }
            if !runs {
                continue;
            }
            if event.event == Event::Insert {
                self.defaults(known, &event.table);
            }
            if matches!(event.event, Event::Insert | Event::Update) {
                // A child has the expressions of its parents, and rows can be in children.
                let mut tables = relations.ancestors(&event.table);
                tables.extend(relations.descendants(&event.table));
                tables.push(event.table.clone());
                for table in &tables {
                    self.called_by_relation(known, table);
                }
            }
            self.triggers(known, &event, happens);
            self.foreign_keys(relations, &event, &mut open);
        }
    }

    /// Adds the triggers of the tables that a `TRUNCATE` empties.
    pub(super) fn truncated(&mut self, known: KnownCatalog<'a>) {
        let emptied = self.effects.tables.iter();
        let emptied = emptied.filter(|it| it.which != Which::OwnedSequences && it.locked.is_yes());
        let names: Vec<_> = emptied.map(|it| it.name.clone()).collect();
        for table in names {
            let event = RowEvent { table, event: Event::Truncate, columns: None };
            if known.done.borrow_mut().events.insert(event.clone()) {
                self.triggers(known, &event, Happens::Yes);
            }
        }
    }

    /// Adds the relations behind a view whose rows a statement writes.
    fn through_view(
        &mut self,
        relations: KnownRelations<'a>,
        event: &RowEvent,
        happens: Happens,
        open: &mut Vec<(RowEvent, Happens)>,
    ) {
        let Some(view) = relations.relation(&event.table) else { return };
        let has_instead =
            view.triggers.iter().any(|it| it.is_instead && event.event.is_in(it.events))
                || view.rules.iter().any(|it| event.event.is_in(it.events));
        let read = relations.related(&event.table, Relationship::Read);
        // The one that is written is not known if there are others in conditions.
        let certain = read.len() == 1;
        for base in read {
            let (lock, locked) = match (has_instead, event.event) {
                (true, Event::Insert) => (LockMode::AccessShareLock, Answer::Maybe),
                (true, _) => (LockMode::AccessShareLock, Answer::Yes),
                (false, _) if certain => (LockMode::RowExclusiveLock, Answer::Yes),
                (false, _) => (LockMode::RowExclusiveLock, Answer::Maybe),
            };
            let locked = if happens == Happens::Maybe { Answer::Maybe } else { locked };
            let of = &event.table;
            if has_instead && relations.is_view(&base) {
                for (name, view) in relations.read_by(&base) {
                    self.effects.tables.push(reached(name, Which::Read, &view, lock, locked));
                }
            }
            for child in relations.descendants(&base) {
                let entry = reached(child, Which::Descendants, &base, lock, Answer::Maybe);
                self.effects.tables.push(entry);
            }
            self.effects.tables.push(reached(base.clone(), Which::Read, of, lock, locked));
            if !has_instead {
                let happens = if certain { happens } else { Happens::Maybe };
                // Its columns have other names there.
                let event = RowEvent { table: base, event: event.event, columns: None };
                open.push((event, happens));
            }
        }
    }

    /// Adds what the triggers of a table do, and for rows, those of its descendants.
    fn triggers(&mut self, known: KnownCatalog<'a>, event: &RowEvent, happens: Happens) {
        let relations = known.relations(self.server);
        for table in affected(relations, event) {
            let Some(relation) = relations.relation(&table) else { continue };
            // A row that an update moves to another partition is deleted and inserted.
            let moves = event.event == Event::Update && relation.is_partition;
            for trigger in &relation.triggers {
                let is_called = event.event.is_in(trigger.events)
                    || moves
                        && trigger.for_each_row
                        && (trigger.events.insert || trigger.events.delete);
                if !is_called
                    || !trigger.is_enabled
                    || !trigger.for_each_row && table != event.table
                {
                    continue;
                }
                let certain = happens == Happens::Yes
                    && !trigger.for_each_row
                    && !trigger.is_conditional
                    && !trigger.is_instead;
                self.trigger_function(known, &trigger.function, certain);
            }
        }
    }

    /// Adds the queries of foreign keys: of those of a table, and of those that refer to it.
    fn foreign_keys(
        &mut self,
        relations: KnownRelations<'a>,
        event: &RowEvent,
        open: &mut Vec<(RowEvent, Happens)>,
    ) {
        let columns = event.columns.as_ref().filter(|_| !changes_others(relations, event));
        let is_changed = |column: &String| columns.is_none_or(|set| set.contains(column));
        let tables = affected(relations, event);
        let is_new = matches!(event.event, Event::Insert | Event::Update);
        for table in tables.iter().filter(|_| is_new) {
            // A row that does not come from above is compared with the bounds of all partitions that it is in.
            if relations.relation(table).is_some_and(|it| it.is_partition) {
                for above in relations.ancestors(table) {
                    let lock = LockMode::AccessShareLock;
                    let entry = reached(above, Which::Parent, table, lock, Answer::Maybe);
                    self.effects.tables.push(entry);
                }
            }
            for (constraint, key) in relations.keys_of(table) {
                if event.event == Event::Insert || constraint.columns.iter().any(is_changed) {
                    self.checked(relations, table, &key.table, Which::Referenced);
                }
            }
        }
        if event.event == Event::Insert {
            return;
        }
        let above = relations.ancestors(&event.table);
        for table in tables.iter().chain(&above) {
            for (referencing, of_key, key) in relations.keys_to(table) {
                let is_meant = event.event == Event::Delete
                    || columns.is_none_or(|set| set.iter().any(|it| relations.refers_to(key, it)));
                if !is_meant {
                    continue;
                }
                let action = match event.event {
                    Event::Delete => key.on_delete,
                    _ => key.on_update,
                };
                if !action.writes() {
                    self.checked(relations, table, &referencing, Which::Referencing);
                    continue;
                }
                let (next, kind) = match (event.event, action) {
                    (Event::Delete, ForeignKeyAction::Cascade) => (Event::Delete, LossKind::Rows),
                    _ => (Event::Update, LossKind::Values),
                };
                let lock = LockMode::RowExclusiveLock;
                self.also(relations, table, &referencing, Which::Referencing, lock);
                self.effects.losses.push(Loss {
                    kind,
                    name: Some(referencing.clone()),
                    part: None,
                    cascades: true,
                });
                let columns = (next == Event::Update).then(|| of_key.to_vec());
                let next = RowEvent { table: referencing, event: next, columns };
                open.push((next, Happens::Maybe));
            }
        }
    }

    /// Adds a table in which a foreign key looks for rows, to lock them.
    fn checked(
        &mut self,
        relations: KnownRelations<'a>,
        of: &QualifiedName,
        table: &QualifiedName,
        which: Which,
    ) {
        self.also(relations, of, table, which, LockMode::RowShareLock);
    }

    fn also(
        &mut self,
        relations: KnownRelations<'a>,
        of: &QualifiedName,
        table: &QualifiedName,
        which: Which,
        lock: LockMode,
    ) {
        for partition in relations.partitions(table) {
            let entry = reached(partition, Which::Descendants, table, lock, Answer::Maybe);
            self.effects.tables.push(entry);
        }
        self.effects.tables.push(reached(table.clone(), which, of, lock, Answer::Maybe));
    }
}

/// Returns the tables whose rows an event of a table can be about.
fn affected(relations: KnownRelations<'_>, event: &RowEvent) -> Vec<QualifiedName> {
    let mut tables = vec![event.table.clone()];
    match event.event {
        Event::Insert => tables.extend(relations.partitions(&event.table)),
        Event::Update | Event::Delete => tables.extend(relations.descendants(&event.table)),
        Event::Truncate => {}
    }
    tables
}

/// Returns whether an update can change other columns than those that it sets: triggers do, and columns that are computed.
fn changes_others(relations: KnownRelations<'_>, event: &RowEvent) -> bool {
    affected(relations, event).iter().filter_map(|table| relations.relation(table)).any(|it| {
        it.triggers.iter().any(|trigger| trigger.for_each_row)
            || it.columns.iter().any(|column| column.default == ColumnDefault::Generated)
            || !it.is_complete
    })
}
