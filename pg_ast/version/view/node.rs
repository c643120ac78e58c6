//! The operations on a node of any type, all by the table of the structs.
//!
//! This is where pointers become nodes.

use core::ffi::c_int;
use core::fmt;
use core::mem::{offset_of, transmute};
use core::ops::ControlFlow;

use super::memory::{ContentInC, StructInC};
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::{STRUCTS, VARIANTS};
use super::{Integer, List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::Struct;

/// A node of a type that the schema does not have.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Unknown<'a>(InC<'a, raw::Node>);

impl Unknown<'_> {
    /// Returns the tag of the node.
    #[must_use]
    pub fn tag(self) -> NodeTag {
        self.0.tag()
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
    STRUCTS.get(index_of(tag))
}

/// Returns the index of that table in [`STRUCTS`], or one behind all of them.
#[inline]
pub(crate) fn index_of(tag: NodeTag) -> usize {
    usize::from(entry(tag.0))
}

const _: () = assert!(size_of::<Node<'_>>() == size_of::<Words>());
const _: () = assert!(size_of::<Option<Node<'_>>>() == size_of::<Words>());

impl<'a> Node<'a> {
    /// Makes the node of a variant, from the address that its pointer has.
    ///
    /// # Safety
    ///
    /// `tag` is that of a variant, and not that of an `Integer`. `at` points to the struct of its type, which satisfies
    /// the conditions of [`InC::new`].
    #[inline]
    unsafe fn from_words(tag: u32, at: *const u8) -> Self {
        // SAFETY:
        // - by `repr(u32)`, an enum is its discriminant, and behind it, as in a C struct, what the
        //   variant holds: here always one pointer, since the types of nodes are transparent.
        // - the caller guarantees the tag and the pointer.
        unsafe { transmute::<Words, Self>(Words { tag, at }) }
    }

    /// Returns a node of a tree.
    #[inline]
    pub(crate) fn of(node: InC<'a, raw::Node>) -> Self {
        let tag = node.tag();
        if entry(tag.0) == NO_NODE {
            return Self::Unknown(Unknown(node));
        }
        let at = node.as_ptr();
        // SAFETY: a node is a whole struct of the type that its tag says, which is that of a variant. An `Integer` is
        // a pointer to the number alone.
        unsafe {
            if tag == NodeTag::T_Integer {
                let integer = at.cast::<raw::Integer>();
                return Self::number(node.part(&raw const (*integer).ival));
            }
            Self::from_words(tag.0, at.cast())
        }
    }

    /// Returns a number as a node: an `Integer`, or an item of a list of numbers.
    #[inline]
    pub(super) fn number(number: InC<'a, c_int>) -> Self {
        Self::Integer(Integer(number))
    }

    /// Returns the struct that is a part of another node as a node: its own tag may say something else.
    pub(super) fn of_part(part: StructInC<'a>) -> Self {
        // SAFETY: the struct is that of its table, whose tag is that of a variant; a number is no such part.
        unsafe { Self::from_words(part.table().tag, part.address()) }
    }

    /// Returns the tag and the address of the struct; null where there is none.
    #[inline]
    pub(super) fn words(self) -> (u32, *const u8) {
        match self {
            Self::Null => (u32::MAX, core::ptr::null()),
            // As if the whole struct were around it; only the number is read.
            Self::Integer(Integer(number)) => {
                let number = number.as_ptr().cast::<u8>();
                (NodeTag::T_Integer.0, number.wrapping_byte_sub(offset_of!(raw::Integer, ival)))
            }
            _ => {
                // SAFETY: all other variants hold a pointer; see `from_words`.
                let words = unsafe { transmute::<Self, Words>(self) };
                (words.tag, words.at)
            }
        }
    }

    /// Returns the node's struct; `None` for lists, and where there is no node of a known type.
    #[inline]
    pub(crate) fn structure(self) -> Option<StructInC<'a>> {
        let (tag, at) = self.words();
        let structure = structure_of(NodeTag(tag))?;
        // SAFETY: a node of a variant is a struct of that type, and of an `Integer` the number is there; the creator of
        // `self` guarantees what it points to.
        Some(unsafe { StructInC::new(structure, at) })
    }

    /// Returns the number and the name of the field of a `Node` that has nodes of this type; `None` where there
    /// is no node of a known type.
    #[inline]
    pub(super) fn variant(self) -> Option<(u32, &'static str)> {
        let (tag, _) = self.words();
        let index = VARIANT_BY_TAG.get(tag as usize)?;
        VARIANTS.get(usize::from(*index)).map(|(_, number, name)| (*number, *name))
    }

    /// Returns the node as a C node, if it is one: not a number, nor a part of another node.
    ///
    /// All of the node may be read through the pointer, for as long as `'a`.
    pub(crate) fn as_raw(self) -> Option<InC<'a, raw::Node>> {
        let (tag, at) = self.words();
        // An empty list is a null pointer.
        if at.is_null() || matches!(self, Self::Integer(_)) {
            return None;
        }
        // SAFETY: a node begins with its header; that of a part has the tag of the whole, or none. The creator of `self`
        // guarantees the node.
        let node: InC<'a, raw::Node> = unsafe { InC::new(at.cast()) };
        (node.tag().0 == tag || tag == UNKNOWN).then_some(node)
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
            _ => self.structure().map_or("", |node| node.table().name),
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
        let Some(structure) = self.structure() else {
            return match self {
                Self::List(list) | Self::IntList(list) | Self::OidList(list) => {
                    list.try_each(&mut f)
                }
                _ => ControlFlow::Continue(()),
            };
        };
        for link in structure.links() {
            match link {
                ContentInC::Node(Some(node))
                | ContentInC::Child(Some(node))
                | ContentInC::Constant(Some(node)) => f(Self::of(node))?,
                ContentInC::List(list) => List::of(list).try_each(&mut f)?,
                ContentInC::Embedded(part) => f(Self::of_part(part))?,
                ContentInC::SharedNode(Some(node)) if !self.holds_copies() => f(Self::of(node))?,
                ContentInC::SharedList(list) if !self.holds_copies() => {
                    List::of(list).try_each(&mut f)?;
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// Pushes the children onto a stack, each with its depth, so that the first one is on top: the step of a walk
    /// over all nodes, which should cost little compared with the parser.
    #[inline]
    pub(super) fn push_children(self, stack: &mut Vec<(Node<'a>, usize)>, depth: usize) {
        let Some(structure) = self.structure() else {
            if let Self::List(list) | Self::IntList(list) | Self::OidList(list) = self {
                list.push_onto(stack, depth);
            }
            return;
        };
        for link in structure.links().rev() {
            match link {
                ContentInC::Node(Some(node))
                | ContentInC::Child(Some(node))
                | ContentInC::Constant(Some(node)) => stack.push((Self::of(node), depth)),
                ContentInC::List(Some(list)) => List::of(Some(list)).push_onto(stack, depth),
                ContentInC::Embedded(part) => stack.push((Self::of_part(part), depth)),
                ContentInC::SharedNode(Some(node)) if !self.holds_copies() => {
                    stack.push((Self::of(node), depth));
                }
                ContentInC::SharedList(list) if !self.holds_copies() => {
                    List::of(list).push_onto(stack, depth);
                }
                _ => {}
            }
        }
    }
}
