//! What belongs to a relation: types of columns, constraints, indexes, triggers; and how relations are related.

use pg_ast::QualifiedName;

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnType {
    /// Its name, as `pg_type` has it: `int4`, not `integer`. With the schema, unless nobody knows in which it is. Of an array,
    /// that of its elements.
    pub name: QualifiedName,
    /// Whether it is an array.
    pub is_array: bool,
    /// What stands between parentheses: `10` and `2` of `numeric(10, 2)`.
    pub modifiers: Vec<String>,
}

impl ColumnType {
    /// Makes a type that is no array and has no modifiers.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::ColumnType;
    ///
    /// assert!(!ColumnType::new(QualifiedName::new("pg_catalog", "int4")).is_array);
    /// ```
    #[must_use]
    pub const fn new(name: QualifiedName) -> Self {
        Self { name, is_array: false, modifiers: Vec::new() }
    }

    /// Makes the array of a type.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::ColumnType;
    ///
    /// assert!(ColumnType::array(QualifiedName::new("pg_catalog", "int4")).is_array);
    /// ```
    #[must_use]
    pub const fn array(name: QualifiedName) -> Self {
        Self { name, is_array: true, modifiers: Vec::new() }
    }

    /// Makes one of PostgreSQL's own types.
    pub(crate) fn own(name: &str) -> Self {
        Self::new(QualifiedName::new("pg_catalog", name))
    }

    /// Returns the type of a name in the data of [`pg_ast_catalog`]. What an extension brings is in its schema.
    ///
    /// ```
    /// use pg_ast_names::ColumnType;
    ///
    /// let of = |name| ColumnType::of_builtin(name, "ext").name.plain();
    /// assert_eq!((of("int4"), of("@hstore")), ("pg_catalog.int4".to_owned(), "ext.hstore".to_owned()));
    /// assert!(ColumnType::of_builtin("_int4", "").is_array);
    /// ```
    #[must_use]
    pub fn of_builtin(name: &str, extension_schema: &str) -> Self {
        let (schema, name) = match (name.strip_prefix('@'), name.split_once('.')) {
            (Some(name), _) => (extension_schema, name),
            (None, Some((schema, name))) => (schema, name),
            (None, None) => ("pg_catalog", name),
        };
        match name.strip_prefix('_') {
            Some(element) => Self::array(QualifiedName::new(schema, element)),
            None => Self::new(QualifiedName::new(schema, name)),
        }
    }

    /// Returns whether it is the same type, of any length or precision.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::ColumnType;
    ///
    /// let name = || QualifiedName::new("pg_catalog", "varchar");
    /// let mut short = ColumnType::new(name());
    /// short.modifiers.push("10".to_owned());
    /// assert!(short.is_same_type(&ColumnType::new(name())) && !short.is_same_type(&ColumnType::array(name())));
    /// ```
    #[must_use]
    pub fn is_same_type(&self, other: &Self) -> bool {
        self.is_array == other.is_array && self.name == other.name
    }

    /// Returns the type without a length or a precision, as parameters of functions have it.
    pub(crate) fn without_modifiers(self) -> Self {
        Self { modifiers: Vec::new(), ..self }
    }
}

/// Where the values of a column come from that a statement does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ColumnDefault {
    /// They are NULL, unless the type is a domain that says otherwise.
    #[default]
    Null,
    /// An expression, or a sequence of `serial`.
    Expr,
    /// `GENERATED ALWAYS AS (..)`: a statement cannot give one.
    Generated,
    /// `GENERATED .. AS IDENTITY`.
    Identity,
}

/// A constraint of a [`Relation`](crate::Relation). `NOT NULL` is a property of the [column](crate::RelationColumn::is_not_null),
/// and one of these if a statement gives it a name or adds it to a table, as PostgreSQL 18 does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RelationConstraint {
    /// Its name: if it was written without one, that which PostgreSQL gives it.
    pub name: String,
    /// What it is.
    pub kind: ConstraintKind,
    /// The columns of the table that it is about, in their order; of `CHECK`, those that its expression names.
    pub columns: Vec<String>,
    /// Whether it holds for all rows: `NOT VALID` leaves those that were there before.
    pub is_validated: bool,
    /// Whether tables that inherit from the table have it as well; those of partitions are [`Relation`](crate::Relation)s' own.
    pub is_inherited: bool,
    /// When it is checked.
    pub timing: ConstraintTiming,
    /// The columns that are never NULL where it holds: of `CHECK`, those of `a IS NOT NULL AND b IS NOT NULL`.
    pub not_null: Vec<String>,
    /// The [mark](crate::DdlCatalog::mark) when it was added.
    pub mark: usize,
}

impl RelationConstraint {
    /// Returns whether it has an index, which has its name.
    pub(crate) const fn has_index(&self) -> bool {
        !matches!(
            self.kind,
            ConstraintKind::Check | ConstraintKind::NotNull | ConstraintKind::ForeignKey(_)
        )
    }
}

/// When a [`RelationConstraint`] is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ConstraintTiming {
    /// At each row, or at the end of the statement.
    #[default]
    Immediate,
    /// At the end of the statement, if `SET CONSTRAINTS` does not say otherwise.
    Deferrable,
    /// At the end of the transaction: `INITIALLY DEFERRED`.
    Deferred,
}

