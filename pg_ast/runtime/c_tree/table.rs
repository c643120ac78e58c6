//! What is where in the C structs: for the code that treats all nodes alike.

use super::in_c::InC;
use super::name::Name;
use super::shape::Shape;
use crate::runtime::hashing::Place;

/// The struct of a node.
pub(crate) struct Struct {
    /// What PostgreSQL calls it.
    pub(crate) name: &'static str,
    /// The number of its tag.
    pub(crate) tag: u32,
    /// How many bytes it has.
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// What the node writes into a fingerprint.
    pub(crate) counts: Counts,
    /// What it writes there before its fields, or before its value.
    pub(crate) before: Name,
    /// Those that make a difference to a fingerprint, in the order of their C names; then the others.
    pub(crate) fields: &'static [Field],
    /// How many make a difference.
    pub(crate) counted: u8,
    /// Whether the node is a statement.
    pub(crate) is_stmt: bool,
    /// Their indexes in the order of the schema, which is that of a walk, of the numbers in Protobuf, and of JSON.
    pub(crate) order: &'static [u8],
    /// Those of the fields in which nodes can be, in that order.
    pub(crate) links: &'static [Link],
    /// The C fields that have no place in the tree, each with its offset and its size.
    pub(crate) unmapped: &'static [(usize, usize)],
}

/// A field of a struct that has a place in the tree.
pub(crate) struct Field {
    /// Its name in C, which is the one in libpg_query's JSON.
    pub(crate) name: Name,
    /// Where it begins, in bytes from the start of the struct.
    pub(crate) offset: u16,
    /// Its number in Protobuf; 0 for the oneof of a constant's value.
    pub(crate) number: u16,
    /// Whether it stands in JSON even with its default value.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) in_json: bool,
    /// In a fingerprint: where it puts what it holds. Of a text, where it does not count.
    pub(crate) place: Place,
    pub(crate) empty: Empty,
    pub(crate) kind: Kind,
}

/// A field in which nodes can be.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// As in the [`Field`].
    pub(crate) offset: u16,
    pub(crate) kind: Kind,
}

/// What a node writes into a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Nothing.
    Nothing,
    /// Its name and its fields.
    Fields,
    /// What `version/fingerprint/rules.rs` says.
    ByRule(Rule),
}

/// The nodes with a rule of their own for fingerprints, each for the struct of its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    BitString,
    Boolean,
    Float,
    Integer,
    RangeVar,
    String,
    TypeCast,
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
    // Structs are small.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn new<S, T>(
        (name, number, in_json): (&str, u16, bool),
        place: Place,
        offset: usize,
        _: fn(&S) -> &T,
    ) -> Self
    where
        InC<T>: Shape,
    {
        assert!(offset <= u16::MAX as usize);
        let (offset, kind) = (offset as u16, <InC<T> as Shape>::KIND);
        Self { name: Name::new(name), offset, number, in_json, place, empty: kind.empty(), kind }
    }

    /// Where it is in a struct.
    #[inline]
    pub(crate) fn at(&self, whole: *const u8) -> *const u8 {
        whole.wrapping_byte_add(usize::from(self.offset))
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

/// Those of the fields that can hold nodes: so many, in the given order.
pub(crate) const fn links<const N: usize>(fields: &[Field], order: &[u8]) -> [Link; N] {
    let mut links = [Link { offset: 0, kind: Kind::Nothing }; N];
    let (mut index, mut count) = (0, 0);
    while index < order.len() {
        let Field { offset, kind, .. } = fields[order[index] as usize];
        if kind.is_link() {
            links[count] = Link { offset, kind };
            count += 1;
        }
        index += 1;
    }
    links
}
