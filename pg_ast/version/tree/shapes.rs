//! Type shapes that name the nodes and C structs of one PostgreSQL version.
//!
//! Compiled once per version, against that version's `raw` and `protobuf`.

use core::mem::MaybeUninit;
use core::ptr;

use super::names::protobuf;
use super::names::protobuf::{CreateStmt, IntList, Integer, List, Node, OidList, a_const};
use super::names::raw;
use super::names::raw::NodeTag;
use crate::convert::{FromNode, FromRaw, FromRawContext, IntoRaw, IntoRawContext};

/// Any node: its tag says which one.
// SAFETY: `write_raw` leaves what `write_node` does.
unsafe impl FromRaw<raw::Node> for Node {
    #[inline]
    unsafe fn from_raw(raw: *const raw::Node, cx: &mut FromRawContext) -> Self {
        let mut place = MaybeUninit::<Self>::uninit();
        // SAFETY: the caller guarantees `raw`; `write_raw` leaves a value.
        unsafe {
            Self::write_raw(raw, place.as_mut_ptr(), cx);
            place.assume_init()
        }
    }

    #[inline]
    unsafe fn write_raw(raw: *const raw::Node, place: *mut Self, cx: &mut FromRawContext) {
        // SAFETY: every node begins with its tag; the caller guarantees the whole node around it, and `place`.
        unsafe {
            let node = &raw mut (*place).node;
            protobuf::node::Node::write_node(raw, node, cx);
            if (*node).is_none() {
                cx.unmapped_node(i64::from((*raw).type_.0));
            }
        }
    }
}

impl IntoRaw<*mut raw::Node> for &Node {
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        match &self.node {
            None => ptr::null_mut(),
            Some(node) => IntoRaw::<*mut raw::Node>::into_raw(node, cx),
        }
    }
}