/// What a [`RelationConstraint`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ConstraintKind {
    /// `PRIMARY KEY`.
    PrimaryKey,
    /// `UNIQUE`.
    Unique,
    /// `EXCLUDE`.
    Exclusion,
    /// `CHECK`.
    Check,
    /// `NOT NULL`.
    NotNull,
    /// `FOREIGN KEY`.
    ForeignKey(ForeignKey),
}

/// What a foreign key refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ForeignKey {
    /// The table.
    pub table: QualifiedName,
    /// Its columns, in the order of those that refer to them; none if they are those of its primary key, and this is not known.
    pub columns: Vec<String>,
    /// Whether a key is all NULL or not at all: `MATCH FULL`.
    pub is_match_full: bool,
    /// What happens to the rows that refer to one whose key changes.
    pub on_update: ForeignKeyAction,
    /// What happens to the rows that refer to one that is deleted.
    pub on_delete: ForeignKeyAction,
}

/// What a [`ForeignKey`] does to rows whose referenced row changes or goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ForeignKeyAction {
    /// Nothing: if there are any at the end, it is an error.
    #[default]
    NoAction,
    /// If there are any, it is an error at once.
    Restrict,
    /// They change or go as well.
    Cascade,
    /// Their columns become NULL.
    SetNull,
    /// Their columns get their defaults.
    SetDefault,
}

impl ForeignKeyAction {
    /// Returns whether it writes to the table that refers.
    ///
    /// ```
    /// use pg_ast_names::ForeignKeyAction;
    ///
    /// assert!(ForeignKeyAction::SetNull.writes() && !ForeignKeyAction::Restrict.writes());
    /// ```
    #[must_use]
    pub const fn writes(self) -> bool {
        matches!(self, Self::Cascade | Self::SetNull | Self::SetDefault)
    }

    /// Returns the action of a letter, as the nodes of the tree have it: `FKCONSTR_ACTION_CASCADE` and others of `parsenodes.h`.
    pub(crate) fn of_letter(letter: &str) -> Self {
        match letter {
            "r" => Self::Restrict,
            "c" => Self::Cascade,
            "n" => Self::SetNull,
            "d" => Self::SetDefault,
            _ => Self::NoAction,
        }
    }
}

/// An index of a [`Relation`](crate::Relation).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RelationIndex {
    /// Its name; it is in the schema of its table.
    pub name: String,
    /// Its columns, in their order; `None` for an expression. Those behind `INCLUDE` are not among them.
    pub columns: Vec<Option<String>>,
    /// The names of its own columns, as `pg_attribute` has them; those behind `INCLUDE` are among them.
    pub column_names: Vec<String>,
    /// The columns of the table that it needs: those in its expressions, in its condition and behind `INCLUDE` as well.
    pub used_columns: Vec<String>,
    /// Whether no two rows have the same values in them.
    pub is_unique: bool,
    /// Whether it has only the rows for which a condition holds.
    pub is_partial: bool,
    /// How it finds rows: `btree`, `gin`.
    pub method: String,
}

/// A trigger of a [`Relation`](crate::Relation).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "they are columns of pg_trigger")]
pub struct RelationTrigger {
    /// Its name.
    pub name: String,
    /// The function that it calls, with its schema if that is known.
    pub function: QualifiedName,
    /// The statements that it is called for.
    pub events: TriggerEvents,
    /// Whether it is called `INSTEAD OF` what the statement does.
    pub is_instead: bool,
    /// Whether it is called once for each row, and so not at all without one.
    pub for_each_row: bool,
    /// Whether it may not be called: it has a condition, or is for the change of some columns alone.
    pub is_conditional: bool,
    /// Whether it is called at all: `ALTER TABLE .. DISABLE TRIGGER`.
    pub is_enabled: bool,
}

/// A rule of a [`Relation`](crate::Relation), other than the query of a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RelationRule {
    /// Its name.
    pub name: String,
    /// The statement that it is for; never `truncate`.
    pub events: TriggerEvents,
    /// Whether its actions run instead of that statement: `DO INSTEAD`.
    pub is_instead: bool,
}

impl RelationRule {
    /// Makes a rule whose actions run beside the statement.
    ///
    /// ```
    /// use pg_ast_names::{RelationRule, TriggerEvents};
    ///
    /// let events = TriggerEvents { insert: true, ..TriggerEvents::default() };
    /// assert!(!RelationRule::new("log", events).is_instead);
    /// ```
    #[must_use]
    pub fn new(name: &str, events: TriggerEvents) -> Self {
        Self { name: name.to_owned(), events, is_instead: false }
    }
}

/// The statements that a [`RelationTrigger`] is called for, or a [`RelationRule`] is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct TriggerEvents {
    /// `INSERT`, and what becomes one.
    pub insert: bool,
    /// `UPDATE`.
    pub update: bool,
    /// `DELETE`.
    pub delete: bool,
    /// `TRUNCATE`.
    pub truncate: bool,
}

/// How other relations are related to one; what the other way round says is in the [`Relation`](crate::Relation) itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relationship {
    /// They are its partitions, or inherit from it.
    Children,
    /// It is a partition of them, or inherits from them.
    Parents,
    /// Their foreign keys refer to it.
    Referencing,
    /// They are views whose queries read it.
    Views,
    /// It is a view, and its query reads them.
    Read,
    /// The table of it: it is an index, or a sequence that a column owns.
    TableOf,
    /// Sequences that its columns own.
    OwnedSequences,
    /// They have a column of it, or of its arrays: it is a type.
    Users,
    /// They are domains over it, or over its arrays: it is a type.
    Domains,
}
