//! Expressions: the names in them, and what their values consist of if these are rows.

use std::rc::Rc;

use pg_ast::QualifiedName;
use pg_ast_catalog::{BuiltinFunction, FunctionKind};

use super::VERSION;
use super::function_names::{FunctionRow, own_result};
use super::lookup::column_names::{NamedColumn, NamedColumns, RowType};
use super::lookup::name_lookup::is_like_cast;
use super::lookup::visible_names::Meant;
use super::pg::protobuf::SubLinkType;
use super::pg::seam::{address, with_stack};
use super::pg::view::{AIndirection, FuncCall, List, Node, SubLink};
use super::resolver::NameResolver;
use super::written_rows::type_name;
use crate::builtin_names::functions;
use crate::catalog_routines::{CallKind, Routine};
use crate::name_mistakes::MistakeKind;
use crate::resolution::{ColumnMeaning, StarPart};

/// A value that is a row.
#[derive(Clone)]
enum RowValue<'a> {
    /// The row of a source.
    Source(usize),
    Row(RowType<'a>),
}

/// Pushes the children of a node, the first one on top.
fn push_children<'a>(node: Node<'a>, stack: &mut Vec<Node<'a>>) {
    let first = stack.len();
    node.children(|child| stack.push(child));
    stack[first..].reverse();
}

impl<'a> NameResolver<'a> {
    /// Resolves the names in an expression.
    pub(crate) fn expr(&mut self, expr: Node<'a>) {
        let mut stack = vec![expr];
        while let Some(node) = stack.pop() {
            match node {
                Node::Null | Node::AConst(_) | Node::ParamRef(_) => {}
                Node::TypeName(of) => self.type_use(of),
                Node::ColumnRef(column) => {
                    self.column_ref(column);
                }
                Node::SubLink(link) => {
                    stack.extend(link.testexpr());
                    self.sub_link(link);
                }
                Node::FuncCall(call) => {
                    self.call(call, &mut stack);
                }
                Node::AIndirection(_) => {
                    with_stack(|| self.row_value(node));
                }
                Node::GroupingFunc(_) => {
                    self.for_aggregates.is_needed |= self.knows_functions();
                    push_children(node, &mut stack);
                }
                Node::TypeCast(cast) => {
                    self.cast_string(cast);
                    push_children(node, &mut stack);
                }
                Node::WindowDef(window) => {
                    self.check_window(window, false);
                    push_children(node, &mut stack);
                }
                Node::RowExpr(row) => {
                    self.expr_items(row.args(), &mut stack);
                }
                Node::SelectStmt(_)
                | Node::InsertStmt(_)
                | Node::UpdateStmt(_)
                | Node::DeleteStmt(_)
                | Node::MergeStmt(_) => {
                    self.query(node);
                }
                node => push_children(node, &mut stack),
            }
        }
    }

    /// Resolves the expressions of a window in a `WINDOW` clause.
    pub(crate) fn window_definition(&mut self, window: Node<'a>) {
        let Node::WindowDef(definition) = window else { return };
        self.check_window(definition, true);
        let mut parts = Vec::new();
        push_children(window, &mut parts);
        while let Some(part) = parts.pop() {
            self.expr(part);
        }
    }

    /// Adds the items of a list to the expressions, in which `t.*` stands for all columns.
    fn expr_items(&mut self, items: List<'a>, stack: &mut Vec<Node<'a>>) {
        for item in items.iter().rev() {
            match item {
                Node::ColumnRef(column) if column.is_star() => self.star_in_list(column),
                item => stack.push(item),
            }
        }
    }

    /// Resolves expressions; in some lists, `t.*` stands for all columns.
    pub(crate) fn expr_list(&mut self, items: List<'a>, has_stars: bool) {
        for item in items {
            match item {
                Node::ColumnRef(column) if has_stars && column.is_star() => {
                    self.star_in_list(column);
                }
                item => self.expr(item),
            }
        }
    }

