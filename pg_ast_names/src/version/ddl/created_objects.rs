//! The objects that statements create, change so that others can need it, and end.

use std::sync::Arc;

use pg_ast::{NameUse, QualifiedName};

use super::altered_tables::heirs;
use super::apply_ddl::schema_name;
use super::apply_objects::{first_of, schema_of};
use super::apply_types::created_extension;
use super::created_types::range_types;
use super::defined_objects::{StmtRead, any_extension};
use super::named_objects::{Mention, is_global, kind_name, mentions, type_word};
use super::object_lookup::{AllStmts, IndexOf};
use super::pg::protobuf::{ConstrType, ObjectType};
use super::pg::view::{CreateExtensionStmt, CreateStmt, List, Node, RangeVar, TypeName};
use super::table_parts::{constraints, sequences, unique_columns};
use crate::ddl_catalog::index_name;
use crate::stmt_dependencies::{Object, StmtDependencies};

pub(crate) fn other(kind: &'static str, name: QualifiedName, arguments: Vec<String>) -> Object {
    Object::Other { kind, name: name.schema.into_iter().chain([name.name]).collect(), arguments }
}

/// Returns whether a statement can replace what was there.
fn replaces(stmt: Node<'_>) -> bool {
    match stmt {
        Node::ViewStmt(create) => create.replace(),
        Node::CreateFunctionStmt(create) => create.replace(),
        Node::CreateTrigStmt(create) => create.replace(),
        Node::RuleStmt(create) => create.replace(),
        // A type with functions follows one without.
        Node::DefineStmt(create) if create.kind() == ObjectType::ObjectType => {
            !create.definition().is_empty()
        }
        Node::DefineStmt(create) => create.replace(),
        _ => false,
    }
}

/// Returns the object with another name, or in another schema.
fn renamed(object: &Object, new: &str, is_schema: bool) -> Option<Object> {
    let change = |name: &QualifiedName| {
        let mut name = name.clone();
        if is_schema {
            name.schema = Some(new.to_owned());
        } else {
            new.clone_into(&mut name.name);
        }
        name
    };
    Some(match object {
        Object::Relation(name) => Object::Relation(change(name)),
        Object::Function(name) => Object::Function(change(name)),
        Object::Type(name) => Object::Type(change(name)),
        Object::Schema(_) => Object::Schema(new.to_owned()),
        Object::Other { kind, name, arguments } => {
            let mut name = name.clone();
            let part = if is_schema { name.first_mut() } else { name.last_mut() };
            new.clone_into(part?);
            Object::Other { kind, name, arguments: arguments.clone() }
        }
        Object::Column(..) | Object::Key(..) => return None,
    })
}

