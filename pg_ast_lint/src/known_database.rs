//! What a database has, as far as statements tell.

use pg_ast::QualifiedName;
use pg_ast::protobuf::AlterTableType;
use pg_ast::view::{self, AlterTableCmd, AlterTableStmt, Node, RangeVar};
use pg_ast_names::{
    Catalog as _, DdlCatalog, Relation, RelationConstraint, RelationKind, Relationship, define,
};

use crate::stmt::{Key, key_of};
use crate::stmt_facts::Fact;

/// What there is before a script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Database {
    /// The statements that define it.
    sql: String,
    pub(crate) catalog: DdlCatalog,
}

impl PartialEq for Database {
    fn eq(&self, other: &Self) -> bool {
        self.sql == other.sql
    }
}

impl Eq for Database {}

impl Database {
    /// Returns what a script defines. Wrong statements are left out.
    pub(crate) fn of_script(sql: &str) -> Self {
        let mut database = Self { sql: sql.to_owned(), catalog: DdlCatalog::new() };
        for stmt in pg_ast::parse_script(sql) {
            if let Ok(tree) = view::parse(&sql[stmt.range]) {
                follow(&mut database.catalog, &tree);
            }
        }
        database.catalog.end_script();
        database
    }

    /// Returns whether it says what a statement of the script might say.
    pub(crate) fn has(&self, fact: &Fact) -> bool {
        let related = |key, how| self.related(key, how).into_iter();
        let related_parts = |key| related(key, Relationship::Children);
        match fact {
            // An index has parts as well, which are no relations.
            Fact::Partitioned(table) => {
                related_parts(table).any(|part| part.is_none_or(|part| part.is_partition))
            }
            Fact::HasDefaultPartition(table) => {
                related_parts(table).any(|part| part.is_some_and(|part| part.is_default_partition))
            }
            Fact::Related(table) => [Relationship::Children, Relationship::Parents]
                .into_iter()
                .any(|how| related(table, how).next().is_some()),
            _ => false,
        }
    }

    /// Returns the relations that are related to one in a way; `None` for those that are indexes.
    fn related(&self, (schema, name): &Key, how: Relationship) -> Vec<Option<&Relation>> {
        let path = self.catalog.search_path().iter().map(String::as_str);
        let schemas: Vec<_> = match &**schema {
            "" => path.chain(["public"]).collect(),
            schema => vec![schema],
        };
        let names = schemas.into_iter().map(|schema| QualifiedName::new(schema, name));
        let found = names.filter_map(|name| self.catalog.related(&name, how)).flatten();
        let relation = |it: QualifiedName| self.catalog.relation(it.schema.as_deref()?, &it.name);
        found.map(relation).collect()
    }
}

/// Adds what statements define. A table that they change, and that nobody has created, gets an entry: it has columns and constraints
/// that are not known.
pub(crate) fn follow(catalog: &mut DdlCatalog, tree: &view::Tree) {
    for stmt in tree.stmts().filter_map(view::RawStmt::stmt) {
        if let Node::AlterTableStmt(alter) = stmt
            && let Some(table) = alter.relation()
            && relation(catalog, table).is_none()
        {
            let schema = match table.schemaname() {
                "" => catalog.search_path().first().map_or("public", String::as_str),
                schema => schema,
            };
            let mut unknown = Relation::new(schema, table.relname(), RelationKind::Table, []);
            unknown.is_complete = false;
            catalog.add_relation(unknown);
        }
    }
    define(tree, catalog);
}

/// Returns the relation that a name means.
pub(crate) fn relation<'c>(catalog: &'c DdlCatalog, table: RangeVar<'_>) -> Option<&'c Relation> {
    let QualifiedName { schema, name } = table.qualified_name();
    if let Some(schema) = schema {
        return catalog.relation(&schema, &name);
    }
    let path = catalog.search_path().iter().map(String::as_str);
    core::iter::once("pg_temp").chain(path).find_map(|schema| catalog.relation(schema, &name))
}

/// Returns the constraint of a table.
pub(crate) fn constraint<'c>(
    catalog: &'c DdlCatalog,
    table: RangeVar<'_>,
    name: &str,
) -> Option<&'c RelationConstraint> {
    relation(catalog, table)?.constraints.iter().find(|it| it.name == name)
}

/// Returns the table of a statement if it validates a constraint that is not known.
pub(crate) fn unknown_validated(catalog: &DdlCatalog, alter: AlterTableStmt<'_>) -> Option<Key> {
    let table = alter.relation()?;
    let is_unknown = |cmd: AlterTableCmd<'_>| {
        cmd.subtype() == AlterTableType::AtValidateConstraint
            && constraint(catalog, table, cmd.name()).is_none()
    };
    let mut cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
    cmds.any(is_unknown).then(|| key_of(table))
}
