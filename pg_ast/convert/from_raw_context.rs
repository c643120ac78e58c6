//! The context of a conversion from C.

use core::fmt;
use core::mem::MaybeUninit;

use super::descent::{Depth, KnowsStack, call_on_another_stack, with_stack};
use super::internal::Internal;
use super::{FromRaw, Tagged};
use crate::foundation::limits::{BYTES_PER_NODE, Limits};
use crate::foundation::stack::{self, Room};
use crate::types::error::Error;

/// The context of a conversion from C: its depth, its size, and the first error.
pub struct FromRawContext {
    error: Option<Error>,
    depth: Depth,
    room: Room,
    /// The maximum number of nodes, and how many of these are left.
    max_nodes: usize,
    nodes_left: usize,
    weighs: bool,
    /// The start of the parsed text in the text that locations refer to.
    offset: i32,
}

impl FromRawContext {
    /// Creates a context for a tree with these limits; locations count from `offset` bytes before the text
    /// that was parsed.
    pub(crate) fn new(limits: Limits, offset: i32) -> Self {
        let Limits { max_depth, max_nodes, weighs } = limits;
        let depth = Depth::new(max_depth);
        let room = stack::room();
        Self { error: None, depth, room, max_nodes, nodes_left: max_nodes, weighs, offset }
    }

    /// Returns an upper bound for the levels of the tree: at most twice its levels, or `SHALLOW`.
    pub(crate) fn levels(&self) -> usize {
        self.depth.next
    }

    /// Returns whether there has been an error. Results after it are discarded.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Counts `count` nodes; false if there are too many of them.
    ///
    /// The C tree is not a tree where an `UPDATE` assigns to several columns at once: each of them
    /// points to the same source, and the Rust tree has it once for each, at every level anew.
    #[inline]
    pub(crate) fn count(&mut self, count: usize) -> bool {
        if let Some(left) = self.nodes_left.checked_sub(count) {
            self.nodes_left = left;
            return true;
        }
        self.too_large();
        false
    }

    /// Returns the limits, with the number of nodes that it may still have.
    pub(crate) fn limits_left(&self) -> Limits {
        Limits { max_depth: self.depth.limit, max_nodes: self.nodes_left, weighs: self.weighs }
    }

    /// Counts a long string as the number of nodes with the same memory.
    pub(crate) fn count_string(&mut self, bytes: usize) -> bool {
        self.count(bytes / BYTES_PER_NODE)
    }

    #[cold]
    #[inline(never)]
    fn too_large(&mut self) {
        // The rest of the conversion ends at once.
        self.nodes_left = 0;
        let max = self.max_nodes;
        self.fail(|| Error::too_many_nodes(max));
    }

    /// Returns a location in the whole SQL. A negative one means none; so does 0, which the grammar has in some fields
    /// if the SQL begins with a blank.
    #[inline]
    #[must_use]
    pub fn location(&self, location: i32) -> i32 {
        if location <= 0 { location } else { location.saturating_add(self.offset) }
    }

    /// Casts a node with the tag `TAG` to its struct.
    ///
    /// Derived code casts through this function, which asks for [`Tagged`] itself: the code around it
    /// names this crate by a path that its user may choose (`crate = path`), and a trait that it
    /// found there could be the user's. It is not a method, since an extension trait could have one of
    /// the same name for `&mut FromRawContext`.
    #[inline]
    #[must_use]
    pub fn tagged<Raw: Tagged<TAG>, const TAG: u32>(node: *const Raw::Node) -> *const Raw {
        node.cast()
    }