impl AllStmts<'_> {
    /// Adds the objects that a statement creates in a schema, or outside of all.
    pub(crate) fn add_created(&mut self, stmt: &StmtRead<'_>, of: &mut StmtDependencies) {
        if let Node::CreateSchemaStmt(create) = stmt.node {
            let Some(schema) = schema_name(create) else { return };
            of.defines.push(Object::Schema(schema.to_owned()));
            let path: Vec<_> =
                core::iter::once(schema.to_owned()).chain(stmt.path.iter().cloned()).collect();
            for element in create.schema_elts() {
                if !matches!(element, Node::CreateSchemaStmt(_)) {
                    self.add_created_in(element, &path, of);
                }
            }
        } else {
            self.add_created_in(stmt.node, &stmt.path, of);
            of.replaces = replaces(stmt.node);
        }
        self.defined.extend(of.defines.iter().cloned());
    }

    fn add_created_in(&mut self, stmt: Node<'_>, path: &[String], of: &mut StmtDependencies) {
        let full = |name: &QualifiedName| {
            let schema = name.schema.clone().unwrap_or_else(|| first_of(path));
            QualifiedName::new(schema, &name.name)
        };
        mentions(stmt, |Mention { kind, name, owner, arguments, is_new, node, .. }| {
            // What is in a table is added when the tables are known.
            if !is_new || owner.is_some() || matches!(node, Node::IndexStmt(_)) {
                return;
            }
            if let Node::RangeVar(table) = node {
                let name = QualifiedName::new(schema_of(path, table), table.relname());
                of.needs.extend(name.schema.clone().map(Object::Schema));
                return of.defines.push(Object::Relation(name));
            }
            if kind == "SCHEMA" {
                return of.defines.push(Object::Schema(name.name));
            }
            if is_global(kind) {
                return of.defines.push(other(
                    kind,
                    QualifiedName::unqualified(name.name),
                    Vec::new(),
                ));
            }
            let name = full(&name);
            of.needs.extend(name.schema.clone().map(Object::Schema));
            match kind {
                "FUNCTION" => {
                    of.defines.push(Object::Function(name.clone()));
                    let exact = other(kind, name.clone(), arguments.unwrap_or_default());
                    if !self.defined.contains(&exact) {
                        *self.functions.entry(name).or_default() += 1;
                    }
                    of.defines.push(exact);
                }
                "OPERATOR" => {
                    of.defines.push(other(kind, name.clone(), Vec::new()));
                    of.defines.push(other(kind, name, arguments.unwrap_or_default()));
                }
                "TYPE" => of.defines.push(Object::Type(name)),
                _ => of.defines.push(other(kind, name, Vec::new())),
            }
        });
        match stmt {
            Node::CreateRangeStmt(create) => {
                let [range, multirange] = range_types(path, create);
                of.defines.push(Object::Function(range));
                of.defines.push(Object::Type(multirange.clone()));
                of.defines.push(Object::Function(multirange));
            }
            // It makes a family of its own.
            Node::CreateOpClassStmt(create) if create.opfamilyname().is_empty() => {
                let name = full(&create.opclassname().qualified_name());
                of.defines.push(other("OPFAMILY", name, Vec::new()));
            }
            Node::CreateCastStmt(create) => {
                let types = [create.sourcetype(), create.targettype()];
                of.defines.push(cast(types.into_iter().flatten()));
            }
            Node::CreateTransformStmt(create) => {
                of.defines.extend(create.type_name().map(|name| transform(name, create.lang())));
            }
            Node::CreateExtensionStmt(create) => {
                of.completes.push(any_extension());
                extension_objects(create, path, of);
            }
            _ => {}
        }
    }

    /// Adds what statements rename, and move to another schema: as long as one finds what it is about, since another one may have
    /// given it its name. What is in tables comes `with_parts`, when all of it is known.
    pub(crate) fn add_renamed(
        &mut self,
        stmts: &[Option<StmtRead<'_>>],
        with_parts: bool,
        of: &mut [StmtDependencies],
    ) {
        // Names hardly ever change more often.
        const ROUNDS: usize = 8;
        let is_open = |index: &usize, of: &[StmtDependencies]| of[*index].ends.is_empty();
        let mut open: Vec<_> = (0..stmts.len()).filter(|index| is_open(index, of)).collect();
        for _ in 0..ROUNDS {
            let before = open.len();
            for index in &open {
                let Some(stmt) = &stmts[*index] else { continue };
                let (new, is_schema) = match stmt.node {
                    Node::RenameStmt(rename) => (rename.newname(), false),
                    Node::AlterObjectSchemaStmt(alter) => (alter.newschema(), true),
                    _ => continue,
                };
                if is_of_column(stmt.node) {
                    continue;
                }
                let (mut altered, mut has_parts) = (Vec::new(), false);
                mentions(stmt.node, |mention| {
                    has_parts |= mention.owner.is_some();
                    if mention.used == NameUse::Alter {
                        altered.extend(self.object(&mention));
                    }
                });
                if has_parts && !with_parts {
                    continue;
                }
                let of = &mut of[*index];
                rename_of(&altered, new, is_schema, of);
                self.rename_index(new, of);
                self.defined.extend(of.defines.iter().cloned());
            }
            open.retain(|index| is_open(index, of));
            if open.len() == before {
                break;
            }
        }
    }

    /// Renames the index of a constraint with it.
    fn rename_index(&self, new: &str, of: &mut StmtDependencies) {
        let Some(Object::Other { kind: "TABCONSTRAINT", name, .. }) = of.ends.first() else {
            return;
        };
        let [schema, _, old] = &**name else { return };
        let index = Object::Relation(QualifiedName::new(schema, old));
        if self.defined.contains(&index) {
            of.defines.extend(renamed(&index, new, false));
            of.needs.push(index.clone());
            of.ends.push(index);
        }
    }

    /// Adds what a statement creates in a table that others have created, and what it changes and ends.
    pub(crate) fn add_parts(&mut self, stmt: Node<'_>, of: &mut StmtDependencies) {
        if let Node::CreateSchemaStmt(create) = stmt {
            let path = self.own.search_path.clone();
            let schema = schema_name(create).map(str::to_owned);
            Arc::make_mut(&mut self.own.search_path).splice(0..0, schema);
            for element in create.schema_elts() {
                if !matches!(element, Node::CreateSchemaStmt(_)) {
                    self.add_parts(element, of);
                }
            }
            self.own.search_path = path;
            return;
        }
        let mut altered = Vec::new();
        let adds_to_types = matches!(stmt,
            Node::DefineStmt(create) if create.kind() == ObjectType::ObjectOperator)
            || matches!(
                stmt,
                Node::CreateOpClassStmt(_) | Node::AlterOpFamilyStmt(_) | Node::CreateCastStmt(_)
            );
        mentions(stmt, |mention| {
            let is_part = mention.owner.is_some() && mention.is_new;
            let is_altered = mention.used == NameUse::Alter && mention.kind != "ROLE";
            let is_dropped =
                mention.used == NameUse::Drop && !matches!(stmt, Node::DropOwnedStmt(_));
            let is_type = adds_to_types && mention.kind == "TYPE";
            if !is_part && !is_altered && !is_dropped && !is_type {
                return;
            }
            let Some(object) = self.object(&mention) else { return };
            if is_part {
                of.defines.push(object);
            } else if is_dropped {
                of.drops = true;
                of.ends.push(object);
            } else if is_type {
                of.completes.push(object);
            } else {
                altered.push(object);
            }
        });
        match stmt {
            Node::AlterOwnerStmt(_)
            | Node::AlterEnumStmt(_)
            | Node::AlterTypeStmt(_)
            | Node::AlterDomainStmt(_)
            | Node::AlterTsconfigurationStmt(_)
            | Node::AlterTsdictionaryStmt(_)
            | Node::AlterOpFamilyStmt(_) => of.completes.extend(altered),
            Node::IndexStmt(index) => {
                let Some(table) = index.relation().map(RangeVar::qualified_name) else { return };
                let Some(table) = self.table(&table) else { return };
                let key = unique_columns(index).map(|columns| Object::Key(table.clone(), columns));
                of.defines.extend(key.clone());
                self.add_index(table, index.idxname(), key.into_iter().collect(), of);
            }
            Node::AlterTableStmt(alter) => self.add_altered(alter, of),
            Node::AlterDefaultPrivilegesStmt(alter) => {
                for option in alter.options() {
                    if let Node::DefElem(option) = option
                        && let Some(Node::List(schemas)) = option.arg()
                        && option.defname() == "schemas"
                    {
                        of.needs.extend(schemas.strs().map(|it| Object::Schema(it.to_owned())));
                    }
                }
            }
            Node::CommentStmt(comment) => of.needs.extend(match comment.object() {
                Some(Node::List(types)) => cast_or_transform(comment.objtype(), types),
                _ => None,
            }),
            _ => {}
        }
        self.add_constraints(stmt, of);
    }

    fn add_index(
        &mut self,
        table: QualifiedName,
        index: &str,
        keys: Vec<Object>,
        of: &mut StmtDependencies,
    ) {
        // An index of a table with partitions is one of theirs as well.
        of.hints.push(heirs(table.clone()));
        if !index.is_empty() {
            let index = index_name(&table, index);
            of.defines.push(Object::Relation(index.clone()));
            self.tables_of_indexes.insert(index, IndexOf { table, keys });
        }
    }

    /// Adds constraints, their indexes, keys, and the keys that they refer to; and the sequences of columns.
    fn add_constraints(&mut self, stmt: Node<'_>, of: &mut StmtDependencies) {
        let table = match stmt {
            Node::CreateStmt(create) => create.relation(),
            Node::CreateForeignTableStmt(create) => {
                create.base_stmt().and_then(CreateStmt::relation)
            }
            Node::AlterTableStmt(alter) => alter.relation(),
            _ => None,
        };
        let Some(table) = table.and_then(|table| self.table(&table.qualified_name())) else {
            return;
        };
        for constraint in constraints(stmt) {
            let name = constraint.name(&table.name);
            if let Some(name) = &name {
                let parts = table.schema.iter().chain([&table.name, name]).cloned().collect();
                let object =
                    Object::Other { kind: "TABCONSTRAINT", name: parts, arguments: Vec::new() };
                of.defines.push(object);
            }
            let mut keys = Vec::new();
            if constraint.is_key() {
                let columns = constraint.columns();
                if constraint.constraint.contype() == ConstrType::ConstrPrimary {
                    keys.push(Object::Key(table.clone(), Vec::new()));
                    self.primary_keys.insert(table.clone(), columns.clone());
                }
                if !columns.is_empty() {
                    keys.push(Object::Key(table.clone(), columns));
                }
            }
            of.defines.extend(keys.iter().cloned());
            if constraint.has_index() {
                self.add_index(table.clone(), name.as_deref().unwrap_or_default(), keys, of);
            }
            let referred = constraint.constraint.pktable().map(RangeVar::qualified_name);
            if let Some(referred) = referred.and_then(|name| self.table(&name)) {
                of.needs.push(Object::Key(referred, constraint.referred()));
            }
        }
        for QualifiedName { schema, name } in sequences(stmt, &table.name) {
            let schema = schema.or_else(|| table.schema.clone());
            of.defines.push(Object::Relation(QualifiedName { schema, name }));
        }
    }
}

