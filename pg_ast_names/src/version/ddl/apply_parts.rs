//! Applies what statements do to the parts of tables: constraints, indexes, triggers, the properties of columns.

use std::collections::{BTreeSet, HashSet};

use pg_ast::QualifiedName;

use super::apply_changes::each_heir;
use super::apply_ddl::{get_mut, key};
use super::apply_objects::find;
use super::drop_parts::drop_constraint;
use super::pg::protobuf::{AlterTableType, ConstrType};
use super::pg::view::{
    AlterTableCmd, Constraint, CreateStmt, CreateTrigStmt, IndexStmt, List, Node,
    PartitionBoundSpec, RangeVar,
};
use super::table_parts::{TableConstraint, constraints, object_name, sequences};
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::{Relation, RelationColumn};
use crate::relation_parts::{
    ColumnDefault, ConstraintKind, ForeignKey, ForeignKeyAction, RelationConstraint, RelationIndex,
    RelationTrigger, TriggerEvents,
};

/// What `LIKE` copies: `TableLikeOption` of PostgreSQL's `parsenodes.h`.
const LIKE_CONSTRAINTS: u32 = 1 << 2;
const LIKE_INDEXES: u32 = 1 << 6;

/// The bits of a trigger's events and timing: `TRIGGER_TYPE_..` of PostgreSQL's `pg_trigger.h`.
const TRIGGER_INSERT: i32 = 1 << 2;
const TRIGGER_DELETE: i32 = 1 << 3;
const TRIGGER_UPDATE: i32 = 1 << 4;
const TRIGGER_TRUNCATE: i32 = 1 << 5;
const TRIGGER_INSTEAD: i32 = 1 << 6;

/// How many names are tried, and compared: no table has as many constraints or indexes.
const MOST_NAMES: usize = 1000;

fn names(list: List<'_>) -> Vec<String> {
    list.strs().map(str::to_owned).collect()
}

/// Adds the parts of a table that a statement has created.
pub(crate) fn add_parts(catalog: &mut DdlCatalog, table: &QualifiedName, create: CreateStmt<'_>) {
    if let Some(relation) = get_mut(catalog, table) {
        relation.is_partition = create.partbound().is_some();
        relation.is_default_partition =
            create.partbound().is_some_and(PartitionBoundSpec::is_default);
    }
    for parent in create.inh_relations().iter().filter_map(Node::as_range_var) {
        let Some(parent) = find(catalog, &parent.qualified_name()).cloned() else { continue };
        inherit(catalog, table, &parent, create.partbound().is_some());
    }
    for like in create.table_elts().iter().filter_map(Node::as_table_like_clause) {
        let other = like.relation().map(RangeVar::qualified_name);
        let Some(other) = other.and_then(|other| find(catalog, &other).cloned()) else { continue };
        let is_copied = |constraint: &&RelationConstraint| match constraint.kind {
            ConstraintKind::Check => like.options() & LIKE_CONSTRAINTS != 0,
            ConstraintKind::ForeignKey(_) => false,
            _ => like.options() & LIKE_INDEXES != 0,
        };
        for constraint in other.constraints.iter().filter(is_copied) {
            let mut copy = constraint.clone();
            // The index of a key gets the name of the new table.
            if constraint.kind != ConstraintKind::Check {
                copy.name = key_name(&table.name, &copy);
            }
            push_constraint(catalog, table, copy);
        }
        if like.options() & LIKE_INDEXES != 0 {
            let keys: HashSet<_> = other.constraints.iter().map(|it| it.name.as_str()).collect();
            for index in other.indexes.iter().filter(|it| !keys.contains(it.name.as_str())) {
                let copy = RelationIndex { name: String::new(), ..index.clone() };
                push_index(catalog, table, copy);
            }
        }
    }
    for constraint in constraints(create.into()) {
        add_constraint(catalog, table, &constraint);
    }
    add_sequences(catalog, table, create.into());
}

/// Gives a table what it inherits from another one.
pub(crate) fn inherit(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    parent: &Relation,
    is_partition: bool,
) {
    let own: HashSet<_> = match find(catalog, table) {
        Some(relation) => relation.constraints.iter().map(|it| it.name.clone()).collect(),
        None => return,
    };
    for constraint in &parent.constraints {
        let is_key =
            !matches!(constraint.kind, ConstraintKind::Check | ConstraintKind::ForeignKey(_));
        if constraint.kind != ConstraintKind::Check && !is_partition
            || own.contains(&constraint.name)
        {
            continue;
        }
        let mut copy = constraint.clone();
        if is_key {
            copy.name = key_name(&table.name, &copy);
        }
        push_constraint(catalog, table, copy);
    }
    if is_partition {
        let keys: HashSet<_> = parent.constraints.iter().map(|it| it.name.as_str()).collect();
        for index in parent.indexes.iter().filter(|it| !keys.contains(it.name.as_str())) {
            push_index(catalog, table, RelationIndex { name: String::new(), ..index.clone() });
        }
        if let Some(relation) = get_mut(catalog, table) {
            let rows = parent.triggers.iter().filter(|it| it.for_each_row).cloned();
            relation.triggers.extend(rows);
        }
    }
}

