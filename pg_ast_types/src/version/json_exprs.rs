//! SQL/JSON, which versions before 16 do not have: `transformJsonObjectConstructor` and others of `parse_expr.c`.

use super::pg::seam::{list_field, node_field, number_field};
use super::pg::view::{Node, WindowDef};
use super::type_walk::TypeWalk;
use super::typed_values::TypedValue;
use crate::type_table::TypeId;

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the value of an expression of SQL/JSON.
    pub(super) fn json_expr(&mut self, expr: Node<'a>) -> TypedValue {
        let own = match expr.name() {
            "JsonParseExpr"
            | "JsonObjectConstructor"
            | "JsonArrayConstructor"
            | "JsonScalarExpr" => TypeId::JSON,
            "JsonSerializeExpr" | "MergeSupportFunc" => TypeId::TEXT,
            "JsonIsPredicate" => TypeId::BOOL,
            "JsonArrayQueryConstructor" => {
                if let Some(query) = node_field(expr, "query") {
                    self.query(query);
                }
                TypeId::JSON
            }
            "JsonObjectAgg" | "JsonArrayAgg" => {
                self.json_argument(node_field(expr, "arg"));
                let Some(constructor) = node_field(expr, "constructor") else {
                    return TypedValue::unknown();
                };
                self.json_aggregate(constructor);
                return self.json_output(node_field(constructor, "output"), TypeId::JSON);
            }
            "JsonFuncExpr" => {
                self.json_argument(node_field(expr, "context_item"));
                self.json_argument(node_field(expr, "pathspec"));
                for passed in list_field(expr, "passing").unwrap_or_default() {
                    self.json_argument(node_field(passed, "val"));
                }
                for behavior in ["on_empty", "on_error"] {
                    let default = node_field(expr, behavior).and_then(|it| node_field(it, "expr"));
                    if let Some(default) = default {
                        self.expr(default);
                    }
                }
                match number_field(expr, "op") {
                    Some(0) => TypeId::BOOL,
                    Some(1) => TypeId::JSONB,
                    _ => TypeId::TEXT,
                }
            }
            _ => return TypedValue::unknown(),
        };
        for arg in list_field(expr, "exprs").unwrap_or_default() {
            self.json_argument(Some(arg));
        }
        self.json_argument(node_field(expr, "expr"));
        self.json_output(node_field(expr, "output"), own)
    }

    /// Reads what follows the argument of an aggregate.
    fn json_aggregate(&mut self, constructor: Node<'a>) {
        self.sorts(list_field(constructor, "agg_order").unwrap_or_default());
        if let Some(filter) = node_field(constructor, "agg_filter") {
            let value = self.expr(filter);
            self.condition(&value);
        }
        if let Some(Node::WindowDef(window)) = node_field(constructor, "over") {
            let window: WindowDef<'a> = window;
            self.windows.push(window);
        }
    }

    /// Reads a value, or a key with its value, whose types do not matter.
    pub(super) fn json_argument(&mut self, arg: Option<Node<'a>>) {
        let Some(arg) = arg else { return };
        match arg.name() {
            "JsonKeyValue" => {
                self.json_argument(node_field(arg, "key"));
                self.json_argument(node_field(arg, "value"));
            }
            "JsonValueExpr" => self.json_argument(node_field(arg, "raw_expr")),
            _ => {
                let value = self.expr(arg);
                self.coerce_to(&value, None);
            }
        }
    }

    /// Returns the type that `RETURNING` names, or the one that is taken without it.
    fn json_output(&mut self, output: Option<Node<'a>>, own: TypeId) -> TypedValue {
        match output.and_then(|output| node_field(output, "typeName")) {
            Some(Node::TypeName(name)) => {
                let (id, modifier) = self.type_named(name);
                TypedValue::with_modifier(id, modifier)
            }
            _ => TypedValue::of(own),
        }
    }
}
