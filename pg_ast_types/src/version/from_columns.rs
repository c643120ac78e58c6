//! `FROM`: the columns of its items.

use std::rc::Rc;

use pg_ast_catalog::TypeKind;

use super::pg::seam::{list_field, node_field, number_field, with_stack};
use super::pg::view::{Alias, JoinExpr, List, Node, RangeFunction, RangeTableFunc};
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::rules::coercion::Coercion;
use crate::type_table::TypeId;

impl<'a> TypeWalk<'_, 'a> {
    /// Reads the items of a `FROM`: `transformFromClause` of `parse_clause.c`.
    pub(super) fn read_from(&mut self, items: List<'a>) {
        for item in items {
            self.item_of_from(item);
        }
    }

    pub(super) fn item_of_from(&mut self, item: Node<'a>) {
        match item {
            Node::RangeSubselect(select) => {
                if let Some(query) = select.subquery() {
                    self.query(query);
                }
            }
            Node::RangeFunction(function) => self.range_function(function),
            Node::RangeTableFunc(table) => self.xml_table(table),
            Node::RangeTableSample(sample) => {
                if let Some(relation) = sample.relation() {
                    self.item_of_from(relation);
                }
                for arg in sample.args() {
                    let value = self.expr(arg);
                    self.coerce(&value, TypeId::FLOAT4, Coercion::Assignment);
                }
                if let Some(repeatable) = sample.repeatable() {
                    let value = self.expr(repeatable);
                    self.coerce(&value, TypeId::FLOAT8, Coercion::Assignment);
                }
            }
            Node::JoinExpr(join) => with_stack(|| self.join(join)),
            other if other.name() == "JsonTable" => self.json_table(other),
            _ => {}
        }
    }

    fn join(&mut self, join: JoinExpr<'a>) {
        for arm in join.larg().into_iter().chain(join.rarg()) {
            self.item_of_from(arm);
        }
        for column in self.names.merged_in(join) {
            let arms = column.arms.map(|arm| match arm {
                Some((source, index)) => match self.merged.get(&(source, index)) {
                    Some(merged) => merged.clone(),
                    None => self.columns_of_source(source).get(index),
                },
                None => TypedValue::unknown(),
            });
            let [left, right] = arms;
            let mut merged = self.common(&[left.clone(), right.clone()]);
            // What stands for both is the column of one of them, if that needs no cast: `buildMergedJoinVar`.
            merged.origin = match join.jointype() {
                super::pg::protobuf::JoinType::JoinRight => {
                    right.origin.filter(|_| right.id == merged.id)
                }
                super::pg::protobuf::JoinType::JoinFull => None,
                _ => left.origin.filter(|_| left.id == merged.id),
            };
            if let Some(kept) = column.kept {
                self.merged.insert(kept, merged);
            }
        }
        if let Some(condition) = join.quals() {
            let value = self.expr(condition);
            self.condition(&value);
        }
    }

    /// `transformRangeFunction`, and `addRangeTableEntryForFunction` of `parse_relation.c`
    fn range_function(&mut self, item: RangeFunction<'a>) {
        let source = self.names.sources_at(item.into()).first().copied();
        let mut columns = Columns::default();
        let functions = item.functions();
        let is_single = functions.len() == 1;
        let alias = item.alias().map(Alias::aliasname);
        for function in functions {
            let Node::List(pair) = function else { continue };
            let Some(call) = pair.first() else { continue };
            let definitions = match pair.get(1) {
                Some(Node::List(definitions)) => definitions,
                _ if is_single => item.coldeflist(),
                _ => List::default(),
            };
            // `unnest` of several arrays is one call for each.
            if let Node::FuncCall(of) = call
                && of.args().len() > 1
                && of.names().eq(["unnest"])
            {
                for arg in of.args() {
                    let value = self.expr(arg);
                    let value = self.chosen_function(None, "unnest", &[value]);
                    self.add_function(&value, "unnest", &mut columns);
                }
                continue;
            }
            let value = self.expr(call);
            if !definitions.is_empty() {
                self.add_definitions(definitions, &mut columns);
                continue;
            }
            if let Some(source) = source.filter(|_| is_single && !item.ordinality())
                && value.id.is_some_and(|id| id != TypeId::RECORD)
            {
                // The row of a function that returns one value is that value.
                self.function_rows.insert(source, TypedValue { origin: None, ..value.clone() });
            }
            let name = match call {
                Node::FuncCall(of) => of.names().last().unwrap_or_default(),
                _ => "",
            };
            let name = alias.filter(|_| is_single).unwrap_or(name);
            self.add_function(&value, name, &mut columns);
        }
        if item.ordinality() {
            columns.values.push(TypedValue::of(TypeId::INT8));
            columns.names.get_or_insert_default().push(Box::from("ordinality"));
        }
        // Names of columns behind the alias are others.
        columns.names =
            columns.names.filter(|_| item.alias().is_none_or(|alias| alias.colnames().is_empty()));
        if let Some(source) = source {
            self.sources.insert(source, Rc::new(columns));
        }
    }

    /// Adds the columns of a function, the only one under the name that is passed.
    fn add_function(&mut self, value: &TypedValue, name: &str, columns: &mut Columns) {
        let Some(id) = value.id else { return columns.open_here() };
        match self.columns_of_value(value) {
            Some(fields) => {
                let values = fields.values.iter().cloned();
                columns.values.extend(values.map(|value| TypedValue { origin: None, ..value }));
                let names = fields.names.iter().flatten().cloned();
                columns.names.get_or_insert_default().extend(names);
                if fields.open_at.is_some() {
                    columns.open_here();
                }
            }
            None if id == TypeId::RECORD => columns.open_here(),
            // `get_expr_result_type` of PostgreSQL's `funcapi.c`
            None if self.table.info(id).kind == TypeKind::Pseudo
                && !value.is_untyped()
                && !matches!(&*self.table.name(id).name.name, "void" | "cstring") =>
            {
                self.mistake();
                columns.open_here();
            }
            None => {
                let value = self.text_if_untyped(value.clone());
                columns.values.push(TypedValue { origin: None, ..value });
                columns.names.get_or_insert_default().push(Box::from(name));
            }
        }
    }

    fn add_definitions(&mut self, definitions: List<'a>, columns: &mut Columns) {
        for definition in definitions {
            let Node::ColumnDef(definition) = definition else { continue };
            let (id, modifier) =
                definition.type_name().map_or((None, -1), |name| self.type_named(name));
            columns.values.push(TypedValue::with_modifier(id, modifier));
        }
    }

    /// `transformRangeTableFunc`
    fn xml_table(&mut self, table: RangeTableFunc<'a>) {
        let to = |this: &mut Self, expr: Option<Node<'a>>, id: TypeId| {
            if let Some(expr) = expr {
                let value = this.expr(expr);
                this.coerce(&value, id, Coercion::Assignment);
            }
        };
        to(self, table.rowexpr(), TypeId::TEXT);
        to(self, table.docexpr(), TypeId::XML);
        let mut columns = Columns::default();
        for column in table.columns() {
            let Node::RangeTableFuncCol(column) = column else { continue };
            let (id, modifier) = match column.type_name() {
                _ if column.for_ordinality() => (Some(TypeId::INT4), -1),
                Some(name) => self.type_named(name),
                None => (None, -1),
            };
            to(self, column.colexpr(), TypeId::TEXT);
            if let Some(default) = column.coldefexpr() {
                let value = self.expr(default);
                self.coerce_to(&value, id);
            }
            columns.values.push(TypedValue::with_modifier(id, modifier));
        }
        for namespace in table.namespaces() {
            if let Node::ResTarget(namespace) = namespace {
                to(self, namespace.val(), TypeId::TEXT);
            }
        }
        if let Some(source) = self.names.sources_at(table.into()).first() {
            self.sources.insert(*source, Rc::new(columns));
        }
    }

    /// `transformJsonTable` of `parse_jsontable.c`
    fn json_table(&mut self, table: Node<'a>) {
        self.json_argument(node_field(table, "context_item"));
        for passed in list_field(table, "passing").unwrap_or_default() {
            self.json_argument(node_field(passed, "val"));
        }
        let mut columns = Columns::default();
        let mut stack: Vec<Node<'a>> = Vec::new();
        let first = list_field(table, "columns").unwrap_or_default();
        stack.extend(first.iter().rev());
        while let Some(column) = stack.pop() {
            if let Some(inner) = list_field(column, "columns").filter(|inner| !inner.is_empty()) {
                stack.extend(inner.iter().rev());
                continue;
            }
            for behavior in ["on_empty", "on_error"] {
                let default = node_field(column, behavior).and_then(|it| node_field(it, "expr"));
                if let Some(default) = default {
                    self.expr(default);
                }
            }
            let (id, modifier) = match node_field(column, "typeName") {
                // `JTC_FOR_ORDINALITY` of `parsenodes.h`
                _ if number_field(column, "coltype") == Some(0) => (Some(TypeId::INT4), -1),
                Some(Node::TypeName(name)) => self.type_named(name),
                _ => (None, -1),
            };
            columns.values.push(TypedValue::with_modifier(id, modifier));
        }
        if let Some(source) = self.names.sources_at(table).first() {
            self.sources.insert(*source, Rc::new(columns));
        }
    }
}
