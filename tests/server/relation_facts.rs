//! What statements make of tables, compared with the server: types of columns, NOT NULL, defaults, constraints, indexes, triggers.
//!
//! The definitions of the regression SQL run one after the other, outside of transactions. After each, the tables that it names are
//! compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pg_ast::view::{self, Node};
use pg_ast_names::{
    Catalog as _, ColumnDefault, ColumnType, ConstraintKind, ConstraintTiming, DdlCatalog,
    ForeignKeyAction, Relation, RelationKind, define,
};

use super::connection::Server;
use super::projects::Project;
use crate::common::split::split;
use crate::name_scopes::{is_definition, regression};

/// One line for each part of a relation.
const FACTS: &str = "
WITH own AS (
    SELECT c.oid, c.relispartition FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = $NAME AND n.nspname = $SCHEMA AND c.relkind IN ('r', 'p', 'f')
), names AS (
    SELECT attrelid, attnum, attname FROM pg_attribute WHERE NOT attisdropped
)
SELECT concat_ws(' ', 'column', a.attname, n.nspname || '.' || coalesce(e.typname, t.typname) || CASE WHEN e.oid IS NULL THEN '' ELSE '[]' END,
    CASE WHEN a.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint v WHERE v.conrelid = a.attrelid AND v.contype = 'n'
        AND v.conkey[1] = a.attnum AND NOT v.convalidated) THEN 'not null' END,
    CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN 'generated' WHEN a.atthasdef THEN 'default' END)
FROM own JOIN pg_attribute a ON a.attrelid = own.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' AND t.typname LIKE '\\_%'
JOIN pg_namespace n ON n.oid = coalesce(e.typnamespace, t.typnamespace)
UNION ALL
SELECT concat_ws(' ', 'constraint', c.conname, c.contype, CASE WHEN c.contype <> 'c' THEN
    (SELECT coalesce(string_agg(attname, ',' ORDER BY k.ord), '') FROM unnest(c.conkey) WITH ORDINALITY k (num, ord)
        LEFT JOIN names ON attrelid = c.conrelid AND attnum = num) END,
    CASE WHEN c.contype = 'f' THEN (SELECT nspname || '.' || relname FROM pg_class JOIN pg_namespace s ON s.oid = relnamespace
        WHERE pg_class.oid = c.confrelid) || ' ' || (SELECT string_agg(attname, ',' ORDER BY k.ord)
        FROM unnest(c.confkey) WITH ORDINALITY k (num, ord) JOIN names ON attrelid = c.confrelid AND attnum = num)
        || ' ' || c.confupdtype::text || c.confdeltype::text || c.confmatchtype::text END,
    CASE WHEN c.condeferred THEN 'deferred' WHEN c.condeferrable THEN 'deferrable' END,
    CASE WHEN NOT c.convalidated THEN 'not valid' END)
FROM own JOIN pg_constraint c ON c.conrelid = own.oid AND c.contype IN ('p', 'u', 'x', 'c', 'f')
    AND NOT EXISTS (SELECT FROM pg_constraint p WHERE p.oid = c.conparentid AND p.conrelid = c.conrelid)
UNION ALL
SELECT concat_ws(' ', 'index', c.relname, m.amname, CASE WHEN i.indisunique THEN 'unique' END, CASE WHEN i.indpred IS NOT NULL THEN 'partial' END,
    (SELECT string_agg(coalesce(attname, '-'), ',' ORDER BY k.ord) FROM unnest(i.indkey) WITH ORDINALITY k (num, ord)
        LEFT JOIN names ON attrelid = i.indrelid AND attnum = num WHERE k.ord <= i.indnkeyatts))
FROM own JOIN pg_index i ON i.indrelid = own.oid JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
UNION ALL
SELECT concat_ws(' ', 'trigger', t.tgname, n.nspname || '.' || p.proname, t.tgtype & 125,
    CASE WHEN t.tgqual IS NOT NULL OR t.tgattr <> '' THEN 'conditional' END, CASE WHEN t.tgenabled = 'D' THEN 'disabled' END)
FROM own JOIN pg_trigger t ON t.tgrelid = own.oid JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.oid = t.tgconstraint AND c.contype <> 't')
";

