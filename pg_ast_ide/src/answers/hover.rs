//! Information about what is under the cursor.

use core::ops::Range;

use pg_ast::NameKind;
use pg_ast::view::Node;
use pg_ast_names::{ColumnMeaning, StarPart};

use crate::answers::functions;
use crate::answers::node_docs;
use crate::answers::references::{kind_of, name_at};
use crate::names::{LocalKind, Names, SymbolId};
use crate::stmt::StmtFacts;
use crate::stmt::one_line::one_line;
use crate::workspace::context::DocumentContext;

/// The maximum length of displayed SQL, in bytes.
const SHOWN: usize = 2_000;
/// The maximum number of columns that are listed.
const COLUMNS: usize = 50;

/// What is shown about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hover {
    /// The range that it is about.
    pub range: Range<usize>,
    /// The text, in Markdown.
    pub markdown: String,
}

impl DocumentContext<'_> {
    /// Describes what is at a place: the node, its SQL, and what the name means.
    #[must_use]
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let index = self.document.stmt_at(offset)?;
        let placed = &self.document.stmts()[index];
        let (stmt, start) = (&*placed.stmt, placed.range.start);
        let at = offset - start;
        let names = self.names(index);
        let mut shown = Vec::new();
        let mut range = None;
        if let Some(place) = name_at(self, offset) {
            shown.extend(of_symbol(self, stmt, &place.name.symbol, &place.name.range));
            range = Some(place.name.range);
        }
        if let Some((star, of)) = star_at(&names, at) {
            shown.push(of);
            range = Some(star);
        }
        let in_body = stmt.tokens().body.as_ref().is_some_and(|body| body.contains(&at));
        if in_body {
            if shown.is_empty() {
                let (of, place) = innermost(stmt, at)?;
                (range, shown) = (Some(place), vec![of]);
            }
        } else if let Some((node, place)) = node_at(stmt, at) {
            let mut of = format!("**{}**", node.name());
            if let Some(docs) = node_docs::of(node.name()) {
                of = format!("{of}: {docs}");
            }
            if let Some(sql) = sql_of(node) {
                of = format!("{of}\n\n```sql\n{sql}\n```");
            }
            shown.insert(0, of);
            range = Some(place);
        }
        Some(Hover { range: placed.in_document(&range?), markdown: shown.join("\n\n") })
    }
}

/// Describes what a name means.
fn of_symbol(
    cx: &DocumentContext<'_>,
    stmt: &StmtFacts,
    symbol: &SymbolId,
    range: &Range<usize>,
) -> Option<String> {
    match symbol {
        SymbolId::Relation(name) => {
            let index = cx.document.stmts().len();
            let relation = cx.workspace.with_catalog(cx.path, cx.document, index, |catalog| {
                let schema = name.schema.as_deref().unwrap_or_default();
                pg_ast_names::Catalog::relation(catalog, schema, &name.name).cloned()
            });
            let mut text = format!("**table** `{name}`");
            let types = cx.workspace.types_of(name.schema.as_deref(), &name.name);
            let Some(relation) = relation else { return Some(text) };
            text.push('\n');
            for column in relation.columns.iter().take(COLUMNS) {
                let of = types.get(column.name.as_str()).copied().unwrap_or_default();
                text += format!("\n- `{}` {of}", column.name).trim_end();
            }
            Some(text)
        }
        SymbolId::Column(table, column) => {
            let types = cx.workspace.types_of(table.schema.as_deref(), &table.name);
            let of = types.get(column.as_str()).copied().unwrap_or_default();
            Some(format!("**column** `{}.{column}` {of}", table.name).trim_end().to_owned())
        }
        SymbolId::Routine(name) => {
            let is_it = |defined: &&crate::stmt::defined::Defined| {
                defined.kind == NameKind::Function
                    && defined.is_of(name.schema.as_deref(), &name.name)
            };
            let own = cx.workspace.defined().filter(is_it).map(|defined| defined.detail.clone());
            let mut labels: Vec<_> = own.collect();
            if labels.is_empty() {
                let own = functions::named(cx.workspace.version(), &name.name).iter();
                labels = own.map(|it| functions::signature(it).label).collect();
            }
            labels.truncate(COLUMNS);
            let text = format!("**function** `{}`", name.name);
            Some(if labels.is_empty() {
                text
            } else {
                format!("{text}\n\n```\n{}\n```", labels.join("\n"))
            })
        }
        SymbolId::Local(LocalKind::Variable | LocalKind::Parameter, at) => {
            let body = stmt.body()?.function();
            let name = &stmt.sql()[range.clone()];
            let declared = body.and_then(|function| {
                let mut all = pg_ast_plpgsql::variables(function).into_iter();
                let variable = all.find(|variable| {
                    variable.declared.as_ref().is_some_and(|it| it.contains(at))
                })?;
                Some(crate::stmt::bodies::type_of(function, variable.dno))
            });
            let of = one_line(&declared.unwrap_or_default(), 80);
            Some(format!("**{}** `{name}` {of}", kind_of(symbol)).trim_end().to_owned())
        }
        SymbolId::Type(name) => Some(format!("**type** `{name}`")),
        SymbolId::Object(..) => None,
        SymbolId::Local(..) => {
            let name = &stmt.sql()[range.clone()];
            Some(format!("**{}** `{name}`", kind_of(symbol)))
        }
    }
}

