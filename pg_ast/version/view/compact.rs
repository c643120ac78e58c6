//! Trees in one block of memory, for programs that keep many.
//!
//! The parser's memory holds more than the nodes: temporary data, the header of each chunk and
//! the tails of its blocks. A copy holds only the nodes, followed by their strings. It takes two
//! passes of the same code over the same tree, one that counts and one that copies.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use std::collections::HashMap;

use super::ffi::Parse;
use super::macros::field;
use super::memory::copies::{CellsCopy, Copies, CopyRoom, CopySlot, CopyWriter, Count, StructCopy};
use super::memory::{Cells, ContentInC, StmtCells, StructInC};
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::{Node, STRUCTS, missing_field};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::arena::Bump;

/// The unit of a block: any node may begin at one.
pub(super) type Word = u64;

const _: () = {
    let mut index = 0;
    while index < STRUCTS.len() {
        assert!(
            STRUCTS[index].align as usize <= align_of::<Word>(),
            "a struct with a larger alignment"
        );
        index += 1;
    }
    assert!(align_of::<raw::List>() <= align_of::<Word>());
    assert!(align_of::<raw::Bitmapset>() <= align_of::<Word>());
};

/// The memory of a tree.
pub(crate) struct Block(NonNull<[MaybeUninit<Word>]>);

// SAFETY: a block is memory of its own, which nobody writes once the tree in it is there.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    pub(super) fn new(bytes: usize) -> Self {
        let memory = Box::into_raw(Box::new_uninit_slice(bytes.div_ceil(size_of::<Word>())));
        // SAFETY: a box is not null.
        Self(unsafe { NonNull::new_unchecked(memory) })
    }

    /// Returns its size in bytes.
    pub(super) fn size(&self) -> usize {
        self.0.len() * size_of::<Word>()
    }

    /// Returns its start.
    pub(super) fn start(&mut self) -> *mut u8 {
        self.0.cast().as_ptr()
    }

    /// Returns what is in it.
    pub(super) fn words(&self) -> &[MaybeUninit<Word>] {
        // SAFETY: the block is there for as long as it is borrowed, and nobody writes it.
        unsafe { self.0.as_ref() }
    }

    /// Divides a new block: the first bytes are for parts, the rest is for strings.
    fn divided(&mut self, parts: usize) -> Divided<'_> {
        let start = self.0.cast::<u8>().as_ptr();
        let parts = parts.min(self.size());
        Divided {
            parts: FreeMemory { start, bytes: parts },
            strings: FreeMemory {
                start: start.wrapping_byte_add(parts),
                bytes: self.size() - parts,
            },
            block: PhantomData,
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was made of a box, and is dropped once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// The free part of a block.
struct FreeMemory {
    start: *mut u8,
    bytes: usize,
}

impl FreeMemory {
    fn take(&mut self, bytes: usize) -> *mut u8 {
        // Both passes see the same tree, but memory safety depends on it.
        assert!(bytes <= self.bytes, "a tree that is larger than it was");
        let start = self.start;
        self.bytes -= bytes;
        self.start = start.wrapping_byte_add(bytes);
        start
    }
}

struct Divided<'m> {
    parts: FreeMemory,
    strings: FreeMemory,
    block: PhantomData<&'m mut Block>,
}

// SAFETY: each byte of the block is handed out once, and the block is borrowed. It begins at a word, and each part takes
// whole words.
unsafe impl<'m> CopyRoom<'m> for Divided<'m> {
    fn part(&mut self, bytes: usize) -> *mut u8 {
        self.parts.take(bytes.next_multiple_of(align_of::<Word>()))
    }

    fn text(&mut self, bytes: usize) -> *mut u8 {
        self.strings.take(bytes)
    }
}

/// Room for the parts of most statements that are still to be followed at a time.
const ROOM: usize = 32;

/// Parts with pointers that are still to be followed.
enum Rest<'a, P> {
    Struct(StructCopy<'a, P>),
    Cells(CellsCopy<'a, P>),
}

/// What becomes of nodes that several others point to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shared {
    /// There are none.
    Nowhere,
    /// Each is copied once, and the copies of the others point to it.
    Everywhere,
    /// A source of several columns is that of the first one only, which is all that printing takes.
    FirstOnly,
}

/// What a pass has found on its way.
#[derive(Clone, Copy, Default)]
pub(super) struct CopyFacts {
    /// Whether there is a node of a type whose fields may have nodes that others have, too.
    pub(super) shared: bool,
    /// Whether a node lacks a field without which it has no SQL. Only looked for with [`Shared::FirstOnly`].
    pub(super) lacks: bool,
}