/// Headers of nodes, such as `Expr`, hold a tag and no children. A pointer to one can point to any node; embedded in
/// a node, it is the tag of that node.
macro_rules! header {
    // Not embedded anywhere.
    (Node) => {};
    ($header:ident) => {
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<T: FromRaw<raw::Node>> FromRaw<*mut raw::$header> for Option<T> {
            #[inline]
            unsafe fn from_raw(raw: *const *mut raw::$header, cx: &mut FromRawContext) -> Self {
                // SAFETY: every node begins with its tag, as this header does; the caller guarantees the field, and
                // the whole node around the header that it points to.
                unsafe { FromRaw::<*mut raw::Node>::from_raw(raw.cast(), cx) }
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
        unsafe impl FromRaw<raw::$header> for Option<Box<Node>> {
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

/// The `CREATE TABLE` inside `CREATE FOREIGN TABLE`, embedded by value.
// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<raw::CreateStmt> for Option<CreateStmt> {
    unsafe fn from_raw(raw: *const raw::CreateStmt, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        cx.enter(|cx| Some(unsafe { CreateStmt::from_raw(raw, cx) }))
    }
}

impl IntoRaw<raw::CreateStmt> for &Option<CreateStmt> {
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> raw::CreateStmt {
        match self {
            None => (&CreateStmt::default()).into_raw(cx),
            Some(stmt) => stmt.into_raw(cx),
        }
    }
}

/// Reads the items of a list, one level below this one: one function, and not one for each field.
///
/// # Safety
///
/// The conditions of [`FromRaw::from_raw`].
#[inline(never)]
unsafe fn items(list: *const raw::List, cx: &mut FromRawContext) -> Box<[Node]> {
    // SAFETY: the same conditions, which the caller guarantees.
    cx.enter_list(|cx| unsafe { cells(list, cx) })
}

/// Reads the cells of a list by its tag: nodes, or numbers. Returns a box, which travels in registers.
unsafe fn cells(list: *const raw::List, cx: &mut FromRawContext) -> Box<[Node]> {
    // SAFETY: the caller guarantees `list`: it points to a whole list, whose `elements` point to
    // `length` cells of the kind that its tag says. Each place is written before it is read.
    unsafe {
        let length = usize::try_from((*list).length).unwrap_or(0);
        let elements = (*list).elements;
        // The list itself is one.
        if !cx.count(length + 1) {
            return Box::default();
        }
        match (*list).type_ {
            NodeTag::T_List => {
                let mut items = Box::<[Node]>::new_uninit_slice(length);
                for (index, place) in items.iter_mut().enumerate() {
                    let cell = (*elements.add(index)).ptr_value.cast::<raw::Node>();
                    if cell.is_null() {
                        place.write(Node { node: None });
                    } else {
                        Node::write_raw(cell, place.as_mut_ptr(), cx);
                    }
                }
                items.assume_init()
            }
            NodeTag::T_IntList => {
                (0..length).map(|i| integer((*elements.add(i)).int_value)).collect()
            }
            NodeTag::T_OidList => {
                (0..length).map(|i| integer((*elements.add(i)).oid_value.cast_signed())).collect()
            }
            other => {
                cx.unmapped_node(i64::from(other.0));
                Box::default()
            }
        }
    }
}

fn integer(ival: i32) -> Node {
    Node { node: Some(protobuf::node::Node::Integer(Integer { ival })) }
}

/// Writes a C list of `length` cells; `cell` makes each.
fn list<T>(
    tag: NodeTag,
    items: &[T],
    cx: &mut IntoRawContext<'_>,
    cell: impl Fn(&T, &mut IntoRawContext<'_>) -> raw::ListCell,
) -> *mut raw::List {
    let Ok(length) = i32::try_from(items.len()) else {
        cx.out_of_range(i64::MAX, "int (the length of a List)");
        return ptr::null_mut();
    };
    let list = cx.alloc_with_tail::<raw::List, raw::ListCell>(items.len());
    // SAFETY:
    // - `list` is freshly allocated and aligned, with room for `items.len()` cells behind the
    //   struct, where `initial_elements` begins.
    // - nobody else has a pointer to it yet.
    unsafe {
        let elements = (&raw mut (*list).initial_elements).cast::<raw::ListCell>();
        (&raw mut (*list).type_).write(tag);
        (&raw mut (*list).length).write(length);
        (&raw mut (*list).max_length).write(length);
        (&raw mut (*list).elements).write(elements);
        for (index, item) in items.iter().enumerate() {
            elements.add(index).write(cell(item, cx));
        }
    }
    list
}

/// Writes a list that contains only this node.
pub(crate) fn list_of(node: *mut raw::Node, cx: &mut IntoRawContext<'_>) -> *mut raw::List {
    list(NodeTag::T_List, &[node], cx, |node, _| raw::ListCell { ptr_value: node.cast() })
}

fn node_cell(item: &Node, cx: &mut IntoRawContext<'_>) -> raw::ListCell {
    let node: *mut raw::Node = item.into_raw(cx);
    raw::ListCell { ptr_value: node.cast() }
}

/// Returns a number of an IntList or OidList; a node that is not an Integer counts as 0.
fn number(item: &Node, cx: &mut IntoRawContext<'_>) -> i32 {
    match &item.node {
        Some(protobuf::node::Node::Integer(integer)) => integer.ival,
        _ => {
            cx.pass_over();
            0
        }
    }
}

/// `List *`: a null pointer is the empty list.
// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<*mut raw::List> for Vec<Node> {
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

impl IntoRaw<*mut raw::List> for &Vec<Node> {
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::List {
        if self.is_empty() {
            return ptr::null_mut();
        }
        list_of_nodes(self, cx)
    }
}

/// One function, and not one for each field.
#[inline(never)]
fn list_of_nodes(items: &[Node], cx: &mut IntoRawContext<'_>) -> *mut raw::List {
    cx.enter(|cx| list(NodeTag::T_List, items, cx, node_cell))
}

/// Lists that are nodes themselves. In C, an empty list is a null pointer, also here: the parser never
/// makes any other, and libpg_query's `_readList` returns that.
macro_rules! list_node {
    ($($list:ident = $tag:ident, $cell:expr;)*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl FromRaw<raw::List> for $list {
            unsafe fn from_raw(raw: *const raw::List, cx: &mut FromRawContext) -> Self {
                // SAFETY: the same conditions, which the caller guarantees.
                Self { items: unsafe { items(raw, cx) }.into_vec() }
            }
        }

        impl IntoRaw<*mut raw::List> for &$list {
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::List {
                if self.items.is_empty() {
                    cx.incomplete(stringify!($list), "items");
                    return ptr::null_mut();
                }
                cx.enter(|cx| list(NodeTag::$tag, &self.items, cx, $cell))
            }
        }
    )*};
}
list_node! {
    List = T_List, node_cell;
    IntList = T_IntList, |item, cx| raw::ListCell { int_value: number(item, cx) };
    OidList = T_OidList, |item, cx| raw::ListCell { oid_value: number(item, cx).cast_unsigned() };
}

/// The value of an `A_Const`: none if the constant is NULL.
// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<raw::ValUnion> for Option<a_const::Val> {
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
            let value = unsafe { a_const::Val::from_node(node, cx) };
            if value.is_none() {
                cx.unmapped_node(i64::from(tag.0));
            }
            value
        })
    }
}

