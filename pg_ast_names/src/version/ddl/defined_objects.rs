//! What statements define and need.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pg_ast::{Literal, QualifiedName};

use super::any_tree::AnyTree;
use super::apply_ddl::apply;
use super::apply_objects::find;
use super::named_objects::{Mention, is_global, mentions};
use super::own_types::is_own_type;
use super::pg::seam::{name_in_string, number_field};
use super::pg::view::{CreateFunctionStmt, Node, RawStmt, parse};
use super::resolver::NameResolver;
use crate::name_catalog::{Catalog, DdlCatalog, Relation, Routine};
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

/// A catalog in which the statements have been applied, in whatever order they are.
pub(crate) struct AllStmts<'c> {
    catalog: &'c dyn Catalog,
    pub(crate) own: DdlCatalog,
    /// All that the statements define.
    pub(crate) defined: HashSet<Object>,
    /// The number of functions of each name.
    pub(crate) functions: HashMap<QualifiedName, usize>,
    /// The columns of primary keys.
    pub(crate) primary_keys: HashMap<QualifiedName, Vec<String>>,
    pub(crate) tables_of_indexes: HashMap<QualifiedName, IndexOf>,
}

/// The table of an index, and the keys that the index is.
pub(crate) struct IndexOf {
    pub(crate) table: QualifiedName,
    pub(crate) keys: Vec<Object>,
}

impl Catalog for AllStmts<'_> {
    fn search_path(&self) -> &[String] {
        &self.own.search_path
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.own.relation(schema, name).or_else(|| self.catalog.relation(schema, name))
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        match self.own.routines(schema, name) {
            [] => self.catalog.routines(schema, name),
            own => own,
        }
    }

    fn is_known(&self, _: &str) -> bool {
        false
    }
}

/// Collects what statements need, each object once.
pub(crate) struct Needs<'d> {
    found: &'d mut [StmtDependencies],
    seen: HashSet<(usize, Object, bool)>,
}

