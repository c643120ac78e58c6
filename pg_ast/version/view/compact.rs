//! Trees in one block of memory, for programs that keep many.
//!
//! The parser's memory holds more than the nodes: temporary data, the header of each chunk and
//! the tails of its blocks. A copy holds only the nodes, followed by their strings. It takes two
//! passes of the same code over the same tree, one that counts and one that copies.

// The places of fields are counted in bytes; each is aligned, as its struct is.
#![allow(clippy::cast_ptr_alignment)]

use core::ffi::{CStr, c_char};
use core::mem::{MaybeUninit, offset_of};
use core::ptr::{self, NonNull};
use core::slice;
use std::collections::HashMap;

use super::ffi::Parse;
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::STRUCTS;
use super::node::{is_list, structure_of};
use crate::convert::c_tree::table::{Kind, Struct};

/// The unit of a block: any node may begin at one.
type Word = u64;

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
    // The cells are right after the struct.
    assert!(offset_of!(raw::List, initial_elements) == size_of::<raw::List>());
};

/// The memory of a tree.
pub(super) struct Block(NonNull<[MaybeUninit<Word>]>);

// SAFETY: a block is memory of its own, which nobody writes once the tree in it is there.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    fn new(bytes: usize) -> Self {
        let memory = Box::into_raw(Box::new_uninit_slice(bytes.div_ceil(size_of::<Word>())));
        // SAFETY: a box is not null.
        Self(unsafe { NonNull::new_unchecked(memory) })
    }

    /// Returns its size in bytes.
    pub(super) fn size(&self) -> usize {
        self.0.len() * size_of::<Word>()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was made of a box, and is dropped once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// The action of a pass on each part of a tree. It returns where the walk continues: where the
/// pointers of the part are still those of the original.
///
/// # Safety
///
/// Of all functions: the parts are of a tree that can be read, whole, and `slot` and `place` are in
/// what a function has returned.
trait Pass {
    /// Handles a part of `bytes` bytes.
    unsafe fn part(&mut self, from: *const u8, bytes: usize) -> *mut u8;
    /// Handles a list with these cells: the list itself, and its cells.
    unsafe fn list(
        &mut self,
        tag: NodeTag,
        cells: &[raw::ListCell],
    ) -> (*mut u8, *mut raw::ListCell);
    /// Handles a string of `bytes` bytes, including its NUL.
    unsafe fn string(&mut self, from: *const c_char, bytes: usize) -> *mut u8;
    /// Notes that the target of a pointer has become `copy`.
    unsafe fn point(&mut self, slot: *mut *mut u8, copy: *mut u8);
    /// Clears bytes that have no place in the tree.
    unsafe fn clear(&mut self, place: *mut u8, bytes: usize);
}

/// The bytes that copies take. They are in memory already, if only once (`PassWalk::shared`; a string that
/// several nodes point to is a few bytes); so the sums fit. If they did not, there would be no block of
/// that size.
#[derive(Default)]
struct Count {
    parts: usize,
    strings: usize,
}

fn aligned(bytes: usize) -> usize {
    bytes.next_multiple_of(align_of::<Word>())
}

fn list_size(cells: &[raw::ListCell]) -> usize {
    size_of::<raw::List>() + size_of_val(cells)
}

/// Stays in the original, and writes nothing.
impl Pass for Count {
    unsafe fn part(&mut self, from: *const u8, bytes: usize) -> *mut u8 {
        self.parts = self.parts.saturating_add(aligned(bytes));
        from.cast_mut()
    }

    unsafe fn list(
        &mut self,
        _: NodeTag,
        cells: &[raw::ListCell],
    ) -> (*mut u8, *mut raw::ListCell) {
        self.parts = self.parts.saturating_add(aligned(list_size(cells)));
        (ptr::null_mut(), cells.as_ptr().cast_mut())
    }

    unsafe fn string(&mut self, from: *const c_char, bytes: usize) -> *mut u8 {
        self.strings = self.strings.saturating_add(bytes);
        from.cast_mut().cast()
    }

    unsafe fn point(&mut self, _: *mut *mut u8, _: *mut u8) {}

    unsafe fn clear(&mut self, _: *mut u8, _: usize) {}
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

struct CopyPass {
    parts: FreeMemory,
    strings: FreeMemory,
}

impl Pass for CopyPass {
    unsafe fn part(&mut self, from: *const u8, bytes: usize) -> *mut u8 {
        let copy = self.parts.take(aligned(bytes));
        // SAFETY: there is room for `bytes`, and the caller guarantees that they are at `from`.
        unsafe { ptr::copy_nonoverlapping(from, copy, bytes) };
        copy
    }

    unsafe fn list(
        &mut self,
        tag: NodeTag,
        cells: &[raw::ListCell],
    ) -> (*mut u8, *mut raw::ListCell) {
        let copy = self.parts.take(aligned(list_size(cells))).cast::<raw::List>();
        let length = i32::try_from(cells.len()).unwrap_or(i32::MAX);
        // SAFETY: there is room for the struct and the cells behind it, as `copy` is aligned, and
        // nobody else has a pointer to it yet.
        unsafe {
            let elements = (&raw mut (*copy).initial_elements).cast::<raw::ListCell>();
            (&raw mut (*copy).type_).write(tag);
            (&raw mut (*copy).length).write(length);
            (&raw mut (*copy).max_length).write(length);
            (&raw mut (*copy).elements).write(elements);
            ptr::copy_nonoverlapping(cells.as_ptr(), elements, cells.len());
            (copy.cast(), elements)
        }
    }

    unsafe fn string(&mut self, from: *const c_char, bytes: usize) -> *mut u8 {
        let copy = self.strings.take(bytes);
        // SAFETY: as for a part.
        unsafe { ptr::copy_nonoverlapping(from.cast(), copy, bytes) };
        copy
    }

    unsafe fn point(&mut self, slot: *mut *mut u8, copy: *mut u8) {
        // SAFETY: a pointer in a copy, as the caller guarantees.
        unsafe { slot.write(copy) };
    }

    unsafe fn clear(&mut self, place: *mut u8, bytes: usize) {
        // SAFETY: a field in a copy, as the caller guarantees.
        unsafe { place.write_bytes(0, bytes) };
    }
}

/// Parts with pointers that are still to be followed.
enum Rest {
    Struct(*mut u8, &'static Struct),
    Cells(*mut raw::ListCell, usize),
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

struct PassWalk<P> {
    pass: P,
    rest: Vec<Rest>,
    /// The copy of each node, if nodes may have several parents.
    shared: Option<HashMap<*const raw::Node, *mut u8>>,
    first_only: bool,
}

/// Returns whether a struct is a column of an assignment to several, but the first one.
///
/// # Safety
///
/// `at` points to a struct of that type.
unsafe fn is_later_column(at: *const u8, structure: &Struct) -> bool {
    structure.tag == NodeTag::T_MultiAssignRef.0
        // SAFETY: the caller guarantees the struct.
        && unsafe { (*at.cast::<raw::MultiAssignRef>()).colno > 1 }
}

impl<P: Pass> PassWalk<P> {
    fn new(pass: P, rest: Vec<Rest>, shared: Shared) -> Self {
        let first_only = shared == Shared::FirstOnly;
        Self { pass, rest, shared: (shared == Shared::Everywhere).then(HashMap::new), first_only }
    }

    /// Handles the list of these statements, and all nodes below it; null without statements.
    ///
    /// # Safety
    ///
    /// They point to whole `RawStmt`s, as in [`InC::new`](crate::convert::c_tree::in_c::InC::new).
    unsafe fn tree(&mut self, stmts: &[raw::ListCell]) -> *mut raw::List {
        if stmts.is_empty() {
            return ptr::null_mut();
        }
        // SAFETY: the caller guarantees the statements, and all that is below them; the parts in
        // `rest` were returned by a pass.
        unsafe {
            let list = self.list(NodeTag::T_List, stmts);
            while let Some(rest) = self.rest.pop() {
                match rest {
                    Rest::Struct(at, structure) => self.fields(at, structure),
                    Rest::Cells(cells, length) => {
                        (0..length).for_each(|index| self.node(cells.add(index).cast()));
                    }
                }
            }
            list.cast()
        }
    }

    /// Follows the pointers of a struct.
    ///
    /// # Safety
    ///
    /// A pass has returned `at`, for a struct of that type; or it is a part of such a struct.
    unsafe fn fields(&mut self, at: *mut u8, structure: &'static Struct) {
        // SAFETY: the table says what is where in the struct (`Field::new`); what its pointers point to
        // is of the tree.
        unsafe {
            for (offset, bytes) in structure.unmapped {
                self.pass.clear(at.add(*offset), *bytes);
            }
            let leaves_out = self.first_only && is_later_column(at, structure);
            for field in structure.fields {
                let place = at.add(usize::from(field.offset));
                match field.kind {
                    Kind::Node if leaves_out => self.pass.clear(place, size_of::<*mut u8>()),
                    Kind::Text => {
                        let from = place.cast::<*const c_char>().read();
                        if !from.is_null() {
                            let bytes = CStr::from_ptr(from).to_bytes_with_nul().len();
                            let copy = self.pass.string(from, bytes);
                            self.pass.point(place.cast(), copy);
                        }
                    }
                    Kind::Node | Kind::Child(_) => self.node(place.cast()),
                    Kind::List => {
                        let from = place.cast::<*const raw::List>().read();
                        if !from.is_null() {
                            let copy = self.list((*from).type_, cells(from));
                            self.pass.point(place.cast(), copy);
                        }
                    }
                    Kind::Set => {
                        let from = place.cast::<*const raw::Bitmapset>().read();
                        if !from.is_null() {
                            let words = usize::try_from((*from).nwords).unwrap_or(0);
                            let bytes = offset_of!(raw::Bitmapset, words)
                                + words * size_of::<raw::bitmapword>();
                            let copy = self.pass.part(from.cast(), bytes);
                            self.pass.point(place.cast(), copy);
                        }
                    }
                    Kind::Embedded(tag) => {
                        if let Some(structure) = structure_of(NodeTag(tag)) {
                            self.rest.push(Rest::Struct(place, structure));
                        }
                    }
                    // A whole node of the type that its tag says.
                    Kind::Constant => {
                        if let Some(structure) = structure_of(place.cast::<NodeTag>().read()) {
                            self.rest.push(Rest::Struct(place, structure));
                        }
                    }
                    Kind::Nothing
                    | Kind::SharedNode
                    | Kind::SharedList
                    | Kind::Bool
                    | Kind::I16
                    | Kind::I32
                    | Kind::I64
                    | Kind::U32
                    | Kind::U64
                    | Kind::F64
                    | Kind::Char
                    | Kind::Enumeration(_) => {}
                }
            }
        }
    }

    /// Follows a pointer to a node.
    ///
    /// # Safety
    ///
    /// The pointer is in what a pass has returned.
    unsafe fn node(&mut self, slot: *mut *mut u8) {
        // SAFETY: the caller guarantees the pointer, which is still that of the original: null, or to
        // a whole node of the type that its tag says.
        unsafe {
            let from = slot.cast::<*const raw::Node>().read();
            if from.is_null() {
                return;
            }
            if let Some(copy) = self.shared.as_ref().and_then(|shared| shared.get(&from)) {
                return self.pass.point(slot, *copy);
            }
            let tag = (*from).type_;
            let copy = if let Some(structure) = structure_of(tag) {
                let copy = self.pass.part(from.cast(), structure.size.into());
                self.rest.push(Rest::Struct(copy, structure));
                copy
            } else if is_list(tag) {
                self.list(tag, cells(from.cast()))
            } else {
                // No SQL produces one (`Node::Unknown`), and its contents are unknown.
                ptr::null_mut()
            };
            if let Some(shared) = &mut self.shared {
                shared.insert(from, copy);
            }
            self.pass.point(slot, copy);
        }
    }

    /// Handles a list; its cells are still to be followed.
    ///
    /// # Safety
    ///
    /// The cells are those of a list with that tag.
    unsafe fn list(&mut self, tag: NodeTag, cells: &[raw::ListCell]) -> *mut u8 {
        // SAFETY: the caller guarantees the cells.
        let (list, copies) = unsafe { self.pass.list(tag, cells) };
        // Other lists have numbers.
        if tag == NodeTag::T_List {
            self.rest.push(Rest::Cells(copies, cells.len()));
        }
        list
    }
}

/// Returns the cells of a list.
///
/// # Safety
///
/// It is a whole one.
unsafe fn cells<'a>(list: *const raw::List) -> &'a [raw::ListCell] {
    // SAFETY: the caller guarantees the list, which has that many cells.
    unsafe {
        match usize::try_from((*list).length) {
            Ok(length) if length > 0 => slice::from_raw_parts((*list).elements, length),
            _ => &[],
        }
    }
}

/// Copies statements, and all that is below them, into a block. Returns the copies, and the block, which
/// has to live as long.
///
/// # Safety
///
/// They point to whole `RawStmt`s, as in [`InC::new`](crate::convert::c_tree::in_c::InC::new). If a node has
/// several parents, `shared` is not [`Shared::Nowhere`].
pub(super) unsafe fn copy(
    stmts: impl Iterator<Item = *const raw::RawStmt>,
    shared: Shared,
) -> (Parse, Block) {
    let stmts: Vec<_> =
        stmts.map(|stmt| raw::ListCell { ptr_value: stmt.cast_mut().cast() }).collect();
    let mut count = PassWalk::new(Count::default(), Vec::new(), shared);
    // SAFETY: the caller guarantees the statements.
    unsafe { count.tree(&stmts) };
    let PassWalk { pass: Count { parts, strings }, rest, .. } = count;

    let block = Block::new(parts.saturating_add(strings));
    let start = block.0.as_ptr().cast::<u8>();
    let pass = CopyPass {
        parts: FreeMemory { start, bytes: parts },
        strings: FreeMemory { start: start.wrapping_byte_add(parts), bytes: strings },
    };
    // SAFETY: as above. The result is a whole tree, as the original is, whose pointers point into the
    // block.
    let parse = unsafe {
        let list = PassWalk::new(pass, rest, shared).tree(&stmts);
        Parse::in_other_memory(list, shared == Shared::Everywhere)
    };
    (parse, block)
}
