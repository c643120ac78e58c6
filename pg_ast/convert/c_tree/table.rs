//! The table of the fields of C structs, for code that treats all nodes alike.

use core::slice;

use super::field_type::FieldType;
use crate::convert::enumeration::Constants;
use crate::convert::shared_nodes::is_shared;
use crate::foundation::hashing::HashPlace;
use crate::foundation::name::{FieldName, Name, StructName};

/// The struct of a node.
pub(crate) struct Struct {
    /// PostgreSQL's name for it.
    pub(crate) name: &'static str,
    /// The number of its tag.
    pub(crate) tag: u32,
    /// Its size in bytes.
    pub(crate) size: u16,
    pub(crate) align: u16,
    /// The data that the node writes into a fingerprint.
    pub(crate) counts: Counts,
    /// The name that it writes there before its fields, or before its value.
    pub(crate) before: StructName,
    /// The fields that count in a fingerprint, in the order of their C names; then the others.
    pub(crate) fields: &'static [Field],
    /// The number of fields that count.
    pub(crate) counted: u8,
    /// Whether the node is a statement.
    pub(crate) is_stmt: bool,
    /// The fields that can hold nodes, in the order of the schema.
    pub(crate) links: &'static [Link],
    /// Which of the fields have pointers: a bit for each.
    pub(crate) pointers: u64,
    /// The C fields that have no place in the tree, each with its offset and its size.
    pub(crate) unmapped: &'static [(usize, usize)],
}

impl Struct {
    /// `counted` is the number of fields that count.
    pub(crate) const fn new<S>(
        (name, tag): (&'static str, u32),
        counts: Counts,
        before: &str,
        fields: &'static [Field],
        links: &'static [Link],
        unmapped: &'static [(usize, usize)],
        (counted, is_stmt): (u8, bool),
    ) -> Self {
        Self {
            name,
            tag,
            size: short(size_of::<S>()),
            align: short(align_of::<S>()),
            counts,
            before: Name::new(before),
            fields,
            counted,
            is_stmt,
            links,
            pointers: pointers(fields),
            unmapped,
        }
    }

    /// Returns the fields in the order of the schema, which is that of a walk, of Protobuf numbers and of JSON.
    #[inline]
    pub(crate) fn in_order(&self) -> InOrder {
        InOrder { fields: self.fields, places: self.fields.iter() }
    }
}

/// The fields of a struct in the order of the schema.
#[derive(Clone, Default)]
pub(crate) struct InOrder {
    fields: &'static [Field],
    places: slice::Iter<'static, Field>,
}

impl Iterator for InOrder {
    type Item = &'static Field;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.fields.get(usize::from(self.places.next()?.in_this_place))
    }
}

impl DoubleEndedIterator for InOrder {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.fields.get(usize::from(self.places.next_back()?.in_this_place))
    }
}

/// A field of a struct that has a place in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// Its name in C, which is the one in libpg_query's JSON.
    pub(crate) name: FieldName,
    /// The index of the field that has this place in the order of the schema.
    in_this_place: u8,
    /// Its offset in the struct, in bytes.
    pub(crate) offset: u16,
    /// Its number in Protobuf; 0 for the oneof of a constant's value.
    pub(crate) number: u16,
    /// True if JSON contains it even with its default value.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) in_json: bool,
    /// For fingerprints: the place of the nodes in it. For a string, the place where it does not count.
    pub(crate) place: HashPlace,
    pub(crate) empty: Empty,
    pub(crate) kind: Kind,
}

impl Field {
    /// Returns whether the number in it is a place in the SQL.
    pub(crate) fn is_location(&self) -> bool {
        let name = self.name.as_str();
        matches!(self.kind, Kind::I32)
            && (name == "location"
                || ["_location", "list_start", "list_end"].iter().any(|end| name.ends_with(end)))
    }
}

/// A field that can hold nodes.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// The offset of the [`Field`].
    pub(crate) offset: u16,
    pub(crate) kind: Kind,
}

/// The data that a node writes into a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Nothing.
    Nothing,
    /// Its name and its fields.
    Fields,
    /// As defined in `version/fingerprint/rules.rs`.
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

/// A quick check for empty fields, which makes a walk over all fields fast.
#[derive(Clone, Copy)]
pub(crate) enum Empty {
    /// A null pointer.
    Pointer,
    /// A byte that is zero.
    Byte,
    /// Empty in a way that depends on its kind.
    Other,
}

/// The kind of value that a field holds. Node types are given by the numbers of their tags.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// No value: the header of a node inside of another one.
    Nothing,
    Bool,
    I16,
    I32,
    I64,
    U32,
    U64,
    F64,
    Char,
    /// A pointer to a C string.
    Text,
    /// A pointer to a list.
    List,
    /// A pointer to a node of any type.
    Node,
    /// A pointer to a node of this type.
    Child(u32),
    /// An embedded node of this type, whose own tag says something else.
    Embedded(u32),
    /// A constant of a C enum: its index in `ENUMERATIONS`.
    Enumeration(u8),
    /// A pointer to a set of numbers.
    Set,
    /// The value of a constant: a union of nodes.
    Constant,
    /// Of links only: a pointer to a node that may be left out in walks, see `convert/shared_nodes.rs`.
    SharedNode,
    /// The same for a pointer to a node of this type.
    SharedChild(u32),
    /// The same for a list.
    SharedList,
}