fn key_name(table: &str, constraint: &RelationConstraint) -> String {
    match constraint.kind {
        ConstraintKind::PrimaryKey => object_name(table, "", "pkey"),
        ConstraintKind::Exclusion => object_name(table, &constraint.columns.join("_"), "excl"),
        _ => object_name(table, &constraint.columns.join("_"), "key"),
    }
}

/// Notes the sequences that columns of a table own.
pub(crate) fn add_sequences(catalog: &mut DdlCatalog, table: &QualifiedName, stmt: Node<'_>) {
    for QualifiedName { schema, name } in sequences(stmt, &table.name) {
        let schema = schema.or_else(|| table.schema.clone());
        catalog.owned.add(table.clone(), QualifiedName { schema, name });
    }
}

/// Returns the columns that an expression names.
fn columns_in(expr: Node<'_>) -> Vec<String> {
    let columns = expr.nodes().filter_map(|node| match node {
        Node::ColumnRef(column) => Some(column.fields().last()?.as_str()?.to_owned()),
        _ => None,
    });
    columns.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Adds a constraint to a table, and to those that inherit it.
fn add_constraint(catalog: &mut DdlCatalog, table: &QualifiedName, written: &TableConstraint<'_>) {
    let Some(constraint) = read_constraint(catalog, table, written) else { return };
    let is_partitioned = matches!(constraint.kind, ConstraintKind::Check);
    push_constraint(catalog, table, constraint.clone());
    let heirs = each_heir(catalog, table, |_| {});
    for heir in heirs.into_iter().filter(|heir| heir != table) {
        let is_partition = find(catalog, &heir).is_some_and(|it| it.is_partition);
        if is_partitioned && !written.constraint.is_no_inherit() || is_partition {
            let mut copy = constraint.clone();
            if !matches!(copy.kind, ConstraintKind::Check | ConstraintKind::ForeignKey(_)) {
                copy.name = key_name(&heir.name, &copy);
            }
            push_constraint(catalog, &heir, copy);
        }
    }
}

/// Reads a constraint as it is written.
fn read_constraint(
    catalog: &DdlCatalog,
    table: &QualifiedName,
    written: &TableConstraint<'_>,
) -> Option<RelationConstraint> {
    let constraint = written.constraint;
    let own = |list: List<'_>| match written.column {
        Some(column) if list.is_empty() => vec![column.to_owned()],
        _ => names(list),
    };
    let (kind, columns) = match constraint.contype() {
        ConstrType::ConstrPrimary => (ConstraintKind::PrimaryKey, own(constraint.keys())),
        ConstrType::ConstrUnique => (ConstraintKind::Unique, own(constraint.keys())),
        ConstrType::ConstrExclusion => {
            let columns = constraint.exclusions().iter().filter_map(|pair| match pair {
                Node::List(pair) => match pair.first()? {
                    Node::IndexElem(element) => Some(element.name().to_owned()),
                    _ => None,
                },
                _ => None,
            });
            (ConstraintKind::Exclusion, columns.filter(|name| !name.is_empty()).collect())
        }
        ConstrType::ConstrCheck => {
            (ConstraintKind::Check, constraint.raw_expr().map_or_else(Vec::new, columns_in))
        }
        ConstrType::ConstrForeign => (
            ConstraintKind::ForeignKey(foreign_key(catalog, table, constraint)?),
            own(constraint.fk_attrs()),
        ),
        _ => return None,
    };
    let mut columns = columns;
    // Of `USING INDEX`, they are those of the index.
    if columns.is_empty()
        && let Some(relation) = find(catalog, table)
        && let Some(index) = relation.indexes.iter().find(|it| it.name == constraint.indexname())
    {
        columns = index.columns.iter().flatten().cloned().collect();
    }
    let name = written.name(&table.name).unwrap_or_default();
    Some(RelationConstraint { name, kind, columns, is_validated: !constraint.skip_validation() })
}

