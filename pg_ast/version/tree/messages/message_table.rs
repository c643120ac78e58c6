//! The table of a message's fields, for code that treats all messages alike.
//!
//! There are some 1,400 fields in each PostgreSQL version, so an entry is small, and has few pointers: with its
//! relocation, which is applied when the program starts, a pointer takes 32 bytes.

// The places of fields are counted in bytes; each is aligned, as its message is.
#![allow(clippy::cast_ptr_alignment)]

use core::any::Any;
use core::ptr;

#[cfg(feature = "serde")]
use super::contents::Form;
use super::copy::Detach;
use super::message::{DynMessage, Message};
use super::names::protobuf::Node;
use super::values::{DynValue, Value};
use super::walk::HoldsNodes;
use crate::convert::enumeration::{Constants, NamedEnum};
use crate::convert::shared_nodes::{is_shared, may_have_copies};
use crate::foundation::bits::SetBits;

/// The fields are an array in place, without a pointer to it.
pub(crate) struct MessageTable<F: ?Sized = [MessageField]> {
    pub(crate) name: &'static str,
    /// Whether one of the fields is shared.
    pub(crate) shares: bool,
    /// A bit for each field that can hold nodes: walks pass over the others, which are most of them.
    pub(crate) holds: u64,
    /// Whether there may be copies of nodes below it, see [`has_copies`](super::super::shared::has_copies).
    pub(crate) copies: bool,
    /// [`Detach::detach`] of the message in a place.
    pub(crate) detach: unsafe fn(*mut u8),
    /// In the order of their numbers.
    pub(crate) fields: F,
}

#[derive(Clone, Copy)]
pub(crate) struct MessageField {
    value: ValueType,
    pub(crate) name: &'static str,
    /// The first and the last number in Protobuf: the same, except for an enum of nodes.
    numbers: (u16, u16),
    /// Its offset in the message, in bytes.
    offset: u16,
    pub(crate) nodes: NodeCount,
    /// Whether its nodes may be left out in walks, see `convert/shared_nodes.rs`.
    pub(crate) is_shared: bool,
    pub(crate) place: PlaceKind,
    /// Its form in serde; `None` for an enum of nodes, since its variants have the names.
    #[cfg(feature = "serde")]
    pub(crate) json: Option<(&'static str, Form)>,
}

/// What a number says about a place in the SQL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    /// Nothing: it is no place.
    None,
    /// The location of the node's token.
    Location,
    /// The location of something else.
    Other,
    Length,
}

/// How many nodes the fields of a type can hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeCount {
    None,
    One,
    Many,
}

