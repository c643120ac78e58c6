//! What statements change for the statements after them, each by itself. What that means may depend on the state.

use pg_ast::LockMode;
use pg_ast::effects::{Effects, SessionEffect};
use pg_ast::protobuf::{AlterTableType, ObjectType, TransactionStmtKind};
use pg_ast::view::{AlterTableStmt, ColumnDef, Node, RangeVar};

use crate::not_null::NewConstraint;
use crate::settings::{FunctionPath, SettingEvent, function_path};
use crate::state::Space;
use crate::stmt::{Key, key, key_of, list_key, name_key};

#[derive(Clone, Debug, Hash)]
pub(crate) enum Event {
    /// `BEGIN`, `COMMIT` and the like; the second is true for `AND CHAIN`.
    Transaction(TransactionStmtKind, bool),
    /// A `DO` begins, which runs in a transaction.
    DoBegins,
    /// A `DO` ends, before which there was a transaction or not.
    DoEnds(bool),
    Setting(SettingEvent),
    /// Tables are locked so that others cannot read or write them.
    Locks(Vec<Key>),
    CreatesRelation {
        relation: Key,
        is_temporary: bool,
    },
    CreatesIndex {
        table: Key,
        index: Key,
    },
    CreatesOther(Space, Key),
    /// A function is created, with this path on which its names are looked up.
    Function(FunctionPath),
    AltersTable(Key, Vec<TableEvent>),
    Renames {
        table: Key,
        kind: ObjectType,
        old: String,
        new: String,
    },
    Drops(Key),
    /// So much is gone that it is not known what.
    DropsAll,
}

/// What `ALTER TABLE` changes.
#[derive(Clone, Debug, Hash)]
pub(crate) enum TableEvent {
    AddsColumn(String),
    DropsColumn(String),
    AddsConstraint(NewConstraint),
    ValidatesConstraint(String),
    DropsConstraint(String),
}

/// Returns the events of a statement as a whole, which come before those of its nodes.
pub(crate) fn events_of_stmt(stmt: Node<'_>, effects: &Effects) -> Vec<Event> {
    let mut events = Vec::new();
    match stmt {
        Node::VariableSetStmt(set) => {
            events.extend(SettingEvent::of_set(set).map(Event::Setting));
        }
        Node::DiscardStmt(_)
            if effects.session.iter().any(|it| matches!(it, SessionEffect::AllSettings)) =>
        {
            events.push(Event::Setting(SettingEvent::ResetAll));
        }
        _ => {}
    }
    // What is in a DO is looked at by itself.
    if !matches!(stmt, Node::DoStmt(_)) {
        let locked = locked(effects);
        if !locked.is_empty() {
            events.push(Event::Locks(locked));
        }
    }
    events
}

/// Returns the tables that others cannot read or write.
pub(crate) fn locked(effects: &Effects) -> Vec<Key> {
    let tables = effects
        .tables
        .iter()
        .filter(|table| table.lock >= LockMode::ShareLock && !table.table_name.is_empty());
    let name =
        |schema: &Option<String>, table: &str| key(schema.as_deref().unwrap_or_default(), table);
    tables.map(|table| name(&table.schema_name, &table.table_name)).collect()
}

/// Returns the events of a node of a statement.
pub(crate) fn events_of(node: Node<'_>) -> Vec<Event> {
    let other = |space, name: Option<Key>| {
        name.into_iter().map(|name| Event::CreatesOther(space, name)).collect()
    };
    match node {
        Node::TransactionStmt(stmt) => vec![Event::Transaction(stmt.kind(), stmt.chain())],
        Node::CreateStmt(create) => relation(create.relation()),
        Node::IntoClause(into) => relation(into.rel()),
        Node::CreateSeqStmt(create) => relation(create.sequence()),
        Node::ViewStmt(view) if !view.replace() => other(Space::Views, view.view().map(key_of)),
        Node::CreateSchemaStmt(create) if !create.if_not_exists() => {
            other(Space::Schemas, Some(key("", create.schemaname())))
        }
        Node::CreateFunctionStmt(create) => {
            let mut events = vec![Event::Function(function_path(create.options()).0)];
            if !create.replace() {
                let name = list_key(create.funcname());
                events.extend(name.map(|name| Event::CreatesOther(Space::Functions, name)));
            }
            events
        }
        Node::DefineStmt(create)
            if create.kind() == ObjectType::ObjectAggregate && !create.replace() =>
        {
            other(Space::Functions, list_key(create.defnames()))
        }
        Node::CreateEnumStmt(create) => other(Space::Types, list_key(create.type_name())),
        Node::CreateRangeStmt(create) => other(Space::Types, list_key(create.type_name())),
        Node::CreateDomainStmt(create) => other(Space::Types, list_key(create.domainname())),
        Node::CompositeTypeStmt(create) => other(Space::Types, create.typevar().map(key_of)),
        Node::FuncCall(call) => {
            SettingEvent::of_call(call).into_iter().map(Event::Setting).collect()
        }
        Node::IndexStmt(index) if !index.idxname().is_empty() => {
            let event = |table: RangeVar<'_>| Event::CreatesIndex {
                table: key_of(table),
                index: key(table.schemaname(), index.idxname()),
            };
            index.relation().into_iter().map(event).collect()
        }
        Node::AlterTableStmt(alter) if alter.objtype() == ObjectType::ObjectTable => {
            let event = |table| Event::AltersTable(key_of(table), table_events(table, alter));
            alter.relation().into_iter().map(event).collect()
        }
        Node::RenameStmt(rename) => {
            let event = |table| Event::Renames {
                table: key_of(table),
                kind: rename.rename_type(),
                old: rename.subname().to_owned(),
                new: rename.newname().to_owned(),
            };
            rename.relation().into_iter().map(event).collect()
        }
        Node::DropStmt(drop) => {
            drop.objects().iter().filter_map(name_key).map(Event::Drops).collect()
        }
        Node::DropdbStmt(_) | Node::DropOwnedStmt(_) => vec![Event::DropsAll],
        _ => Vec::new(),
    }
}

fn relation(table: Option<RangeVar<'_>>) -> Vec<Event> {
    let event = |table: RangeVar<'_>| Event::CreatesRelation {
        relation: key_of(table),
        is_temporary: table.relpersistence() == "t",
    };
    table.into_iter().map(event).collect()
}

fn table_events(table: RangeVar<'_>, alter: AlterTableStmt<'_>) -> Vec<TableEvent> {
    let cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd).filter_map(|cmd| {
        let name = || cmd.name().to_owned();
        Some(match cmd.subtype() {
            AlterTableType::AtAddColumn => {
                let column = cmd.def().and_then(Node::as_column_def).map(ColumnDef::colname)?;
                TableEvent::AddsColumn(column.to_owned())
            }
            AlterTableType::AtDropColumn => TableEvent::DropsColumn(name()),
            AlterTableType::AtAddConstraint => {
                let constraint = cmd.def().and_then(Node::as_constraint)?;
                TableEvent::AddsConstraint(NewConstraint::of(table.relname(), constraint))
            }
            AlterTableType::AtValidateConstraint => TableEvent::ValidatesConstraint(name()),
            AlterTableType::AtDropConstraint => TableEvent::DropsConstraint(name()),
            _ => return None,
        })
    });
    cmds.collect()
}
