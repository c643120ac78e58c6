//! Names in utility statements that name objects alone: `COMMENT`, `GRANT`, `TRUNCATE`, `OWNED BY`.

use std::rc::Rc;

use pg_ast::{Context, QualifiedName};

use super::lookup::column_names::NamedColumns;
use super::pg::protobuf::{GrantTargetType, ObjectType};
use super::pg::seam::{list_field, node_field};
use super::pg::view::{DropStmt, GrantStmt, List, Node, RangeVar, VacuumStmt};
use super::resolver::{NameResolver, SourceState};
use super::stmt_scopes::NamedIn;
use crate::name_catalog::Relation;
use crate::name_mistakes::MistakeKind;
use crate::resolution::{SourceKind, TableMeaning};

impl<'a> NameResolver<'a> {
    /// Resolves a statement that names objects alone, or one of which nothing else is known.
    pub(crate) fn naming(&mut self, stmt: Node<'a>) {
        match stmt {
            Node::CommentStmt(comment) => {
                self.listed_object(stmt, comment.objtype(), comment.object());
            }
            Node::SecLabelStmt(label) => {
                self.listed_object(stmt, label.objtype(), label.object());
            }
            Node::GrantStmt(grant) => self.grant(grant),
            Node::TruncateStmt(truncate) => self.objects(truncate.relations()),
            Node::LockStmt(lock) => self.objects(lock.relations()),
            Node::VacuumStmt(vacuum) => self.vacuum(vacuum),
            Node::RefreshMatViewStmt(refresh) => self.objects(refresh.relation().map(Node::from)),
            Node::ClusterStmt(cluster) => self.objects(cluster.relation().map(Node::from)),
            Node::CreateSeqStmt(create) => {
                if let Some(sequence) = create.sequence() {
                    self.defined_table(sequence);
                }
                self.owned_by(create.options());
            }
            Node::AlterSeqStmt(alter) => {
                self.object_or_index(alter.sequence(), alter.missing_ok());
                self.owned_by(alter.options());
            }
            Node::ReindexStmt(reindex) => self.object_or_index(reindex.relation(), false),
            Node::AlterObjectSchemaStmt(alter) => {
                self.object_or_index(alter.relation(), alter.missing_ok());
                self.other_object(stmt, alter.object_type(), alter.object());
            }
            Node::AlterOwnerStmt(alter) => {
                self.other_object(stmt, alter.object_type(), alter.object());
            }
            Node::AlterEnumStmt(alter) => self.listed_type(stmt, alter.type_name()),
            Node::AlterDomainStmt(alter) => {
                self.listed_type(stmt, alter.type_name());
                self.other(stmt);
            }
            Node::AlterFunctionStmt(alter) => {
                if let Some(function) = alter.func() {
                    self.function_object(function, alter.objtype());
                }
            }
            Node::CompositeTypeStmt(create) => {
                if let Some(of) = create.typevar() {
                    self.misses_schema(stmt, -1, &of.qualified_name());
                }
                for column in create.coldeflist() {
                    if let Node::ColumnDef(column) = column {
                        self.column_type(column);
                    }
                }
            }
            Node::CreateEnumStmt(create) => {
                self.misses_schema(stmt, -1, &create.type_name().qualified_name());
            }
            Node::CreatePublicationStmt(_) | Node::AlterPublicationStmt(_) => {
                self.published(list_field(stmt, "pubobjects").unwrap_or_default());
            }
            stmt => self.other(stmt),
        }
    }

    /// Resolves a relation that may be an index.
    fn object_or_index(&mut self, relation: Option<RangeVar<'a>>, missing_ok: bool) {
        let Some(relation) = relation else { return };
        let before = self.is_lenient;
        self.is_lenient |= missing_ok || self.may_be_index(&relation.qualified_name());
        self.object(relation);
        self.is_lenient = before;
    }

    /// Resolves the tables of a publication.
    fn published(&mut self, objects: List<'a>) {
        for object in objects {
            let Some(Node::PublicationTable(table)) = node_field(object, "pubtable") else {
                continue;
            };
            self.with_table(table.relation(), |this, source| {
                this.column_names(source, table.columns(), NamedIn::Relation);
                this.optional(table.where_clause());
            });
        }
    }

    /// Resolves tables that a statement names.
    pub(crate) fn objects(&mut self, tables: impl IntoIterator<Item = Node<'a>>) {
        for table in tables {
            if let Node::RangeVar(table) = table {
                self.object(table);
            }
        }
    }

