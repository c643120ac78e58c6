//! The tables and views of `pg_catalog` and `information_schema`, and those of extensions.

use super::catalog_functions::schema_and_name;

/// A table, a view, a sequence or a composite type; a row of `pg_class`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinRelation {
    /// Its schema; empty if it is the one that its extension is in.
    pub schema: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is: the letter of `relkind`.
    pub kind: char,
    /// The columns of its primary key.
    pub key: Vec<&'static str>,
    /// Its columns, in their order, without those of the system.
    pub columns: Vec<BuiltinColumn>,
}

/// A column of a [`BuiltinRelation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinColumn {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub type_name: &'static str,
    /// Whether it cannot be NULL.
    pub is_not_null: bool,
}

impl BuiltinRelation {
    pub(crate) fn of(fields: &'static str, own: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let (schema, name) = schema_and_name(fields.next()?, own);
        let kind = fields.next()?.chars().next()?;
        let key = fields.next()?.split_whitespace().collect();
        let columns = fields.filter_map(|field| {
            let mut words = field.split(' ');
            let (name, type_name) = (words.next()?, words.next()?);
            Some(BuiltinColumn { name, type_name, is_not_null: words.next().is_some() })
        });
        Some(Self { schema, name, kind, key, columns: columns.collect() })
    }
}
