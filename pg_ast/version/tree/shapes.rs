//! Type shapes that name the nodes and C structs of one PostgreSQL version.
//!
//! Compiled once per version, against that version's `raw` and `protobuf`.

use core::ptr;

use super::names::protobuf;
use super::names::protobuf::{CreateStmt, IntList, List, Node, OidList, a_const};
use super::names::raw;
use super::names::raw::NodeTag;
use crate::convert::{FromRaw, FromRawContext, IntoRaw, IntoRawContext};

impl IntoRaw<*mut raw::Node> for &Node {
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        match &self.node {
            None => ptr::null_mut(),
            Some(node) => IntoRaw::<*mut raw::Node>::into_raw(node, cx),
        }
    }
}

/// The `CREATE TABLE` inside `CREATE FOREIGN TABLE`, embedded by value.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, raw::CreateStmt> for Option<CreateStmt> {
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
unsafe impl<'t> FromRaw<'t, *mut raw::Bitmapset> for Vec<u64> {
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
