//! The functions that views and tables call.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use super::VERSION;
use super::pg::view::Node;
use crate::builtin_names::is_builtin_function;
use crate::ddl_catalog::DdlCatalog;

/// Adds the functions that a part of a table calls.
pub(crate) fn note_calls(catalog: &mut DdlCatalog, table: &QualifiedName, part: Node<'_>) {
    for call in calls_of(catalog, part) {
        let noted = catalog.view_calls.or_default(table.clone());
        if let Err(at) = noted.binary_search(&call) {
            noted.insert(at, call);
        }
    }
}

/// Returns, in order, the functions that a statement calls and that are not PostgreSQL's own, with the numbers of their arguments.
pub(crate) fn calls_of(
    catalog: &DdlCatalog,
    stmt: Node<'_>,
) -> Vec<(QualifiedName, Option<usize>)> {
    let mut found = BTreeSet::new();
    for call in stmt.nodes().filter_map(Node::as_func_call) {
        let mut name = call.funcname().qualified_name();
        if is_builtin_function(VERSION, &name) {
            continue;
        }
        if name.schema.is_none() {
            let has_it = |schema: &&String| {
                let contents = catalog.schemas.get(*schema);
                contents.is_some_and(|contents| contents.routines.contains_key(&name.name))
            };
            name.schema = catalog.search_path.iter().find(has_it).cloned();
        }
        let arguments = (!call.func_variadic()).then(|| call.args().len());
        found.insert((name, arguments));
    }
    found.into_iter().collect()
}