fn foreign_key(
    catalog: &DdlCatalog,
    own: &QualifiedName,
    constraint: Constraint<'_>,
) -> Option<ForeignKey> {
    let written = constraint.pktable()?.qualified_name();
    let found = find(catalog, &written);
    let mut columns = names(constraint.pk_attrs());
    if columns.is_empty()
        && let Some(found) = found
        && let Some(key) = found.constraints.iter().find(|it| it.kind == ConstraintKind::PrimaryKey)
    {
        columns.clone_from(&key.columns);
    }
    // In a `CREATE TABLE`, the table itself is there already.
    let table = found.map_or_else(
        || if written.name == own.name { own.clone() } else { written },
        |it| it.name.clone(),
    );
    Some(ForeignKey {
        table,
        columns,
        on_update: ForeignKeyAction::of_letter(constraint.fk_upd_action()),
        on_delete: ForeignKeyAction::of_letter(constraint.fk_del_action()),
    })
}

/// Adds a constraint to a table, with the index that it has, under a name that no other one of the table has.
fn push_constraint(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    mut constraint: RelationConstraint,
) {
    let Some(relation) = get_mut(catalog, table) else { return };
    if relation.constraints.len() < MOST_NAMES {
        let names: HashSet<_> = relation.constraints.iter().map(|it| it.name.as_str()).collect();
        constraint.name = free_name(&constraint.name, |name| names.contains(name));
    }
    let is_key = matches!(constraint.kind, ConstraintKind::PrimaryKey | ConstraintKind::Unique);
    if constraint.kind == ConstraintKind::PrimaryKey {
        for column in &mut relation.columns {
            column.is_not_null |= constraint.columns.contains(&column.name);
        }
    }
    let index = (is_key || constraint.kind == ConstraintKind::Exclusion).then(|| RelationIndex {
        name: constraint.name.clone(),
        columns: constraint.columns.iter().cloned().map(Some).collect(),
        is_unique: is_key,
        is_partial: false,
        method: if is_key { "btree" } else { "gist" }.to_owned(),
    });
    let referenced = match &constraint.kind {
        ConstraintKind::ForeignKey(key) => Some(key.table.clone()),
        _ => None,
    };
    relation.constraints.push(constraint);
    if let Some(referenced) = referenced {
        catalog.references.add(referenced, table.clone());
    }
    if let Some(index) = index {
        push_index(catalog, table, index);
    }
}

fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (1..MOST_NAMES).map(|number| format!("{name}{number}"));
    let mut names = core::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_owned())
}

fn push_index(catalog: &mut DdlCatalog, table: &QualifiedName, mut index: RelationIndex) {
    let Some(relation) = find(catalog, table) else { return };
    if index.name.is_empty() {
        let columns: Vec<_> =
            index.columns.iter().map(|it| it.as_deref().unwrap_or("expr")).collect();
        index.name = object_name(&table.name, &columns.join("_"), "idx");
    }
    let of = |name: &str| QualifiedName { schema: table.schema.clone(), name: name.to_owned() };
    let of_constraint = relation.constraints.last();
    if of_constraint.is_none_or(|constraint| constraint.name != index.name) {
        index.name = free_name(&index.name, |name| {
            catalog.owned.parents(&of(name)).next().is_some() || find(catalog, &of(name)).is_some()
        });
    }
    catalog.owned.add(table.clone(), of(&index.name));
    if let Some(relation) = get_mut(catalog, table) {
        relation.indexes.push(index);
    }
}

pub(crate) fn create_index(catalog: &mut DdlCatalog, create: IndexStmt<'_>) {
    let Some(table) = create.relation().map(RangeVar::qualified_name) else { return };
    let Some(table) = key(catalog, &table) else { return };
    let name = QualifiedName { schema: table.schema.clone(), name: create.idxname().to_owned() };
    if create.if_not_exists() && catalog.owned.parents(&name).next().is_some() {
        return;
    }
    let columns = create
        .index_params()
        .iter()
        .filter_map(Node::as_index_elem)
        .map(|element| Some(element.name().to_owned()).filter(|name| !name.is_empty()));
    let method = create.access_method();
    let index = RelationIndex {
        name: name.name,
        columns: columns.collect(),
        is_unique: create.unique(),
        is_partial: create.where_clause().is_some(),
        method: if method.is_empty() { "btree" } else { method }.to_owned(),
    };
    let heirs = each_heir(catalog, &table, |_| {});
    push_index(catalog, &table, index.clone());
    for heir in heirs.into_iter().filter(|heir| *heir != table) {
        if find(catalog, &heir).is_some_and(|it| it.is_partition) {
            push_index(catalog, &heir, RelationIndex { name: String::new(), ..index.clone() });
        }
    }
}

