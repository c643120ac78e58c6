//! Type shapes for what leads from a node to others: pointers, lists and the value of a constant.
//!
//! The type of a child is any that reads nodes ([`FromNode`]): those of this crate's tree, views, and those of users.

use core::any::type_name;
use core::ffi::c_int;
use core::mem::MaybeUninit;

use super::names::protobuf::{self, IntList, Integer, List, Node, OidList};
use super::names::raw::{self, NodeTag};
use super::tags::name_of;
use crate::convert::shapes::write_target;
use crate::convert::{FromNode, FromRaw, FromRawContext, IntoRaw, IntoRawContext};

/// Any node: its tag says which one.
// SAFETY: `write_child` writes to the place, and so `write_node` does.
unsafe impl<'t> FromNode<'t, raw::Node> for Node {
    unsafe fn write_node(
        node: *const raw::Node,
        place: *mut Option<Self>,
        cx: &mut FromRawContext,
    ) {
        let mut read = MaybeUninit::uninit();
        // SAFETY: the caller guarantees the node and the place; `write_child` returns true.
        unsafe {
            Self::write_child(node, read.as_mut_ptr(), cx);
            place.write(Some(read.assume_init()));
        }
    }

    fn from_null() -> Option<Self> {
        Some(Self { node: None })
    }

    unsafe fn from_number(number: *const c_int) -> Option<Self> {
        // SAFETY: the caller guarantees the number.
        let ival = unsafe { *number };
        Some(Self { node: Some(protobuf::node::Node::Integer(Integer { ival })) })
    }

    /// Always returns true: a node without a type in the schema is an error, and its value is discarded.
    #[inline]
    unsafe fn write_child(
        raw: *const raw::Node,
        place: *mut Self,
        cx: &mut FromRawContext,
    ) -> bool {
        // SAFETY: every node begins with its tag; the caller guarantees the whole node around it, and `place`.
        unsafe {
            let node = &raw mut (*place).node;
            protobuf::node::Node::write_node(raw, node, cx);
            if (*node).is_none() {
                cx.unmapped_node(i64::from((*raw).type_.0));
            }
        }
        true
    }
}

/// Records that a `T` does not read a node.
#[cold]
fn not_read<T>(tag: NodeTag, cx: &mut FromRawContext) {
    match name_of(tag) {
        Some(name) => cx.not_read(format_args!("a node of the type {name}"), type_name::<T>()),
        None => cx.unmapped_node(i64::from(tag.0)),
    }
}

/// `Node *`: a null pointer is `None`.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, *mut raw::Node> for Option<T> {
    #[inline]
    unsafe fn from_raw(raw: *const *mut raw::Node, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised pointer.
        let node = unsafe { *raw };
        if node.is_null() {
            return None;
        }
        let mut place = MaybeUninit::<Self>::uninit();
        // SAFETY: the caller guarantees the target of a pointer that is not null; `read_child` writes to the place.
        unsafe {
            read_child::<T>(node.cast(), place.as_mut_ptr().cast(), cx);
            place.assume_init()
        }
    }
}

/// Reads the target of a pointer, an `Option<T>`, into `place`: one function for each type, and not for each field. All of
/// them have the same signature, so that [`FromRawContext::read_elsewhere`] is a single one.
///
/// # Safety
///
/// The conditions of [`FromNode::write_node`].
#[inline(never)]
// Nodes are aligned as their own structs are.
#[allow(clippy::cast_ptr_alignment)]
unsafe fn read_child<'t, T: FromNode<'t, raw::Node>>(
    node: *const u8,
    place: *mut u8,
    cx: &mut FromRawContext,
) {
    let (node, result) = (node.cast::<raw::Node>(), place.cast::<Option<T>>());
    // SAFETY: the caller guarantees the node, and the place, which is written to: also where there is no stack.
    unsafe {
        if !cx.has_stack() {
            result.write(None);
            cx.read_elsewhere(read_child::<T>, node.cast(), place);
            return;
        }
        result.write(cx.descend(|cx| {
            let child = T::from_node(node, cx);
            if child.is_none() {
                not_read::<T>((*node).type_, cx);
            }
            child
        }));
    }
}

