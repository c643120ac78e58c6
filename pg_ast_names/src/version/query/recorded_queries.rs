//! What is kept of queries while they are resolved: for the values of columns, and for where these come from.

use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::joined_columns::MergedMeant;
use super::lookup::column_names::NamedColumns;
use super::pg::protobuf::JoinType;
use super::pg::seam::address;
use super::pg::view::{JoinExpr, Node};
use crate::resolution::SourceColumn;

/// The columns that a `SELECT` or a `RETURNING` returns.
pub(crate) struct ReturnedColumns<'a> {
    pub(crate) columns: Rc<NamedColumns<'a>>,
    /// The items of the target list, by the place of their column.
    pub(crate) values: Vec<Option<Node<'a>>>,
    /// The columns of sources that they are.
    pub(crate) origins: Vec<Option<SourceColumn>>,
    /// The sources of which all columns are returned, but are not known; `None` for others that are not known.
    pub(crate) others: Vec<Option<usize>>,
}

/// The query that a source is.
#[derive(Clone, Copy)]
pub(crate) struct SourceQuery<'a> {
    pub(crate) query: Node<'a>,
    /// Whether its columns get other names.
    pub(crate) has_names: bool,
    /// Whether it is one of a `WITH`, which others can name as well.
    pub(crate) is_cte: bool,
}

/// Where a query has the column of a source.
pub(crate) enum ReturnedAs {
    /// At this place.
    Place(usize),
    /// It is a column of this source of its own, all of which it returns.
    Column(usize, Arc<str>),
}

/// What is kept. Sources are indexes, nodes are known by their addresses.
#[derive(Default)]
pub(crate) struct RecordedQueries<'a> {
    columns: HashMap<*const u8, ReturnedColumns<'a>>,
    /// The columns of `VALUES`.
    values: HashMap<*const u8, Rc<NamedColumns<'a>>>,
    queries: HashMap<*const u8, Range<usize>>,
    joins: HashMap<*const u8, [Range<usize>; 2]>,
    /// The columns that both arms of a join have.
    merged: HashMap<*const u8, Vec<MergedMeant>>,
    /// Where in the columns of a source those of each of its functions end.
    functions: HashMap<usize, Vec<usize>>,
    of_sources: HashMap<usize, SourceQuery<'a>>,
    /// Tables whose columns get other names.
    renamed: HashSet<usize>,
    /// How often the query of a `WITH` is named.
    uses: HashMap<*const u8, usize>,
    /// The sources in joins whose columns are those of either arm: `FULL JOIN .. USING`.
    either: Vec<Range<usize>>,
    /// Those in `NATURAL` joins.
    natural: Vec<Range<usize>>,
}

impl<'a> RecordedQueries<'a> {
    /// Adds the sources of a query.
    pub(crate) fn add_query(&mut self, query: Node<'a>, sources: Range<usize>) {
        self.queries.insert(address(query), sources);
    }

    pub(crate) fn add_columns(&mut self, query: Node<'a>, columns: ReturnedColumns<'a>) {
        self.columns.insert(address(query), columns);
    }

    pub(crate) fn add_values(&mut self, values: Node<'a>, columns: Rc<NamedColumns<'a>>) {
        self.values.insert(address(values), columns);
    }

    /// Adds where the columns of each function of a source end.
    pub(crate) fn add_functions(&mut self, source: usize, ends: Vec<usize>) {
        self.functions.insert(source, ends);
    }

    /// Adds the columns that both arms of a join have.
    pub(crate) fn add_merged(&mut self, join: JoinExpr<'a>, merged: Vec<MergedMeant>) {
        self.merged.insert(address(join.into()), merged);
    }

    /// Adds the sources of both arms of a join.
    pub(crate) fn add_join(&mut self, join: JoinExpr<'a>, arms: [Range<usize>; 2]) {
        let is_full = join.jointype() == JoinType::JoinFull;
        if is_full && (join.is_natural() || !join.using_clause().is_empty()) {
            self.either.push(arms[0].start..arms[1].end);
        }
        if join.is_natural() {
            self.natural.push(arms[0].start..arms[1].end);
        }
        self.joins.insert(address(join.into()), arms);
    }

