//! What the columns at a place in unfinished SQL can come from.

use core::ops::Range;
use std::collections::HashMap;

use pg_ast::view::{self, Node, Tree, WithClause};
use pg_ast_names::{Catalog, Resolution, SourceKind};

/// The name that is put where somebody is typing.
const PLACE: &str = "pgast_place";

/// What is visible at a place.
pub(crate) struct VisibleSources {
    resolution: Resolution,
    /// The indexes of the sources, those of the innermost query first.
    visible: Vec<usize>,
    /// The names that the query gives its columns, where these can be used.
    pub(crate) labels: Vec<String>,
    /// The queries of `WITH`.
    pub(crate) ctes: Vec<String>,
}

/// A source that is visible.
pub(crate) struct VisibleSource<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) kind: &'a SourceKind,
    pub(crate) columns: Vec<&'a str>,
}

impl VisibleSources {
    /// Looks at a word of unfinished SQL, in place of which a name is read. `None` if the rest of the statement cannot be read with
    /// one there.
    pub(crate) fn at(sql: &str, word: &Range<usize>, catalog: &dyn Catalog) -> Option<Self> {
        let (before, behind) = (sql.get(..word.start)?, sql.get(word.end..)?);
        // What follows a name may be missing, as in `UPDATE t SET |`.
        let closers = closers(before);
        let written = ["", " = NULL"].into_iter().flat_map(|more| {
            let with = |closers: &str| format!("{before}{PLACE}{more}{closers}{behind}");
            [with(""), with(&closers)]
        });
        let written: Vec<_> = written.collect();
        let whole = written.iter().find_map(|sql| Self::of(&view::parse(sql).ok()?, catalog));
        whole.or_else(|| {
            let trees =
                written.iter().filter_map(|sql| pg_ast::parse_lossy(sql).ok()?.tree.to_view().ok());
            let mut found = trees.filter_map(|tree| Self::of(&tree, catalog));
            found.find(|found| !found.visible.is_empty())
        })
    }

    fn of(tree: &Tree, catalog: &dyn Catalog) -> Option<Self> {
        let query = QueryTree::new(tree);
        let place = query.nodes.iter().rposition(|node| is_place(*node))?;
        let resolution = pg_ast_names::resolve(tree, catalog);
        let mut found =
            Self { resolution, visible: Vec::new(), labels: Vec::new(), ctes: Vec::new() };
        let mut of_owner: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        for (source, node) in found.resolution.sources.iter().map(|it| it.node).enumerate() {
            let Some(node) = node else { continue };
            // `excluded`, in its clause.
            let is_row = matches!(found.resolution.sources[source].kind, SourceKind::RowOf(_));
            let owner = if is_row { Some(node) } else { query.owner(node) };
            if let Some(owner) = owner {
                of_owner.entry(owner).or_default().push((source, node));
            }
        }
        // From the innermost query outwards.
        let mut child = place;
        while let Some(parent) = query.parents[child] {
            query.labels(parent, child, &mut found.labels);
            query.ctes(parent, &mut found.ctes);
            if let Some(sources) = of_owner.get(&parent) {
                let items = query.visible_items(parent, child, place);
                let seen = sources.iter().filter(|(_, node)| items.contains(node));
                found.visible.extend(seen.map(|(source, _)| *source));
            }
            child = parent;
        }
        Some(found)
    }

    /// Returns whether no column is visible.
    pub(crate) fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = VisibleSource<'_>> {
        self.visible.iter().map(|source| {
            let source = &self.resolution.sources[*source];
            VisibleSource {
                name: source.name.as_deref(),
                kind: &source.kind,
                columns: source.columns.names().collect(),
            }
        })
    }
}

/// Returns what closes the brackets and `CASE` that are open at the end of SQL.
fn closers(sql: &str) -> String {
    let mut open: Vec<&str> = Vec::new();
    for token in pg_ast::scan_lossy(sql).scan.tokens {
        let text = &sql[token.range()];
        let mut after = |before: &[&str], now: Option<&'static str>| {
            if open.last().is_some_and(|last| before.contains(last)) {
                open.pop();
            }
            open.extend(now);
        };
        match text {
            "(" => open.push(")"),
            "[" => open.push("]"),
            ")" | "]" => after(&[text], None),
            _ if text.eq_ignore_ascii_case("CASE") => open.push(" WHEN true THEN NULL END"),
            _ if text.eq_ignore_ascii_case("WHEN") => {
                after(&[" WHEN true THEN NULL END", " END"], Some(" THEN NULL END"));
            }
            _ if text.eq_ignore_ascii_case("THEN") => after(&[" THEN NULL END"], Some(" END")),
            _ if text.eq_ignore_ascii_case("END") => after(&[" END"], None),
            _ => {}
        }
    }
    open.iter().rev().copied().collect()
}

