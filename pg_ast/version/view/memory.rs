//! Reads C memory: the fields of a struct, the cells of a list, the words of a set.
//!
//! Views, fingerprints and copies read the nodes of a tree through these functions alone, and [`copies`] and [`changes`] are the
//! only places that write to nodes. Whoever makes an [`InC`] promises the whole tree below it, so reading has no further
//! conditions.

// The places of fields are counted in bytes; each is aligned, as its struct is.
#![allow(clippy::cast_ptr_alignment)]

#[cfg(feature = "plpgsql")]
pub(crate) mod arrays;
pub(crate) mod changes;
pub(crate) mod copies;
pub(crate) mod images;

use core::ffi::c_char;
use core::marker::PhantomData;
use core::slice;

use super::ffi::Parse;
use super::macros::field;
use super::names::raw::{self, NodeTag};
use super::node::structure_of;
use super::{Node, names};
use crate::convert::Tagged;
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Empty, Field, InOrder, Kind, Struct};

impl<'a> InC<'a, raw::Node> {
    /// Returns the tag of the node.
    #[inline]
    pub(crate) fn tag(self) -> NodeTag {
        field!(self.type_).get()
    }

    /// Returns the struct of the node; `None` for a list, and where there is no type for the tag.
    #[inline]
    pub(crate) fn structure(self) -> Option<StructInC<'a>> {
        let structure = structure_of(self.tag())?;
        // SAFETY: a node is a whole struct of the type that its tag says.
        Some(unsafe { StructInC::new(structure, self.as_ptr().cast()) })
    }

    /// Returns the node as a list, if it is one.
    #[inline]
    pub(crate) fn as_list(self) -> Option<InC<'a, raw::List>> {
        let is_list =
            matches!(self.tag(), NodeTag::T_List | NodeTag::T_IntList | NodeTag::T_OidList);
        // SAFETY: a node is a whole struct of the type that its tag says.
        is_list.then(|| unsafe { self.part(self.as_ptr().cast()) })
    }
}

/// The struct of a node, or one that is a part of another node.
#[derive(Clone, Copy)]
pub(crate) struct StructInC<'a> {
    structure: &'static Struct,
    at: *const u8,
    tree: PhantomData<&'a ()>,
}

impl<'a> StructInC<'a> {
    /// Joins a struct with its table.
    ///
    /// # Safety
    ///
    /// The table is that of the struct at `at`, which satisfies the conditions of [`InC::new`]. Of an `Integer`, only
    /// the number need be there.
    #[inline]
    pub(super) const unsafe fn new(structure: &'static Struct, at: *const u8) -> Self {
        Self { structure, at, tree: PhantomData }
    }

    /// Returns the table of the struct.
    #[inline]
    pub(crate) fn table(self) -> &'static Struct {
        self.structure
    }

    /// Returns the address of the struct.
    #[inline]
    pub(super) fn address(self) -> *const u8 {
        self.at
    }

    /// Returns the struct as one of a given type, if it is that.
    #[inline]
    pub(crate) fn typed<T, const TAG: u32>(self) -> Option<InC<'a, T>>
    where
        T: Tagged<TAG, Node = raw::Node>,
    {
        // SAFETY: the table is that of the struct; and a struct has the tag's name (`Tagged`).
        (self.structure.tag == TAG).then(|| unsafe { InC::new(self.at.cast()) })
    }

    /// Returns the fields that count in a fingerprint, in the order of their C names.
    #[inline]
    pub(crate) fn counted(self) -> impl Iterator<Item = FieldInC<'a>> {
        let counted = &self.structure.fields[..usize::from(self.structure.counted)];
        counted.iter().map(move |field| FieldInC::of(self, field))
    }

    /// Returns the fields in the order of the schema.
    #[inline]
    pub(crate) fn in_order(self) -> FieldsInOrder<'a> {
        FieldsInOrder { fields: self.structure.in_order(), at: self.at, tree: PhantomData }
    }

    /// Returns a field by its C name.
    pub(super) fn field(self, c_name: &str) -> Option<FieldInC<'a>> {
        let field = self.structure.fields.iter().find(|field| field.name.as_str() == c_name)?;
        Some(FieldInC::of(self, field))
    }

    /// Returns the location of the node's token, which is negative if there is none; `None` if there is no such field.
    pub(super) fn location(self) -> Option<i32> {
        let is_number = |field: &Field| matches!(field.kind, Kind::I32);
        // It is among the last ones, and the kind is compared faster than the name.
        let mut fields = self.structure.fields.iter().rev();
        let field = fields.find(|field| is_number(field) && field.name.as_str() == "location")?;
        match FieldInC::of(self, field).content() {
            ContentInC::I32(location) => Some(location),
            _ => None,
        }
    }

    /// Returns what is in the fields that can hold nodes, in the order of the schema.
    #[inline]
    pub(crate) fn links(self) -> impl DoubleEndedIterator<Item = ContentInC<'a>> {
        self.structure.links.iter().map(move |link| {
            // SAFETY: the links are those of the struct's table, which has their kinds from the types of its fields.
            unsafe { content(link.kind, self.at.wrapping_byte_add(usize::from(link.offset))) }
        })
    }
}

