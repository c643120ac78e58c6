//! The context of a conversion to C.

use core::alloc::Layout;
use core::ffi::c_char;
use core::mem::{align_of, size_of};
use core::ptr::{self, NonNull};

use super::descent::{KnowsStack, call_on_another_stack, with_stack};
use super::internal::Complete;
use super::{IntoRaw, Tagged};
use crate::foundation::arena::{self, Bump};
use crate::foundation::limits::{DEEPEST, SHALLOW};
use crate::foundation::stack::{self, Room};
use crate::types::error::{Error, ErrorKind};

/// The context of a conversion to C: the arena for the C nodes, the stack, and the first error.
///
/// The C nodes are never dropped one by one: only memory bounds their depth.
pub struct IntoRawContext<'a> {
    arena: &'a Bump,
    error: Option<Error>,
    room: Room,
    purpose: Purpose,
    /// How many levels there may be until `levels` of them are exceeded.
    levels_left: usize,
    /// An upper bound for the levels so far: `SHALLOW`, or less than twice the deepest.
    levels: usize,
    /// True if there was a node that C has no place for. Nothing is known of what is below it.
    passed_over: bool,
    /// True if a node has no SQL, since a field has nothing in it.
    lacks: bool,
}

/// What the C nodes are made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// For anything.
    Any,
    /// To be printed: nodes without which there is no SQL must be there.
    Print,
    /// To be read only: values that C cannot hold are replaced by similar ones, without an error.
    Read,
}

/// The replacement of a NUL in a string that is only read.
const IN_PLACE_OF_NUL: &str = "\u{FFFD}";

/// The error for a node that has no SQL, since a field has nothing in it.
pub(crate) fn incomplete(node: &str, field: &str) -> Error {
    Error::new(ErrorKind::Deparse, format!("deparse: {node} without {field} has no SQL"))
}

impl<'a> IntoRawContext<'a> {
    pub(crate) fn new(arena: &'a Bump) -> Self {
        Self {
            arena,
            error: None,
            room: stack::room(),
            purpose: Purpose::Any,
            lacks: false,
            levels_left: SHALLOW.min(DEEPEST),
            levels: SHALLOW.min(DEEPEST),
            passed_over: false,
        }
    }

    /// Creates a context for a tree that is printed: a node that lacks what each of its SQL has is an error.
    pub(crate) fn printing(arena: &'a Bump) -> Self {
        Self { purpose: Purpose::Print, ..Self::new(arena) }
    }

    /// Creates a context for a tree that is only read: nothing in it is an error. A NUL in a string becomes
    /// U+FFFD, a number that is too large the largest possible one, a set that is too large the empty set.
    pub(crate) fn replacing(arena: &'a Bump) -> Self {
        Self { purpose: Purpose::Read, ..Self::new(arena) }
    }

    /// Runs `f` for the target of a C pointer.
    #[inline]
    pub(crate) fn enter<Raw>(&mut self, f: impl FnOnce(&mut Self) -> *mut Raw) -> *mut Raw {
        with_stack(self, ptr::null_mut, |cx| {
            cx.descend();
            let raw = f(cx);
            cx.ascend();
            raw
        })
    }

    #[inline]
    pub(crate) fn descend(&mut self) {
        match self.levels_left.checked_sub(1) {
            Some(left) => self.levels_left = left,
            None => self.descend_deep(),
        }
    }

    #[inline]
    pub(crate) fn ascend(&mut self) {
        self.levels_left += 1;
    }

    #[cold]
    #[inline(never)]
    fn descend_deep(&mut self) {
        if self.levels >= DEEPEST {
            self.fail(|| Error::too_deep(DEEPEST));
            self.room = Room::NONE;
        }
        self.levels_left = self.levels - 1;
        self.levels = self.levels.saturating_mul(2);
    }

    /// Returns an upper bound for the levels of the tree that has been converted; `None` if C has no place for some of it.
    pub(crate) fn levels(&self) -> Option<usize> {
        (!self.passed_over).then_some(self.levels)
    }

    /// Records that C has no place for a node.
    #[cold]
    pub(crate) fn pass_over(&mut self) {
        self.passed_over = true;
    }

    /// Returns whether there is enough stack for another level.
    #[inline]
    pub(crate) fn has_stack(&self) -> bool {
        self.room.is_here()
    }

    /// Calls `write` on more stack; without memory for that, records the error, and returns a null pointer.
    ///
    /// # Safety
    ///
    /// The conditions of `write`.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn write_elsewhere(
        &mut self,
        write: unsafe fn(*const u8, &mut IntoRawContext<'_>) -> *mut u8,
        value: *const u8,
    ) -> *mut u8 {
        let mut result = ptr::null_mut();
        // SAFETY: the caller guarantees the conditions.
        call_on_another_stack(self, &mut |cx| result = unsafe { write(value, cx) });
        result
    }

