//! What statements change for the statements after them, each by itself. What that means may depend on the state.

use pg_ast::LockMode;
use pg_ast::protobuf::{AlterTableType, ObjectType, TransactionStmtKind};
use pg_ast::view::{AlterObjectSchemaStmt, AlterTableStmt, ColumnDef, Node, RangeVar, RenameStmt};
use pg_ast_effects::{Effects, SessionEffect};

use crate::not_null::NewConstraint;
use crate::rules::is_numbered;
use crate::settings::{FunctionPath, SettingEvent, function_path};
use crate::stmt::{
    Key, Name, dropped_name, key, key_of, list_key, name_key, qualified_key, renamed_object,
};

#[derive(Clone, Debug, Hash)]
pub(crate) enum Event {
    /// `BEGIN`, `COMMIT` and the like.
    Transaction {
        kind: TransactionStmtKind,
        /// Whether there is `AND CHAIN`.
        chain: bool,
        /// The name of the savepoint, if it is about one.
        savepoint: String,
    },
    /// A `DO` begins, which runs in a transaction.
    DoBegins,
    /// A `DO` ends, before which there was a transaction or not.
    DoEnds(bool),
    Setting(SettingEvent),
    /// Tables are locked so that others cannot read or write them.
    Locks(Vec<Key>),
    Creates {
        name: Name,
        is_temporary: bool,
    },
    CreatesIndex {
        table: Key,
        index: Key,
    },
    /// A function is created, with this path on which its names are looked up.
    Function(FunctionPath),
    /// A table, or what has columns as well, of such a kind.
    AltersTable(ObjectType, Key, Vec<TableEvent>),
    RenamesColumn {
        table: Key,
        old: String,
        new: String,
    },
    RenamesConstraint {
        table: Key,
        old: String,
        new: String,
    },
    /// Something gets another name, or another schema.
    Renames {
        old: Name,
        new: Name,
    },
    Drops(Name),
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
        .filter(|table| table.lock >= LockMode::ShareLock && !table.name.name.is_empty());
    tables.map(|table| qualified_key(&table.name)).collect()
}

/// Returns the events of a node of a statement.
pub(crate) fn events_of(node: Node<'_>) -> Vec<Event> {
    match node {
        Node::TransactionStmt(stmt) => vec![Event::Transaction {
            kind: stmt.kind(),
            chain: stmt.chain(),
            savepoint: stmt.savepoint_name().to_owned(),
        }],
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
        Node::AlterTableStmt(alter) => {
            let event = |table| {
                Event::AltersTable(alter.objtype(), key_of(table), table_events(table, alter))
            };
            alter.relation().into_iter().map(event).collect()
        }
        Node::RenameStmt(rename) => renames(rename).into_iter().collect(),
        Node::AlterObjectSchemaStmt(alter) => moves(alter).into_iter().collect(),
        Node::DropStmt(drop) => {
            let event = |name| dropped_name(drop.remove_type(), name).map(Event::Drops);
            drop.objects().iter().filter_map(event).collect()
        }
        Node::DropRoleStmt(drop) => {
            let keys = drop.roles().iter().filter_map(name_key);
            keys.map(|key| Event::Drops(Name::new(ObjectType::ObjectRole, key))).collect()
        }
        Node::DropdbStmt(_) | Node::DropOwnedStmt(_) => vec![Event::DropsAll],
        _ => created(node),
    }
}

