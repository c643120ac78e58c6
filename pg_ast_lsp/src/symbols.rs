//! The statements of a document, and the objects that they create.

use core::ops::Range;

use lsp_types::{DocumentSymbol, SymbolKind};
use pg_ast::view::{IntoClause, List, Node, RangeVar};

use crate::bodies;
use crate::document::{Document, Placed};
use crate::one_line::one_line;
use crate::stmt::Stmt;

/// The maximum length of a statement's name, in characters.
const NAME: usize = 60;

pub(crate) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    document.stmts().iter().map(|placed| Symbols { document, placed }.of_stmt()).collect()
}

struct Symbols<'a> {
    document: &'a Document,
    placed: &'a Placed,
}

impl Symbols<'_> {
    fn of_stmt(&self) -> DocumentSymbol {
        let stmt = &*self.placed.stmt;
        let node = stmt.node();
        let created = node.and_then(|node| created(stmt, node));
        let (name, kind, place) =
            created.unwrap_or_else(|| (one_line(stmt.sql(), NAME), SymbolKind::EVENT, None));
        let mut symbol = self.symbol(name, kind, &(0..stmt.sql().len()), place.as_ref());
        symbol.detail = node.map(|node| node.name().to_owned());
        symbol.children = node.map(|node| self.children(node));
        let function = stmt.body().and_then(|body| body.function());
        if let (Some(function), Some(children)) = (function, &mut symbol.children) {
            children.extend(bodies::names(function).into_iter().map(|name| {
                let mut child = self.symbol(name.name, SymbolKind::VARIABLE, &name.place, None);
                let of_type = one_line(&name.of_type, NAME);
                child.detail = Some(format!("{} {of_type}", name.kind).trim_end().to_owned());
                child
            }));
        }
        symbol
    }

    // `deprecated` is a required field.
    #[allow(deprecated)]
    fn symbol(
        &self,
        name: String,
        kind: SymbolKind,
        range: &Range<usize>,
        place: Option<&Range<usize>>,
    ) -> DocumentSymbol {
        let start = self.placed.range.start;
        let shown = |range: &Range<usize>| {
            self.document.lines().range(&(start + range.start..start + range.end))
        };
        DocumentSymbol {
            // Clients reject an empty one.
            name: if name.is_empty() { "?".to_owned() } else { name },
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: shown(range),
            selection_range: shown(place.unwrap_or(range)),
            children: None,
        }
    }

    /// Returns columns, named constraints, and the values of an enumeration.
    fn children(&self, node: Node<'_>) -> Vec<DocumentSymbol> {
        let Some(tree) = self.placed.stmt.tree() else { return Vec::new() };
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
            let mut symbol = self.symbol(name.to_owned(), kind, &tree.range(item)?, None);
            let of = of.and_then(|of| self.placed.stmt.sql().get(tree.range(of)?));
            symbol.detail = of.map(|of| one_line(of, NAME));
            Some(symbol)
        };
        items.iter().filter_map(child).collect()
    }
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
