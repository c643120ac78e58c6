//! What is known of calls and operators when it comes to NULL.

use pg_ast_catalog::FunctionKind;

use super::pg::seam::address;
use super::pg::view::Node;
use super::type_walk::TypeWalk;
use crate::rules::chosen_functions::ChosenFunction;
use crate::rules::chosen_operators::{ChosenOperator, MeantOperator};
use crate::rules::never_null::{
    has_value_of_group, is_never_null, keeps_not_null, operator_keeps_not_null,
};
use crate::rules::parameters::MeantFunction;
use crate::type_table::TypeId;

/// What is known of a call, or of the operators of an expression: nothing by default.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct CallFacts {
    /// It is NULL if an argument is.
    pub(super) is_strict: bool,
    /// It is not NULL if no argument is.
    pub(super) keeps_not_null: bool,
    /// It never is NULL.
    pub(super) is_never_null: bool,
    /// It is an aggregate that has a value for each group in which the arguments are not NULL.
    pub(super) has_value_of_group: bool,
    pub(super) is_aggregate: bool,
    /// It returns any number of rows.
    pub(super) returns_set: bool,
}

impl CallFacts {
    /// Several operators of one expression, such as those of `IN`.
    fn and(self, other: Self) -> Self {
        Self {
            is_strict: self.is_strict && other.is_strict,
            keeps_not_null: self.keeps_not_null && other.keeps_not_null,
            ..self
        }
    }
}

impl<'a> TypeWalk<'_, 'a> {
    /// Notes an operator of the expression that is being read.
    pub(super) fn note_operator(&mut self, chosen: &ChosenOperator) {
        let facts = match chosen.row {
            MeantOperator::Builtin(operator) => {
                let functions =
                    self.table.builtin.objects.functions("pg_catalog", operator.function);
                let types = [operator.left, Some(operator.right)];
                CallFacts {
                    is_strict: !functions.is_empty() && functions.iter().all(|it| it.is_strict),
                    keeps_not_null: operator_keeps_not_null(operator.name, types),
                    ..CallFacts::default()
                }
            }
            MeantOperator::Catalog => return self.note_unknown_operator(),
        };
        self.operators = Some(match self.operators {
            Some(others) => others.and(facts),
            None => facts,
        });
    }

    /// Notes an operator of which nobody knows what it does with NULL.
    pub(super) fn note_unknown_operator(&mut self) {
        self.operators = Some(CallFacts::default());
    }

    /// Reads an expression, and keeps what is known of its operators.
    pub(super) fn with_operators<R>(
        &mut self,
        expr: Node<'a>,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = self.operators.take();
        let result = f(self);
        if let Some(facts) = core::mem::replace(&mut self.operators, outer) {
            self.calls.insert(address(expr), facts);
        }
        result
    }

    /// Keeps what is known of a function.
    pub(super) fn note_call(
        &mut self,
        call: Node<'a>,
        chosen: &ChosenFunction<'_>,
        is_variadic: bool,
    ) {
        let facts = match chosen.row {
            // A cast that is written as a call.
            None => CallFacts {
                is_strict: true,
                keeps_not_null: chosen.is_cast && self.table.is_own(chosen.result),
                ..CallFacts::default()
            },
            Some(MeantFunction::Builtin(of)) => {
                let is_own = of.schema == "pg_catalog" && !is_variadic;
                let first = of.inputs().next().map(|it| it.type_name);
                let is_aggregate = !matches!(
                    of.kind,
                    FunctionKind::Function | FunctionKind::Procedure | FunctionKind::Window
                );
                CallFacts {
                    is_strict: of.is_strict && of.kind == FunctionKind::Function,
                    keeps_not_null: is_own && keeps_not_null(of.name, first),
                    // One that is strict is NULL for an argument that is.
                    is_never_null: is_own
                        && is_never_null(of.name)
                        && (!of.is_strict || of.inputs().next().is_none()),
                    has_value_of_group: is_own && is_aggregate && has_value_of_group(of.name),
                    is_aggregate,
                    returns_set: of.returns_set,
                }
            }
            Some(MeantFunction::Catalog(of)) => CallFacts {
                is_strict: of.is_strict == Some(true) && of.kind == Some(FunctionKind::Function),
                returns_set: of.returns_set,
                ..CallFacts::default()
            },
        };
        self.calls.insert(address(call), facts);
    }

    /// Keeps what is known of a cast.
    pub(super) fn note_cast(&mut self, cast: Node<'a>, from: Option<TypeId>, to: Option<TypeId>) {
        // The null of JSON becomes that of SQL, and what users define is not known.
        let is_own =
            |id: Option<TypeId>| id.is_some_and(|id| self.table.is_own(self.table.base(id)));
        let is_json = matches!(from, Some(TypeId::JSON | TypeId::JSONB));
        let keeps = (is_own(to) && is_own(from) && !is_json) || (from == to && from.is_some());
        let facts = CallFacts {
            is_strict: is_own(to) && is_own(from),
            keeps_not_null: keeps,
            ..CallFacts::default()
        };
        self.calls.insert(address(cast), facts);
    }
}
