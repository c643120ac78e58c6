//! The names in a statement, by the rules for its fields (`codegen/statement_rules.rs`).

use super::names::protobuf::ObjectType;
use super::names::views::ENUMERATIONS;
use super::statements::rules;
use super::view::fields::{FieldValue, field};
use super::view::{Node, RangeVar};
use crate::convert::c_tree::table::Kind;
use crate::convert::roles::{Role, Statement};

/// A statement and the rules for its fields.
#[derive(Clone, Copy)]
pub(crate) struct Stmt<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) rules: &'static Statement,
}

impl<'a> Stmt<'a> {
    /// Returns `None` for a node that is not a statement.
    pub(crate) fn new(node: Node<'a>) -> Option<Self> {
        Some(Self { node, rules: rules(node.name())? })
    }

    /// Returns the values of the fields with this role.
    fn values(self, role: Role) -> impl Iterator<Item = FieldValue<'a>> {
        let fields = self.rules.roles.iter().filter(move |(_, of_field)| *of_field == role);
        fields.filter_map(move |(name, _)| Some(field(self.node, name)?.1))
    }

    /// Returns the kinds of objects that the statement is about; the first one is that of the objects it
    /// names.
    pub(crate) fn kinds(self) -> impl Iterator<Item = ObjectType> {
        let names = self.rules.roles.iter().filter(|(_, role)| *role == Role::Kind);
        names.map(move |(name, _)| kind(self.node, name))
    }

    pub(crate) fn kind(self) -> ObjectType {
        self.kinds().next().unwrap_or_default()
    }

    /// Returns the nodes in the fields with this role. A name is one node: the list of its strings.
    pub(crate) fn nodes(self, role: Role) -> impl Iterator<Item = Node<'a>> {
        self.values(role).flat_map(move |value| match value {
            FieldValue::List(list) if role != Role::Object => vec![Node::List(list)],
            _ => of_value(value),
        })
    }

    /// Returns the table that the statement is about.
    pub(crate) fn table(self) -> Option<RangeVar<'a>> {
        self.nodes(Role::Table).next()?.as_range_var()
    }

    pub(crate) fn is_from(self) -> Option<bool> {
        self.values(Role::IsFrom).find_map(FieldValue::number).map(|bits| bits != 0)
    }

    /// Returns the new name of the object that the statement renames.
    pub(crate) fn new_name(self) -> Option<&'a str> {
        self.values(Role::NewName).find_map(FieldValue::text)
    }

    /// Returns the nodes at the end of a path of fields.
    pub(crate) fn at(self, path: &str) -> Vec<Node<'a>> {
        path.split('.').fold(vec![self.node], |nodes, name| {
            let values = nodes.into_iter().filter_map(|node| Some(field(node, name)?.1));
            values.flat_map(of_value).collect()
        })
    }
}

fn of_value(value: FieldValue<'_>) -> Vec<Node<'_>> {
    match value {
        FieldValue::List(list) => list.iter().collect(),
        value => value.node().into_iter().collect(),
    }
}

/// Returns the kind of objects in a field.
fn kind(node: Node<'_>, name: &str) -> ObjectType {
    let Some((field, FieldValue::Number(bits))) = field(node, name) else {
        return ObjectType::default();
    };
    let (Kind::Enumeration(index), Ok(bits)) = (field.kind, u32::try_from(bits)) else {
        return ObjectType::default();
    };
    let name = ENUMERATIONS[usize::from(index)].name(bits);
    // The kinds of `REINDEX` have their own enum, with these names.
    let name = name.strip_prefix("REINDEX_").unwrap_or(name);
    ObjectType::from_str_name(name).unwrap_or_default()
}