/// Adds what an extension brings, and those that it requires.
fn extension_objects(create: CreateExtensionStmt<'_>, path: &[String], of: &mut StmtDependencies) {
    let Some((extension, schema)) = created_extension(create) else { return };
    let schema = schema.map_or_else(|| first_of(path), str::to_owned);
    let full = |own: &str, name: &str| {
        QualifiedName::new(if own.is_empty() { &schema } else { own }, name)
    };
    let objects = &extension.objects;
    let types = objects.types().iter().map(|it| Object::Type(full(it.schema, it.name)));
    of.defines.extend(types);
    let relations = objects.relations().iter().map(|it| Object::Relation(full(it.schema, it.name)));
    of.defines.extend(relations);
    let functions = objects.all_functions().iter();
    of.defines.extend(functions.map(|it| Object::Function(full(it.schema, it.name))));
    // With `CASCADE` the statement creates them, if they are not there.
    for required in &extension.requires {
        of.hints.push(Object::Other {
            kind: "EXTENSION",
            name: vec![(*required).to_owned()],
            arguments: Vec::new(),
        });
    }
}

pub(crate) fn is_of_column(stmt: Node<'_>) -> bool {
    let Node::RenameStmt(rename) = stmt else { return false };
    matches!(rename.rename_type(), ObjectType::ObjectColumn | ObjectType::ObjectAttribute)
}

