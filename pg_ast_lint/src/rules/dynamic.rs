//! Dynamic SQL that values become a part of.

use std::collections::HashSet;

use pg_ast::NodeRef;
use pg_ast::plpgsql::{Datum, Dno, Function};
use pg_ast_plpgsql::{DynamicPart, DynamicValue, Quoting, VariableUses};

use super::name_at;
use crate::{Finding, Rule};

/// Checks a function; `text` is its statement.
pub(super) fn check(
    text: &str,
    function: &Function,
    variables: &[VariableUses<'_>],
    found: &mut Vec<Finding>,
) {
    // Fields of types that only a database has may be of types such as `int`.
    let has_text =
        |dno| matches!(function.datum(dno), Some(Datum::Var(var)) if !var.datatype.unknown);
    // One that is assigned may have got quotes.
    let params = variables.iter().filter(|it| it.parameter.is_some() && it.writes.is_empty());
    let params: HashSet<_> = params.map(|it| it.dno).filter(|dno| has_text(*dno)).collect();
    if params.is_empty() {
        return;
    }
    // Several statements may run the same SQL.
    let (mut seen, mut places) = (HashSet::new(), HashSet::new());
    for dynamic in pg_ast_plpgsql::dynamic_sql(function) {
        if !seen.insert(dynamic.parts().as_ptr()) {
            continue;
        }
        // All of the SQL may come from elsewhere: that is what the function is for.
        if !dynamic.parts().iter().any(|part| matches!(part, DynamicPart::Text { .. })) {
            continue;
        }
        for value in dynamic.unsafe_values().filter(|value| is_param(value, &params)) {
            let Some(start) = value.node.location().filter(|start| places.insert(*start)) else {
                continue;
            };
            let place = name_at(text, start);
            let help = match value.quoting {
                Quoting::None => "quote it by %I or %L of format, or give it by USING",
                _ => {
                    "it is in other quotes, which do not end where its own do: put it outside of them"
                }
            };
            found.push(Finding::of(Rule::UnquotedDynamicSql, place).help(help));
        }
    }
}

/// Returns whether a value is that of a parameter itself: a function may return what has quotes.
fn is_param(value: &DynamicValue<'_>, params: &HashSet<Dno>) -> bool {
    let is_name =
        matches!(value.node, NodeRef::ColumnRef(_) | NodeRef::ParamRef(_) | NodeRef::TypeCast(_));
    is_name && value.variables().iter().any(|dno| params.contains(dno))
}
