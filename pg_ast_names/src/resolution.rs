//! What names mean: the result of resolving them.

use core::ops::Range;
use std::collections::BTreeSet;
use std::sync::Arc;

use pg_ast::seam::lex;
use pg_ast::{Context, QualifiedName};

use crate::name_mistakes::NameMistake;

/// What the names of a tree mean: the result of [`resolve`](crate::resolve()).
///
/// The lists are in the order of the statements, and within one by the places in the SQL.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Resolution {
    /// What the columns come from: each item of a `FROM`, each target of a statement that writes.
    pub sources: Vec<ColumnSource>,
    /// The places that name a table, a view or another relation.
    pub tables: Vec<TableUse>,
    /// The places that name a column, or all columns (`*`).
    pub columns: Vec<ColumnUse>,
    /// The calls of functions.
    pub functions: Vec<FunctionUse>,
    /// The columns that each statement returns or defines; `None` if it is no query.
    pub outputs: Vec<Option<ColumnList>>,
    /// Names that mean nothing, or several things.
    pub mistakes: Vec<NameMistake>,
    /// The sources whose columns are not all known, in the order in which they came into scope.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) unknown: Vec<UnknownSource>,
    /// Where each query looks on, beyond its own sources.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) outer: Vec<Option<VisibleUnknown>>,
}

/// A source whose columns are not all known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownSource {
    pub(crate) source: usize,
    /// The item of the query's `FROM`.
    pub(crate) item: u32,
    /// The query, an index of [`Resolution::outer`].
    pub(crate) query: usize,
    /// The level of that query.
    pub(crate) level: u32,
    /// The one before it in the same query.
    pub(crate) before: Option<usize>,
}

/// The unknown sources that are visible at a place in one query: from this one back to the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VisibleUnknown {
    pub(crate) last: usize,
    pub(crate) first_item: u32,
}

/// What a name of several possible meanings can mean; [`Resolution::candidates`] lists it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidates {
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) unknown: VisibleUnknown,
    /// The level of the source that certainly has such a column: those of the same level or further out do not count.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) known_level: Option<u32>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) known: Option<SourceColumn>,
    /// The output column of that name.
    pub(crate) output: Option<usize>,
}

impl Candidates {
    /// Returns the output column of the query that the name can also mean, in a `GROUP BY`.
    #[must_use]
    pub fn output(&self) -> Option<usize> {
        self.output
    }
}

/// What columns come from: an item of a `FROM`, or the table that a statement writes to.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnSource {
    /// What it is.
    pub kind: SourceKind,
    /// The name by which columns are qualified: its alias, or its own name.
    pub name: Option<String>,
    /// Its columns, with aliases applied.
    pub columns: ColumnList,
    /// The byte offset at which it is named, if the tree has one.
    pub location: Option<usize>,
    /// The index of its node: [`ParseResult::node_at`](pg_ast::ParseResult::node_at) returns it.
    pub node: Option<usize>,
    /// The index of the node of its query, if it is one: that in brackets, or that of the `WITH`.
    pub query: Option<usize>,
    /// The index of the statement.
    pub stmt: usize,
}

/// What a [`ColumnSource`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SourceKind {
    /// A table, a view or another relation.
    Table(QualifiedName),
    /// A query of a `WITH`.
    Cte(String),
    /// A query or `VALUES` in brackets.
    Subquery,
    /// Functions, `XMLTABLE` or `JSON_TABLE`.
    Function,
    /// A join with an alias.
    Join,
    /// Another row of a table: `excluded`, `old` or `new`.
    RowOf(QualifiedName),
}

impl SourceKind {
    /// Returns the table that the columns are of.
    #[must_use]
    pub fn table(&self) -> Option<&QualifiedName> {
        match self {
            Self::Table(table) | Self::RowOf(table) => Some(table),
            _ => None,
        }
    }
}

/// The names of columns, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ColumnList {
    pub(crate) names: Arc<[Arc<str>]>,
    pub(crate) is_complete: bool,
}

impl ColumnList {
    /// Returns the names.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.names.iter().map(|name| &**name)
    }

    /// Returns whether these are all columns: not if the columns of a table are not known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

/// A column of a [`ColumnSource`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SourceColumn {
    /// The index of the source in [`Resolution::sources`].
    pub source: usize,
    /// Its place among the columns of the source; `None` for a system column, and for one of a table whose columns are not known.
    pub index: Option<usize>,
    /// The name that the column has there.
    pub name: Arc<str>,
    /// The column of a table or of a composite type that it is: it has another name if the source renames it. `None` for those of
    /// queries and of functions.
    pub origin: Option<ColumnOrigin>,
}

