//! The statements of a document, and the objects that they create.

use core::ops::Range;

use pg_ast::view::{IntoClause, List, Node, RangeVar};

use crate::stmt::StmtFacts;
use crate::stmt::bodies;
use crate::stmt::one_line::one_line;
use crate::workspace::context::DocumentContext;

/// The maximum length of a statement's name, in characters.
const NAME: usize = 60;

/// An item of an outline: a statement, or something that it defines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutlineItem {
    /// The name of the object, or the beginning of a statement that creates none.
    pub name: String,
    /// The node of a statement, the type of what it defines.
    pub detail: Option<String>,
    /// What it is.
    pub kind: OutlineKind,
    /// All of it.
    pub range: Range<usize>,
    /// Where its name is, or all of it, if that is not known.
    pub place: Range<usize>,
    /// What a valid statement defines.
    pub children: Option<Vec<OutlineItem>>,
}

/// What an [`OutlineItem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutlineKind {
    /// A statement that defines nothing.
    Statement,
    /// A table.
    Table,
    /// A view, materialized or not.
    View,
    /// A sequence.
    Sequence,
    /// An index.
    Index,
    /// A function, a procedure or an aggregate.
    Function,
    /// A trigger.
    Trigger,
    /// An `ENUM`.
    Enum,
    /// A domain.
    Domain,
    /// A type with columns.
    CompositeType,
    /// A schema.
    Schema,
    /// An extension.
    Extension,
    /// A column of a table, a view or a type.
    Column,
    /// A constraint of a table or a domain.
    Constraint,
    /// A value of an `ENUM`.
    EnumValue,
    /// A variable of a function.
    Variable,
}

impl DocumentContext<'_> {
    /// Returns the statements of the document, with what they define.
    #[must_use]
    pub fn outline(&self) -> Vec<OutlineItem> {
        let stmts = self.document.stmts().iter();
        stmts.map(|placed| placed.stmt.outline().moved(placed.range.start)).collect()
    }
}

impl OutlineItem {
    /// Returns it with places in the document, from that of its statement.
    fn moved(&self, start: usize) -> Self {
        let place = |range: &Range<usize>| start + range.start..start + range.end;
        let children = self.children.as_ref();
        Self {
            range: place(&self.range),
            place: place(&self.place),
            children: children.map(|it| it.iter().map(|child| child.moved(start)).collect()),
            name: self.name.clone(),
            detail: self.detail.clone(),
            kind: self.kind,
        }
    }
}

/// Returns the item of a statement, with places in its text.
pub(crate) fn of_stmt(stmt: &StmtFacts) -> OutlineItem {
    let node = stmt.node();
    let created = node.and_then(|node| created(stmt, node));
    let (name, kind, place) =
        created.unwrap_or_else(|| (one_line(stmt.sql(), NAME), OutlineKind::Statement, None));
    let detail = node.map(|node| node.name().to_owned());
    let mut children = node.map(|node| children(stmt, node));
    let function = stmt.body().and_then(|body| body.function());
    if let (Some(function), Some(children)) = (function, &mut children) {
        children.extend(bodies::names(function).into_iter().map(|name| {
            let of_type = one_line(&name.of_type, NAME);
            let detail = format!("{} {of_type}", name.kind).trim_end().to_owned();
            child(name.name, OutlineKind::Variable, name.place, Some(detail))
        }));
    }
    let range = 0..stmt.sql().len();
    let place = place.unwrap_or_else(|| range.clone());
    OutlineItem { name: not_empty(name), detail, kind, range, place, children }
}

fn child(
    name: String,
    kind: OutlineKind,
    range: Range<usize>,
    detail: Option<String>,
) -> OutlineItem {
    let place = range.clone();
    OutlineItem { name: not_empty(name), detail, kind, range, place, children: None }
}

/// Editors reject an empty name.
fn not_empty(name: String) -> String {
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Returns columns, named constraints, and the values of an enumeration.
fn children(stmt: &StmtFacts, node: Node<'_>) -> Vec<OutlineItem> {
    let Some(tree) = stmt.tree() else { return Vec::new() };
    let items = match node {
        Node::CreateStmt(create) => create.table_elts(),
        Node::CompositeTypeStmt(new) => new.coldeflist(),
        Node::CreateEnumStmt(new) => new.vals(),
        _ => List::default(),
    };
    let of_item = |item: Node<'_>| {
        let (name, kind, of) = match item {
            Node::ColumnDef(column) => {
                (column.colname(), OutlineKind::Column, column.type_name().map(Node::from))
            }
            Node::Constraint(constraint) if !constraint.conname().is_empty() => {
                (constraint.conname(), OutlineKind::Constraint, None)
            }
            Node::String(value) => (value.sval(), OutlineKind::EnumValue, None),
            _ => return None,
        };
        let of = of.and_then(|of| stmt.sql().get(tree.range(of)?));
        let detail = of.map(|of| one_line(of, NAME));
        Some(child(name.to_owned(), kind, tree.range(item)?, detail))
    };
    items.iter().filter_map(of_item).collect()
}

type Created = (String, OutlineKind, Option<Range<usize>>);

/// Returns the object that a statement creates: its name, its kind, and the place of the name.
fn created(stmt: &StmtFacts, node: Node<'_>) -> Option<Created> {
    let place = |node: Node<'_>| stmt.tree()?.range(node);
    let table = |table: Option<RangeVar<'_>>, kind| {
        let table = table?;
        Some((dotted([table.schemaname(), table.relname()]), kind, place(table.into())))
    };
    let named = |names: List<'_>, kind| {
        let place = names.first().and_then(place);
        Some((dotted(names.strs()), kind, place))
    };
    let word = |name: &str, kind| Some((name.to_owned(), kind, None));
    match node {
        Node::CreateStmt(it) => table(it.relation(), OutlineKind::Table),
        Node::CreateTableAsStmt(it) => {
            table(it.into().and_then(IntoClause::rel), OutlineKind::Table)
        }
        Node::ViewStmt(it) => table(it.view(), OutlineKind::View),
        Node::CreateSeqStmt(it) => table(it.sequence(), OutlineKind::Sequence),
        Node::IndexStmt(it) if !it.idxname().is_empty() => word(it.idxname(), OutlineKind::Index),
        Node::CreateFunctionStmt(it) => named(it.funcname(), OutlineKind::Function),
        Node::CreateTrigStmt(it) => word(it.trigname(), OutlineKind::Trigger),
        Node::CreateEnumStmt(it) => named(it.type_name(), OutlineKind::Enum),
        Node::CreateDomainStmt(it) => named(it.domainname(), OutlineKind::Domain),
        Node::CompositeTypeStmt(it) => table(it.typevar(), OutlineKind::CompositeType),
        Node::CreateSchemaStmt(it) => word(it.schemaname(), OutlineKind::Schema),
        Node::CreateExtensionStmt(it) => word(it.extname(), OutlineKind::Extension),
        _ => None,
    }
}

fn dotted<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(".")
}
