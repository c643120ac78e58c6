//! The queries of `WITH`, each resolved when it is first named.

use std::rc::Rc;
use std::sync::Arc;

use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::pg::protobuf::SetOperation;
use super::pg::view::{CommonTableExpr, CteSearchClause, Node, WithClause};
use super::resolver::NameResolver;

/// A query of a `WITH`.
pub(crate) struct CteState<'a> {
    cte: CommonTableExpr<'a>,
    /// The level of the query that has the `WITH`.
    level: u32,
    is_recursive: bool,
    progress: Progress<'a>,
}

enum Progress<'a> {
    Waiting,
    /// The columns, once the part that does not refer to itself is resolved.
    Running(Option<Rc<NamedColumns<'a>>>),
    Done(Rc<NamedColumns<'a>>),
}

impl<'a> NameResolver<'a> {
    /// Resolves the queries of a `WITH`, and makes them visible in the query.
    pub(crate) fn with_clause(&mut self, with: Option<WithClause<'a>>) {
        let Some(with) = with else { return };
        self.check_cte_names(with.ctes());
        let ctes = with.ctes().iter().filter_map(|cte| match cte {
            Node::CommonTableExpr(cte) => Some(cte),
            _ => None,
        });
        let level = self.names.level();
        let first = self.cte_list.len();
        for cte in ctes {
            let index = self.cte_list.len();
            let is_recursive = with.recursive();
            let progress = Progress::Waiting;
            self.cte_list.push(CteState { cte, level, is_recursive, progress });
            if is_recursive {
                self.show_cte(index);
            }
        }
        let end = self.cte_list.len();
        for index in first..end {
            if matches!(self.cte_list[index].progress, Progress::Waiting) {
                self.resolve_cte(index);
            }
            // The others do not see themselves, nor those behind them.
            if !with.recursive() {
                self.show_cte(index);
            }
        }
    }

    fn show_cte(&mut self, index: usize) {
        let name: Arc<str> = Arc::from(self.cte_list[index].cte.ctename());
        if let Some(top) = self.names.top() {
            top.ctes.push(name.clone());
        }
        self.ctes.entry(name).or_default().push(index);
    }

    /// Returns a query of a `WITH` and its columns; `None` if none of the name is visible.
    pub(crate) fn visible_cte(
        &mut self,
        name: &str,
    ) -> Option<(CommonTableExpr<'a>, Rc<NamedColumns<'a>>)> {
        let mut visible = self.ctes.get(name)?.iter().rev().copied();
        let index = visible.find(|index| {
            let level = self.cte_list[*index].level;
            self.names.levels.get(level as usize).is_some_and(|level| !level.is_hidden)
        })?;
        if matches!(self.cte_list[index].progress, Progress::Waiting) {
            self.resolve_elsewhere(index);
        }
        let columns = match &self.cte_list[index].progress {
            Progress::Done(columns) | Progress::Running(Some(columns)) => columns.clone(),
            Progress::Running(None) | Progress::Waiting => {
                let cte = self.cte_list[index].cte;
                let columns = Rc::new(NamedColumns::unknown());
                with_cte_names(cte, columns)
            }
        };
        // Only the query of the WITH itself shows these in a star.
        let is_within = self.names.level() > self.cte_list[index].level;
        let cte = self.cte_list[index].cte;
        if is_within || columns.not_in_star == 0 {
            return Some((cte, columns));
        }
        let mut columns = columns.plain();
        columns.not_in_star = 0;
        Some((cte, Rc::new(columns)))
    }

    /// Resolves a query that is named before its turn, in the scope of its `WITH`.
    fn resolve_elsewhere(&mut self, index: usize) {
        let owner = self.cte_list[index].level as usize;
        let between = owner + 1..self.names.levels.len();
        let mut hidden = Vec::new();
        for level in &mut self.names.levels[between.clone()] {
            hidden.push(core::mem::replace(&mut level.is_hidden, true));
        }
        let items = match self.names.levels.get_mut(owner) {
            Some(level) => core::mem::replace(&mut level.visible, 0..0),
            None => 0..0,
        };
        self.resolve_cte(index);
        if let Some(level) = self.names.levels.get_mut(owner) {
            level.visible = items;
        }
        for (level, was_hidden) in self.names.levels[between].iter_mut().zip(hidden) {
            level.is_hidden = was_hidden;
        }
    }

    fn resolve_cte(&mut self, index: usize) {
        self.cte_list[index].progress = Progress::Running(None);
        let cte = self.cte_list[index].cte;
        let is_recursive = self.cte_list[index].is_recursive;
        let columns = match cte.ctequery() {
            Some(Node::SelectStmt(select))
                if is_recursive && select.op() != SetOperation::SetopNone =>
            {
                self.select(select, Some(index))
            }
            Some(query) => self.query(query),
            None => Rc::new(NamedColumns::unknown()),
        };
        let columns = with_cte_names(cte, columns);
        self.cte_list[index].progress = Progress::Done(columns);
    }

    /// Makes the columns of the first part of a recursive query known to the others.
    pub(crate) fn publish(&mut self, index: usize, columns: &Rc<NamedColumns<'a>>) {
        let columns = with_cte_names(self.cte_list[index].cte, columns.clone());
        self.cte_list[index].progress = Progress::Running(Some(columns));
    }
}

/// Applies the names that a `WITH` lists, and adds the columns of `SEARCH` and `CYCLE`.
fn with_cte_names<'a>(
    cte: CommonTableExpr<'a>,
    columns: Rc<NamedColumns<'a>>,
) -> Rc<NamedColumns<'a>> {
    let names: Vec<&str> = cte.aliascolnames().strs().collect();
    let columns = if names.is_empty() { columns } else { Rc::new(columns.renamed(&names).0) };
    let search = cte.search_clause().map(CteSearchClause::search_seq_column);
    let cycle = cte.cycle_clause();
    let cycle = cycle.map(|clause| [clause.cycle_mark_column(), clause.cycle_path_column()]);
    let more: Vec<_> = search.into_iter().chain(cycle.into_iter().flatten()).collect();
    if more.is_empty() {
        return columns;
    }
    let mut columns = columns.plain();
    columns.not_in_star = more.len();
    columns.columns.extend(more.into_iter().map(NamedColumn::new));
    Rc::new(columns)
}
