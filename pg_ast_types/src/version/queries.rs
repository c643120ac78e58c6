//! Queries: `SELECT`, `VALUES`, their combinations, and `WITH`.

use std::rc::Rc;

use super::pg::protobuf::SetOperation;
use super::pg::seam::{address, with_stack};
use super::pg::view::{CommonTableExpr, Node, SelectStmt, WithClause};
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::rules::coercion::Coercion;
use crate::type_table::TypeId;

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the columns of a query, in which literals are texts.
    pub(super) fn query(&mut self, query: Node<'a>) -> Rc<Columns> {
        self.query_of(query, true)
    }

    /// Returns the columns of a query, in which literals can be left as they are: for `UNION`, and for what is inserted.
    pub(super) fn query_of(&mut self, query: Node<'a>, are_texts: bool) -> Rc<Columns> {
        let key = address(query);
        if let Some(columns) = self.queries.get(&key) {
            return columns.clone();
        }
        if !self.begun.insert(key) {
            return Rc::new(Columns::unknown());
        }
        let columns = with_stack(|| match query {
            Node::SelectStmt(select) => self.select(select, are_texts),
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => self.writing(query),
            _ => Columns::unknown(),
        });
        self.begun.remove(&key);
        let columns = Rc::new(columns);
        self.queries.insert(key, columns.clone());
        columns
    }

    /// Whether a query is being read.
    pub(super) fn is_open(&self, query: Node<'_>) -> bool {
        self.begun.contains(&address(query))
    }

    fn select(&mut self, select: SelectStmt<'a>, are_texts: bool) -> Columns {
        // Windows of this query are read at its end.
        let outer = core::mem::take(&mut self.windows);
        self.with_clause(select.with_clause());
        let mut columns = if select.op() != SetOperation::SetopNone {
            self.set_operation(select)
        } else if select.values_lists().is_empty() {
            self.plain_select(select)
        } else {
            self.values(select)
        };
        if select.op() != SetOperation::SetopNone || !select.values_lists().is_empty() {
            self.output_sorts(select);
        }
        self.limits(select);
        let windows = core::mem::replace(&mut self.windows, outer);
        for window in select.window_clause() {
            if let Node::WindowDef(window) = window {
                self.window(window);
            }
        }
        for window in windows {
            self.window(window);
        }
        if are_texts {
            self.texts_if_untyped(&mut columns);
        }
        columns
    }

    /// `transformSelectStmt` of `analyze.c`
    fn plain_select(&mut self, select: SelectStmt<'a>) -> Columns {
        self.read_from(select.from_clause());
        let columns = self.targets(select.target_list());
        for condition in select.where_clause().into_iter().chain(select.having_clause()) {
            let value = self.expr(condition);
            self.condition(&value);
        }
        self.output_sorts(select);
        self.groups(select.group_clause().iter().collect());
        for value in select.distinct_clause() {
            self.output_or_value(value);
        }
        columns
    }

    fn output_sorts(&mut self, select: SelectStmt<'a>) {
        for sort in select.sort_clause() {
            let value = match sort {
                Node::SortBy(sort) => sort.node(),
                other => Some(other),
            };
            if let Some(value) = value {
                self.output_or_value(value);
            }
        }
    }

    /// Reads what rows are sorted or grouped by, unless it is a column that the query returns.
    fn output_or_value(&mut self, value: Node<'a>) {
        if let Node::AConst(_) | Node::Null = value {
            return;
        }
        let names = self.names;
        let is_output = names
            .columns_at(value)
            .any(|used| matches!(used.meaning, pg_ast_names::ColumnMeaning::Output(_)));
        if !is_output {
            let value = self.expr(value);
            self.text_if_untyped(value);
        }
    }

    fn groups(&mut self, mut items: Vec<Node<'a>>) {
        items.reverse();
        while let Some(item) = items.pop() {
            match item {
                Node::GroupingSet(set) => items.extend(set.content().iter().rev()),
                Node::List(list) => items.extend(list.iter().rev()),
                // Brackets around several.
                Node::RowExpr(row) => items.extend(row.args().iter().rev()),
                item => self.output_or_value(item),
            }
        }
    }

    /// `transformLimitClause` of `parse_clause.c`
    fn limits(&mut self, select: SelectStmt<'a>) {
        for limit in select.limit_offset().into_iter().chain(select.limit_count()) {
            let value = self.expr(limit);
            self.coerce(&value, TypeId::INT8, Coercion::Assignment);
        }
    }

    /// `transformValuesClause` of `analyze.c`
    fn values(&mut self, select: SelectStmt<'a>) -> Columns {
        let rows: Vec<Columns> = select.rows().map(|row| self.list_of_values(row)).collect();
        let Some(first) = rows.first() else { return Columns::default() };
        if rows.iter().any(|row| row.open_at.is_some()) {
            return Columns::unknown();
        }
        if rows.iter().any(|row| row.values.len() != first.values.len()) {
            self.mistake();
        }
        let columns = (0..first.values.len()).map(|index| {
            let of_column: Vec<TypedValue> = rows.iter().map(|row| row.get(index)).collect();
            TypedValue { origin: None, ..self.common_of_rows(&of_column) }
        });
        Columns::new(columns.collect())
    }

    fn common_of_rows(&mut self, values: &[TypedValue]) -> TypedValue {
        let values: Vec<TypedValue> = values.iter().map(|value| self.again(value)).collect();
        self.common(&values)
    }

    /// `transformSetOperationTree` of `analyze.c`
    fn set_operation(&mut self, select: SelectStmt<'a>) -> Columns {
        let (Some(left), Some(right)) = (select.larg(), select.rarg()) else {
            return Columns::unknown();
        };
        let left = self.query_of(left.into(), false);
        // What the rest of a recursive query is: `determineRecursiveColTypes`.
        if let Some(query) = self.recursive.take_if(|query| *query == address(select.into())) {
            let mut first = (*left).clone();
            for value in &mut first.values {
                if value.is_untyped() {
                    *value = TypedValue::of(TypeId::TEXT);
                }
                value.origin = None;
            }
            self.queries.insert(query, Rc::new(first));
        }
        let right = self.query_of(right.into(), false);
        if left.open_at.is_some() || right.open_at.is_some() {
            let known = |columns: &Columns| columns.open_at.unwrap_or(columns.values.len());
            let count = known(&left).min(known(&right));
            let values = (0..count).map(|index| self.common_of_arms(&left, &right, index));
            let mut columns = Columns::new(values.collect());
            columns.open_here();
            return columns;
        }
        if left.values.len() != right.values.len() {
            self.mistake();
        }
        let values = (0..left.values.len()).map(|index| self.common_of_arms(&left, &right, index));
        Columns::new(values.collect())
    }

    fn common_of_arms(&mut self, left: &Columns, right: &Columns, index: usize) -> TypedValue {
        let both = [left.get(index), right.get(index)].map(|value| self.again(&value));
        TypedValue { origin: None, ..self.common(&both) }
    }

    /// `transformWithClause` of `parse_cte.c`
    pub(super) fn with_clause(&mut self, with: Option<WithClause<'a>>) {
        let Some(with) = with else { return };
        for cte in with.ctes() {
            let Node::CommonTableExpr(cte) = cte else { continue };
            self.cte(cte, with.recursive());
        }
    }

    fn cte(&mut self, cte: CommonTableExpr<'a>, is_recursive: bool) {
        let Some(query) = cte.ctequery() else { return };
        let key = address(query);
        if self.queries.contains_key(&key) || self.begun.contains(&key) {
            return;
        }
        let outer = self.recursive.take();
        if is_recursive
            && matches!(query, Node::SelectStmt(of) if of.op() != SetOperation::SetopNone)
        {
            self.recursive = Some(key);
        }
        let columns = with_stack(|| match query {
            // The columns of the first part are known while the second one is read.
            Node::SelectStmt(select) if self.begun.insert(key) => {
                let columns = self.select(select, true);
                self.begun.remove(&key);
                columns
            }
            _ => (*self.query(query)).clone(),
        });
        self.recursive = outer;
        let mut columns = columns;
        for value in &mut columns.values {
            value.origin = value.origin.take().filter(|_| !is_recursive);
        }
        self.add_search_and_cycle(cte, &mut columns);
        self.queries.insert(key, Rc::new(columns));
    }

    /// The columns that `SEARCH` and `CYCLE` add: `rewriteSearchAndCycle`, and `analyzeCTE` for their types.
    fn add_search_and_cycle(&mut self, cte: CommonTableExpr<'a>, columns: &mut Columns) {
        if let Some(search) = cte.search_clause() {
            let is_breadth = search.search_breadth_first();
            let id = if is_breadth { TypeId::RECORD } else { TypeId::RECORD_ARRAY };
            columns.values.push(TypedValue::of(id));
        }
        if let Some(cycle) = cte.cycle_clause() {
            let marks: Vec<TypedValue> = cycle
                .cycle_mark_value()
                .into_iter()
                .chain(cycle.cycle_mark_default())
                .map(|mark| self.expr(mark))
                .collect();
            let mark =
                if marks.is_empty() { TypedValue::of(TypeId::BOOL) } else { self.common(&marks) };
            columns.values.push(mark);
            columns.values.push(TypedValue::of(TypeId::RECORD_ARRAY));
        }
    }
}
