//! Messages as Protobuf: written and read field by field, over the table of their fields.

use prost::DecodeError;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_varint, merge_loop,
};

use super::message::{DynMessage, MessageTable};
use super::message_table::MessageField;
use crate::formats::decode::{as_prost, buffer_underflow, nested, skip_field};
use crate::foundation::reversed::Reversed;
use crate::foundation::stack::with_stack_dyn;

/// Encodes a message as Protobuf.
#[inline(never)]
pub(crate) fn encode(message: &DynMessage) -> Vec<u8> {
    let mut out = Reversed::Bytes(Vec::with_capacity(encoded_len(message)));
    encode_fields(message, &mut out);
    out.finish()
}

/// Appends a message as Protobuf.
pub(crate) fn encode_into<B: BufMut>(message: &DynMessage, buf: &mut B) {
    buf.put_slice(&encode(message));
}

/// Returns the number of these bytes.
#[inline(never)]
pub(crate) fn encoded_len(message: &DynMessage) -> usize {
    let mut out = Reversed::Length(0);
    encode_fields(message, &mut out);
    out.len()
}

fn encode_fields(message: &DynMessage, out: &mut Reversed) {
    for (field, value) in message.fields().rev() {
        value.encode(field.number(), out);
    }
}

pub(crate) fn encode_message(message: &DynMessage, number: u32, out: &mut Reversed) {
    let end = out.len();
    with_stack_dyn(&mut || encode_fields(message, out));
    out.length(end, number);
}

impl MessageTable {
    /// Returns the index of the field with a number.
    fn index(&self, number: u32) -> Option<usize> {
        let has = |field: &MessageField| field.has_number(number);
        let is = |index: &usize| self.fields.get(*index).is_some_and(has);
        // Fields are numbered from 1 on, nearly always without gaps.
        let guess = (number as usize).checked_sub(1).filter(is);
        guess.or_else(|| (0..self.fields.len()).find(is))
    }
}

/// Reads one field of a message.
pub(crate) fn merge_field(
    message: &mut DynMessage,
    number: u32,
    wire_type: WireType,
    bytes: &mut &[u8],
) -> Result<(), DecodeError> {
    let table = message.table();
    let index = table.index(number);
    match index.and_then(|index| message.field_mut(index)) {
        Some((field, value)) => value.merge(number, wire_type, bytes).map_err(|mut error| {
            error.push(table.name, field.name);
            error
        }),
        None => skip_field(wire_type, number, bytes),
    }
}

/// Reads a message in a field.
pub(crate) fn merge_message(
    mut message: &mut DynMessage,
    wire_type: WireType,
    bytes: &mut &[u8],
) -> Result<(), DecodeError> {
    prost::encoding::check_wire_type(WireType::LengthDelimited, wire_type)?;
    nested(&mut || {
        merge_loop(&mut message, bytes, DecodeContext::default(), |message, bytes, _| {
            let (number, wire_type) = decode_key(bytes)?;
            merge_field(*message, number, wire_type, bytes)
        })
    })
}

/// Reads one field of a message from bytes that may be in pieces.
pub(crate) fn merge_from<B: Buf>(
    message: &mut DynMessage,
    number: u32,
    wire_type: WireType,
    buf: &mut B,
) -> Result<(), DecodeError> {
    if message.table().index(number).is_none() {
        return skip_field(wire_type, number, buf);
    }
    let value = one_value(wire_type, buf)?;
    as_prost(|| merge_field(message, number, wire_type, &mut value.as_slice()))
}

/// Returns the bytes of a field's value, in one piece; none for a group.
fn one_value<B: Buf>(wire_type: WireType, buf: &mut B) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Vec::new();
    let len = match wire_type {
        WireType::Varint => {
            encode_varint(decode_varint(buf)?, &mut bytes);
            0
        }
        WireType::ThirtyTwoBit => 4,
        WireType::SixtyFourBit => 8,
        WireType::LengthDelimited => {
            let len = decode_varint(buf)?;
            encode_varint(len, &mut bytes);
            len
        }
        WireType::StartGroup | WireType::EndGroup => 0,
    };
    let Some(len) = usize::try_from(len).ok().filter(|len| *len <= buf.remaining()) else {
        return buffer_underflow().map(|()| bytes);
    };
    prost::bytes::BufMut::put(&mut bytes, buf.take(len));
    Ok(bytes)
}
