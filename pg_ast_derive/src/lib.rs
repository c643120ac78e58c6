//! Derive macros of `pg_ast`, which write the conversion between a Rust type and its C twin.
//!
//! A type names its twin with `#[pg_ast(raw = path::to::CStruct)]`; its fields are mapped by name.
//! All macros have the same steps (derive.rs):
//!
//! ```text
//! attributes (attr.rs, form.rs) -> what was parsed (input.rs) -> rules (check.rs) -> model (model.rs) -> expand/*
//! ```
//!
//! All errors of an item are collected (errors.rs). If there are any, stub impls are emitted
//! (fallback.rs), so that the uses of the type do not cause further errors. Otherwise a model is
//! made, in which nothing is missing, so that expansion cannot fail.
//!
//! The macros are used through `pg_ast`, which re-exports them next to the traits of the same names
//! and documents them there.

mod attr;
mod check;
mod derive;
mod errors;
mod expand;
mod fallback;
mod form;
#[cfg(test)]
mod golden;
mod input;
mod model;
mod names;

use input::Derive;
use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `pg_ast::FromRaw` and `pg_ast::FromNode`: reads the type from its C twin.
///
/// The reference of the attributes, the field types and the compile errors is the documentation of
/// [`pg_ast::FromRaw`](https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html).
#[proc_macro_derive(FromRaw, attributes(pg_ast, prost))]
pub fn derive_from_raw(input: TokenStream) -> TokenStream {
    derive::derive(Derive::FromRaw, &parse_macro_input!(input as DeriveInput)).into()
}

/// Derives `pg_ast::IntoRaw`: writes the type as its C twin.
///
/// The reference is the documentation of
/// [`pg_ast::IntoRaw`](https://docs.rs/pg_ast/latest/pg_ast/derive.IntoRaw.html).
#[proc_macro_derive(IntoRaw, attributes(pg_ast, prost))]
pub fn derive_into_raw(input: TokenStream) -> TokenStream {
    derive::derive(Derive::IntoRaw, &parse_macro_input!(input as DeriveInput)).into()
}
