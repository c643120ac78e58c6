//! What statements change for the statements after them, each by itself. What that means may depend on the state.

use pg_ast::LockMode;
use pg_ast::protobuf::{AlterTableType, ObjectType, TransactionStmtKind};
use pg_ast::view::{
    AlterDomainStmt, AlterObjectSchemaStmt, AlterTableStmt, ColumnDef, CreateStmt, Node, RangeVar,
    RenameStmt,
};
use pg_ast_effects::{Effects, SessionEffect};

use crate::rules::is_numbered;
use crate::settings::{FunctionPath, SettingEvent, function_path};
use crate::stmt::{
    Key, Name, dropped_name, is_null, key, key_of, list_key, name_key, qualified_key,
    renamed_object,
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
    /// A constraint of a table is validated, and nobody knows what it says.
    ValidatesUnknown(Key),
    /// The catalog follows a statement, for whose text this number stands.
    Defines(u64),
    /// Tables are locked so that others cannot read or write them.
    Locks(Vec<Key>),
    Creates {
        name: Name,
        is_temporary: bool,
        /// Whether nothing had the name before.
        is_new: bool,
        /// Whether it can take the place of something that was dropped.
        stands_in: bool,
    },
    CreatesIndex {
        table: Key,
        index: Name,
    },
    /// A function is created, with this path on which its names are looked up.
    Function(FunctionPath),
    /// A table, or what has columns as well, of such a kind.
    AltersTable(ObjectType, Key, Vec<TableEvent>),
    AltersDomain(Key, TableEvent),
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
        /// Whether it can take the place of something that was dropped.
        stands_in: bool,
    },
    Drops(Name),
    /// So much is gone that it is not known what.
    DropsAll,
}

/// What `ALTER TABLE` or `ALTER DOMAIN` changes.
#[derive(Clone, Debug, Hash)]
pub(crate) enum TableEvent {
    AddsColumn(String),
    DropsColumn(String),
    /// A column has a default or an identity from now on; of a domain, its name is empty.
    SetsDefault(String),
    /// A constraint with this name, if it has one.
    AddsConstraint(String),
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
            let event = |table: RangeVar<'_>| {
                let index = key(table.schemaname(), index.idxname());
                let index = Name::new(ObjectType::ObjectIndex, index);
                Event::CreatesIndex { table: key_of(table), index }
            };
            index.relation().into_iter().map(event).collect()
        }
        Node::AlterTableStmt(alter) => {
            let event =
                |table| Event::AltersTable(alter.objtype(), key_of(table), table_events(alter));
            alter.relation().into_iter().map(event).collect()
        }
        Node::AlterDomainStmt(alter) => domain(alter).into_iter().collect(),
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
        Node::CreateFunctionStmt(create) => {
            let mut events = created(node);
            events.push(Event::Function(function_path(create.options()).0));
            events
        }
        _ => created(node),
    }
}

/// Returns the events of what is created.
fn created(node: Node<'_>) -> Vec<Event> {
    let named = |name| Some(key("", name));
    let (kind, key, is_new) = match node {
        Node::CreateStmt(create) => return table(create),
        Node::IntoClause(into) => return relation(ObjectType::ObjectTable, into.rel(), true),
        Node::CreateSeqStmt(it) => {
            return relation(ObjectType::ObjectSequence, it.sequence(), true);
        }
        Node::ViewStmt(it) => return relation(ObjectType::ObjectView, it.view(), !it.replace()),
        Node::CreateTrigStmt(it) => {
            let is_new = !it.replace();
            return part(ObjectType::ObjectTrigger, it.relation(), it.trigname(), is_new);
        }
        Node::RuleStmt(it) => {
            return part(ObjectType::ObjectRule, it.relation(), it.rulename(), !it.replace());
        }
        Node::CreatePolicyStmt(it) => {
            return part(ObjectType::ObjectPolicy, it.table(), it.policy_name(), true);
        }
        Node::CreateFunctionStmt(it) => {
            (ObjectType::ObjectFunction, list_key(it.funcname()), !it.replace())
        }
        Node::DefineStmt(it) => {
            (it.kind(), list_key(it.defnames()), !it.replace() && !it.if_not_exists())
        }
        Node::CreateEnumStmt(it) => (ObjectType::ObjectType, list_key(it.type_name()), true),
        Node::CreateRangeStmt(it) => (ObjectType::ObjectType, list_key(it.type_name()), true),
        Node::CreateDomainStmt(it) => (ObjectType::ObjectType, list_key(it.domainname()), true),
        Node::CompositeTypeStmt(it) => (ObjectType::ObjectType, it.typevar().map(key_of), true),
        Node::CreateSchemaStmt(it) => {
            let name = match (it.schemaname(), it.authrole()) {
                ("", Some(role)) => role.rolename(),
                (name, _) => name,
            };
            (ObjectType::ObjectSchema, named(name), !it.if_not_exists())
        }
        Node::CreateRoleStmt(it) => (ObjectType::ObjectRole, named(it.role()), true),
        Node::CreatedbStmt(it) => (ObjectType::ObjectDatabase, named(it.dbname()), true),
        Node::CreateExtensionStmt(it) => {
            (ObjectType::ObjectExtension, named(it.extname()), !it.if_not_exists())
        }
        Node::CreatePublicationStmt(it) => {
            (ObjectType::ObjectPublication, named(it.pubname()), true)
        }
        Node::CreateSubscriptionStmt(it) => {
            (ObjectType::ObjectSubscription, named(it.subname()), true)
        }
        Node::CreateEventTrigStmt(it) => {
            (ObjectType::ObjectEventTrigger, named(it.trigname()), true)
        }
        Node::CreateFdwStmt(it) => (ObjectType::ObjectFdw, named(it.fdwname()), true),
        Node::CreateForeignServerStmt(it) => {
            (ObjectType::ObjectForeignServer, named(it.servername()), !it.if_not_exists())
        }
        _ => return Vec::new(),
    };
    key.into_iter().map(|key| creates(kind, Name::new(kind, key), is_new)).collect()
}