/// Returns which fields have pointers, or parts with pointers: a bit for each.
const fn pointers(fields: &[Field]) -> u64 {
    assert!(fields.len() <= 64, "a struct with more fields than a word has bits");
    let (mut bits, mut index) = (0, 0);
    while index < fields.len() {
        let is_pointer = matches!(
            fields[index].kind,
            Kind::Text
                | Kind::List
                | Kind::Node
                | Kind::Child(_)
                | Kind::Embedded(_)
                | Kind::Set
                | Kind::Constant
                | Kind::SharedNode
                | Kind::SharedList
        );
        bits |= (is_pointer as u64) << index;
        index += 1;
    }
    bits
}

/// A C enum, with its twin in the schema.
pub(crate) struct Enumeration {
    /// Returns the Protobuf number of a C constant; 0 for other values.
    pub(crate) number: fn(u32) -> i32,
    pub(crate) constants: &'static Constants,
}

impl Enumeration {
    /// Returns the name of a C constant; that of 0 for other values.
    pub(crate) fn name(&self, bits: u32) -> &'static str {
        self.constants.name((self.number)(bits)).unwrap_or_default()
    }
}

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

    /// Returns the kind of the link to nodes that the grammar shares.
    const fn shared(self) -> Self {
        match self {
            Self::Node => Self::SharedNode,
            Self::Child(tag) => Self::SharedChild(tag),
            Self::List => Self::SharedList,
            _ => panic!("no other field has nodes that are shared"),
        }
    }
}

/// The type of a field, and its place in the struct.
#[derive(Clone, Copy)]
pub(crate) struct TypedOffset {
    offset: u16,
    kind: Kind,
    place: HashPlace,
}

/// Returns the part that a field of a struct `S` is; the field's type determines its kind.
///
/// # Safety
///
/// `field` points to a field of the struct that `whole` points to.
// Structs are small. Pointers, since `offset_of!` is a constant of its own to the compiler, which takes longer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) const unsafe fn part<S, T: FieldType>(whole: *const S, field: *const T) -> TypedOffset {
    // SAFETY: the caller guarantees that both point into the same struct.
    let offset = unsafe { field.byte_offset_from(whole) } as usize;
    assert!(offset <= u16::MAX as usize);
    TypedOffset { offset: offset as u16, kind: T::KIND, place: HashPlace::NONE }
}

impl TypedOffset {
    /// Adds to the place for fingerprints.
    pub(crate) const fn and(mut self, place: HashPlace) -> Self {
        self.place = self.place.and(place);
        self
    }
}

/// Makes the entries of a struct's fields.
///
/// `names` has each name with a blank after it; `numbers` has for each field: the index of the one that has its place in
/// the schema, its number in Protobuf, and whether JSON always contains it.
pub(crate) const fn fields<const N: usize>(
    parts: [TypedOffset; N],
    names: &str,
    numbers: [(u8, (u16, bool)); N],
) -> [Field; N] {
    let mut fields = [Field::NOTHING; N];
    let (mut names, mut index) = (names, 0);
    while index < N {
        let TypedOffset { offset, kind, place } = parts[index];
        let (in_this_place, (number, in_json)) = numbers[index];
        let name;
        (name, names) = first_word(names);
        fields[index] = Field {
            name: Name::new(name),
            in_this_place,
            offset,
            number,
            in_json,
            place,
            empty: kind.empty(),
            kind,
        };
        index += 1;
    }
    assert!(names.is_empty());
    fields
}

/// Splits a text after its first word and the blank behind it.
const fn first_word(text: &str) -> (&str, &str) {
    let mut length = 0;
    while text.as_bytes()[length] != b' ' {
        length += 1;
    }
    let (word, rest) = text.split_at(length);
    (word, rest.split_at(1).1)
}

impl Field {
    const NOTHING: Self = Self {
        name: Name::new(""),
        in_this_place: 0,
        offset: 0,
        number: 0,
        in_json: false,
        place: HashPlace::NONE,
        empty: Empty::Other,
        kind: Kind::Nothing,
    };
}

/// Returns the offset of a field of a struct `S`, and its size in bytes.
pub(crate) const fn span<S, T>(offset: usize, _: fn(&S) -> &T) -> (usize, usize) {
    (offset, size_of::<T>())
}

/// Returns the size of a struct; a larger one does not compile.
#[allow(clippy::cast_possible_truncation)]
const fn short(size: usize) -> u16 {
    assert!(size <= u16::MAX as usize);
    size as u16
}

/// Returns the `N` fields of a struct that can hold nodes, in the order of the schema; another number of them does not
/// compile.
pub(crate) const fn links<const N: usize>(name: &str, fields: &[Field]) -> [Link; N] {
    let mut links = [Link { offset: 0, kind: Kind::Nothing }; N];
    let (mut index, mut count) = (0, 0);
    while index < fields.len() {
        let field = &fields[fields[index].in_this_place as usize];
        let Field { offset, kind, .. } = *field;
        if kind.is_link() {
            let is_shared = is_shared(name, field.name.as_bytes());
            links[count] = Link { offset, kind: if is_shared { kind.shared() } else { kind } };
            count += 1;
        }
        index += 1;
    }
    assert!(count == N);
    links
}
