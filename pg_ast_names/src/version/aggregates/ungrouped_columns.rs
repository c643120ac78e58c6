//! Columns that a query with groups uses beside them; see `check_ungrouped_columns` of PostgreSQL's `parse_agg.c`.

use std::collections::HashSet;
use std::sync::Arc;

use pg_ast::Literal;

use super::aggregate_calls::AggregateCheck;
use super::call_frames::{CheckedLevel, GroupedUse};
use super::lookup::column_names::NamedColumn;
use super::pg::protobuf::{CoercionForm, GroupingSetKind};
use super::pg::view::{Node, ResTarget, SelectStmt};
use crate::name_catalog::RelationKind;
use crate::name_mistakes::MistakeKind;
use crate::resolution::{ColumnMeaning, SourceKind, StarPart};

/// A column of a source.
type ColumnKey = (usize, Arc<str>);

/// What a query groups by.
#[derive(Default)]
struct Grouping {
    columns: HashSet<ColumnKey>,
    /// Those of expressions that can be no more than the column: a cast to its own type.
    perhaps: HashSet<ColumnKey>,
    /// Those in other expressions.
    within: HashSet<ColumnKey>,
    /// Those that are in all sets, perhaps.
    common: HashSet<ColumnKey>,
}

/// An item of a `GROUP BY`.
enum GroupItem<'a> {
    /// An expression, in the `GROUP BY` or in the target list; and whether it is in all sets, as far as is known.
    Expr(Node<'a>, bool),
    Unknown,
}