/// What the text of statements does not tell, by a table and the beginning of its line.
const REASONS: [(&str, &str, &str); 3] = [
    (
        "part_rp",
        "constraint part_rp_a_check",
        "DETACH .. CONCURRENTLY leaves a CHECK of the bounds",
    ),
    ("as_select1", "column relallfrozen", "pg_class of another version has the column"),
    (
        "parted_fk_naming_1",
        "constraint ",
        "the name of a foreign key that ATTACH adds where its name is taken",
    ),
];

fn type_text(of: Option<&ColumnType>) -> String {
    let Some(of) = of else { return "?".to_owned() };
    let schema = of.name.schema.as_deref().unwrap_or("?");
    format!("{schema}.{}{}", of.name.name, if of.is_array { "[]" } else { "" })
}

const fn letter(action: ForeignKeyAction) -> char {
    match action {
        ForeignKeyAction::Restrict => 'r',
        ForeignKeyAction::Cascade => 'c',
        ForeignKeyAction::SetNull => 'n',
        ForeignKeyAction::SetDefault => 'd',
        _ => 'a',
    }
}

/// Returns the same lines for a relation of the catalog.
pub fn facts(relation: &Relation) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for column in &relation.columns {
        let mut line = format!("column {} {}", column.name, type_text(column.column_type.as_ref()));
        line += if column.is_not_null { " not null" } else { "" };
        line += match column.default {
            ColumnDefault::Identity => " identity",
            ColumnDefault::Generated => " generated",
            ColumnDefault::Expr => " default",
            _ => "",
        };
        lines.insert(line);
    }
    // One that has no name in the text is a property of the column alone.
    let others = relation.constraints.iter().filter(|it| it.kind != ConstraintKind::NotNull);
    for constraint in others {
        let kind = match &constraint.kind {
            ConstraintKind::PrimaryKey => 'p',
            ConstraintKind::Unique => 'u',
            ConstraintKind::Exclusion => 'x',
            ConstraintKind::ForeignKey(_) => 'f',
            _ => 'c',
        };
        let mut line = format!("constraint {} {kind}", constraint.name);
        if kind != 'c' {
            let _ = write!(line, " {}", constraint.columns.join(","));
        }
        if let ConstraintKind::ForeignKey(key) = &constraint.kind {
            let table = key.table.plain();
            let match_type = if key.is_match_full { 'f' } else { 's' };
            let actions = [letter(key.on_update), letter(key.on_delete), match_type];
            let actions: String = actions.into_iter().collect();
            let _ = write!(line, " {table} {} {actions}", key.columns.join(","));
        }
        line += match constraint.timing {
            ConstraintTiming::Deferred => " deferred",
            ConstraintTiming::Deferrable => " deferrable",
            _ => "",
        };
        line += if constraint.is_validated { "" } else { " not valid" };
        lines.insert(line);
    }
    for index in &relation.indexes {
        let mut line = format!("index {} {}", index.name, index.method);
        line += if index.is_unique { " unique" } else { "" };
        line += if index.is_partial { " partial" } else { "" };
        let columns: Vec<_> = index.columns.iter().map(|it| it.as_deref().unwrap_or("-")).collect();
        let _ = write!(line, " {}", columns.join(","));
        lines.insert(line);
    }
    for trigger in &relation.triggers {
        let events = trigger.events;
        let bits = [
            (trigger.for_each_row, 0),
            (events.insert, 2),
            (events.delete, 3),
            (events.update, 4),
            (events.truncate, 5),
            (trigger.is_instead, 6),
        ];
        let bits: u32 = bits.iter().map(|(is, bit)| u32::from(*is) << bit).sum();
        let mut line = format!("trigger {} {} {bits}", trigger.name, trigger.function.plain());
        line += if trigger.is_conditional { " conditional" } else { "" };
        line += if trigger.is_enabled { "" } else { " disabled" };
        lines.insert(line);
    }
    lines
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns the lines of the server; `None` if it has no such table.
pub fn facts_of_server(server: &mut Server, relation: &Relation) -> Option<BTreeSet<String>> {
    let schema = relation.name.schema.as_deref().unwrap_or_default();
    let schema = match schema {
        "pg_temp" => {
            "(SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema())".to_owned()
        }
        schema => quoted(schema),
    };
    let sql = FACTS.replace("$NAME", &quoted(&relation.name.name)).replace("$SCHEMA", &schema);
    let rows = server.query(&sql).unwrap_or_else(|error| panic!("{}", error.get(b'M')));
    let lines: BTreeSet<_> = rows.into_iter().flatten().collect();
    let is_temp = |line: String| match line.find("pg_temp_") {
        Some(at) => {
            let behind = line[at..].find('.').map_or(line.len(), |end| at + end);
            format!("{}pg_temp{}", &line[..at], &line[behind..])
        }
        None => line,
    };
    (!lines.is_empty()).then(|| lines.into_iter().map(is_temp).collect())
}

