//! The columns of joins: which are one in both arms, and what a star stands for.

use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::lookup::visible_names::{FoundName, Meant};
use super::pg::view::Node;
use super::resolver::NameResolver;
use crate::name_mistakes::MistakeKind;
use crate::resolution::{ColumnMeaning, StarPart};

/// An item of a `FROM`, or a join of two.
pub(crate) enum JoinNode {
    Item(usize),
    Join {
        left: Option<usize>,
        right: Option<usize>,
        merged: Vec<MergedColumn>,
        /// At least the number of its columns.
        size: usize,
    },
}

/// A column of both arms.
pub(crate) struct MergedColumn {
    name: Arc<str>,
    meant: Meant,
    /// Whether it is merged again, in a join around this one.
    is_hidden: bool,
}

/// What a column of both arms means in each, and in the join.
pub(crate) struct MergedMeant {
    pub(crate) name: Arc<str>,
    pub(crate) arms: [Option<Meant>; 2],
    pub(crate) kept: Option<Meant>,
}

/// The joins that were found.
#[derive(Default)]
pub(crate) struct Joins {
    nodes: Vec<JoinNode>,
    /// The columns that are not shown, since they are merged.
    hidden: HashSet<Meant>,
    /// Where a merged column is, by what it means.
    merged: HashMap<Meant, (usize, usize)>,
}

impl Joins {
    fn hide(&mut self, meant: Meant) {
        if let Some((node, index)) = self.merged.get(&meant)
            && let Some(JoinNode::Join { merged, .. }) = self.nodes.get_mut(*node)
            && let Some(column) = merged.get_mut(*index)
        {
            column.is_hidden = true;
            return;
        }
        self.hidden.insert(meant);
    }
}

/// What a star shows, one after the other.
#[derive(Clone)]
enum StarColumn {
    Column(Arc<str>, Meant),
    /// Columns that are not known.
    Others(usize),
}

impl<'a> NameResolver<'a> {
    pub(crate) fn add_join_node(&mut self, node: JoinNode) -> usize {
        self.joins.nodes.push(node);
        self.joins.nodes.len() - 1
    }

    fn size_of(&self, node: Option<usize>) -> usize {
        match node.and_then(|node| self.joins.nodes.get(node)) {
            Some(JoinNode::Item(source)) => self.sources[*source].columns.columns.len() + 1,
            Some(JoinNode::Join { size, .. }) => *size,
            None => 0,
        }
    }

    pub(crate) fn add_join(
        &mut self,
        left: Option<usize>,
        right: Option<usize>,
        merged: Vec<(Arc<str>, Meant)>,
    ) -> usize {
        let size = self.size_of(left).saturating_add(self.size_of(right));
        let node = self.joins.nodes.len();
        let merged = merged.into_iter().enumerate().map(|(index, (name, meant))| {
            self.joins.merged.insert(meant, (node, index));
            MergedColumn { name, meant, is_hidden: false }
        });
        let merged = merged.collect();
        self.add_join_node(JoinNode::Join { left, right, merged, size })
    }

