//! PostgreSQL's own functions that return rows, for a catalog that does not know them.

use std::rc::Rc;
use std::sync::Arc;

use super::column_names::{NamedColumns, RowType};
use super::name_lookup::FunctionRow;
use crate::types::scopes::ObjectName;

/// The functions, each with the columns that all of that name return; with none if they return values. From `pg_proc`.
const FUNCTIONS: &[(&str, &str)] = &[];

/// Returns what a function of PostgreSQL's own returns.
pub(super) fn result<'a>(name: &ObjectName) -> FunctionRow<'a> {
    if name.schema.as_deref().is_some_and(|schema| schema != "pg_catalog") {
        return FunctionRow::Unknown;
    }
    let found = FUNCTIONS.binary_search_by(|(own, _)| (*own).cmp(&name.name));
    let Some((_, columns)) = found.ok().and_then(|index| FUNCTIONS.get(index)) else {
        return FunctionRow::Unknown;
    };
    let mut names = columns.split_whitespace();
    match (names.next(), names.next()) {
        (None, _) => FunctionRow::Scalar(None),
        (Some(only), None) => FunctionRow::Scalar(Some(Arc::from(only))),
        _ => {
            let columns = NamedColumns::named(columns.split_whitespace());
            FunctionRow::Row(RowType::Columns(Rc::new(columns)))
        }
    }
}
