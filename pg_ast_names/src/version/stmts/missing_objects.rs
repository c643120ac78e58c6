//! Objects that are no tables, where a statement names one that is not there: indexes, sequences, types, functions; and names in
//! strings.

use pg_ast::{Literal, QualifiedName};
use pg_ast_catalog::BuiltinFunction;

use super::VERSION;
use super::pg::protobuf::ObjectType;
use super::pg::seam::name_in_string;
use super::pg::view::{List, Node, ObjectWithArgs, TypeCast, TypeName};
use super::resolver::NameResolver;
use crate::builtin_names::may_be_builtin_function;
use crate::name_mistakes::MistakeKind;
use crate::resolution::TableMeaning;

/// Names of types that the grammar reads in its own way, so that no type has them.
const TYPE_WORDS: [&str; 21] = [
    "bigint",
    "bit",
    "boolean",
    "char",
    "character",
    "dec",
    "decimal",
    "double",
    "float",
    "int",
    "integer",
    "interval",
    "national",
    "nchar",
    "numeric",
    "real",
    "setof",
    "smallint",
    "time",
    "timestamp",
    "varchar",
];

impl<'a> NameResolver<'a> {
    /// Returns whether a schema in which a name is looked up may have an index of it.
    pub(crate) fn may_be_index(&self, name: &QualifiedName) -> bool {
        // Those of the server's own tables are not listed.
        name.name.starts_with("pg_")
            || self
                .schemas(name.schema.as_deref())
                .iter()
                .any(|schema| self.catalog.has_index(schema, &name.name) != Some(false))
    }

    /// Returns whether a name certainly is that of no relation, an index among them.
    fn is_no_relation(&self, name: &QualifiedName) -> bool {
        // A table that is being created is the source of its own conditions.
        self.names.source(&name.name).is_none()
            && self.relation(name).is_err_and(|absent| absent == TableMeaning::Missing)
            && !self.may_be_index(name)
    }

    /// Resolves the index that a statement drops.
    pub(super) fn dropped_index(&mut self, node: Node<'a>, names: List<'a>) {
        let name = names.qualified_name();
        let is_missing = !self.is_lenient && self.is_no_relation(&name);
        if is_missing && !self.misses_schema(node, -1, &name) {
            let message = format!("index \"{}\" does not exist", name.name);
            self.mistake(node, -1, 0, MistakeKind::MissingIndex, message, None);
        }
    }

    /// Resolves an index that a statement names by a list.
    pub(super) fn listed_index(&mut self, node: Node<'a>, names: List<'a>) {
        let name = names.qualified_name();
        let is_missing = !self.is_lenient && self.is_no_relation(&name);
        if is_missing && !self.misses_schema(node, -1, &name) {
            self.missing_table(node, -1, &name);
        }
    }

    /// Resolves a type that a statement names by a list.
    pub(super) fn listed_type(&mut self, node: Node<'a>, names: List<'a>) {
        let name = names.qualified_name();
        if self.is_lenient || self.misses_schema(node, -1, &name) || self.may_be_type(&name) {
            return;
        }
        let message = format!("type \"{}\" does not exist", name.plain());
        self.mistake(node, -1, 0, MistakeKind::MissingType, message, None);
    }

    /// Resolves the type of a parameter, of which the server says in other words that it is missing.
    pub(super) fn parameter_type(&mut self, of: TypeName<'a>) {
        let first = self.found.mistakes.len();
        self.type_use(of);
        if let Some(mistake) = self.found.mistakes.get_mut(first) {
            mistake.message = mistake.message.replace('"', "");
        }
    }

    /// Resolves a function that a statement names.
    pub(super) fn function_object(&mut self, object: ObjectWithArgs<'a>, of: ObjectType) {
        let name = object.objname().qualified_name();
        let schemas = self.schemas(name.schema.as_deref());
        let may_be_there = self.routines(&name, None).is_some()
            || !schemas.iter().all(|schema| self.catalog.is_known(schema))
            || may_be_builtin_function(VERSION, &name, None);
        if self.is_lenient {
            return;
        }
        // They are looked up before the function.
        for argument in object.objargs() {
            let Node::TypeName(argument) = argument else { continue };
            let of = argument.names().qualified_name();
            if !argument.pct_type() && !argument.names().is_empty() && !self.may_be_type(&of) {
                let array = if argument.array_bounds().is_empty() { "" } else { "[]" };
                let message = format!("type \"{}{array}\" does not exist", of.plain());
                self.mistake(object.into(), -1, 0, MistakeKind::MissingType, message, None);
            }
        }
        if may_be_there || self.misses_schema(object.into(), -1, &name) {
            return;
        }
        let (what, article) = match of {
            ObjectType::ObjectAggregate => ("aggregate", "an"),
            ObjectType::ObjectProcedure => ("procedure", "a"),
            ObjectType::ObjectFunction | ObjectType::ObjectRoutine => ("function", "a"),
            _ => return,
        };
        let name = name.plain();
        let message = if object.args_unspecified() {
            format!("could not find {article} {what} named \"{name}\"")
        } else {
            format!("{what} {name} does not exist")
        };
        self.mistake(object.into(), -1, 0, MistakeKind::MissingFunction, message, None);
    }