impl<'a> AggregateCheck<'_, 'a> {
    /// Returns the expressions that a query groups by, without those that are not known.
    pub(super) fn group_items(&self, select: SelectStmt<'a>) -> Vec<Node<'a>> {
        let items = self.all_group_items(select).into_iter().filter_map(|item| match item {
            GroupItem::Expr(expr, _) => Some(expr),
            GroupItem::Unknown => None,
        });
        items.collect()
    }

    fn all_group_items(&self, select: SelectStmt<'a>) -> Vec<GroupItem<'a>> {
        let mut found = Vec::new();
        let values: Vec<_> = select.targets().map(ResTarget::val).collect();
        let is_star = |value: &Option<Node<'a>>| {
            let last = match value {
                Some(Node::ColumnRef(column)) => column.fields().last(),
                Some(Node::AIndirection(indirection)) => indirection.indirection().last(),
                _ => None,
            };
            matches!(last, Some(Node::AStar(_)))
        };
        // Behind a star, places are not those of targets.
        let known = values.iter().position(is_star).unwrap_or(values.len());
        // A target can be meant many times.
        let mut targets = HashSet::new();
        let mut of_target = |place: usize, is_common: bool| match values.get(place) {
            Some(Some(value)) if place < known => {
                targets.insert((place, is_common)).then_some(GroupItem::Expr(*value, is_common))
            }
            _ => Some(GroupItem::Unknown),
        };
        let mut items: Vec<_> = select.group_clause().iter().map(|item| (item, true)).collect();
        while let Some((item, is_common)) = items.pop() {
            let inner = |item| (item, is_common);
            match item {
                // One of the sets has nothing of these.
                Node::GroupingSet(set)
                    if matches!(
                        set.kind(),
                        GroupingSetKind::GroupingSetRollup | GroupingSetKind::GroupingSetCube
                    ) =>
                {
                    items.extend(set.content().iter().map(|item| (item, false)));
                }
                Node::GroupingSet(set) => items.extend(set.content().iter().map(inner)),
                Node::RowExpr(row) if row.row_format() == CoercionForm::CoerceImplicitCast => {
                    items.extend(row.args().iter().map(inner));
                }
                Node::List(list) => items.extend(list.iter().map(inner)),
                Node::AConst(_) => {
                    let place = match item.literal() {
                        Some(Literal::Integer(place)) => usize::try_from(place - 1).ok(),
                        _ => None,
                    };
                    let target = |place| of_target(place, is_common);
                    found.extend(place.map_or(Some(GroupItem::Unknown), target));
                }
                Node::ColumnRef(_) => match self.meaning(item) {
                    Some(ColumnMeaning::Output(place)) => {
                        found.extend(of_target(*place, is_common));
                    }
                    Some(_) => found.push(GroupItem::Expr(item, is_common)),
                    None => found.push(GroupItem::Unknown),
                },
                item => found.push(GroupItem::Expr(item, is_common)),
            }
        }
        found
    }

    /// Returns the column that a node is; an error if it is not known.
    fn key(&self, node: Node<'a>) -> Result<Option<ColumnKey>, ()> {
        match self.meaning(node) {
            Some(ColumnMeaning::Column(column)) => Ok(Some((column.source, column.name.clone()))),
            Some(ColumnMeaning::Row(source)) => Ok(Some((*source, Arc::from("*")))),
            Some(ColumnMeaning::Variable(_)) => Ok(None),
            _ => Err(()),
        }
    }

    /// Returns what a query groups by, if that is known.
    fn grouping(&self, select: SelectStmt<'a>) -> Option<Grouping> {
        let mut grouping = Grouping::default();
        for item in self.all_group_items(select) {
            let GroupItem::Expr(expr, is_common) = item else { return None };
            if let Node::ColumnRef(_) = expr {
                if let Some(key) = self.key(expr).ok()? {
                    if is_common {
                        grouping.common.insert(key.clone());
                    }
                    grouping.columns.insert(key);
                }
                continue;
            }
            let may_be_column = self.may_be_column(expr);
            for node in expr.nodes() {
                let is_column = match node {
                    Node::ColumnRef(_) => true,
                    Node::FuncCall(_) | Node::AIndirection(_) => self.meaning(node).is_some(),
                    _ => false,
                };
                if !is_column {
                    continue;
                }
                if let Some(key) = self.key(node).ok()? {
                    if may_be_column {
                        if is_common {
                            grouping.common.insert(key.clone());
                        }
                        grouping.perhaps.insert(key);
                    } else {
                        grouping.within.insert(key);
                    }
                }
            }
        }
        Some(grouping)
    }

    /// Returns whether an expression may be no more than a column in it.
    fn may_be_column(&self, expr: Node<'a>) -> bool {
        match expr {
            Node::TypeCast(_) | Node::AIndirection(_) | Node::CollateClause(_) => true,
            Node::FuncCall(call) => {
                let name = call.funcname().qualified_name();
                call.args().len() == 1 && self.names.may_be_type(&name)
            }
            _ => false,
        }
    }

    /// Checks the columns of a query with groups.
    pub(super) fn check_grouped(&mut self, select: SelectStmt<'a>, level: CheckedLevel<'a>) {
        let Some(grouping) = self.grouping(select) else { return };
        for column in level.groupings {
            let key = (column.source, column.name.clone());
            if grouping.columns.contains(&key) || grouping.perhaps.contains(&key) {
                continue;
            }
            let message =
                "arguments to GROUPING must be grouping expressions of the associated query level";
            self.mistake(column.node, column.location, MistakeKind::MisplacedAggregate, message);
        }
        for column in level.columns {
            self.check_column(&grouping, &column);
        }
        for target in select.targets() {
            let Some(node @ Node::ColumnRef(star)) = target.val() else { continue };
            let Some(ColumnMeaning::All(parts)) = self.meaning(node).filter(|_| star.is_star())
            else {
                continue;
            };
            for part in parts.clone() {
                let StarPart::Column(column) = part else { break };
                let column = GroupedUse {
                    depth: 0,
                    source: column.source,
                    name: column.name,
                    node,
                    location: star.location(),
                    is_alone: true,
                    is_in_subquery: false,
                };
                if self.check_column(&grouping, &column) {
                    break;
                }
            }
        }
    }

    /// Adds a mistake if a column certainly is not grouped; returns whether it does.
    fn check_column(&mut self, grouping: &Grouping, column: &GroupedUse<'a>) -> bool {
        let key = (column.source, column.name.clone());
        let may_be_grouped = grouping.columns.contains(&key)
            || grouping.perhaps.contains(&key)
            // An expression around it may be the one that is grouped.
            || !column.is_alone && grouping.within.contains(&key);
        if may_be_grouped || self.may_depend_on_key(grouping, column.source) {
            return false;
        }
        let Some(table) = self.names.found.sources[column.source].name.clone() else {
            return false;
        };
        let name = &column.name;
        let message = if column.is_in_subquery {
            format!("subquery uses ungrouped column \"{table}.{name}\" from outer query")
        } else {
            format!(
                "column \"{table}.{name}\" must appear in the GROUP BY clause or be used in an aggregate function"
            )
        };
        // The last part of its name.
        let part = match column.node {
            Node::ColumnRef(column) => column.fields().len().saturating_sub(1),
            _ => 0,
        };
        let (kind, location) = (MistakeKind::UngroupedColumn, column.location);
        self.names.mistake(column.node, location, part, kind, message, None);
        true
    }

    /// Returns whether the columns that are grouped may be the primary key of a source, or more.
    fn may_depend_on_key(&self, grouping: &Grouping, source: usize) -> bool {
        if !matches!(self.names.found.sources[source].kind, SourceKind::Table(_)) {
            return false;
        }
        if !grouping.common.iter().any(|(of, _)| *of == source) {
            return false;
        }
        let Some(relation) = self.names.sources[source].relation else { return true };
        if relation.kind != RelationKind::Table {
            return false;
        }
        let Some(key) = relation.primary_key().filter(|_| relation.is_complete) else {
            return true;
        };
        // An alias can have other names for the columns.
        let columns = &self.names.sources[source].columns.columns;
        let is_grouped = |name: &String| {
            let origin = |it: &&NamedColumn<'_>| {
                it.origin.as_ref().map_or(*it.name == **name, |it| *it.column == **name)
            };
            columns.iter().find(origin).is_none_or(|column| {
                let key = (source, column.name.clone());
                grouping.common.contains(&key)
            })
        };
        !key.is_empty() && key.iter().all(is_grouped)
    }
}
