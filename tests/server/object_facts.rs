//! What statements make of types, functions, operators and casts, compared with the server.
//!
//! The definitions of the regression SQL run one after the other, outside of transactions. After each that can change such objects,
//! all of them are compared. `OBJECTS_CORPUS` names a folder with other SQL files. Then each extension that the server has is
//! created, and compared in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pg_ast::view::{self, Node};
use pg_ast_catalog::{CastContext, FunctionKind, ParameterMode, Volatility, extension};
use pg_ast_names::{CatalogType, CatalogTypeKind, ColumnType, DdlCatalog, Routine, define};

use super::connection::{Server, Session};
use crate::common::scripts;
use crate::common::split::split;
use crate::name_scopes::{is_definition, regression};

/// One line for each object that is not PostgreSQL's own.
const FACTS: &str = r#"
WITH type AS NOT MATERIALIZED (
    SELECT t.oid, n.nspname || '.' || coalesce(e.typname || '[]', t.typname) AS name
    FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND e.typarray = t.oid JOIN pg_namespace n ON n.oid = t.typnamespace
), function AS NOT MATERIALIZED (
    SELECT p.*, n.nspname || '.' || p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
), operator AS NOT MATERIALIZED (
    SELECT o.*, n.nspname || '.' || o.oprname AS name FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
)
SELECT concat_ws(' ', 'type', own.name, CASE WHEN NOT t.typisdefined THEN 'shell' ELSE t.typtype::text END,
    CASE t.typtype WHEN 'd' THEN base.name || coalesce(substring(format_type(t.typbasetype, t.typtypmod) FROM '\(.*\)'), '')
            || CASE WHEN t.typnotnull THEN ' not null' ELSE '' END
            || coalesce((SELECT ' ' || string_agg(conname, ',' ORDER BY conname COLLATE "C") FROM pg_constraint
                WHERE contypid = t.oid AND contype = 'c'), '')
        WHEN 'e' THEN (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid)
        WHEN 'r' THEN (SELECT s.name || ' ' || m.name FROM pg_range JOIN type s ON s.oid = rngsubtype
            JOIN type m ON m.oid = rngmultitypid WHERE rngtypid = t.oid)
        WHEN 'm' THEN (SELECT r.name FROM pg_range JOIN type r ON r.oid = rngtypid WHERE rngmultitypid = t.oid)
        WHEN 'b' THEN concat_ws(' ', t.typcategory, CASE WHEN t.typispreferred THEN 'preferred' END, element.name,
            CASE WHEN t.typcollation <> 0 THEN 'collatable' END) END)
FROM pg_type t JOIN type own USING (oid) LEFT JOIN type base ON base.oid = t.typbasetype LEFT JOIN type element ON element.oid = t.typelem
WHERE t.oid >= 16384 AND t.typtype <> 'c' AND own.name NOT LIKE '%[]'
UNION ALL
SELECT concat_ws(' ', 'function', f.name,
    coalesce(a.aggkind::text || CASE WHEN a.aggkind = 'n' THEN '' ELSE a.aggnumdirectargs::text END, f.prokind::text),
    f.provolatile, CASE WHEN f.proisstrict THEN 'strict' END, CASE WHEN f.proretset THEN 'set' END,
    (SELECT '(' || coalesce(string_agg(concat_ws(' ', coalesce(f.proargmodes[p.ord], 'i'), nullif(f.proargnames[p.ord], ''), t.name,
            CASE WHEN pg_get_function_arg_default(f.oid, p.ord::int) IS NOT NULL THEN 'default' END), ', ' ORDER BY p.ord), '') || ')'
        FROM unnest(coalesce(f.proallargtypes, f.proargtypes::oid[])) WITH ORDINALITY p (type, ord) JOIN type t ON t.oid = p.type),
    result.name)
FROM function f JOIN type result ON result.oid = f.prorettype LEFT JOIN pg_aggregate a ON a.aggfnoid = f.oid WHERE f.oid >= 16384
UNION ALL
SELECT concat_ws(' ', 'operator', o.name, coalesce(l.name, '-'), r.name, result.name, f.name, coalesce(c.name, '-'), coalesce(n.name, '-'))
FROM operator o LEFT JOIN type l ON l.oid = o.oprleft JOIN type r ON r.oid = o.oprright JOIN type result ON result.oid = o.oprresult
JOIN function f ON f.oid = o.oprcode LEFT JOIN operator c ON c.oid = o.oprcom LEFT JOIN operator n ON n.oid = o.oprnegate
WHERE o.oid >= 16384
UNION ALL
SELECT concat_ws(' ', 'cast', s.name, t.name, c.castcontext, c.castmethod, f.name)
FROM pg_cast c JOIN type s ON s.oid = c.castsource JOIN type t ON t.oid = c.casttarget LEFT JOIN function f ON f.oid = c.castfunc
WHERE c.oid >= 16384
"#;

