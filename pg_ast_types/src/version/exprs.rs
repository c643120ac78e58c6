//! Expressions: `transformExprRecurse` of PostgreSQL's `parse_expr.c`.

use super::pg::protobuf::{SqlValueFunctionOp, SubLinkType, XmlExprOp};
use super::pg::seam::with_stack;
use super::pg::view::{
    AArrayExpr, AConst, CaseExpr, Node, SqlValueFunction, SubLink, TypeCast, XmlExpr, a_const,
};
use super::type_walk::TypeWalk;
use super::typed_values::TypedValue;
use crate::rules::coercion::Coercion;
use crate::type_table::TypeId;

/// Returns the type of a literal: `make_const` of `parse_node.c`.
fn constant(of: AConst<'_>) -> TypeId {
    if of.isnull() {
        return TypeId::UNKNOWN;
    }
    match of.val() {
        Some(a_const::Val::Ival(_)) => TypeId::INT4,
        // What does not fit into 32 bits.
        Some(a_const::Val::Fval(_)) => match Node::AConst(of).literal() {
            Some(pg_ast::Literal::Integer(_)) => TypeId::INT8,
            _ => TypeId::NUMERIC,
        },
        Some(a_const::Val::Boolval(_)) => TypeId::BOOL,
        Some(a_const::Val::Bsval(_)) => TypeId::BIT,
        _ => TypeId::UNKNOWN,
    }
}

