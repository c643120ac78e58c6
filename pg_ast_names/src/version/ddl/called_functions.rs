//! The functions that views call.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use super::VERSION;
use super::pg::view::Node;
use crate::builtin_names::is_builtin_function;
use crate::ddl_catalog::DdlCatalog;

/// Returns the functions that a query calls and that are not PostgreSQL's own, with the numbers of their arguments.
pub(crate) fn calls_of_view(
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
