//! What statements define and need.

use std::collections::HashSet;

use pg_ast::{Literal, QualifiedName};

use super::any_tree::AnyTree;
use super::apply_ddl::apply;
use super::apply_objects::{created_columns, defined, find, first_of, schema_of};
use super::pg::protobuf::{AlterTableType, ObjectType};
use super::pg::seam::name_in_string;
use super::pg::view::{CreateFunctionStmt, IntoClause, List, Node, RangeVar, RawStmt, parse};
use super::resolver::NameResolver;
use crate::name_catalog::{Catalog, DdlCatalog, Relation, Routine};
use crate::resolution::{FunctionMeaning, Resolution, TableMeaning};
use crate::stmt_dependencies::{Dependencies, Object, StmtDependencies};

/// A catalog in which the statements have been applied, in whatever order they are.
struct AllStmts<'c> {
    catalog: &'c dyn Catalog,
    own: DdlCatalog,
    types: HashSet<QualifiedName>,
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

/// Returns what statements define and need.
fn of_stmts(stmts: &[RawStmt<'_>], catalog: &dyn Catalog) -> Dependencies {
    let mut all = AllStmts { catalog, own: DdlCatalog::new(), types: HashSet::new() };
    if !catalog.search_path().is_empty() {
        all.own.set_search_path(catalog.search_path().iter().cloned());
    }
    let mut found = Dependencies::default();
    let mut path = all.own.search_path.clone();
    for stmt in stmts {
        let mut of = StmtDependencies::default();
        if let Some(stmt) = stmt.stmt() {
            all.add_defined(stmt, &mut of);
            if !matches!(stmt, Node::DropStmt(_)) {
                apply(&mut all.own, stmt);
            }
            let new = all.own.search_path.iter().filter(|schema| !path.contains(schema));
            path.extend(new.cloned().collect::<Vec<_>>());
        }
        found.stmts.push(of);
    }
    // Names are looked up wherever one of the statements does.
    all.own.search_path = path;

    let defined: Vec<HashSet<Object>> =
        found.stmts.iter().map(|of| of.defines.iter().cloned().collect()).collect();
    let mut seen = HashSet::new();
    let mut add = |stmt: usize, object: Object| {
        if !defined[stmt].contains(&object) && seen.insert((stmt, object.clone())) {
            found.stmts[stmt].needs.push(object);
        }
    };
    let names = NameResolver::new(&all).lenient().stmts(stmts);
    add_names(&names, &mut add);
    for (index, stmt) in stmts.iter().enumerate() {
        let Some(stmt) = stmt.stmt() else { continue };
        for node in stmt.nodes() {
            all.add_written(node, &mut |object| add(index, object));
        }
        let Node::CreateFunctionStmt(create) = stmt else { continue };
        if let Some(Ok(body)) = sql_body(create).map(parse) {
            let names = NameResolver::new(&all).lenient().stmts(&body.stmts().collect::<Vec<_>>());
            add_names(&names, &mut |_, object| add(index, object));
        }
    }
    found
}

/// Adds what names mean to the objects that their statements need.
fn add_names(names: &Resolution, add: &mut impl FnMut(usize, Object)) {
    for table in &names.tables {
        if let TableMeaning::Relation(name) = &table.meaning {
            add(table.stmt, Object::Relation(name.clone()));
        }
    }
    for column in &names.columns {
        for (table, name) in Resolution::columns_of(column) {
            // Of a table that nobody knows, only what was written is known.
            add(column.stmt, Object::Column(table, name));
        }
    }
    for function in &names.functions {
        if let FunctionMeaning::Function(name) = &function.meaning {
            add(function.stmt, Object::Function(name.clone()));
        }
    }
}

/// Returns the text of a function in SQL.
fn sql_body(create: CreateFunctionStmt<'_>) -> Option<&str> {
    Node::CreateFunctionStmt(create).routine_body().filter(|it| it.language == Some("sql"))?.source
}

impl AllStmts<'_> {
    /// Returns the name of a new object, with its schema.
    fn new_name(&self, names: List<'_>) -> QualifiedName {
        let QualifiedName { schema, name } = names.qualified_name();
        QualifiedName::new(schema.unwrap_or_else(|| first_of(&self.own.search_path)), name)
    }

    fn add_relation(
        &self,
        table: Option<RangeVar<'_>>,
        of: &mut StmtDependencies,
    ) -> QualifiedName {
        let Some(table) = table else { return QualifiedName::default() };
        let schema = schema_of(&self.own.search_path, table);
        let name = QualifiedName::new(schema.clone(), table.relname());
        of.defines.push(Object::Relation(name.clone()));
        of.needs.push(Object::Schema(schema));
        name
    }

    /// Adds what a statement defines, and the schema that it is in.
    fn add_defined(&mut self, stmt: Node<'_>, of: &mut StmtDependencies) {
        match stmt {
            Node::CreateStmt(create) => {
                let name = self.add_relation(create.relation(), of);
                let (columns, _) = created_columns(&self.own, create);
                let columns = columns.into_iter().map(|it| Object::Column(name.clone(), it.name));
                of.defines.extend(columns);
            }
            Node::CreateForeignTableStmt(create) => {
                if let Some(create) = create.base_stmt() {
                    self.add_defined(create.into(), of);
                }
            }
            Node::ViewStmt(view) => drop(self.add_relation(view.view(), of)),
            Node::CreateTableAsStmt(create) => {
                self.add_relation(create.into().and_then(IntoClause::rel), of);
            }
            Node::SelectStmt(select) => {
                if let Some(table) = select.into_clause().and_then(IntoClause::rel) {
                    self.add_relation(Some(table), of);
                }
            }
            Node::CompositeTypeStmt(create) => drop(self.add_relation(create.typevar(), of)),
            Node::CreateSeqStmt(create) => drop(self.add_relation(create.sequence(), of)),
            Node::CreateFunctionStmt(create) => {
                of.defines.push(Object::Function(self.new_name(create.funcname())));
            }
            Node::DefineStmt(create) if create.kind() == ObjectType::ObjectAggregate => {
                of.defines.push(Object::Function(self.new_name(create.defnames())));
            }
            Node::CreateDomainStmt(create) => self.add_type(create.domainname(), of),
            Node::CreateEnumStmt(create) => self.add_type(create.type_name(), of),
            Node::CreateRangeStmt(create) => self.add_type(create.type_name(), of),
            Node::CreateSchemaStmt(create) => {
                of.defines.push(Object::Schema(create.schemaname().to_owned()));
                let path = self.own.search_path.clone();
                self.own.search_path.insert(0, create.schemaname().to_owned());
                for element in create.schema_elts() {
                    if !matches!(element, Node::CreateSchemaStmt(_)) {
                        self.add_defined(element, of);
                    }
                }
                self.own.search_path = path;
                let own = Object::Schema(create.schemaname().to_owned());
                of.needs.retain(|need| *need != own);
            }
            Node::AlterTableStmt(alter) => {
                let table = alter.relation().map(RangeVar::qualified_name);
                let Some(relation) = table.and_then(|name| find(&self.own, &name)) else { return };
                for cmd in alter.cmds() {
                    let Node::AlterTableCmd(cmd) = cmd else { continue };
                    if cmd.subtype() == AlterTableType::AtAddColumn {
                        let columns = defined(&self.own, cmd.def()).into_iter();
                        let columns =
                            columns.map(|it| Object::Column(relation.name.clone(), it.name));
                        of.defines.extend(columns);
                    }
                }
            }
            _ => {}
        }
        if let Some(Object::Function(name) | Object::Type(name)) = of.defines.first() {
            of.needs.extend(name.schema.clone().map(Object::Schema));
        }
    }

    fn add_type(&mut self, names: List<'_>, of: &mut StmtDependencies) {
        let name = self.new_name(names);
        self.types.insert(name.clone());
        of.defines.push(Object::Type(name));
    }

    /// Adds types, and sequences that are named in a string, to what is needed.
    fn add_written(&self, node: Node<'_>, add: &mut impl FnMut(Object)) {
        match node {
            Node::TypeName(of) => {
                let name = of.names().qualified_name();
                if let Some(relation) = find(self, &name) {
                    return add(Object::Relation(relation.name.clone()));
                }
                let schemas: Vec<_> = match &name.schema {
                    Some(schema) => vec![schema],
                    None => self.own.search_path.iter().collect(),
                };
                let names =
                    schemas.into_iter().map(|schema| QualifiedName::new(schema, &name.name));
                if let Some(name) = names.into_iter().find(|name| self.types.contains(name)) {
                    add(Object::Type(name));
                }
            }
            Node::FuncCall(call) => {
                let name = call.funcname().last().and_then(Node::as_str);
                if !matches!(name, Some("nextval" | "currval" | "setval")) {
                    return;
                }
                let Some(Literal::String(text)) = call.args().first().and_then(Node::literal)
                else {
                    return;
                };
                let name = name_in_string(text);
                if let Some(relation) = name.and_then(|name| find(self, &name)) {
                    add(Object::Relation(relation.name.clone()));
                }
            }
            _ => {}
        }
    }
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