    /// Writes `value` as a separate C struct; the pointer is valid as long as the arena.
    #[inline(never)]
    pub fn node<'t, T, Raw>(&mut self, value: &'t T) -> *mut Raw
    where
        &'t T: IntoRaw<Raw>,
    {
        // As `palloc` aligns (MAXALIGN): C casts a number's node to the union of values, which is aligned like a pointer.
        let layout = const {
            match Layout::new::<Raw>().align_to(align_of::<u64>()) {
                Ok(layout) => layout,
                Err(_) => panic!("a struct is too large"),
            }
        };
        // The place comes first, so that the struct is built in it and not moved there.
        let place = self.place(layout).cast::<Raw>();
        let raw = value.into_raw(self);
        // SAFETY: the place is as large as the struct and aligned for it, and the arena hands it out once.
        unsafe { place.write(raw) };
        place.as_ptr()
    }

    /// Allocates room in the arena: one function, and not one for each struct.
    #[inline]
    fn place(&self, layout: Layout) -> NonNull<u8> {
        self.arena.alloc_layout(layout)
    }

    /// Returns a C struct of zeroes, as `palloc0` makes new nodes, for fields that have no place in Rust.
    #[inline]
    #[must_use]
    pub fn zeroed<Raw: Tagged<TAG>, const TAG: u32>(&self) -> Raw {
        // SAFETY: the implementation of the trait guarantees that zeroes are a value.
        unsafe { core::mem::zeroed() }
    }

    #[inline]
    pub(crate) fn alloc<Raw>(&mut self, raw: Raw) -> *mut Raw {
        const { assert!(!core::mem::needs_drop::<Raw>(), "C data has no destructor") };
        ptr::from_mut(self.arena.alloc(raw))
    }

    /// Writes the results of `write` for each item, one after the other.
    pub(crate) fn slice<T, Raw: Copy>(
        &mut self,
        items: &[T],
        mut write: impl FnMut(&T, &mut Self) -> Raw,
    ) -> &'a [Raw] {
        self.arena.alloc_slice_fill_iter(items.iter().map(|item| write(item, self)))
    }

    /// Allocates room for a `Raw` followed by `count` times a `Cell`, not initialised.
    #[inline]
    pub(crate) fn alloc_with_tail<Raw, Cell>(&mut self, count: usize) -> *mut Raw {
        const { assert!(align_of::<Cell>() <= align_of::<Raw>(), "the tail needs no padding") };
        let tail = count.saturating_mul(size_of::<Cell>());
        let size = tail.saturating_add(size_of::<Raw>());
        match Layout::from_size_align(size, align_of::<Raw>()) {
            Ok(layout) => self.arena.alloc_layout(layout).as_ptr().cast(),
            // No `Vec` is that long.
            Err(_) => unreachable!("{count} cells exceed the address space"),
        }
    }

    /// Copies `text` into the arena, with a NUL at the end. Never returns a null pointer.
    ///
    /// A NUL inside of the text is an error of the conversion.
    #[inline(never)]
    pub fn c_string(&mut self, text: &str) -> *mut c_char {
        let copy = arena::c_string(self.arena, text);
        if copy.count_bytes() != text.len() {
            return self.string_with_nul(text);
        }
        copy.as_ptr().cast_mut()
    }

    #[cold]
    #[inline(never)]
    fn string_with_nul(&mut self, text: &str) -> *mut c_char {
        self.mistake(|| {
            Error::new(ErrorKind::Nul, format!("a string in the tree contains a NUL: {text:?}"))
        });
        arena::c_string(self.arena, &text.replace('\0', IN_PLACE_OF_NUL)).as_ptr().cast_mut()
    }

    fn fail(&mut self, error: impl FnOnce() -> Error) {
        self.error.get_or_insert_with(error);
    }

    /// Records that C cannot hold a value, unless a replacement is allowed.
    fn mistake(&mut self, error: impl FnOnce() -> Error) {
        if self.purpose != Purpose::Read {
            self.fail(error);
        }
    }

    /// Records if a node has no SQL, since a field has nothing in it.
    #[doc(hidden)]
    #[inline]
    pub fn complete<T: Complete>(&mut self, node: &T, name: &str) {
        if let Some(field) = node.missing_field() {
            self.incomplete(name, field);
        }
    }

    /// Records that a node has no SQL, since a field has nothing in it. That is no matter unless it is printed.
    #[cold]
    pub(crate) fn incomplete(&mut self, node: &str, field: &str) {
        self.lacks = true;
        if self.purpose == Purpose::Print {
            self.fail(|| incomplete(node, field));
        }
    }

    /// Returns whether a node has no SQL, since a field has nothing in it.
    pub(crate) fn lacks(&self) -> bool {
        self.lacks
    }

    /// Records that a number does not fit into the C type.
    #[cold]
    pub(crate) fn out_of_range(&mut self, value: i64, c_type: &str) {
        self.mistake(|| {
            Error::new(ErrorKind::Deparse, format!("{value} does not fit into a C {c_type}"))
        });
    }

    /// Records that the C data would be unreasonably large for its source.
    #[cold]
    pub(crate) fn too_large(&mut self, message: impl FnOnce() -> String) {
        self.mistake(|| Error::new(ErrorKind::TooLarge, message()));
    }

    /// Returns the value, or the first error.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Error> {
        match self.error {
            None => Ok(value),
            Some(error) => Err(error),
        }
    }
}

impl KnowsStack for IntoRawContext<'_> {
    #[inline]
    fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    fn fail(&mut self, error: Error) {
        self.fail(|| error);
    }
}
