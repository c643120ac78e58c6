//! Decoding without prost's bound of 100 levels: with a bound that the caller sets, and on any stack.
//!
//! prost counts levels in its `DecodeContext`, which only prost can change. So each value gets a
//! fresh one, and the levels are counted here.

use core::cell::Cell;

use ::prost::DecodeError;
use ::prost::bytes::Buf;
use ::prost::encoding::{DecodeContext, WireType, decode_key, decode_varint};

use crate::foundation::stack::{with_room, with_stack};

/// A level of a tree is a node in a `Node`, or less.
pub(crate) const MESSAGES_PER_LEVEL: usize = 2;

/// The decoding that is running on this thread.
#[derive(Clone, Copy)]
struct Decoding {
    /// The number of messages that may still be nested in this one.
    left: usize,
    max: usize,
    /// True if there were more.
    exceeded: bool,
}

thread_local! {
    static DECODING: Cell<Option<Decoding>> = const { Cell::new(None) };
}

/// Returns the running decoding. (A thread that is ending has none: there, prost counts.)
fn current() -> Option<Decoding> {
    DECODING.try_with(Cell::get).ok().flatten()
}

fn set(decoding: Option<Decoding>) {
    let _ = DECODING.try_with(|cell| cell.set(decoding));
}

/// The reason why bytes could not be decoded.
pub(crate) enum Failure {
    /// More messages are nested than allowed.
    TooDeep,
    Malformed(DecodeError),
}

/// Runs `decode`, with up to `max` messages nested in the outermost one.
///
/// It always has enough stack to drop that many by drop glue. prost drops parts of a tree
/// when it finds an error after them, or another node that replaces one, and offers no way to
/// take them.
pub(crate) fn run(
    max: usize,
    decode: impl FnOnce() -> Result<(), DecodeError>,
) -> Result<(), Failure> {
    /// Puts back what was there, also when `decode` panics.
    struct End(Option<Decoding>);

    impl Drop for End {
        fn drop(&mut self) {
            set(self.0);
        }
    }

    let _end = End(current());
    set(Some(Decoding { left: max, max, exceeded: false }));
    with_room(max / MESSAGES_PER_LEVEL, decode).map_err(|error| match current() {
        Some(Decoding { exceeded: true, .. }) => Failure::TooDeep,
        _ => Failure::Malformed(error),
    })
}

/// The number of messages that prost nests in one another.
const MAX_OF_PROST: usize = 100;

/// Decodes for prost's own `decode`: with its bound, unless another one is set.
pub(crate) fn as_prost(
    decode: impl FnOnce() -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    // Another crate of the program can turn the bound off (prost's feature `no-recursion-limit`); then there
    // is no count in the context.
    if current().is_some() || size_of::<DecodeContext>() == 0 {
        return decode();
    }
    match run(MAX_OF_PROST, decode) {
        Ok(()) => Ok(()),
        Err(Failure::TooDeep) => with_room(MAX_OF_PROST, recursion_limit_reached),
        Err(Failure::Malformed(error)) => Err(error),
    }
}

/// Decodes a message that is nested in another one.
pub(crate) fn nested(
    merge: &mut dyn FnMut() -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    // Without a bound, or on a thread that is ending.
    let Some(decoding) = current() else { return with_stack(merge) };
    let Some(left) = decoding.left.checked_sub(1) else {
        set(Some(Decoding { exceeded: true, ..decoding }));
        // Any error: the caller of `run` replaces it.
        return buffer_underflow();
    };
    set(Some(Decoding { left, ..decoding }));
    with_room(decoding.max / MESSAGES_PER_LEVEL, merge)?;
    // After a mistake, which ends all of it, nobody asks for this any more.
    set(Some(decoding));
    Ok(())
}

/// Returns the error that prost has for a value: nobody else can make one with its message.
#[cold]
fn error_of_prost(wire_type: WireType, mut value: &[u8]) -> Result<(), DecodeError> {
    ::prost::encoding::skip_field(wire_type, 1, &mut value, DecodeContext::default())
}

/// More messages are nested than prost allows: it has the same error for groups.
fn recursion_limit_reached() -> Result<(), DecodeError> {
    // Each byte begins a group.
    error_of_prost(WireType::StartGroup, &[0x0b; MAX_OF_PROST])
}

/// A value ends behind the input.
pub(crate) fn buffer_underflow() -> Result<(), DecodeError> {
    error_of_prost(WireType::LengthDelimited, &[1])
}

/// A group ends that has not begun.
fn unexpected_end_of_group() -> Result<(), DecodeError> {
    error_of_prost(WireType::EndGroup, &[])
}

/// Skips the value of an unknown field.
///
/// prost's own function calls itself for each group in a group. That has no bound where another
/// crate of the program has turned it off (prost's feature `no-recursion-limit`); here the groups
/// that are open are on the heap.
pub(crate) fn skip_field(
    mut wire_type: WireType,
    mut tag: u32,
    buf: &mut impl Buf,
) -> Result<(), DecodeError> {
    let mut groups = Vec::new();
    loop {
        let len = match wire_type {
            WireType::Varint => decode_varint(buf).map(|_| 0)?,
            WireType::ThirtyTwoBit => 4,
            WireType::SixtyFourBit => 8,
            WireType::LengthDelimited => decode_varint(buf)?,
            WireType::StartGroup => {
                groups.push(tag);
                0
            }
            WireType::EndGroup if groups.pop() == Some(tag) => 0,
            WireType::EndGroup => return unexpected_end_of_group(),
        };
        let Some(len) = usize::try_from(len).ok().filter(|len| *len <= buf.remaining()) else {
            return buffer_underflow();
        };
        buf.advance(len);
        if groups.is_empty() {
            return Ok(());
        }
        (tag, wire_type) = decode_key(buf)?;
    }
}