/// What the text of statements does not tell, by the beginning of a line.
const REASONS: [(&str, &str); 6] = [
    ("type collate_tests.collate_dep_dom1 ", "DROP COLLATION .. CASCADE takes a domain along"),
    ("type public.deptest_", "DROP OWNED BY"),
    ("function public.deptest_", "DROP OWNED BY"),
    ("cast public.deptest_", "DROP OWNED BY"),
    ("function temp_func_test.functest_is_5 ", "a sequence in a string"),
    ("function temp_func_test.functest_is_6 ", "a sequence in a string"),
];

/// Returns whether a statement can change what is compared.
fn changes_objects(stmt: Node<'_>) -> bool {
    matches!(
        stmt,
        Node::AlterDomainStmt(_)
            | Node::AlterEnumStmt(_)
            | Node::AlterExtensionStmt(_)
            | Node::AlterFunctionStmt(_)
            | Node::AlterObjectSchemaStmt(_)
            | Node::AlterOperatorStmt(_)
            | Node::AlterTypeStmt(_)
            | Node::CreateCastStmt(_)
            | Node::CreateDomainStmt(_)
            | Node::CreateEnumStmt(_)
            | Node::CreateExtensionStmt(_)
            | Node::CreateFunctionStmt(_)
            | Node::CreateRangeStmt(_)
            | Node::CreateSchemaStmt(_)
            | Node::DefineStmt(_)
            | Node::DoStmt(_)
            | Node::DropStmt(_)
            | Node::RenameStmt(_)
    )
}

fn type_text(of: Option<&ColumnType>) -> String {
    let Some(of) = of else { return "¿".to_owned() };
    let schema = of.name.schema.as_deref().unwrap_or("¿");
    format!("{schema}.{}{}", of.name.name, if of.is_array { "[]" } else { "" })
}

/// Returns what a type has between parentheses, as the server prints it.
fn modifiers(of: &ColumnType) -> String {
    match (&*of.name.name, &*of.modifiers) {
        (_, []) => String::new(),
        ("numeric", [only]) => format!("({only},0)"),
        (_, all) => format!("({})", all.join(",")),
    }
}

fn type_line(of: &CatalogType) -> String {
    let rest = match &of.kind {
        CatalogTypeKind::Domain { base, is_not_null, checks } => {
            let mut line = format!("d {}{}", type_text(Some(base)), modifiers(base));
            line += if *is_not_null { " not null" } else { "" };
            let mut checks = checks.clone().unwrap_or_else(|| vec!["¿".to_owned()]);
            checks.sort_unstable();
            if !checks.is_empty() {
                let _ = write!(line, " {}", checks.join(","));
            }
            line
        }
        CatalogTypeKind::Enum { labels: Some(labels) } if labels.is_empty() => "e".to_owned(),
        CatalogTypeKind::Enum { labels: Some(labels) } => format!("e {}", labels.join(",")),
        CatalogTypeKind::Range { subtype, multirange } => {
            format!("r {} {}", type_text(Some(subtype)), multirange.plain())
        }
        CatalogTypeKind::Multirange { range } => format!("m {}", range.plain()),
        CatalogTypeKind::Base { category, is_preferred, element, is_collatable } => {
            let mut line = format!("b {category}");
            line += if *is_preferred { " preferred" } else { "" };
            if element.is_some() {
                let _ = write!(line, " {}", type_text(element.as_ref()));
            }
            line += if *is_collatable { " collatable" } else { "" };
            line
        }
        CatalogTypeKind::Shell => "shell".to_owned(),
        _ => "¿".to_owned(),
    };
    format!("type {} {rest}", of.name.plain())
}

