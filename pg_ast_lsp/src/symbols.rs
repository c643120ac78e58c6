//! The statements of a document, and the objects that they create.

use core::ops::Range;

use lsp_types::{DocumentSymbol, SymbolKind};
use pg_ast::view::{IntoClause, List, Node, RangeVar};

use crate::bodies::Body;
use crate::document::{self, Lines, Stmt, one_line};

/// The maximum length of a statement's name, in characters.
const NAME: usize = 60;

pub(crate) fn symbols(text: &str) -> Vec<DocumentSymbol> {
    let lines = Lines::new(text);
    let stmts = document::stmts(text);
    stmts.iter().map(|stmt| symbol(text, &lines, stmt)).collect()
}

fn symbol(text: &str, lines: &Lines<'_>, stmt: &Stmt) -> DocumentSymbol {
    let sql = text.get(stmt.range.clone()).unwrap_or_default();
    let node = stmt.tree.as_ref().and_then(|tree| tree.stmts().next()?.stmt());
    let created = node.and_then(|node| created(stmt, node));
    let (name, kind, place) =
        created.unwrap_or_else(|| (one_line(sql, NAME), SymbolKind::EVENT, None));
    let detail = node.map(|node| node.name().to_owned());
    let mut symbol = new(lines, name, kind, &stmt.range, place.as_ref());
    symbol.detail = detail;
    symbol.children = node.map(|node| children(text, lines, stmt, node));
    if let (Some(body), Some(children)) = (Body::of(text, stmt), &mut symbol.children) {
        children.extend(body.names().into_iter().map(|name| {
            let mut child = new(lines, name.name, SymbolKind::VARIABLE, &name.place, None);
            let of_type = one_line(&name.of_type, NAME);
            child.detail = Some(format!("{} {of_type}", name.kind).trim_end().to_owned());
            child
        }));
    }
    symbol
}

// `deprecated` is a required field.
#[allow(deprecated)]
fn new(
    lines: &Lines<'_>,
    name: String,
    kind: SymbolKind,
    range: &Range<usize>,
    place: Option<&Range<usize>>,
) -> DocumentSymbol {
    DocumentSymbol {
        // Clients reject an empty one.
        name: if name.is_empty() { "?".to_owned() } else { name },
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: lines.range(range),
        selection_range: lines.range(place.unwrap_or(range)),
        children: None,
    }
}

type Created = (String, SymbolKind, Option<Range<usize>>);

/// Returns the object that a statement creates: its name, its kind, and the place of the name.
fn created(stmt: &Stmt, node: Node<'_>) -> Option<Created> {
    let table = |table: Option<RangeVar<'_>>, kind| {
        let table = table?;
        Some((dotted([table.schemaname(), table.relname()]), kind, stmt.place(table)))
    };
    let named = |names: List<'_>, kind| {
        let place = names.first().and_then(|name| stmt.place(name));
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

/// Returns columns, named constraints, and the values of an enumeration.
fn children(text: &str, lines: &Lines<'_>, stmt: &Stmt, node: Node<'_>) -> Vec<DocumentSymbol> {
    let items = match node {
        Node::CreateStmt(create) => create.table_elts(),
        Node::CompositeTypeStmt(new) => new.coldeflist(),
        Node::CreateEnumStmt(new) => new.vals(),
        _ => List::default(),
    };
    let child = |item: Node<'_>| {
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
        let place = stmt.place(item)?;
        let mut symbol = new(lines, name.to_owned(), kind, &place, None);
        let of = of.and_then(|of| text.get(stmt.place(of)?));
        symbol.detail = of.map(|of| one_line(of, NAME));
        Some(symbol)
    };
    items.iter().filter_map(child).collect()
}