    /// Resolves an object that is named by a list: a table, or what is of one.
    pub(crate) fn listed_object(
        &mut self,
        stmt: Node<'a>,
        of: ObjectType,
        object: Option<Node<'a>>,
    ) {
        if self.other_object(stmt, of, object) {
            return;
        }
        let Some(Node::List(list)) = object else { return self.other(stmt) };
        let names: Vec<&'a str> = list.strs().collect();
        // A name that is missing in the list is another object, such as a type.
        if names.len() != list.len() {
            return self.other(stmt);
        }
        let node = Node::List(list);
        match (of, &*names) {
            (
                ObjectType::ObjectTable
                | ObjectType::ObjectView
                | ObjectType::ObjectMatview
                | ObjectType::ObjectForeignTable,
                names,
            ) => {
                self.listed_table(node, names);
            }
            (ObjectType::ObjectColumn, [table @ .., column]) if !table.is_empty() => {
                let source = self.listed_table(node, table);
                self.named_column(source, node, -1, column, NamedIn::Relation);
            }
            (
                ObjectType::ObjectTabconstraint
                | ObjectType::ObjectTrigger
                | ObjectType::ObjectPolicy
                | ObjectType::ObjectRule,
                [table @ .., _],
            ) if !table.is_empty() => {
                self.listed_table(node, table);
            }
            _ => self.other(stmt),
        }
    }