    pub(crate) fn merged_columns(&self, node: usize) -> Vec<NamedColumn<'a>> {
        let Some(JoinNode::Join { merged, .. }) = self.joins.nodes.get(node) else {
            return Vec::new();
        };
        let columns = merged.iter().map(|column| NamedColumn {
            meant: Some(self.base(column.meant)),
            ..NamedColumn::new(column.name.clone())
        });
        columns.collect()
    }

    /// Calls `f` with what a star shows of items and joins. It ends when `f` returns false.
    fn each_shown(&self, nodes: &[usize], mut f: impl FnMut(StarColumn) -> bool) {
        let mut stack: Vec<usize> = nodes.iter().rev().copied().collect();
        while let Some(node) = stack.pop() {
            match self.joins.nodes.get(node) {
                Some(JoinNode::Item(source)) if !self.each_of_source(*source, &mut f) => return,
                Some(JoinNode::Join { left, right, merged, .. }) => {
                    for column in merged.iter().filter(|column| !column.is_hidden) {
                        if !f(StarColumn::Column(column.name.clone(), column.meant)) {
                            return;
                        }
                    }
                    stack.extend(right.iter().chain(left));
                }
                Some(JoinNode::Item(_)) | None => {}
            }
        }
    }

    fn each_of_source(&self, source: usize, f: &mut impl FnMut(StarColumn) -> bool) -> bool {
        let Some(state) = self.sources.get(source) else { return true };
        let columns = &state.columns;
        let end = columns.columns.len().saturating_sub(columns.not_in_star);
        for (index, column) in columns.columns.iter().take(end).enumerate() {
            let meant = Meant::Column { source, index };
            if columns.open_at == Some(index) && !f(StarColumn::Others(source)) {
                return false;
            }
            if !self.joins.hidden.contains(&meant)
                && !f(StarColumn::Column(column.name.clone(), meant))
            {
                return false;
            }
        }
        columns.open_at.is_none_or(|at| at < end) || f(StarColumn::Others(source))
    }

    /// Returns the columns of items and joins.
    pub(crate) fn joined(&self, nodes: &[usize]) -> NamedColumns<'a> {
        let mut columns = NamedColumns::default();
        self.each_shown(nodes, |shown| {
            match shown {
                StarColumn::Column(name, meant) => {
                    let row = self.row_of_meant(meant);
                    let meant = Some(self.base(meant));
                    columns.push(NamedColumn { row, meant, ..NamedColumn::new(name) });
                }
                StarColumn::Others(_) => columns.open_here(),
            }
            true
        });
        columns
    }

    fn row_of_meant(&self, meant: Meant) -> Option<super::lookup::column_names::RowType<'a>> {
        let Meant::Column { source, index } = meant else { return None };
        self.sources.get(source)?.columns.columns.get(index)?.row.clone()
    }

    /// Appends what a star stands for to the columns of a query, up to `most` of them. Returns its parts.
    pub(crate) fn star(
        &self,
        of: Result<&[usize], usize>,
        most: usize,
        columns: &mut NamedColumns<'a>,
    ) -> (Vec<StarPart>, bool) {
        let mut parts = Vec::new();
        let mut fits = true;
        let mut add = |shown: StarColumn| {
            if columns.columns.len() >= most {
                fits = false;
                return false;
            }
            match shown {
                StarColumn::Column(name, meant) => {
                    if let Meant::Column { source, index } = meant
                        && let Some(column) = self.source_column(source, index)
                    {
                        parts.push(StarPart::Column(column));
                    }
                    let row = self.row_of_meant(meant);
                    columns.push(NamedColumn { row, ..NamedColumn::new(name) });
                }
                StarColumn::Others(source) => {
                    parts.push(StarPart::AllOf(source));
                    columns.open_here();
                }
            }
            true
        };
        match of {
            Ok(nodes) => self.each_shown(nodes, add),
            Err(source) => {
                // A name before the star shows merged columns as well.
                self.each_named(source, &mut add);
            }
        }
        (parts, fits)
    }

    fn each_named(&self, source: usize, f: &mut impl FnMut(StarColumn) -> bool) {
        let Some(state) = self.sources.get(source) else { return };
        let columns = &state.columns;
        let end = columns.columns.len().saturating_sub(columns.not_in_star);
        for (index, column) in columns.columns.iter().take(end).enumerate() {
            let meant = Meant::Column { source, index };
            if columns.open_at == Some(index) && !f(StarColumn::Others(source)) {
                return;
            }
            if !f(StarColumn::Column(column.name.clone(), meant)) {
                return;
            }
        }
        if columns.open_at.is_some_and(|at| at >= end) {
            f(StarColumn::Others(source));
        }
    }

    /// Returns the columns that both arms of a `NATURAL` join have.
    pub(crate) fn natural(
        &mut self,
        left: usize,
        right: usize,
        [left_items, right_items]: [Range<u32>; 2],
        keep_right: bool,
    ) -> Vec<MergedMeant> {
        // The smaller arm is gone through, so that many joins take no longer.
        let is_left = self.size_of(Some(left)) <= self.size_of(Some(right));
        let (arm, others) = if is_left { (left, right_items) } else { (right, left_items) };
        let mut columns = Vec::new();
        self.each_shown(&[arm], |shown| {
            if let StarColumn::Column(name, meant) = shown {
                columns.push((name, meant));
            }
            true
        });
        let mut both = Vec::new();
        for (name, meant) in columns {
            let Some(found) = self.names.column_among(others.clone(), &name) else { continue };
            let pair = if is_left { (meant, found.meant) } else { (found.meant, meant) };
            both.push((name, pair.0, pair.1));
        }
        if !is_left {
            both.sort_by_key(|(_, left, _)| match left {
                Meant::Column { source, index } => (*source, *index),
                _ => (usize::MAX, 0),
            });
        }
        let mut merged = Vec::new();
        for (name, left, right) in both {
            self.joins.hide(left);
            self.joins.hide(right);
            let pair = [left, right].into_iter().filter_map(|meant| match meant {
                Meant::Column { source, index } => self.source_column(source, index),
                _ => None,
            });
            let pair = pair.collect();
            self.found.columns.push(crate::resolution::ColumnUse {
                names: vec![name.to_string()],
                meaning: ColumnMeaning::Both(pair),
                location: None,
                node: None,
                stmt: self.stmt,
            });
            let kept = Some(if keep_right { right } else { left });
            merged.push(MergedMeant { name, arms: [Some(left), Some(right)], kept });
        }
        merged
    }

    /// Resolves a name in `USING`: a column of both arms.
    pub(crate) fn using(
        &mut self,
        node: Node<'a>,
        arms: [Range<u32>; 2],
        keep_right: bool,
    ) -> Option<MergedMeant> {
        let name = node.as_str()?;
        let shared: Arc<str> = Arc::from(name);
        let mut meant = [None, None];
        for (place, items) in arms.into_iter().enumerate() {
            let side = ["left", "right"][place];
            match self.names.column_among(items.clone(), name) {
                Some(FoundName { is_ambiguous: true, .. }) => {
                    let message = format!(
                        "common column name \"{name}\" appears more than once in {side} table"
                    );
                    self.mistake(node, -1, 0, MistakeKind::AmbiguousColumn, message, None);
                }
                Some(found) => meant[place] = Some(found.meant),
                None => match self.unknown_among(items) {
                    Unknowns::None if !self.is_lenient => {
                        let message = format!(
                            "column \"{name}\" specified in USING clause does not exist in {side} table"
                        );
                        self.mistake(node, -1, 0, MistakeKind::MissingColumn, message, None);
                    }
                    // Its name shows that the table has this column.
                    Unknowns::One(source) => meant[place] = self.shown_column(source, &shared),
                    Unknowns::None | Unknowns::Several => {}
                },
            }
        }
        meant.iter().flatten().for_each(|meant| self.joins.hide(*meant));
        let both = meant.iter().flatten().filter_map(|meant| match meant {
            Meant::Column { source, index } => self.source_column(*source, *index),
            _ => None,
        });
        let both = both.collect();
        self.add_column_use(node, -1, vec![name.to_owned()], ColumnMeaning::Both(both));
        let [left, right] = meant;
        let kept = if keep_right { right.or(left) } else { left.or(right) };
        Some(MergedMeant { name: shared, arms: meant, kept })
    }

    fn unknown_among(&mut self, items: Range<u32>) -> Unknowns {
        let level = self.names.level();
        let before = self.names.show(items.clone());
        let unknown = self.names.unknown().filter(|(of, _)| *of == level);
        self.names.show(before);
        let Some((_, visible)) = unknown else { return Unknowns::None };
        let Some(record) = self.found.unknown.get(visible.last) else { return Unknowns::None };
        let others = record.before.and_then(|before| self.found.unknown.get(before));
        match others {
            Some(other) if other.item >= items.start => Unknowns::Several,
            _ => Unknowns::One(record.source),
        }
    }

    /// Adds a column to a source whose columns are not known, which the statement shows.
    fn shown_column(&mut self, source: usize, name: &Arc<str>) -> Option<Meant> {
        let state = self.sources.get_mut(source)?;
        let columns = std::rc::Rc::make_mut(&mut state.columns);
        let index = columns.show(name.clone());
        Some(Meant::Column { source, index })
    }
}

/// The sources among some items whose columns are not known.
enum Unknowns {
    None,
    One(usize),
    Several,
}
