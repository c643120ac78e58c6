//! The privileges that new objects need.

use super::alter_costs::is_serial;
use super::finder::{EffectsFinder, is_temporary};
use super::pg::protobuf::{ConstrType, ObjectType, PublicationObjSpecType};
use super::pg::view::{
    self, AlterPublicationStmt, CreateFunctionStmt, CreatePublicationStmt, CreateSchemaStmt,
    CreateStmt, DefineStmt, FunctionParameter, IntoClause, List, Node, PublicationTable, RangeVar,
};
use super::privileges_needed::privilege;
use super::privileges_of_servers::option;
use super::privileges_to_alter::other_role;
use crate::PrivilegeKind;
use pg_ast::QualifiedName;

/// Options of aggregates, operators and range types that name functions.
const FUNCTIONS: [&str; 14] = [
    "canonical",
    "combinefunc",
    "deserialfunc",
    "finalfunc",
    "function",
    "join",
    "mfinalfunc",
    "minvfunc",
    "msfunc",
    "procedure",
    "restrict",
    "serialfunc",
    "sfunc",
    "subtype_diff",
];

/// What `INCLUDING` copies when the new table is there, all but comments, compression and storage: `TableLikeOption` of PostgreSQL's `src/include/nodes/parsenodes.h`.
const LIKE_PARTS: u32 = 0b1111_1100;

/// Those that name types.
const TYPES: [&str; 6] = ["basetype", "leftarg", "mstype", "rightarg", "stype", "subtype"];

impl<'a> EffectsFinder<'a> {
    pub(super) fn create_in_schema(&mut self, node: Node<'a>) {
        if is_of_superuser(node) {
            return self.superuser();
        }
        match new_name(node) {
            Some(names) => {
                let schema = names.qualified_name().schema;
                self.create_in(schema.as_deref().unwrap_or_default());
            }
            None => self.create_relation(new_relation(node)),
        }
        match node {
            Node::CreateStmt(create) => self.table_needs(create),
            Node::CreateForeignTableStmt(create) => {
                let server = QualifiedName::unqualified(create.servername());
                self.need(PrivilegeKind::Usage, "SERVER", Some(server));
                if let Some(create) = create.base_stmt() {
                    self.table_needs(create);
                }
            }
            Node::CreateTableAsStmt(create) => {
                self.tablespace(
                    create.into().map(IntoClause::table_space_name).unwrap_or_default(),
                );
            }
            Node::CreateSeqStmt(create) => self.owned_by(create.options()),
            Node::ViewStmt(view) if view.replace() => {
                self.owner("VIEW", view.view().map(RangeVar::qualified_name));
            }
            Node::CompositeTypeStmt(create) => {
                let columns = create.coldeflist().iter().filter_map(Node::as_column_def);
                columns.for_each(|column| self.type_usage(column.type_name()));
            }
            Node::CreateDomainStmt(create) => self.type_usage(create.type_name()),
            Node::CreateConversionStmt(create) => self.routine(create.func_name()),
            Node::CreateRangeStmt(create) => self.definition(create.params()),
            Node::CreateFunctionStmt(create) => self.function_needs(create),
            Node::DefineStmt(define) => self.define_needs(define),
            _ => {}
        }
    }

    /// Notes what a new relation needs.
    pub(super) fn create_relation(&mut self, relation: Option<RangeVar<'a>>) {
        if relation.is_some_and(is_temporary) {
            self.need(PrivilegeKind::Temporary, "DATABASE", None);
        } else {
            self.create_in(relation.map(RangeVar::schemaname).unwrap_or_default());
        }
    }

    /// Notes what an object needs that is made in a schema, which is empty if it is not named.
    pub(super) fn create_in(&mut self, schema: &str) {
        if schema.starts_with("pg_temp") {
            return self.need(PrivilegeKind::Temporary, "DATABASE", None);
        }
        self.need(PrivilegeKind::Create, "SCHEMA", Some(QualifiedName::unqualified(schema)));
    }

    fn table_needs(&mut self, create: CreateStmt<'a>) {
        if let Some(table) = create.relation().filter(|_| is_altered(create)) {
            self.schema(table.schemaname());
        }
        for parent in create.inh_relations().iter().filter_map(Node::as_range_var) {
            self.owner("TABLE", Some(parent.qualified_name()));
        }
        self.bound(create.partbound());
        self.type_usage(create.of_typename());
        self.tablespace(create.tablespacename());
        for element in create.table_elts() {
            match element {
                Node::ColumnDef(column) => {
                    self.type_usage(column.type_name());
                    let constraints = column.constraints().iter().filter_map(Node::as_constraint);
                    constraints.for_each(|constraint| self.tablespace(constraint.indexspace()));
                }
                Node::TableLikeClause(like) => {
                    let name = like.relation().map(RangeVar::qualified_name);
                    self.need(PrivilegeKind::Select, "TABLE", name);
                }
                Node::Constraint(constraint) => self.tablespace(constraint.indexspace()),
                _ => {}
            }
        }
    }

