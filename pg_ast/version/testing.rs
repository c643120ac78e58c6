//! Items that only the tests of this crate call.

use super::ffi::Parse;
use super::names::protobuf::Node;
use super::names::raw;
use super::view;
use crate::convert::c_tree::in_c::InC;
use crate::convert::{FromNode as _, FromRaw, FromRawContext, IntoRaw, IntoRawContext};
use crate::foundation::arena::Bump;
use crate::foundation::limits::Limits;
use crate::types::error::Error;
use crate::types::options::ParserOptions;

/// Writes a node as its C twin, and reads that again.
///
/// # Panics
///
/// The C node is not aligned as `palloc` would have done.
///
/// # Errors
///
/// The node cannot be written: a NUL in a string, a number that is too large for its C type.
pub fn convert_back(node: &Node) -> Result<Node, Error> {
    let arena = Bump::new();
    let mut cx = IntoRawContext::new(&arena);
    cx.c_string("so that the next free place is not aligned");
    let raw: *mut raw::Node = node.into_raw(&mut cx);
    assert!(raw.addr().is_multiple_of(align_of::<u64>()));
    let raw = cx.finish(raw)?;
    if raw.is_null() {
        return Ok(Node { node: None });
    }
    let mut cx = FromRawContext::new(Limits::default(), 0);
    // SAFETY: `IntoRaw` makes complete C data, which is in `arena` and is not written to any more.
    let back = unsafe { Node::from_node(raw, &mut cx) }.unwrap_or_default();
    cx.finish(back, None)
}

/// Writes a value as the C type of a field, and reads that as another type, or as the same one.
///
/// # Safety
///
/// `T` writes whole C data, as the types of the tree and derived types do.
///
/// # Errors
///
/// The value cannot be written, or what was written is not a value of `U`.
pub unsafe fn convert_field<T, Raw, U>(value: &T) -> Result<U, Error>
where
    for<'t> &'t T: IntoRaw<Raw>,
    U: for<'t> FromRaw<'t, Raw>,
{
    let arena = Bump::new();
    let mut cx = IntoRawContext::new(&arena);
    let raw = value.into_raw(&mut cx);
    let raw = cx.finish(raw)?;
    let mut cx = FromRawContext::new(Limits::default(), 0);
    // SAFETY: the caller guarantees whole C data; it is in `arena` and is not written to any more.
    let back = unsafe { U::from_raw(&raw const raw, &mut cx) };
    cx.finish(back, None)
}

/// Returns a view of a node in memory of the caller.
///
/// # Safety
///
/// The conditions of [`FromRaw::from_raw`], for as long as `'a`, on any thread; `node` may be used to read the whole node.
#[must_use]
pub unsafe fn view_of<'a>(node: *const raw::Node) -> view::Node<'a> {
    // SAFETY: the caller guarantees the conditions.
    unsafe { InC::new_or_null(node) }.map_or(view::Node::Null, view::Node::of)
}

/// Returns a tree in memory of the caller.
///
/// # Safety
///
/// `stmts` points to a whole list of `RawStmt`s, none of them null, which satisfies the conditions of [`view_of`] for as
/// long as the tree lives. If a node has several parents, `shares_nodes` says so.
#[must_use]
pub unsafe fn tree_of(stmts: *const raw::List, shares_nodes: bool) -> view::Tree {
    // SAFETY: the caller guarantees the conditions.
    let parse = unsafe { Parse::in_other_memory(stmts, shares_nodes) };
    view::Tree::unchecked(parse, "", ParserOptions::default())
}