    /// Adds a table whose columns get other names.
    pub(crate) fn add_renamed(&mut self, source: usize) {
        self.renamed.insert(source);
    }

    pub(crate) fn add_source(&mut self, source: usize, query: SourceQuery<'a>) {
        if query.is_cte {
            *self.uses.entry(address(query.query)).or_default() += 1;
        }
        self.of_sources.insert(source, query);
    }

    /// Returns the sources of a query.
    pub(crate) fn sources_of(&self, query: Node<'_>) -> Range<usize> {
        self.queries.get(&address(query)).cloned().unwrap_or(0..0)
    }

    /// Returns the sources of both arms of a join.
    pub(crate) fn arms_of(&self, join: JoinExpr<'_>) -> [Range<usize>; 2] {
        self.joins.get(&address(join.into())).cloned().unwrap_or([0..0, 0..0])
    }

    /// Returns the columns that both arms of a join have.
    pub(crate) fn merged_in(&self, join: JoinExpr<'_>) -> &[MergedMeant] {
        self.merged.get(&address(join.into())).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn columns_of<'n>(
        &self,
        query: impl Into<Node<'n>>,
    ) -> Option<&ReturnedColumns<'a>> {
        self.columns.get(&address(query.into()))
    }

    /// Returns the columns of `VALUES`.
    pub(crate) fn values_of(&self, values: Node<'_>) -> Option<&Rc<NamedColumns<'a>>> {
        self.values.get(&address(values))
    }

    /// Returns where in the columns of a source those of each of its functions end.
    pub(crate) fn functions_of(&self, source: usize) -> &[usize] {
        self.functions.get(&source).map_or(&[], Vec::as_slice)
    }

    /// Returns where the query that a source is has a column of it.
    pub(crate) fn returned_as(
        &self,
        columns: &NamedColumns<'_>,
        name: &str,
        of: SourceQuery<'_>,
    ) -> Option<ReturnedAs> {
        let known = columns.open_at.unwrap_or(usize::MAX);
        match columns.find(name) {
            Some((_, true)) => return None,
            Some((place, _)) if place < known => return Some(ReturnedAs::Place(place)),
            _ if of.has_names => return None,
            _ => {}
        }
        // Behind columns that are not known, a name says more than a place.
        let returned = self.columns_of(of.query)?;
        match (returned.columns.find(name), returned.others.as_slice()) {
            (Some((place, false)), _) => Some(ReturnedAs::Place(place)),
            (None, [Some(inner)]) => Some(ReturnedAs::Column(*inner, Arc::from(name))),
            _ => None,
        }
    }

    /// Returns whether columns of a source get other names.
    pub(crate) fn has_names(&self, source: usize) -> bool {
        self.renamed.contains(&source)
    }

    /// Returns the query that a source is.
    pub(crate) fn query_of(&self, source: usize) -> Option<SourceQuery<'a>> {
        self.of_sources.get(&source).copied()
    }

    /// Returns whether nothing else reads the query of a source.
    pub(crate) fn is_only_use(&self, query: SourceQuery<'_>) -> bool {
        !query.is_cte || self.uses.get(&address(query.query)) == Some(&1)
    }

    /// Returns for each source whether its columns may be those of another one as well.
    pub(crate) fn shared_sources(&self, count: usize) -> Vec<bool> {
        Self::covered(&self.either, count)
    }

    /// Returns for each source whether it is in a `NATURAL` join.
    pub(crate) fn natural_sources(&self, count: usize) -> Vec<bool> {
        Self::covered(&self.natural, count)
    }

    fn covered(ranges: &[Range<usize>], count: usize) -> Vec<bool> {
        let mut changes = vec![0_isize; count + 1];
        for range in ranges {
            changes[range.start.min(count)] += 1;
            changes[range.end.min(count)] -= 1;
        }
        let mut depth = 0;
        let depths = changes.iter().take(count).map(|change| {
            depth += change;
            depth > 0
        });
        depths.collect()
    }
}
