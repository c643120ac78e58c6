//! The operations on a node of any type, all by the table of the structs.
//!
//! This is where pointers become nodes, and where fields are found by their offsets.

// The places of fields are counted in bytes; each is aligned, as its struct is.
#![allow(clippy::cast_ptr_alignment)]

use core::fmt;
use core::mem::{offset_of, transmute};
use core::ops::ControlFlow;

use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::{NAMES, STRUCTS, VARIANTS};
use super::{Integer, List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Kind, Struct};

/// A node of a type that the schema does not have.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Unknown<'a>(&'a InC<raw::Node>);

impl Unknown<'_> {
    /// Returns the tag of the node.
    #[must_use]
    pub fn tag(self) -> NodeTag {
        self.0.get().type_
    }
}

impl fmt::Debug for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unknown").field(&self.tag().0).finish()
    }
}

/// A node as its two words.
#[derive(Clone, Copy)]
#[repr(C)]
struct Words {
    tag: u32,
    at: *const u8,
}

const UNKNOWN: u32 = u32::MAX - 1;

/// A number greater than every tag.
const TAGS: usize = {
    let (mut largest, mut index) = (0, 0);
    while index < VARIANTS.len() {
        if VARIANTS[index].0 > largest {
            largest = VARIANTS[index].0;
        }
        index += 1;
    }
    largest as usize + 1
};

/// The entries of `BY_TAG`: the place of a tag's struct in `STRUCTS`, or one of these.
const NO_NODE: u16 = u16::MAX;
const LIST: u16 = u16::MAX - 1;

// There are a few hundred structs.
#[allow(clippy::cast_possible_truncation)]
static BY_TAG: [u16; TAGS] = {
    let mut table = [NO_NODE; TAGS];
    let mut index = 0;
    while index < VARIANTS.len() {
        // Tags that have no struct of their own.
        table[VARIANTS[index].0 as usize] = LIST;
        index += 1;
    }
    index = 0;
    while index < STRUCTS.len() {
        assert!(table[STRUCTS[index].tag as usize] == LIST, "a struct is of a variant");
        table[STRUCTS[index].tag as usize] = index as u16;
        index += 1;
    }
    table
};

/// The place of a tag's variant in `VARIANTS`.
// As above.
#[allow(clippy::cast_possible_truncation)]
static VARIANT_BY_TAG: [u16; TAGS] = {
    let mut table = [NO_NODE; TAGS];
    let mut index = 0;
    while index < VARIANTS.len() {
        table[VARIANTS[index].0 as usize] = index as u16;
        index += 1;
    }
    table
};

fn entry(tag: u32) -> u16 {
    BY_TAG.get(tag as usize).copied().unwrap_or(NO_NODE)
}

/// Returns the table of the struct of a node with this tag; `None` for lists, and where there is no type
/// for the tag.
#[inline]
pub(crate) fn structure_of(tag: NodeTag) -> Option<&'static Struct> {
    STRUCTS.get(usize::from(entry(tag.0)))
}

/// Returns whether a node with this tag is a list.
pub(super) fn is_list(tag: NodeTag) -> bool {
    entry(tag.0) == LIST
}