/// A column of a table or of a composite type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnOrigin {
    /// The table or the type.
    pub table: Arc<QualifiedName>,
    /// The name of the column there.
    pub column: Arc<str>,
}

impl ColumnOrigin {
    /// Names a column of a table or of a composite type.
    #[must_use]
    pub fn new(table: Arc<QualifiedName>, column: Arc<str>) -> Self {
        Self { table, column }
    }
}

/// A place that names a column.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnUse {
    /// The parts of the name; the last one is `*` for all columns.
    pub names: Vec<String>,
    /// What it means.
    pub meaning: ColumnMeaning,
    /// The byte offset of the name, if the tree has one.
    pub location: Option<usize>,
    /// The index of the node: [`ParseResult::node_at`](pg_ast::ParseResult::node_at) returns it.
    pub node: Option<usize>,
    /// The index of the statement.
    pub stmt: usize,
}

/// What the name of a column means.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ColumnMeaning {
    /// A column of a source.
    Column(SourceColumn),
    /// A column of each of two sources, for a name in `USING`.
    Both(Vec<SourceColumn>),
    /// The whole row of a source, an index of [`Resolution::sources`].
    Row(usize),
    /// All columns, in their order.
    All(Vec<StarPart>),
    /// A column that the query returns, counted from 0: in `ORDER BY`, `GROUP BY` and `DISTINCT ON`.
    Output(usize),
    /// A field of a value of a composite type.
    Field(QualifiedName, String),
    /// A parameter of the function, or a variable.
    Variable(String),
    /// A column of one of several sources, whose columns are not known; [`Resolution::candidates`] lists them.
    OneOf(Candidates),
    /// A table's columns are not named here, or the name is a mistake.
    Unknown,
}

/// What a `*` stands for, in part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum StarPart {
    /// A column.
    Column(SourceColumn),
    /// All columns of a source that does not show them, by its index in [`Resolution::sources`].
    AllOf(usize),
}

/// A place that names a table, a view or another relation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TableUse {
    /// The name as it was written.
    pub name: QualifiedName,
    /// What it means.
    pub meaning: TableMeaning,
    /// Why it is named, as in [`Analysis`](pg_ast::Analysis). What a statement defines has the [meaning](Self::meaning)
    /// [`New`](TableMeaning::New) as well.
    pub context: Context,
    /// The source that it is, if columns can come from it: an index of [`Resolution::sources`].
    pub source: Option<usize>,
    /// The byte offset of the name, if the tree has one.
    pub location: Option<usize>,
    /// The index of the node: [`ParseResult::node_at`](pg_ast::ParseResult::node_at) returns it.
    pub node: Option<usize>,
    /// The index of the statement.
    pub stmt: usize,
}

/// What the name of a table means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum TableMeaning {
    /// A relation of the catalog.
    Relation(QualifiedName),
    /// A query of a `WITH`.
    Cte(String),
    /// A relation that the catalog does not know, nor rule out.
    Unknown,
    /// There is none; a [mistake](Resolution::mistakes) says so.
    Missing,
    /// The name is that of something new.
    New,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FunctionUse {
    /// The name as it was written.
    pub name: QualifiedName,
    /// What it means.
    pub meaning: FunctionMeaning,
    /// The number of arguments; `None` where a function is only named.
    pub arguments: Option<usize>,
    /// The byte offset of the name, if the tree has one.
    pub location: Option<usize>,
    /// The index of the node: [`ParseResult::node_at`](pg_ast::ParseResult::node_at) returns it.
    pub node: Option<usize>,
    /// The index of the statement.
    pub stmt: usize,
}

/// What the name of a function means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum FunctionMeaning {
    /// A function of the catalog, or several that differ in the types of their parameters.
    Function(QualifiedName),
    /// A function that the catalog does not know, nor rule out.
    Unknown,
    /// There is none; a [mistake](Resolution::mistakes) says so.
    Missing,
}

