//! What SQL leaves out: the columns of the values of an `INSERT`, and those that a star stands for.

use core::ops::Range;

use pg_ast::view::{InsertStmt, Node, Tree};
use pg_ast_names::{Catalog, Resolution};

use crate::answers::hover::star_columns;
use crate::stmt::{Body, StmtFacts};
use crate::workspace::context::DocumentContext;

/// The maximum number of hints in a response: nobody reads more.
const MAX: usize = 1_000;
/// The maximum number of columns that a hint lists.
const COLUMNS: usize = 12;

/// What SQL leaves out at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InlayHint {
    /// Where it is shown.
    pub offset: usize,
    /// What is shown.
    pub label: String,
    /// All of it, if the label has only a part.
    pub tooltip: Option<String>,
    /// Whether it is the column of the value behind it; otherwise, the columns of the star before it.
    pub is_of_value: bool,
}

impl DocumentContext<'_> {
    /// Returns what SQL leaves out in a range of the document.
    #[must_use]
    pub fn inlay_hints(&self, wanted: &Range<usize>) -> Vec<InlayHint> {
        let mut hints = Hints { wanted: wanted.clone(), all: Vec::new() };
        let stmts = self.document.stmts();
        let first = stmts.partition_point(|placed| placed.range.end < wanted.start);
        for (index, placed) in stmts.iter().enumerate().skip(first) {
            if placed.range.start > wanted.end || hints.all.len() >= MAX {
                break;
            }
            let start = placed.range.start;
            let names = self.names(index);
            for (star, used) in &names.stars {
                if let Some(columns) = star_columns(&names, *used) {
                    hints.star(start + star.end, &columns);
                }
            }
            if let Some(tree) = placed.stmt.tree() {
                hints.inserts(tree, &names.resolution, start);
            }
            if let Some(Body::PlPgSql(function)) = placed.stmt.body() {
                let exprs = function.parts().filter_map(|part| match part {
                    pg_ast::plpgsql::Part::Execsql(stmt) => Some(&stmt.sqlstmt),
                    _ => None,
                });
                for expr in exprs {
                    let at = usize::try_from(expr.location).ok();
                    let Some(at) = at.map(|at| start + at) else { continue };
                    let is_wanted = at <= wanted.end && wanted.start <= at + expr.query.len();
                    // What is not for SQL has been replaced by as many blanks.
                    let is_same = self.document.text().get(at..at + expr.query.len()).is_some();
                    if is_wanted && is_same {
                        let stmt = StmtFacts::new(expr.query.clone());
                        self.workspace.with_catalog(self.path, self.document, index, |catalog| {
                            hints.in_body(&stmt, catalog, at);
                        });
                    }
                }
            }
        }
        hints.all.truncate(MAX);
        hints.all
    }
}

struct Hints {
    wanted: Range<usize>,
    all: Vec<InlayHint>,
}

impl Hints {
    fn add(&mut self, offset: usize, label: String, tooltip: Option<String>, is_of_value: bool) {
        if !(self.wanted.start..=self.wanted.end).contains(&offset) || self.all.len() >= MAX {
            return;
        }
        self.all.push(InlayHint { offset, label, tooltip, is_of_value });
    }

    fn in_body(&mut self, stmt: &StmtFacts, catalog: &dyn Catalog, start: usize) {
        if let Some(tree) = stmt.tree() {
            self.inserts(tree, &pg_ast_names::resolve(tree, catalog), start);
        }
    }

    /// The columns that a star stands for, behind it.
    fn star(&mut self, offset: usize, columns: &[String]) {
        let mut label = columns.iter().take(COLUMNS).cloned().collect::<Vec<_>>().join(", ");
        if columns.len() > COLUMNS {
            label += ", …";
        }
        let tooltip = (columns.len() > COLUMNS).then(|| columns.join(", "));
        self.add(offset, label, tooltip, false);
    }

    /// The column of each value of an `INSERT`, before it.
    fn inserts(&mut self, tree: &Tree, resolution: &Resolution, start: usize) {
        let mut inserts = tree.nodes().enumerate().filter_map(|(index, node)| match node {
            Node::InsertStmt(insert) => Some((index, insert)),
            _ => None,
        });
        // Those in a `WITH`, too.
        for (index, insert) in inserts.by_ref().take(MAX) {
            self.insert(tree, resolution, index, insert, start);
        }
    }

    fn insert(
        &mut self,
        tree: &Tree,
        resolution: &Resolution,
        index: usize,
        insert: InsertStmt<'_>,
        start: usize,
    ) {
        let Some(Node::SelectStmt(select)) = insert.select_stmt() else { return };
        let rows = select.values_lists();
        if rows.is_empty() {
            return;
        }
        let targets = insert.cols().iter().filter_map(Node::as_res_target);
        let mut columns: Vec<String> = targets.map(|target| target.name().to_owned()).collect();
        if columns.is_empty() {
            // Its target is the node behind it.
            let target = |source: &&pg_ast_names::ColumnSource| source.node == Some(index + 1);
            let source = resolution.sources.iter().find(target);
            columns.extend(source.iter().flat_map(|it| it.columns.names().map(str::to_owned)));
        }
        for row in rows {
            let Node::List(values) = row else { continue };
            // One column needs no name.
            if values.len() < 2 {
                continue;
            }
            for (value, column) in values.iter().zip(&columns) {
                let Some(range) = tree.range(value) else { continue };
                if start + range.start > self.wanted.end || self.all.len() >= MAX {
                    return;
                }
                self.add(start + range.start, format!("{column}:"), None, true);
            }
        }
    }
}
