//! The traits that the derive implements, and the context of a conversion.
//!
//! Neither direction returns a `Result` per field: the context keeps the first error, the conversion continues,
//! and its result is discarded. That keeps the generated code free of branches.

pub(crate) mod c_tree;
mod descent;
pub(crate) mod enumeration;
mod pointee;
pub(crate) mod roles;
pub(crate) mod shapes;
pub(crate) mod shared_nodes;

use core::alloc::Layout;
use core::ffi::c_char;
use core::mem::{MaybeUninit, align_of, size_of};
use core::ptr::{self, NonNull};

use crate::foundation::arena::{self, Bump};
use crate::foundation::limits::{BYTES_PER_NODE, Limits};
use crate::foundation::stack::{self, Room};
use crate::types::error::{Error, ErrorKind};
use descent::{Depth, KnowsStack, call_on_another_stack, with_stack};
pub use pointee::Pointee;

/// Reads a Rust value from its C twin.
///
/// `#[derive(FromRaw)]` implements it for structs and enumerations. For the type of a field, a type shape
/// implements it (`List *` is a `Vec<Node>`, `char *` a `String`, ..).
///
/// # Safety
///
/// An implementation that overrides [`write_raw`](Self::write_raw) leaves a valid value in `place`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the C type `{Raw}`",
    label = "no type shape reads `{Raw}` into this type",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#field-types"
)]
pub unsafe trait FromRaw<Raw>: Sized {
    /// Reads the value that `raw` points to.
    ///
    /// # Safety
    ///
    /// - `raw` is aligned and points to an initialised `Raw`.
    /// - Each pointer in it is null, or its target satisfies the same; a `char *` ends in a
    ///   NUL; a node is a whole struct of the type that its tag says.
    /// - Nothing writes to any of this during the call, and it stays allocated.
    unsafe fn from_raw(raw: *const Raw, cx: &mut FromRawContext) -> Self;

    /// Reads the value into `place`, where it stays.
    ///
    /// # Safety
    ///
    /// The conditions of [`from_raw`](Self::from_raw). `place` can be written to; its old value is not dropped.
    #[inline]
    unsafe fn write_raw(raw: *const Raw, place: *mut Self, cx: &mut FromRawContext) {
        // SAFETY: the caller guarantees both.
        unsafe { place.write(Self::from_raw(raw, cx)) }
    }
}

/// Reads a Rust value from a C node, if the node's tag is one of the type's tags.
///
/// Derived by `#[derive(FromRaw)]` for structs (one tag) and for enums whose variants hold nodes.
///
/// # Safety
///
/// [`write_node`](Self::write_node) leaves a valid value in `place`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of the syntax tree",
    label = "this type has no node tag",
    note = "a struct, or an enum of nodes, is one by `#[derive(FromRaw)]`: see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#items"
)]
pub unsafe trait FromNode<Node>: Sized {
    /// Reads the node that `node` points to into `place`, where it stays: a node is several words
    /// long, and moving them costs more than writing them. Writes `None` if the tag belongs to another type.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`], with `node` pointing to the header of a whole node. `place` can
    /// be written to; its old value is not dropped.
    unsafe fn write_node(node: *const Node, place: *mut Option<Self>, cx: &mut FromRawContext);

    /// Reads the node that `node` points to; `None` if its tag belongs to another type.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`], with `node` pointing to the header of a whole node.
    #[inline]
    unsafe fn from_node(node: *const Node, cx: &mut FromRawContext) -> Option<Self> {
        let mut place = MaybeUninit::uninit();
        // SAFETY: the caller guarantees the node; the implementation of the trait guarantees the value.
        unsafe {
            Self::write_node(node, place.as_mut_ptr(), cx);
            place.assume_init()
        }
    }
}

/// A C struct whose nodes have the tag `TAG`.
///
/// A node's tag says which struct the node is, and so which cast is sound. The derives cast by the tag that an attribute
/// names; with this trait, a wrong attribute does not compile. It is implemented for every struct of `raw` that is a node: once per tag,
/// since a typedef (`DistinctExpr` is an `OpExpr`) and the kinds of lists share a struct.
///
/// Mirrors `makeNode` of PostgreSQL's `src/include/nodes/nodes.h`, which joins struct and tag.
///
/// ```
/// # #[cfg(feature = "pg18")] {
/// use pg_ast::Tagged;
/// use pg_ast::pg18::raw::{NodeTag, OpExpr};
///
/// const TAG: u32 = NodeTag::T_NullIfExpr.0;
/// assert_eq!(<OpExpr as Tagged<TAG>>::TAG, NodeTag::T_NullIfExpr);
/// # }
/// ```
///
/// # Safety
///
/// - A [`Node`](Self::Node) begins with a [`NodeTag`](Self::NodeTag), and one with the tag `TAG` is a whole `Self`.
/// - `Self` is plain C data, for which all zeroes is a value.
#[diagnostic::on_unimplemented(
    message = "no node with this tag is a `{Self}`",
    label = "the tag is not one of `{Self}`",
    note = "`raw` names a C struct of `pg_ast::raw` by its own name, which is that of the tag; `tag` is for a struct that has several",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#compile-errors"
)]
pub unsafe trait Tagged<const TAG: u32>: Sized {
    /// The header that every node of the PostgreSQL version begins with.
    type Node;

