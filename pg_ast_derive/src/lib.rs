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

/// Derives what every message of the tree has: `Clone`, `PartialEq`, `Debug`, `Default`, prost's `Message`,
/// `pg_ast::HeapSize`, and the way to its fields.
///
/// What the standard library and prost derive needs a stack as deep as the tree, and is code for each type;
/// this makes the stack larger, and leaves nearly all to code that is there once.
#[proc_macro_derive(Message, attributes(pg_ast, prost))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::message::derive(&input).into()
}

/// Derives what a type of the tree writes into a fingerprint.
#[proc_macro_derive(Fingerprint, attributes(pg_ast))]
pub fn derive_fingerprint(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::fingerprint::derive(&input).into()
}