/// A field of a struct.
#[derive(Clone, Copy)]
pub(crate) struct FieldInC<'a> {
    /// Its entry in the table.
    table: &'static Field,
    at: *const u8,
    tree: PhantomData<&'a ()>,
}

impl<'a> FieldInC<'a> {
    /// The field is one of the struct's table: all callers are in this module.
    #[inline]
    fn of(whole: StructInC<'a>, table: &'static Field) -> Self {
        let at = whole.at.wrapping_byte_add(usize::from(table.offset));
        Self { table, at, tree: PhantomData }
    }

    /// Returns its entry in the table.
    #[inline]
    pub(crate) fn table(self) -> &'static Field {
        self.table
    }

    /// Returns what is in the field.
    #[inline]
    pub(crate) fn content(self) -> ContentInC<'a> {
        // SAFETY: the field is one of a struct's table, which has its kind from its type.
        unsafe { content(self.table.kind, self.at) }
    }

    /// Returns true if the field is empty, as far as that can be told quickly.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        // SAFETY: the table has this from the field's type, a pointer or a byte.
        unsafe {
            match self.table.empty {
                Empty::Pointer => self.at.cast::<*const u8>().read().is_null(),
                Empty::Byte => self.at.read() == 0,
                Empty::Other => false,
            }
        }
    }
}

/// The fields of a struct in the order of the schema.
#[derive(Clone)]
pub(crate) struct FieldsInOrder<'a> {
    fields: InOrder,
    at: *const u8,
    tree: PhantomData<&'a ()>,
}

/// The fields of a node without a struct.
impl Default for FieldsInOrder<'_> {
    fn default() -> Self {
        Self { fields: InOrder::default(), at: core::ptr::null(), tree: PhantomData }
    }
}

impl<'a> FieldsInOrder<'a> {
    #[inline]
    fn field(&self, table: &'static Field) -> FieldInC<'a> {
        let at = self.at.wrapping_byte_add(usize::from(table.offset));
        FieldInC { table, at, tree: PhantomData }
    }
}

impl<'a> Iterator for FieldsInOrder<'a> {
    type Item = FieldInC<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let table = self.fields.next()?;
        Some(self.field(table))
    }
}

impl DoubleEndedIterator for FieldsInOrder<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let table = self.fields.next_back()?;
        Some(self.field(table))
    }
}

