//! The traits that the derive implements, and the context of a conversion.
//!
//! Neither direction returns a `Result` per field: the context keeps the first mistake, the conversion goes on,
//! and its result is thrown away. That keeps the generated code free of branches.

mod descent;

use core::alloc::Layout;
use core::ffi::c_char;
use core::mem::{MaybeUninit, align_of, size_of};
use core::ptr::{self, NonNull};

use crate::runtime::arena::{self, Bump};
use crate::runtime::limits::{BYTES_PER_NODE, Limits};
use crate::types::error::{Error, ErrorKind};
use descent::{Depth, Descends, enter};

/// Reads a Rust value from its C twin.
///
/// `#[derive(FromRaw)]` implements it for structs and enumerations. For the type of a field, the shape of its C type
/// says how (`List *` is a `Vec<Node>`, `char *` a `String`, ..).
///
/// # Safety
///
/// [`write_raw`](Self::write_raw), where an implementation has its own, leaves a value in its place.
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
    /// - A pointer in it is null or fulfils the same for what it points to; a `char *` ends in a
    ///   NUL; a node is a whole struct of the type that its tag says.
    /// - Nothing writes to any of this during the call, and it stays allocated.
    unsafe fn from_raw(raw: *const Raw, cx: &mut FromRawContext) -> Self;

    /// Reads the value to where it is going to stay.
    ///
    /// # Safety
    ///
    /// As for [`from_raw`](Self::from_raw); `place` may be written, and what it holds is not dropped.
    #[inline]
    unsafe fn write_raw(raw: *const Raw, place: *mut Self, cx: &mut FromRawContext) {
        // SAFETY: the caller answers for both.
        unsafe { place.write(Self::from_raw(raw, cx)) }
    }
}

/// Reads a Rust value from a C node, if the node's tag is one that the type stands for.
///
/// Derived by `#[derive(FromRaw)]` for structs (one tag) and for enums whose variants hold nodes.
///
/// # Safety
///
/// [`write_node`](Self::write_node) leaves a value in its place.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of the syntax tree",
    label = "this type has no node tag",
    note = "a struct, or an enum of nodes, is one by `#[derive(FromRaw)]`: see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#items"
)]
pub unsafe trait FromNode<Node>: Sized {
    /// Reads the node that `node` points to, to where it is going to stay: a node is some words
    /// long, and moving them costs more than writing them. `None` if the tag belongs to another type.
    ///
    /// # Safety
    ///
    /// As for [`FromRaw::from_raw`], with `node` pointing to the header of a whole node; `place` may
    /// be written, and what it holds is not dropped.
    unsafe fn write_node(node: *const Node, place: *mut Option<Self>, cx: &mut FromRawContext);

    /// Reads the node that `node` points to; `None` if its tag belongs to another type.
    ///
    /// # Safety
    ///
    /// As for [`FromRaw::from_raw`], with `node` pointing to the header of a whole node.
    #[inline]
    unsafe fn from_node(node: *const Node, cx: &mut FromRawContext) -> Option<Self> {
        let mut place = MaybeUninit::uninit();
        // SAFETY: the caller answers for the node; whoever implements the trait, for the value.
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
/// - A node that begins with a [`Node`](Self::Node) whose tag is `TAG` is a whole `Self`.
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
    type NodeTag;

    /// The tag itself.
    const TAG: Self::NodeTag;
}

/// Writes a Rust value as its C twin.
///
/// Implemented for references, so that `into_` keeps its meaning: what is consumed is the `&T`.
/// Everything that the C value points to lies in the context's arena.
///
/// The trait is safe to implement, since what a foreign implementation writes never reaches the C
/// library: every call takes the types of this crate's own tree.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as the C type `{Raw}`",
    label = "no type shape writes this type as `{Raw}`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.IntoRaw.html#field-types"
)]
pub trait IntoRaw<Raw> {
    /// The C twin of `self`.
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> Raw;
}

/// The context of a conversion from C: its depth and its size, and the first mistake.
pub struct FromRawContext {
    error: Option<Error>,
    depth: Depth,
    /// How many nodes there may be, and how many of these are still to come.
    max_nodes: usize,
    nodes_left: usize,
    /// Where the text that was parsed starts in the one that locations are given for.
    offset: i32,
}