impl<'t, T> IntoRaw<*mut raw::Node> for &'t Option<T>
where
    &'t T: IntoRaw<*mut raw::Node>,
{
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        match self {
            None => core::ptr::null_mut(),
            Some(value) => {
                // SAFETY: the value is borrowed for `'t`.
                let node =
                    unsafe { write_target::<T, raw::Node>(core::ptr::from_ref(value).cast(), cx) };
                if node.is_null() {
                    cx.incomplete("Node", "a type");
                }
                node.cast()
            }
        }
    }
}

/// Headers of nodes, such as `Expr`, hold a tag and no children. A pointer to one can point to any node; embedded in
/// a node, it is the tag of that node.
macro_rules! header {
    // Not embedded anywhere, and read above.
    (Node) => {};
    ($header:ident) => {
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, *mut raw::$header> for Option<T> {
            #[inline]
            unsafe fn from_raw(raw: *const *mut raw::$header, cx: &mut FromRawContext) -> Self {
                // SAFETY: every node begins with its tag, as this header does; the caller guarantees the field, and
                // the whole node around the header that it points to.
                unsafe { <Self as FromRaw<'t, *mut raw::Node>>::from_raw(raw.cast(), cx) }
            }
        }

        impl<'t, T> IntoRaw<*mut raw::$header> for &'t Option<T>
        where
            &'t T: IntoRaw<*mut raw::Node>,
        {
            #[inline]
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::$header {
                IntoRaw::<*mut raw::Node>::into_raw(self, cx).cast()
            }
        }

        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, raw::$header> for Option<Box<Node>> {
            #[inline]
            unsafe fn from_raw(_: *const raw::$header, _: &mut FromRawContext) -> Self {
                None
            }
        }

        impl IntoRaw<raw::$header> for &Option<Box<Node>> {
            #[inline]
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> raw::$header {
                if self.is_some() {
                    cx.pass_over();
                }
                // The derive writes the tag itself.
                raw::$header { type_: NodeTag::T_Invalid }
            }
        }
    };
}

macro_rules! headers {
    ($($header:ident)*) => { $(header!($header);)* };
}
protobuf::headers!(headers);

/// Reads the items of a list, one level below this one: one function for each type of items, and not for each field.
///
/// # Safety
///
/// The conditions of [`FromRaw::from_raw`].
#[inline(never)]
unsafe fn items<'t, T>(list: *const raw::List, cx: &mut FromRawContext) -> Box<[T]>
where
    T: FromNode<'t, raw::Node>,
{
    // SAFETY: the same conditions, which the caller guarantees.
    cx.enter_list(|cx| unsafe { cells(list, cx) })
}

/// Reads the cells of a list by its tag: nodes, or numbers. Returns a box, which travels in registers; after an error, with
/// fewer items.
unsafe fn cells<'t, T>(list: *const raw::List, cx: &mut FromRawContext) -> Box<[T]>
where
    T: FromNode<'t, raw::Node>,
{
    // SAFETY: the caller guarantees `list`: it points to a whole list, whose `elements` point to
    // `length` cells of the kind that its tag says.
    unsafe {
        let length = usize::try_from((*list).length).unwrap_or(0);
        let elements = (*list).elements;
        // The list itself is one.
        if !cx.count(length + 1) {
            return Box::default();
        }
        match (*list).type_ {
            NodeTag::T_List => {
                let mut items = Vec::<T>::with_capacity(length);
                let places = items.as_mut_ptr();
                let mut read = 0;
                while read < length
                    && read_cell((*elements.add(read)).ptr_value.cast(), places.add(read), cx)
                {
                    read += 1;
                }
                // Each of these places has been written to. (If an item panics, those before it are leaked.)
                items.set_len(read);
                items.into_boxed_slice()
            }
            // The members of a cell begin at its address.
            NodeTag::T_IntList | NodeTag::T_OidList => {
                let numbers = (0..length).map_while(|index| {
                    let number = T::from_number(elements.add(index).cast());
                    if number.is_none() {
                        cx.not_read(format_args!("a number in a list"), type_name::<T>());
                    }
                    number
                });
                numbers.collect()
            }
            other => {
                cx.unmapped_node(i64::from(other.0));
                Box::default()
            }
        }
    }
}

/// Reads a cell of a list of nodes into `place`; returns false, and records the error, if a `T` does not read it.
///
/// # Safety
///
/// The conditions of [`FromNode::write_child`]; but the pointer may be null.
#[inline]
unsafe fn read_cell<'t, T: FromNode<'t, raw::Node>>(
    cell: *const raw::Node,
    place: *mut T,
    cx: &mut FromRawContext,
) -> bool {
    if cell.is_null() {
        let Some(value) = T::from_null() else {
            cx.not_read(format_args!("an empty cell of a list"), type_name::<T>());
            return false;
        };
        // SAFETY: the caller guarantees the place.
        unsafe { place.write(value) };
        return true;
    }
    // SAFETY: the caller guarantees the node and the place.
    unsafe {
        let is_read = T::write_child(cell, place, cx);
        if !is_read {
            not_read::<T>((*cell).type_, cx);
        }
        is_read
    }
}

/// `List *`: a null pointer is the empty list.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, *mut raw::List> for Vec<T> {
    #[inline]
    unsafe fn from_raw(raw: *const *mut raw::List, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised pointer.
        let list = unsafe { *raw };
        if list.is_null() {
            return Self::new();
        }
        // SAFETY: the caller guarantees the target of a pointer that is not null.
        unsafe { items(list, cx) }.into_vec()
    }
}

