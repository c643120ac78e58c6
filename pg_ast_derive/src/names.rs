//! The rules that connect names in Rust, in C and in the bindings.

use proc_macro2::{Ident, Span};
use syn::Path;
use syn::ext::IdentExt as _;

/// Returns the last part of a path, which every path has.
pub(crate) fn last(path: &Path) -> &Ident {
    &path.segments[path.segments.len() - 1].ident
}

/// Returns a name that the macro makes up, shown at the place of `at`. It is marked as the macro's, so
/// that the compiler does not suggest changing it there.
pub(crate) fn made_up(name: &str, at: &Path) -> Ident {
    Ident::new(name, Span::call_site().located_at(last(at).span()))
}

/// Returns `T_SelectStmt` for `..::SelectStmt`: PostgreSQL's own rule (`makeNode` in nodes.h).
pub(crate) fn tag_of(raw: &Path) -> Ident {
    made_up(&format!("T_{}", last(raw).unraw()), raw)
}

/// Returns an item next to the C struct in the bindings: `..::NodeTag` for `..::SelectStmt`.
pub(crate) fn sibling(raw: &Path, name: &str) -> Path {
    let mut path = raw.clone();
    let last = path.segments.len() - 1;
    path.segments[last].ident = made_up(name, raw);
    path
}
