//! Which columns of queries can be NULL: a walk after the one that finds types, since it needs to know what calls mean.

use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pg_ast::QualifiedName;
use pg_ast_names::{
    Catalog, ColumnMeaning, ColumnUse, Relation, RelationKind, Relationship, SourceColumn,
    SourceKind, StarPart,
};

use super::call_facts::CallFacts;
use super::pg::seam::address;
use super::pg::view::Node;
use super::pg_names::types_seam::{self, PlacedColumn, ResolvedNames};
use crate::nullability::Nullability::{self, NotNull, Nullable};
use crate::nullability::{NotNullReason, NullableReason};

/// The columns of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct NullColumns {
    pub(super) columns: Vec<Nullability>,
    /// Where there may be others.
    pub(super) open_at: Option<usize>,
}

impl NullColumns {
    pub(super) fn get(&self, index: usize) -> Nullability {
        let is_placed = self.open_at.is_none_or(|open_at| index < open_at);
        self.columns.get(index).copied().filter(|_| is_placed).unwrap_or_default()
    }

    pub(super) fn open_here(&mut self) {
        self.open_at.get_or_insert(self.columns.len());
    }
}

/// The state of the walk.
pub(super) struct NullWalk<'w, 'a> {
    pub(super) names: &'w ResolvedNames<'a>,
    pub(super) catalog: &'w dyn Catalog,
    pub(super) calls: &'w HashMap<*const u8, CallFacts>,
    /// The columns of queries that have been read, by their addresses.
    pub(super) queries: HashMap<*const u8, Rc<NullColumns>>,
    pub(super) begun: HashSet<*const u8>,
    /// The sources whose row may be missing as one, by outer joins, each with the number of its join.
    pub(super) missing: Vec<(usize, Range<usize>)>,
    /// How many outer joins there are so far.
    pub(super) joins: usize,
    /// The columns of rows that are there and that a condition has found not to be NULL.
    pub(super) conditions: HashSet<PlacedColumn>,
    /// Both columns of a `FULL JOIN .. USING`, by the one that stands for them, with the number of the join.
    pub(super) either: HashMap<PlacedColumn, (usize, Nullability)>,
    /// The columns of functions, `VALUES` and the like.
    pub(super) of_sources: HashMap<usize, Rc<NullColumns>>,
    /// Whether the columns that are read now can be NULL for a grouping set, and whether each group has a row.
    pub(super) has_grouping_sets: bool,
    pub(super) has_groups: bool,
    /// Tables whose columns are NOT NULL in all tables that inherit from them, or not.
    inherited: HashMap<(QualifiedName, usize), bool>,
}

impl<'w, 'a> NullWalk<'w, 'a> {
    pub(super) fn new(
        names: &'w ResolvedNames<'a>,
        catalog: &'w dyn Catalog,
        calls: &'w HashMap<*const u8, CallFacts>,
    ) -> Self {
        Self {
            names,
            catalog,
            calls,
            queries: HashMap::new(),
            begun: HashSet::new(),
            missing: Vec::new(),
            joins: 0,
            conditions: HashSet::new(),
            either: HashMap::new(),
            of_sources: HashMap::new(),
            has_grouping_sets: false,
            has_groups: false,
            inherited: HashMap::new(),
        }
    }

    pub(super) fn facts(&self, node: Node<'a>) -> Option<CallFacts> {
        self.calls.get(&address(node)).copied()
    }

    /// Returns the place of the column that a name is.
    pub(super) fn placed(&self, node: Node<'a>) -> Option<PlacedColumn> {
        let used = self.names.columns_at(node).next()?;
        let ColumnMeaning::Column(SourceColumn { source, index: Some(index), .. }) = &used.meaning
        else {
            return None;
        };
        Some((*source, *index))
    }

    /// Whether the row of a source may be missing in a join behind one of this number.
    fn is_missing(&self, source: usize, behind: usize) -> bool {
        self.missing.iter().any(|(join, range)| *join > behind && range.contains(&source))
    }

    /// A condition is true only if a column is not NULL, so its row is there.
    pub(super) fn is_there(&mut self, column: PlacedColumn) {
        if self.either.contains_key(&column) {
            return;
        }
        self.missing.retain(|(_, range)| !range.contains(&column.0));
        self.conditions.insert(column);
    }

