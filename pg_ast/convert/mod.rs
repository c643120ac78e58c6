//! The traits that the derive implements, and the context of a conversion.
//!
//! Neither direction returns a `Result` per field: the context keeps the first error, the conversion continues,
//! and its result is discarded. That keeps the generated code free of branches.

pub(crate) mod c_tree;
mod descent;
pub(crate) mod enumeration;
mod from_raw_context;
pub(crate) mod internal;
mod into_raw_context;
#[cfg(feature = "plpgsql")]
pub(crate) mod lists;
pub(crate) mod message_impls;
pub(crate) mod name_rules;
mod pointee;
pub(crate) mod roles;
pub(crate) mod shapes;
pub(crate) mod shared_nodes;

use core::ffi::c_int;
use core::mem::MaybeUninit;

pub use from_raw_context::FromRawContext;
pub use into_raw_context::IntoRawContext;
pub(crate) use into_raw_context::incomplete;
pub use pointee::Pointee;

/// Reads a Rust value from its C twin.
///
/// `#[derive(FromRaw)]` implements it for structs and enumerations. For the type of a field, a type shape
/// implements it (`List *` is a `Vec<Node>`, `char *` a `String`, ..).
///
/// `'t` is the lifetime of the C tree. A type that owns what it holds implements the trait for any `'t`; one that borrows
/// from the tree, such as a `&'t str`, for its own.
///
/// # Safety
///
/// An implementation that overrides [`write_raw`](Self::write_raw) leaves a valid value in `place`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the C type `{Raw}`",
    label = "no type shape reads `{Raw}` into this type",
    note = "a pointer `X *` is read by an `Option`, as in `Option<T>`, if `T` reads `X`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#field-types"
)]
pub unsafe trait FromRaw<'t, Raw>: Sized {
    /// Reads the value that `raw` points to.
    ///
    /// # Safety
    ///
    /// - `raw` is aligned and points to an initialised `Raw`.
    /// - Each pointer in it is null, or its target satisfies the same; a `char *` ends in a
    ///   NUL; a node is a whole struct of the type that its tag says.
    /// - For as long as `'t`, which includes the call, nothing writes to any of this, on any thread, and it stays allocated.
    unsafe fn from_raw(raw: *const Raw, cx: &mut FromRawContext) -> Self;

    /// Reads the value into `place`, where it stays.
    ///
    /// # Safety
    ///
    /// The conditions of [`from_raw`](Self::from_raw). `place` can be written to; its old value is not dropped.
    #[inline]
    unsafe fn write_raw(raw: *const Raw, place: *mut Self, cx: &mut FromRawContext) {
        // SAFETY: the caller guarantees both.
        unsafe { place.write(Self::from_raw(raw, cx)) }
    }
}

/// Reads a Rust value from a C node, if the node's tag is one of the type's tags.
///
/// Derived by `#[derive(FromRaw)]` for structs (one tag) and for enums whose variants hold nodes. An `Option` of such a type
/// reads a pointer to any node, and a `Vec` a list.
///
/// # Safety
///
/// [`write_node`](Self::write_node) leaves a valid value in `place`, and so does [`write_child`](Self::write_child) if it
/// returns true.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of the syntax tree",
    label = "this type has no node tag",
    note = "a struct, or an enum of nodes, is one by `#[derive(FromRaw)]`: see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#items"
)]
pub unsafe trait FromNode<'t, Node>: Sized {
    /// Reads the node that `node` points to into `place`, where it stays: a node is several words
    /// long, and moving them costs more than writing them. Writes `None` if the tag belongs to another type.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`], with `node` pointing to the header of a whole node. `place` can
    /// be written to; its old value is not dropped.
    unsafe fn write_node(node: *const Node, place: *mut Option<Self>, cx: &mut FromRawContext);

    /// Reads the node that `node` points to; `None` if its tag belongs to another type.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`], with `node` pointing to the header of a whole node.
    #[inline]
    unsafe fn from_node(node: *const Node, cx: &mut FromRawContext) -> Option<Self> {
        let mut place = MaybeUninit::uninit();
        // SAFETY: the caller guarantees the node; the implementation of the trait guarantees the value.
        unsafe {
            Self::write_node(node, place.as_mut_ptr(), cx);
            place.assume_init()
        }
    }

    /// Returns the value of an empty cell of a list, a null pointer; `None` if the type has none. `SELECT DISTINCT` has such
    /// a cell, and so has `DROP OPERATOR + (NONE, int)`.
    #[must_use]
    fn from_null() -> Option<Self> {
        None
    }

    /// Returns the value of a number in a list of numbers, which are not nodes in C; `None` if the type has none.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`].
    #[must_use]
    unsafe fn from_number(number: *const c_int) -> Option<Self> {
        let _ = number;
        None
    }

    /// Like [`write_node`](Self::write_node), for a type that need not be written as an `Option`. Returns false, and leaves
    /// `place` as it is, if the tag belongs to another type.
    ///
    /// # Safety
    ///
    /// The conditions of [`write_node`](Self::write_node), with room for a `Self` in `place`.
    #[doc(hidden)]
    #[inline]
    unsafe fn write_child(node: *const Node, place: *mut Self, cx: &mut FromRawContext) -> bool {
        // SAFETY: the caller guarantees the node and the place.
        unsafe { Self::from_node(node, cx).map(|value| place.write(value)).is_some() }
    }
}

/// A C struct whose nodes have the tag `TAG`.
///
/// A node's tag says which struct the node is, and so which cast is sound. The derives cast by the tag that an attribute
/// names; with this trait, a wrong attribute does not compile. It is implemented for every struct of `raw` that is a node: once per tag,
/// since a typedef (`DistinctExpr` is an `OpExpr`) and the kinds of lists share a struct.
///
/// Mirrors `makeNode` of PostgreSQL's `src/include/nodes/nodes.h`, which joins struct and tag.
///
/// ```
/// # #[cfg(feature = "pg18")] {
/// use pg_ast::Tagged;
/// use pg_ast::pg18::raw::{NodeTag, OpExpr};
///
/// const TAG: u32 = NodeTag::T_NullIfExpr.0;
/// assert_eq!(<OpExpr as Tagged<TAG>>::TAG, NodeTag::T_NullIfExpr);
/// # }
/// ```
///
/// # Safety
///
/// - A [`Node`](Self::Node) begins with a [`NodeTag`](Self::NodeTag), and one with the tag `TAG` is a whole `Self`.
/// - `Self` is plain C data, for which all zeroes is a value.
#[diagnostic::on_unimplemented(
    message = "no node with this tag is a `{Self}`",
    label = "the tag is not one of `{Self}`",
    note = "`raw` names a C struct of `pg_ast::raw` by its own name, which is that of the tag; `tag` is for a struct that has several",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#compile-errors"
)]
pub unsafe trait Tagged<const TAG: u32>: Sized {
    /// The header that every node of the PostgreSQL version begins with.
    type Node;

    /// The type of the tags of that version.
    type NodeTag: Copy + PartialEq;

    /// The tag.
    const TAG: Self::NodeTag;
}

/// Writes a Rust value as its C twin.
///
/// It is implemented for references, so that `into_` keeps its meaning: the `&T` is consumed.
/// Everything that the C value points to lies in the context's arena.
///
/// The trait is safe to implement, since the output of a foreign implementation never reaches the C
/// library: every call takes the types of this crate's own tree.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as the C type `{Raw}`",
    label = "no type shape writes this type as `{Raw}`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.IntoRaw.html#field-types"
)]
pub trait IntoRaw<Raw> {
    /// Returns the C twin of `self`.
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> Raw;
}