const _: () = assert!(size_of::<Node<'_>>() == size_of::<Words>());
const _: () = assert!(size_of::<Option<Node<'_>>>() == size_of::<Words>());

impl<'a> Node<'a> {
    /// Makes the node of a variant, from the address that its reference has.
    ///
    /// # Safety
    ///
    /// `tag` is that of a variant, and `at` points to what its type is a reference to, in a tree that
    /// can be read for as long as `'a` (see [`InC::new`]).
    #[inline]
    unsafe fn from_words(tag: u32, at: *const u8) -> Self {
        // SAFETY:
        // - by `repr(u32)`, an enum is its discriminant, and behind it, as in a C struct, what the
        //   variant holds: here always one reference, since the types of nodes are transparent.
        // - the caller guarantees the tag and the reference.
        unsafe { transmute::<Words, Self>(Words { tag, at }) }
    }

    /// Returns the node that a pointer points to.
    ///
    /// # Safety
    ///
    /// The conditions of [`InC::new`]: it is a whole node, of the type that its tag says.
    #[inline]
    pub(crate) unsafe fn from_raw(node: *const raw::Node) -> Self {
        // SAFETY: the caller guarantees the node, and all that is below it. The tag is one of
        // a variant; `Integer` is a reference to the number alone.
        unsafe {
            let tag = (*node).type_;
            if entry(tag.0) == NO_NODE {
                return Self::Unknown(Unknown(InC::new(node)));
            }
            if tag == NodeTag::T_Integer {
                let integer = node.cast::<raw::Integer>();
                return Self::Integer(Integer(InC::new(&raw const (*integer).ival)));
            }
            Self::from_words(tag.0, node.cast())
        }
    }

    /// Returns the tag and the address of the struct; null where there is none.
    #[inline]
    pub(super) fn words(self) -> (u32, *const u8) {
        match self {
            Self::Null => (u32::MAX, core::ptr::null()),
            // As if the whole struct were around it; only the number is read.
            Self::Integer(Integer(number)) => {
                let number = (&raw const *number).cast::<u8>();
                (NodeTag::T_Integer.0, number.wrapping_byte_sub(offset_of!(raw::Integer, ival)))
            }
            _ => {
                // SAFETY: all other variants hold a reference; see `from_words`.
                let words = unsafe { transmute::<Self, Words>(self) };
                (words.tag, words.at)
            }
        }
    }

    /// Returns the table of the node's struct, and its address; `None` for lists, and where there is no
    /// node of a known type.
    #[inline]
    pub(crate) fn structure(self) -> Option<(&'static Struct, *const u8)> {
        let (tag, at) = self.words();
        structure_of(NodeTag(tag)).map(|structure| (structure, at))
    }

    /// Returns the number and the name of the field of a `Node` that has nodes of this type; `None` where there
    /// is no node of a known type.
    #[inline]
    pub(super) fn variant(self) -> Option<(u32, &'static str)> {
        let (tag, _) = self.words();
        let index = VARIANT_BY_TAG.get(tag as usize)?;
        VARIANTS.get(usize::from(*index)).map(|(_, number, name)| (*number, name.of(NAMES)))
    }

    /// Returns the node as a C node, if it is one: not a number in a list, nor a part of
    /// another node.
    pub(crate) fn as_raw(self) -> Option<&'a raw::Node> {
        let (tag, at) = self.words();
        // An empty list is a null pointer.
        if at.is_null() || matches!(self, Self::Integer(_)) {
            return None;
        }
        // SAFETY: a node begins with its tag; an unknown one has another than this here.
        let node: &'a raw::Node = unsafe { &*at.cast() };
        (node.type_.0 == tag || tag == UNKNOWN).then_some(node)
    }

    /// Returns the address of the node; null where there is none.
    #[inline]
    pub(crate) fn address(self) -> *const u8 {
        self.words().1
    }

    /// Returns whether both are the same node, at the same address, which distinguishes a node from the other
    /// children of its parent.
    #[inline]
    pub(crate) fn is_same(self, other: Node<'_>) -> bool {
        self.words() == other.words()
    }

    /// Returns PostgreSQL's name of the node type: that of the C struct; empty for [`Null`](Self::Null).
    ///
    /// ```
    /// let tree = pg_ast::view::parse("CREATE LANGUAGE l HANDLER h; SELECT 1")?;
    /// let names: Vec<_> = tree.nodes().map(|node| node.name()).collect();
    /// assert_eq!(names[..2], ["RawStmt", "CreatePLangStmt"]);
    /// assert_eq!(names[3..], ["RawStmt", "SelectStmt", "ResTarget", "A_Const", "Integer"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::List(_) => "List",
            Self::IntList(_) => "IntList",
            Self::OidList(_) => "OidList",
            _ => self.structure().map_or("", |(structure, _)| structure.name.of(NAMES)),
        }
    }

    /// Calls `f` for each child of this node, in the order of the fields.
    ///
    /// The children are those of [`NodeRef::children`](super::super::NodeRef::children) in the owned tree.
    ///
    /// ```
    /// use pg_ast::view::{self, Node};
    ///
    /// let tree = view::parse("INSERT INTO t (a) VALUES (1)")?;
    /// let insert = tree.stmts().next().and_then(|stmt| stmt.stmt()).unwrap();
    /// let mut children = Vec::new();
    /// insert.children(|child| children.push(child.name()));
    /// assert_eq!(children, ["RangeVar", "ResTarget", "SelectStmt"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn children(self, mut f: impl FnMut(Node<'a>)) {
        let _ = self.try_children(|child| {
            f(child);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Like [`children`](Self::children), until `f` breaks; then returns the value of the break.
    #[inline]
    pub fn try_children<B>(self, mut f: impl FnMut(Node<'a>) -> ControlFlow<B>) -> ControlFlow<B> {
        let (tag, at) = self.words();
        let Some(structure) = structure_of(NodeTag(tag)) else {
            return match self {
                Self::List(list) | Self::IntList(list) | Self::OidList(list) => {
                    list.try_each(&mut f)
                }
                _ => ControlFlow::Continue(()),
            };
        };
        for link in structure.links {
            // SAFETY: the struct of the tag has a field there, of a type that determines its kind
            // (`Field::new`); the creator of `self` guarantees what it points to.
            unsafe {
                let place = at.wrapping_byte_add(usize::from(link.offset));
                match link.kind {
                    Kind::Node | Kind::Child(_) => {
                        let node = *place.cast::<*const raw::Node>();
                        if !node.is_null() {
                            f(Node::from_raw(node))?;
                        }
                    }
                    Kind::List => {
                        List::from_raw(*place.cast::<*const raw::List>()).try_each(&mut f)?;
                    }
                    Kind::Embedded(_) | Kind::Constant => {
                        let node = Self::of_part(place, link.kind);
                        if !matches!(node, Self::Null) {
                            f(node)?;
                        }
                    }
                    Kind::SharedNode if !self.holds_copies() => {
                        let node = *place.cast::<*const raw::Node>();
                        if !node.is_null() {
                            f(Node::from_raw(node))?;
                        }
                    }
                    Kind::SharedList if !self.holds_copies() => {
                        List::from_raw(*place.cast::<*const raw::List>()).try_each(&mut f)?;
                    }
                    _ => {}
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Pushes the children onto a stack, each with its depth, so that the first one is on top: the step of a walk
    /// over all nodes, which should cost little compared with the parser.
    #[inline]
    pub(super) fn push_children(self, stack: &mut Vec<(Node<'a>, usize)>, depth: usize) {
        let (tag, at) = self.words();
        let Some(structure) = structure_of(NodeTag(tag)) else {
            if let Self::List(list) | Self::IntList(list) | Self::OidList(list) = self {
                list.push_onto(stack, depth);
            }
            return;
        };
        for link in structure.links.iter().rev() {
            // SAFETY: as in `try_children`.
            unsafe {
                let place = at.wrapping_byte_add(usize::from(link.offset));
                match link.kind {
                    Kind::Node | Kind::Child(_) => {
                        let node = *place.cast::<*const raw::Node>();
                        if !node.is_null() {
                            stack.push((Node::from_raw(node), depth));
                        }
                    }
                    Kind::List => {
                        let list = *place.cast::<*const raw::List>();
                        if !list.is_null() {
                            List::from_raw(list).push_onto(stack, depth);
                        }
                    }
                    Kind::Embedded(_) | Kind::Constant => {
                        let node = Self::of_part(place, link.kind);
                        if !matches!(node, Self::Null) {
                            stack.push((node, depth));
                        }
                    }
                    Kind::SharedNode if !self.holds_copies() => {
                        let node = *place.cast::<*const raw::Node>();
                        if !node.is_null() {
                            stack.push((Node::from_raw(node), depth));
                        }
                    }
                    Kind::SharedList if !self.holds_copies() => {
                        List::from_raw(*place.cast::<*const raw::List>()).push_onto(stack, depth);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns the node that is in a field by itself.
    ///
    /// # Safety
    ///
    /// `place` is that of a field of this kind, in a struct as returned by [`structure`](Self::structure).
    pub(super) unsafe fn of_part(place: *const u8, kind: Kind) -> Self {
        // SAFETY: the caller guarantees the struct. An embedded node is whole and of its type; a
        // constant's union has one of the type that its tag says, or none.
        unsafe {
            match kind {
                Kind::Embedded(tag) => Self::from_words(tag, place),
                Kind::Constant if (*place.cast::<raw::Node>()).type_ != NodeTag::T_Invalid => {
                    Self::from_raw(place.cast())
                }
                _ => Self::Null,
            }
        }
    }
}
