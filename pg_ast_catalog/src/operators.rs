//! Operators, casts, and operator classes with what is equal for them.

/// An operator, or one of several of its name; a row of `pg_operator`.
///
/// ```
/// let catalog = pg_ast_catalog::builtin(18).unwrap();
/// let of_texts = catalog.operators("~~").iter().find(|it| it.left == Some("text")).unwrap();
/// assert_eq!((of_texts.right, of_texts.function), ("text", "textlike"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinOperator {
    /// Its name.
    pub name: &'static str,
    /// The type on its left; `None` for a prefix operator.
    pub left: Option<&'static str>,
    /// The type on its right.
    pub right: &'static str,
    /// The type of its result.
    pub result: &'static str,
    /// The function behind it.
    pub function: &'static str,
    /// The operator with the sides exchanged.
    pub commutator: Option<&'static str>,
    /// The operator that says the opposite.
    pub negator: Option<&'static str>,
    /// Whether it can be used in a merge join.
    pub can_merge: bool,
    /// Whether it can be used in a hash join.
    pub can_hash: bool,
}

impl BuiltinOperator {
    pub(crate) fn of(fields: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let mut next = || fields.next();
        let (name, left, right, result) = (next()?, next()?, next()?, next()?);
        let (function, commutator, negator) = (next()?, next()?, next()?);
        let codes = next()?;
        Some(Self {
            name,
            left: written(left),
            right,
            result,
            function,
            commutator: written(commutator),
            negator: written(negator),
            can_merge: codes.starts_with('m'),
            can_hash: codes.ends_with('h'),
        })
    }
}

/// Returns what stands in a field, which has a dash without anything.
fn written(field: &'static str) -> Option<&'static str> {
    Some(field).filter(|field| *field != "-")
}

/// Where a cast applies by itself; `castcontext` of `pg_cast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum CastContext {
    /// Everywhere.
    Implicit,
    /// In an assignment to a column.
    Assignment,
    /// Nowhere: it has to be written.
    Explicit,
}

/// A cast; a row of `pg_cast`.
///
/// ```
/// use pg_ast_catalog::{CastContext, builtin};
///
/// let catalog = builtin(18).unwrap();
/// assert_eq!(catalog.cast("int4", "int8").unwrap().context, CastContext::Implicit);
/// assert_eq!(catalog.cast("int8", "int4").unwrap().context, CastContext::Assignment);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinCast {
    /// The type of what is cast.
    pub source: &'static str,
    /// The type that it gets.
    pub target: &'static str,
    /// Where it applies by itself.
    pub context: CastContext,
    /// Whether the value stays as it is.
    pub is_binary: bool,
    /// The function that does it; without one, the value stays, or goes through its text.
    pub function: Option<&'static str>,
}

impl BuiltinCast {
    pub(crate) fn of(fields: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let (source, target, codes) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Self {
            source,
            target,
            context: match codes.bytes().next()? {
                b'i' => CastContext::Implicit,
                b'a' => CastContext::Assignment,
                _ => CastContext::Explicit,
            },
            is_binary: codes.ends_with('b'),
            function: fields.next(),
        })
    }
}

/// An operator class; a row of `pg_opclass`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OperatorClass {
    /// The access method: `btree`, `hash`, ..
    pub method: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The type of the columns that it is for.
    pub type_name: &'static str,
    /// The family that it belongs to.
    pub family: &'static str,
    /// Whether it is that of the type, if none is written.
    pub is_default: bool,
}

impl OperatorClass {
    pub(crate) fn of(fields: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let mut next = || fields.next();
        let (method, name, type_name, family) = (next()?, next()?, next()?, next()?);
        Some(Self { method, name, type_name, family, is_default: next()? == "d" })
    }
}

/// The operator that means equality in a family of operator classes, for two types; a row of `pg_amop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EqualityOperator {
    /// `btree` or `hash`.
    pub method: &'static str,
    /// The family.
    pub family: &'static str,
    /// The name of the operator.
    pub operator: &'static str,
    /// The type on its left.
    pub left: &'static str,
    /// The type on its right.
    pub right: &'static str,
}

impl EqualityOperator {
    pub(crate) fn of(fields: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let mut next = || fields.next();
        let (method, family, operator) = (next()?, next()?, next()?);
        Some(Self { method, family, operator, left: next()?, right: next()? })
    }
}
