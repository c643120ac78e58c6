//! What a call is: a value, a set, an aggregate, a window function.

use super::VERSION;
use super::pg::view::FuncCall;
use super::resolver::NameResolver;
use crate::builtin_names::{extension_kind, functions, is_builtin_schema, kind_of};
use crate::catalog_routines::{CallKind, Routine};
use pg_ast_catalog::{BuiltinFunction, FunctionKind};

impl NameResolver<'_> {
    /// Returns what a call is. `Unknown` if the functions that it can mean differ in that, or there may be others.
    pub(super) fn call_kind(&self, call: FuncCall<'_>) -> CallKind {
        let name = call.funcname().qualified_name();
        let is_ordered = call.agg_within_group();
        let ordered = if is_ordered { call.agg_order().len() } else { 0 };
        // `unnest` of several arrays in a FROM is one call for each.
        let is_unnest = name.name == "unnest" && name.schema.is_none();
        let count = if is_unnest { 1 } else { call.args().len() + ordered };

        // `rank` is a window function and an aggregate over a hypothetical row.
        let fits = |function: &&BuiltinFunction| {
            let is_ordered_set = matches!(
                function.kind,
                FunctionKind::OrderedSet(_) | FunctionKind::HypotheticalSet(_)
            );
            function.takes(count) && is_ordered_set == is_ordered
        };
        let own = functions(VERSION, &name).iter().filter(fits).map(kind_of);
        let schemas = self.schemas(name.schema.as_deref());
        let is_known = match &name.schema {
            Some(schema) => self.catalog.is_known(schema),
            None => self.knows_functions(),
        };
        if !is_known {
            // Without arguments, nothing fits better than PostgreSQL's own, which is found first.
            let is_first = name.schema.is_none()
                && !self.catalog.search_path().iter().any(|schema| schema == "pg_catalog");
            return if count == 0 && is_first { only_kind(own) } else { CallKind::Unknown };
        }
        let routines = schemas.iter().flat_map(|schema| self.catalog.routines(schema, &name.name));
        let routines = routines.filter(|routine| routine.takes(count)).map(Routine::call_kind);
        let kind = only_kind(own.chain(routines));
        // Somebody may have created an extension that no statement creates.
        let may_be_other = name.schema.as_deref().is_none_or(|schema| !is_builtin_schema(schema));
        match extension_kind(VERSION, &name.name).filter(|_| may_be_other) {
            Some(other) if other != kind => CallKind::Unknown,
            _ => kind,
        }
    }
}

/// Returns the kind that all have.
fn only_kind(mut kinds: impl Iterator<Item = CallKind>) -> CallKind {
    match kinds.next() {
        Some(first) if kinds.all(|kind| kind == first) => first,
        _ => CallKind::Unknown,
    }
}