    /// Resolves an object that is no relation; returns whether it is of a kind that is looked up here.
    pub(super) fn other_object(
        &mut self,
        stmt: Node<'a>,
        of: ObjectType,
        object: Option<Node<'a>>,
    ) -> bool {
        match (of, object) {
            (_, Some(Node::ObjectWithArgs(function))) => self.function_object(function, of),
            (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::TypeName(of))) => {
                self.listed_type(stmt, of.names());
            }
            (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::List(names))) => {
                self.listed_type(stmt, names);
            }
            (ObjectType::ObjectDomconstraint, Some(Node::List(names))) => {
                if let Some(Node::TypeName(of)) = names.first() {
                    self.listed_type(stmt, of.names());
                }
            }
            (ObjectType::ObjectIndex | ObjectType::ObjectSequence, Some(Node::List(names))) => {
                self.listed_index(stmt, names);
            }
            _ => return false,
        }
        true
    }

    /// Resolves the name in a string that is cast to it: `'t'::regclass`.
    pub(crate) fn cast_string(&mut self, cast: TypeCast<'a>) {
        let Some(of) = cast.type_name().filter(|of| of.array_bounds().is_empty()) else { return };
        let Some(kind) = of.names().last().and_then(Node::as_str) else { return };
        if kind.starts_with("reg")
            && self.knows_functions()
            && let Some(arg) = cast.arg()
        {
            self.string(arg, kind);
        }
    }

    /// Resolves the names in strings that are arguments of a function: `nextval('s')`.
    pub(crate) fn argument_strings(&mut self, own: &[BuiltinFunction], args: List<'a>) {
        if !self.knows_functions() {
            return;
        }
        for (index, arg) in args.iter().enumerate() {
            if !matches!(arg, Node::AConst(_)) {
                continue;
            }
            let fitting = own.iter().filter(|function| function.takes(args.len()));
            let mut types = fitting.map(|it| it.inputs().nth(index).map_or("", |it| it.type_name));
            if let Some(of) = types.next().filter(|of| of.starts_with("reg"))
                && types.all(|other| other == of)
            {
                self.string(arg, of);
            }
        }
    }

    /// Resolves the name in a string.
    fn string(&mut self, node: Node<'a>, kind: &str) {
        let Node::AConst(constant) = node else { return };
        let Some(Literal::String(text)) = node.literal() else { return };
        if self.is_lenient || text.matches('.').count() > 1 {
            return;
        }
        // That is no object.
        let Some(name) = name_in_string(text).filter(|_| text != "-") else { return };
        let location = constant.location();
        match kind {
            "regclass"
                if self.is_no_relation(&name) && !self.misses_schema(node, location, &name) =>
            {
                self.missing_table(node, location, &name);
            }
            "regtype" if !TYPE_WORDS.contains(&&*name.name) && !self.may_be_type(&name) => {
                // What is more than a name has a grammar of its own.
                let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                if text.chars().all(|c| is_name(c) || c == '.') {
                    let message = format!("type \"{}\" does not exist", name.plain());
                    self.mistake(node, location, 0, MistakeKind::MissingType, message, None);
                }
            }
            "regproc" if self.routines(&name, None).is_none() => {
                let schemas = self.schemas(name.schema.as_deref());
                let is_known = schemas.iter().all(|schema| self.catalog.is_known(schema));
                if is_known && !may_be_builtin_function(VERSION, &name, None) {
                    let message = format!("function \"{text}\" does not exist");
                    let kind = MistakeKind::MissingFunction;
                    self.mistake(node, location, 0, kind, message, None);
                }
            }
            _ => {}
        }
    }
}
