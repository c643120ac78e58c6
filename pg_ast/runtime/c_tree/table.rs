//! What is where in the C structs: for the code that treats all nodes alike.

use super::in_c::InC;
use super::shape::Shape;
use crate::runtime::hashing::{Name, Place};

/// The struct of a node.
pub(crate) struct Struct {
    /// What PostgreSQL calls it.
    pub(crate) name: &'static str,
    /// The number of its tag.
    pub(crate) tag: u32,
    /// How many bytes it has.
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// In the order of the schema, which is that of a walk, of the numbers in Protobuf, and of JSON.
    pub(crate) fields: &'static [Field],
    /// Those of the fields in which nodes can be.
    pub(crate) links: &'static [Field],
    /// The C fields that have no place in the tree, each with its offset and its size.
    pub(crate) unmapped: &'static [(usize, usize)],
    /// What the node writes into a fingerprint.
    pub(crate) counts: Counts,
    /// What it writes before its fields, or before its value.
    pub(crate) before: Name,
    /// Those of the fields that make a difference, in the order of their C names.
    pub(crate) counted: &'static [Counted],
}

/// What a node writes into a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Nothing.
    Nothing,
    /// Its name and its fields.
    Fields,
    /// What `version/fingerprint/rules.rs` says.
    ByRule,
}

/// A field that makes a difference to a fingerprint.
pub(crate) struct Counted {
    /// Its name in C.
    pub(crate) name: Name,
    /// As in the [`Field`].
    pub(crate) offset: u16,
    /// Where it puts what it holds. Of a text, where it does not count.
    pub(crate) place: Place,
    pub(crate) empty: Empty,
    pub(crate) kind: Kind,
}

/// How a field is empty: what can be seen at a glance, which makes a walk over all fields fast.
#[derive(Clone, Copy)]
pub(crate) enum Empty {
    /// A null pointer.
    Pointer,
    /// A byte that is zero.
    Byte,
    /// In a way of its kind.
    Other,
}

impl Counted {
    /// This one of the fields.
    // Structs are small.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn new(fields: &[Field], index: usize, place: Place) -> Self {
        let Field { c_name, offset, kind, .. } = fields[index];
        assert!(offset <= u16::MAX as usize);
        Self { name: Name::new(c_name), offset: offset as u16, place, empty: kind.empty(), kind }
    }
}

/// A field of a struct that has a place in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// Its name in C, which is the one in libpg_query's JSON.
    pub(crate) c_name: &'static str,
    /// Its number in Protobuf; 0 for the oneof of a constant's value.
    pub(crate) number: u32,
    /// Whether it stands in JSON even with its default value.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) in_json: bool,
    /// Where it begins, in bytes from the start of the struct.
    pub(crate) offset: usize,
    pub(crate) kind: Kind,
}

/// What a field holds. Nodes are given by the numbers of their tags.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// What has no value of its own: the header of a node in another one.
    Nothing,
    Bool,
    I16,
    I32,
    I64,
    U32,
    U64,
    F64,
    Char,
    /// A pointer to a string.
    Text,
    /// A pointer to a list.
    List,
    /// A pointer to a node of any type.
    Node,
    /// A pointer to a node of this type.
    Child(u32),
    /// A node of this type by itself, whose own tag says something else.
    Embedded(u32),
    /// A constant of a C enum.
    Enumeration(Enumeration),
    /// A pointer to a set of numbers.
    Set,
    /// The value of a constant: a union of nodes.
    Constant,
}

/// Gives the number in Protobuf of a constant of a C enum, and its name. For what is no constant these are those of 0.
pub(crate) type Enumeration = fn(u32) -> (i32, &'static str);

impl Kind {
    const fn empty(self) -> Empty {
        match self {
            Self::Text | Self::List | Self::Node | Self::Child(_) => Empty::Pointer,
            Self::Bool | Self::Char => Empty::Byte,
            _ => Empty::Other,
        }
    }

    const fn is_link(self) -> bool {
        matches!(
            self,
            Self::Node | Self::Child(_) | Self::Embedded(_) | Self::List | Self::Constant
        )
    }
}

impl Field {
    /// A field of a struct `S`, whose type answers for its kind.
    pub(crate) const fn new<S, T>(
        schema: (&'static str, u32, bool),
        offset: usize,
        _: fn(&S) -> &T,
    ) -> Self
    where
        InC<T>: Shape,
    {
        let (c_name, number, in_json) = schema;
        Self { c_name, number, in_json, offset, kind: <InC<T> as Shape>::KIND }
    }
}

/// Where a field of a struct `S` is that begins at an offset, and how many bytes it has.
pub(crate) const fn span<S, T>(offset: usize, _: fn(&S) -> &T) -> (usize, usize) {
    (offset, size_of::<T>())
}

/// How many of the fields can hold nodes.
pub(crate) const fn count_links(fields: &[Field]) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < fields.len() {
        count += fields[index].kind.is_link() as usize;
        index += 1;
    }
    count
}

/// Those of the fields that can hold nodes: so many.
pub(crate) const fn links<const N: usize>(fields: &[Field]) -> [Field; N] {
    const NONE: Field =
        Field { c_name: "", number: 0, in_json: false, offset: 0, kind: Kind::Nothing };
    let mut links = [NONE; N];
    let (mut index, mut count) = (0, 0);
    while index < fields.len() {
        if fields[index].kind.is_link() {
            links[count] = fields[index];
            count += 1;
        }
        index += 1;
    }
    links
}