/// Compares the tables of all scripts.
pub fn compare(server: &mut Server, major: u32, project: Option<&Project>) -> Vec<String> {
    let scripts = project.map_or_else(regression, |project| project.scripts.clone());
    let mut catalog = DdlCatalog::new();
    let (mut tables, mut unknown_types, mut parts) = (0, 0, BTreeMap::<String, usize>::new());
    let (mut mistakes, mut reasons) = (Vec::new(), BTreeMap::<&str, usize>::new());
    server.run(&["SET statement_timeout = '10s'"]);
    for (path, script) in scripts {
        let mut reported = BTreeSet::new();
        for sql in split(&script).into_iter().filter(|sql| !sql.contains('\0')) {
            let Ok(tree) = view::parse(&sql) else { continue };
            let stmts: Vec<_> = tree.stmts().filter_map(view::RawStmt::stmt).collect();
            let [stmt] = stmts[..] else { continue };
            if matches!(stmt, Node::TransactionStmt(_)) || !is_definition(stmt) {
                continue;
            }
            if server.run(&[&sql]).pop().flatten().is_some() {
                continue;
            }
            define(&tree, &mut catalog);
            let mut names = BTreeSet::new();
            stmt.walk_tables(|table, _| {
                names.insert(table.qualified_name());
            });
            for name in names {
                let searched = catalog.search_path().iter().map(String::as_str);
                let mut schemas: Vec<_> = core::iter::once("pg_temp").chain(searched).collect();
                if let Some(schema) = name.schema.as_deref() {
                    schemas = vec![schema];
                }
                let found = schemas.into_iter().find_map(|it| catalog.relation(it, &name.name));
                let Some(relation) = found.filter(|it| it.kind == RelationKind::Table) else {
                    continue;
                };
                let Some(truth) = facts_of_server(server, relation) else { continue };
                let own = facts(relation);
                tables += 1;
                for line in &truth {
                    let kind = line.split(' ').next().unwrap_or_default().to_owned();
                    *parts.entry(kind).or_default() += 1;
                }
                let unknown = relation.columns.iter().filter(|it| it.column_type.is_none());
                let unknown: Vec<_> = unknown.map(|it| format!("column {} ", it.name)).collect();
                unknown_types += unknown.len();
                let is_known = |line: &&String| {
                    relation.is_complete && !unknown.iter().any(|it| line.starts_with(it))
                };
                for line in truth.symmetric_difference(&own).filter(is_known) {
                    let is_it = |(table, start, _): &&(&str, &str, &str)| {
                        *table == relation.name.name && line.starts_with(start)
                    };
                    if let Some((_, _, reason)) = REASONS.iter().find(is_it) {
                        *reasons.entry(*reason).or_default() += 1;
                        continue;
                    }
                    let who = if truth.contains(line) { "server" } else { "catalog" };
                    let text = format!("{}: only the {who}: {line}", relation.name);
                    if reported.insert(text.clone()) {
                        let file = path.file_name().unwrap_or_default().to_string_lossy();
                        mistakes.push(format!("{major} {file}: {text}: {sql}"));
                    }
                }
            }
        }
        server.run(&[
            "RESET SESSION AUTHORIZATION",
            "DISCARD ALL",
            "SET statement_timeout = '10s'",
        ]);
        catalog.set_search_path(["public".to_owned()]);
        catalog.clear_schema("pg_temp");
    }
    println!(
        "{major}: {tables} states of tables with {parts:?}, {unknown_types} types unknown; {} differ",
        mistakes.len()
    );
    for (reason, count) in reasons {
        println!("  {count:>5} {reason}");
    }
    if tables < 1000 && project.is_none() {
        mistakes.push(format!("{major}: only {tables} states of tables"));
    }
    mistakes
}
