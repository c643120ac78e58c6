//! What statements define and need, and an order of them.

use pg_ast::QualifiedName;

use crate::stmt_order::order;

/// An object that a statement defines or needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Object {
    /// A table, a view, a sequence, an index, or a composite type.
    Relation(QualifiedName),
    /// A column of one.
    Column(QualifiedName, String),
    /// A function of this name: which one, if there are several, is not known.
    Function(QualifiedName),
    /// A type that is no relation: a domain, an enumeration, a type of ranges.
    Type(QualifiedName),
    /// A schema.
    Schema(String),
    /// What a foreign key of a table can refer to: a primary key, a unique constraint or a unique index, with its columns in
    /// alphabetical order. Without columns, it is the primary key.
    Key(QualifiedName, Vec<String>),
    /// An object of another kind, such as a trigger, a role or an operator, or a function whose arguments are known.
    Other {
        /// The kind, as PostgreSQL's `ObjectType` names it, without `OBJECT_`: `TRIGGER`, `ROLE`, `OPERATOR`, `FUNCTION`.
        kind: &'static str,
        /// The parts of its name: that of what it belongs to (a table, a domain) or its schema, and its own.
        name: Vec<String>,
        /// The types of the arguments of a function or an operator, without their schemas; those of a cast.
        arguments: Vec<String>,
    },
}

impl Object {
    /// Returns whether it stands for all functions or operators of a name.
    pub(crate) fn is_name_only(&self) -> bool {
        match self {
            Self::Function(_) => true,
            Self::Other { kind, arguments, .. } => *kind == "OPERATOR" && arguments.is_empty(),
            _ => false,
        }
    }
}

/// What one statement defines and needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StmtDependencies {
    /// The objects that it defines, each once.
    pub defines: Vec<Object>,
    /// The objects that it needs, each once: those of a query, a condition, a function's body in SQL that the server reads.
    pub needs: Vec<Object>,
    /// The objects that have another name after it, or are dropped.
    pub ends: Vec<Object>,
    /// The objects to which it adds what others may need: the operators and casts of a type, the owner of a table.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) completes: Vec<Object>,
    /// What it comes after if that is possible.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) hints: Vec<Object>,
    /// Whether what it defines can be there already, and is another state of it then.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) replaces: bool,
    /// Whether it can do without what it needs: `IF EXISTS`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) is_optional: bool,
    /// Whether what it ends is dropped: nothing has to be there for that.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) drops: bool,
}

/// What the statements of a tree define and need: the result of [`dependencies`](crate::dependencies()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Dependencies {
    /// For each statement, in order.
    pub stmts: Vec<StmtDependencies>,
}

/// An order of statements; see [`Dependencies::order`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StmtOrder {
    /// The indexes of the statements, each after those that it needs.
    pub stmts: Vec<usize>,
    /// Statements that need each other, so that no order is right: each list is one such group. In the order they are
    /// where the first of them has its place, as they were.
    pub cycles: Vec<Vec<usize>>,
}

impl Dependencies {
    /// Returns an order in which each statement is after those that define what it needs; else they stay as they are.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, dependencies};
    ///
    /// let sql = "CREATE VIEW w AS SELECT a FROM v; CREATE VIEW v AS SELECT a FROM t; CREATE TABLE t (a int)";
    /// let order = dependencies(&pg_ast::parse(sql)?, &NoCatalog).order();
    /// assert_eq!(order.stmts, [2, 1, 0]);
    /// assert!(order.cycles.is_empty());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn order(&self) -> StmtOrder {
        order(self)
    }
}