    /// The type of the tags of that version.
    type NodeTag: Copy + PartialEq;

    /// The tag.
    const TAG: Self::NodeTag;
}

/// Writes a Rust value as its C twin.
///
/// It is implemented for references, so that `into_` keeps its meaning: the `&T` is consumed.
/// Everything that the C value points to lies in the context's arena.
///
/// The trait is safe to implement, since the output of a foreign implementation never reaches the C
/// library: every call takes the types of this crate's own tree.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as the C type `{Raw}`",
    label = "no type shape writes this type as `{Raw}`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.IntoRaw.html#field-types"
)]
pub trait IntoRaw<Raw> {
    /// Returns the C twin of `self`.
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> Raw;
}

/// The context of a conversion from C: its depth, its size, and the first error.
pub struct FromRawContext {
    error: Option<Error>,
    depth: Depth,
    room: Room,
    /// The maximum number of nodes, and how many of these are left.
    max_nodes: usize,
    nodes_left: usize,
    /// The start of the parsed text in the text that locations refer to.
    offset: i32,
}

impl FromRawContext {
    /// Creates a context for a tree with these limits; locations count from `offset` bytes before the text
    /// that was parsed.
    pub(crate) fn new(limits: Limits, offset: i32) -> Self {
        let Limits { max_depth, max_nodes } = limits;
        let depth = Depth::new(max_depth);
        Self { error: None, depth, room: stack::room(), max_nodes, nodes_left: max_nodes, offset }
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

    /// Returns the number of nodes that it may still have.
    pub(crate) fn nodes_left(&self) -> usize {
        self.nodes_left
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
    pub unsafe fn value<T: FromRaw<Raw>, Raw>(&mut self, raw: *const Raw) -> T {
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
    /// The conditions of [`FromNode::write_node`].
    #[inline]
    pub unsafe fn write_tagged<T: FromRaw<Raw>, Raw: Tagged<TAG>, const TAG: u32>(
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

    /// Records that a C string is not UTF-8.
    #[cold]
    pub(crate) fn invalid_encoding(&mut self, bytes: &[u8]) {
        self.fail(|| Error::invalid_encoding(bytes));
    }

    /// Returns the value; or the first error, in the statement that starts at `start`.
    pub(crate) fn finish<T>(self, value: T, start: Option<usize>) -> Result<T, Error> {
        match self.error {
            None => Ok(value),
            Some(error) if error.is_limit() => Err(error.with_cursor(start)),
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

/// The context of a conversion to C: the arena for the C nodes, the stack, and the first error.
///
/// The C nodes are never dropped one by one: only memory bounds their depth.
pub struct IntoRawContext<'a> {
    arena: &'a Bump,
    error: Option<Error>,
    room: Room,
    /// True if values that C cannot hold are replaced by similar ones, without an error.
    replaces: bool,
    /// True if the nodes are printed: nodes without which there is no SQL must be there.
    prints: bool,
}

/// The replacement of a NUL in a string that is only read.
const IN_PLACE_OF_NUL: &str = "\u{FFFD}";

impl<'a> IntoRawContext<'a> {
    pub(crate) fn new(arena: &'a Bump) -> Self {
        Self { arena, error: None, room: stack::room(), replaces: false, prints: false }
    }

    /// Creates a context for a tree that is printed: a node that lacks what each of its SQL has is an error.
    pub(crate) fn printing(arena: &'a Bump) -> Self {
        Self { prints: true, ..Self::new(arena) }
    }

    /// Creates a context for a tree that is only read: nothing in it is an error. A NUL in a string becomes
    /// U+FFFD, a number that is too large the largest possible one, a set that is too large the empty set.
    pub(crate) fn replacing(arena: &'a Bump) -> Self {
        Self { replaces: true, ..Self::new(arena) }
    }

    /// Runs `f` for the target of a C pointer.
    #[inline]
    pub(crate) fn enter<Raw>(&mut self, f: impl FnOnce(&mut Self) -> *mut Raw) -> *mut Raw {
        with_stack(self, ptr::null_mut, f)
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
        if !self.replaces {
            self.fail(error);
        }
    }

    /// Records that a node has no SQL, since a field has nothing in it. That is no matter unless it is printed.
    #[cold]
    pub(crate) fn incomplete(&mut self, node: &str, field: &str) {
        if self.prints {
            self.fail(|| {
                Error::new(
                    ErrorKind::Deparse,
                    format!("deparse: {node} without {field} has no SQL"),
                )
            });
        }
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