/// The type of a field. Those of most fields have a variant each, which takes no pointer.
#[derive(Clone, Copy)]
enum ValueType {
    Bool,
    I32,
    /// A constant of an enumeration: prost's `i32`.
    Constant(&'static Constants),
    Text,
    Node,
    Nodes,
    /// Another one, given by the conversion of a pointer to that place.
    Other(fn(*mut u8) -> *mut DynValue),
}

/// A field that can hold nodes. Most have one of two types, of which a walk knows where the nodes are.
pub(crate) enum FieldNodes<'a> {
    Node(&'a Option<Box<Node>>),
    Nodes(&'a Vec<Node>),
    Other(&'a DynValue),
}

/// Like [`FieldNodes`], but mutable.
pub(crate) enum FieldNodesMut<'a> {
    Node(&'a mut Option<Box<Node>>),
    Nodes(&'a mut Vec<Node>),
    Other(&'a mut DynValue),
}

/// The type of a field, and its place in the message.
#[derive(Clone, Copy)]
pub(crate) struct FieldPlace {
    value: ValueType,
    nodes: NodeCount,
    offset: u16,
}

impl FieldPlace {
    /// # Safety
    ///
    /// `field` points to a field of the message that `whole` points to, and `value` is its type.
    // Pointers, since `offset_of!` is a constant of its own to the compiler, which takes longer.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    const unsafe fn new<M, T: HoldsNodes>(
        value: ValueType,
        whole: *const M,
        field: *const T,
    ) -> Self {
        assert!(size_of::<M>() <= u16::MAX as usize);
        // SAFETY: the caller guarantees that both point into the same message.
        let offset = unsafe { field.byte_offset_from(whole) } as u16;
        Self { value, nodes: T::NODES, offset }
    }
}

/// Functions for the types that many fields have.
macro_rules! parts {
    ($($name:ident $type:ty = $value:ident;)*) => {$(
        /// # Safety
        ///
        /// `field` points to a field of the message that `whole` points to.
        pub(crate) const unsafe fn $name<M>(whole: *const M, field: *const $type) -> FieldPlace {
            // SAFETY: the caller guarantees the pointers; the types are the same.
            unsafe { FieldPlace::new(ValueType::$value, whole, field) }
        }
    )*};
}
parts! {
    flag bool = Bool;
    number i32 = I32;
    text String = Text;
    node Option<Box<Node>> = Node;
    nodes Vec<Node> = Nodes;
}

/// A constant of the enumeration `E`.
///
/// # Safety
///
/// `field` points to a field of the message that `whole` points to.
pub(crate) const unsafe fn constant<E: NamedEnum, M>(
    whole: *const M,
    field: *const i32,
) -> FieldPlace {
    // SAFETY: the caller guarantees the pointers; a constant is an `i32`.
    unsafe { FieldPlace::new(ValueType::Constant(E::CONSTANTS), whole, field) }
}

/// A field of any type.
///
/// # Safety
///
/// `field` points to a field of the message that `whole` points to.
pub(crate) const unsafe fn other<M, T: HoldsNodes + Value>(
    whole: *const M,
    field: *const T,
) -> FieldPlace {
    // SAFETY: the caller guarantees the pointers, and the conversion is to the field's type.
    unsafe { FieldPlace::new(ValueType::Other(|place| place.cast::<T>()), whole, field) }
}

impl<const N: usize> MessageTable<[MessageField; N]> {
    /// `names` has for each field its name, and that in JSON; `numbers` its first and its last number, its kind of place, and its form in JSON.
    pub(crate) const fn new<M: Message + Detach>(
        name: &'static str,
        names: [(&'static str, &'static str); N],
        numbers: [(u16, u16, u8, u8); N],
        parts: [FieldPlace; N],
    ) -> Self {
        // A bit for each, in `holds`; JSON is read and written with one for each, too.
        assert!(N <= 64);
        let mut index = 0;
        let mut fields = [MessageField::NOTHING; N];
        let (mut shares, mut holds) = (false, 0);
        while index < N {
            let field = MessageField::new(parts[index], names[index], numbers[index]);
            let is_shared = is_shared(name, field.name.as_bytes());
            shares |= is_shared;
            if field.holds_nodes() {
                holds |= 1 << index;
            }
            fields[index] = MessageField { is_shared, ..field };
            assert!(index == 0 || fields[index - 1].numbers.1 < fields[index].numbers.0);
            index += 1;
        }
        Self { name, shares, holds, copies: may_have_copies(name), detach: M::detach, fields }
    }
}

impl MessageField {
    /// Returns whether its type can hold nodes.
    pub(crate) const fn holds_nodes(&self) -> bool {
        !matches!(self.nodes, NodeCount::None)
    }

    const NOTHING: Self = Self {
        value: ValueType::Bool,
        name: "",
        numbers: (0, 0),
        offset: 0,
        nodes: NodeCount::None,
        is_shared: false,
        place: PlaceKind::None,
        #[cfg(feature = "serde")]
        json: None,
    };

    const fn new(
        FieldPlace { value, nodes, offset }: FieldPlace,
        #[allow(unused_variables)] // without serde
        (name, in_json): (&'static str, &'static str),
        #[allow(unused_variables)] // without serde
        (first, last, place, form): (u16, u16, u8, u8),
    ) -> Self {
        let place = match place {
            0 => PlaceKind::None,
            1 => PlaceKind::Location,
            2 => PlaceKind::Other,
            3 => PlaceKind::Length,
            _ => panic!("no kind of place has this number"),
        };
        Self {
            value,
            name,
            numbers: (first, last),
            offset,
            nodes,
            is_shared: false,
            place,
            #[cfg(feature = "serde")]
            json: match Form::with_number(form) {
                Some(form) => Some((in_json, form)),
                None => None,
            },
        }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn form(&self) -> Option<Form> {
        self.json.map(|(_, form)| form)
    }

    /// Returns the number in Protobuf; the first one for an enum of nodes.
    pub(crate) fn number(&self) -> u32 {
        self.numbers.0.into()
    }

    /// Returns whether the field has this number in Protobuf.
    pub(crate) fn has_number(&self, number: u32) -> bool {
        u32::from(self.numbers.0) <= number && number <= self.numbers.1.into()
    }

    /// Returns the enumeration that the number is a constant of.
    pub(crate) fn constants(&self) -> Option<&'static Constants> {
        match self.value {
            ValueType::Constant(constants) => Some(constants),
            _ => None,
        }
    }

    /// Returns the field of the message at this address.
    fn at(&self, message: *mut u8) -> *mut DynValue {
        let place = message.wrapping_add(self.offset.into());
        match self.value {
            ValueType::Bool => place.cast::<bool>(),
            ValueType::I32 | ValueType::Constant(_) => place.cast::<i32>(),
            ValueType::Text => place.cast::<String>(),
            ValueType::Node => place.cast::<Option<Box<Node>>>(),
            ValueType::Nodes => place.cast::<Vec<Node>>(),
            ValueType::Other(convert) => convert(place),
        }
    }
}

// A table, since a method for each message would repeat the same code about a thousand times.
impl DynMessage {
    /// Returns the fields in the order of their numbers.
    pub(crate) fn fields(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        self.fields_from(0)
    }

    /// Returns the fields from an index in the table on.
    fn fields_from(
        &self,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        let message = ptr::from_ref(self).cast_mut().cast::<u8>();
        let fields = self.table().fields.get(index..).unwrap_or_default();
        fields.iter().map(move |field| {
            // SAFETY: the table is the message's own, so the message has such a field, which is borrowed like
            // the message.
            (field, unsafe { &*field.at(message) })
        })
    }

    /// Like [`fields`](Self::fields), but mutable.
    pub(crate) fn fields_mut(
        &mut self,
    ) -> impl Iterator<Item = (&'static MessageField, &mut DynValue)> {
        self.fields_from_mut(0)
    }

    fn fields_from_mut(
        &mut self,
        index: usize,
    ) -> impl Iterator<Item = (&'static MessageField, &mut DynValue)> {
        let fields = self.table().fields.get(index..).unwrap_or_default();
        let message = ptr::from_mut(self).cast::<u8>();
        fields.iter().map(move |field| {
            // SAFETY: as above; the table has each field once, so that none is borrowed twice.
            (field, unsafe { &mut *field.at(message) })
        })
    }

    /// Returns the fields that can hold nodes, in the order of their numbers; without one that holds copies of others,
    /// unless `all` are wanted.
    #[inline]
    pub(crate) fn links(
        &self,
        all: bool,
    ) -> impl Iterator<Item = (&'static MessageField, FieldNodes<'_>)> {
        let (table, fields) = self.linking(all);
        let message = ptr::from_ref(self).cast_mut().cast::<u8>();
        fields.filter_map(|index| table.fields.get(index)).map(move |field| {
            let place = message.wrapping_add(field.offset.into());
            // SAFETY: the table is the message's own, so the message has such a field, of this type, which is borrowed
            // like the message.
            let link = unsafe {
                match field.value {
                    ValueType::Node => FieldNodes::Node(&*place.cast()),
                    ValueType::Nodes => FieldNodes::Nodes(&*place.cast()),
                    _ => FieldNodes::Other(&*field.at(message)),
                }
            };
            (field, link)
        })
    }

    /// Like [`links`](Self::links), but mutable.
    #[inline]
    pub(crate) fn links_mut(&mut self, all: bool) -> impl Iterator<Item = FieldNodesMut<'_>> {
        let (table, fields) = self.linking(all);
        let message = ptr::from_mut(self).cast::<u8>();
        fields.filter_map(|index| table.fields.get(index)).map(move |field| {
            let place = message.wrapping_add(field.offset.into());
            // SAFETY: as above; each field is returned once, so that none is borrowed twice.
            unsafe {
                match field.value {
                    ValueType::Node => FieldNodesMut::Node(&mut *place.cast()),
                    ValueType::Nodes => FieldNodesMut::Nodes(&mut *place.cast()),
                    _ => FieldNodesMut::Other(&mut *field.at(message)),
                }
            }
        })
    }

    /// Returns the table, and the indexes of these fields in it.
    #[inline]
    fn linking(&self, all: bool) -> (&'static MessageTable, SetBits) {
        let table = self.table();
        let mut fields = table.holds;
        if table.shares && !all && self.holds_copies() {
            for (index, field) in table.fields.iter().enumerate() {
                fields &= !(u64::from(field.is_shared) << index);
            }
        }
        (table, SetBits(fields))
    }

    /// Returns the field at an index in the table.
    #[cfg(feature = "serde")]
    pub(crate) fn field(&self, index: usize) -> Option<(&'static MessageField, &DynValue)> {
        self.fields_from(index).next()
    }

    /// Like [`field`](Self::field), but mutable.
    pub(crate) fn field_mut(
        &mut self,
        index: usize,
    ) -> Option<(&'static MessageField, &mut DynValue)> {
        self.fields_from_mut(index).next()
    }

    /// Returns the location of the node's token, if it has one.
    pub(crate) fn location(&self) -> Option<i32> {
        let (_, value) = self.fields().find(|(field, _)| field.place == PlaceKind::Location)?;
        (value as &dyn Any).downcast_ref().copied()
    }
}
