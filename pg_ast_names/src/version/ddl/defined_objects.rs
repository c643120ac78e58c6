//! What statements define and need.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pg_ast::{Literal, QualifiedName};

use super::any_tree::AnyTree;
use super::apply_ddl::apply;
use super::apply_objects::find;
use super::apply_transactions::apply_next;
use super::named_objects::{is_global, mentions};
use super::object_lookup::AllStmts;
use super::pg::seam::number_field;
use super::pg::view::{CreateFunctionStmt, Node, RawStmt, parse};
use super::resolver::NameResolver;
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::Catalog;
use crate::resolution::{ColumnMeaning, FunctionMeaning, Resolution, TableMeaning};
use crate::stmt_dependencies::{Dependencies, Object, StmtDependencies};

/// A statement, with the settings that apply to it.
#[derive(Clone)]
pub(crate) struct StmtRead<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) path: Rc<[String]>,
    /// Whether the server reads the bodies of functions when it creates them.
    checks_bodies: bool,
}

/// Collects what statements need.
pub(crate) struct Needs<'d> {
    found: &'d mut [StmtDependencies],
}

impl Needs<'_> {
    /// Adds an object; as a hint, if the statement can do without it.
    pub(crate) fn add(&mut self, stmt: usize, object: Object, is_needed: bool) {
        let of = &mut self.found[stmt];
        let list = if is_needed && !of.is_optional { &mut of.needs } else { &mut of.hints };
        list.push(object);
    }
}

/// Leaves each object once, and of what a statement needs what it does not itself define or drop.
fn tidy(of: &mut StmtDependencies) {
    let mut seen = HashSet::new();
    of.defines.retain(|object| seen.insert(object.clone()));
    let mut own = if of.replaces { HashSet::new() } else { seen };
    own.retain(|object| !object.is_name_only());
    if of.drops {
        own.extend(of.ends.iter().cloned());
    }
    of.needs.retain(|object| own.insert(object.clone()));
    of.hints.retain(|object| own.insert(object.clone()));
}

/// Returns the statements with the settings of their place, and the schemas in which one of them looks names up.
fn with_settings<'a>(
    stmts: &[RawStmt<'a>],
    catalog: &dyn Catalog,
) -> (Vec<Option<StmtRead<'a>>>, Vec<String>) {
    let mut settings = DdlCatalog::new();
    if !catalog.search_path().is_empty() {
        settings.set_search_path(catalog.search_path().iter().cloned());
    }
    let mut path: Rc<[String]> = settings.search_path.as_slice().into();
    let (mut all, mut in_all) = (Vec::new(), HashSet::new());
    let mut checks_bodies = true;
    let stmts = stmts.iter().map(|stmt| {
        let node = stmt.stmt()?;
        let is_setting = match node {
            Node::VariableSetStmt(set) if set.name() == "check_function_bodies" => {
                let value = set.args().first().and_then(Node::literal);
                let off = ["off", "false", "no", "0"];
                checks_bodies =
                    !matches!(value, Some(Literal::String(text)) if off.contains(&text));
                true
            }
            Node::VariableSetStmt(_) | Node::TransactionStmt(_) | Node::DiscardStmt(_) => true,
            Node::SelectStmt(select) => {
                select.from_clause().is_empty() && select.into_clause().is_none()
            }
            _ => false,
        };
        if is_setting {
            apply_next(&mut settings, node);
            if *settings.search_path != *path {
                path = settings.search_path.as_slice().into();
            }
        } else {
            let new = path.iter().filter(|schema| in_all.insert((*schema).clone()));
            all.extend(new.cloned());
        }
        Some(StmtRead { node, path: path.clone(), checks_bodies })
    });
    let stmts = stmts.collect();
    (stmts, all)
}

