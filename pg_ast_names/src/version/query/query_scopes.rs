//! Queries: `SELECT`, `VALUES`, and their combinations.

use std::rc::Rc;
use std::sync::Arc;

use super::expr::output_names::{OutputName, output_name};
use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::lookup::visible_names::Meant;
use super::pg::protobuf::SetOperation;
use super::pg::seam::{address, with_stack};
use super::pg::view::{ColumnRef, IntoClause, List, Node, ResTarget, SelectStmt};
use super::recorded_queries::ReturnedColumns;
use super::resolver::NameResolver;
use crate::name_mistakes::MistakeKind;
use crate::resolution::{Candidates, ColumnMeaning, SourceColumn, StarPart};

/// The most columns that a query can return: `MaxTupleAttributeNumber` of PostgreSQL's `htup_details.h`.
const MOST_COLUMNS: usize = 1664;

impl<'a> NameResolver<'a> {
    /// Resolves a query, and returns its columns.
    pub(crate) fn query(&mut self, query: Node<'a>) -> Rc<NamedColumns<'a>> {
        match query {
            Node::SelectStmt(select) => self.select(select, None),
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => with_stack(|| self.writing(query)),
            _ => {
                self.expr(query);
                Rc::new(NamedColumns::unknown())
            }
        }
    }

    /// Resolves a `SELECT`; `cte` is the recursive query of which it is the body.
    pub(crate) fn select(
        &mut self,
        select: SelectStmt<'a>,
        cte: Option<usize>,
    ) -> Rc<NamedColumns<'a>> {
        with_stack(|| {
            self.open_query(select.into());
            self.with_clause(select.with_clause());
            let columns = if select.op() != SetOperation::SetopNone {
                self.set_operation(select, cte)
            } else if select.values_lists().is_empty() {
                self.plain_select(select)
            } else {
                self.values(select)
            };
            self.close();
            columns
        })
    }

    fn values(&mut self, select: SelectStmt<'a>) -> Rc<NamedColumns<'a>> {
        let mut columns = NamedColumns::default();
        self.check_rows(select);
        for (index, row) in select.rows().enumerate() {
            self.expr_list(row, true);
            if index == 0 {
                let mut count = 0;
                for value in row {
                    // `t.*` is several of them.
                    let star = match value {
                        Node::ColumnRef(column) if column.is_star() => self.star_width(column),
                        _ => Some(1),
                    };
                    match star {
                        Some(width) => count += width,
                        None => columns.open_here(),
                    }
                }
                let names = (1..=count).map(|number| NamedColumn::new(format!("column{number}")));
                columns.columns.extend(names);
            }
        }
        let outputs = ReturnedColumns {
            columns: Rc::new(columns),
            values: Vec::new(),
            origins: Vec::new(),
            others: Vec::new(),
        };
        self.order_by(select.sort_clause(), &outputs);
        self.limits(select);
        if let Some(recorded) = &mut self.recorded {
            recorded.add_values(select.into(), outputs.columns.clone());
        }
        outputs.columns
    }

    fn set_operation(
        &mut self,
        select: SelectStmt<'a>,
        cte: Option<usize>,
    ) -> Rc<NamedColumns<'a>> {
        let left = select.larg().map(|left| self.select(left, None));
        let columns = left.unwrap_or_default();
        if let Some(cte) = cte {
            self.publish(cte, &columns);
        }
        if let Some(right) = select.rarg() {
            let right = self.select(right, None);
            self.check_arms(select, [&columns, &right]);
        }
        for sort in select.sort_clause() {
            let value = match sort {
                Node::SortBy(sort) => sort.node(),
                other => Some(other),
            };
            let Some(value) = value else { continue };
            match value {
                // Only columns that both return can be named.
                Node::ColumnRef(column) => {
                    let name = single_name(column);
                    match name.and_then(|name| columns.find(name)) {
                        Some((index, _)) => self.output_use(column, index),
                        None if columns.is_complete() => drop(self.column_ref(column)),
                        None => {
                            let names = column.names().map(str::to_owned).collect();
                            let meaning = ColumnMeaning::Unknown;
                            self.add_column_use(value, column.location(), names, meaning);
                        }
                    }
                }
                value if self.check_place(value, &columns, "ORDER BY") => {}
                value => {
                    let is_lenient = core::mem::replace(&mut self.is_lenient, true);
                    self.expr(value);
                    self.is_lenient = is_lenient;
                }
            }
        }
        self.limits(select);
        columns
    }

