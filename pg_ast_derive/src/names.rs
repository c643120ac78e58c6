//! The rules that connect names in Rust, in C and in the bindings.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Path;
use syn::ext::IdentExt as _;

/// Returns the last part of a path, which every path has.
pub(crate) fn last(path: &Path) -> &Ident {
    &path.segments[path.segments.len() - 1].ident
}

/// Returns a C name as bindgen writes it: `type_` for a keyword of Rust.
pub(crate) fn in_bindings(name: &Ident, span: Span) -> Ident {
    let name = name.unraw().to_string();
    match syn::parse_str::<Ident>(&name) {
        Ok(_) => Ident::new(&name, span),
        Err(_) => Ident::new(&format!("{name}_"), span),
    }
}

/// Returns a span for code that the macro makes up, shown at the place of `at`. Its variables are the macro's own: neither do
/// they capture names of the user's, nor does a `macro_rules!` that wrote a part of the struct hide them.
pub(crate) fn own(at: Span) -> Span {
    Span::mixed_site().located_at(at)
}

/// Returns the first and the last place of a piece of code, as spans of the macro's.
pub(crate) fn ends(code: &impl ToTokens) -> [Span; 2] {
    let tokens: Vec<_> = TokenStream::into_iter(code.to_token_stream()).collect();
    let at = |token: Option<&TokenTree>| own(token.map_or_else(Span::mixed_site, TokenTree::span));
    [at(tokens.first()), at(tokens.last())]
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
