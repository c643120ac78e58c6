//! Statements that write: the table, what they read beside it, and `RETURNING`.

use std::rc::Rc;

use pg_ast::Context;

use super::lookup::column_names::{NamedColumns, RowType};
use super::lookup::name_lookup::SYSTEM_COLUMNS;
use super::lookup::visible_names::Meant;
use super::pg::seam::{list_field, node_field, number_field, text_field};
use super::pg::view::{
    DeleteStmt, InsertStmt, List, MergeStmt, Node, OnConflictClause, RangeVar, UpdateStmt,
};
use super::query::joined_columns::JoinNode;
use super::resolver::NameResolver;
use crate::name_mistakes::MistakeKind;
use crate::resolution::ColumnMeaning;

/// The table that a statement writes to.
#[derive(Clone, Copy)]
struct WriteTarget {
    source: usize,
    /// Its place among the joins.
    node: usize,
}

/// Where a name can only be that of a column: the server says it in its message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NamedIn {
    Relation,
    Expression,
    Key,
    PartitionKey,
    ForeignKey,
}

/// The rows that a clause of `MERGE` is for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum MergedRows {
    Matched,
    NotMatchedBySource,
    NotMatchedByTarget,
}

impl MergedRows {
    pub(crate) fn of(clause: Node<'_>) -> Self {
        // Before version 17, there are two cases, and a field that says whether it is the first.
        let is_matched = number_field(clause, "matched").is_some_and(|matched| matched != 0);
        match number_field(clause, "matchKind") {
            Some(1) => Self::NotMatchedBySource,
            Some(2) => Self::NotMatchedByTarget,
            None if !is_matched => Self::NotMatchedByTarget,
            _ => Self::Matched,
        }
    }
}