/// Adds the new name of what is renamed or moved, and ends the old one.
fn rename_of(altered: &[Object], new: &str, is_schema: bool, of: &mut StmtDependencies) {
    // The table of what is in one is named as well.
    let is_part = |object: &&Object| matches!(object, Object::Other { .. });
    let Some(old) = altered.iter().find(is_part).or(altered.first()) else { return };
    of.defines.extend(renamed(old, new, is_schema));
    of.ends.push(old.clone());
}

fn cast<'a>(types: impl Iterator<Item = TypeName<'a>>) -> Object {
    Object::Other { kind: "CAST", name: Vec::new(), arguments: types.map(type_word).collect() }
}

fn transform(of: TypeName<'_>, language: &str) -> Object {
    other("TRANSFORM", QualifiedName::unqualified(language), vec![type_word(of)])
}

/// Returns a cast or a transform that a statement names.
fn cast_or_transform(kind: ObjectType, names: List<'_>) -> Option<Object> {
    let types = names.iter().filter_map(|name| match name {
        Node::TypeName(of) => Some(of),
        _ => None,
    });
    match kind_name(kind) {
        "CAST" => Some(cast(types)),
        "TRANSFORM" => Some(transform(types.into_iter().next()?, names.last()?.as_str()?)),
        _ => None,
    }
}
