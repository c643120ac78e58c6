//! Fills a catalog with what statements define, change and drop.

use std::collections::HashMap;
use std::sync::Arc;

use pg_ast::{Literal, QualifiedName};

use super::any_tree::AnyTree;
use super::applied_bodies::{apply_calls, apply_do};
use super::apply_changes::{alter_table, apply_drop, drop_object};
use super::apply_objects::{created_columns, defined, find, schema_of};
use super::apply_parts::{add_parts, create_index, create_trigger};
use super::apply_renames::{apply_rename, set_schema};
use super::apply_rules::create_rule;
use super::apply_transactions::apply_next;
use super::apply_types::create_extension;
use super::called_functions::{calls_of, note_calls};
use super::created_operators::{alter_operator, create_cast, create_operator};
use super::created_routines::{alter_routine, create_aggregate, create_routine};
use super::created_types::{
    alter_domain, alter_enum, create_base_type, create_domain, create_enum, create_range,
};
use super::expr::written_rows::type_name;
use super::flows::flow_stmts::lineage_of;
use super::lookup::column_names::{NamedColumns, RowType};
use super::owned_sequences::{alter_sequence, create_sequence};
use super::pg::protobuf::{CmdType, ObjectType, OnCommitAction, SetOperation, VariableSetKind};
use super::pg::seam::with_stack;
use super::pg::view::{
    CreateSchemaStmt, CreateStmt, CreateTableAsStmt, IntoClause, Node, RangeVar, RoleSpec,
    SelectStmt, VariableSetStmt,
};
use super::query::recorded_queries::RecordedQueries;
use super::resolver::NameResolver;
use crate::ddl_catalog::{DdlCatalog, default_path};
use crate::name_catalog::{Catalog as _, Relation, RelationColumn, RelationKind};
use crate::relation_parts::ColumnType;
use crate::resolution::TableMeaning;

/// Returns the types of the columns of the query that a statement stores, of those that are known.
pub(crate) type TypesOfQuery<'f> = &'f dyn Fn(Node<'_>, &DdlCatalog) -> Vec<Option<ColumnType>>;

pub(crate) fn apply(catalog: &mut DdlCatalog, stmt: Node<'_>) {
    apply_with(catalog, stmt, &|_, _| Vec::new());
}

/// Applies a statement; `types` is asked for what only the rules for types tell.
pub(crate) fn apply_with(catalog: &mut DdlCatalog, stmt: Node<'_>, types: TypesOfQuery<'_>) {
    match stmt {
        Node::CreateStmt(create) => create_table(catalog, create, false),
        Node::CreateForeignTableStmt(create) => {
            if let Some(create) = create.base_stmt() {
                create_table(catalog, create, true);
            }
        }
        Node::ViewStmt(view) => {
            if let Some(table) = view.view() {
                add_query(catalog, table, RelationKind::View, stmt, types);
            }
        }
        Node::CreateTableAsStmt(create) => create_as(catalog, create, types),
        Node::SelectStmt(select) => {
            apply_calls(catalog, stmt);
            apply_select(catalog, select, types);
        }
        Node::CompositeTypeStmt(create) => {
            if let Some(table) = create.typevar() {
                let columns = defined(catalog, create.coldeflist());
                add(catalog, table, RelationKind::CompositeType, columns, true);
            }
        }
        Node::CreateSeqStmt(create) => create_sequence(catalog, create),
        Node::AlterSeqStmt(alter) => alter_sequence(catalog, alter),
        Node::CreateSchemaStmt(create) => {
            let Some(name) = schema_name(create) else { return };
            catalog.schemas.or_default(name.to_owned());
            let path = catalog.search_path.clone();
            Arc::make_mut(&mut catalog.search_path).insert(0, name.to_owned());
            for element in create.schema_elts() {
                with_stack(|| apply_with(catalog, element, types));
            }
            catalog.search_path = path;
        }
        Node::CreateFunctionStmt(create) => create_routine(catalog, create),
        Node::AlterFunctionStmt(alter) => alter_routine(catalog, alter),
        Node::DefineStmt(create) if create.kind() == ObjectType::ObjectAggregate => {
            create_aggregate(catalog, create);
        }
        Node::CreateExtensionStmt(create) => create_extension(catalog, create),
        Node::CreateDomainStmt(create) => create_domain(catalog, create),
        Node::AlterDomainStmt(alter) => alter_domain(catalog, alter),
        Node::CreateEnumStmt(create) => create_enum(catalog, create),
        Node::AlterEnumStmt(alter) => alter_enum(catalog, alter),
        Node::CreateRangeStmt(create) => create_range(catalog, create),
        Node::DefineStmt(create) if create.kind() == ObjectType::ObjectOperator => {
            create_operator(catalog, create);
        }
        Node::AlterOperatorStmt(alter) => alter_operator(catalog, alter),
        Node::CreateCastStmt(create) => create_cast(catalog, create),
        Node::DefineStmt(create) if create.kind() == ObjectType::ObjectType => {
            create_base_type(catalog, create);
        }
        Node::AlterTableStmt(alter) => alter_table(catalog, alter),
        Node::IndexStmt(index) => create_index(catalog, index),
        Node::CreateTrigStmt(create) => create_trigger(catalog, create),
        Node::RenameStmt(rename) => apply_rename(catalog, rename),
        // A rule of this kind makes a table a view.
        Node::RuleStmt(rule) if rule.event() == CmdType::CmdSelect => {
            let name = rule.relation().and_then(|table| key(catalog, &table.qualified_name()));
            if let Some(relation) = name.and_then(|name| get_mut(catalog, &name)) {
                relation.kind = RelationKind::View;
            }
        }
        Node::RuleStmt(rule) => create_rule(catalog, rule),
        Node::AlterObjectSchemaStmt(alter) => set_schema(catalog, alter),
        Node::DropStmt(drop) => apply_drop(catalog, drop),
        Node::DoStmt(stmt) => apply_do(catalog, stmt),
        Node::CallStmt(_) => apply_calls(catalog, stmt),
        Node::VariableSetStmt(set) => apply_set(catalog, set),
        _ => {}
    }
}

/// Returns the name of a new schema: without one, it is that of a role. `None` if that is the user who runs the statement.
pub(crate) fn schema_name(create: CreateSchemaStmt<'_>) -> Option<&str> {
    match create.schemaname() {
        "" => create.authrole().map(RoleSpec::rolename).filter(|name| !name.is_empty()),
        name => Some(name),
    }
}

/// Returns the name of an existing relation, with its schema.
pub(crate) fn key(catalog: &DdlCatalog, name: &QualifiedName) -> Option<QualifiedName> {
    find(catalog, name).map(|relation| relation.name.clone())
}

pub(crate) fn take(catalog: &mut DdlCatalog, name: &QualifiedName) -> Option<Relation> {
    let schema = catalog.schemas.get_mut(name.schema.as_deref()?)?;
    schema.relations.remove(&name.name)
}

pub(crate) fn get_mut<'c>(
    catalog: &'c mut DdlCatalog,
    name: &QualifiedName,
) -> Option<&'c mut Relation> {
    let schema = catalog.schemas.get_mut(name.schema.as_deref()?)?;
    schema.relations.get_mut(&name.name)
}