/// What is in a field, by its kind; see [`Kind`].
#[derive(Clone, Copy)]
pub(crate) enum ContentInC<'a> {
    Nothing,
    Bool(bool),
    I16(i16),
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    F64(f64),
    Char(InC<'a, c_char>),
    Text(InC<'a, *const c_char>),
    List(Option<InC<'a, raw::List>>),
    Node(Option<InC<'a, raw::Node>>),
    /// Where all nodes have one type.
    Child(Option<InC<'a, raw::Node>>),
    Embedded(StructInC<'a>),
    /// With the index of the enum in `ENUMERATIONS`.
    Enumeration(u8, u32),
    Set(Option<InC<'a, raw::Bitmapset>>),
    Constant(Option<InC<'a, raw::Node>>),
    SharedNode(Option<InC<'a, raw::Node>>),
    SharedList(Option<InC<'a, raw::List>>),
}

/// Returns what is in a field.
///
/// # Safety
///
/// A field of that kind is at `at`, in a struct as in [`StructInC::new`].
// A caller matches on the result, which is one `match` with this one if it is inlined.
#[inline(always)]
#[allow(clippy::inline_always)]
unsafe fn content<'a>(kind: Kind, at: *const u8) -> ContentInC<'a> {
    macro_rules! read {
        ($type:ty) => {
            InC::<'a, $type>::new(at.cast())
        };
    }
    // SAFETY: the caller guarantees the field, whose kind determines its type.
    unsafe {
        match kind {
            Kind::Nothing => ContentInC::Nothing,
            Kind::Bool => ContentInC::Bool(read!(bool).get()),
            Kind::I16 => ContentInC::I16(read!(i16).get()),
            Kind::I32 => ContentInC::I32(read!(i32).get()),
            Kind::I64 => ContentInC::I64(read!(i64).get()),
            Kind::U32 => ContentInC::U32(read!(u32).get()),
            Kind::U64 => ContentInC::U64(read!(u64).get()),
            Kind::F64 => ContentInC::F64(read!(f64).get()),
            Kind::Char => ContentInC::Char(read!(c_char)),
            Kind::Text => ContentInC::Text(read!(*const c_char)),
            Kind::List => ContentInC::List(read!(*mut raw::List).target()),
            Kind::Node => ContentInC::Node(read!(*mut raw::Node).target()),
            // The target is a node of that type, so its header is one.
            Kind::Child(_) => ContentInC::Child(read!(*mut raw::Node).target()),
            Kind::Embedded(tag) => match structure_of(NodeTag(tag)) {
                Some(structure) => ContentInC::Embedded(StructInC::new(structure, at)),
                None => ContentInC::Nothing,
            },
            Kind::Enumeration(index) => ContentInC::Enumeration(index, read!(u32).get()),
            Kind::Set => ContentInC::Set(read!(*mut raw::Bitmapset).target()),
            Kind::Constant => ContentInC::Constant(read!(raw::ValUnion).node()),
            Kind::SharedNode | Kind::SharedChild(_) => {
                ContentInC::SharedNode(read!(*mut raw::Node).target())
            }
            Kind::SharedList => ContentInC::SharedList(read!(*mut raw::List).target()),
        }
    }
}

impl<'a> InC<'a, raw::ValUnion> {
    /// Returns the value of a constant; `None` for NULL.
    #[inline]
    pub(crate) fn node(self) -> Option<InC<'a, raw::Node>> {
        // SAFETY: each member of the union is a node, and the union holds a whole one of the type that its tag says.
        let node = unsafe { self.part(self.as_ptr().cast::<raw::Node>()) };
        (node.tag() != NodeTag::T_Invalid).then_some(node)
    }
}

impl<'a> InC<'a, raw::List> {
    /// Returns the list as a node.
    pub(crate) fn as_node(self) -> InC<'a, raw::Node> {
        // SAFETY: a list begins with its tag, as each node does, and the pointer may read all of it.
        unsafe { self.part(self.as_ptr().cast()) }
    }

    /// Returns the number of cells.
    #[inline]
    pub(crate) fn len(self) -> usize {
        usize::try_from(field!(self.length).get()).unwrap_or(0)
    }

    /// Returns the cells.
    #[inline]
    pub(crate) fn cells(self) -> Cells<'a> {
        let (tag, length) = (field!(self.type_).get(), self.len());
        if length == 0 {
            return Cells { tag, cells: &[] };
        }
        let elements = field!(self.elements).get();
        // SAFETY: a list has as many cells as it says, which nobody writes.
        Cells { tag, cells: unsafe { slice::from_raw_parts(elements, length) } }
    }
}

/// The cells of a list.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    /// The tag of the list, which says what they are.
    tag: NodeTag,
    cells: &'a [raw::ListCell],
}

impl<'a> Cells<'a> {
    /// The cells of no list.
    pub(crate) const NONE: Self = Self { tag: NodeTag::T_List, cells: &[] };

    /// Returns true if there are none.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the number of cells.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.cells.len()
    }

    /// Returns the item in the cell at an index.
    #[inline]
    pub(super) fn get(self, index: usize) -> Option<Node<'a>> {
        // SAFETY: the cell is one of the list with that tag.
        self.cells.get(index).map(|cell| unsafe { item(self.tag, cell) })
    }

    /// Returns the items.
    #[inline]
    pub(crate) fn items(self) -> impl DoubleEndedIterator<Item = Node<'a>> {
        // SAFETY: as above.
        self.cells.iter().map(move |cell| unsafe { item(self.tag, cell) })
    }

    /// Returns the cells of a list of nodes; none of a list of numbers.
    #[inline]
    pub(crate) fn nodes(self) -> NodeCells<'a> {
        NodeCells(if self.tag == NodeTag::T_List { self.cells } else { &[] })
    }
}

/// Returns the item in a cell.
///
/// # Safety
///
/// The cell is one of a list of a tree, and `tag` is that of the list.
#[inline]
unsafe fn item(tag: NodeTag, cell: &raw::ListCell) -> Node<'_> {
    match tag {
        // SAFETY: the tag says what the cells are.
        NodeTag::T_List => unsafe { node(cell) }.map_or(Node::Null, Node::of),
        NodeTag::T_IntList | NodeTag::T_OidList => {
            // SAFETY: as above. An Oid is as long as an int, and read as one in the owned tree.
            Node::number(unsafe { InC::new((&raw const *cell).cast()) })
        }
        _ => Node::Null,
    }
}