    fn sub_link(&mut self, link: SubLink<'a>) -> Option<Rc<NamedColumns<'a>>> {
        let columns = link.subselect().map(|query| self.query(query))?;
        if let Some(first) = columns.columns.first() {
            self.query_names.insert(address(Node::SubLink(link)), first.name.clone());
        }
        Some(columns)
    }

    /// Resolves a call, and adds its arguments to the expressions.
    fn call(&mut self, call: FuncCall<'a>, stack: &mut Vec<Node<'a>>) -> FunctionRow<'a> {
        let node = Node::FuncCall(call);
        let ordered = if call.agg_within_group() { call.agg_order().len() } else { 0 };
        let count = call.args().len() + ordered;
        let first = stack.len();
        push_children(node, stack);
        let name = call.funcname().qualified_name();
        // `a(t)` can be `t.a`.
        if let (1, None, Some(Node::ColumnRef(column))) = (count, &name.schema, call.args().first())
            && self.routines(&name, Some(1)).is_none()
            && let Some(qualifier) = column.names().next()
            && column.fields().len() == 1 + usize::from(column.is_star())
            && let Some(found) = self.names.source(qualifier)
            && let Meant::Source(source) = found.meant
            && let Some((index, _)) = self.sources[source].columns.find(&name.name)
            && (column.is_star() || self.names.column(qualifier).is_none())
        {
            stack.truncate(first);
            let names = vec![name.name.clone()];
            let meaning = self.meaning(Meant::Column { source, index });
            self.add_column_use(node, call.location(), names, meaning);
            return FunctionRow::Unknown;
        }
        // `unnest` of several arrays in a FROM is one call for each.
        let is_unnest = name.name == "unnest" && name.schema.is_none();
        let count = if is_unnest { 1 } else { count };
        match self.function(node, call.location(), call.funcname(), Some(count)) {
            Some(routines) => {
                let is_special = |routine: &Routine| routine.call_kind() != CallKind::Function;
                self.for_aggregates.is_needed |= routines.iter().any(is_special);
                self.result_of(routines, count)
            }
            None => {
                let own = functions(VERSION, &name);
                let is_special = |function: &BuiltinFunction| {
                    function.returns_set || function.kind != FunctionKind::Function
                };
                // What it is, is known with all functions that there are, or without arguments.
                if own.iter().any(is_special) {
                    self.for_aggregates.is_needed |= self.knows_functions();
                    self.for_aggregates.has_bare_call |= call.args().is_empty();
                }
                self.argument_strings(own, call.args());
                own_result(own, count)
            }
        }
    }