pub(crate) fn add(
    catalog: &mut DdlCatalog,
    table: RangeVar<'_>,
    kind: RelationKind,
    columns: Vec<RelationColumn>,
    is_complete: bool,
) -> QualifiedName {
    let name = QualifiedName::new(schema_of(&catalog.search_path, table), table.relname());
    let mut relation = Relation::new("", "", kind, []);
    relation.name = name.clone();
    relation.columns = columns;
    relation.is_complete = is_complete;
    relation.has_all_parts = true;
    catalog.add_relation(relation);
    name
}

pub(crate) fn is_there(catalog: &DdlCatalog, table: RangeVar<'_>) -> bool {
    let schema = schema_of(&catalog.search_path, table);
    find(catalog, &QualifiedName::new(schema, table.relname())).is_some()
}

fn create_table(catalog: &mut DdlCatalog, create: CreateStmt<'_>, is_foreign: bool) {
    let Some(table) = create.relation() else { return };
    if create.if_not_exists() && is_there(catalog, table) {
        return;
    }
    let (columns, is_complete) = created_columns(catalog, create);
    let parents: Vec<_> = create
        .inh_relations()
        .iter()
        .filter_map(|parent| match parent {
            Node::RangeVar(parent) => key(catalog, &parent.qualified_name()),
            _ => None,
        })
        .collect();
    // A change of a type is one of its tables.
    let of_type = create.of_typename().and_then(type_name);
    let of_type = of_type.and_then(|of| key(catalog, &of));
    // What had the name is gone without a statement that says so.
    let name = QualifiedName::new(schema_of(&catalog.search_path, table), table.relname());
    if catalog.relation(name.schema.as_deref().unwrap_or_default(), &name.name).is_some() {
        drop_object(catalog, name);
    }
    let name = add(catalog, table, RelationKind::Table, columns, is_complete);
    if create.oncommit() == OnCommitAction::OncommitDrop {
        catalog.drop_at_commit(name.clone());
    }
    if let Some(of_type) = of_type {
        catalog.heirs.add(of_type, name.clone());
    }
    if !parents.is_empty() {
        let own = defined(catalog, create.table_elts()).into_iter().map(|column| column.name);
        catalog.own_columns.insert(name.clone(), own.collect());
    }
    for parent in parents {
        catalog.heirs.add(parent, name.clone());
    }
    if let Some(relation) = get_mut(catalog, &name) {
        relation.is_foreign = is_foreign;
    }
    add_parts(catalog, &name, create);
    note_calls(catalog, &name, Node::CreateStmt(create));
}

