//! Names in statements: of columns, functions, types, roles and other objects.

use core::fmt;
use std::borrow::Cow;

use crate::types::expected::NameKind;

/// How a statement uses what it names.
///
/// What a statement says last counts: a column of a subselect's target list in a `WHERE` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NameUse {
    /// It is read, or referred to, with no use of those below.
    Read,
    /// It is called, or done: a function, an operator, a prepared statement.
    Call,
    /// In a condition: `WHERE`, `HAVING`, `FILTER`, the `WHEN` of `MERGE` and of triggers, `USING` of a policy.
    Filter,
    /// In the condition of a join.
    Join,
    /// In the `USING` of a join.
    Using,
    /// In `GROUP BY` or `DISTINCT ON`.
    Group,
    /// In `ORDER BY`.
    Order,
    /// In a window.
    Window,
    /// In `RETURNING`.
    Returning,
    /// An `INSERT` writes it.
    InsertTarget,
    /// An `UPDATE`, or `DO UPDATE`, writes it.
    UpdateTarget,
    /// A `DELETE` deletes from it.
    DeleteTarget,
    /// A `MERGE` writes it.
    MergeTarget,
    /// In what `ON CONFLICT` looks for.
    ConflictTarget,
    /// In the list of columns of `COPY`.
    Copy,
    /// It is defined there, or gets this name.
    Definition,
    /// It is changed.
    Alter,
    /// It is dropped.
    Drop,
    /// In a key: primary, unique or foreign, and what that refers to.
    Key,
    /// In an index or in statistics, or in what an exclusion constraint compares.
    Index,
    /// In a `CHECK`, or in what a column is generated from.
    Constraint,
    /// In a key of partitions.
    Partition,
    /// In the `UPDATE OF` of a trigger.
    UpdateOf,
    /// In `GRANT` or `REVOKE`.
    Grant,
    /// In `COMMENT` or `SECURITY LABEL`.
    Comment,
}

/// A name in a statement: of a column, a table, a function, a type, a role or of something else, by its [`kind`](Self::kind).
///
/// [`walk_names`](crate::ParseResult::walk_names) passes it, without quotes, and in lower case where it was written
/// without them. What [`walk_names_mut`](crate::ParseResult::walk_names_mut) passes can be changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectName<'a> {
    pub(crate) kind: NameKind,
    /// At least one.
    pub(crate) parts: Vec<Cow<'a, str>>,
    pub(crate) is_star: bool,
    /// The number of names before it in the tree.
    pub(crate) index: Option<usize>,
}

impl ObjectName<'_> {
    /// Returns what kind of object the name refers to.
    #[must_use]
    pub fn kind(&self) -> NameKind {
        self.kind
    }

    /// Returns the object's own name, the last part; `*` for all columns.
    ///
    /// ```
    /// pg_ast::parse("SELECT t.a")?.walk_columns(|column, _| {
    ///     assert_eq!((column.name(), column.qualifier().last()), ("a", Some("t")));
    /// });
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", |part| part)
    }

    /// Returns the parts before the object's own name: the table of a column, the schema of a type.
    #[must_use]
    pub fn qualifier(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        let count = self.parts.len().saturating_sub(1);
        self.parts[..count].iter().map(|part| &**part)
    }

    /// Returns all parts: `s`, `t` and `a` for `s.t.a`.
    #[must_use]
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.parts.iter().map(|part| &**part)
    }

    /// Returns whether this stands for all columns: `t.*` or `*`.
    #[must_use]
    pub fn is_star(&self) -> bool {
        self.is_star
    }

    /// Changes the object's own name. That of a star stays.
    ///
    /// ```
    /// let mut tree = pg_ast::parse("SELECT t.a, b.* FROM t, b")?;
    /// tree.walk_columns_mut(|column, _| column.set_name("c"));
    /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT t.c, b.* FROM t, b");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn set_name(&mut self, name: impl Into<String>) {
        if let Some(last) = self.parts.last_mut().filter(|_| !self.is_star) {
            *last = Cow::Owned(name.into());
        }
    }

    /// Replaces the parts before the object's own name. A place for one word, such as the column of an `INSERT`, has none:
    /// they are left out there.
    ///
    /// ```
    /// use pg_ast::NameKind;
    ///
    /// let mut tree = pg_ast::parse("SELECT f(a), now()")?;
    /// tree.walk_names_mut(|name, _| {
    ///     if name.kind() == NameKind::Function && name.name() == "f" {
    ///         name.set_qualifier(["app"]);
    ///     }
    /// });
    /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT app.f(a), now()");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn set_qualifier<S: Into<String>>(&mut self, qualifier: impl IntoIterator<Item = S>) {
        let last = self.parts.pop();
        self.parts.clear();
        self.parts.extend(qualifier.into_iter().map(|part| Cow::Owned(part.into())));
        self.parts.extend(last);
    }

    /// Returns the parts that are strings in a tree: not a star.
    pub(crate) fn strings(&self) -> &[Cow<'_, str>] {
        &self.parts[..self.parts.len() - usize::from(self.is_star && !self.parts.is_empty())]
    }
}

/// The parts, joined by dots, without quotes.
impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "." })?;
            f.write_str(part)?;
        }
        Ok(())
    }
}
