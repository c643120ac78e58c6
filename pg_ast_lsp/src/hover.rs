//! Information about the node under the cursor.

use core::ops::Range;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use pg_ast::view::{Node, RangeVar};

use crate::bodies::Body;
use crate::catalog::Catalog;
use crate::document::{self, Lines, Stmt, one_line};
use crate::node_docs;

/// The maximum length of displayed SQL, in bytes.
const SHOWN: usize = 2_000;

pub(crate) fn hover(text: &str, position: Position) -> Option<Hover> {
    let lines = Lines::new(text);
    let offset = lines.offset(position);
    let stmts = document::stmts(text);
    let stmt = stmts.iter().find(|stmt| holds(&stmt.range, offset))?;
    if let Some(body) = Body::of(text, stmt)
        && let Some((value, range)) = body.explain(text, &Catalog::new(text, &stmts), offset)
    {
        return Some(markdown(&lines, value, &range));
    }
    let (node, range) = node_at(stmt, offset)?;
    let mut shown = format!("**{}**", node.name());
    if let Some(docs) = node_docs::of(node.name()) {
        shown = format!("{shown}: {docs}");
    }
    if let Some(sql) = sql_of(node) {
        shown = format!("{shown}\n\n```sql\n{sql}\n```");
    }
    let catalog = Catalog::new(text, &stmts);
    if let Some(known) = known(&catalog, stmt, node) {
        shown = format!("{shown}\n\n{known}");
    }
    Some(markdown(&lines, shown, &range))
}

fn markdown(lines: &Lines<'_>, value: String, range: &Range<usize>) -> Hover {
    let contents = MarkupContent { kind: MarkupKind::Markdown, value };
    Hover { contents: HoverContents::Markup(contents), range: Some(lines.range(range)) }
}

/// Returns whether a place is in a range, or right after it.
fn holds(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}

/// Returns the smallest node at a place that is more than a word, and its range.
fn node_at(stmt: &Stmt, offset: usize) -> Option<(Node<'_>, Range<usize>)> {
    let nodes = stmt.tree.as_ref()?.nodes();
    let mut smallest: Option<(Node<'_>, Range<usize>)> = None;
    for node in nodes {
        if matches!(node, Node::RawStmt(_) | Node::String(_) | Node::Integer(_) | Node::List(_)) {
            continue;
        }
        let Some(range) = stmt.place(node).filter(|range| holds(range, offset)) else { continue };
        // If several have the same size, the outermost one.
        if smallest.as_ref().is_none_or(|(_, smallest)| range.len() <= smallest.len()) {
            smallest = Some((node, range));
        }
    }
    smallest
}

/// Returns the SQL of a node that can be printed alone.
fn sql_of(node: Node<'_>) -> Option<String> {
    let owned = node.to_owned_tree().ok()?;
    let sql = pg_ast::deparse_node(&owned);
    owned.drop_iteratively();
    let sql = sql.ok()?;
    Some(if sql.len() > SHOWN { one_line(&sql, SHOWN) } else { sql })
}

/// Returns the definition of a table or a column in the document.
fn known(catalog: &Catalog, stmt: &Stmt, node: Node<'_>) -> Option<String> {
    match node {
        Node::RangeVar(table) => {
            let table = catalog.table(table.schemaname(), table.relname())?;
            Some(table.list())
        }
        Node::ColumnRef(column) => {
            let mut names = column.names().rev();
            let name = names.next()?;
            let of = names.next();
            let tables = stmt.tree.as_ref()?.nodes().filter_map(Node::as_range_var);
            let mut tables = tables.filter(|table| of.is_none_or(|of| of == called(*table)));
            tables.find_map(|table| {
                let table = catalog.table(table.schemaname(), table.relname())?;
                let column = table.columns.iter().find(|column| column.name == name)?;
                Some(format!(
                    "`{}.{}` {}",
                    table.name,
                    column.name,
                    one_line(&column.type_name, 80)
                ))
            })
        }
        _ => None,
    }
}

/// Returns a statement's name for a table.
fn called(table: RangeVar<'_>) -> &str {
    table.alias().map_or(table.relname(), pg_ast::view::Alias::aliasname)
}