/// Returns the node in a cell.
///
/// # Safety
///
/// The cell is one of a list of nodes.
#[inline]
unsafe fn node(cell: &raw::ListCell) -> Option<InC<'_, raw::Node>> {
    // SAFETY: the caller guarantees the pointer, which is null or that of a node.
    unsafe { InC::<*mut raw::Node>::new((&raw const *cell).cast()).target() }
}

impl Parse {
    /// Returns the statements, for as long as `self` lives.
    pub(crate) fn stmts(
        &self,
    ) -> impl ExactSizeIterator<Item = InC<'_, raw::RawStmt>> + DoubleEndedIterator + Clone {
        let cells = self.list().map_or(Cells::NONE, InC::<raw::List>::cells);
        // SAFETY: as `list` says, the cells have RawStmts, and none is empty.
        unsafe { cells.nodes().of_type() }
    }
}

/// The cells of a list of statements that is not in C.
pub(super) struct StmtCells<'a> {
    cells: Vec<raw::ListCell>,
    tree: PhantomData<&'a ()>,
}

impl<'a> FromIterator<InC<'a, raw::RawStmt>> for StmtCells<'a> {
    fn from_iter<I: IntoIterator<Item = InC<'a, raw::RawStmt>>>(stmts: I) -> Self {
        let cell = |stmt: InC<'_, raw::RawStmt>| raw::ListCell {
            ptr_value: stmt.as_ptr().cast_mut().cast(),
        };
        Self { cells: stmts.into_iter().map(cell).collect(), tree: PhantomData }
    }
}

impl StmtCells<'_> {
    /// Returns the cells.
    pub(super) fn cells(&self) -> Cells<'_> {
        Cells { tag: NodeTag::T_List, cells: &self.cells }
    }
}

/// The cells of a list of nodes.
#[derive(Clone, Copy)]
pub(crate) struct NodeCells<'a>(&'a [raw::ListCell]);

impl<'a> NodeCells<'a> {
    /// Returns the number of cells.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// Returns the nodes as structs of the type `T`.
    ///
    /// # Safety
    ///
    /// They are, and no cell is empty.
    #[inline]
    pub(crate) unsafe fn of_type<T>(
        self,
    ) -> impl ExactSizeIterator<Item = InC<'a, T>> + DoubleEndedIterator + Clone {
        // SAFETY: the caller guarantees the nodes.
        self.0.iter().map(|cell| unsafe { InC::new(cell.ptr_value.cast_const().cast()) })
    }

    /// Returns the nodes; `None` for an empty cell.
    #[inline]
    pub(crate) fn iter(
        self,
    ) -> impl ExactSizeIterator<Item = Option<InC<'a, raw::Node>>> + DoubleEndedIterator + Clone
    {
        // SAFETY: the cells are those of a list of nodes.
        self.0.iter().map(|cell| unsafe { node(cell) })
    }
}

impl<'a> InC<'a, raw::Bitmapset> {
    /// Returns the words that have a bit for each member.
    pub(crate) fn words(self) -> &'a [raw::bitmapword] {
        let count = usize::try_from(field!(self.nwords).get()).unwrap_or(0);
        let words = field!(self.words).as_ptr().cast();
        // SAFETY: a set has as many words as it says, behind its struct, which nobody writes.
        unsafe { slice::from_raw_parts(words, count) }
    }
}
