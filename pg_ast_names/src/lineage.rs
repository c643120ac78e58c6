//! Where the values of columns come from: the result of [`lineage`](crate::lineage()).

use core::fmt;
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::lineage_graph::{FlowGraph, FlowId};
use crate::resolution::ColumnOrigin;

/// What the columns of rows come from, which statements return, define or write: the result of [`lineage`](crate::lineage()).
///
/// It is a graph, whose size is that of the SQL; [`sources`](Self::sources) follows it for one column.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Lineage {
    /// The rows, in the order of the statements; within one, those of its `WITH` first, and those that it returns last.
    pub results: Vec<LineageResult>,
    pub(crate) graph: FlowGraph,
}

/// Rows that a statement returns, defines or writes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineageResult {
    /// What happens to them.
    pub kind: LineageKind,
    /// Their columns, in their order; of rows that are written, only those that get a value.
    pub columns: Vec<LineageColumn>,
    /// The index of the statement.
    pub stmt: usize,
    pub(crate) rows: FlowId,
}

/// What happens to rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LineageKind {
    /// The statement returns them.
    Returned,
    /// They are those of a view or a table that the statement defines, by the name that it has in the statement.
    Defined(QualifiedName),
    /// They are added to a table, or are rows of it that change.
    Written(QualifiedName),
}

impl LineageResult {
    /// Returns whether these are all columns, each with its name.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.columns.iter().all(|column| column.name.is_some())
    }
}

/// A column of a [`LineageResult`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineageColumn {
    /// Its name. `None` for what is known only in part: all columns of `*` that are not known, or the place in a table whose columns
    /// are not known.
    pub name: Option<Arc<str>>,
    pub(crate) node: FlowId,
}

/// Something that a value comes from, or that has an influence on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LineageSource {
    /// What it is.
    pub origin: LineageOrigin,
    /// How its value comes, or what its influence is.
    pub flows: Flows,
}

/// What a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LineageOrigin {
    /// A column of a table, or of a view whose query is not known.
    Column(ColumnOrigin),
    /// What neither the statement nor the catalog tells.
    Unknown(UnknownOrigin),
}

/// Why it cannot be told where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum UnknownOrigin {
    /// A name that may be a column of each of these, of which not all columns are known.
    OneOf {
        /// The name.
        column: String,
        /// Tables, and other items of a `FROM` by their names there, in their order: of more than 32, the innermost and last ones.
        candidates: Vec<QualifiedName>,
    },
    /// One or all of the columns of a table that are not known: those of `*` and of whole rows.
    ColumnsOf(QualifiedName),
    /// A column of a table that has another name here: which one is not known.
    Renamed {
        /// The table.
        table: QualifiedName,
        /// The name that the statement gives it.
        column: String,
    },
    /// The value that a column gets to which the statement assigns none.
    Default(ColumnOrigin),
    /// A name that means nothing: a [mistake](crate::Resolution::mistakes), or something that is not in the statement.
    Name(String),
}

/// How a value comes from another one, or what influence that has.
///
/// These are the transformations of [OpenLineage](https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet):
/// the first three are direct, the others indirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LineageFlow {
    /// It is the value itself.
    Identity,
    /// It is computed from it.
    Transformation,
    /// It is computed from the values of several rows.
    Aggregation,
    /// It decides which rows are joined.
    Join,
    /// It decides which rows are one: `GROUP BY`, `DISTINCT`, `UNION`.
    GroupBy,
    /// It decides which rows count: `WHERE`, `HAVING`, `LIMIT`, `FILTER`, `INTERSECT`.
    Filter,
    /// It decides about the order of rows.
    Sort,
    /// It decides about the rows of a window.
    Window,
    /// It decides which value is taken: a condition of `CASE`.
    Conditional,
}

impl LineageFlow {
    /// All of them, in their order.
    pub const ALL: [Self; 9] = [
        Self::Identity,
        Self::Transformation,
        Self::Aggregation,
        Self::Join,
        Self::GroupBy,
        Self::Filter,
        Self::Sort,
        Self::Window,
        Self::Conditional,
    ];

    /// Returns whether the value is made of the other one, and not only chosen by it.
    ///
    /// ```
    /// use pg_ast_names::LineageFlow;
    ///
    /// assert!(LineageFlow::Aggregation.is_direct());
    /// assert!(!LineageFlow::Filter.is_direct());
    /// ```
    #[must_use]
    pub const fn is_direct(self) -> bool {
        matches!(self, Self::Identity | Self::Transformation | Self::Aggregation)
    }