    fn function_needs(&mut self, create: CreateFunctionStmt<'a>) {
        let body = Node::CreateFunctionStmt(create).routine_body();
        let language = body.and_then(|body| body.language).unwrap_or("sql");
        self.language(language);
        // Unless `check_function_bodies` is off, it looks up what its body names.
        if language == "sql"
            && let Some(source) = body.and_then(|body| body.source)
            && let Ok(tree) = view::parse(source)
        {
            tree.stmts().for_each(|stmt| self.schemas(stmt.into()));
        }
        #[cfg(feature = "plpgsql")]
        if language == "plpgsql"
            && let Some(source) = body.and_then(|body| body.source)
        {
            self.declared_types(source);
        }
        self.parameters(create.parameters());
        self.type_usage(create.return_type());
        for option in create.options().iter().filter_map(Node::as_def_elem) {
            self.later_setting(option.arg().and_then(Node::as_variable_set_stmt));
        }
        if create.replace() {
            let on = if create.is_procedure() { "PROCEDURE" } else { "FUNCTION" };
            self.owner(on, Some(create.funcname().qualified_name()));
        }
    }

    /// Notes the schemas of the types of variables, which are looked up when the body is compiled.
    #[cfg(feature = "plpgsql")]
    fn declared_types(&mut self, source: &str) {
        use super::pg::plpgsql::{Part, parse_body};

        // What it returns says how it may do so.
        let headers = ["void", "trigger", "int", "SETOF int"];
        let mut bodies = headers.iter().filter_map(|of| {
            parse_body(source, Some(&format!("CREATE FUNCTION f() RETURNS {of}"))).ok()
        });
        let Some(function) = bodies.next() else { return };
        for part in function.parts() {
            if let Part::DataType(of) = part
                && let Some(schema) = schema_of_type(&of.text)
            {
                self.schema(&schema);
            }
        }
    }

    fn parameters(&mut self, parameters: List<'a>) {
        for parameter in parameters.iter().filter_map(Node::as_function_parameter) {
            self.type_usage(FunctionParameter::arg_type(parameter));
        }
    }

    fn define_needs(&mut self, define: DefineStmt<'a>) {
        for parameters in define.args() {
            if let Node::List(parameters) = parameters {
                self.parameters(parameters);
            }
        }
        if matches!(define.kind(), ObjectType::ObjectAggregate | ObjectType::ObjectOperator) {
            self.definition(define.definition());
        }
        if define.kind() == ObjectType::ObjectCollation
            && let Some(Node::List(names)) = option(define.definition(), "from")
        {
            self.schema(names.qualified_name().schema.as_deref().unwrap_or_default());
        }
        if define.replace() {
            self.owner("AGGREGATE", Some(define.defnames().qualified_name()));
        }
    }

    /// Notes the functions and the types that options name.
    fn definition(&mut self, options: List<'a>) {
        for option in options.iter().filter_map(Node::as_def_elem) {
            // A function is written as a type, without arguments.
            let Some(Node::TypeName(name)) = option.arg() else { continue };
            if FUNCTIONS.contains(&option.defname()) {
                self.routine(name.names());
            } else if TYPES.contains(&option.defname()) {
                self.type_usage(Some(name));
            }
        }
    }

    /// Notes what the statements in `CREATE SCHEMA` do not need: they run in the schema that it makes, for its owner.
    pub(super) fn in_new_schema(&mut self, create: CreateSchemaStmt<'a>) {
        let schema = create.schemaname();
        let schema = match create.authrole() {
            Some(role) if schema.is_empty() => role.rolename(),
            _ => schema,
        };
        let new: Vec<&str> =
            create.schema_elts().iter().filter_map(new_relation).map(RangeVar::relname).collect();
        let is_in_it = |name: &QualifiedName| match &name.schema {
            Some(named) => named == schema,
            None => true,
        };
        self.effects.privileges.retain(|privilege| match (&privilege.name, privilege.on) {
            (name, "SCHEMA") => name.as_ref().is_some_and(|name| name.name != schema),
            (Some(name), _) => !(is_in_it(name) && new.contains(&name.name.as_str())),
            (None, _) => true,
        });
    }

    pub(super) fn publication_needs(&mut self, create: CreatePublicationStmt<'a>) {
        self.need(PrivilegeKind::Create, "DATABASE", None);
        if create.for_all_tables() {
            self.superuser();
        }
        self.published_needs(create.pubobjects());
    }

    pub(super) fn alter_publication_needs(&mut self, alter: AlterPublicationStmt<'a>) {
        self.owner("PUBLICATION", Some(QualifiedName::unqualified(alter.pubname())));
        // A table that goes is not asked for.
        if alter.action().as_str_name() != "AP_DropObjects" {
            self.published_needs(alter.pubobjects());
        }
    }