impl<'a> NameResolver<'a> {
    /// Resolves a statement that writes, and returns the columns of its `RETURNING`.
    pub(crate) fn writing(&mut self, stmt: Node<'a>) -> Rc<NamedColumns<'a>> {
        self.open_query(stmt);
        let first = self.sources.len();
        let columns = match stmt {
            Node::InsertStmt(insert) => self.insert(insert),
            Node::UpdateStmt(update) => self.update(update),
            Node::DeleteStmt(delete) => self.delete(delete),
            Node::MergeStmt(merge) => self.merge(merge),
            _ => None,
        };
        self.close();
        if let Some(recorded) = &mut self.recorded {
            recorded.add_query(stmt, first..self.sources.len());
        }
        columns.unwrap_or_default()
    }

    fn target(&mut self, table: RangeVar<'a>, shows_columns: bool) -> WriteTarget {
        let source = self.range_var(table, Context::Dml);
        self.add_item(source, shows_columns);
        WriteTarget { source, node: self.add_join_node(JoinNode::Item(source)) }
    }

    fn insert(&mut self, insert: InsertStmt<'a>) -> Option<Rc<NamedColumns<'a>>> {
        self.with_clause(insert.with_clause());
        let table = insert.relation()?;
        let source = self.range_var(table, Context::Dml);
        for column in insert.cols() {
            self.target_column(source, column);
        }
        let columns = insert.select_stmt().map(|query| {
            self.names.show(0..0);
            self.query(query)
        });
        self.check_insert(insert, source, columns.as_deref());
        // What is visible are items next to each other: `excluded` is not in `RETURNING`.
        if let Some(conflict) = insert.on_conflict_clause() {
            let excluded = self.other_row(source, "excluded", conflict.into(), false);
            self.add_item(excluded, true);
        }
        let first = self.names.items();
        self.add_item(source, true);
        let target = WriteTarget { source, node: self.add_join_node(JoinNode::Item(source)) };
        if let Some(conflict) = insert.on_conflict_clause() {
            self.on_conflict(conflict, source, first);
        }
        self.returning(insert.into(), target, &[target.node], first)
    }

    fn on_conflict(&mut self, conflict: OnConflictClause<'a>, source: usize, target: u32) {
        if let Some(infer) = conflict.infer() {
            self.names.show(target..target + 1);
            for element in infer.index_elems() {
                self.index_element(source, element, NamedIn::Expression);
                if let Node::IndexElem(index) = element {
                    self.check_conflict_column(element, index.name());
                }
            }
            self.optional(infer.where_clause());
        }
        self.names.show(0..target + 1);
        self.assignments(source, conflict.target_list());
        self.optional(conflict.where_clause());
    }

    /// Resolves an element of an index: a column, or an expression.
    pub(crate) fn index_element(&mut self, source: usize, element: Node<'a>, named_in: NamedIn) {
        let Node::IndexElem(index) = element else { return self.expr(element) };
        if !index.name().is_empty() {
            self.named_column(source, element, -1, index.name(), named_in);
        }
        self.optional(index.expr());
    }

    fn update(&mut self, update: UpdateStmt<'a>) -> Option<Rc<NamedColumns<'a>>> {
        self.with_clause(update.with_clause());
        let target = self.target(update.relation()?, true);
        let from = self.beside(target, update.from_clause().iter());
        self.check_assignments(update.into(), update.target_list());
        self.assignments(target.source, update.target_list());
        self.optional(update.where_clause());
        self.returning(update.into(), target, &from, 0)
    }

    fn delete(&mut self, delete: DeleteStmt<'a>) -> Option<Rc<NamedColumns<'a>>> {
        self.with_clause(delete.with_clause());
        let target = self.target(delete.relation()?, true);
        let from = self.beside(target, delete.using_clause().iter());
        self.optional(delete.where_clause());
        self.returning(delete.into(), target, &from, 0)
    }

    /// Adds the items that a statement reads beside its table, and shows all.
    fn beside(&mut self, target: WriteTarget, items: impl Iterator<Item = Node<'a>>) -> Vec<usize> {
        // They cannot use the table.
        if let Some(top) = self.names.top() {
            top.first_lateral = top.items;
        }
        let mut from = vec![target.node];
        from.extend(self.items_of_from(items));
        self.show_all();
        from
    }

    fn merge(&mut self, merge: MergeStmt<'a>) -> Option<Rc<NamedColumns<'a>>> {
        self.with_clause(merge.with_clause());
        let target = self.target(merge.relation()?, true);
        let mut from = self.beside(target, merge.source_relation().into_iter());
        let all = 0..self.names.items();
        self.optional(merge.join_condition());
        for clause in merge.merge_when_clauses() {
            let Node::MergeWhenClause(when) = clause else { continue };
            let visible = match MergedRows::of(clause) {
                MergedRows::NotMatchedBySource => 0..1,
                MergedRows::NotMatchedByTarget => 1..all.end,
                MergedRows::Matched => all.clone(),
            };
            self.names.show(visible);
            self.optional(when.condition());
            // The targets of an INSERT are names alone.
            self.assignments(target.source, when.target_list());
            self.expr_list(when.values(), false);
        }
        self.names.show(all);
        // The columns of what is merged come first.
        from.rotate_left(1);
        self.returning(merge.into(), target, &from, 0)
    }

    /// Resolves assignments: `SET a = 1, (b, c) = (2, 3)`.
    fn assignments(&mut self, source: usize, targets: List<'a>) {
        for target in targets {
            self.target_column(source, target);
            match target {
                Node::ResTarget(target) => self.optional(target.val()),
                other => self.expr(other),
            }
        }
    }

    /// Resolves the name of a column that is written, with the subscripts behind it.
    fn target_column(&mut self, source: usize, target: Node<'a>) {
        let Node::ResTarget(column) = target else { return };
        if !column.name().is_empty() {
            let (location, name) = (column.location(), column.name());
            self.named_column(source, target, location, name, NamedIn::Relation);
        }
        if column.indirection().is_empty() {
            return;
        }
        let meaning = self.found.columns.last().map(|column| column.meaning.clone());
        let mut row = meaning.and_then(|meaning| self.row_of_meaning(&meaning));
        let mut of = column.name();
        for (index, part) in column.indirection().iter().enumerate() {
            row = match part {
                Node::String(name) => {
                    let found = row.and_then(|row| {
                        self.assigned_field(
                            target,
                            column.location(),
                            &row,
                            [of, name.sval()],
                            index + 1,
                        )
                    });
                    of = name.sval();
                    found
                }
                // An element of an array, whose type is not known.
                part => {
                    self.expr(part);
                    None
                }
            };
        }
    }

    /// Resolves the field of a column, or of another field, that is written.
    fn assigned_field(
        &mut self,
        node: Node<'a>,
        location: i32,
        row: &RowType<'a>,
        [of, name]: [&'a str; 2],
        part: usize,
    ) -> Option<RowType<'a>> {
        let RowType::Relation(relation) = row else { return None };
        let columns = self.columns_of(relation);
        if let Some((index, _)) = columns.find(name) {
            let meaning = ColumnMeaning::Field(relation.name.clone(), name.to_owned());
            self.add_column_use(node, location, vec![name.to_owned()], meaning);
            return columns.columns.get(index)?.row.clone();
        }
        if columns.is_complete() && !self.is_lenient {
            let message = format!(
                "cannot assign to field \"{name}\" of column \"{of}\" because there is no such column in data type {}",
                relation.name.name
            );
            let names = columns.columns.iter().map(|column| &*column.name);
            let suggestion = if self.may_suggest() { self.similar(name, names) } else { None };
            self.mistake(node, location, part, MistakeKind::MissingColumn, message, suggestion);
        }
        None
    }

    /// Resolves a name that can only be a column of a source.
    pub(crate) fn named_column(
        &mut self,
        source: usize,
        node: Node<'a>,
        location: i32,
        name: &'a str,
        named_in: NamedIn,
    ) {
        let Some(state) = self.sources.get(source) else { return };
        let columns = state.columns.clone();
        let is_system = state.is_stored && SYSTEM_COLUMNS.contains(&name);
        let meaning = if let Some((index, _)) = columns.find(name) {
            self.meaning(Meant::Column { source, index })
        } else if is_system || !columns.is_complete() {
            ColumnMeaning::Column(self.unlisted(source, name))
        } else {
            if !self.is_lenient {
                let names = columns.columns.iter().map(|column| &*column.name);
                let suggestion = if self.may_suggest() { self.similar(name, names) } else { None };
                let of = self.found.sources[source].kind.table().cloned().unwrap_or_default();
                let message = match named_in {
                    NamedIn::Relation => {
                        format!("column \"{name}\" of relation \"{}\" does not exist", of.name)
                    }
                    NamedIn::Expression => format!("column \"{name}\" does not exist"),
                    NamedIn::Key => format!("column \"{name}\" named in key does not exist"),
                    NamedIn::PartitionKey => {
                        format!("column \"{name}\" named in partition key does not exist")
                    }
                    NamedIn::ForeignKey => format!(
                        "column \"{name}\" referenced in foreign key constraint does not exist"
                    ),
                };
                let kind = MistakeKind::MissingColumn;
                self.mistake(node, location, 0, kind, message, suggestion);
            }
            ColumnMeaning::Unknown
        };
        self.add_column_use(node, location, vec![name.to_owned()], meaning);
    }

    /// Resolves `RETURNING`, in which `old` and `new` are the rows before and after the change.
    fn returning(
        &mut self,
        stmt: Node<'a>,
        target: WriteTarget,
        from: &[usize],
        first: u32,
    ) -> Option<Rc<NamedColumns<'a>>> {
        let clause = node_field(stmt, "returningClause");
        let targets = match clause {
            Some(clause) => {
                let mut names = ["old", "new"];
                let mut is_written = [false, false];
                for option in list_field(clause, "options").unwrap_or_default() {
                    let is_new = number_field(option, "option") == Some(1);
                    let place = usize::from(is_new);
                    names[place] = text_field(option, "value").unwrap_or_default();
                    is_written[place] = true;
                }
                for (name, is_written) in names.into_iter().zip(is_written) {
                    // An item of this name hides them.
                    if is_written || self.names.has_source(name).is_none() {
                        let row = self.other_row(target.source, name, clause, true);
                        self.add_item(row, false);
                    }
                }
                list_field(clause, "exprs")?
            }
            None => list_field(stmt, "returningList")?,
        };
        let items = self.names.items();
        self.names.show(first..items);
        if targets.is_empty() {
            return None;
        }
        let returned = self.targets(targets, from);
        let columns = returned.columns.clone();
        if let Some(recorded) = &mut self.recorded {
            recorded.add_columns(stmt, returned);
        }
        Some(columns)
    }
}