impl Resolution {
    /// Returns the sources that a name can be a column of: one if that is certain, none if it is no column of a source.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, resolve};
    ///
    /// let tree = pg_ast::parse("SELECT a.id, total FROM a JOIN b ON a.id = b.id")?;
    /// let names = resolve(&tree, &NoCatalog);
    /// let of = |index: usize| {
    ///     let sources = names.candidates(&names.columns[index]);
    ///     sources.map(|source| names.sources[source].name.clone().unwrap()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(of(0), ["a"]);
    /// assert_eq!(of(1), ["b", "a"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn candidates<'a>(&'a self, column: &'a ColumnUse) -> impl Iterator<Item = usize> + 'a {
        let (mut next, mut known) = (None, None);
        let mut several: &[SourceColumn] = &[];
        let mut stars: &[StarPart] = &[];
        let mut until = None;
        match &column.meaning {
            ColumnMeaning::Column(column) => known = Some(column.source),
            ColumnMeaning::Row(source) => known = Some(*source),
            ColumnMeaning::Both(both) => several = both,
            ColumnMeaning::All(parts) => stars = parts,
            ColumnMeaning::OneOf(one) => {
                next = Some(one.unknown);
                until = one.known_level;
                known = one.known.as_ref().map(|known| known.source);
            }
            _ => {}
        }
        let mut last_star = None;
        let stars = stars.iter().filter_map(move |part| {
            let source = match part {
                StarPart::Column(column) => column.source,
                StarPart::AllOf(source) => *source,
            };
            // Columns of a source are next to each other.
            (last_star.replace(source) != Some(source)).then_some(source)
        });
        let unknown = core::iter::from_fn(move || {
            loop {
                let VisibleUnknown { last, first_item } = next?;
                let one = self.unknown.get(last)?;
                if until.is_some_and(|until| one.level <= until) {
                    next = None;
                    return None;
                }
                let is_visible = one.item >= first_item;
                next = match one.before {
                    Some(last) if is_visible => Some(VisibleUnknown { last, first_item }),
                    _ => self.outer.get(one.query).copied().flatten(),
                };
                if is_visible {
                    return Some(one.source);
                }
            }
        });
        unknown.chain(known).chain(several.iter().map(|column| column.source)).chain(stars)
    }

    /// Returns the columns of tables that the statements use, each once: those of `*` as well. Of a table whose columns are not
    /// known, and that is one of several, none is listed.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, resolve};
    ///
    /// let tree = pg_ast::parse("SELECT x.b FROM (SELECT a AS b FROM s.t) AS x")?;
    /// let used: Vec<_> = resolve(&tree, &NoCatalog)
    ///     .columns_of_tables()
    ///     .into_iter()
    ///     .map(|(table, column)| format!("{table}.{column}"))
    ///     .collect();
    /// assert_eq!(used, ["s.t.a"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn columns_of_tables(&self) -> BTreeSet<(QualifiedName, String)> {
        self.columns.iter().flat_map(Self::columns_of).collect()
    }

    /// Returns the columns of tables that a use means for certain.
    pub(crate) fn columns_of(column: &ColumnUse) -> Vec<(QualifiedName, String)> {
        let of_source = |column: &SourceColumn| {
            let origin = column.origin.as_ref()?;
            Some(((*origin.table).clone(), origin.column.to_string()))
        };
        match &column.meaning {
            ColumnMeaning::Column(column) => of_source(column).into_iter().collect(),
            ColumnMeaning::Both(both) => both.iter().filter_map(of_source).collect(),
            ColumnMeaning::All(parts) => {
                let columns = parts.iter().filter_map(|part| match part {
                    StarPart::Column(column) => of_source(column),
                    StarPart::AllOf(_) => None,
                });
                columns.collect()
            }
            ColumnMeaning::Field(of, field) => vec![(of.clone(), field.clone())],
            _ => Vec::new(),
        }
    }
}

/// Returns the range of one part of a name with dots, which starts at a place in the SQL.
pub(crate) fn part_range(sql: &str, start: usize, part: usize) -> Option<Range<usize>> {
    let mut at = start;
    for index in 0..=part {
        at = after_blanks(sql, at);
        let end = at + lex::name(sql.get(at..)?)?;
        if index == part {
            return Some(at..end);
        }
        at = after_blanks(sql, end);
        at += sql.get(at..)?.starts_with('.').then_some(1)?;
    }
    None
}

/// Returns the place after blanks and comments.
fn after_blanks(sql: &str, mut at: usize) -> usize {
    loop {
        let rest = sql.get(at..).unwrap_or_default();
        at += match lex::blank_lines(rest) {
            0 if rest.starts_with("/*") => lex::comment(rest).unwrap_or(rest.len()),
            0 => return at,
            blanks => blanks,
        };
    }
}
