//! The statements of a document, and the objects that they create.

use core::ops::Range;

use lsp_types::{DocumentSymbol, SymbolKind};
use pg_ast::view::{IntoClause, List, Node, RangeVar};

use crate::bodies;
use crate::document::{Document, Placed};
use crate::lines::Lines;
use crate::one_line::one_line;
use crate::stmt::Stmt;

/// The maximum length of a statement's name, in characters.
const NAME: usize = 60;

/// Returns the symbols of a document, one per statement.
pub(crate) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let shown = |placed: &Placed| shown(placed.stmt.symbol(), placed.range.start, document.lines());
    document.stmts().iter().map(shown).collect()
}

/// A symbol of a statement. Its places are byte offsets in the text of the statement.
pub(crate) struct Symbol {
    name: String,
    detail: Option<String>,
    kind: SymbolKind,
    range: Range<usize>,
    /// Where its name is, if that is known.
    place: Option<Range<usize>>,
    /// Only a statement has some.
    children: Option<Vec<Symbol>>,
}

// `deprecated` is a required field.
#[allow(deprecated)]
fn shown(symbol: &Symbol, start: usize, lines: &Lines) -> DocumentSymbol {
    let place = |range: &Range<usize>| lines.range(&(start + range.start..start + range.end));
    let children = symbol.children.as_ref();
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: symbol.detail.clone(),
        kind: symbol.kind,
        tags: None,
        deprecated: None,
        range: place(&symbol.range),
        selection_range: place(symbol.place.as_ref().unwrap_or(&symbol.range)),
        children: children.map(|it| it.iter().map(|child| shown(child, start, lines)).collect()),
    }
}

/// Returns the symbol of a statement, with the names that it defines in its children.
pub(crate) fn symbol(stmt: &Stmt) -> Symbol {
    let node = stmt.node();
    let created = node.and_then(|node| created(stmt, node));
    let (name, kind, place) =
        created.unwrap_or_else(|| (one_line(stmt.sql(), NAME), SymbolKind::EVENT, None));
    let detail = node.map(|node| node.name().to_owned());
    let mut children = node.map(|node| children(stmt, node));
    let function = stmt.body().and_then(|body| body.function());
    if let (Some(function), Some(children)) = (function, &mut children) {
        children.extend(bodies::names(function).into_iter().map(|name| {
            let of_type = one_line(&name.of_type, NAME);
            let detail = format!("{} {of_type}", name.kind).trim_end().to_owned();
            child(name.name, SymbolKind::VARIABLE, name.place, Some(detail))
        }));
    }
    Symbol { name: not_empty(name), detail, kind, range: 0..stmt.sql().len(), place, children }
}

fn child(name: String, kind: SymbolKind, range: Range<usize>, detail: Option<String>) -> Symbol {
    Symbol { name: not_empty(name), detail, kind, range, place: None, children: None }
}

/// Clients reject an empty name.
fn not_empty(name: String) -> String {
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Returns columns, named constraints, and the values of an enumeration.
fn children(stmt: &Stmt, node: Node<'_>) -> Vec<Symbol> {
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
                (column.colname(), SymbolKind::FIELD, column.type_name().map(Node::from))
            }
            Node::Constraint(constraint) if !constraint.conname().is_empty() => {
                (constraint.conname(), SymbolKind::KEY, None)
            }
            Node::String(value) => (value.sval(), SymbolKind::ENUM_MEMBER, None),
            _ => return None,
        };
        let of = of.and_then(|of| stmt.sql().get(tree.range(of)?));
        let detail = of.map(|of| one_line(of, NAME));
        Some(child(name.to_owned(), kind, tree.range(item)?, detail))
    };
    items.iter().filter_map(of_item).collect()
}

type Created = (String, SymbolKind, Option<Range<usize>>);

/// Returns the object that a statement creates: its name, its kind, and the place of the name.
fn created(stmt: &Stmt, node: Node<'_>) -> Option<Created> {
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
        Node::CreateStmt(it) => table(it.relation(), SymbolKind::STRUCT),
        Node::CreateTableAsStmt(it) => {
            table(it.into().and_then(IntoClause::rel), SymbolKind::STRUCT)
        }
        Node::ViewStmt(it) => table(it.view(), SymbolKind::INTERFACE),
        Node::CreateSeqStmt(it) => table(it.sequence(), SymbolKind::NUMBER),
        Node::IndexStmt(it) if !it.idxname().is_empty() => word(it.idxname(), SymbolKind::KEY),
        Node::CreateFunctionStmt(it) => named(it.funcname(), SymbolKind::FUNCTION),
        Node::CreateTrigStmt(it) => word(it.trigname(), SymbolKind::EVENT),
        Node::CreateEnumStmt(it) => named(it.type_name(), SymbolKind::ENUM),
        Node::CreateDomainStmt(it) => named(it.domainname(), SymbolKind::TYPE_PARAMETER),
        Node::CompositeTypeStmt(it) => table(it.typevar(), SymbolKind::CLASS),
        Node::CreateSchemaStmt(it) => word(it.schemaname(), SymbolKind::NAMESPACE),
        Node::CreateExtensionStmt(it) => word(it.extname(), SymbolKind::PACKAGE),
        _ => None,
    }
}

fn dotted<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(".")
}