    fn published_needs(&mut self, objects: List<'a>) {
        for object in objects.iter().filter_map(Node::as_publication_obj_spec) {
            if object.pubobjtype() == PublicationObjSpecType::PublicationobjTable {
                let table = object.pubtable().and_then(PublicationTable::relation);
                self.owner("TABLE", table.map(RangeVar::qualified_name));
            } else {
                self.superuser();
            }
        }
    }

    /// Notes what a user mapping needs: one may have one's own on a server that one may use.
    pub(super) fn user_mapping(
        &mut self,
        user: Option<super::pg::view::RoleSpec<'a>>,
        server: &str,
    ) {
        let server = Some(QualifiedName::unqualified(server));
        let kind = match other_role(user) {
            Some(_) => PrivilegeKind::Owner,
            None => PrivilegeKind::Usage,
        };
        self.effects.privileges.push(privilege(kind, "SERVER", server));
    }
}

/// Returns the schema in a type as it is written: `s.a`, `s.t%ROWTYPE`, `s.t.a%TYPE`.
#[cfg(feature = "plpgsql")]
fn schema_of_type(text: &str) -> Option<String> {
    let (name, of) = text.split_once('%').unwrap_or((text, ""));
    let is_of_name = |c: char| c.is_alphanumeric() || "_.\"$".contains(c);
    let name = name.trim();
    let name = &name[..name.find(|c| !is_of_name(c)).unwrap_or(name.len())];
    let parts: Vec<_> = name.split('.').collect();
    let behind = if of.trim().eq_ignore_ascii_case("type") { 2 } else { 1 };
    let schema = parts.first().filter(|_| parts.len() > behind)?;
    Some(match schema.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(quoted) => quoted.to_owned(),
        None => schema.to_lowercase(),
    })
}

/// Returns the name of an object that is made and no relation.
fn new_name(node: Node<'_>) -> Option<List<'_>> {
    Some(match node {
        Node::CreateFunctionStmt(it) => it.funcname(),
        Node::CreateEnumStmt(it) => it.type_name(),
        Node::CreateRangeStmt(it) => it.type_name(),
        Node::CreateDomainStmt(it) => it.domainname(),
        Node::CreateConversionStmt(it) => it.conversion_name(),
        Node::DefineStmt(it) => it.defnames(),
        _ => return None,
    })
}

/// Returns the relation that a statement makes.
fn new_relation(node: Node<'_>) -> Option<RangeVar<'_>> {
    match node {
        Node::CreateStmt(it) => it.relation(),
        Node::CreateForeignTableStmt(it) => it.base_stmt().and_then(CreateStmt::relation),
        Node::CreateTableAsStmt(it) => it.into().and_then(IntoClause::rel),
        Node::CreateSeqStmt(it) => it.sequence(),
        Node::ViewStmt(it) => it.view(),
        Node::CompositeTypeStmt(it) => it.typevar(),
        _ => None,
    }
}

/// Returns whether only a superuser can make it: C functions are a part of it, or the planner relies on what it says.
fn is_of_superuser(node: Node<'_>) -> bool {
    match node {
        Node::DefineStmt(define) => matches!(
            define.kind(),
            ObjectType::ObjectType | ObjectType::ObjectTsparser | ObjectType::ObjectTstemplate
        ),
        Node::CreateFunctionStmt(create) => {
            let language = node.routine_body().and_then(|body| body.language);
            language.is_some_and(|name| ["c", "internal"].contains(&name))
                || has_superuser_option(create.options())
        }
        _ => false,
    }
}

/// Returns whether options of a function have one that is for superusers.
pub(super) fn has_superuser_option(options: List<'_>) -> bool {
    super::finder::is_on(options, "leakproof")
        || options.iter().filter_map(Node::as_def_elem).any(|it| it.defname() == "support")
}

/// Returns whether a new table is looked up once more, for an index, a foreign key or a sequence.
fn is_altered(create: CreateStmt<'_>) -> bool {
    let alters = |constraint: Node<'_>| {
        constraint.as_constraint().is_some_and(|constraint| {
            matches!(
                constraint.contype(),
                ConstrType::ConstrPrimary
                    | ConstrType::ConstrUnique
                    | ConstrType::ConstrExclusion
                    | ConstrType::ConstrForeign
                    | ConstrType::ConstrIdentity
            )
        })
    };
    let elements = create.table_elts().iter().chain(create.constraints().iter());
    elements.into_iter().any(|element| match element {
        Node::TableLikeClause(like) => like.options() & LIKE_PARTS != 0,
        Node::ColumnDef(column) => {
            is_serial(column.type_name()) || column.constraints().iter().any(alters)
        }
        element => alters(element),
    })
}