    /// Makes a source of a table that is named by a list.
    fn listed_table(&mut self, node: Node<'a>, names: &[&'a str]) -> usize {
        let (table, schema) = match names {
            [table] => (*table, None),
            [.., schema, table] => (*table, Some((*schema).to_owned())),
            [] => ("", None),
        };
        let name = QualifiedName { schema, name: table.to_owned() };
        let (relation, meaning) = match self.relation(&name) {
            Ok(relation) => (Some(relation), TableMeaning::Relation(relation.name.clone())),
            Err(meaning) => (None, meaning),
        };
        let is_missing = meaning == TableMeaning::Missing && !self.is_lenient;
        if is_missing && !self.misses_schema(node, -1, &name) {
            self.missing_table(node, -1, &name);
        }
        let columns = match relation {
            Some(relation) => self.columns_of(relation),
            None => Rc::new(NamedColumns::unknown()),
        };
        let kind = SourceKind::Table(relation.map_or_else(|| name.clone(), |it| it.name.clone()));
        let is_stored = relation.is_none_or(Relation::has_system_columns);
        let state = SourceState { columns, relation, has_alias: false, is_stored };
        let source = self.add_source(node, -1, kind, Some(table), state);
        self.add_table_use(node, -1, name, meaning, Context::Ddl);
        if let Some(found) = self.found.tables.last_mut() {
            found.source = Some(source);
        }
        source
    }

    /// Resolves the tables that `DROP` names; see `RemoveRelations` of PostgreSQL's `tablecmds.c`.
    pub(crate) fn drop_objects(&mut self, drop: DropStmt<'a>) {
        let kind = match drop.remove_type() {
            ObjectType::ObjectTable => "table",
            ObjectType::ObjectView => "view",
            ObjectType::ObjectMatview => "materialized view",
            ObjectType::ObjectForeignTable => "foreign table",
            ObjectType::ObjectSequence => "sequence",
            ObjectType::ObjectIndex
            | ObjectType::ObjectType
            | ObjectType::ObjectDomain
            | ObjectType::ObjectFunction
            | ObjectType::ObjectProcedure
            | ObjectType::ObjectRoutine
            | ObjectType::ObjectAggregate => return self.drop_others(drop),
            ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectPolicy => {
                return self.drop_parts(drop);
            }
            ObjectType::ObjectSchema if !drop.missing_ok() => {
                return self.named_schemas(drop.into(), drop.objects());
            }
            _ => return self.other(drop.into()),
        };
        let may_be_missing = drop.missing_ok() || self.is_lenient;
        for object in drop.objects() {
            let Node::List(names) = object else { continue };
            let name = names.qualified_name();
            let meaning = match self.relation(&name) {
                Ok(relation) => TableMeaning::Relation(relation.name.clone()),
                Err(_) if may_be_missing => TableMeaning::Unknown,
                Err(_) if self.misses_schema(object, -1, &name) => TableMeaning::Unknown,
                Err(_) if kind == "sequence" && self.may_be_index(&name) => TableMeaning::Unknown,
                Err(meaning) => meaning,
            };
            if meaning == TableMeaning::Missing {
                let message = format!("{kind} \"{}\" does not exist", name.name);
                let suggestion = self.similar_relation(&name);
                self.mistake(object, -1, 0, MistakeKind::MissingTable, message, suggestion);
            }
            self.add_table_use(object, -1, name, meaning, Context::Ddl);
        }
    }

    /// Resolves the schemas that a statement names.
    fn named_schemas(&mut self, stmt: Node<'a>, schemas: List<'a>) {
        for schema in schemas.strs() {
            self.misses_schema(stmt, -1, &QualifiedName::new(schema, ""));
        }
    }

    /// Resolves the indexes, types and functions that `DROP` names.
    fn drop_others(&mut self, drop: DropStmt<'a>) {
        if drop.missing_ok() {
            return self.other(drop.into());
        }
        for object in drop.objects() {
            match object {
                Node::List(names) if drop.remove_type() == ObjectType::ObjectIndex => {
                    self.dropped_index(object, names);
                }
                _ => {
                    self.other_object(object, drop.remove_type(), Some(object));
                }
            }
        }
    }

    /// Resolves the tables whose triggers, rules or policies are dropped.
    fn drop_parts(&mut self, drop: DropStmt<'a>) {
        let before = self.is_lenient;
        self.is_lenient |= drop.missing_ok();
        for object in drop.objects() {
            if let Node::List(list) = object
                && let [table @ .., _] = &*list.strs().collect::<Vec<_>>()
                && !table.is_empty()
            {
                self.listed_table(object, table);
            }
        }
        self.is_lenient = before;
    }

    /// Resolves the tables and columns of `GRANT` and `REVOKE`.
    pub(crate) fn grant(&mut self, grant: GrantStmt<'a>) {
        let is_of_tables = grant.targtype() == GrantTargetType::AclTargetObject
            && grant.objtype() == ObjectType::ObjectTable;
        if !is_of_tables {
            let is_in_schema = grant.targtype() == GrantTargetType::AclTargetAllInSchema;
            if is_in_schema || grant.objtype() == ObjectType::ObjectSchema {
                self.named_schemas(grant.into(), grant.objects());
            }
            for object in grant.objects().iter().filter_map(Node::as_object_with_args) {
                self.function_object(object, grant.objtype());
            }
            return self.other(grant.into());
        }
        for table in grant.objects() {
            let Node::RangeVar(table) = table else { continue };
            self.with_table(Some(table), |this, source| {
                for privilege in grant.privileges() {
                    if let Node::AccessPriv(privilege) = privilege {
                        this.column_names(source, privilege.cols(), NamedIn::Relation);
                    }
                }
            });
        }
    }

    /// Resolves the tables and columns of `VACUUM` and `ANALYZE`.
    pub(crate) fn vacuum(&mut self, vacuum: VacuumStmt<'a>) {
        for table in vacuum.rels() {
            let Node::VacuumRelation(table) = table else { continue };
            self.with_table(table.relation(), |this, source| {
                this.column_names(source, table.va_cols(), NamedIn::Relation);
            });
        }
    }

    /// Resolves the column that owns a sequence.
    pub(crate) fn owned_by(&mut self, options: List<'a>) {
        for option in options {
            let Node::DefElem(option) = option else { continue };
            let Some(Node::List(list)) = option.arg().filter(|_| option.defname() == "owned_by")
            else {
                continue;
            };
            let names: Vec<&'a str> = list.strs().collect();
            // `NONE` is a name alone.
            if let [table @ .., column] = &*names
                && !table.is_empty()
            {
                let source = self.listed_table(Node::List(list), table);
                self.named_column(source, Node::List(list), -1, column, NamedIn::Relation);
            }
        }
    }

    /// Returns whether a name is that of a table which is being created.
    pub(crate) fn is_of_source(&self, source: usize, name: &QualifiedName) -> bool {
        let source = self.found.sources.get(source);
        let Some(SourceKind::Table(table)) = source.map(|source| &source.kind) else {
            return false;
        };
        if table.name != name.name {
            return false;
        }
        match (&table.schema, &name.schema) {
            (None, None) => true,
            (Some(of), Some(schema)) => of == schema,
            (None, Some(schema)) => self.catalog.search_path().first() == Some(schema),
            // The first in the path that has such a table: it will be there.
            (Some(of), None) => {
                let schemas = self.schemas(None);
                let has_it = |schema: &&&str| {
                    **schema == of || self.catalog.relation(schema, &name.name).is_some()
                };
                schemas.iter().find(has_it).is_some_and(|schema| schema == of)
            }
        }
    }
}