impl CopyFacts {
    /// Notes what is to be known of a struct.
    #[inline]
    fn note(&mut self, structure: StructInC<'_>) {
        let tag = NodeTag(structure.table().tag);
        // A number has no fields that count.
        if tag != NodeTag::T_Integer {
            self.lacks |= missing_field(Node::of_part(structure)).is_some();
        }
        self.shared |= matches!(
            tag,
            NodeTag::T_MultiAssignRef | NodeTag::T_ObjectWithArgs | NodeTag::T_ViewStmt
        );
    }
}

/// A pass over a tree, which copies its parts or counts them.
struct PassWalk<'a, W: CopyWriter> {
    writer: W,
    rest: Vec<Rest<'a, W::Place>>,
    /// The copy of each node, if nodes may have several parents.
    shared: Option<HashMap<*const raw::Node, Option<W::Place>>>,
    first_only: bool,
    found: CopyFacts,
}

/// Returns whether a struct is a column of an assignment to several, but the first one.
fn is_later_column(structure: StructInC<'_>) -> bool {
    let column = structure.typed::<raw::MultiAssignRef, { NodeTag::T_MultiAssignRef.0 }>();
    column.is_some_and(|column| field!(column.colno).get() > 1)
}

impl<'a, W: CopyWriter> PassWalk<'a, W> {
    /// `room` is that for parts that are still to be followed.
    fn new(writer: W, shared: Shared, room: usize) -> Self {
        let first_only = shared == Shared::FirstOnly;
        let shared = (shared == Shared::Everywhere).then(HashMap::new);
        Self {
            writer,
            rest: Vec::with_capacity(room),
            shared,
            first_only,
            found: CopyFacts::default(),
        }
    }

    /// Handles the list of these statements, and all nodes below it; `None` without statements.
    fn tree(&mut self, stmts: Cells<'a>) -> Option<W::Place> {
        if stmts.is_empty() {
            return None;
        }
        let list = self.list(stmts);
        self.follow();
        Some(list)
    }

    /// Handles a node or a list, and all nodes below it; `None` for a node of an unknown type.
    fn part(mut self, part: InC<'a, raw::Node>) -> Option<(Self, W::Place)> {
        let copy = self.copy_of(part)?;
        self.follow();
        Some((self, copy))
    }

    /// Follows all pointers that are still to be followed.
    fn follow(&mut self) {
        while let Some(rest) = self.rest.pop() {
            match rest {
                Rest::Struct(copy) => self.fields(copy),
                Rest::Cells(cells) => {
                    cells.iter().for_each(|(node, slot)| self.node(node, slot));
                }
            }
        }
    }

    /// Follows the pointers of a struct.
    fn fields(&mut self, copy: StructCopy<'a, W::Place>) {
        self.writer.clear_unmapped(copy);
        let mut leaves_out = false;
        if self.first_only {
            self.found.note(copy.structure());
            leaves_out = is_later_column(copy.structure());
        }
        for (field, slot) in copy.pointers() {
            match field.content() {
                ContentInC::Node(_) if leaves_out => self.writer.point(slot, None),
                ContentInC::Text(string) => {
                    if let Some(string) = string.c_str() {
                        let copy = self.writer.text(string);
                        self.writer.point(slot, Some(copy));
                    }
                }
                ContentInC::Node(node) | ContentInC::Child(node) => self.node(node, slot),
                ContentInC::List(Some(list)) => {
                    let copy = self.list(list.cells());
                    self.writer.point(slot, Some(copy));
                }
                ContentInC::Set(Some(set)) => {
                    let copy = self.writer.set(set);
                    self.writer.point(slot, Some(copy));
                }
                ContentInC::Embedded(part) => self.rest.extend(slot.part(part).map(Rest::Struct)),
                // A whole node of the type that its tag says.
                ContentInC::Constant(Some(value)) => {
                    let part = value.structure().and_then(|part| slot.part(part));
                    self.rest.extend(part.map(Rest::Struct));
                }
                _ => {}
            }
        }
    }

    /// Follows a pointer to a node.
    fn node(&mut self, node: Option<InC<'a, raw::Node>>, slot: CopySlot<W::Place>) {
        let Some(node) = node else { return };
        let shared = self.shared.as_ref().and_then(|shared| shared.get(&node.as_ptr()));
        if let Some(copy) = shared {
            return self.writer.point(slot, *copy);
        }
        let copy = self.copy_of(node);
        if let Some(shared) = &mut self.shared {
            shared.insert(node.as_ptr(), copy);
        }
        self.writer.point(slot, copy);
    }