impl Needs<'_> {
    /// Adds an object; as a hint, if the statement can do without it.
    pub(crate) fn add(&mut self, stmt: usize, object: Object, is_needed: bool) {
        let of = &mut self.found[stmt];
        let is_needed = is_needed && !of.is_optional;
        let is_own = of.defines.contains(&object) && !of.replaces && !object.is_name_only();
        if is_own || of.drops && of.ends.contains(&object) {
            return;
        }
        if self.seen.insert((stmt, object.clone(), is_needed)) {
            let list = if is_needed { &mut of.needs } else { &mut of.hints };
            list.push(object);
        }
    }
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
            Node::VariableSetStmt(_) => true,
            Node::SelectStmt(select) => {
                select.from_clause().is_empty() && select.into_clause().is_none()
            }
            _ => false,
        };
        if is_setting {
            apply(&mut settings, node);
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
    let mut needs = Needs { found: &mut found.stmts, seen: HashSet::new() };
    for (index, stmt) in each() {
        all.add_mentions(index, stmt.node, true, &mut needs);
    }
    let seen = needs.seen;
    // In this order each finds the tables that it changes; columns are not known before.
    for index in found.order().stmts {
        let Some(stmt) = &read[index] else { continue };
        all.own.search_path = stmt.path.to_vec();
        all.add_columns(stmt.node, &mut found.stmts[index]);
        all.apply(stmt.node);
    }
    all.own.search_path = path;

    for of in &mut found.stmts {
        all.add_triggers_above(of);
    }
    let mut needs = Needs { found: &mut found.stmts, seen };
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
    /// Returns the first of the schemas of a name for which `f` returns something.
    fn lookup<T>(
        &self,
        name: &QualifiedName,
        mut f: impl FnMut(QualifiedName) -> Option<T>,
    ) -> Option<T> {
        match &name.schema {
            Some(_) => f(name.clone()),
            None => {
                let path = self.own.search_path.iter().map(String::as_str);
                let mut schemas = core::iter::once("pg_temp").chain(path);
                schemas.find_map(|schema| f(QualifiedName::new(schema, &name.name)))
            }
        }
    }

    fn defined(
        &self,
        name: &QualifiedName,
        of: impl Fn(QualifiedName) -> Object,
    ) -> Option<Object> {
        self.lookup(name, |name| Some(of(name)).filter(|object| self.defined.contains(object)))
    }

    /// Returns the full name of a relation.
    pub(crate) fn relation_name(&self, name: &QualifiedName) -> Option<QualifiedName> {
        self.lookup(name, |name| {
            let schema = name.schema.clone().unwrap_or_default();
            let is_there = self.catalog.relation(&schema, &name.name).is_some()
                || self.defined.contains(&Object::Relation(name.clone()));
            is_there.then_some(name)
        })
    }

    /// Returns the object that a statement names; `None` if it is not known where that is, or nothing is known of it.
    pub(crate) fn object(&self, mention: &Mention<'_>) -> Option<Object> {
        let Mention { kind, name, .. } = mention;
        let other = |name: Vec<String>, arguments: Vec<String>| Object::Other {
            kind: *kind,
            name,
            arguments,
        };
        let in_schema = |name: QualifiedName, arguments: &[String]| {
            let QualifiedName { schema, name } = name;
            other(schema.into_iter().chain([name]).collect(), arguments.to_vec())
        };
        match (*kind, &mention.owner) {
            ("SCHEMA", _) => Some(Object::Schema(name.name.clone())),
            ("TABLE", Some(owner)) => {
                let schema = self.relation_name(owner).unwrap_or_else(|| owner.clone()).schema?;
                Some(Object::Relation(QualifiedName::new(schema, &name.name)))
            }
            ("TABLE", None) => {
                let qualified = || name.schema.is_some().then(|| name.clone());
                self.relation_name(name).or_else(qualified).map(Object::Relation)
            }
            (_, Some(owner)) => {
                let known = match self.type_or_relation(owner) {
                    Some(Object::Relation(name) | Object::Type(name)) => name,
                    _ => owner.clone(),
                };
                let parts = [known.schema.or(self.only_schema())?, known.name, name.name.clone()];
                Some(other(parts.into(), Vec::new()))
            }
            _ if is_global(kind) => Some(other(vec![name.name.clone()], Vec::new())),
            ("TYPE", _) => self.type_or_relation(name),
            ("FUNCTION", _) => {
                let exact = mention
                    .arguments
                    .as_ref()
                    .and_then(|arguments| self.defined(name, |name| in_schema(name, arguments)));
                exact.or_else(|| self.defined(name, Object::Function))
            }
            ("OPERATOR", _) => {
                let exact = mention
                    .arguments
                    .as_ref()
                    .and_then(|arguments| self.defined(name, |name| in_schema(name, arguments)));
                exact.or_else(|| self.defined(name, |name| in_schema(name, &[])))
            }
            _ => self.defined(name, |name| in_schema(name, &[])),
        }
    }

    /// Returns the schema in which all is that is named without one, if there is only one such schema.
    fn only_schema(&self) -> Option<String> {
        match &*self.own.search_path {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    pub(crate) fn type_or_relation(&self, name: &QualifiedName) -> Option<Object> {
        if name.schema.is_none() && is_own_type(&name.name) {
            return None;
        }
        let relation = self.relation_name(name).map(Object::Relation);
        relation.or_else(|| self.defined(name, Object::Type))
    }

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

    /// Returns the object that is named in a string: `nextval('s')`, `'t'::regclass`.
    fn object_in_string(&self, node: Node<'_>) -> Option<Object> {
        let (kind, literal) = match node {
            Node::FuncCall(call) => {
                let name = call.funcname().last().and_then(Node::as_str);
                if !matches!(name, Some("nextval" | "currval" | "setval")) {
                    return None;
                }
                ("regclass", call.args().first()?.literal())
            }
            Node::TypeCast(cast) => {
                let of = cast.type_name()?.names().last()?.as_str()?;
                (of, cast.arg()?.literal())
            }
            _ => return None,
        };
        let Some(Literal::String(text)) = literal else { return None };
        let kind = match kind {
            "regclass" => "TABLE",
            "regtype" => "TYPE",
            "regproc" | "regprocedure" => "FUNCTION",
            "regconfig" => "TSCONFIGURATION",
            "regdictionary" => "TSDICTIONARY",
            "regcollation" => "COLLATION",
            "regrole" => "ROLE",
            "regnamespace" => "SCHEMA",
            _ => return None,
        };
        // The types of arguments are left out.
        let name = name_in_string(text.split('(').next().unwrap_or_default())?;
        let mention = Mention::read(kind, name, node);
        self.object(&mention)
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
        let schema = name.schema.as_deref().unwrap_or_default();
        let routines = self.own.routines(schema, &name.name).iter();
        let mut routines =
            routines.filter(|routine| arguments.is_none_or(|count| routine.takes(count)));
        if let (Some(only), None) = (routines.next(), routines.next()) {
            let word = |of: &String| of.rsplit('.').next().unwrap_or_default().to_owned();
            let arguments = only.parameters.iter().map(word).collect();
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
        let schema = self.own.schemas.entry(schema.to_owned()).or_default();
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

/// Returns what each statement defines and needs: tables, columns, functions, types and schemas, of a view, a function in SQL, a
/// trigger, a policy, a constraint, an index or any other statement. [`Dependencies::order`] is an order of them.
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
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn dependencies<'t>(tree: impl Into<AnyTree<'t>>, catalog: &dyn Catalog) -> Dependencies {
    tree.into().read(|stmts| of_stmts(stmts, catalog))
}