    fn plain_select(&mut self, select: SelectStmt<'a>) -> Rc<NamedColumns<'a>> {
        let first = self.sources.len();
        let from = self.items_of_from(select.from_clause());
        let sources = first..self.sources.len();
        self.define_windows(select.window_clause());
        self.for_aggregates.is_needed |= (!select.group_clause().is_empty()
            || select.having_clause().is_some())
            && self.knows_functions();
        self.show_all();
        let outputs = self.targets(select.target_list(), &from);
        // `count(*)` beside something else.
        self.for_aggregates.is_needed |= self.for_aggregates.has_bare_call
            && select.group_clause().is_empty()
            && select.target_list().len() > 1;
        self.optional(select.where_clause());
        self.optional(select.having_clause());
        for item in select.group_clause() {
            self.group_item(item, &outputs);
        }
        for value in select.distinct_clause() {
            self.order_item(value, &outputs, "DISTINCT ON");
        }
        self.order_by(select.sort_clause(), &outputs);
        for window in select.window_clause() {
            self.window_definition(window);
        }
        self.limits(select);
        for locking in select.locking_clause() {
            self.locking(locking);
        }
        if let Some(table) = select.into_clause().and_then(IntoClause::rel) {
            self.defined_table(table);
        }
        let columns = outputs.columns.clone();
        if let Some(recorded) = &mut self.recorded {
            recorded.add_query(select.into(), sources);
            recorded.add_columns(select.into(), outputs);
        }
        columns
    }

    fn limits(&mut self, select: SelectStmt<'a>) {
        // They cannot use columns of the query.
        let before = self.names.show(0..0);
        self.optional(select.limit_count());
        self.optional(select.limit_offset());
        self.names.show(before);
    }

    pub(crate) fn optional(&mut self, expr: Option<Node<'a>>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    /// Resolves a list of targets, and returns their columns.
    pub(crate) fn targets(&mut self, targets: List<'a>, from: &[usize]) -> ReturnedColumns<'a> {
        let mut columns = NamedColumns::default();
        let (mut values, mut origins, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for target in targets {
            let Node::ResTarget(target) = target else {
                self.expr(target);
                continue;
            };
            let Some(value) = target.val() else { continue };
            match value {
                Node::ColumnRef(column) if column.is_star() => {
                    origins.resize(columns.columns.len(), None);
                    match self.star_target(column, from, &mut columns) {
                        ColumnMeaning::All(parts) => {
                            for part in parts {
                                match part {
                                    StarPart::Column(column) => origins.push(Some(column)),
                                    StarPart::AllOf(source) => others.push(Some(source)),
                                }
                            }
                        }
                        _ => others.push(None),
                    }
                }
                Node::AIndirection(indirection)
                    if matches!(indirection.indirection().last(), Some(Node::AStar(_))) =>
                {
                    self.star_of_value(value, &mut columns);
                    others.push(None);
                }
                _ => {
                    let row = self.row_of(value);
                    let name = self.target_name(target, value);
                    origins.resize(columns.columns.len(), None);
                    origins.push(self.last_column(value));
                    columns.push(NamedColumn { row, ..NamedColumn::new(name) });
                }
            }
            // Of several columns, the star is the value of the last one.
            if let Some(last) = columns.columns.len().checked_sub(1)
                && last >= values.len()
            {
                values.resize(last, None);
                values.push(Some(value));
            }
        }
        origins.resize(columns.columns.len(), None);
        ReturnedColumns { columns: Rc::new(columns), values, origins, others }
    }

    /// Returns the name of the column that a target becomes.
    fn target_name(&self, target: ResTarget<'a>, value: Node<'a>) -> Arc<str> {
        if !target.name().is_empty() {
            return Arc::from(target.name());
        }
        match output_name(value) {
            OutputName::OfQuery(link) => {
                let name = self.query_names.get(&address(Node::SubLink(link)));
                name.cloned().unwrap_or_else(|| Arc::from(OutputName::OfQuery(link).known()))
            }
            OutputName::Known(name) => Arc::from(name),
        }
    }

    /// Returns the column that a value is, which has just been resolved.
    fn last_column(&self, value: Node<'a>) -> Option<SourceColumn> {
        match (value, self.found.columns.last().map(|column| &column.meaning)) {
            (Node::ColumnRef(_), Some(ColumnMeaning::Column(column))) => Some(column.clone()),
            _ => None,
        }
    }

    fn star_target(
        &mut self,
        column: ColumnRef<'a>,
        from: &[usize],
        columns: &mut NamedColumns<'a>,
    ) -> ColumnMeaning {
        let names: Vec<&str> = column.names().collect();
        let node = Node::ColumnRef(column);
        let qualifiers = &names[..names.len().saturating_sub(1)];
        let meaning = self.or_variable(column, |this| {
            let of = if qualifiers.is_empty() {
                Ok(from)
            } else {
                match this.qualified(node, column, qualifiers) {
                    Some(source) => Err(source),
                    None => return ColumnMeaning::Unknown,
                }
            };
            let (parts, fits) = this.star(of, MOST_COLUMNS, columns);
            if !fits {
                let message = format!("target lists can have at most {MOST_COLUMNS} entries");
                let kind = MistakeKind::TooManyColumns;
                this.mistake(node, column.location(), 0, kind, message, None);
                columns.open_here();
            }
            ColumnMeaning::All(parts)
        });
        if !matches!(meaning, ColumnMeaning::All(_)) {
            columns.open_here();
        }
        let names = names.into_iter().map(str::to_owned).collect();
        self.add_column_use(node, column.location(), names, meaning.clone());
        meaning
    }

    /// Resolves `t.*` in a list of values, where it stands for all columns.
    pub(crate) fn star_in_list(&mut self, column: ColumnRef<'a>) {
        let mut columns = NamedColumns::default();
        let _ = self.star_target(column, &[], &mut columns);
    }

    /// Returns the number of columns of `t.*`, if that is known.
    fn star_width(&self, column: ColumnRef<'a>) -> Option<usize> {
        let qualifier = column.names().rev().nth(1)?;
        let found = self.names.source(qualifier)?;
        let Meant::Source(source) = found.meant else { return None };
        let columns = &self.sources.get(source)?.columns;
        columns.is_complete().then_some(columns.columns.len())
    }

    /// Adds a use of a column that the query returns.
    fn output_use(&mut self, column: ColumnRef<'a>, index: usize) {
        let names = column.names().map(str::to_owned).collect();
        let meaning = ColumnMeaning::Output(index);
        self.add_column_use(column.into(), column.location(), names, meaning);
    }

    fn order_by(&mut self, sorts: List<'a>, outputs: &ReturnedColumns<'a>) {
        for sort in sorts {
            match sort {
                Node::SortBy(sort) => {
                    if let Some(value) = sort.node() {
                        self.order_item(value, outputs, "ORDER BY");
                    }
                }
                other => self.order_item(other, outputs, "ORDER BY"),
            }
        }
    }

    /// Resolves an item of `ORDER BY` or `DISTINCT ON`, where a name is first that of a column that the query returns.
    fn order_item(&mut self, value: Node<'a>, outputs: &ReturnedColumns<'a>, clause: &str) {
        if let Node::ColumnRef(column) = value
            && let Some(name) = single_name(column)
            && let Some((index, is_several)) = outputs.columns.find(name)
        {
            if is_several {
                self.check_outputs(column, name, outputs, clause);
            }
            return self.output_use(column, index);
        }
        if !self.check_place(value, &outputs.columns, clause) {
            self.expr(value);
        }
    }

    /// Adds a mistake if several columns that the query returns have a name, and are not the same one.
    fn check_outputs(
        &mut self,
        column: ColumnRef<'a>,
        name: &str,
        outputs: &ReturnedColumns<'a>,
        clause: &str,
    ) {
        let all = outputs.columns.columns.iter().zip(&outputs.origins);
        let mut of_name = all.filter(|(column, _)| &*column.name == name).map(|(_, of)| of);
        // Only of columns of sources is it known that they differ.
        let Some(Some(first)) = of_name.next() else { return };
        if of_name.flatten().any(|other| other != first) {
            let message = format!("{clause} \"{name}\" is ambiguous");
            let kind = MistakeKind::AmbiguousColumn;
            self.mistake(column.into(), column.location(), 0, kind, message, None);
        }
    }

    /// Resolves an item of `GROUP BY`, where a name is first that of a column of the `FROM`.
    fn group_item(&mut self, item: Node<'a>, outputs: &ReturnedColumns<'a>) {
        let mut items = vec![item];
        while let Some(item) = items.pop() {
            match item {
                Node::GroupingSet(set) => items.extend(set.content().iter().rev()),
                Node::RowExpr(row) => items.extend(row.args().iter().rev()),
                Node::List(list) => items.extend(list.iter().rev()),
                Node::ColumnRef(column) => {
                    let name = single_name(column);
                    let output = name.and_then(|name| Some((name, outputs.columns.find(name)?)));
                    let Some((name, (index, is_several))) = output else {
                        self.column_ref(column);
                        continue;
                    };
                    let level = self.names.level();
                    let is_input =
                        self.names.column(name).is_some_and(|found| found.level == level);
                    let is_same =
                        is_column_of_name(outputs.values.get(index).copied().flatten(), name);
                    let may_be_input =
                        self.names.unknown().is_some_and(|(of, _)| of == level) && !is_input;
                    if is_input || is_same {
                        self.column_ref(column);
                    } else if may_be_input {
                        let meaning = self.column_ref(column);
                        let meaning = self.or_output(meaning, index);
                        if let Some(found) = self.found.columns.last_mut() {
                            found.meaning = meaning;
                        }
                    } else {
                        if is_several {
                            self.check_outputs(column, name, outputs, "GROUP BY");
                        }
                        self.output_use(column, index);
                    }
                }
                item if self.check_place(item, &outputs.columns, "GROUP BY") => {}
                item => self.expr(item),
            }
        }
    }

    /// Adds an output column to what a name can mean.
    fn or_output(&self, meaning: ColumnMeaning, index: usize) -> ColumnMeaning {
        let visible = match meaning {
            ColumnMeaning::OneOf(mut one) => {
                one.output = Some(index);
                return ColumnMeaning::OneOf(one);
            }
            ColumnMeaning::Column(_) => self.names.unknown().map(|(_, visible)| visible),
            _ => None,
        };
        match visible {
            Some(unknown) => ColumnMeaning::OneOf(Candidates {
                unknown,
                known_level: None,
                known: None,
                output: Some(index),
            }),
            None => ColumnMeaning::Output(index),
        }
    }

    /// `FOR UPDATE OF t` names items of the `FROM`.
    fn locking(&mut self, locking: Node<'a>) {
        let Node::LockingClause(locking) = locking else { return };
        for table in locking.locked_rels() {
            let Node::RangeVar(table) = table else { continue };
            if self.names.has_source(table.relname()).is_none() && !self.is_lenient {
                let name = table.relname();
                let message =
                    format!("relation \"{name}\" in FOR UPDATE clause not found in FROM clause");
                let kind = MistakeKind::MissingSource;
                self.mistake(table.into(), table.location(), 0, kind, message, None);
            }
        }
    }
}

/// Returns the name that is a single one.
fn single_name(column: ColumnRef<'_>) -> Option<&str> {
    let fields = column.fields();
    if fields.len() == 1 { fields.first()?.as_str() } else { None }
}

fn is_column_of_name(value: Option<Node<'_>>, name: &str) -> bool {
    matches!(value, Some(Node::ColumnRef(column))
        if !column.is_star() && column.fields().last().and_then(Node::as_str) == Some(name))
}