impl FromRawContext {
    /// A context for a tree with these limits; locations count from `offset` bytes before the text
    /// that was parsed.
    pub(crate) fn new(limits: Limits, offset: i32) -> Self {
        let Limits { max_depth, max_nodes } = limits;
        let depth = Depth::new(max_depth);
        Self { error: None, depth, max_nodes, nodes_left: max_nodes, offset }
    }

    /// The tree has at most so many levels, and no more than twice what it has or `SHALLOW`.
    pub(crate) fn levels(&self) -> usize {
        self.depth.next
    }

    /// Whether there has been a mistake. What is converted after it is thrown away.
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

    /// Counts a long string as so many nodes as it may take the memory of.
    pub(crate) fn count_string(&mut self, bytes: usize) -> bool {
        self.count(bytes / BYTES_PER_NODE)
    }

    #[cold]
    #[inline(never)]
    fn too_large(&mut self) {
        // What is still to come ends at once.
        self.nodes_left = 0;
        let max = self.max_nodes;
        self.fail(|| Error::too_many_nodes(max));
    }

    /// A location in the SQL; a negative one stands for none. So does 0, which the grammar leaves in some fields, where
    /// the SQL begins with a blank.
    #[inline]
    #[must_use]
    pub fn location(&self, location: i32) -> i32 {
        if location <= 0 { location } else { location.saturating_add(self.offset) }
    }

    /// The whole of a node whose tag is `TAG`.
    ///
    /// Derived code casts through this function, which asks for [`Tagged`] itself: the code around it
    /// names this crate by a path that its user may choose (`crate = path`), and a trait that it
    /// found there could be anybody's. It is not a method, since an extension trait could have one of
    /// the same name for `&mut FromRawContext`.
    #[inline]
    #[must_use]
    pub fn tagged<Raw: Tagged<TAG>, const TAG: u32>(node: *const Raw::Node) -> *const Raw {
        node.cast()
    }

    /// Runs `f` for the items of a list, one level below this one. It is left to `f` to count them.
    #[inline]
    pub(crate) fn enter_list<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        enter(self, R::default, f)
    }

    /// Runs `f` for a node one level below this one.
    ///
    /// Every type shape that leads from a node to another one goes through here: the node is counted,
    /// and the stack is made larger when it gets short. If the tree is too deep or too large, that is
    /// noted, and the result is the `Default`.
    ///
    /// [`FromRaw`](derive@crate::FromRaw#type-shapes-of-your-own) has an example.
    #[inline]
    pub fn enter<R: Default>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        if !self.count(1) {
            return R::default();
        }
        enter(self, R::default, f)
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

    /// Notes that a C string is not UTF-8.
    #[cold]
    pub(crate) fn invalid_encoding(&mut self, bytes: &[u8]) {
        self.fail(|| Error::invalid_encoding(bytes));
    }

    /// The value; or the first mistake, in the statement that starts at `start`.
    pub(crate) fn finish<T>(self, value: T, start: Option<usize>) -> Result<T, Error> {
        match self.error {
            None => Ok(value),
            Some(error) if error.is_limit() => Err(error.with_cursor(start)),
            Some(error) => Err(error),
        }
    }
}

impl Descends for FromRawContext {
    fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }

    fn fail(&mut self, error: impl FnOnce() -> Error) {
        self.error.get_or_insert_with(error);
    }
}

/// The context of a conversion to C: the arena for the C nodes, the depth, and the first mistake.
pub struct IntoRawContext<'a> {
    arena: &'a Bump,
    error: Option<Error>,
    depth: Depth,
    /// Whether what C cannot hold is replaced by what is next to it, and no mistake.
    replaces: bool,
}

/// What stands for a NUL in a string that is only read.
const IN_PLACE_OF_NUL: &str = "\u{FFFD}";

impl<'a> IntoRawContext<'a> {
    pub(crate) fn new(arena: &'a Bump) -> Self {
        // The C nodes are never dropped one by one: only memory bounds the depth.
        Self { arena, error: None, depth: Depth::new(usize::MAX), replaces: false }
    }