/// Adds a relation with the columns of a query.
fn add_query(
    catalog: &mut DdlCatalog,
    table: RangeVar<'_>,
    kind: RelationKind,
    stmt: Node<'_>,
    types: TypesOfQuery<'_>,
) {
    let types = types(stmt, catalog);
    let (columns, is_complete, used, lineage) = {
        let mut resolver = NameResolver::new(&*catalog);
        resolver.recorded = Some(RecordedQueries::default());
        let columns = resolver.statement(stmt).unwrap_or_default();
        let used = resolver.found.tables.iter().filter_map(|table| match &table.meaning {
            TableMeaning::Relation(relation) => Some(relation.clone()),
            _ => None,
        });
        let used: Vec<_> = used.collect();
        let mut made = relation_columns(&resolver, &columns, stored_query(stmt));
        for (column, of) in made.iter_mut().zip(types) {
            column.column_type = of.or(column.column_type.take());
        }
        let lineage = (kind != RelationKind::Table)
            .then(|| lineage_of(&mut resolver, core::iter::once((0, stmt)), false));
        (made, columns.is_complete(), used, lineage)
    };
    let is_temporary = used.iter().any(|used| used.schema.as_deref() == Some("pg_temp"));
    let name = add(catalog, table, kind, columns, is_complete);
    if kind == RelationKind::Table {
        return;
    }
    // A view of a temporary table is one as well.
    let name = match take(catalog, &name) {
        Some(mut relation) if is_temporary => {
            relation.name.schema = Some("pg_temp".to_owned());
            let name = relation.name.clone();
            catalog.add_relation(relation);
            name
        }
        Some(relation) => {
            catalog.add_relation(relation);
            name
        }
        None => name,
    };
    if let Some(lineage) = lineage {
        catalog.lineages.insert(name.clone(), Arc::new(lineage));
    }
    // It may replace another one.
    let before: Vec<_> = catalog.views.parents(&name).cloned().collect();
    for read in before {
        catalog.views.remove(&read, &name);
    }
    for used in used {
        catalog.views.add(used, name.clone());
    }
    let calls = calls_of(catalog, stmt);
    // The query of a table has run.
    if calls.is_empty() || kind == RelationKind::Table {
        catalog.view_calls.remove(&name);
    } else {
        catalog.view_calls.insert(name, calls);
    }
}

