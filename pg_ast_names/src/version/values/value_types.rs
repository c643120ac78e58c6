//! The types by which values are read: of columns, of what has one type in several places, and which of them read alike.

use std::collections::HashMap;
use std::rc::Rc;

use pg_ast::QualifiedName;

use super::pg::seam::address;
use super::pg::view::Node;
use super::value_flow::ValueFlow;
use super::value_graph::{NodeId, ValueNode};
use crate::column_values::ColumnValue;

/// Where a parameter is named: it has one type everywhere.
#[derive(Default)]
pub(super) struct ParamUses {
    count: usize,
    /// The columns that it is compared with, by the addresses of their names, with their types.
    compared: HashMap<*const u8, Option<Rc<QualifiedName>>>,
    /// `PREPARE` gives it a type.
    is_typed: bool,
}

impl ParamUses {
    /// Returns whether it is read by the type of the column that it is compared with.
    pub(super) fn is_of_column(&self) -> bool {
        let mut types = self.compared.values();
        let first = types.next();
        let mut is_even =
            || types.all(|of| is_alike(of.as_deref(), first.and_then(Option::as_deref)));
        !self.is_typed && (self.count <= 1 || (self.compared.len() >= self.count && is_even()))
    }
}

impl<'a> ValueFlow<'_, 'a> {
    /// Looks at what has one type in several places.
    pub(super) fn types(&mut self, stmt: Node<'a>, query: Node<'a>) {
        let is_typed = matches!(stmt, Node::PrepareStmt(prepare) if !prepare.argtypes().is_empty());
        for node in query.nodes() {
            match node {
                Node::ParamRef(param) => {
                    let uses = self.params.entry(param.number()).or_default();
                    uses.count += 1;
                    uses.is_typed |= is_typed;
                }
                Node::JoinExpr(join) => {
                    for name in join.using_clause() {
                        let both = self.columns_named(name);
                        let types = both.iter().map(|(_, node)| self.type_of_node(*node));
                        let is_even = matches!(types.collect::<Vec<_>>().as_slice(),
                            [Some(one), Some(other)] if one == other);
                        if !is_even {
                            self.uneven.extend(both.into_iter().map(|(_, node)| node));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether the name of a column can be that of a join, which may have another type.
    pub(super) fn is_uneven(&self, node: NodeId) -> bool {
        let is_of_source = matches!(self.graph.key(node), Some(ValueNode::Column(source, _))
            if self.uneven_sources.get(*source) == Some(&true));
        is_of_source || self.uneven.contains(&node)
    }

    /// Notes that a parameter is compared with a column.
    pub(super) fn compares_param(
        &mut self,
        value: &ColumnValue,
        column: Node<'a>,
        node: Option<NodeId>,
    ) {
        if let ColumnValue::Param(number) | ColumnValue::ElementsOf(number) = value {
            let of = node.and_then(|node| self.type_of_node(node));
            self.params.entry(*number).or_default().compared.insert(address(column), of);
        }
    }

    pub(super) fn type_of_node(&self, node: NodeId) -> Option<Rc<QualifiedName>> {
        match self.graph.key(node) {
            Some(ValueNode::Column(source, name)) => self.type_of(*source, name),
            _ => None,
        }
    }

    /// Returns the type of a table's column, if the catalog tells it.
    fn type_of(&self, source: usize, name: &str) -> Option<Rc<QualifiedName>> {
        let state = self.resolver.sources.get(source)?;
        let (place, _) = state.columns.find(name)?;
        Some(Rc::new(state.relation?.columns.get(place)?.type_name()?.clone()))
    }
}

/// Returns whether two types are known to read values alike, so that equal columns of them have the same: two of whole numbers, two
/// of texts, or the same type twice.
pub(super) fn is_alike(one: Option<&QualifiedName>, other: Option<&QualifiedName>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let family = |name: &QualifiedName| match (name.schema.as_deref(), &*name.name) {
        (Some("pg_catalog") | None, name) => match name {
            "int2" | "int4" | "int8" | "smallserial" | "serial" | "bigserial" => Some(0),
            "text" | "varchar" => Some(1),
            _ => None,
        },
        _ => None,
    };
    one == other || (family(one).is_some() && family(one) == family(other))
}