    /// Handles a node; its pointers are still to be followed.
    #[inline]
    fn copy_of(&mut self, node: InC<'a, raw::Node>) -> Option<W::Place> {
        if let Some(structure) = node.structure() {
            let copy = self.writer.structure(structure);
            self.rest.push(Rest::Struct(copy));
            Some(copy.place())
        } else {
            // No SQL produces a node of an unknown type (`Node::Unknown`), and its contents are unknown.
            node.as_list().map(|list| self.list(list.cells()))
        }
    }

    /// Handles a list; its cells are still to be followed.
    fn list(&mut self, cells: Cells<'a>) -> W::Place {
        let copy = self.writer.list(cells);
        self.rest.push(Rest::Cells(copy.cells()));
        copy.place()
    }
}

/// A node or a list in a block, at its start.
pub(crate) struct CompactPart(Block);

impl CompactPart {
    /// Returns the block.
    pub(crate) fn block(&self) -> &Block {
        &self.0
    }

    /// Returns the node.
    pub(crate) fn root(&self) -> InC<'_, raw::Node> {
        // SAFETY: it is a whole tree, as the original is, whose pointers point into the block.
        unsafe { InC::new(self.0.words().as_ptr().cast()) }
    }
}

/// Copies a node or a list, and all that is below it; `None` for a node of an unknown type.
pub(crate) fn copy_part(part: InC<'_, raw::Node>, shares_nodes: bool) -> Option<CompactPart> {
    let shared = if shares_nodes { Shared::Everywhere } else { Shared::Nowhere };
    let (count, ()) = PassWalk::new(Count::default(), shared, ROOM).part(part)?;
    let Count { parts, strings } = count.writer;
    let mut block = Block::new(parts.saturating_add(strings));
    PassWalk::new(Copies::new(block.divided(parts)), shared, ROOM).part(part)?;
    Some(CompactPart(block))
}

/// Copies a node, and all that is below it, into an arena, with the source of several columns in the first one only. Returns
/// null for a node of an unknown type.
pub(super) fn copy_node(node: InC<'_, raw::Node>, arena: &Bump) -> (*mut raw::Node, CopyFacts) {
    match PassWalk::new(Copies::new(arena), Shared::FirstOnly, ROOM).part(node) {
        Some((pass, copy)) => (copy.as_ptr().cast_mut().cast(), pass.found),
        None => (core::ptr::null_mut(), CopyFacts::default()),
    }
}

/// Copies a statement, and all that is below it, into a block, as [`copy`]. Returns as well whether a node lacks a field without
/// which it has no SQL.
pub(super) fn copy_alone(stmt: InC<'_, raw::RawStmt>) -> ((Parse, Block), bool) {
    let stmts = || core::iter::once(stmt);
    let cells: StmtCells<'_> = stmts().collect();
    let mut count = PassWalk::new(Count::default(), Shared::FirstOnly, ROOM);
    count.tree(cells.cells());
    let found = count.found;
    let copy = if found.shared {
        copy(stmts(), Shared::Everywhere)
    } else {
        in_block(cells.cells(), count, Shared::Nowhere)
    };
    (copy, found.lacks)
}

/// Copies statements, and all that is below them, into a block. Returns the copies, and the block, which
/// has to live as long. If a node has several parents, `shared` is not [`Shared::Nowhere`].
pub(super) fn copy<'a>(
    stmts: impl Iterator<Item = InC<'a, raw::RawStmt>>,
    shared: Shared,
) -> (Parse, Block) {
    let stmts: StmtCells<'_> = stmts.collect();
    let mut count = PassWalk::new(Count::default(), shared, ROOM);
    count.tree(stmts.cells());
    in_block(stmts.cells(), count, shared)
}

/// Copies statements that have been counted.
fn in_block<'a>(stmts: Cells<'a>, counted: PassWalk<'a, Count>, shared: Shared) -> (Parse, Block) {
    let PassWalk { writer: Count { parts, strings }, rest, .. } = counted;

    let mut block = Block::new(parts.saturating_add(strings));
    let copies = Copies::new(block.divided(parts));
    let list = PassWalk::new(copies, shared, rest.capacity()).tree(stmts);
    let list = list.map_or(core::ptr::null(), |list| list.as_ptr().cast());
    // SAFETY: the copy is a whole tree, as the original is, whose pointers point into the block.
    let parse = unsafe { Parse::in_other_memory(list, shared == Shared::Everywhere) };
    (parse, block)
}
