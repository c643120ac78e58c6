//! Applies what statements do to the parts of tables: constraints, indexes, triggers, the properties of columns.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use super::VERSION;
use super::apply_changes::each_heir;
use super::apply_ddl::{get_mut, key};
use super::apply_objects::find;
use super::called_functions::note_calls;
use super::drop_parts::{drop_constraint, rename_index};
use super::owned_sequences::{add_sequence, drop_sequences};
use super::pg::protobuf::{AlterTableType, BoolExprType, ConstrType, NullTestType};
use super::pg::seam::{number_field, text_field};
use super::pg::view::{
    AlterTableCmd, Constraint, CreateStmt, CreateTrigStmt, IndexElem, IndexStmt, List, Node,
    PartitionBoundSpec, RangeVar, TableLikeClause,
};
use super::shared_parts::{
    copy_foreign_key, copy_index_down, copy_key, copy_key_down, inherit, is_name_taken, key_parts,
    plain_indexes, push_constraint, push_index,
};
use super::table_parts::{
    GivenName, TableConstraint, added_identity, constraints, constraints_of, excluded,
    index_column, index_column_name, joined, sequences_of, without_redundant,
};
use crate::builtin_names::is_builtin_trigger;
use crate::ddl_catalog::{DdlCatalog, index_name};
use crate::name_catalog::RelationColumn;
use crate::relation_parts::{
    ColumnDefault, ConstraintKind, ConstraintTiming, ForeignKey, ForeignKeyAction,
    RelationConstraint, RelationIndex, RelationTrigger, TriggerEvents,
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

/// Returns the access method of an index; see `DefineIndex` of `indexcmds.c`.
fn method_of(written: &str) -> &str {
    match written {
        "" => "btree",
        "rtree" => "gist",
        other => other,
    }
}

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
        for constraint in &other.constraints {
            match constraint.kind {
                ConstraintKind::Check if like.options() & LIKE_CONSTRAINTS != 0 => {
                    push_constraint(catalog, table, constraint.clone(), None);
                }
                ConstraintKind::Check | ConstraintKind::NotNull | ConstraintKind::ForeignKey(_) => {
                }
                _ if like.options() & LIKE_INDEXES != 0 => {
                    if let Some(key) = key_parts(&other, constraint) {
                        copy_key(catalog, table, None, &key);
                    }
                }
                _ => {}
            }
        }
        if like.options() & LIKE_INDEXES != 0 {
            for index in plain_indexes(&other) {
                push_index(catalog, table, index.clone(), true);
            }
        }
    }
    for constraint in without_redundant(constraints(create.into())) {
        add_constraint(catalog, table, &constraint, true);
    }
    for sequence in sequences_of(create.table_elts(), &table.name) {
        add_sequence(catalog, table, sequence);
    }
    let tables = create.table_elts().iter().filter_map(Node::as_table_like_clause);
    let tables = tables
        .filter_map(TableLikeClause::relation)
        .chain(create.inh_relations().iter().filter_map(Node::as_range_var));
    let is_known = |table: RangeVar<'_>| {
        find(catalog, &table.qualified_name()).is_some_and(|it| it.has_all_parts)
    };
    let has_all_parts = tables.into_iter().all(is_known);
    if let Some(relation) = get_mut(catalog, table) {
        relation.has_all_parts = has_all_parts;
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

/// Returns the columns that a part of an index names.
fn columns_of(element: IndexElem<'_>) -> Vec<String> {
    let own = Some(element.name().to_owned()).filter(|name| !name.is_empty());
    own.into_iter().chain(element.expr().map_or_else(Vec::new, columns_in)).collect()
}

/// Adds a constraint to a table, and to those that inherit it.
fn add_constraint(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    written: &TableConstraint<'_>,
    is_new: bool,
) {
    let constraint = written.constraint;
    let Some(mut read) = read_constraint(catalog, table, written) else { return };
    read.is_validated |= is_new;
    let given = match read.kind {
        ConstraintKind::NotNull => {
            Some(GivenName::new("not_null", read.columns.iter().map(String::as_str)))
        }
        _ => written.given_name(),
    };
    let given = given.filter(|_| written.written_name().is_none());
    if !constraint.indexname().is_empty() {
        // The index gets the name of the constraint.
        rename_index(catalog, &index_name(table, constraint.indexname()), &read.name);
    }
    let Some(name) = push_constraint(catalog, table, read.clone(), given.as_ref()) else { return };
    read.name = name;
    let mut columns: Vec<_> = read.columns.iter().cloned().map(Some).collect();
    let mut own_names: Vec<_> = read.columns.clone();
    if read.kind == ConstraintKind::Exclusion {
        columns = excluded(constraint).map(|it| index_column(it).map(str::to_owned)).collect();
        own_names = excluded(constraint).map(index_column_name).collect();
    }
    own_names.extend(names(constraint.including()));
    if read.has_index() && constraint.indexname().is_empty() {
        let method = constraint.access_method();
        let mut used: Vec<_> = constraint.where_clause().map_or_else(Vec::new, columns_in);
        used.extend(excluded(constraint).flat_map(columns_of));
        used.extend(read.columns.iter().cloned());
        used.extend(names(constraint.including()));
        let index = RelationIndex {
            name: read.name.clone(),
            used_columns: used,
            columns,
            column_names: joined(own_names.into_iter()),
            is_unique: read.kind != ConstraintKind::Exclusion,
            is_partial: constraint.where_clause().is_some(),
            method: method_of(method).to_owned(),
        };
        push_index(catalog, table, index, false);
    }
    if read.has_index() {
        let key = find(catalog, table).and_then(|relation| key_parts(relation, &read));
        if let Some(key) = key {
            copy_key_down(catalog, table, key);
        }
        return;
    }
    for heir in each_heir(catalog, table, |_| {}).into_iter().filter(|heir| heir != table) {
        if matches!(read.kind, ConstraintKind::Check | ConstraintKind::NotNull) {
            if read.is_inherited {
                push_constraint(catalog, &heir, read.clone(), None);
            }
        } else if find(catalog, &heir).is_some_and(|it| it.is_partition) {
            copy_foreign_key(catalog, &heir, &read);
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
    let (kind, mut columns) = match constraint.contype() {
        ConstrType::ConstrPrimary => (ConstraintKind::PrimaryKey, own(constraint.keys())),
        ConstrType::ConstrUnique => (ConstraintKind::Unique, own(constraint.keys())),
        ConstrType::ConstrExclusion => {
            let columns = excluded(constraint).filter_map(index_column).map(str::to_owned);
            (ConstraintKind::Exclusion, columns.collect())
        }
        ConstrType::ConstrCheck => {
            (ConstraintKind::Check, constraint.raw_expr().map_or_else(Vec::new, columns_in))
        }
        // Since 18 it has a name. One of a column, to which none is given, is only a property.
        ConstrType::ConstrNotnull
            if VERSION.major() >= 18
                && (written.column.is_none() || written.written_name().is_some()) =>
        {
            (ConstraintKind::NotNull, own(constraint.keys()))
        }
        ConstrType::ConstrForeign => {
            let key = foreign_key(catalog, table, constraint)?;
            (ConstraintKind::ForeignKey(key), own(constraint.fk_attrs()))
        }
        _ => return None,
    };
    // Of `USING INDEX`, they are those of the index.
    if columns.is_empty()
        && !constraint.indexname().is_empty()
        && let Some(relation) = find(catalog, table)
        && let Some(index) = relation.indexes.iter().find(|it| it.name == constraint.indexname())
    {
        columns = index.columns.iter().flatten().cloned().collect();
    }
    let not_null = match kind {
        ConstraintKind::PrimaryKey | ConstraintKind::NotNull => columns.clone(),
        ConstraintKind::Check => not_null_columns(constraint.raw_expr()),
        _ => Vec::new(),
    };
    Some(RelationConstraint {
        name: written.written_name().unwrap_or_default().to_owned(),
        kind,
        columns,
        is_validated: !constraint.skip_validation(),
        is_inherited: !constraint.is_no_inherit(),
        timing: timing(written.is_deferrable, written.is_deferred),
        not_null,
        mark: 0,
    })
}

fn timing(is_deferrable: bool, is_deferred: bool) -> ConstraintTiming {
    match (is_deferrable, is_deferred) {
        (_, true) => ConstraintTiming::Deferred,
        (true, false) => ConstraintTiming::Deferrable,
        (false, false) => ConstraintTiming::Immediate,
    }
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
    let table = match found {
        Some(found) => found.name.clone(),
        None if written.name == own.name => own.clone(),
        None => written,
    };
    Some(ForeignKey {
        table,
        columns,
        is_match_full: constraint.fk_matchtype() == "f",
        on_update: ForeignKeyAction::of_letter(constraint.fk_upd_action()),
        on_delete: ForeignKeyAction::of_letter(constraint.fk_del_action()),
    })
}

pub(crate) fn create_index(catalog: &mut DdlCatalog, create: IndexStmt<'_>) {
    let Some(written) = create.relation() else { return };
    let Some(table) = key(catalog, &written.qualified_name()) else { return };
    let name = index_name(&table, create.idxname());
    if create.if_not_exists() && is_name_taken(catalog, &table, &name.name) {
        return;
    }
    note_calls(catalog, &table, Node::IndexStmt(create));
    let elements = || create.index_params().iter().filter_map(Node::as_index_elem);
    let included = create.index_including_params().iter().filter_map(Node::as_index_elem);
    let mut used: Vec<_> = create.where_clause().map_or_else(Vec::new, columns_in);
    used.extend(elements().chain(included.clone()).flat_map(columns_of));
    let names = elements().chain(included).map(index_column_name);
    let method = create.access_method();
    let is_unnamed = name.name.is_empty();
    let index = RelationIndex {
        name: name.name,
        columns: elements().map(|it| index_column(it).map(str::to_owned)).collect(),
        column_names: joined(names),
        used_columns: used,
        is_unique: create.unique(),
        is_partial: create.where_clause().is_some(),
        method: method_of(method).to_owned(),
    };
    let name = push_index(catalog, &table, index.clone(), is_unnamed);
    if written.inh() {
        copy_index_down(catalog, &table, &RelationIndex { name, ..index });
    }
}

pub(crate) fn create_trigger(catalog: &mut DdlCatalog, create: CreateTrigStmt<'_>) {
    let Some(table) = create.relation().map(RangeVar::qualified_name) else { return };
    let Some(table) = key(catalog, &table) else { return };
    let mut function = create.funcname().qualified_name();
    if function.schema.is_none() && is_builtin_trigger(VERSION, &function) {
        function.schema = Some("pg_catalog".to_owned());
    }
    if function.schema.is_none() {
        let has_it = |schema: &&String| {
            let contents = catalog.schemas.get(*schema);
            contents.is_some_and(|contents| contents.routines.contains_key(&function.name))
        };
        function.schema = catalog.search_path.iter().find(has_it).cloned();
    }
    let has = |bit: i32| create.events() & bit != 0;
    let callee = function.clone();
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
    let heirs = each_heir(catalog, &table, |relation| {
        if relation.name == table || relation.is_partition && trigger.for_each_row {
            relation.triggers.retain(|other| other.name != trigger.name);
            relation.triggers.push(trigger.clone());
        }
    });
    for heir in heirs {
        catalog.callers.add(callee.clone(), heir);
    }
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
            for sequence in sequences_of(def, &table.name) {
                add_sequence(catalog, table, sequence);
            }
            for constraint in without_redundant(constraints_of(def)) {
                add_constraint(catalog, table, &constraint, false);
            }
        }
        AlterTableType::AtDropConstraint => drop_constraint(catalog, table, cmd.name()),
        AlterTableType::AtValidateConstraint => {
            each_heir(catalog, table, |relation| {
                let named = relation.constraints.iter_mut().filter(|it| it.name == cmd.name());
                for constraint in named {
                    constraint.is_validated = true;
                    let is_not_null = constraint.kind == ConstraintKind::NotNull;
                    for column in relation.columns.iter_mut().filter(|_| is_not_null) {
                        column.is_not_null |= constraint.columns.contains(&column.name);
                    }
                }
            });
        }
        AlterTableType::AtAlterConstraint => alter_constraint(catalog, table, def),
        AlterTableType::AtSetNotNull | AlterTableType::AtDropNotNull => {
            let is_not_null = cmd.subtype() == AlterTableType::AtSetNotNull;
            column(catalog, &|column| column.is_not_null = is_not_null);
            each_heir(catalog, table, |relation| {
                let is_its = |it: &RelationConstraint| {
                    it.kind == ConstraintKind::NotNull && *it.columns == [cmd.name()]
                };
                relation.constraints.retain(|it| is_not_null || !is_its(it));
                let own = relation.constraints.iter_mut().filter(|it| is_its(it));
                own.for_each(|constraint| constraint.is_validated = true);
            });
        }
        AlterTableType::AtColumnDefault => {
            let default = if def.is_some() { ColumnDefault::Expr } else { ColumnDefault::Null };
            column(catalog, &|column| column.default = default);
        }
        AlterTableType::AtAddIdentity => {
            if let Some(sequence) = added_identity(cmd, &table.name) {
                add_sequence(catalog, table, sequence);
            }
            column(catalog, &|column| column.default = ColumnDefault::Identity);
        }
        AlterTableType::AtDropIdentity | AlterTableType::AtDropExpression => {
            if cmd.subtype() == AlterTableType::AtDropIdentity {
                drop_sequences(catalog, table, cmd.name());
            }
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

/// `ALTER CONSTRAINT`, whose node is another one since 18.
fn alter_constraint(catalog: &mut DdlCatalog, table: &QualifiedName, def: Option<Node<'_>>) {
    let Some(def) = def else { return };
    let is = |field| number_field(def, field) == Some(1);
    // Since 18 it says whether it is about this at all.
    if number_field(def, "alterDeferrability") == Some(0) {
        return;
    }
    let timing = timing(is("deferrable"), is("initdeferred"));
    let name = text_field(def, "conname").unwrap_or_default().to_owned();
    each_heir(catalog, table, |relation| {
        let named = relation.constraints.iter_mut().filter(|it| it.name == name);
        named.for_each(|constraint| constraint.timing = timing);
    });
}

/// Returns the columns of `a IS NOT NULL AND b IS NOT NULL`.
fn not_null_columns(expr: Option<Node<'_>>) -> Vec<String> {
    let mut columns = Vec::new();
    let mut left: Vec<_> = expr.into_iter().collect();
    while let Some(expr) = left.pop() {
        match expr {
            Node::BoolExpr(and) if and.boolop() == BoolExprType::AndExpr => {
                left.extend(and.args().iter());
            }
            Node::NullTest(test) if test.nulltesttype() == NullTestType::IsNotNull => {
                let column = test.arg().and_then(Node::as_column_ref);
                let name = column.and_then(|column| column.names().next_back());
                columns.extend(name.map(str::to_owned));
            }
            _ => {}
        }
    }
    columns
}