/// Returns the type of what SQL has as a word: `transformSQLValueFunction`.
fn word(of: SqlValueFunction<'_>) -> TypedValue {
    use SqlValueFunctionOp as Op;
    let modifier = of.typmod();
    match of.op() {
        Op::SvfopCurrentDate => TypedValue::of(TypeId::DATE),
        Op::SvfopCurrentTime => TypedValue::of(TypeId::TIMETZ),
        Op::SvfopCurrentTimeN => TypedValue::with_modifier(Some(TypeId::TIMETZ), modifier),
        Op::SvfopCurrentTimestamp => TypedValue::of(TypeId::TIMESTAMPTZ),
        Op::SvfopCurrentTimestampN => {
            TypedValue::with_modifier(Some(TypeId::TIMESTAMPTZ), modifier)
        }
        Op::SvfopLocaltime => TypedValue::of(TypeId::TIME),
        Op::SvfopLocaltimeN => TypedValue::with_modifier(Some(TypeId::TIME), modifier),
        Op::SvfopLocaltimestamp => TypedValue::of(TypeId::TIMESTAMP),
        Op::SvfopLocaltimestampN => TypedValue::with_modifier(Some(TypeId::TIMESTAMP), modifier),
        Op::SqlvalueFunctionOpUndefined => TypedValue::unknown(),
        _ => TypedValue::of(TypeId::NAME),
    }
}

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the value of an expression.
    pub(super) fn expr(&mut self, expr: Node<'a>) -> TypedValue {
        match expr {
            Node::AConst(of) => TypedValue::of(constant(of)),
            Node::ParamRef(parameter) => self.parameter(parameter.number()),
            Node::ColumnRef(_) => self.column_ref(expr),
            other => with_stack(|| self.compound(other)),
        }
    }

    fn compound(&mut self, expr: Node<'a>) -> TypedValue {
        match expr {
            Node::AExpr(of) => self.with_operators(expr, |this| this.operator_expr(of)),
            Node::BoolExpr(of) => {
                for arg in of.args() {
                    let value = self.expr(arg);
                    self.condition(&value);
                }
                TypedValue::of(TypeId::BOOL)
            }
            Node::FuncCall(call) => self.call(call),
            Node::NamedArgExpr(arg) => {
                arg.arg().map_or(TypedValue::unknown(), |arg| self.expr(arg))
            }
            Node::TypeCast(cast) => self.cast(cast),
            Node::SubLink(link) => self.with_operators(expr, |this| this.sub_link(link)),
            Node::CaseExpr(case) => self.with_operators(expr, |this| this.case(case)),
            Node::RowExpr(row) => self.row(row.args()),
            Node::CoalesceExpr(of) => {
                let values = self.all(of.args());
                self.common(&values)
            }
            Node::MinMaxExpr(of) => {
                let values = self.all(of.args());
                self.common(&values)
            }
            Node::SqlvalueFunction(of) => word(of),
            Node::XmlExpr(xml) => self.xml(xml),
            Node::XmlSerialize(xml) => {
                if let Some(arg) = xml.expr() {
                    let value = self.expr(arg);
                    self.coerce(&value, TypeId::XML, Coercion::Implicit);
                }
                let (id, modifier) =
                    xml.type_name().map_or((None, -1), |name| self.type_named(name));
                TypedValue::with_modifier(id, modifier)
            }
            Node::NullTest(test) => {
                self.optional(test.arg());
                TypedValue::of(TypeId::BOOL)
            }
            Node::BooleanTest(test) => {
                if let Some(arg) = test.arg() {
                    let value = self.expr(arg);
                    self.condition(&value);
                }
                TypedValue::of(TypeId::BOOL)
            }
            Node::CurrentOfExpr(_) => TypedValue::of(TypeId::BOOL),
            Node::CollateClause(clause) => {
                // A literal or a parameter stays one: `coerce_type` looks below the clause.
                let value = clause.arg().map_or(TypedValue::unknown(), |arg| self.expr(arg));
                TypedValue { origin: None, ..value }
            }
            Node::GroupingFunc(of) => {
                self.all(of.args());
                TypedValue::of(TypeId::INT4)
            }
            Node::AArrayExpr(array) => self.array(array, None),
            Node::AIndirection(indirection) => self.indirection(indirection),
            Node::SetToDefault(_) => TypedValue::unknown(),
            other => self.json_expr(other),
        }
    }

    /// `transformTypeCast`
    fn cast(&mut self, cast: TypeCast<'a>) -> TypedValue {
        let Some(name) = cast.type_name() else { return TypedValue::unknown() };
        let (id, modifier) = self.type_named(name);
        let value = match cast.arg() {
            // The elements get the type of the array at once.
            Some(Node::AArrayExpr(array)) => {
                let base = id.map(|id| self.table.base(id));
                let element = base.filter(|id| self.table.info(*id).is_array);
                self.array(array, element)
            }
            Some(arg) => self.expr(arg),
            None => return TypedValue::unknown(),
        };
        self.note_cast(cast.into(), value.id, id);
        match id {
            Some(to) => {
                let cast = self.coerce(&value, to, Coercion::Explicit);
                if value.id.is_some_and(|from| self.table.is_row_for_record(from, to)) {
                    return cast;
                }
                let fields = cast.fields.filter(|_| to == TypeId::RECORD);
                let same = value.id == id && modifier < 0 && value.modifier < 0;
                let origin = value.origin.filter(|_| same);
                TypedValue { fields, origin, ..TypedValue::with_modifier(id, modifier) }
            }
            None => {
                self.coerce_to(&value, None);
                TypedValue::unknown()
            }
        }
    }

    /// `transformCaseExpr`
    fn case(&mut self, case: CaseExpr<'a>) -> TypedValue {
        let arg = case.arg().map(|arg| {
            let value = self.expr(arg);
            self.text_if_untyped(value)
        });
        let mut results = vec![TypedValue::unknown()];
        for when in case.args() {
            let Node::CaseWhen(when) = when else { continue };
            if let Some(condition) = when.expr() {
                let value = self.expr(condition);
                match &arg {
                    Some(arg) => {
                        let arg = self.again(arg);
                        let value = self.binary(None, "=", &arg, &value);
                        self.condition(&value);
                    }
                    None => self.condition(&value),
                }
            }
            if let Some(result) = when.result() {
                let value = self.expr(result);
                results.push(value);
            }
        }
        // The default comes first, so that its type wins.
        results[0] = match case.defresult() {
            Some(default) => self.expr(default),
            None => TypedValue::of(TypeId::UNKNOWN),
        };
        self.common(&results)
    }

    /// `transformArrayExpr`; a cast around it gives its type.
    pub(super) fn array(&mut self, array: AArrayExpr<'a>, cast: Option<TypeId>) -> TypedValue {
        let element = cast.and_then(|cast| self.table.info(cast).of);
        let mut values = Vec::with_capacity(array.elements().len());
        let mut is_nested = false;
        for item in array.elements() {
            let value = match item {
                Node::AArrayExpr(inner) => {
                    is_nested = true;
                    with_stack(|| self.array(inner, cast))
                }
                item => self.expr(item),
            };
            if value.id.is_some_and(|id| self.table.is_sub_array(id)) {
                is_nested = true;
            }
            values.push(value);
        }
        if let (Some(cast), Some(element)) = (cast, element) {
            for value in &values {
                let is_array = value.id.is_some_and(|id| self.table.info(id).is_array);
                let to = if is_array || is_nested { cast } else { element };
                self.coerce(value, to, Coercion::Explicit);
            }
            return TypedValue::of(cast);
        }
        if values.is_empty() {
            self.mistake();
            return TypedValue::unknown();
        }
        let common = self.common(&values);
        let Some(id) = common.id else { return TypedValue::unknown() };
        let array = if self.table.info(id).is_array && is_nested {
            Some(id)
        } else {
            self.table.array_of(id)
        };
        TypedValue::with_modifier(array, common.modifier)
    }

    /// `transformSubLink`
    fn sub_link(&mut self, link: SubLink<'a>) -> TypedValue {
        let Some(query) = link.subselect() else { return TypedValue::unknown() };
        match link.sub_link_type() {
            SubLinkType::ExistsSublink => {
                self.query(query);
                TypedValue::of(TypeId::BOOL)
            }
            SubLinkType::ExprSublink => TypedValue { origin: None, ..self.query(query).single() },
            SubLinkType::ArraySublink => {
                let value = self.query(query).single();
                // An array of arrays is one of more dimensions.
                let array = value.id.and_then(|id| {
                    let of_arrays = self.table.info(id).is_array.then_some(id);
                    self.table.array_of(id).or(of_arrays)
                });
                TypedValue::with_modifier(array, value.modifier)
            }
            SubLinkType::AnySublink | SubLinkType::AllSublink | SubLinkType::RowcompareSublink => {
                let columns = self.query(query);
                let left = match link.testexpr() {
                    Some(Node::RowExpr(row)) => self.list_of_values(row.args()).values,
                    Some(value) => vec![self.expr(value)],
                    None => Vec::new(),
                };
                let name = link.oper_name();
                let (schema, name) = super::operator_exprs::operator_name(name);
                for (index, left) in left.iter().enumerate() {
                    let right = columns.get(index);
                    self.binary(schema, if name.is_empty() { "=" } else { name }, left, &right);
                }
                TypedValue::of(TypeId::BOOL)
            }
            _ => TypedValue::unknown(),
        }
    }

    /// `transformXmlExpr`
    fn xml(&mut self, xml: XmlExpr<'a>) -> TypedValue {
        for arg in xml.named_args() {
            let Node::ResTarget(arg) = arg else { continue };
            if let Some(value) = arg.val() {
                // Attributes and elements are of any type.
                self.expr(value);
            }
        }
        for (index, arg) in xml.args().iter().enumerate() {
            let value = self.expr(arg);
            let to = match (xml.op(), index) {
                (XmlExprOp::IsXmlconcat | XmlExprOp::IsDocument, _) | (XmlExprOp::IsXmlroot, 0) => {
                    TypeId::XML
                }
                (XmlExprOp::IsXmlparse, 0)
                | (XmlExprOp::IsXmlpi, _)
                | (XmlExprOp::IsXmlroot, 1) => TypeId::TEXT,
                (XmlExprOp::IsXmlroot, _) => TypeId::INT4,
                (XmlExprOp::IsXmlparse, _) => TypeId::BOOL,
                _ => continue,
            };
            self.coerce(&value, to, Coercion::Implicit);
        }
        match xml.op() {
            XmlExprOp::IsDocument => TypedValue::of(TypeId::BOOL),
            _ => TypedValue::of(TypeId::XML),
        }
    }
}
