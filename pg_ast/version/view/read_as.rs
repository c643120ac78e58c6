//! Reads views into types of a program's own, which may borrow from the tree.

use core::borrow::Borrow;
use core::ffi::c_int;

use super::names::raw::{self, NodeTag};
use super::to_owned::{context, finish};
use super::{Integer, List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{FromNode, FromRaw, FromRawContext};
use crate::foundation::limits::{Limits, MAX_DEPTH};
use crate::types::error::Error;
use crate::types::options::ParserOptions;

impl<'a> Node<'a> {
    /// Reads the node into a type of your own that derives [`FromRaw`](derive@crate::FromRaw); `None` if the type does not read
    /// nodes of this type.
    ///
    /// What [`parse_as`](super::super::parse_as) does for statements, this does for any node; and the type may borrow from the
    /// tree, so that nothing is copied: a `&str`, a `Node` or a [`List`] of this module, or a struct with such fields.
    ///
    /// ```
    /// use pg_ast::{FromRaw, raw, view};
    ///
    /// #[derive(FromRaw)]
    /// #[pg_ast(raw = raw::DeleteStmt, partial)]
    /// struct Delete<'a> {
    ///     relation: Option<Table<'a>>,
    ///     #[pg_ast(name = "whereClause")]
    ///     condition: Option<view::Node<'a>>,
    /// }
    ///
    /// #[derive(FromRaw)]
    /// #[pg_ast(raw = raw::RangeVar, partial)]
    /// struct Table<'a> {
    ///     schemaname: Option<&'a str>,
    ///     relname: &'a str,
    /// }
    ///
    /// let tree = view::parse("DELETE FROM app.users WHERE id = 1")?;
    /// let stmt = tree.stmts().find_map(|stmt| stmt.stmt()).unwrap();
    /// let delete: Delete = stmt.read_as()?.unwrap();
    /// let table = delete.relation.unwrap();
    /// assert_eq!((table.schemaname, table.relname), (Some("app"), "users"));
    /// assert_eq!(delete.condition.unwrap().name(), "A_Expr");
    /// assert!(stmt.read_as::<Table>()?.is_none());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// An [`Integer`] is a number and not a struct here, which only those types read that read numbers in lists; and the
    /// `CREATE TABLE` in a `CREATE FOREIGN TABLE` is read as a part of that.
    ///
    /// # Errors
    ///
    /// Below the node is one that the type of its field does not read ([`UnmappedNode`](crate::ErrorKind::UnmappedNode)), or what
    /// is read has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
    pub fn read_as<T: FromNode<'a, raw::Node>>(self) -> Result<Option<T>, Error> {
        self.read(context(MAX_DEPTH))
    }

    /// Like [`read_as`](Self::read_as), with the [`max_depth`](ParserOptions::max_depth) and the
    /// [`max_nodes`](ParserOptions::max_nodes) of these settings. By default, the number of nodes is not limited, since
    /// the parser has done that.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParserOptions, protobuf::SelectStmt, view};
    ///
    /// let tree = view::parse("SELECT 1 + 1 + 1 + 1")?;
    /// let stmt = tree.stmts().find_map(|stmt| stmt.stmt()).unwrap();
    /// let options = ParserOptions::default().max_depth(4);
    /// let error = stmt.read_as_with::<SelectStmt>(options).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TooDeep);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`read_as`](Self::read_as), and [`TooLarge`](crate::ErrorKind::TooLarge).
    pub fn read_as_with<T: FromNode<'a, raw::Node>>(
        self,
        options: impl Borrow<ParserOptions>,
    ) -> Result<Option<T>, Error> {
        let ParserOptions { max_depth, max_nodes, .. } = *options.borrow();
        let max_nodes = max_nodes.unwrap_or(usize::MAX);
        let limits = Limits { max_depth, max_nodes, ..Limits::default() };
        self.read(FromRawContext::new(limits, 0))
    }

    fn read<T: FromNode<'a, raw::Node>>(self, mut cx: FromRawContext) -> Result<Option<T>, Error> {
        let value = match (self, self.as_raw()) {
            (_, Some(node)) => node.to_owned_node(&mut cx),
            (Self::Null, None) => T::from_null(),
            // SAFETY: the creator of the view guarantees the number.
            (Self::Integer(Integer(number)), None) => unsafe { T::from_number(number.as_ptr()) },
            (_, None) => None,
        };
        finish(cx, value)
    }
}

/// Any node, without a copy.
// SAFETY: `write_node` writes to the place.
unsafe impl<'t> FromNode<'t, raw::Node> for Node<'t> {
    #[inline]
    unsafe fn write_node(node: *const raw::Node, place: *mut Option<Self>, _: &mut FromRawContext) {
        // SAFETY: the caller guarantees the place, and the node for as long as `'t`.
        unsafe { place.write(Some(Self::of(InC::new(node)))) }
    }

    fn from_null() -> Option<Self> {
        Some(Self::Null)
    }

    unsafe fn from_number(number: *const c_int) -> Option<Self> {
        // SAFETY: the caller guarantees the number for as long as `'t`.
        Some(Self::number(unsafe { InC::new(number) }))
    }
}

/// An `Integer` is its number.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, raw::Integer> for Integer<'t> {
    unsafe fn from_raw(raw: *const raw::Integer, _: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees the node, and so its number, for as long as `'t`.
        Self(unsafe { InC::new(&raw const (*raw).ival) })
    }
}

/// `List *` without a copy.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, *mut raw::List> for List<'t> {
    #[inline]
    unsafe fn from_raw(raw: *const *mut raw::List, _: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees the pointer, and the list behind it for as long as `'t`.
        Self::of(unsafe { InC::new_or_null(*raw) })
    }
}

/// A list that is a node itself, without a copy.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, raw::List> for List<'t> {
    #[inline]
    unsafe fn from_raw(raw: *const raw::List, _: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees the list for as long as `'t`.
        Self::of(Some(unsafe { InC::new(raw) }))
    }
}

/// A list in a list, without a copy.
// SAFETY: `write_node` writes to the place.
unsafe impl<'t> FromNode<'t, raw::Node> for List<'t> {
    // Nodes are aligned as their own structs are.
    #[allow(clippy::cast_ptr_alignment)]
    unsafe fn write_node(
        node: *const raw::Node,
        place: *mut Option<Self>,
        cx: &mut FromRawContext,
    ) {
        // SAFETY: the caller guarantees a whole node, which its tag tells, for as long as `'t`, and the place.
        unsafe {
            let is_list =
                matches!((*node).type_, NodeTag::T_List | NodeTag::T_IntList | NodeTag::T_OidList);
            place.write(is_list.then(|| Self::from_raw(node.cast::<raw::List>(), cx)));
        }
    }
}
