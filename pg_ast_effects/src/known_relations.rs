//! What a catalog tells about names and the relations that are related to one.

use std::collections::HashSet;

use pg_ast::QualifiedName;
use pg_ast_catalog::builtin;
use pg_ast_names::{
    Catalog, ConstraintKind, ForeignKey, Relation, RelationConstraint, RelationKind, Relationship,
    Routine,
};

/// A catalog with the version of its server.
#[derive(Clone, Copy)]
pub(crate) struct KnownRelations<'c> {
    pub(crate) catalog: &'c dyn Catalog,
    pub(crate) server: u32,
}

/// What a name can be that is looked up in schemas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameClass {
    /// A table, a view, a sequence, an index.
    Relation,
    /// A domain, an enumeration, or the rows of a relation.
    Type,
    /// A function or a procedure.
    Routine,
}

impl<'c> KnownRelations<'c> {
    /// Returns whether a schema has something of a name.
    fn has(self, schema: &str, name: &str, named: NameClass) -> bool {
        let has_relation = || self.catalog.relation(schema, name).is_some();
        match named {
            NameClass::Relation => {
                has_relation() || !self.tables_of(&QualifiedName::new(schema, name)).is_empty()
            }
            NameClass::Type => has_relation() || self.catalog.has_type(schema, name) == Some(true),
            NameClass::Routine => !self.catalog.routines(schema, name).is_empty(),
        }
    }

    fn is_builtin(self, name: &str, named: NameClass) -> bool {
        builtin(self.server).is_some_and(|it| match named {
            NameClass::Relation => it.relation("pg_catalog", name).is_some(),
            NameClass::Type => it.type_named("pg_catalog", name).is_some(),
            NameClass::Routine => !it.functions("pg_catalog", name).is_empty(),
        })
    }

    /// Returns a name with its schema; `None` if the catalog does not tell it.
    pub(crate) fn full_name(self, name: &QualifiedName, named: NameClass) -> Option<QualifiedName> {
        if name.schema.is_some() {
            return Some(name.clone());
        }
        let name = name.name.as_str();
        if named != NameClass::Routine && self.has("pg_temp", name, named) {
            return Some(QualifiedName::new("pg_temp", name));
        }
        if self.is_builtin(name, named) {
            return Some(QualifiedName::new("pg_catalog", name));
        }
        // A schema of which not all is known may have it: if it is the only one that can.
        let mut open = None;
        for schema in self.catalog.search_path() {
            let has_it = self.has(schema, name, named);
            if !has_it && self.catalog.is_known(schema) {
                continue;
            }
            match open {
                Some(_) => return None,
                None if has_it => return Some(QualifiedName::new(schema, name)),
                None => open = Some(schema),
            }
        }
        open.map(|schema| QualifiedName::new(schema, name))
    }

    /// Returns whether there certainly is nothing of a name.
    pub(crate) fn is_absent(self, name: &QualifiedName, named: NameClass) -> bool {
        let is_free =
            |schema: &String| self.catalog.is_known(schema) && !self.has(schema, &name.name, named);
        match &name.schema {
            Some(schema) => is_free(schema),
            // Without a path, nobody knows where the name is looked up.
            None => {
                let path = self.catalog.search_path();
                !path.is_empty() && path.iter().all(is_free)
            }
        }
    }