fn is_place(node: Node<'_>) -> bool {
    match node {
        Node::ColumnRef(column) => column.names().any(|name| name == PLACE),
        Node::ResTarget(target) => target.name() == PLACE,
        Node::IndexElem(element) => element.name() == PLACE,
        Node::AlterTableCmd(cmd) => cmd.name() == PLACE,
        Node::StatsElem(element) => element.name() == PLACE,
        Node::PartitionElem(element) => element.name() == PLACE,
        Node::RenameStmt(rename) => rename.subname() == PLACE,
        Node::String(text) => text.sval() == PLACE,
        _ => false,
    }
}

/// The nodes of a tree, with the parent of each.
struct QueryTree<'a> {
    nodes: Vec<Node<'a>>,
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
}

impl<'a> QueryTree<'a> {
    fn new(tree: &'a Tree) -> Self {
        let (mut nodes, mut parents, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        let mut open: Vec<usize> = Vec::new();
        for (node, depth) in tree.nodes().with_depth() {
            open.truncate(depth);
            parents.push(open.last().copied());
            open.push(nodes.len());
            nodes.push(node);
            depths.push(depth);
        }
        Self { nodes, parents, depths }
    }

    /// Returns the query or the statement that a source is of.
    fn owner(&self, source: usize) -> Option<usize> {
        let mut at = self.parents[source]?;
        while matches!(
            self.nodes[at],
            Node::JoinExpr(_) | Node::RangeTableSample(_) | Node::List(_)
        ) {
            at = self.parents[at]?;
        }
        Some(at)
    }

    /// Returns the nodes among which are the items of a query that are visible in one of its children.
    fn visible_items(&self, query: usize, child: usize, place: usize) -> Range<usize> {
        const NONE: Range<usize> = 0..0;
        let all = query..self.nodes.len();
        match (self.nodes[query], self.nodes[child]) {
            (_, Node::WithClause(_)) | (Node::InsertStmt(_), Node::SelectStmt(_)) => NONE,
            _ if !self.is_from_item(child) => all,
            _ => self.visible_in_from(query, place).unwrap_or(NONE),
        }
    }

    /// The items that are visible within the `FROM` of their query: in the condition of a join its arms, in an item that is `LATERAL`
    /// those before it.
    fn visible_in_from(&self, query: usize, place: usize) -> Option<Range<usize>> {
        let mut below = place;
        while below != query {
            let at = self.parents[below]?;
            let is_lateral = match self.nodes[at] {
                Node::RangeSubselect(it) => it.lateral(),
                Node::RangeFunction(_) | Node::RangeTableFunc(_) | Node::JsonTable(_) => true,
                _ => false,
            };
            let is_condition =
                matches!(self.nodes[at], Node::JoinExpr(_)) && !self.is_from_item(below);
            if (is_lateral || is_condition) && self.owner(at) == Some(query) {
                return Some(if is_lateral { query..at } else { at..self.end_of(at) });
            }
            below = at;
        }
        None
    }

    /// Returns the node behind those below a node.
    fn end_of(&self, node: usize) -> usize {
        let behind = self.depths[node + 1..].iter().position(|depth| *depth <= self.depths[node]);
        behind.map_or(self.nodes.len(), |count| node + 1 + count)
    }

    fn is_from_item(&self, node: usize) -> bool {
        matches!(
            self.nodes[node],
            Node::RangeVar(_)
                | Node::JoinExpr(_)
                | Node::RangeSubselect(_)
                | Node::RangeFunction(_)
                | Node::RangeTableFunc(_)
                | Node::RangeTableSample(_)
                | Node::JsonTable(_)
        )
    }

    /// Adds the names of a query's columns, which `ORDER BY` and `GROUP BY` see.
    fn labels(&self, query: usize, child: usize, labels: &mut Vec<String>) {
        let Node::SelectStmt(select) = self.nodes[query] else { return };
        let is_ordered = matches!(self.nodes[child], Node::SortBy(_))
            || select.group_clause().iter().any(|node| node == self.nodes[child]);
        if is_ordered {
            let targets = select.target_list().iter().filter_map(Node::as_res_target);
            let names = targets.map(|target| target.name().to_owned());
            labels.extend(names.filter(|name| !name.is_empty()));
        }
    }

    fn ctes(&self, query: usize, ctes: &mut Vec<String>) {
        let with = match self.nodes[query] {
            Node::SelectStmt(it) => it.with_clause(),
            Node::InsertStmt(it) => it.with_clause(),
            Node::UpdateStmt(it) => it.with_clause(),
            Node::DeleteStmt(it) => it.with_clause(),
            Node::MergeStmt(it) => it.with_clause(),
            Node::WithClause(it) => Some(it),
            _ => None,
        };
        let all = with.map(WithClause::ctes).unwrap_or_default();
        ctes.extend(
            all.iter().filter_map(|cte| Some(cte.as_common_table_expr()?.ctename().to_owned())),
        );
    }
}
