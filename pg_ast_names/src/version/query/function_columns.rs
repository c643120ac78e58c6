//! The columns of functions in a `FROM`, and of `XMLTABLE` and `JSON_TABLE`.

use std::rc::Rc;
use std::sync::Arc;

use super::expr::function_names::FunctionRow;
use super::expr::output_names::output_name;
use super::expr::written_rows;
use super::from_items::alias_parts;
use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::lookup::name_lookup::column;
use super::pg::seam::{list_field, node_field, text_field, with_stack};
use super::pg::view::{List, Node, RangeFunction, RangeTableFunc};
use super::resolver::{NameResolver, SourceState};
use crate::resolution::SourceKind;

impl<'a> NameResolver<'a> {
    pub(crate) fn range_function(&mut self, item: RangeFunction<'a>) -> usize {
        let (alias, names) = alias_parts(item.alias());
        // Each is a list of the call and of its column definitions. All are LATERAL.
        let calls: Vec<(Option<Node<'a>>, List<'a>)> = item
            .functions()
            .iter()
            .filter_map(|function| match function {
                Node::List(pair) => {
                    let definitions = match pair.get(1) {
                        Some(Node::List(definitions)) => definitions,
                        _ => List::default(),
                    };
                    Some((pair.first(), definitions))
                }
                _ => None,
            })
            .collect();
        let is_single = calls.len() == 1;
        let mut columns = NamedColumns::default();
        let mut first_name = None;
        let mut ends = Vec::new();
        for (call, definitions) in calls {
            // Each begins where the one before it ends.
            ends.push(columns.columns.len());
            let Some(call) = call else { continue };
            let name = output_name(call).known();
            if let Some(count) = unnested(call) {
                self.in_lateral(true, |this| this.expr(call));
                first_name.get_or_insert(name);
                let first = columns.columns.len();
                ends.extend(first + 1..first + count);
                columns.columns.extend((0..count).map(|_| NamedColumn::new(name)));
                continue;
            }
            let row = self.in_lateral(true, |this| match this.call_row(call) {
                FunctionRow::Unknown => this.polymorphic_row(call),
                row => row,
            });
            first_name.get_or_insert(name);
            let definitions =
                if definitions.is_empty() && is_single { item.coldeflist() } else { definitions };
            if !definitions.is_empty() {
                columns.columns.extend(self.defined_columns(definitions).columns);
                continue;
            }
            match row {
                FunctionRow::Row(row) => {
                    let of_row = self.columns_of_row(&row);
                    if of_row.open_at.is_some() {
                        columns.open_here();
                    }
                    let own = of_row.columns.iter().cloned();
                    columns.columns.extend(own.map(|it| NamedColumn { meant: None, ..it }));
                }
                FunctionRow::Scalar(out) => {
                    // A function that returns one value has a column of its alias, or of its own name.
                    let name = match (out, alias) {
                        (Some(out), _) => out,
                        (None, Some(alias)) if is_single => Arc::from(alias),
                        (None, _) => Arc::from(name),
                    };
                    columns.push(NamedColumn::new(name));
                }
                // Who lists names for its columns lists all of them.
                FunctionRow::Unknown if is_single && !names.is_empty() => {
                    let count = names.len() - usize::from(item.ordinality() && names.len() > 1);
                    let of_alias = names[..count].iter().map(|name| NamedColumn::new(*name));
                    columns.columns.extend(of_alias);
                }
                FunctionRow::Unknown => columns.open_here(),
            }
        }
        ends.push(columns.columns.len());
        if item.ordinality() {
            columns.push(NamedColumn::new("ordinality"));
        }
        let name = alias.or(first_name);
        let columns = self.with_names(item.into(), -1, Rc::new(columns), &names);
        let state = SourceState { columns, relation: None, has_alias: true, is_stored: false };
        let source = self.add_source(item.into(), -1, SourceKind::Function, name, state);
        if let Some(recorded) = &mut self.recorded {
            recorded.add_functions(source, ends.split_off(1));
        }
        source
    }

    pub(crate) fn range_table_func(&mut self, item: RangeTableFunc<'a>) -> usize {
        self.in_lateral(true, |this| {
            let parts = item.docexpr().into_iter().chain(item.rowexpr());
            parts.for_each(|part| this.expr(part));
            for part in item.namespaces().iter().chain(item.columns()) {
                this.expr(part);
            }
        });
        let names = item.columns().iter().filter_map(|column| match column {
            Node::RangeTableFuncCol(column) => Some(column),
            _ => None,
        });
        let columns = names.map(|found| {
            let row = found.type_name().and_then(written_rows::type_name);
            column(found.colname(), row.and_then(|name| self.row_of_type(&name)))
        });
        let columns = Rc::new(NamedColumns::new(columns.collect()));
        let source =
            self.derived(item.into(), SourceKind::Function, item.alias(), columns, item.location());
        if item.alias().is_none() {
            self.found.sources[source].name = Some("xmltable".to_owned());
        }
        source
    }

    /// `JSON_TABLE`, which versions before 17 do not have.
    pub(crate) fn json_table(&mut self, item: Node<'a>) -> usize {
        self.in_lateral(true, |this| {
            for name in ["context_item", "passing", "on_error"] {
                if let Some(part) = node_field(item, name) {
                    this.expr(part);
                }
                for part in list_field(item, name).unwrap_or_default() {
                    this.expr(part);
                }
            }
        });
        let mut columns = NamedColumns::default();
        json_columns(list_field(item, "columns").unwrap_or_default(), &mut columns);
        let alias = node_field(item, "alias").and_then(Node::as_alias);
        let source = self.derived(item, SourceKind::Function, alias, Rc::new(columns), -1);
        if alias.is_none() {
            self.found.sources[source].name = Some("json_table".to_owned());
        }
        source
    }
}

/// Returns the number of arrays if a call is `unnest` of several, which is one call for each.
fn unnested(call: Node<'_>) -> Option<usize> {
    let Node::FuncCall(call) = call else { return None };
    let is_unnest = call.names().eq(["unnest"]) && call.args().len() > 1;
    is_unnest.then(|| call.args().len())
}

/// Adds the columns of `COLUMNS`, those of nested ones in their place.
fn json_columns(list: List<'_>, columns: &mut NamedColumns<'_>) {
    for found in list {
        match list_field(found, "columns") {
            Some(nested) if !nested.is_empty() => with_stack(|| json_columns(nested, columns)),
            _ => columns.push(NamedColumn::new(text_field(found, "name").unwrap_or_default())),
        }
    }
}
