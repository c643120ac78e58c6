//! The names of the relations that go or change with something by `CASCADE`.

use pg_ast::QualifiedName;
use pg_ast_names::{RelationKind, Relationship};

use super::expanded_tables::ExpandedTables;
use super::pg::protobuf::ObjectType;
use super::pg::view::Node;
use crate::known_relations::reachable;
use crate::{Answer, TableEffect, Which};

impl ExpandedTables<'_> {
    /// Adds what goes or changes with something by `CASCADE`.
    pub(super) fn dependents(&mut self, base: TableEffect) {
        let known = self.known;
        let dropped = match self.stmt {
            Node::DropStmt(drop) => drop.remove_type(),
            _ => ObjectType::ObjectColumn,
        };
        match dropped {
            ObjectType::ObjectType | ObjectType::ObjectDomain => {
                self.users_of(&base, &base.name.clone());
                // Tables of a composite type.
                for table in known.descendants(&base.name) {
                    self.dependents_of(&base, &table, Answer::Maybe);
                    self.push(&base, table, Answer::Yes);
                }
                // Other types may be made of it.
                self.found.push(base);
            }
            ObjectType::ObjectTable
            | ObjectType::ObjectForeignTable
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview => {
                let mut tables = vec![base.name.clone()];
                tables.extend(known.descendants(&base.name));
                for table in &tables {
                    self.dependents_of(&base, table, Answer::Yes);
                }
                // A foreign key to a partitioned table is one to all of its partitions.
                if known.relation(&base.name).is_some_and(|it| it.is_partition) {
                    for above in known.ancestors(&base.name) {
                        self.key_to_partitions(&base, &above);
                    }
                }
                self.unless_closed(base, Relationship::Views);
            }
            // Views may use other columns.
            ObjectType::ObjectColumn => {
                self.dependents_of(&base, &base.name.clone(), Answer::Maybe);
                self.unless_closed(base, Relationship::Views);
            }
            _ => {
                // A default of it may be of this sequence.
                for table in known.tables_of(&base.name) {
                    self.push(&base, table, Answer::Maybe);
                }
                self.found.push(base);
            }
        }
    }

    /// Adds both sides of the foreign keys that reference a table which has partitions, one of which is dropped.
    fn key_to_partitions(&mut self, base: &TableEffect, above: &QualifiedName) {
        let referencing = self.known.related(above, Relationship::Referencing);
        if referencing.is_empty() {
            return;
        }
        for table in referencing {
            for partition in self.known.partitions(&table) {
                self.push(base, partition, Answer::Maybe);
            }
            self.push(base, table, Answer::Maybe);
        }
        for partition in self.known.partitions(above) {
            self.push(base, partition, Answer::Maybe);
        }
        self.push(base, above.clone(), Answer::Maybe);
    }

    /// Adds the tables with columns of a type that is dropped.
    fn users_of(&mut self, base: &TableEffect, of: &QualifiedName) {
        let known = self.known;
        let mut types =
            reachable(core::slice::from_ref(of), |of| known.related(of, Relationship::Domains));
        types.push(of.clone());
        for user in types.iter().flat_map(|of| known.related(of, Relationship::Users)) {
            self.dependents_of(base, &user, Answer::Maybe);
            let kind = self.known.relation(&user).map(|it| it.kind);
            let is_table = kind == Some(RelationKind::Table);
            self.push(base, user, if is_table { Answer::Yes } else { Answer::Maybe });
        }
    }

    /// Adds what depends on a relation.
    fn dependents_of(&mut self, base: &TableEffect, relation: &QualifiedName, locked: Answer) {
        let known = self.known;
        let views =
            reachable(core::slice::from_ref(relation), |of| known.related(of, Relationship::Views));
        for view in views {
            self.push(base, view, locked);
        }
        for how in [Relationship::Referencing, Relationship::Users] {
            for table in known.related(relation, how) {
                for name in known.descendants(&table) {
                    self.push(base, name, Answer::Maybe);
                }
                self.push(base, table, locked);
            }
        }
    }

    /// Adds what is in a schema: all that depends on it goes with it.
    pub(super) fn of_schema(&mut self, base: TableEffect) {
        let known = self.known;
        let schema = base.name.name.clone();
        let names: Vec<_> = known.catalog.relation_names(&schema).map(str::to_owned).collect();
        let is_drop = matches!(self.stmt, Node::DropStmt(_));
        for name in &names {
            let name = QualifiedName::new(&schema, name);
            let Some(relation) = known.relation(&name) else { continue };
            let is_table =
                matches!(relation.kind, RelationKind::Table | RelationKind::MaterializedView);
            if base.which == Which::Indexes {
                for index in &relation.indexes {
                    self.push(&base, QualifiedName::new(&schema, &index.name), Answer::Yes);
                }
                continue;
            }
            if !is_drop {
                if is_table {
                    self.push(&base, name, Answer::Yes);
                }
                continue;
            }
            self.dependents_of(&base, &name, Answer::Yes);
            for (_, key) in known.keys_of(&name) {
                self.push(&base, key.table.clone(), Answer::Yes);
            }
            for other in known.descendants(&name) {
                self.push(&base, other, Answer::Yes);
            }
            if relation.is_partition {
                for parent in known.related(&name, Relationship::Parents) {
                    self.push(&base, parent, Answer::Yes);
                }
            }
            for table in known.tables_of(&name) {
                self.push(&base, table, Answer::Maybe);
            }
            for sequence in known.related(&name, Relationship::OwnedSequences) {
                self.push(&base, sequence, Answer::Yes);
            }
            let is_type = relation.kind == RelationKind::CompositeType;
            self.push(&base, name, if is_type { Answer::Maybe } else { Answer::Yes });
        }
        if is_drop {
            for name in known.catalog.type_names(&schema) {
                self.users_of(&base, &QualifiedName::new(&schema, name));
            }
        }
        if names.is_empty() || !known.catalog.is_known(&schema) || is_drop {
            // Its types and functions may be used elsewhere.
            self.found.push(base);
        }
    }
}
