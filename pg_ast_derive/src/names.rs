//! How names in Rust and in C go together, and what the bindings call things.

use proc_macro2::{Ident, Span};
use syn::Path;
use syn::ext::IdentExt as _;

/// The last part of a path, which every path has.
pub(crate) fn last(path: &Path) -> &Ident {
    &path.segments[path.segments.len() - 1].ident
}

/// A name that the macro makes up, which is shown where `at` stands. It is marked as the macro's, so
/// that the compiler does not suggest to change it there.
pub(crate) fn made_up(name: &str, at: &Path) -> Ident {
    Ident::new(name, Span::call_site().located_at(last(at).span()))
}

/// `T_SelectStmt` for `..::SelectStmt`: PostgreSQL's own rule (`makeNode` in nodes.h).
pub(crate) fn tag_of(raw: &Path) -> Ident {
    made_up(&format!("T_{}", last(raw).unraw()), raw)
}

/// An item that stands beside the C struct in the bindings: `..::NodeTag` for `..::SelectStmt`.
pub(crate) fn sibling(raw: &Path, name: &str) -> Path {
    let mut path = raw.clone();
    let last = path.segments.len() - 1;
    path.segments[last].ident = made_up(name, raw);
    path
}