/// Returns what a star stands for.
fn star_at(names: &Names, at: usize) -> Option<(Range<usize>, String)> {
    let (range, index) =
        names.stars.iter().find(|(range, _)| range.contains(&at) || range.end == at)?;
    let columns = star_columns(names, *index)?;
    let list: Vec<_> = columns.iter().take(COLUMNS).map(|column| format!("- `{column}`")).collect();
    Some((range.clone(), list.join("\n")))
}

/// Returns the columns that a star stands for, if they are all known.
pub(crate) fn star_columns(names: &Names, index: usize) -> Option<Vec<String>> {
    let ColumnMeaning::All(parts) = &names.resolution.columns.get(index)?.meaning else {
        return None;
    };
    let columns = parts.iter().map(|part| match part {
        StarPart::Column(column) => Some(column.name.to_string()),
        _ => None,
    });
    columns.collect::<Option<Vec<_>>>().filter(|columns| !columns.is_empty())
}

/// Returns the smallest node at a place that is more than a word, and its range.
fn node_at(stmt: &StmtFacts, at: usize) -> Option<(Node<'_>, Range<usize>)> {
    let tree = stmt.tree()?;
    let mut smallest: Option<(Node<'_>, Range<usize>)> = None;
    for node in tree.nodes() {
        if matches!(node, Node::RawStmt(_) | Node::String(_) | Node::Integer(_) | Node::List(_)) {
            continue;
        }
        let holds = |range: &Range<usize>| range.start <= at && at <= range.end;
        let Some(range) = tree.range(node).filter(holds) else { continue };
        // If several have the same size, the outermost one.
        if smallest.as_ref().is_none_or(|(_, smallest)| range.len() <= smallest.len()) {
            smallest = Some((node, range));
        }
    }
    smallest
}

/// Describes the innermost statement or declaration at a place of a body.
fn innermost(stmt: &StmtFacts, at: usize) -> Option<(String, Range<usize>)> {
    let function = stmt.body()?.function()?;
    let part = crate::stmt::bodies::innermost(function, at)?;
    let shown = match node_docs::of(part.name()) {
        Some(docs) => format!("**{}**: {docs}", part.name()),
        None => format!("**{}**", part.name()),
    };
    Some((shown, part.range()?))
}

/// Returns the SQL of a node that can be printed alone.
fn sql_of(node: Node<'_>) -> Option<String> {
    let owned = node.to_owned_tree().ok()?;
    let sql = pg_ast::deparse_node(&owned);
    owned.drop_iteratively();
    let sql = sql.ok()?;
    Some(if sql.len() > SHOWN { one_line(&sql, SHOWN) } else { sql })
}