fn routine_line(routine: &Routine) -> String {
    let kind = match routine.kind {
        Some(FunctionKind::Function) => "f".to_owned(),
        Some(FunctionKind::Procedure) => "p".to_owned(),
        Some(FunctionKind::Window) => "w".to_owned(),
        Some(FunctionKind::Aggregate) => "n".to_owned(),
        Some(FunctionKind::OrderedSet(direct)) => format!("o{direct}"),
        Some(FunctionKind::HypotheticalSet(direct)) => format!("h{direct}"),
        None => "¿".to_owned(),
    };
    let volatility = match routine.volatility {
        Some(Volatility::Immutable) => "i",
        Some(Volatility::Stable) => "s",
        Some(Volatility::Volatile) => "v",
        None => "¿",
    };
    let mut line = format!("function {} {kind} {volatility}", routine.name.plain());
    line += if routine.is_strict == Some(true) { " strict" } else { "" };
    line += if routine.returns_set { " set" } else { "" };
    let parameters = routine.parameters.iter().map(|parameter| {
        let mode = match parameter.mode {
            ParameterMode::In => "i",
            ParameterMode::Out => "o",
            ParameterMode::InOut => "b",
            ParameterMode::Variadic => "v",
            ParameterMode::Table => "t",
        };
        let name = parameter.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let default = if parameter.has_default { " default" } else { "" };
        format!("{mode}{name} {}{default}", type_text(parameter.column_type.as_ref()))
    });
    let _ = write!(line, " ({})", parameters.collect::<Vec<_>>().join(", "));
    format!("{line} {}", type_text(routine.result.as_ref()))
}

/// Returns the same lines for a catalog.
fn facts(catalog: &DdlCatalog) -> BTreeSet<String> {
    let types = catalog.types().map(type_line);
    let routines = catalog.all_routines().map(routine_line);
    let operators = catalog.all_operators().map(|it| {
        let name = |of: &Option<pg_ast::QualifiedName>| {
            of.as_ref().map_or_else(|| "-".to_owned(), pg_ast::QualifiedName::plain)
        };
        let left = it.left.as_ref().map_or_else(|| "-".to_owned(), |of| type_text(Some(of)));
        [
            "operator".to_owned(),
            it.name.plain(),
            left,
            type_text(Some(&it.right)),
            type_text(it.result.as_ref()),
            it.function.plain(),
            name(&it.commutator),
            name(&it.negator),
        ]
        .join(" ")
    });
    let casts = catalog.casts().map(|it| {
        let context = match it.context {
            CastContext::Implicit => "i",
            CastContext::Assignment => "a",
            CastContext::Explicit => "e",
        };
        let how = match &it.function {
            Some(function) => format!("f {}", function.plain()),
            None if it.is_binary => "b".to_owned(),
            None => "i".to_owned(),
        };
        let (source, target) = (type_text(Some(&it.source)), type_text(Some(&it.target)));
        format!("cast {source} {target} {context} {how}")
    });
    types.chain(routines).chain(operators).chain(casts).collect()
}

/// Returns the lines of the server.
fn facts_of_server(server: &mut Session) -> BTreeSet<String> {
    let rows = server.query(FACTS).unwrap_or_else(|error| panic!("{}", error.get(b'M')));
    let lines = rows.into_iter().flatten();
    let is_temp = |mut line: String| {
        while let Some(at) = line.find("pg_temp_") {
            let end = line[at..].find('.').map_or(line.len(), |end| at + end);
            line.replace_range(at..end, "pg_temp");
        }
        line
    };
    lines.map(is_temp).collect()
}

/// What has been compared.
#[derive(Default)]
struct Compared {
    states: usize,
    objects: BTreeMap<String, usize>,
    unknown: BTreeMap<String, BTreeSet<String>>,
    reported: BTreeSet<String>,
    reasons: BTreeMap<&'static str, BTreeSet<String>>,
    mistakes: Vec<String>,
}

