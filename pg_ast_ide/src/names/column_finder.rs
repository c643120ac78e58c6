//! Finds the columns in the tree of a statement, and what they mean.

use core::ops::Range;
use std::collections::HashMap;

use pg_ast::view::Node;
use pg_ast::{NameKind, NameUse};
use pg_ast_names::{ColumnMeaning, ColumnUse, SourceColumn, SourceKind, StarPart};

use crate::names::name_finder::SymbolFinder;
use crate::names::{LocalKind, NameAt, NameRole, SymbolId, qualified, role};
use crate::stmt::identifiers::folded;

/// A column that a query shows: which one, where, and how.
type ShownColumn = (SourceColumn, Range<usize>, NameRole, Option<usize>);

/// The maximum number of queries through which a column is followed.
const SHOWN: usize = 4;

impl SymbolFinder<'_> {
    pub(crate) fn columns(&mut self) {
        let columns = core::mem::take(&mut self.resolution.columns);
        // Columns of queries that have no name of their own there.
        let mut shown = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let Some(start) = self.start(column.location, column.node) else { continue };
            if column.names.last().is_some_and(|name| name == "*") {
                self.star(start, index, column);
                continue;
            }
            let Some(name) = column.names.last() else { continue };
            let Some(entry) = self.entry(start, name, |kind| kind == NameKind::Column) else {
                continue;
            };
            self.entries[entry].is_done = true;
            let range = self.entries[entry].range.clone();
            let used = self.entries[entry].used;
            if column.names.len() < 2
                && let Some((range, symbol)) = self.table_of(&self.entries[entry])
            {
                self.add(range, symbol, NameRole::Read);
            }
            if let Some(source) = Self::source_of(column) {
                self.qualifier(column, start, source);
            }
            let output = self.output(column);
            let Some((symbol, is_direct)) = self.meaning(column, &range) else {
                if let ColumnMeaning::Column(of) = &column.meaning {
                    shown.push((of.clone(), range, role(used), output));
                }
                continue;
            };
            let is_certain = !matches!(column.meaning, ColumnMeaning::Both(_));
            let role = role(used);
            self.found.push(NameAt { range, symbol, role, is_direct, output, is_certain });
        }
        self.resolution.columns = columns;
        // A query may show a column that another one shows.
        for _ in 0..SHOWN {
            let before = shown.len();
            shown = self.shown_columns(shown);
            if shown.is_empty() || shown.len() == before {
                break;
            }
        }
    }

    /// Adds the columns that queries show under their own names; returns those of which nothing is known.
    fn shown_columns(&mut self, shown: Vec<ShownColumn>) -> Vec<ShownColumn> {
        self.found.sort_by_key(|name| name.range.start);
        let mut sources: HashMap<usize, HashMap<String, Option<SymbolId>>> = HashMap::new();
        let (mut left, mut new) = (Vec::new(), Vec::new());
        for (of, range, role, output) in shown {
            let outputs = sources.entry(of.source).or_insert_with(|| self.outputs(of.source));
            match outputs.get(&*of.name).cloned().flatten() {
                Some(symbol) => {
                    let (is_direct, is_certain) = (false, true);
                    new.push(NameAt { range, symbol, role, is_direct, output, is_certain });
                }
                None => left.push((of, range, role, output)),
            }
        }
        self.found.append(&mut new);
        left
    }

    /// Returns what the columns mean that a query shows under their own names; `None` for several.
    fn outputs(&self, source: usize) -> HashMap<String, Option<SymbolId>> {
        let mut outputs: HashMap<String, Option<SymbolId>> = HashMap::new();
        let Some(within) = self.range_of(source) else { return outputs };
        let mut add = |name: String, symbol: SymbolId| {
            let output = outputs.entry(name).or_insert_with(|| Some(symbol.clone()));
            if output.as_ref().is_some_and(|it| *it != symbol) {
                *output = None;
            }
        };
        let first = self.found.partition_point(|name| name.range.start < within.start);
        for name in self.found[first..].iter().take_while(|it| it.range.end <= within.end) {
            if name.output.is_some() {
                add(folded(&self.stmt.sql()[name.range.clone()]), name.symbol.clone());
            }
        }
        for (_, parts) in self.star_parts.iter().filter(|(at, _)| within.contains(at)) {
            for part in parts {
                if let StarPart::Column(SourceColumn { name, origin: Some(origin), .. }) = part {
                    let table = qualified(&origin.table, self.catalog);
                    add(name.to_string(), SymbolId::Column(table, origin.column.to_string()));
                }
            }
        }
        outputs
    }

    /// Returns the end of an item of a target list that has the name of a column: of this alone, of a cast or an element of it.
    fn output(&self, column: &ColumnUse) -> Option<usize> {
        // A parent is the node before.
        let mut parent = column.node?.checked_sub(1)?;
        while match self.nodes.get(parent)? {
            Node::TypeCast(_) | Node::CollateClause(_) => true,
            Node::AIndirection(part) => {
                part.indirection().iter().all(|it| matches!(it, Node::AIndices(_)))
            }
            _ => false,
        } {
            parent = parent.checked_sub(1)?;
        }
        match self.nodes[parent] {
            Node::ResTarget(target) if target.name().is_empty() => {
                Some(self.tree.range(target)?.end)
            }
            _ => None,
        }
    }

    fn star(&mut self, start: usize, index: usize, column: &ColumnUse) {
        let parts = self.stmt.tokens().parts(self.stmt.sql(), start);
        if let Some(range) = parts.last() {
            self.stars.push((range.clone(), index));
            if let ColumnMeaning::All(parts) = &column.meaning {
                self.star_parts.push((range.start, parts.clone()));
            }
        }
        if let Some(source) = Self::source_of(column) {
            self.qualifier(column, start, source);
        }
    }

    /// Returns the source that the name before a column refers to.
    fn source_of(column: &ColumnUse) -> Option<usize> {
        if column.names.len() < 2 {
            return None;
        }
        match &column.meaning {
            ColumnMeaning::Column(of) => Some(of.source),
            ColumnMeaning::Row(source) => Some(*source),
            ColumnMeaning::All(parts) => Some(match parts.first()? {
                StarPart::Column(of) => of.source,
                StarPart::AllOf(source) => *source,
                _ => return None,
            }),
            _ => None,
        }
    }

    /// Adds the name of a table or the alias before a column.
    fn qualifier(&mut self, column: &ColumnUse, start: usize, source: usize) {
        let parts = self.stmt.tokens().parts(self.stmt.sql(), start);
        let Some(range) = parts.get(column.names.len() - 2).cloned() else { return };
        let symbol = self.source_symbol(source);
        if let Some(symbol) = symbol {
            self.add(range, symbol, NameRole::Read);
        }
    }

    /// Returns the meaning of a column, and whether its name is that of the object.
    fn meaning(&mut self, column: &ColumnUse, range: &Range<usize>) -> Option<(SymbolId, bool)> {
        match &column.meaning {
            ColumnMeaning::Column(of) => self.source_column(of),
            ColumnMeaning::Both(both) => self.source_column(both.first()?),
            ColumnMeaning::Field(of, field) => {
                Some((SymbolId::Column(qualified(of, self.catalog), field.clone()), true))
            }
            ColumnMeaning::Output(_) => {
                let labels = self.labels.get(column.names.last()?)?;
                let before = labels.partition_point(|label| *label < range.start);
                Some((
                    SymbolId::Local(LocalKind::Column, *labels.get(before.checked_sub(1)?)?),
                    true,
                ))
            }
            ColumnMeaning::Row(source) => match self.aliases.get(source) {
                Some(at) => Some((SymbolId::Local(LocalKind::Alias, *at), true)),
                None => {
                    let table = self.resolution.sources[*source].kind.table()?;
                    Some((SymbolId::Relation(qualified(table, self.catalog)), true))
                }
            },
            _ => None,
        }
    }

    fn source_column(&mut self, of: &SourceColumn) -> Option<(SymbolId, bool)> {
        let source = self.resolution.sources.get(of.source)?;
        let is_table = source.kind.table().is_some();
        match &of.origin {
            Some(origin) if is_table || *origin.column == *of.name => {
                let table = qualified(&origin.table, self.catalog);
                let symbol = SymbolId::Column(table, origin.column.to_string());
                Some((symbol, is_table && *origin.column == *of.name))
            }
            _ => {
                let label = self.label(of.source, &of.name)?;
                Some((SymbolId::Local(LocalKind::Column, label), true))
            }
        }
    }

    /// Returns the place where a query names one of its columns.
    fn label(&mut self, source: usize, name: &str) -> Option<usize> {
        if !self.source_labels.contains_key(&source) {
            let labels = self.labels_of(source).unwrap_or_default();
            self.source_labels.insert(source, labels);
        }
        self.source_labels.get(&source)?.get(name).copied().flatten()
    }

    /// Returns the range of the query that a source is.
    fn range_of(&self, source: usize) -> Option<Range<usize>> {
        let source = &self.resolution.sources[source];
        match &source.kind {
            SourceKind::Cte(cte) => {
                let at = self.cte_at(cte, self.start(source.location, source.node)?)?;
                let is_it = |node: &&Node<'_>| {
                    matches!(node, Node::CommonTableExpr(_))
                        && self.tree.range(**node).is_some_and(|range| range.start == at)
                };
                self.tree.range(*self.nodes.iter().find(is_it)?)
            }
            _ => self.tree.range(*self.nodes.get(source.node?)?),
        }
    }

    fn labels_of(&self, source: usize) -> Option<HashMap<String, Option<usize>>> {
        let within = self.range_of(source)?;
        let first = self.entries.partition_point(|entry| entry.range.start < within.start);
        let inside = self.entries[first..].iter().take_while(|it| it.range.end <= within.end);
        let mut labels = HashMap::new();
        for entry in inside {
            if let (NameKind::Alias, NameUse::Definition, Some(name)) =
                (entry.kind, entry.used, entry.parts.last())
            {
                let label = labels.entry(name.clone());
                label.and_modify(|label| *label = None).or_insert(Some(entry.range.start));
            }
        }
        Some(labels)
    }
}