pub(crate) fn create_trigger(catalog: &mut DdlCatalog, create: CreateTrigStmt<'_>) {
    let Some(table) = create.relation().map(RangeVar::qualified_name) else { return };
    let Some(table) = key(catalog, &table) else { return };
    let mut function = create.funcname().qualified_name();
    if function.schema.is_none() {
        let has_it = |schema: &&String| {
            let contents = catalog.schemas.get(*schema);
            contents.is_some_and(|contents| contents.routines.contains_key(&function.name))
        };
        function.schema = catalog.search_path.iter().find(has_it).cloned();
    }
    let has = |bit: i32| create.events() & bit != 0;
    let trigger = RelationTrigger {
        name: create.trigname().to_owned(),
        function,
        events: TriggerEvents {
            insert: has(TRIGGER_INSERT),
            update: has(TRIGGER_UPDATE),
            delete: has(TRIGGER_DELETE),
            truncate: has(TRIGGER_TRUNCATE),
        },
        is_instead: create.timing() & TRIGGER_INSTEAD != 0,
        for_each_row: create.row(),
        is_conditional: create.when_clause().is_some() || !create.columns().is_empty(),
        is_enabled: true,
    };
    each_heir(catalog, &table, |relation| {
        if relation.name == table || relation.is_partition && trigger.for_each_row {
            relation.triggers.retain(|other| other.name != trigger.name);
            relation.triggers.push(trigger.clone());
        }
    });
}

/// Applies a command of `ALTER TABLE` that is about a part of the table.
pub(crate) fn alter_part(catalog: &mut DdlCatalog, table: &QualifiedName, cmd: AlterTableCmd<'_>) {
    let column = |catalog: &mut DdlCatalog, f: &dyn Fn(&mut RelationColumn)| {
        each_heir(catalog, table, |relation| {
            relation.columns.iter_mut().filter(|it| it.name == cmd.name()).for_each(f);
        });
    };
    let def = cmd.def();
    match cmd.subtype() {
        AlterTableType::AtAddConstraint | AlterTableType::AtAddColumn => {
            for constraint in super::table_parts::constraints_of(def) {
                if constraint.constraint.contype() == ConstrType::ConstrNotnull {
                    set_not_null(catalog, table, constraint.constraint);
                } else {
                    add_constraint(catalog, table, &constraint);
                }
            }
        }
        AlterTableType::AtDropConstraint => drop_constraint(catalog, table, cmd.name()),
        AlterTableType::AtValidateConstraint => {
            each_heir(catalog, table, |relation| {
                let named = relation.constraints.iter_mut().filter(|it| it.name == cmd.name());
                named.for_each(|constraint| constraint.is_validated = true);
            });
        }
        AlterTableType::AtSetNotNull => column(catalog, &|column| column.is_not_null = true),
        AlterTableType::AtDropNotNull => column(catalog, &|column| column.is_not_null = false),
        AlterTableType::AtColumnDefault => {
            let default = if def.is_some() { ColumnDefault::Expr } else { ColumnDefault::Null };
            column(catalog, &|column| column.default = default);
        }
        AlterTableType::AtAddIdentity => {
            column(catalog, &|column| column.default = ColumnDefault::Identity);
        }
        AlterTableType::AtDropIdentity | AlterTableType::AtDropExpression => {
            column(catalog, &|column| column.default = ColumnDefault::Null);
        }
        AlterTableType::AtEnableTrig
        | AlterTableType::AtEnableAlwaysTrig
        | AlterTableType::AtDisableTrig
        | AlterTableType::AtEnableTrigAll
        | AlterTableType::AtDisableTrigAll
        | AlterTableType::AtEnableTrigUser
        | AlterTableType::AtDisableTrigUser => {
            let is_enabled = cmd.subtype().as_str_name().contains("Enable");
            if let Some(relation) = get_mut(catalog, table) {
                let is_meant =
                    |it: &&mut RelationTrigger| cmd.name().is_empty() || it.name == cmd.name();
                relation
                    .triggers
                    .iter_mut()
                    .filter(is_meant)
                    .for_each(|it| it.is_enabled = is_enabled);
            }
        }
        _ => {}
    }
}

fn set_not_null(catalog: &mut DdlCatalog, table: &QualifiedName, constraint: Constraint<'_>) {
    let columns = names(constraint.keys());
    each_heir(catalog, table, |relation| {
        for column in &mut relation.columns {
            column.is_not_null |= columns.contains(&column.name);
        }
    });
}