/// Returns what statements define and need.
fn of_stmts(stmts: &[RawStmt<'_>], catalog: &dyn Catalog) -> Dependencies {
    let (read, path) = with_settings(stmts, catalog);
    let mut all = AllStmts {
        catalog,
        own: DdlCatalog::new(),
        defined: HashSet::new(),
        functions: HashMap::new(),
        primary_keys: HashMap::new(),
        tables_of_indexes: HashMap::new(),
    };
    let mut found = Dependencies { stmts: vec![StmtDependencies::default(); stmts.len()] };
    let each = || read.iter().enumerate().filter_map(|(at, stmt)| Some((at, stmt.as_ref()?)));
    for (index, stmt) in each() {
        let of = &mut found.stmts[index];
        of.is_optional = number_field(stmt.node, "missing_ok") == Some(1);
        all.add_created(stmt, of);
    }
    // Names are looked up wherever one of the statements does.
    all.own.set_search_path(path.iter().cloned());
    all.add_renamed(&read, false, &mut found.stmts);
    for (index, stmt) in each() {
        all.add_parts(stmt.node, &mut found.stmts[index]);
    }
    for of in &found.stmts {
        all.defined.extend(of.defines.iter().cloned());
    }
    // Of what is in tables, the names are known only now.
    all.add_renamed(&read, true, &mut found.stmts);
    for (index, stmt) in each() {
        all.add_attached_index(stmt.node, &mut found.stmts[index]);
    }
    let mut needs = Needs { found: &mut found.stmts };
    for (index, stmt) in each() {
        all.add_mentions(index, stmt.node, true, &mut needs);
    }
    found.stmts.iter_mut().for_each(tidy);
    // In this order each finds the tables that it changes; columns are not known before.
    for index in found.order().stmts {
        let Some(stmt) = &read[index] else { continue };
        all.own.set_search_path(stmt.path.iter().cloned());
        all.add_columns(stmt.node, &mut found.stmts[index]);
        all.apply(stmt.node);
    }
    all.own.set_search_path(path);

    for of in &mut found.stmts {
        all.add_triggers_above(of);
    }
    let mut needs = Needs { found: &mut found.stmts };
    let names = NameResolver::new(&all).lenient().stmts(stmts);
    all.add_names(&names, None, true, &mut needs);
    all.add_primary_keys(stmts, &names, None, &mut needs);
    for (index, stmt) in each() {
        let Node::CreateFunctionStmt(create) = stmt.node else { continue };
        #[cfg(feature = "plpgsql")]
        for name in super::body_types::types_in_body(create) {
            if let Some(object) = all.type_or_relation(&name) {
                needs.add(index, object, stmt.checks_bodies);
            }
        }
        if let Some(Ok(body)) = sql_body(create).map(parse) {
            let stmts: Vec<_> = body.stmts().collect();
            // What the server does not read at once, a use of the function does.
            for node in stmts.iter().filter_map(|stmt| stmt.stmt()) {
                all.add_mentions(index, node, stmt.checks_bodies, &mut needs);
            }
            let names = NameResolver::new(&all).lenient().stmts(&stmts);
            all.add_names(&names, Some(index), stmt.checks_bodies, &mut needs);
            all.add_primary_keys(&stmts, &names, Some((index, stmt.checks_bodies)), &mut needs);
        }
    }
    found.stmts.iter_mut().for_each(tidy);
    found
}

/// Returns the text of a function in SQL.
fn sql_body(create: CreateFunctionStmt<'_>) -> Option<&str> {
    Node::CreateFunctionStmt(create).routine_body().filter(|it| it.language == Some("sql"))?.source
}

/// The kinds of objects that an extension can have, without a statement that creates them.
fn may_be_of_extension(kind: &str) -> bool {
    let has_kind = ["TABLE", "TYPE", "FUNCTION", "OPERATOR", "LANGUAGE", "FDW"].contains(&kind);
    has_kind || !is_global(kind)
}

/// All extensions, or the objects of one that is not known.
pub(crate) fn any_extension() -> Object {
    Object::Other { kind: "EXTENSION", name: Vec::new(), arguments: Vec::new() }
}

impl AllStmts<'_> {
    /// Adds the objects that a statement names.
    fn add_mentions(&self, index: usize, stmt: Node<'_>, is_needed: bool, needs: &mut Needs<'_>) {
        if let Node::CreateSchemaStmt(create) = stmt {
            if let Some(role) = create.authrole().filter(|role| !role.rolename().is_empty()) {
                let name = vec![role.rolename().to_owned()];
                let role = Object::Other { kind: "ROLE", name, arguments: Vec::new() };
                needs.add(index, role, is_needed);
            }
            for element in create.schema_elts() {
                if !matches!(element, Node::CreateSchemaStmt(_)) {
                    self.add_mentions(index, element, is_needed, needs);
                }
            }
            return;
        }
        mentions(stmt, |mention| {
            let schema = mention.name.schema.as_deref();
            if matches!(schema, Some("pg_catalog" | "information_schema")) {
                return;
            }
            if let Some(schema) = schema.filter(|_| !is_global(mention.kind)) {
                let schema = Object::Schema(schema.to_owned());
                if self.defined.contains(&schema) {
                    needs.add(index, schema, is_needed);
                }
            }
            if mention.is_new {
                return;
            }
            match self.object(&mention) {
                // Which of several it calls, the types of arguments tell, as far as they are known.
                Some(Object::Function(name))
                    if self.functions.get(&name).is_some_and(|count| *count > 1)
                        && matches!(mention.node, Node::FuncCall(_)) => {}
                Some(object) => {
                    if mention.kind == "LANGUAGE" && !self.defined.contains(&object) {
                        needs.add(index, any_extension(), false);
                    }
                    // Without a schema, it can be one of PostgreSQL's own.
                    let may_be_own = mention.kind == "OPERATOR"
                        && mention.name.schema.is_none()
                        && !matches!(mention.node, Node::ObjectWithArgs(_) | Node::DefElem(_));
                    needs.add(index, object, is_needed && !may_be_own);
                }
                None if may_be_of_extension(mention.kind) => {
                    needs.add(index, any_extension(), false);
                }
                None => {}
            }
        });
        for node in stmt.nodes() {
            // Its method may need an operator class that is not named.
            if matches!(node, Node::IndexStmt(_) | Node::Constraint(_)) {
                needs.add(index, any_extension(), false);
            }
            if let Some(object) = self.object_in_string(node) {
                needs.add(index, object, is_needed);
            }
        }
    }

    /// Adds what names mean to the objects that their statements need, or to those of one statement.
    fn add_names(
        &self,
        names: &Resolution,
        stmt: Option<usize>,
        is_needed: bool,
        needs: &mut Needs<'_>,
    ) {
        for table in &names.tables {
            if let TableMeaning::Relation(name) = &table.meaning {
                needs.add(stmt.unwrap_or(table.stmt), Object::Relation(name.clone()), is_needed);
            }
        }
        for column in &names.columns {
            // A star stands for the columns that there are.
            let is_named = !matches!(column.meaning, ColumnMeaning::All(_));
            for (table, name) in Resolution::columns_of(column) {
                // Of a table that nobody knows, only what was written is known.
                let object = Object::Column(table, name);
                needs.add(stmt.unwrap_or(column.stmt), object, is_needed && is_named);
            }
        }
        for function in &names.functions {
            let FunctionMeaning::Function(name) = &function.meaning else { continue };
            let object = self.function(name, function.arguments);
            needs.add(stmt.unwrap_or(function.stmt), object, is_needed);
        }
    }

    /// Returns the function that a call means; all of its name if it can be more than one.
    fn function(&self, name: &QualifiedName, arguments: Option<usize>) -> Object {
        // With more of a name, that it is one of them has to be enough.
        const MOST: usize = 100;
        let schema = name.schema.as_deref().unwrap_or_default();
        let routines = self.own.routines(schema, &name.name);
        let routines = routines.iter().filter(|_| routines.len() <= MOST);
        let mut routines =
            routines.filter(|routine| arguments.is_none_or(|count| routine.takes(count)));
        if let (Some(only), None) = (routines.next(), routines.next()) {
            let word = |of: Option<&crate::ColumnType>| {
                let of = of?;
                Some(format!("{}{}", of.name.name, if of.is_array { "[]" } else { "" }))
            };
            let arguments = only.input_types().map(|of| word(of).unwrap_or_default()).collect();
            let parts = vec![schema.to_owned(), name.name.clone()];
            let exact = Object::Other { kind: "FUNCTION", name: parts, arguments };
            if self.defined.contains(&exact) {
                return exact;
            }
        }
        Object::Function(name.clone())
    }

    /// Applies a statement to the catalog; what it ends stays, since others can mean it.
    fn apply(&mut self, stmt: Node<'_>) {
        let changed = match stmt {
            Node::DropStmt(_) => return,
            Node::RenameStmt(rename) => rename.relation(),
            Node::AlterObjectSchemaStmt(alter) => alter.relation(),
            Node::AlterTableStmt(alter) => alter.relation().filter(|_| drops_columns(stmt)),
            _ => None,
        };
        let before = changed.and_then(|table| find(&self.own, &table.qualified_name())).cloned();
        apply(&mut self.own, stmt);
        let Some(before) = before else { return };
        let schema = before.name.schema.as_deref().unwrap_or_default();
        let schema = self.own.schemas.or_default(schema.to_owned());
        match schema.relations.get_mut(&before.name.name) {
            Some(now) => {
                let names: HashSet<_> = now.columns.iter().map(|it| it.name.clone()).collect();
                let lost = before.columns.into_iter().filter(|it| !names.contains(&it.name));
                now.columns.extend(lost);
            }
            None => self.own.add_relation(before),
        }
    }
}