/// A list that is a node itself, as on the right of `IN (1, 2)`.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, raw::List> for Vec<T> {
    #[inline]
    unsafe fn from_raw(raw: *const raw::List, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        unsafe { items(raw, cx) }.into_vec()
    }
}

/// A list in a list, as the rows of `VALUES`.
// SAFETY: `write_node` writes to the place.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromNode<'t, raw::Node> for Vec<T> {
    // Nodes are aligned as their own structs are.
    #[allow(clippy::cast_ptr_alignment)]
    unsafe fn write_node(
        node: *const raw::Node,
        place: *mut Option<Self>,
        cx: &mut FromRawContext,
    ) {
        // SAFETY: the caller guarantees a whole node, which its tag tells, and the place.
        unsafe {
            let is_list =
                matches!((*node).type_, NodeTag::T_List | NodeTag::T_IntList | NodeTag::T_OidList);
            place.write(is_list.then(|| Self::from_raw(node.cast::<raw::List>(), cx)));
        }
    }
}

/// The messages of lists.
macro_rules! list_node {
    ($($list:ident)*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, raw::List> for $list {
            unsafe fn from_raw(raw: *const raw::List, cx: &mut FromRawContext) -> Self {
                // SAFETY: the same conditions, which the caller guarantees.
                Self { items: unsafe { FromRaw::from_raw(raw, cx) } }
            }
        }
    )*};
}
list_node! { List IntList OidList }

/// The value of an `A_Const`: none if the constant is NULL.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, raw::ValUnion> for Option<T> {
    #[inline]
    unsafe fn from_raw(raw: *const raw::ValUnion, cx: &mut FromRawContext) -> Self {
        let node = raw.cast::<raw::Node>();
        // SAFETY: each member of the union is a node, and so begins with its tag.
        let tag = unsafe { (*node).type_ };
        if tag == NodeTag::T_Invalid {
            return None;
        }
        cx.enter_value(|cx| {
            // SAFETY: the union holds a whole node of the type that its tag says.
            let value = unsafe { T::from_node(node, cx) };
            if value.is_none() {
                not_read::<T>(tag, cx);
            }
            value
        })
    }
}
