//! Operators, and what is made of them: `IN`, `BETWEEN`, `LIKE`, comparisons of rows.

use super::pg::protobuf::AExprKind;
use super::pg::view::{AExpr, List, Node};
use super::type_walk::TypeWalk;
use super::typed_values::TypedValue;
use crate::rules::candidates::NotChosen;
use crate::rules::coercion::Coercion;
use crate::type_table::TypeId;

/// Returns the schema and the name of an operator.
pub(super) fn operator_name(names: List<'_>) -> (Option<&str>, &str) {
    let mut names = names.iter().rev().filter_map(Node::as_str);
    let name = names.next().unwrap_or_default();
    (names.next(), name)
}

/// Whether an expression has a column of the same query: `contain_vars_of_level`.
fn has_column(expr: Node<'_>) -> bool {
    let mut stack = vec![expr];
    while let Some(node) = stack.pop() {
        match node {
            Node::AConst(_) | Node::ParamRef(_) => {}
            Node::ColumnRef(_) => return true,
            node => node.children(|child| stack.push(child)),
        }
    }
    false
}

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the value of an operator with its operands: `make_op` of `parse_oper.c`.
    pub(super) fn binary(
        &mut self,
        schema: Option<&str>,
        name: &str,
        left: &TypedValue,
        right: &TypedValue,
    ) -> TypedValue {
        // Rows without a type are compared field by field.
        let (Some(of_left), Some(of_right)) = (left.id, right.id) else {
            self.note_unknown_operator();
            self.coerce_to(left, None);
            self.coerce_to(right, None);
            return TypedValue::unknown();
        };
        match self.table.operator(schema, name, Some(of_left), of_right) {
            Ok(chosen) => {
                self.note_operator(&chosen);
                if let Some(to) = chosen.left {
                    self.coerce(left, to, Coercion::Implicit);
                }
                let right = self.again(right);
                self.coerce(&right, chosen.right, Coercion::Implicit);
                TypedValue::of(chosen.result)
            }
            Err(why) => self.not_chosen(why, &[left, right]),
        }
    }

    /// Notes that nobody knows what a call means, or that it means nothing.
    pub(super) fn not_chosen(&mut self, why: NotChosen, values: &[&TypedValue]) -> TypedValue {
        self.note_unknown_operator();
        if !matches!(why, NotChosen::Unknown) {
            self.mistake();
        }
        for value in values {
            self.coerce_to(value, None);
        }
        TypedValue::unknown()
    }

    fn prefix(&mut self, schema: Option<&str>, name: &str, right: &TypedValue) -> TypedValue {
        let Some(of_right) = right.id else {
            self.note_unknown_operator();
            return TypedValue::unknown();
        };
        match self.table.operator(schema, name, None, of_right) {
            Ok(chosen) => {
                self.note_operator(&chosen);
                self.coerce(right, chosen.right, Coercion::Implicit);
                TypedValue::of(chosen.result)
            }
            Err(why) => self.not_chosen(why, &[right]),
        }
    }

    /// Returns the value of an `A_Expr`.
    pub(super) fn operator_expr(&mut self, expr: AExpr<'a>) -> TypedValue {
        let (schema, name) = operator_name(expr.name());
        match expr.kind() {
            AExprKind::AexprOp => self.plain_operator(schema, name, expr),
            AExprKind::AexprOpAny | AExprKind::AexprOpAll => {
                let left = self.optional(expr.lexpr());
                let right = self.optional(expr.rexpr());
                self.array_operator(schema, name, &left, &right)
            }
            AExprKind::AexprDistinct | AExprKind::AexprNotDistinct => {
                self.comparison(schema, name, expr.lexpr(), expr.rexpr());
                TypedValue::of(TypeId::BOOL)
            }
            AExprKind::AexprNullif => {
                let left = self.optional(expr.lexpr());
                let right = self.optional(expr.rexpr());
                self.null_if(schema, name, &left, &right)
            }
            AExprKind::AexprIn => self.in_list(schema, name, expr),
            AExprKind::AexprLike | AExprKind::AexprIlike | AExprKind::AexprSimilar => {
                let left = self.optional(expr.lexpr());
                let right = self.optional(expr.rexpr());
                self.binary(schema, name, &left, &right)
            }
            AExprKind::AexprBetween
            | AExprKind::AexprNotBetween
            | AExprKind::AexprBetweenSym
            | AExprKind::AexprNotBetweenSym => self.between(expr),
            AExprKind::Undefined => TypedValue::unknown(),
        }
    }

    pub(super) fn optional(&mut self, expr: Option<Node<'a>>) -> TypedValue {
        expr.map_or(TypedValue::unknown(), |expr| self.expr(expr))
    }

    /// `transformAExprOp`
    fn plain_operator(&mut self, schema: Option<&str>, name: &str, expr: AExpr<'a>) -> TypedValue {
        match (expr.lexpr(), expr.rexpr()) {
            (None, right) => {
                let right = self.optional(right);
                self.prefix(schema, name, &right)
            }
            (left, right) => self.comparison(schema, name, left, right),
        }
    }

    /// Compares two operands, which can both be rows.
    fn comparison(
        &mut self,
        schema: Option<&str>,
        name: &str,
        left: Option<Node<'a>>,
        right: Option<Node<'a>>,
    ) -> TypedValue {
        match (left, right) {
            (Some(Node::RowExpr(left)), Some(Node::RowExpr(right))) => {
                let left = self.list_of_values(left.args()).values;
                let right = self.list_of_values(right.args()).values;
                self.compare_rows(schema, name, &left, &right)
            }
            (Some(Node::RowExpr(left)), Some(Node::SubLink(link)))
                if link.sub_link_type() == super::pg::protobuf::SubLinkType::ExprSublink =>
            {
                let columns = link.subselect().map(|query| self.query(query)).unwrap_or_default();
                let left = self.list_of_values(left.args()).values;
                let right: Vec<_> = (0..left.len()).map(|index| columns.get(index)).collect();
                self.compare_rows(schema, name, &left, &right)
            }
            (left, right) => {
                let left = self.optional(left);
                let right = self.optional(right);
                self.binary(schema, name, &left, &right)
            }
        }
    }

    /// `make_row_comparison_op`
    fn compare_rows(
        &mut self,
        schema: Option<&str>,
        name: &str,
        left: &[TypedValue],
        right: &[TypedValue],
    ) -> TypedValue {
        if left.len() != right.len() || left.is_empty() {
            self.mistake();
        }
        for (left, right) in left.iter().zip(right) {
            let right = self.again(right);
            self.binary(schema, name, left, &right);
        }
        TypedValue::of(TypeId::BOOL)
    }

    /// `make_scalar_array_op` of `parse_oper.c`
    fn array_operator(
        &mut self,
        schema: Option<&str>,
        name: &str,
        left: &TypedValue,
        array: &TypedValue,
    ) -> TypedValue {
        let boolean = TypedValue::of(TypeId::BOOL);
        let (Some(of_left), Some(of_array)) = (left.id, array.id) else {
            self.note_unknown_operator();
            self.coerce_to(left, None);
            self.coerce_to(array, None);
            return boolean;
        };
        let base = self.table.base(of_array);
        let element = if array.is_untyped() {
            TypeId::UNKNOWN
        } else {
            match self.table.info(base).of.filter(|_| self.table.info(base).is_array) {
                Some(element) => element,
                None => {
                    self.mistake();
                    return boolean;
                }
            }
        };
        match self.table.operator(schema, name, Some(of_left), element) {
            Ok(chosen) => {
                self.note_operator(&chosen);
                if let Some(to) = chosen.left {
                    self.coerce(left, to, Coercion::Implicit);
                }
                let array = self.again(array);
                match self.table.array_of(chosen.right) {
                    Some(to) => drop(self.coerce(&array, to, Coercion::Implicit)),
                    None => drop(self.coerce_to(&array, None)),
                }
                boolean
            }
            Err(why) => {
                self.not_chosen(why, &[left, array]);
                boolean
            }
        }
    }

    /// `transformAExprNullIf`
    fn null_if(
        &mut self,
        schema: Option<&str>,
        name: &str,
        left: &TypedValue,
        right: &TypedValue,
    ) -> TypedValue {
        let (Some(of_left), Some(of_right)) = (left.id, right.id) else {
            return TypedValue::new(left.id.filter(|_| !left.is_untyped()));
        };
        match self.table.operator(schema, name, Some(of_left), of_right) {
            Ok(chosen) => {
                let value = match chosen.left {
                    Some(to) => self.coerce(left, to, Coercion::Implicit),
                    None => left.clone(),
                };
                let right = self.again(right);
                self.coerce(&right, chosen.right, Coercion::Implicit);
                // It is the left one as it was, if that had a type.
                TypedValue { origin: None, modifier: value.modifier, ..value }
            }
            Err(why) => self.not_chosen(why, &[left, right]),
        }
    }

    /// `transformAExprIn`
    fn in_list(&mut self, schema: Option<&str>, name: &str, expr: AExpr<'a>) -> TypedValue {
        let boolean = TypedValue::of(TypeId::BOOL);
        let Some(Node::List(items)) = expr.rexpr() else { return boolean };
        let rows = expr.lexpr().filter(|left| matches!(left, Node::RowExpr(_)));
        if let Some(left) = rows {
            for item in items {
                self.comparison(schema, name, Some(left), Some(item));
            }
            return boolean;
        }
        let left = self.optional(expr.lexpr());
        // Those with columns are compared one by one, the others as an array.
        let mut of_array = Vec::new();
        let mut others = Vec::new();
        for item in items {
            let value = self.expr(item);
            if has_column(item) { others.push(value) } else { of_array.push(value) }
        }
        if of_array.len() > 1 {
            let ids: Option<Vec<TypeId>> =
                core::iter::once(&left).chain(&of_array).map(|value| value.id).collect();
            let common = ids.map(|ids| self.table.verified_common_type(&ids));
            match common {
                None => {
                    // Nobody knows what they become.
                    for value in core::iter::once(&left).chain(&of_array) {
                        self.coerce_to(value, None);
                    }
                    of_array.clear();
                }
                Some(Ok(to)) if to != TypeId::RECORD && self.table.array_of(to).is_some() => {
                    for value in &of_array {
                        let value = self.again(value);
                        self.coerce(&value, to, Coercion::Implicit);
                    }
                    let array = TypedValue::new(self.table.array_of(to));
                    let left = self.again(&left);
                    self.array_operator(schema, name, &left, &array);
                    of_array.clear();
                }
                Some(_) => {}
            }
        }
        for value in others.iter().chain(&of_array) {
            let (left, value) = (self.again(&left), self.again(value));
            self.binary(schema, name, &left, &value);
        }
        boolean
    }

    /// `transformAExprBetween`
    fn between(&mut self, expr: AExpr<'a>) -> TypedValue {
        let value = self.optional(expr.lexpr());
        let Some(Node::List(bounds)) = expr.rexpr() else { return TypedValue::of(TypeId::BOOL) };
        let is_negated =
            matches!(expr.kind(), AExprKind::AexprNotBetween | AExprKind::AexprNotBetweenSym);
        let names = if is_negated { ["<", ">"] } else { [">=", "<="] };
        let mut known: Vec<Option<TypedValue>> = vec![None; bounds.len()];
        let is_symmetric =
            matches!(expr.kind(), AExprKind::AexprBetweenSym | AExprKind::AexprNotBetweenSym);
        let orders: &[[usize; 2]] = if is_symmetric { &[[0, 1], [1, 0]] } else { &[[0, 1]] };
        for order in orders {
            for (name, index) in names.into_iter().zip(order) {
                let Some(bound) = bounds.get(*index) else { continue };
                let bound = match &known[*index] {
                    Some(bound) => self.again(bound),
                    None => self.expr(bound),
                };
                let left = self.again(&value);
                self.binary(None, name, &left, &bound);
                known[*index] = Some(bound);
            }
        }
        TypedValue::of(TypeId::BOOL)
    }
}