/// Returns the kind and the name of a line.
fn key(line: &str) -> String {
    line.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

impl Compared {
    /// Compares all objects; what differs is told with the statement after which it does, once.
    fn compare(&mut self, truth: &BTreeSet<String>, own: &BTreeSet<String>, place: &str) {
        self.states += 1;
        for line in truth {
            let kind = line.split(' ').next().unwrap_or_default();
            match self.objects.get_mut(kind) {
                Some(count) => *count += 1,
                None => _ = self.objects.insert(kind.to_owned(), 1),
            }
        }
        // What is not known agrees with anything of its name.
        let is_unknown = |line: &&String| line.contains('¿');
        let unknown: BTreeSet<_> =
            own.difference(truth).filter(is_unknown).map(|line| key(line)).collect();
        for key in &unknown {
            let kind = key.split(' ').next().unwrap_or_default().to_owned();
            self.unknown.entry(kind).or_default().insert(key.clone());
        }
        for line in truth.symmetric_difference(own).filter(|line| !unknown.contains(&key(line))) {
            // Those of extensions that only the server itself calls are not in the catalog.
            let is_internal = line.starts_with("function ") && line.contains("pg_catalog.internal");
            if is_internal && truth.contains(line) {
                continue;
            }
            if let Some((_, reason)) = REASONS.iter().find(|(start, _)| line.starts_with(start)) {
                self.reasons.entry(reason).or_default().insert(line.clone());
                continue;
            }
            let who = if truth.contains(line) { "server" } else { "catalog" };
            let text = format!("only the {who}: {line}");
            if self.reported.insert(text.clone()) {
                self.mistakes.push(format!("{place}: {text}"));
            }
        }
    }
}

/// Compares the objects of all scripts.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut scripts = regression();
    let corpus = std::env::var_os("OBJECTS_CORPUS");
    if let Some(folder) = &corpus {
        scripts = scripts::read_all(scripts::sql_files(folder.as_ref()));
    }
    let mut catalog = DdlCatalog::new();
    let mut compared = Compared::default();
    // The settings of the scripts are those of their session.
    let mut other = server.another();
    server.run(&["SET statement_timeout = '10s'"]);
    for (path, script) in scripts {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
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
            if changes_objects(stmt) {
                let (truth, own) = (facts_of_server(&mut other), facts(&catalog));
                compared.compare(&truth, &own, &format!("{major} {file}: {sql}"));
            }
        }
        server.run(&[
            "RESET SESSION AUTHORIZATION",
            "DISCARD ALL",
            "SET statement_timeout = '10s'",
        ]);
        catalog.set_search_path(["public".to_owned()]);
        catalog.clear_schema("pg_temp");
        let (truth, own) = (facts_of_server(&mut other), facts(&catalog));
        compared.compare(&truth, &own, &format!("{major} {file}: at its end"));
    }
    let (states, objects) = (compared.states, core::mem::take(&mut compared.objects));
    let mistakes = core::mem::take(&mut compared.mistakes);
    let unknown: BTreeMap<_, _> =
        compared.unknown.iter().map(|(kind, names)| (kind, names.len())).collect();
    println!(
        "{major}: {states} states with {objects:?}, names with something unknown: {unknown:?}; {} differ",
        mistakes.len()
    );
    for (reason, lines) in &compared.reasons {
        println!("  {:>5} {reason}", lines.len());
    }
    let mut mistakes = mistakes;
    if states < 1000 && corpus.is_none() {
        mistakes.push(format!("{major}: only {states} states of objects"));
    }
    // What `define` adds of an extension is that of the newest version.
    if major == pg_ast::Version::newest().major() {
        mistakes.extend(extensions(server, major));
    }
    mistakes
}

/// Compares what extensions bring, each in a schema of its own.
fn extensions(server: &mut Server, major: u32) -> Vec<String> {
    let query = "SELECT name, default_version FROM pg_available_extensions WHERE installed_version IS NULL ORDER BY 1";
    let available = server.query(query).unwrap_or_else(|error| panic!("{}", error.get(b'M')));
    let mut compared = Compared::default();
    let mut count = 0;
    for row in available {
        let [name, version] = &*row else { continue };
        let known = extension(name, major).filter(|it| it.version == version);
        let Some(known) = known.filter(|it| it.requires.is_empty()) else { continue };
        let before = facts_of_server(server);
        let sql = match known.schema {
            Some(_) => format!("CREATE EXTENSION \"{name}\""),
            None => format!("CREATE SCHEMA of_ext; CREATE EXTENSION \"{name}\" SCHEMA of_ext"),
        };
        let stmts: Vec<_> = sql.split("; ").collect();
        let is_created = server.run(&stmts).iter().all(Option::is_none);
        if is_created {
            count += 1;
            let mut catalog = DdlCatalog::new();
            define(&pg_ast::parse(&sql).expect("SQL"), &mut catalog);
            let is_callable = |line: &&String| {
                let by_server = [
                    "internal",
                    "index_am_handler",
                    "table_am_handler",
                    "tsm_handler",
                    "fdw_handler",
                    "language_handler",
                    "event_trigger",
                ];
                !line.starts_with("function ")
                    || !by_server.iter().any(|name| line.contains(&format!("pg_catalog.{name}")))
            };
            let truth = facts_of_server(server);
            let truth = truth.difference(&before).filter(is_callable).cloned().collect();
            let own = facts(&catalog).iter().filter(is_callable).cloned().collect();
            compared.compare(&truth, &own, &format!("{major} {name}"));
        }
        let dropped = [
            format!("DROP EXTENSION IF EXISTS \"{name}\" CASCADE"),
            "DROP SCHEMA IF EXISTS of_ext CASCADE".to_owned(),
        ];
        let dropped: Vec<_> = dropped.iter().map(String::as_str).collect();
        server.run(&dropped);
    }
    println!(
        "{major}: {count} extensions with {:?}; {} differ",
        compared.objects,
        compared.mistakes.len()
    );
    compared.mistakes
}