/// Returns the query whose rows a statement stores, or a view has.
fn stored_query(stmt: Node<'_>) -> Option<SelectStmt<'_>> {
    let query = match stmt {
        Node::ViewStmt(view) => view.query()?,
        Node::CreateTableAsStmt(create) => create.query()?,
        _ => stmt,
    };
    query.as_select_stmt().filter(|select| select.op() == SetOperation::SetopNone)
}

/// Returns the columns that a query makes, with the types of those that are columns of tables.
fn relation_columns(
    resolver: &NameResolver<'_>,
    columns: &NamedColumns<'_>,
    query: Option<SelectStmt<'_>>,
) -> Vec<RelationColumn> {
    let returned = query.and_then(|query| resolver.recorded.as_ref()?.columns_of(query));
    let origins = returned.map_or(&[][..], |returned| &returned.origins);
    let mut types = HashMap::new();
    let columns = columns.columns.iter().enumerate().map(|(place, column)| {
        let origin = origins.get(place).and_then(|it| it.as_ref()?.origin.as_ref());
        let of = match (&column.row, origin) {
            (_, Some(origin)) => {
                let of_table = types.entry(origin.table.clone()).or_insert_with(|| {
                    let relation = resolver.relation(&origin.table).ok();
                    let columns = relation.into_iter().flat_map(|it| &it.columns);
                    let types = columns.map(|it| (it.name.as_str(), it.column_type.as_ref()));
                    types.collect::<HashMap<_, _>>()
                });
                of_table.get(&*origin.column).copied().flatten().cloned()
            }
            (Some(RowType::Relation(relation)), None) => {
                Some(ColumnType::new(relation.name.clone()))
            }
            _ => None,
        };
        RelationColumn::new(column.name.to_string(), of)
    });
    columns.collect()
}

fn create_as(catalog: &mut DdlCatalog, create: CreateTableAsStmt<'_>, types: TypesOfQuery<'_>) {
    let Some(table) = create.into().and_then(IntoClause::rel) else { return };
    if create.if_not_exists() && is_there(catalog, table) {
        return;
    }
    let kind = match create.objtype() {
        ObjectType::ObjectMatview => RelationKind::MaterializedView,
        _ => RelationKind::Table,
    };
    add_query(catalog, table, kind, Node::CreateTableAsStmt(create), types);
    let on_commit = create.into().map(IntoClause::on_commit);
    if on_commit == Some(OnCommitAction::OncommitDrop) {
        let name = QualifiedName::new(schema_of(&catalog.search_path, table), table.relname());
        catalog.drop_at_commit(name);
    }
}

/// `SELECT INTO` creates a table, and `set_config` changes a setting: a dump begins with it.
fn apply_select(catalog: &mut DdlCatalog, select: SelectStmt<'_>, types: TypesOfQuery<'_>) {
    if let Some(table) = select.into_clause().and_then(IntoClause::rel) {
        return add_query(catalog, table, RelationKind::Table, select.into(), types);
    }
    if select.target_list().len() != 1 || !select.from_clause().is_empty() {
        return;
    }
    let Some(Node::ResTarget(target)) = select.target_list().first() else { return };
    let Some(Node::FuncCall(call)) = target.val() else { return };
    if call.funcname().qualified_name().name != "set_config" {
        return;
    }
    let text = |index| match call.args().get(index).and_then(Node::literal) {
        Some(Literal::String(text)) => Some(text),
        _ => None,
    };
    if let (Some("search_path"), Some(path)) = (text(0), text(1)) {
        let names = path.split(',').map(|name| name.trim().trim_matches('"').to_owned());
        let path = names.filter(|name| !name.is_empty()).collect();
        let is_local = call.args().get(2).and_then(Node::literal) == Some(Literal::Boolean(true));
        catalog.set_path(path, is_local);
    }
}

fn apply_set(catalog: &mut DdlCatalog, set: VariableSetStmt<'_>) {
    if set.name() != "search_path" {
        return;
    }
    match set.kind() {
        VariableSetKind::VarSetValue => {
            let names = set.args().iter().filter_map(|arg| match arg.literal() {
                Some(Literal::String(name)) => Some(name.to_owned()),
                _ => None,
            });
            catalog.set_path(names.filter(|name| !name.is_empty()).collect(), set.is_local());
        }
        VariableSetKind::VarSetDefault | VariableSetKind::VarReset => {
            catalog.set_path(default_path().to_vec(), set.is_local());
        }
        _ => {}
    }
}

/// Adds to a catalog what the statements define, change and drop, in their order: tables, views, composite types, sequences,
/// schemas and functions. `SET search_path` and what a dump has in its place apply from there on.
///
/// The columns of a view are those of its query. What a statement refers to and the catalog does not know leaves a relation
/// with columns that are not all known.
///
/// Transactions are followed, as far as the text tells: `ROLLBACK` and `ROLLBACK TO` take back what was defined, and `SET LOCAL`
/// ends with its transaction. After a savepoint that is not there, statements do nothing up to the end of the transaction.
///
/// ```
/// use pg_ast_names::{Catalog as _, DdlCatalog, define};
///
/// let mut catalog = DdlCatalog::new();
/// let dump = "SELECT pg_catalog.set_config('search_path', '', false);
///     CREATE TABLE app.users (id int, name text);
///     CREATE VIEW app.named AS SELECT u.* FROM app.users u WHERE name IS NOT NULL;
///     ALTER TABLE app.users ADD COLUMN age int";
/// define(&pg_ast::parse(dump)?, &mut catalog);
/// let of = |name| catalog.relation("app", name).unwrap().columns.len();
/// assert_eq!((of("users"), of("named")), (3, 2));
///
/// define(&pg_ast::parse("BEGIN; DROP TABLE app.users; ROLLBACK")?, &mut catalog);
/// assert!(catalog.relation("app", "users").is_some());
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub fn define<'t>(tree: impl Into<AnyTree<'t>>, catalog: &mut DdlCatalog) {
    tree.into().read(|stmts| {
        for stmt in stmts.iter().filter_map(|stmt| stmt.stmt()) {
            apply_next(catalog, stmt);
        }
    });
}
