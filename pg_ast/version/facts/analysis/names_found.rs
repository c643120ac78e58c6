//! Finds the names in statements, by the rules for all fields that can hold one (`codegen/names.txt`).
//!
//! One pass over a view in the order of its nodes, with an explicit stack. A name is in a field of a *naming node*. An owned tree
//! has the same naming nodes in the same order, so that a place that was found in a view is one there.

use std::borrow::Cow;

use super::names::protobuf::{AlterTableType, VariableSetKind};
use super::names::views::{NAMING_NODES, object_class, object_names, subtype_names};
use super::statement::Stmt;
use super::tables::{Places, places};
use super::view::fields::{FieldValue, children_by_field, field, field_by_number};
use super::view::{List, Node, RangeVar, RenameStmt, TypeName};
use crate::convert::name_rules::{KindRule, NamingField, NamingNode, of_element};
use crate::convert::roles::ObjectClass;
use crate::types::expected::NameKind;
use crate::types::object_name::{NameUse, ObjectName};

/// Returns the rules for a type of node, by its C name; `None` if it names nothing.
pub(crate) fn naming(name: &str) -> Option<&'static NamingNode> {
    let index = NAMING_NODES.binary_search_by_key(&name, |node| node.name);
    NAMING_NODES.get(index.ok()?)
}

/// The place of a name.
#[derive(Clone, Copy)]
pub(crate) struct NamePlace {
    /// The number of naming nodes before its own.
    pub(crate) node: usize,
    /// The number of the field in Protobuf.
    pub(crate) field: u16,
    /// The item of the field's list, if that is the name, and not the list.
    pub(crate) item: Option<usize>,
    /// The first of the strings of the name, in a list.
    pub(crate) start: usize,
    /// The string behind its last one, if that is not the end of the list: of a table, before the name of what is in it.
    pub(crate) end: Option<usize>,
    pub(crate) kind: NameKind,
    pub(crate) used: NameUse,
    /// The number of names before it.
    pub(crate) index: usize,
}

