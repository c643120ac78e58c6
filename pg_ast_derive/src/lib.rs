//! Derive macros of `pg_ast`: they write the conversion between a Rust type and its C twin.
//!
//! A type names its twin with `#[pg_ast(raw = path::to::CStruct)]`; its fields are mapped by name.
//! The way of a derive is the same for every macro here:
//!
//! ```text
//! attributes (attr.rs) -> model, with every mistake collected (model.rs, check.rs) -> expand/*
//! ```
//!
//! Expansion cannot fail. After a mistake, stub impls are emitted (fallback.rs), so that one
//! wrong attribute is one message and not one for each use of the type.
//!
//! The macros are used through `pg_ast`, which re-exports them beside the traits of the same names
//! and documents them there.

mod attr;
mod check;
mod expand;
mod fallback;
#[cfg(test)]
mod golden;
mod model;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `pg_ast::FromRaw` (and `pg_ast::FromNode`): reads the type from its C twin.
#[proc_macro_derive(FromRaw, attributes(pg_ast))]
pub fn derive_from_raw(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::from_raw::derive(&input).into()
}

/// Derives `pg_ast::IntoRaw`: writes the type as its C twin.
#[proc_macro_derive(IntoRaw, attributes(pg_ast))]
pub fn derive_into_raw(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::into_raw::derive(&input).into()
}

/// Derives `Clone`, `PartialEq` and `Debug` for a type through which a syntax tree recurses.
///
/// The derives of the standard library need a stack as deep as the tree, and cannot report that
/// there is none left; these make the stack larger instead.
#[proc_macro_derive(Recursive, attributes(pg_ast))]
pub fn derive_recursive(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::recursive::derive(&input).into()
}

/// Derives the way from a message, or from a sum of nodes, to the nodes in its fields.
#[proc_macro_derive(Walk, attributes(pg_ast))]
pub fn derive_walk(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::walk::derive(&input).into()
}

/// Derives what a type of the tree writes into a fingerprint.
#[proc_macro_derive(Fingerprint, attributes(pg_ast))]
pub fn derive_fingerprint(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::fingerprint::derive(&input).into()
}

/// Derives `pg_ast::HeapSize`: what a value holds on the heap.
#[proc_macro_derive(HeapSize, attributes(pg_ast))]
pub fn derive_heap_size(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::heap_size::derive(&input).into()
}
