//! The objects that names mean, among all that the statements define.

use std::collections::{HashMap, HashSet};

use pg_ast::{Literal, QualifiedName};

use super::VERSION;
use super::named_objects::{Mention, is_global};
use super::pg::seam::name_in_string;
use super::pg::view::Node;
use crate::builtin_names::is_builtin_type;
use crate::catalog_routines::Routine;
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::{Catalog, Relation};
use crate::stmt_dependencies::Object;

/// A catalog in which the statements have been applied, in whatever order they are.
pub(crate) struct AllStmts<'c> {
    pub(crate) catalog: &'c dyn Catalog,
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
        let other =
            |name: Vec<String>, arguments: Vec<String>| Object::Other { kind, name, arguments };
        let in_schema = |name: QualifiedName, arguments: &[String]| {
            let QualifiedName { schema, name } = name;
            other(schema.into_iter().chain([name]).collect(), arguments.to_vec())
        };
        match (*kind, &mention.owner) {
            ("SCHEMA", _) => Some(Object::Schema(name.name.clone())),
            ("TABLE", Some(owner)) => {
                let schema = self.table(owner)?.schema?;
                Some(Object::Relation(QualifiedName::new(schema, &name.name)))
            }
            ("TABLE", None) => {
                let qualified = || name.schema.is_some().then(|| name.clone());
                self.relation_name(name).or_else(qualified).map(Object::Relation)
            }
            (_, Some(owner)) => {
                let known = match self.type_or_relation(owner) {
                    Some(Object::Relation(name) | Object::Type(name)) => name,
                    _ => self.table(owner)?,
                };
                let parts = [known.schema?, known.name, name.name.clone()];
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

    /// Returns the full name of a table that a statement changes; of one that nobody knows, what is written, in the only schema
    /// where it can be.
    pub(crate) fn table(&self, name: &QualifiedName) -> Option<QualifiedName> {
        self.relation_name(name).or_else(|| {
            let only = || match &self.own.search_path[..] {
                [only] => Some(only.clone()),
                _ => None,
            };
            Some(QualifiedName::new(name.schema.clone().or_else(only)?, &name.name))
        })
    }

    pub(crate) fn type_or_relation(&self, name: &QualifiedName) -> Option<Object> {
        if name.schema.is_none() && is_builtin_type(VERSION, &name.name) {
            return None;
        }
        let relation = self.relation_name(name).map(Object::Relation);
        relation.or_else(|| self.defined(name, Object::Type))
    }

    /// Returns the object that is named in a string: `nextval('s')`, `'t'::regclass`.
    pub(crate) fn object_in_string(&self, node: Node<'_>) -> Option<Object> {
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
}