    /// Returns the name that OpenLineage has for it.
    ///
    /// ```
    /// use pg_ast_names::LineageFlow;
    ///
    /// assert_eq!(LineageFlow::GroupBy.name(), "GROUP_BY");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "IDENTITY",
            Self::Transformation => "TRANSFORMATION",
            Self::Aggregation => "AGGREGATION",
            Self::Join => "JOIN",
            Self::GroupBy => "GROUP_BY",
            Self::Filter => "FILTER",
            Self::Sort => "SORT",
            Self::Window => "WINDOW",
            Self::Conditional => "CONDITIONAL",
        }
    }

    /// Returns how a value comes that comes this way from one that comes another way.
    pub(crate) fn of(self, inner: Self) -> Self {
        match (self.is_direct(), inner.is_direct()) {
            (true, true) => self.max(inner),
            (true, false) => inner,
            (false, _) => self,
        }
    }
}

/// A set of [`LineageFlow`]s: a column can be in a result and in its `WHERE`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flows(u16);

impl Flows {
    pub(crate) fn add(&mut self, flow: LineageFlow) {
        self.0 |= 1 << flow as u16;
    }

    /// Returns whether this is one of them.
    #[must_use]
    pub const fn contains(self, flow: LineageFlow) -> bool {
        self.0 >> flow as u16 & 1 == 1
    }

    /// Returns all of them, in their order.
    pub fn iter(self) -> impl Iterator<Item = LineageFlow> + Clone {
        LineageFlow::ALL.into_iter().filter(move |flow| self.contains(*flow))
    }

    /// Returns whether one of them is direct.
    #[must_use]
    pub fn is_direct(self) -> bool {
        self.iter().any(LineageFlow::is_direct)
    }
}

impl fmt::Debug for Flows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Lineage {
    /// Returns what the values of a column come from, and what has an influence on them alone, such as the condition of a `CASE`:
    /// columns of tables in the order of their names, then what is not known.
    ///
    /// It takes time for what is between the column and its sources.
    ///
    /// ```
    /// use pg_ast_names::{LineageOrigin, NoCatalog, lineage};
    ///
    /// let tree = pg_ast::parse("WITH w AS (SELECT a + b AS c FROM t) SELECT c, a FROM w, u")?;
    /// let found = lineage(&tree, &NoCatalog);
    /// let [c, a] = &found.results[0].columns[..] else { panic!() };
    /// let sources = found.sources(c);
    /// let LineageOrigin::Column(column) = &sources[0].origin else { panic!() };
    /// assert_eq!((column.table.to_string(), &*column.column), ("t".to_owned(), "a"));
    /// assert_eq!(format!("{:?}", sources[0].flows), "{Transformation}");
    /// assert_eq!(sources.len(), 2);
    /// # let _ = a;
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn sources(&self, column: &LineageColumn) -> Vec<LineageSource> {
        self.graph.sources(column.node)
    }

    /// Returns what decides which rows there are, and in which order: all of it is indirect.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, lineage};
    ///
    /// let found = lineage(&pg_ast::parse("SELECT count(*) FROM t WHERE a > 1 GROUP BY b")?, &NoCatalog);
    /// let influences = found.influences(&found.results[0]);
    /// let flows: Vec<_> = influences.iter().map(|source| format!("{:?}", source.flows)).collect();
    /// assert_eq!(flows, ["{Filter}", "{GroupBy}"]);
    /// assert!(found.sources(&found.results[0].columns[0]).is_empty());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn influences(&self, result: &LineageResult) -> Vec<LineageSource> {
        self.graph.sources(result.rows)
    }
}

/// The forms in which results are serialized: with the sources of each column.
#[cfg(feature = "serde")]
mod written {
    use std::sync::Arc;

    use serde::ser::{Serialize, SerializeStruct as _, Serializer};

    use super::{Flows, Lineage, LineageKind, LineageSource};

    #[derive(serde::Serialize)]
    struct WrittenResult<'a> {
        kind: &'a LineageKind,
        columns: Vec<WrittenColumn<'a>>,
        influences: Vec<LineageSource>,
        stmt: usize,
    }

    #[derive(serde::Serialize)]
    struct WrittenColumn<'a> {
        name: Option<&'a Arc<str>>,
        sources: Vec<LineageSource>,
    }

    impl Serialize for Lineage {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let results = self.results.iter().map(|result| WrittenResult {
                kind: &result.kind,
                columns: result
                    .columns
                    .iter()
                    .map(|column| WrittenColumn {
                        name: column.name.as_ref(),
                        sources: self.sources(column),
                    })
                    .collect(),
                influences: self.influences(result),
                stmt: result.stmt,
            });
            let mut written = serializer.serialize_struct("Lineage", 1)?;
            written.serialize_field("results", &results.collect::<Vec<_>>())?;
            written.end()
        }
    }

    impl Serialize for Flows {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.iter())
        }
    }
}
