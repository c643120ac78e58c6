//! Types.

use super::catalog_functions::schema_and_name;

/// What kind of type it is; `typtype` of `pg_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// A type by itself, or an array.
    Base,
    /// A row.
    Composite,
    /// A domain.
    Domain,
    /// An enumeration.
    Enum,
    /// A pseudo-type, such as `anyelement`.
    Pseudo,
    /// A type of ranges.
    Range,
    /// A type of several ranges.
    Multirange,
}

/// A type; a row of `pg_type`. The rows of tables and views are types as well, but no lines of this data.
///
/// ```
/// use pg_ast_catalog::{TypeKind, builtin};
///
/// let catalog = builtin(18).unwrap();
/// let range = catalog.type_named("pg_catalog", "int4range").unwrap();
/// assert_eq!((range.kind, range.of), (TypeKind::Range, Some("int4")));
/// let array = catalog.type_named("pg_catalog", "_text").unwrap();
/// assert_eq!((array.category, array.of), ('A', Some("text")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinType {
    /// Its schema; empty if it is the one that its extension is in.
    pub schema: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What kind of type it is.
    pub kind: TypeKind,
    /// The letter of its category: `typcategory`.
    pub category: char,
    /// Whether it is preferred in its category.
    pub is_preferred: bool,
    /// Whether its values have a collation.
    pub is_collatable: bool,
    /// Whether it is a domain that is not null.
    pub is_not_null: bool,
    /// The type that it is made of: the elements of an array, the base of a domain, the bounds of a range, the ranges of a
    /// multirange.
    pub of: Option<&'static str>,
    /// The length or precision that a domain gives its base type: `typtypmod`.
    pub modifier: Option<i32>,
}

impl BuiltinType {
    /// Reads the fields behind the kind of a line: name, codes, what it is made of.
    pub(crate) fn of(fields: &'static str, own: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let name = fields.next()?;
        let (schema, name) = schema_and_name(name.strip_prefix('@').unwrap_or(name), own);
        let [kind, category, preferred, collatable, not_null] = fields.next()?.as_bytes() else {
            return None;
        };
        let mut of = fields.next().unwrap_or_default().split(' ');
        Some(Self {
            schema,
            name,
            kind: match kind {
                b'c' => TypeKind::Composite,
                b'd' => TypeKind::Domain,
                b'e' => TypeKind::Enum,
                b'p' => TypeKind::Pseudo,
                b'r' => TypeKind::Range,
                b'm' => TypeKind::Multirange,
                _ => TypeKind::Base,
            },
            category: char::from(*category),
            is_preferred: *preferred == b'p',
            is_collatable: *collatable == b'c',
            is_not_null: *not_null == b'n',
            of: of.next().filter(|of| !of.is_empty()),
            modifier: of.next().and_then(|modifier| modifier.parse().ok()),
        })
    }
}

/// Returns how PostgreSQL prints a type of the data, as its `format_type` does: `integer` for `int4`, `text[]` for `_text`.
///
/// ```
/// use pg_ast_catalog::format_type;
///
/// assert_eq!(format_type("timestamptz"), "timestamp with time zone");
/// assert_eq!(format_type("_int4"), "integer[]");
/// assert_eq!(format_type("@_hstore"), "hstore[]");
/// ```
#[must_use]
pub fn format_type(name: &str) -> String {
    let name = name.strip_prefix('@').unwrap_or(name);
    // In this data, only arrays begin so.
    if let Some(element) = name.strip_prefix('_') {
        return format!("{}[]", format_type(element));
    }
    let printed = match name {
        "bool" => "boolean",
        "bpchar" => "character",
        "char" => "\"char\"",
        "any" => "\"any\"",
        "float4" => "real",
        "float8" => "double precision",
        "int2" => "smallint",
        "int4" => "integer",
        "int8" => "bigint",
        "time" => "time without time zone",
        "timestamp" => "timestamp without time zone",
        "timestamptz" => "timestamp with time zone",
        "timetz" => "time with time zone",
        "varbit" => "bit varying",
        "varchar" => "character varying",
        _ => name,
    };
    printed.to_owned()
}

/// Returns whether a column can be of this "type", which is none: it stands for an integer with a sequence, as
/// `transformColumnDefinition` of PostgreSQL's `parse_utilcmd.c` reads it.
///
/// ```
/// use pg_ast_catalog::{builtin, is_serial};
///
/// assert!(is_serial("bigserial") && !is_serial("int8"));
/// assert!(builtin(18).unwrap().type_named("pg_catalog", "bigserial").is_none());
/// ```
#[must_use]
pub fn is_serial(name: &str) -> bool {
    matches!(name, "smallserial" | "serial2" | "serial" | "serial4" | "bigserial" | "serial8")
}