    /// A context for a tree that is only read: nothing in it is a mistake. A NUL in a string becomes
    /// U+FFFD, a number that is too large the largest that there is, a set that is too large none.
    pub(crate) fn replacing(arena: &'a Bump) -> Self {
        Self { replaces: true, ..Self::new(arena) }
    }

    /// Runs `f` for what a C pointer is to point to.
    #[inline]
    pub(crate) fn enter<Raw>(&mut self, f: impl FnOnce(&mut Self) -> *mut Raw) -> *mut Raw {
        enter(self, ptr::null_mut, f)
    }

    /// Writes `value` as a C struct of its own; the pointer lives as long as the arena.
    #[inline(never)]
    pub fn node<'t, T, Raw>(&mut self, value: &'t T) -> *mut Raw
    where
        &'t T: IntoRaw<Raw>,
    {
        // The place first, so that the struct is built in it and not moved there.
        let place = self.place(Layout::new::<Raw>()).cast::<Raw>();
        let raw = value.into_raw(self);
        // SAFETY: the place is as large as the struct and aligned for it, and the arena hands it out once.
        unsafe { place.write(raw) };
        place.as_ptr()
    }

    /// Room in the arena: one function, and not one for each struct.
    #[inline]
    fn place(&self, layout: Layout) -> NonNull<u8> {
        self.arena.alloc_layout(layout)
    }

    /// A C struct of zeroes, as `palloc0` makes new nodes, for fields that have no place in Rust.
    #[inline]
    #[must_use]
    pub fn zeroed<Raw: Tagged<TAG>, const TAG: u32>(&self) -> Raw {
        // SAFETY: whoever implements the trait says that zeroes are a value.
        unsafe { core::mem::zeroed() }
    }

    #[inline]
    pub(crate) fn alloc<Raw>(&mut self, raw: Raw) -> *mut Raw {
        const { assert!(!core::mem::needs_drop::<Raw>(), "C data has no destructor") };
        ptr::from_mut(self.arena.alloc(raw))
    }

    /// What `write` makes of each item, one behind the other.
    pub(crate) fn slice<T, Raw: Copy>(
        &mut self,
        items: &[T],
        mut write: impl FnMut(&T, &mut Self) -> Raw,
    ) -> &'a [Raw] {
        self.arena.alloc_slice_fill_iter(items.iter().map(|item| write(item, self)))
    }

    /// Room for a `Raw` with `count` times a `Cell` behind it, not initialised.
    #[inline]
    pub(crate) fn alloc_with_tail<Raw, Cell>(&mut self, count: usize) -> *mut Raw {
        const { assert!(align_of::<Cell>() <= align_of::<Raw>(), "the tail needs no padding") };
        let tail = count.saturating_mul(size_of::<Cell>());
        let size = tail.saturating_add(size_of::<Raw>());
        match Layout::from_size_align(size, align_of::<Raw>()) {
            Ok(layout) => self.arena.alloc_layout(layout).as_ptr().cast(),
            // No `Vec` of Rust is as long.
            Err(_) => unreachable!("{count} cells exceed the address space"),
        }
    }

    /// A copy of `text` with a NUL at the end, never a null pointer.
    ///
    /// A NUL inside the text cannot be written: it is an error of the conversion.
    #[inline]
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

    /// Notes that C cannot hold a value, unless what is put in its place will do.
    fn mistake(&mut self, error: impl FnOnce() -> Error) {
        if !self.replaces {
            self.fail(error);
        }
    }

    /// Notes that a number does not fit into the C type.
    #[cold]
    pub(crate) fn out_of_range(&mut self, value: i64, c_type: &str) {
        self.mistake(|| {
            Error::new(ErrorKind::Deparse, format!("{value} does not fit into a C {c_type}"))
        });
    }

    /// Notes that the C data would be larger than what it is made of can justify.
    #[cold]
    pub(crate) fn too_large(&mut self, message: impl FnOnce() -> String) {
        self.mistake(|| Error::new(ErrorKind::TooLarge, message()));
    }

    /// The value, or the first mistake.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Error> {
        match self.error {
            None => Ok(value),
            Some(error) => Err(error),
        }
    }
}

impl Descends for IntoRawContext<'_> {
    fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }

    fn fail(&mut self, error: impl FnOnce() -> Error) {
        self.error.get_or_insert_with(error);
    }
}