    /// Returns a value that is written in place, by [`FromRaw::write_raw`]: what the derive has for
    /// [`FromRaw::from_raw`].
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`].
    #[inline]
    pub unsafe fn value<'t, T: FromRaw<'t, Raw>, Raw>(&mut self, raw: *const Raw) -> T {
        let mut place = MaybeUninit::uninit();
        // SAFETY: the caller guarantees `raw`; the implementation of the trait guarantees the value.
        unsafe {
            T::write_raw(raw, place.as_mut_ptr(), self);
            place.assume_init()
        }
    }

    /// Reads a node with the tag `TAG` into `place`; writes `None` if the node has another tag.
    ///
    /// Derived code calls it by its path, like [`tagged`](Self::tagged), and for the same reasons.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromNode::write_node`](super::FromNode::write_node).
    #[inline]
    pub unsafe fn write_tagged<'t, T: FromRaw<'t, Raw>, Raw: Tagged<TAG>, const TAG: u32>(
        &mut self,
        node: *const Raw::Node,
        place: *mut Option<T>,
    ) {
        // SAFETY:
        // - the caller guarantees the node and the place.
        // - the implementation of `Tagged` guarantees that the node begins with its tag, and which struct it is.
        unsafe {
            let is_tagged = *node.cast::<Raw::NodeTag>() == Raw::TAG;
            place.write(is_tagged.then(|| T::from_raw(Self::tagged(node), self)));
        }
    }

    /// Reads a field into its place, by [`FromRaw::write_raw`]: the derive has this for the sake of its messages. A call of the
    /// trait's function looks for an implementation before it knows the type in C.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::write_raw`].
    #[doc(hidden)]
    #[inline]
    pub unsafe fn field<'cx, 't, Raw, T>(&'cx mut self, raw: *const Raw, place: *mut T)
    where
        // A lifetime with a bound can be named where the function is called, which derived code does with `'t`.
        'cx: 'cx,
        T: FromRaw<'t, Raw>,
    {
        // SAFETY: the caller guarantees both.
        unsafe { T::write_raw(raw, place, self) }
    }

    /// Compiles for the types of this crate's own trees: derived code calls it for an attribute that only these may have.
    ///
    /// It takes `&mut self`, as an extension trait for `&mut FromRawContext` could have a method that is found before one that takes
    /// `&self`.
    #[doc(hidden)]
    #[inline]
    pub fn internal<T: Internal>(&mut self) {}

    /// Runs `f` for the items of a list, one level below this one. `f` has to count them.
    #[inline]
    pub(crate) fn enter_list<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.one_level_down(|cx| with_stack(cx, R::default, f))
    }

    #[inline]
    fn one_level_down<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        if !self.depth.may_descend() {
            self.too_deep();
            return R::default();
        }
        self.depth.descend();
        let result = f(self);
        self.depth.ascend();
        result
    }

    /// Like [`enter`](Self::enter), where there is stack.
    #[inline]
    pub(crate) fn descend<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        if self.count(1) { self.one_level_down(f) } else { R::default() }
    }

    /// Returns whether there is enough stack for another level.
    #[inline]
    pub(crate) fn has_stack(&self) -> bool {
        self.room.is_here()
    }

    /// Calls `read` on more stack; without memory for that, only records the error.
    ///
    /// # Safety
    ///
    /// The conditions of `read`.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn read_elsewhere(
        &mut self,
        read: unsafe fn(*const u8, *mut u8, &mut Self),
        raw: *const u8,
        place: *mut u8,
    ) {
        // SAFETY: the caller guarantees the conditions.
        call_on_another_stack(self, &mut |cx| unsafe { read(raw, place, cx) });
    }

    /// Runs `f` for a node one level below this one.
    ///
    /// Every type shape that leads from one node to another has to call this: it counts the node,
    /// and extends the stack when it runs short. If the tree is too deep or too large, that is
    /// recorded, and the result is `R::default()`.
    ///
    /// [`FromRaw`](derive@crate::FromRaw#type-shapes-of-your-own) has an example.
    #[inline]
    pub fn enter<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        if !self.count(1) {
            return R::default();
        }
        self.enter_list(f)
    }

    /// Runs `f` for the value of a constant, one level below this one: it has no node below it, and counts as
    /// a part of the constant.
    #[inline]
    pub(crate) fn enter_value<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth.may_descend() {
            return f(self);
        }
        self.too_deep();
        R::default()
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) {
        let limit = self.depth.limit;
        self.fail(|| Error::too_deep(limit));
    }

    fn fail(&mut self, error: impl FnOnce() -> Error) {
        self.error.get_or_insert_with(error);
    }

    /// Records that a C enum has a value that the Rust enum does not know.
    #[cold]
    pub fn unmapped_constant(&mut self, name: &str, value: i64) {
        self.fail(|| Error::unmapped(format!("{value} is not a constant of {name}")));
    }

    /// Records that a node has a tag for which there is no variant.
    #[cold]
    pub fn unmapped_node(&mut self, tag: i64) {
        self.fail(|| Error::unmapped(format!("no node type has the tag {tag}")));
    }

    /// Records that a user's type does not read what is in its place.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_read(&mut self, what: fmt::Arguments<'_>, reader: &str) {
        self.fail(|| Error::unmapped(format!("`{reader}` does not read {what}")));
    }

    /// Records that a pointer is null that never is.
    #[cfg(feature = "plpgsql")]
    #[cold]
    pub(crate) fn missing(&mut self, name: &str) {
        self.fail(|| Error::unmapped(format!("a {name} is missing")));
    }

    /// Records that a C string is not UTF-8.
    #[cold]
    pub(crate) fn invalid_encoding(&mut self, bytes: &[u8]) {
        self.fail(|| Error::invalid_encoding(bytes));
    }

    /// Returns the value; or the first error, in the statement that starts at `start`.
    pub(crate) fn finish<T>(self, value: T, start: Option<usize>) -> Result<T, Error> {
        match self.error {
            None => Ok(value),
            Some(error) if error.is_of_stmt() => Err(error.with_cursor(start)),
            Some(error) => Err(error),
        }
    }
}

impl KnowsStack for FromRawContext {
    #[inline]
    fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    fn fail(&mut self, error: Error) {
        self.fail(|| error);
    }
}
