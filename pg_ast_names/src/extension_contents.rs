//! What extensions bring, as objects of a catalog: the data is that of pg_ast_catalog.

use pg_ast::QualifiedName;
use pg_ast_catalog::{
    BuiltinCast, BuiltinFunction, BuiltinOperator, BuiltinType, Extension, TypeKind,
};

use crate::builtin_names::relation;
use crate::catalog_operators::{CatalogCast, CatalogOperator};
use crate::catalog_routines::{Routine, RoutineParameter};
use crate::catalog_types::{CatalogType, CatalogTypeKind};
use crate::name_catalog::Relation;
use crate::relation_parts::ColumnType;

/// An extension that is created in a schema.
#[derive(Clone, Copy)]
pub(crate) struct CreatedExtension<'a> {
    pub(crate) extension: &'static Extension,
    pub(crate) schema: &'a str,
}

impl<'a> CreatedExtension<'a> {
    /// Returns the schema of an object, which without one of its own is in that of the extension.
    const fn schema_of(self, own: &'a str) -> &'a str {
        if own.is_empty() { self.schema } else { own }
    }

    fn type_named(self, name: &str) -> ColumnType {
        ColumnType::of_builtin(name, self.schema)
    }

    /// Returns the name of a function: of the extension, or one of PostgreSQL's own.
    fn function(self, name: &str) -> QualifiedName {
        match name.split_once('.') {
            Some((schema, name)) => QualifiedName::new(schema, name),
            None if self.extension.objects.functions("", name).is_empty() => {
                QualifiedName::new("pg_catalog", name)
            }
            None => QualifiedName::new(self.schema, name),
        }
    }

    /// Returns its tables, views and composite types.
    pub(crate) fn relations(self) -> impl Iterator<Item = Relation> + 'a {
        let relations = self.extension.objects.relations().iter();
        relations.map(move |it| relation(it, self.schema_of(it.schema)))
    }

    /// Returns its functions that SQL can call.
    pub(crate) fn routines(self) -> impl Iterator<Item = Routine> + 'a {
        let functions = self.extension.objects.all_functions().iter();
        let called = functions.filter(|it| it.is_callable() || it.is_trigger());
        called.map(move |it| Routine::of_builtin(it, self.schema))
    }

    /// Returns its types that are no relations and no arrays.
    pub(crate) fn types(self) -> impl Iterator<Item = CatalogType> + 'a {
        let is_array = |of: &BuiltinType| of.category == 'A' && of.name.starts_with('_');
        let types = self.extension.objects.types().iter();
        // Each composite type is a relation as well.
        let own = types.filter(move |it| !is_array(it) && it.kind != TypeKind::Composite);
        own.map(move |it| CatalogType::new(self.schema_of(it.schema), it.name, self.kind(it)))
    }

    fn kind(self, of: &BuiltinType) -> CatalogTypeKind {
        let made_of = of.of.map(|name| self.type_named(name));
        match (of.kind, made_of) {
            (TypeKind::Domain, Some(base)) => {
                CatalogTypeKind::Domain { base, is_not_null: of.is_not_null, checks: None }
            }
            (TypeKind::Enum, _) => CatalogTypeKind::Enum { labels: None },
            (TypeKind::Range, Some(subtype)) => {
                let name = self.type_named(&format!("@{}", of.name)).name;
                let mut others = self.extension.objects.types().iter();
                let multirange = others.find(|other| {
                    let range = other.of.filter(|_| other.kind == TypeKind::Multirange);
                    range.is_some_and(|range| self.type_named(range).name == name)
                });
                match multirange {
                    Some(other) => CatalogTypeKind::Range {
                        subtype,
                        multirange: QualifiedName::new(self.schema_of(other.schema), other.name),
                    },
                    None => CatalogTypeKind::Unknown,
                }
            }
            (TypeKind::Multirange, Some(range)) => {
                CatalogTypeKind::Multirange { range: range.name }
            }
            (TypeKind::Base, element) => CatalogTypeKind::Base {
                category: of.category,
                is_preferred: of.is_preferred,
                element,
                is_collatable: of.is_collatable,
            },
            _ => CatalogTypeKind::Unknown,
        }
    }

    /// Returns its operators, which are in its schema.
    pub(crate) fn operators(self) -> impl Iterator<Item = CatalogOperator> + 'a {
        let name = move |name: &'static str| QualifiedName::new(self.schema, name);
        self.extension.objects.all_operators().iter().map(move |of: &BuiltinOperator| {
            let left = of.left.map(|left| self.type_named(left));
            let (right, function) = (self.type_named(of.right), self.function(of.function));
            let mut operator = CatalogOperator::new(self.schema, of.name, left, right, function);
            operator.result = Some(self.type_named(of.result));
            operator.commutator = of.commutator.map(name);
            operator.negator = of.negator.map(name);
            operator
        })
    }

    /// Returns its casts.
    pub(crate) fn casts(self) -> impl Iterator<Item = CatalogCast> + 'a {
        self.extension.objects.casts().iter().map(move |of: &BuiltinCast| {
            let (source, target) = (self.type_named(of.source), self.type_named(of.target));
            let mut cast = CatalogCast::new(source, target, of.context);
            cast.is_binary = of.is_binary;
            cast.function = of.function.map(|name| self.function(name));
            cast
        })
    }
}

impl Routine {
    /// Makes a function of the data of [`pg_ast_catalog`]. What an extension brings is in its schema.
    ///
    /// ```
    /// use pg_ast_names::Routine;
    ///
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let concat = Routine::of_builtin(&catalog.functions("pg_catalog", "concat")[0], "");
    /// assert!(concat.is_variadic() && concat.result.unwrap().name.plain() == "pg_catalog.text");
    /// ```
    #[must_use]
    pub fn of_builtin(function: &BuiltinFunction, extension_schema: &str) -> Self {
        let parameters = function.parameters.iter().map(|it| {
            let of = ColumnType::of_builtin(it.type_name, extension_schema);
            let mut parameter = RoutineParameter::new(it.mode, Some(of));
            parameter.name = it.name.map(str::to_owned);
            parameter.has_default = it.default.is_some();
            parameter
        });
        let schema = if function.schema.is_empty() { extension_schema } else { function.schema };
        let result = ColumnType::of_builtin(function.result, extension_schema);
        let mut routine = Self::new(schema, function.name, parameters.collect(), Some(result));
        routine.kind = Some(function.kind);
        routine.volatility = Some(function.volatility);
        routine.is_strict = Some(function.is_strict);
        routine.returns_set = function.returns_set;
        routine
    }
}