fn table(create: CreateStmt<'_>) -> Vec<Event> {
    let mut events = relation(ObjectType::ObjectTable, create.relation(), true);
    let columns = create.table_elts().iter().filter_map(Node::as_column_def);
    for (table, column) in create.relation().into_iter().cycle().zip(columns) {
        if is_numbered(column) {
            // As ChooseRelationName makes it, if it is short enough and there is no other.
            let sequence = format!("{}_{}_seq", table.relname(), column.colname());
            let kind = ObjectType::ObjectSequence;
            let name = Name::new(kind, key(table.schemaname(), &sequence));
            events.push(creates(kind, name, true));
        }
    }
    events
}

fn relation(kind: ObjectType, table: Option<RangeVar<'_>>, is_new: bool) -> Vec<Event> {
    let event = |table: RangeVar<'_>| Event::Creates {
        name: Name::new(kind, key_of(table)),
        is_temporary: table.relpersistence() == "t",
        is_new,
        stands_in: stands_in(kind),
    };
    table.into_iter().map(event).collect()
}

/// Returns the events of a trigger, a rule or a policy.
fn part(kind: ObjectType, table: Option<RangeVar<'_>>, name: &str, is_new: bool) -> Vec<Event> {
    let name = table.map(|table| Name::of_part(kind, table.relname(), name));
    name.into_iter().map(|name| creates(kind, name, is_new)).collect()
}

fn creates(kind: ObjectType, name: Name, is_new: bool) -> Event {
    Event::Creates { name, is_temporary: false, is_new, stands_in: stands_in(kind) }
}

/// Returns whether something can take the place of what had its name and was dropped. The numbers of a sequence are lost, and so is what
/// was in a schema or belonged to something else that is in none.
fn stands_in(kind: ObjectType) -> bool {
    !matches!(
        kind,
        ObjectType::ObjectSequence
            | ObjectType::ObjectSchema
            | ObjectType::ObjectExtension
            | ObjectType::ObjectPublication
            | ObjectType::ObjectSubscription
            | ObjectType::ObjectEventTrigger
            | ObjectType::ObjectFdw
            | ObjectType::ObjectForeignServer
            | ObjectType::ObjectLanguage
            | ObjectType::ObjectRole
            | ObjectType::ObjectDatabase
    )
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
            Event::Renames { old: name(old), new: name(new), stands_in: true }
        }
        _ => {
            let stands_in = stands_in(kind);
            let (kind, key) = renamed_object(rename)?;
            let new = Name::new(kind, (key.0.clone(), new_name));
            Event::Renames { old: Name::new(kind, key), new, stands_in }
        }
    })
}

fn moves(alter: AlterObjectSchemaStmt<'_>) -> Option<Event> {
    let kind = alter.object_type();
    let name = alter.relation().map(Node::from).or(alter.object()).and_then(name_key)?;
    // An extension is in none.
    let is_in_schema = kind != ObjectType::ObjectExtension;
    let new = Name::new(kind, key(alter.newschema(), &name.1));
    let old = Name::new(kind, name);
    is_in_schema.then(|| Event::Renames { old, new, stands_in: stands_in(kind) })
}

fn domain(alter: AlterDomainStmt<'_>) -> Option<Event> {
    let event = match (alter.subtype(), alter.def()) {
        ("T", value) if !is_null(value) => TableEvent::SetsDefault(String::new()),
        ("C", Some(Node::Constraint(constraint))) => {
            TableEvent::AddsConstraint(constraint.conname().to_owned())
        }
        _ => return None,
    };
    Some(Event::AltersDomain(list_key(alter.type_name())?, event))
}

fn table_events(alter: AlterTableStmt<'_>) -> Vec<TableEvent> {
    let cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd).filter_map(|cmd| {
        let name = || cmd.name().to_owned();
        Some(match cmd.subtype() {
            AlterTableType::AtAddColumn => {
                let column = cmd.def().and_then(Node::as_column_def).map(ColumnDef::colname)?;
                TableEvent::AddsColumn(column.to_owned())
            }
            AlterTableType::AtColumnDefault if !is_null(cmd.def()) => {
                TableEvent::SetsDefault(name())
            }
            AlterTableType::AtAddIdentity => TableEvent::SetsDefault(name()),
            AlterTableType::AtDropColumn => TableEvent::DropsColumn(name()),
            AlterTableType::AtAddConstraint => {
                let constraint = cmd.def().and_then(Node::as_constraint)?;
                TableEvent::AddsConstraint(constraint.conname().to_owned())
            }
            _ => return None,
        })
    });
    cmds.collect()
}