    /// Resolves an item of a `FROM` that is a call, and returns what it returns.
    pub(crate) fn call_row(&mut self, call: Node<'a>) -> FunctionRow<'a> {
        match call {
            Node::FuncCall(call) => {
                let mut stack = Vec::new();
                let row = self.call(call, &mut stack);
                while let Some(node) = stack.pop() {
                    self.expr(node);
                }
                row
            }
            call => {
                self.expr(call);
                FunctionRow::Scalar(None)
            }
        }
    }

    /// Resolves an expression, and returns what its value consists of, if that is a row.
    pub(crate) fn row_of(&mut self, value: Node<'a>) -> Option<RowType<'a>> {
        match with_stack(|| self.row_value(value))? {
            RowValue::Row(row) => Some(row),
            RowValue::Source(source) => {
                Some(RowType::Columns(self.sources.get(source)?.columns.clone()))
            }
        }
    }

    fn row_value(&mut self, value: Node<'a>) -> Option<RowValue<'a>> {
        match value {
            Node::ColumnRef(column) => match self.column_ref(column) {
                ColumnMeaning::Row(source) => Some(RowValue::Source(source)),
                meaning => self.row_of_meaning(&meaning).map(RowValue::Row),
            },
            Node::FuncCall(_) => self.call_row(value).row().map(RowValue::Row),
            Node::TypeCast(cast) => {
                self.cast_string(cast);
                self.optional(cast.arg());
                self.type_use(cast.type_name()?);
                let name = type_name(cast.type_name()?)?;
                self.row_of_type(&name).map(RowValue::Row)
            }
            Node::SubLink(link) => {
                self.optional(link.testexpr());
                let columns = self.sub_link(link)?;
                let is_value = link.sub_link_type() == SubLinkType::ExprSublink;
                let [column] = columns.columns.as_slice() else { return None };
                column.row.clone().filter(|_| is_value).map(RowValue::Row)
            }
            Node::AIndirection(indirection) => self.indirection(indirection),
            value => {
                self.expr(value);
                None
            }
        }
    }

    fn indirection(&mut self, indirection: AIndirection<'a>) -> Option<RowValue<'a>> {
        let arg = indirection.arg()?;
        let mut row = with_stack(|| self.row_value(arg));
        for part in indirection.indirection() {
            row = match part {
                Node::String(name) => {
                    row.and_then(|row| self.field(indirection, &row, name.sval()))
                }
                Node::AStar(_) => row,
                // An element of an array, whose type is not known.
                part => {
                    self.expr(part);
                    None
                }
            };
        }
        row
    }

    /// Resolves the name of a field.
    fn field(
        &mut self,
        indirection: AIndirection<'a>,
        row: &RowValue<'a>,
        name: &'a str,
    ) -> Option<RowValue<'a>> {
        let node = Node::AIndirection(indirection);
        let names = vec![name.to_owned()];
        let (columns, of) = match row {
            RowValue::Source(source) => (self.sources.get(*source)?.columns.clone(), None),
            RowValue::Row(RowType::Relation(relation)) => {
                (self.columns_of(relation), Some(relation.name.clone()))
            }
            RowValue::Row(RowType::Columns(columns)) => (columns.clone(), None),
        };
        let Some((index, _)) = columns.find(name) else {
            let function = QualifiedName::unqualified(name);
            let may_be_function = is_like_cast(name) || self.routines(&function, Some(1)).is_some();
            if columns.is_complete() && !may_be_function && !self.is_lenient {
                let message = match (row, of) {
                    (RowValue::Source(source), _) => {
                        let source = self.found.sources[*source].name.as_deref();
                        format!("column {}.{name} does not exist", source.unwrap_or_default())
                    }
                    (RowValue::Row(_), Some(of)) => {
                        format!("column \"{name}\" not found in data type {}", of.name)
                    }
                    (RowValue::Row(_), None) => {
                        format!("could not identify column \"{name}\" in record data type")
                    }
                };
                self.mistake(node, -1, 0, MistakeKind::MissingColumn, message, None);
            }
            return None;
        };
        let meaning = match (row, of) {
            (RowValue::Source(source), _) => {
                self.source_column(*source, index).map(ColumnMeaning::Column)
            }
            (_, Some(of)) => Some(ColumnMeaning::Field(of, name.to_owned())),
            _ => None,
        };
        if let Some(meaning) = meaning {
            self.add_column_use(node, -1, names, meaning);
        }
        columns.columns.get(index)?.row.clone().map(RowValue::Row)
    }

    /// Resolves `(value).*` in a list of targets.
    pub(crate) fn star_of_value(&mut self, value: Node<'a>, columns: &mut NamedColumns<'a>) {
        let Some(row) = with_stack(|| self.row_value(value)) else { return columns.open_here() };
        let names = vec!["*".to_owned()];
        let of_row = match &row {
            RowValue::Source(source) => {
                let of_row = self.sources[*source].columns.clone();
                let places = 0..of_row.columns.len();
                let parts = places.filter_map(|index| self.source_column(*source, index));
                let mut parts: Vec<_> = parts.map(StarPart::Column).collect();
                if !of_row.is_complete() {
                    parts.push(StarPart::AllOf(*source));
                }
                self.add_column_use(value, -1, names, ColumnMeaning::All(parts));
                of_row
            }
            RowValue::Row(row) => {
                let of_row = self.columns_of_row(row);
                if let RowType::Relation(relation) = row {
                    for column in &relation.columns {
                        let meaning =
                            ColumnMeaning::Field(relation.name.clone(), column.name.clone());
                        self.add_column_use(value, -1, names.clone(), meaning);
                    }
                }
                of_row
            }
        };
        if !of_row.is_complete() {
            columns.open_here();
        }
        let of_row = of_row.columns.iter().cloned();
        columns.columns.extend(of_row.map(|column| NamedColumn {
            meant: None,
            origin: None,
            ..column
        }));
    }
}