impl IntoRaw<raw::ValUnion> for &Option<a_const::Val> {
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> raw::ValUnion {
        use a_const::Val;
        // SAFETY: plain C data, for which all zeroes is a value. C code that reads another member
        // than the one that is written then finds a null pointer, and not what lay in memory.
        let mut raw: raw::ValUnion = unsafe { core::mem::zeroed() };
        match self {
            None => {}
            Some(Val::Ival(value)) => raw.ival = value.into_raw(cx),
            Some(Val::Fval(value)) => raw.fval = value.into_raw(cx),
            Some(Val::Boolval(value)) => raw.boolval = value.into_raw(cx),
            Some(Val::Sval(value)) => raw.sval = value.into_raw(cx),
            Some(Val::Bsval(value)) => raw.bsval = value.into_raw(cx),
        }
        raw
    }
}

const WORD: usize = raw::bitmapword::BITS as usize;

/// The factor that bounds sets: a set of `n` members may have members below `n` times this.
///
/// C has a bit for each number up to the largest member, so that without a bound the 14 bytes of a
/// set with one member could ask for 256 MiB. The sets that PostgreSQL makes are far below: the grammar
/// makes none at all; a column number is at most 1,600 (`MaxHeapAttributeNumber`), with 8
/// added to it in sets of columns.
const REACH_PER_MEMBER: usize = 2_048;

/// `Bitmapset *`: its members, ascending; a null pointer is the empty set.
// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<*mut raw::Bitmapset> for Vec<u64> {
    unsafe fn from_raw(raw: *const *mut raw::Bitmapset, _: &mut FromRawContext) -> Self {
        let mut members = Self::new();
        // SAFETY: the caller guarantees `raw`, and its target if that is not null: a
        // whole set, whose `nwords` words follow the struct.
        unsafe {
            let set = *raw;
            if set.is_null() {
                return members;
            }
            let words = (&raw const (*set).words).cast::<raw::bitmapword>();
            for index in 0..usize::try_from((*set).nwords).unwrap_or(0) {
                let word = *words.add(index);
                members.extend(
                    (0..WORD)
                        .filter(|bit| word >> bit & 1 == 1)
                        .map(|bit| (index * WORD + bit) as u64),
                );
            }
        }
        members
    }
}

impl IntoRaw<*mut raw::Bitmapset> for &Vec<u64> {
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Bitmapset {
        let Some(&largest) = self.iter().max() else { return ptr::null_mut() };
        // A set's members are C ints.
        let (Ok(largest), true) = (usize::try_from(largest), i32::try_from(largest).is_ok()) else {
            cx.out_of_range(largest.cast_signed(), "int (a member of a Bitmapset)");
            return ptr::null_mut();
        };
        if largest / REACH_PER_MEMBER >= self.len() {
            cx.too_large(|| {
                let members = self.len();
                format!("a Bitmapset of {members} members must not have the member {largest}")
            });
            return ptr::null_mut();
        }
        // At most 2^31 / 32, since `largest` is an int.
        let count = i32::try_from(largest / WORD + 1).unwrap_or(i32::MAX);
        let nwords = largest / WORD + 1;
        let set = cx.alloc_with_tail::<raw::Bitmapset, raw::bitmapword>(nwords);
        // SAFETY: as for a list: fresh, aligned, with room for `nwords` words behind it, which are
        // zeroed before they are read.
        unsafe {
            protobuf::if_node!(Bitmapset (&raw mut (*set).type_).write(NodeTag::T_Bitmapset););
            (&raw mut (*set).nwords).write(count);
            let words = (&raw mut (*set).words).cast::<raw::bitmapword>();
            words.write_bytes(0, nwords);
            for &member in self {
                // Not larger than `largest`, which is a usize: nothing is cut off.
                #[allow(clippy::cast_possible_truncation)]
                let member = member as usize;
                *words.add(member / WORD) |= 1 << (member % WORD);
            }
        }
        set
    }
}
