//! Holds what is told with the catalogs of projects to a server: statements about each relation and type in them.

use pg_ast::{QualifiedName, view};
use pg_ast_effects::FindEffects as _;
use pg_ast_names::{Catalog as _, DdlCatalog, Relation, RelationKind, define};

use super::common::split;
use super::connection::Server;
use super::effects_in::{Tally, compared, locks};
use super::projects::Project;

/// The statements of one project.
const MOST: usize = 1_500;

pub fn compare(server: &mut Server, _: u32, project: Option<&Project>) -> Vec<String> {
    let project = project.expect("a project");
    let name = &project.name;
    let mut catalog = DdlCatalog::new();
    let _ = server.query("SET check_function_bodies = off; SET client_min_messages = error");
    for sql in project.scripts.iter().flat_map(|(_, script)| split::split(script)) {
        let Ok(tree) = view::parse(&sql) else { continue };
        // What fails in a transaction would take the rest with it.
        let is_transaction = tree.nodes().any(|node| node.as_transaction_stmt().is_some());
        if !is_transaction && server.query(&sql).is_ok() {
            define(&tree, &mut catalog);
        }
    }
    let path = catalog.search_path().iter().map(|it| QualifiedName::unqualified(it).to_string());
    let path = path.collect::<Vec<_>>().join(", ");
    let path = if path.is_empty() { "''".to_owned() } else { path };
    let all = statements(&catalog);
    // Of many, some of each kind.
    let step = all.len().div_ceil(MOST).max(1);
    let (mut mistakes, mut tally, mut failed) = (Vec::new(), Tally::default(), 0);
    for sql in all.iter().step_by(step) {
        let Ok(tree) = view::parse(sql) else { continue };
        let Ok(locks) = locks(server, &path, sql) else {
            failed += 1;
            continue;
        };
        let effects = tree.effects_in_on(&catalog, server.major()).expect("a version");
        let found = compared(&effects[0], &locks, false, &mut tally);
        for mistake in found {
            println!("{name}: {sql}: {mistake}");
            mistakes.push(format!("{sql}: {mistake}"));
        }
    }
    println!(
        "{name}: {} statements, {failed} failed; {} locks, {} told by no name; {} certain entries, {} that may be locked and \
         were, {} that were not; {} mistakes",
        tally.statements,
        tally.locks,
        tally.general,
        tally.certain,
        tally.taken,
        tally.not_taken,
        mistakes.len()
    );
    mistakes
}

fn statements(catalog: &DdlCatalog) -> Vec<String> {
    let mut all = Vec::new();
    let mut relations: Vec<_> = catalog.relations().collect();
    relations.sort_by_key(|relation| relation.name.to_string());
    for relation in &relations {
        let name = &relation.name;
        match relation.kind {
            RelationKind::Table => of_table(relation, &mut all),
            RelationKind::View => {
                for sql in [
                    format!("SELECT * FROM {name}"),
                    format!("SELECT * FROM {name} FOR SHARE"),
                    format!("EXPLAIN SELECT * FROM {name}"),
                    format!("DELETE FROM {name}"),
                    format!("LOCK TABLE {name}"),
                    format!("DROP VIEW {name}"),
                    format!("DROP VIEW {name} CASCADE"),
                ] {
                    all.push(sql);
                }
            }
            RelationKind::MaterializedView => {
                all.push(format!("REFRESH MATERIALIZED VIEW {name}"));
                all.push(format!("DROP MATERIALIZED VIEW {name} CASCADE"));
            }
            RelationKind::Sequence => {
                all.push(format!("SELECT nextval({})", quoted(&name.to_string())));
                all.push(format!("DROP SEQUENCE {name} CASCADE"));
            }
            RelationKind::CompositeType => all.push(format!("DROP TYPE {name} CASCADE")),
            _ => {}
        }
    }
    let mut schemas: Vec<_> = relations.iter().filter_map(|it| it.name.schema.clone()).collect();
    schemas.sort();
    schemas.dedup();
    for schema in &schemas {
        all.push(format!("DROP SCHEMA {} CASCADE", QualifiedName::unqualified(schema)));
        for name in catalog.type_names(schema) {
            let name = QualifiedName::new(schema, name);
            all.push(format!("DROP TYPE {name} CASCADE"));
            all.push(format!("ALTER DOMAIN {name} ADD CHECK (value IS NULL OR value IS NOT NULL)"));
        }
    }
    all
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn of_table(table: &Relation, all: &mut Vec<String>) {
    let name = &table.name;
    for sql in [
        format!("SELECT * FROM {name}"),
        format!("SELECT * FROM {name} FOR UPDATE"),
        format!("INSERT INTO {name} DEFAULT VALUES"),
        format!("INSERT INTO {name} SELECT * FROM {name} WHERE false"),
        format!("DELETE FROM {name}"),
        format!("EXPLAIN DELETE FROM {name}"),
        format!("TRUNCATE {name}"),
        format!("TRUNCATE {name} CASCADE"),
        format!("TRUNCATE {name} RESTART IDENTITY CASCADE"),
        format!("LOCK TABLE {name}"),
        format!("DROP TABLE {name}"),
        format!("DROP TABLE {name} CASCADE"),
        format!("ALTER TABLE {name} ADD COLUMN zz int"),
        format!("ALTER TABLE {name} RENAME TO zz"),
        format!("ALTER TABLE {name} SET SCHEMA information_schema"),
        format!("ALTER TABLE {name} DISABLE TRIGGER USER"),
        format!("REINDEX TABLE {name}"),
    ] {
        all.push(sql);
    }
    for column in &table.columns {
        let column = QualifiedName::unqualified(&column.name);
        all.push(format!("UPDATE {name} SET {column} = {column}"));
        all.push(format!("ALTER TABLE {name} DROP COLUMN {column} CASCADE"));
        all.push(format!("ALTER TABLE {name} ALTER COLUMN {column} TYPE text"));
        all.push(format!("ALTER TABLE {name} ALTER COLUMN {column} SET NOT NULL"));
        all.push(format!("CREATE INDEX ON {name} ({column})"));
    }
    for constraint in &table.constraints {
        let constraint = QualifiedName::unqualified(&constraint.name);
        all.push(format!("ALTER TABLE {name} DROP CONSTRAINT {constraint} CASCADE"));
    }
    for index in &table.indexes {
        let index = QualifiedName { schema: name.schema.clone(), name: index.name.clone() };
        all.push(format!("DROP INDEX {index}"));
    }
    for trigger in &table.triggers {
        all.push(format!("DROP TRIGGER {} ON {name}", QualifiedName::unqualified(&trigger.name)));
    }
}