fn drops_columns(stmt: Node<'_>) -> bool {
    let Node::AlterTableStmt(alter) = stmt else { return false };
    alter.cmds().iter().any(|cmd| {
        let Node::AlterTableCmd(cmd) = cmd else { return false };
        cmd.subtype() == super::pg::protobuf::AlterTableType::AtDropColumn
    })
}

/// Returns what each statement defines, needs and ends: tables, columns, functions, types, schemas, keys, and objects of all other
/// kinds, of a view, a function in SQL, a trigger, a policy, a constraint, an index, a comment or any other statement.
/// [`Dependencies::order`] is an order of them.
///
/// What the catalog has is needed as well, if a statement names it.
///
/// ```
/// use pg_ast::QualifiedName;
/// use pg_ast_names::{NoCatalog, Object, dependencies};
///
/// let sql = "CREATE TABLE t (a int, b int); CREATE VIEW v AS SELECT b FROM t";
/// let found = dependencies(&pg_ast::parse(sql)?, &NoCatalog);
/// let t = QualifiedName::new("public", "t");
/// let needs = &found.stmts[1].needs;
/// assert!(needs.contains(&Object::Relation(t.clone())));
/// assert!(needs.contains(&Object::Column(t, "b".to_owned())));
///
/// let sql = "CREATE TABLE u (a int REFERENCES t (a)); ALTER TABLE t ADD UNIQUE (a); CREATE TABLE t (a int)";
/// let found = dependencies(&pg_ast::parse(sql)?, &NoCatalog);
/// let key = Object::Key(QualifiedName::new("public", "t"), vec!["a".to_owned()]);
/// assert!(found.stmts[0].needs.contains(&key) && found.stmts[1].defines.contains(&key));
/// assert_eq!(found.order().stmts, [2, 1, 0]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn dependencies<'t>(tree: impl Into<AnyTree<'t>>, catalog: &dyn Catalog) -> Dependencies {
    tree.into().read(|stmts| of_stmts(stmts, catalog))
}