    /// Returns the schema in which an object is created whose name has none.
    pub(crate) fn new_schema(self) -> Option<&'c str> {
        let mut path = self.catalog.search_path().iter();
        path.find(|schema| *schema != "$user").map(String::as_str)
    }

    pub(crate) fn relation(self, name: &QualifiedName) -> Option<&'c Relation> {
        self.catalog.relation(name.schema.as_deref()?, &name.name)
    }

    /// Returns whether the catalog has all that refers to a relation or a type in a way.
    pub(crate) fn is_closed(self, name: &QualifiedName, how: Relationship) -> bool {
        let schema = name.schema.as_deref().unwrap_or_default();
        let is_there = self.has(schema, &name.name, NameClass::Relation)
            || self.catalog.has_type(schema, &name.name) == Some(true);
        is_there && self.catalog.is_known(schema) && self.catalog.related(name, how).is_some()
    }

    pub(crate) fn related(self, name: &QualifiedName, how: Relationship) -> Vec<QualifiedName> {
        self.catalog.related(name, how).unwrap_or_default()
    }

    /// Returns the tables of an index or a sequence.
    pub(crate) fn tables_of(self, name: &QualifiedName) -> Vec<QualifiedName> {
        self.related(name, Relationship::TableOf)
    }

    /// Returns the partitions of a table and the tables that inherit from it, those of them as well.
    pub(crate) fn descendants(self, name: &QualifiedName) -> Vec<QualifiedName> {
        reachable(core::slice::from_ref(name), |of| self.related(of, Relationship::Children))
    }

    /// Returns the partitions of a table, those of them as well.
    pub(crate) fn partitions(self, name: &QualifiedName) -> Vec<QualifiedName> {
        let is_partition = |of: &QualifiedName| self.relation(of).is_some_and(|it| it.is_partition);
        let mut found = self.descendants(name);
        found.retain(is_partition);
        found
    }

    /// Returns the tables of which a table is a partition, or from which it inherits, and theirs.
    pub(crate) fn ancestors(self, name: &QualifiedName) -> Vec<QualifiedName> {
        reachable(core::slice::from_ref(name), |of| self.related(of, Relationship::Parents))
    }

    /// Returns whether a table has partitions.
    pub(crate) fn is_partitioned(self, name: &QualifiedName) -> bool {
        let children = self.related(name, Relationship::Children);
        children.iter().any(|of| self.relation(of).is_some_and(|it| it.is_partition))
    }

    /// Returns the relations of a view's query, those of the views in it as well, each with the view that reads it.
    pub(crate) fn read_by(self, view: &QualifiedName) -> Vec<(QualifiedName, QualifiedName)> {
        let mut seen = HashSet::from([view.clone()]);
        let mut found = Vec::new();
        let mut open = vec![view.clone()];
        while let Some(of) = open.pop() {
            for read in self.related(&of, Relationship::Read) {
                if seen.insert(read.clone()) {
                    found.push((read.clone(), of.clone()));
                    if self.is_view(&read) {
                        open.push(read);
                    }
                }
            }
        }
        found
    }

    pub(crate) fn is_view(self, name: &QualifiedName) -> bool {
        self.relation(name).is_some_and(|it| it.kind == RelationKind::View)
    }

    /// Returns the foreign keys of a table.
    pub(crate) fn keys_of(
        self,
        table: &QualifiedName,
    ) -> impl Iterator<Item = (&'c RelationConstraint, &'c ForeignKey)> {
        let constraints = self.relation(table).map_or(&[][..], |it| &it.constraints[..]);
        constraints.iter().filter_map(|it| match &it.kind {
            ConstraintKind::ForeignKey(key) => Some((it, key)),
            _ => None,
        })
    }

    /// Returns the foreign keys that reference a table, each with its table and its columns.
    pub(crate) fn keys_to(
        self,
        table: &QualifiedName,
    ) -> Vec<(QualifiedName, &'c [String], &'c ForeignKey)> {
        let mut found = Vec::new();
        for referencing in self.related(table, Relationship::Referencing) {
            let keys = self.keys_of(&referencing).filter(|(_, key)| key.table == *table);
            found.extend(keys.map(|(it, key)| (referencing.clone(), &it.columns[..], key)));
        }
        found
    }

    /// Returns whether a foreign key refers to a column of a table.
    pub(crate) fn refers_to(self, key: &ForeignKey, column: &str) -> bool {
        if !key.columns.is_empty() {
            return key.columns.iter().any(|it| it == column);
        }
        let constraints = self.relation(&key.table).map_or(&[][..], |it| &it.constraints[..]);
        let mut primary = constraints.iter().filter(|it| it.kind == ConstraintKind::PrimaryKey);
        primary.next().is_none_or(|it| it.columns.iter().any(|it| it == column))
    }

    /// Returns the functions that a call can mean; `None` if there may be others.
    pub(crate) fn called(
        self,
        name: &QualifiedName,
        arguments: Option<usize>,
    ) -> Option<Vec<&'c Routine>> {
        let one;
        let schemas = match &name.schema {
            Some(schema) => {
                one = [schema.clone()];
                &one[..]
            }
            None => self.catalog.search_path(),
        };
        let mut found = Vec::new();
        for schema in schemas {
            if !self.catalog.is_known(schema) {
                return None;
            }
            let catalog: &'c dyn Catalog = self.catalog;
            let routines = catalog.routines(schema, &name.name).iter();
            found.extend(routines.filter(|it| arguments.is_none_or(|count| it.takes(count))));
        }
        (!found.is_empty()).then_some(found)
    }
}

/// Returns the relations that are reached from some in a number of steps, without those.
pub(crate) fn reachable(
    from: &[QualifiedName],
    next: impl Fn(&QualifiedName) -> Vec<QualifiedName>,
) -> Vec<QualifiedName> {
    let mut seen: HashSet<QualifiedName> = from.iter().cloned().collect();
    let mut found = Vec::new();
    let mut open = from.to_vec();
    while let Some(name) = open.pop() {
        for other in next(&name) {
            if seen.insert(other.clone()) {
                found.push(other.clone());
                open.push(other);
            }
        }
    }
    found
}