/// What a place has in a tree.
#[derive(Clone, Copy)]
pub(crate) enum Named<'a> {
    Text(&'a str),
    /// A `String`.
    Word(Node<'a>),
    /// Strings, from an index up to another.
    Words(List<'a>, usize, usize),
    Table(RangeVar<'a>),
}

impl<'a> Named<'a> {
    fn parts(self) -> Vec<Cow<'a, str>> {
        match self {
            Self::Text(text) => vec![text.into()],
            Self::Word(word) => word.name_part().into_iter().map(Cow::from).collect(),
            Self::Words(list, start, end) => {
                let items = list.iter().take(end).skip(start);
                items.filter_map(Node::name_part).map(Cow::from).collect()
            }
            Self::Table(table) => {
                let parts = [table.catalogname(), table.schemaname(), table.relname()];
                parts.into_iter().filter(|part| !part.is_empty()).map(Cow::from).collect()
            }
        }
    }

    fn is_star(self) -> bool {
        let Self::Words(list, _, end) = self else { return false };
        end == list.len() && matches!(list.last(), Some(Node::AStar(_)))
    }

    /// Returns the name.
    pub(crate) fn name(self, place: NamePlace) -> ObjectName<'a> {
        let (kind, index) = (place.kind, Some(place.index));
        ObjectName { kind, parts: self.parts(), is_star: self.is_star(), index }
    }
}

/// What the field that a node is in says of the node.
#[derive(Clone, Copy)]
enum Given {
    Name(NameKind, NameUse),
    /// It is an option whose name says what it names.
    Element,
}

/// What is known of a node from those around it.
#[derive(Clone, Copy)]
struct NameContext {
    used: NameUse,
    given: Option<Given>,
}

struct NameFinder<'f, 'a> {
    /// The only kind of names that is wanted.
    only: Option<NameKind>,
    /// The tables that are no names that a `WITH` defines, if that is to be known.
    tables: Option<Places>,
    /// The numbers of naming nodes and of names so far.
    nodes: usize,
    names: usize,
    f: &'f mut dyn FnMut(Named<'a>, NamePlace, Node<'a>),
}

/// Calls `f` for each name in these nodes and below them, with its place and its node; of one kind only, if that is wanted.
pub(crate) fn find_names<'a>(
    roots: &[Node<'a>],
    only: Option<NameKind>,
    f: &mut dyn FnMut(Named<'a>, NamePlace, Node<'a>),
) {
    let needs_tables = only.is_none_or(|kind| kind != NameKind::Column);
    let tables = needs_tables.then(|| places(roots.iter().copied()));
    let mut finder = NameFinder { only, tables, nodes: 0, names: 0, f };
    let context = NameContext { used: NameUse::Read, given: None };
    let mut stack: Vec<_> = roots.iter().rev().map(|root| (*root, context)).collect();
    while let Some((node, context)) = stack.pop() {
        let first = stack.len();
        match naming(node.name()) {
            Some(rules) => finder.visit(node, rules, context, &mut stack),
            None => {
                let given = context.given.filter(|_| matches!(node, Node::List(_)));
                node.children(|child| stack.push((child, NameContext { given, ..context })));
            }
        }
        stack[first..].reverse();
    }
}

/// Returns the index of the first of the strings at the end of a list; `None` if there are none.
fn first_word(list: List<'_>) -> Option<usize> {
    let words = list.iter().rev().take_while(|item| item.name_part().is_some()).count();
    (words > 0).then(|| list.len() - words)
}

fn words(list: List<'_>) -> Option<Named<'_>> {
    first_word(list).map(|start| Named::Words(list, start, list.len()))
}

/// Returns what a node in a field, or an item of its list, has of a name.
fn in_node(node: Node<'_>) -> Option<Named<'_>> {
    match node {
        Node::String(string) if !string.sval().is_empty() => Some(Named::Word(node)),
        Node::List(list) => words(list),
        _ => None,
    }
}

/// Returns the kinds of objects that a statement is about.
fn kinds_of_objects(node: Node<'_>) -> Vec<NameKind> {
    Stmt::new(node).map_or_else(Vec::new, |stmt| stmt.kinds().filter_map(object_names).collect())
}

/// Returns the kind of the only object that a statement is about: a domain if what is renamed is its constraint.
fn kind_of_value(node: Node<'_>, value: Node<'_>, kind: NameKind) -> NameKind {
    let renamed = node.as_rename_stmt().map(RenameStmt::subname);
    match value {
        Node::List(_) if renamed.is_some_and(|name| !name.is_empty()) => NameKind::Type,
        _ => kind,
    }
}

/// Returns whether what a statement names by strings is in a table, whose name comes before it.
fn is_in_table(node: Node<'_>) -> bool {
    Stmt::new(node).is_some_and(|stmt| object_class(stmt.kind()) == ObjectClass::InTable)
}

/// Returns whether what a statement has for the name of a setting is one, and no words of its own: `SET TRANSACTION`, `SHOW ALL`.
fn is_setting(node: Node<'_>) -> bool {
    match node {
        Node::VariableSetStmt(set) => set.kind() != VariableSetKind::VarSetMulti,
        Node::VariableShowStmt(show) => !show.name().eq_ignore_ascii_case("all"),
        _ => true,
    }
}

fn is_relation(kind: NameKind) -> bool {
    matches!(kind, NameKind::Table | NameKind::Index | NameKind::Sequence | NameKind::Type)
}

/// Returns what a field names by its rule, or a node in it.
fn resolve(
    rule: KindRule,
    node: Node<'_>,
    used: NameUse,
    given: Option<Given>,
) -> Option<(NameKind, NameUse)> {
    let kind = match (rule, given) {
        // A column: `t.a%TYPE`.
        (KindRule::Given(_), _) if node.as_type_name().is_some_and(TypeName::pct_type) => {
            NameKind::Column
        }
        // What an object is of, such as the constraint of a domain.
        (
            KindRule::Given(Some(own)),
            Some(Given::Name(NameKind::Constraint | NameKind::Object, _)),
        ) if node.as_type_name().is_some() => own,
        (KindRule::Given(_), Some(Given::Name(kind, used))) => return Some((kind, used)),
        (KindRule::Is(kind) | KindRule::Given(Some(kind)), _) => kind,
        (KindRule::OfObject, _) => kinds_of_objects(node).into_iter().next()?,
        (KindRule::OfRelation, _) => {
            let kinds = kinds_of_objects(node);
            kinds.into_iter().find(|kind| is_relation(*kind)).unwrap_or(NameKind::Table)
        }
        (KindRule::OfSubtype, _) => {
            let subtype = node.as_alter_table_cmd()?.subtype();
            let kind = subtype_names(subtype)?;
            let drops = [AlterTableType::AtDropColumn, AlterTableType::AtDropConstraint];
            return Some((kind, if drops.contains(&subtype) { NameUse::Drop } else { used }));
        }
        (KindRule::OfElement, Some(Given::Element)) => {
            return Some((of_element(node.as_def_elem()?.defname())?, NameUse::Read));
        }
        (KindRule::Given(None) | KindRule::OfElement, _) => return None,
        (KindRule::OfItem, _) => match node.as_create_op_class_item()?.itemtype() {
            // OPCLASS_ITEM_OPERATOR of `parsenodes.h`.
            1 => NameKind::Operator,
            _ => NameKind::Function,
        },
    };
    Some((kind, used))
}

impl<'a> NameFinder<'_, 'a> {
    /// Finds the names in the fields of a node, and pushes its children.
    fn visit(
        &mut self,
        node: Node<'a>,
        rules: &'static NamingNode,
        context: NameContext,
        stack: &mut Vec<(Node<'a>, NameContext)>,
    ) {
        let used = rules.used.unwrap_or(context.used);
        for rule in rules.fields {
            self.field(node, rule, NameContext { used, ..context });
        }
        self.nodes += 1;
        // Most fields with children have no rule.
        let mut last = (0, NameContext { used, given: None });
        children_by_field(node, &mut |number, child| {
            if last.0 != number {
                let rule = rules.fields.iter().find(|rule| rule.number == number);
                last = (number, below(node, rule, NameContext { used, ..context }));
            }
            stack.push((child, last.1));
        });
    }

    /// Finds the names in a field.
    fn field(&mut self, node: Node<'a>, rule: &NamingField, context: NameContext) {
        let Some(kind) = rule.kind else { return };
        let used = rule.used.unwrap_or(context.used);
        let is_given = context.given.is_some();
        let Some((kind, used)) = resolve(kind, node, used, context.given) else { return };
        let mut place = NamePlace {
            node: self.nodes,
            field: rule.number,
            item: None,
            start: 0,
            end: None,
            kind,
            used,
            index: 0,
        };
        if let Node::RangeVar(table) = node {
            if !table.relname().is_empty() {
                self.found(Named::Table(table), place, node, is_given);
            }
            return;
        }
        let is_each = rule.each
            || node.as_def_elem().is_some_and(|option| option.defname().starts_with("force_"));
        match field_by_number(node, rule.number) {
            Some(FieldValue::Text(_)) if kind == NameKind::Setting && !is_setting(node) => {}
            Some(FieldValue::Text(text)) if !text.is_empty() => {
                self.found(Named::Text(text), place, node, is_given);
            }
            Some(FieldValue::List(list) | FieldValue::Node(Node::List(list))) if is_each => {
                for (index, item) in list.iter().enumerate() {
                    place.item = Some(index);
                    // `ON ALL TABLES IN SCHEMA` has the names of these.
                    let is_plain = matches!(item, Node::String(_));
                    let of_schema = is_plain
                        && matches!(node, Node::GrantStmt(_))
                        && (is_relation(kind) || kind == NameKind::Function);
                    place.kind = if of_schema { NameKind::Schema } else { kind };
                    if let Some(named) = in_node(item) {
                        self.found(named, place, node, is_given);
                    }
                }
            }
            Some(FieldValue::List(list)) => {
                if let Some(named) = words(list) {
                    self.found(named, place, node, is_given);
                }
            }
            Some(FieldValue::Node(value)) => {
                place.kind = kind_of_value(node, value, kind);
                if let Some(named) = in_node(value) {
                    self.found(named, place, node, is_given);
                }
            }
            _ => {}
        }
    }

    fn found(&mut self, named: Named<'a>, mut place: NamePlace, node: Node<'a>, is_given: bool) {
        if let Named::Words(list, start, _) = named {
            place.start = start;
            // The access method comes before the name of what belongs to it.
            let is_behind =
                matches!(place.kind, NameKind::OperatorClass | NameKind::OperatorFamily)
                    && (matches!(node, Node::DropStmt(_)) || field(node, "object").is_some());
            if is_behind && list.len() > start + 1 {
                place.start += 1;
            }
        }
        let named = match named {
            Named::Words(list, start, end) if end - start > 1 && is_in_table(node) => {
                // The name in the table comes first: putting back another one must not move the place of this one.
                let own = end - 1;
                let place = NamePlace { start: own, ..place };
                self.pass(Named::Words(list, own, end), place, node);
                let (kind, used) = (NameKind::Table, NameUse::Read);
                let place = NamePlace { start, end: Some(own), kind, used, ..place };
                return self.pass(Named::Words(list, start, own), place, node);
            }
            Named::Words(list, _, end) => Named::Words(list, place.start, end),
            named => named,
        };
        if place.kind == NameKind::Column
            && matches!(node, Node::DefElem(option) if option.defname() == "owned_by")
            && named.parts().len() < 2
        {
            // NONE
            return;
        }
        if let (NameKind::Table, Named::Table(_), Some(tables)) = (place.kind, named, &self.tables)
            && !tables.contains_key(&node.address())
        {
            // What a field is said to hold is no query of a WITH: `ALTER INDEX .. ATTACH PARTITION`.
            place.kind = if is_given { NameKind::Index } else { NameKind::Cte };
        }
        self.pass(named, place, node);
    }

    /// Passes a name on, if its kind is wanted.
    fn pass(&mut self, named: Named<'a>, mut place: NamePlace, node: Node<'a>) {
        place.index = self.names;
        self.names += 1;
        if self.only.is_none_or(|only| only == place.kind) {
            (self.f)(named, place, node);
        }
    }
}

/// Returns what is known of the nodes in a field with this rule.
fn below(node: Node<'_>, rule: Option<&NamingField>, context: NameContext) -> NameContext {
    let plain = NameContext { given: None, ..context };
    let Some(rule) = rule else { return plain };
    let used = rule.used.unwrap_or(context.used);
    match rule.kind {
        None => NameContext { used, given: None },
        Some(KindRule::OfElement) if node.as_def_elem().is_none() => {
            NameContext { given: Some(Given::Element), ..context }
        }
        Some(kind) => {
            let given = resolve(kind, node, used, context.given);
            NameContext { given: given.map(|(kind, used)| Given::Name(kind, used)), ..context }
        }
    }
}