/// Returns the events of what is created.
fn created(node: Node<'_>) -> Vec<Event> {
    let creates = |kind, key: Option<Key>| -> Vec<Event> {
        let event = |key| Event::Creates { name: Name::new(kind, key), is_temporary: false };
        key.into_iter().map(event).collect()
    };
    let creates_named = |kind, name: &str| creates(kind, Some(key("", name)));
    let creates_part = |kind, table: Option<RangeVar<'_>>, name| {
        let name = table.map(|table| Name::of_part(kind, table.relname(), name));
        name.map(|name| Event::Creates { name, is_temporary: false }).into_iter().collect()
    };
    match node {
        Node::CreateStmt(create) => {
            let mut events = relation(create.relation());
            let columns = create.table_elts().iter().filter_map(Node::as_column_def);
            for (table, column) in create.relation().into_iter().cycle().zip(columns) {
                if is_numbered(column) {
                    // As ChooseRelationName makes it, if it is short enough and there is no other.
                    let sequence = format!("{}_{}_seq", table.relname(), column.colname());
                    let sequence = Some(key(table.schemaname(), &sequence));
                    events.extend(creates(ObjectType::ObjectSequence, sequence));
                }
            }
            events
        }
        Node::IntoClause(into) => relation(into.rel()),
        Node::CreateSeqStmt(create) => relation(create.sequence()),
        Node::ViewStmt(view) if !view.replace() => relation(view.view()),
        Node::CreateSchemaStmt(create) if !create.if_not_exists() => {
            let name = match (create.schemaname(), create.authrole()) {
                ("", Some(role)) => role.rolename(),
                (name, _) => name,
            };
            creates_named(ObjectType::ObjectSchema, name)
        }
        Node::CreateFunctionStmt(create) => {
            let mut events = vec![Event::Function(function_path(create.options()).0)];
            if !create.replace() {
                let name = list_key(create.funcname());
                events.extend(creates(ObjectType::ObjectFunction, name));
            }
            events
        }
        Node::DefineStmt(create) if !create.replace() && !create.if_not_exists() => {
            creates(create.kind(), list_key(create.defnames()))
        }
        Node::CreateEnumStmt(it) => creates(ObjectType::ObjectType, list_key(it.type_name())),
        Node::CreateRangeStmt(it) => creates(ObjectType::ObjectType, list_key(it.type_name())),
        Node::CreateDomainStmt(it) => creates(ObjectType::ObjectType, list_key(it.domainname())),
        Node::CompositeTypeStmt(it) => creates(ObjectType::ObjectType, it.typevar().map(key_of)),
        Node::CreateTrigStmt(it) if !it.replace() => {
            creates_part(ObjectType::ObjectTrigger, it.relation(), it.trigname())
        }
        Node::RuleStmt(it) if !it.replace() => {
            creates_part(ObjectType::ObjectRule, it.relation(), it.rulename())
        }
        Node::CreatePolicyStmt(it) => {
            creates_part(ObjectType::ObjectPolicy, it.table(), it.policy_name())
        }
        Node::CreateRoleStmt(it) => creates_named(ObjectType::ObjectRole, it.role()),
        Node::CreatedbStmt(it) => creates_named(ObjectType::ObjectDatabase, it.dbname()),
        Node::CreateExtensionStmt(it) if !it.if_not_exists() => {
            creates_named(ObjectType::ObjectExtension, it.extname())
        }
        Node::CreatePublicationStmt(it) => {
            creates_named(ObjectType::ObjectPublication, it.pubname())
        }
        Node::CreateSubscriptionStmt(it) => {
            creates_named(ObjectType::ObjectSubscription, it.subname())
        }
        Node::CreateEventTrigStmt(it) => {
            creates_named(ObjectType::ObjectEventTrigger, it.trigname())
        }
        Node::CreateFdwStmt(it) => creates_named(ObjectType::ObjectFdw, it.fdwname()),
        Node::CreateForeignServerStmt(it) if !it.if_not_exists() => {
            creates_named(ObjectType::ObjectForeignServer, it.servername())
        }
        _ => Vec::new(),
    }
}

fn relation(table: Option<RangeVar<'_>>) -> Vec<Event> {
    let event = |table: RangeVar<'_>| Event::Creates {
        name: Name::new(ObjectType::ObjectTable, key_of(table)),
        is_temporary: table.relpersistence() == "t",
    };
    table.into_iter().map(event).collect()
}

fn renames(rename: RenameStmt<'_>) -> Option<Event> {
    let (kind, old, new) = (rename.rename_type(), rename.subname(), rename.newname());
    let (table, (old_name, new_name)) =
        (rename.relation().map(key_of), (old.to_owned(), new.to_owned()));
    Some(match (kind, table) {
        (ObjectType::ObjectColumn | ObjectType::ObjectAttribute, Some(table)) => {
            Event::RenamesColumn { table, old: old_name, new: new_name }
        }
        (ObjectType::ObjectTabconstraint, Some(table)) => {
            Event::RenamesConstraint { table, old: old_name, new: new_name }
        }
        (ObjectType::ObjectDomconstraint, _) => return None,
        (ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectPolicy, table) => {
            let (_, table) = table?;
            let name = |name| Name::of_part(kind, &table, name);
            Event::Renames { old: name(old), new: name(new) }
        }
        _ => {
            let (kind, key) = renamed_object(rename)?;
            let new = Name::new(kind, (key.0.clone(), new_name));
            Event::Renames { old: Name::new(kind, key), new }
        }
    })
}

fn moves(alter: AlterObjectSchemaStmt<'_>) -> Option<Event> {
    let kind = alter.object_type();
    let name = alter.relation().map(Node::from).or(alter.object()).and_then(name_key)?;
    // An extension is in none.
    let is_in_schema = kind != ObjectType::ObjectExtension;
    let new = key(alter.newschema(), &name.1);
    is_in_schema.then(|| Event::Renames { old: Name::new(kind, name), new: Name::new(kind, new) })
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
