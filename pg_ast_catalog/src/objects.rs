//! All objects of a version, or of an extension.

use super::catalog_functions::BuiltinFunction;
use super::data_lines::{BUILTIN, PerVersion, in_version};
use super::operators::{BuiltinCast, BuiltinOperator, EqualityOperator, OperatorClass};
use super::relations::BuiltinRelation;
use super::types::BuiltinType;

/// What PostgreSQL has built in, or what an extension brings.
///
/// Its own objects are in `pg_catalog` and `information_schema`. Those of an extension are in the schema that `CREATE EXTENSION`
/// names, which is the empty name here, or in a schema that the extension makes.
#[derive(Clone, Debug, Default)]
pub struct BuiltinObjects {
    functions: Vec<BuiltinFunction>,
    types: Vec<BuiltinType>,
    relations: Vec<BuiltinRelation>,
    operators: Vec<BuiltinOperator>,
    casts: Vec<BuiltinCast>,
    classes: Vec<OperatorClass>,
    equalities: Vec<EqualityOperator>,
    collations: Vec<&'static str>,
}

/// Returns what a major version of PostgreSQL has built in; `None` for a version whose data is not here.
///
/// ```
/// use pg_ast_catalog::builtin;
///
/// let added = |major| !builtin(major).unwrap().functions("pg_catalog", "random_normal").is_empty();
/// assert!(!added(15) && added(16));
/// assert!(builtin(9).is_none());
/// ```
#[must_use]
pub fn builtin(major: u32) -> Option<&'static BuiltinObjects> {
    static VERSIONS: PerVersion<BuiltinObjects> = PerVersion::new();
    VERSIONS.get(major, || {
        let lines = BUILTIN.lines().filter_map(|line| in_version(line, major));
        BuiltinObjects::of(lines, "pg_catalog")
    })
}

impl BuiltinObjects {
    /// Reads lines of the data: the letter of a kind, and its fields.
    pub(crate) fn of(lines: impl Iterator<Item = &'static str>, schema: &'static str) -> Self {
        let mut objects = Self::default();
        for line in lines {
            let Some((kind, fields)) = line.split_once('\t') else { continue };
            match kind {
                "f" => objects.functions.extend(BuiltinFunction::of(fields, schema)),
                "t" => objects.types.extend(BuiltinType::of(fields, schema)),
                "r" => objects.relations.extend(BuiltinRelation::of(fields, schema)),
                "o" => objects.operators.extend(BuiltinOperator::of(fields)),
                "c" => objects.casts.extend(BuiltinCast::of(fields)),
                "k" => objects.classes.extend(OperatorClass::of(fields)),
                "s" => objects.equalities.extend(EqualityOperator::of(fields)),
                "l" => objects.collations.extend(fields.split('\t').next()),
                _ => {}
            }
        }
        objects.functions.sort_by_key(|it| (it.schema, it.name));
        objects.types.sort_unstable_by_key(|it| (it.schema, it.name));
        objects.relations.sort_unstable_by_key(|it| (it.schema, it.name));
        objects.operators.sort_by_key(|it| it.name);
        objects.casts.sort_unstable_by_key(|it| (it.source, it.target));
        objects
    }

    /// Returns the functions of a name, which differ in their parameters.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// assert_eq!(catalog.functions("pg_catalog", "abs").len(), 6);
    /// assert!(catalog.functions("pg_catalog", "absolute").is_empty());
    /// ```
    #[must_use]
    pub fn functions(&self, schema: &str, name: &str) -> &[BuiltinFunction] {
        let key = |it: &BuiltinFunction| (it.schema, it.name);
        equal(&self.functions, |it| key(it).cmp(&(schema, name)))
    }

    /// Returns all functions, in the order of their schemas and names.
    #[must_use]
    pub fn all_functions(&self) -> &[BuiltinFunction] {
        &self.functions
    }

    /// Returns the type of a name, as `pg_type` has it: `int4`, not `integer`.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// assert!(catalog.type_named("pg_catalog", "timestamptz").unwrap().is_preferred);
    /// ```
    #[must_use]
    pub fn type_named(&self, schema: &str, name: &str) -> Option<&BuiltinType> {
        equal(&self.types, |it| (it.schema, it.name).cmp(&(schema, name))).first()
    }

    /// Returns all types, in the order of their schemas and names.
    #[must_use]
    pub fn types(&self) -> &[BuiltinType] {
        &self.types
    }

    /// Returns a table or a view.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let tables = catalog.relation("information_schema", "tables").unwrap();
    /// assert_eq!((tables.kind, tables.columns[2].name), ('v', "table_name"));
    /// ```
    #[must_use]
    pub fn relation(&self, schema: &str, name: &str) -> Option<&BuiltinRelation> {
        equal(&self.relations, |it| (it.schema, it.name).cmp(&(schema, name))).first()
    }

    /// Returns all tables and views, in the order of their schemas and names.
    #[must_use]
    pub fn relations(&self) -> &[BuiltinRelation] {
        &self.relations
    }

    /// Returns the operators of a name, which differ in their types.
    #[must_use]
    pub fn operators(&self, name: &str) -> &[BuiltinOperator] {
        equal(&self.operators, |it| it.name.cmp(name))
    }

    /// Returns all operators, in the order of their names.
    #[must_use]
    pub fn all_operators(&self) -> &[BuiltinOperator] {
        &self.operators
    }

    /// Returns the cast of one type to another.
    #[must_use]
    pub fn cast(&self, source: &str, target: &str) -> Option<&BuiltinCast> {
        equal(&self.casts, |it| (it.source, it.target).cmp(&(source, target))).first()
    }

    /// Returns all casts, in the order of their types.
    #[must_use]
    pub fn casts(&self) -> &[BuiltinCast] {
        &self.casts
    }

    /// Returns all operator classes.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let of_texts = catalog.operator_classes().iter().filter(|class| class.type_name == "text" && class.method == "btree");
    /// assert!(of_texts.filter(|class| class.is_default).map(|class| class.name).eq(["text_ops"]));
    /// ```
    #[must_use]
    pub fn operator_classes(&self) -> &[OperatorClass] {
        &self.classes
    }

    /// Returns the operators that mean equality for B-trees and hash indexes, so for `GROUP BY`, `DISTINCT` and `UNION`.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let has = |name| catalog.equality_operators().iter().any(|it| it.left == name && it.right == name);
    /// assert!(has("jsonb") && !has("json") && !has("point"));
    /// ```
    #[must_use]
    pub fn equality_operators(&self) -> &[EqualityOperator] {
        &self.equalities
    }

    /// Returns the names of the collations that every server of the version has.
    ///
    /// ```
    /// assert!(pg_ast_catalog::builtin(18).unwrap().collations().contains(&"pg_c_utf8"));
    /// ```
    #[must_use]
    pub fn collations(&self) -> &[&'static str] {
        &self.collations
    }
}

/// Returns those that are equal, of sorted objects.
fn equal<T>(objects: &[T], compare: impl Fn(&T) -> core::cmp::Ordering) -> &[T] {
    let start = objects.partition_point(|it| compare(it).is_lt());
    let rest = objects.get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|it| compare(it).is_eq()).count();
    rest.get(..count).unwrap_or_default()
}