    /// Returns whether a column of a source can be NULL.
    pub(super) fn column(&mut self, column: PlacedColumn, is_qualified: bool) -> Nullability {
        let (source, index) = column;
        if let Some((join, either)) = self.either.get(&column).filter(|_| !is_qualified) {
            let is_missing = self.is_missing(source, *join);
            return if is_missing { Nullable(NullableReason::OuterJoin) } else { *either };
        }
        if self.is_missing(source, 0) {
            return Nullable(NullableReason::OuterJoin);
        }
        if self.conditions.contains(&column) {
            return NotNull(NotNullReason::Condition);
        }
        if let Some(query) = self.names.query_of(source) {
            return self.query(query).get(index);
        }
        if let Some(columns) = self.of_sources.get(&source) {
            return columns.get(index);
        }
        let kind = self.names.found().sources.get(source).map(|it| &it.kind);
        if !matches!(kind, Some(SourceKind::Table(_))) {
            return Nullability::default();
        }
        match self.names.relation_of(source) {
            Some(relation) => self.column_of_relation(relation, index),
            None => Nullability::default(),
        }
    }

    fn column_of_relation(&mut self, relation: &Relation, index: usize) -> Nullability {
        let Some(column) = relation.columns.get(index) else { return Nullability::default() };
        if relation.kind != RelationKind::Table {
            return Nullable(NullableReason::View);
        }
        if relation.is_foreign || !column.is_not_null {
            // Nobody checks what is elsewhere.
            return Nullable(NullableReason::Column);
        }
        if self.is_not_null_below(relation, index) {
            NotNull(NotNullReason::Column)
        } else {
            Nullable(NullableReason::Column)
        }
    }

    /// Whether a column is NOT NULL in all tables that inherit from its table: since version 18, it need not be.
    fn is_not_null_below(&mut self, relation: &Relation, index: usize) -> bool {
        let key = (relation.name.clone(), index);
        if let Some(known) = self.inherited.get(&key) {
            return *known;
        }
        let name = relation.columns.get(index).map(|column| column.name.clone());
        let mut stack = vec![relation.name.clone()];
        let mut seen = HashSet::new();
        let mut is_not_null = true;
        while let Some(parent) = stack.pop() {
            let children = self.catalog.related(&parent, Relationship::Children);
            for child in children.into_iter().flatten() {
                if !seen.insert(child.clone()) {
                    continue;
                }
                let schema = child.schema.as_deref().unwrap_or_default();
                let table = types_seam::relation(self.catalog, schema, &child.name);
                let mut columns = table.into_iter().flat_map(|table| &table.columns);
                let column = columns.find(|column| Some(&column.name) == name.as_ref());
                is_not_null &= column.is_some_and(|column| column.is_not_null)
                    && table.is_some_and(|table| !table.is_foreign);
                stack.push(child);
            }
        }
        self.inherited.insert(key, is_not_null);
        is_not_null
    }

    /// Returns whether what a name means can be NULL.
    pub(super) fn name(&mut self, node: Node<'a>) -> Nullability {
        if self.has_grouping_sets {
            return Nullable(NullableReason::GroupingSets);
        }
        let names = self.names;
        let Some(used) = names.columns_at(node).next() else { return Nullability::default() };
        match &used.meaning {
            ColumnMeaning::Column(column) => self.used_column(used, column),
            ColumnMeaning::Field(..) => Nullable(NullableReason::Part),
            _ => Nullability::default(),
        }
    }

    /// Returns whether a column can be NULL where a name means it.
    fn used_column(&mut self, used: &ColumnUse, column: &SourceColumn) -> Nullability {
        let Some(index) = column.index else { return Nullability::default() };
        let placed = (column.source, index);
        let is_qualified = self.is_qualified(used, column.source);
        // By the alias of a join, it is the column of that one, and not of those around it.
        if !is_qualified && used.names.len() > 1 && self.either.contains_key(&placed) {
            return Nullable(NullableReason::OuterJoin);
        }
        self.column(placed, is_qualified)
    }

    /// Whether a name begins with that of the source itself: then it is its column, also where a join has merged it.
    fn is_qualified(&self, used: &ColumnUse, source: usize) -> bool {
        let qualifier = used.names.len().checked_sub(2).and_then(|at| used.names.get(at));
        let name = self.names.found().sources.get(source).and_then(|it| it.name.as_ref());
        qualifier.is_some() && qualifier == name
    }

    /// Appends the columns that a star stands for.
    pub(super) fn star(&mut self, node: Node<'a>, columns: &mut NullColumns) {
        let names = self.names;
        let used = names.columns_at(node).find(|it| matches!(it.meaning, ColumnMeaning::All(_)));
        let Some(used) = used else { return columns.open_here() };
        let ColumnMeaning::All(parts) = &used.meaning else { return columns.open_here() };
        for part in parts {
            let StarPart::Column(column) = part else {
                columns.open_here();
                continue;
            };
            let column = if self.has_grouping_sets {
                Nullable(NullableReason::GroupingSets)
            } else {
                self.used_column(used, column)
            };
            columns.columns.push(column);
        }
    }
}
