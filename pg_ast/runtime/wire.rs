//! `prost` as the generated messages see it: prost itself, but for what it does with a message in a
//! message. There it looks at the stack, so that a deep tree can be encoded and decoded on any
//! thread, and remembers lengths, so that encoding takes time linear in the size of the tree. (prost
//! computes the length of a message anew at each level above it.)

pub(crate) mod decode;

pub use ::prost::*;

// Public for what prost's derive writes, but none of the crate's documentation.
#[doc(hidden)]
pub mod encoding {
    pub use super::decode::skip_field;
    pub use ::prost::encoding::*;

    pub mod message {
        use ::prost::bytes::{Buf, BufMut};
        use ::prost::encoding::{DecodeContext, message, wire_type::WireType};
        use ::prost::encoding::{encode_key, encode_varint, encoded_len_varint, key_len};
        use ::prost::{DecodeError, Message};

        use crate::runtime::stack::with_stack_dyn;
        use crate::runtime::wire::decode::nested;
        use crate::runtime::wire::lengths;

        pub fn encode<M: Message>(tag: u32, msg: &M, buf: &mut impl BufMut) {
            lengths::replay(
                || length(msg),
                |len| {
                    encode_key(tag, WireType::LengthDelimited, buf);
                    encode_varint(len as u64, buf);
                    with_stack_dyn(&mut || msg.encode_raw(buf));
                },
            );
        }

        #[inline]
        pub fn encoded_len<M: Message>(tag: u32, msg: &M) -> usize {
            let len = length(msg);
            key_len(tag) + encoded_len_varint(len as u64) + len
        }

        pub fn encoded_len_repeated<M: Message>(tag: u32, messages: &[M]) -> usize {
            messages.iter().map(|msg| encoded_len(tag, msg)).sum()
        }

        fn length<M: Message>(msg: &M) -> usize {
            lengths::record(|| with_stack_dyn(&mut || msg.encoded_len()))
        }

        pub fn merge<M: Message, B: Buf>(
            wire_type: WireType,
            msg: &mut M,
            buf: &mut B,
            cx: DecodeContext,
        ) -> Result<(), DecodeError> {
            nested(cx, &mut |cx| message::merge(wire_type, msg, buf, cx))
        }

        pub fn merge_repeated<M: Message + Default>(
            wire_type: WireType,
            messages: &mut Vec<M>,
            buf: &mut impl Buf,
            cx: DecodeContext,
        ) -> Result<(), DecodeError> {
            nested(cx, &mut |cx| message::merge_repeated(wire_type, messages, buf, cx))
        }
    }
}

/// The lengths of the messages below the one that is being encoded.
///
/// The lengths are computed, and the messages written, in the same order: the order of the tags.
/// So a queue will do: computing fills it, writing takes from it.
mod lengths {
    use core::cell::RefCell;

    #[derive(Default)]
    struct Lengths {
        queue: Vec<usize>,
        /// Of the queue, what has been taken; `None` outside of an encoding.
        taken: Option<usize>,
        recording: bool,
    }

    thread_local! {
        static LENGTHS: RefCell<Lengths> = RefCell::new(Lengths::default());
    }

    /// Runs `f` with the lengths; `None` where the thread is ending and has none any more. Then
    /// each message computes its length anew.
    fn with<R>(f: impl FnOnce(&mut Lengths) -> R) -> Option<R> {
        LENGTHS.try_with(|lengths| f(&mut lengths.borrow_mut())).ok()
    }

    /// Runs `length`, and remembers the result if a message around is going to be written.
    pub(super) fn record(length: impl FnOnce() -> usize) -> usize {
        let slot = with(|lengths| {
            lengths.recording.then(|| {
                lengths.queue.push(0);
                lengths.queue.len() - 1
            })
        });
        let len = length();
        if let Some(slot) = slot.flatten() {
            with(|lengths| lengths.queue[slot] = len);
        }
        len
    }

    /// Gives `write` the length of the next message: a remembered one, or for the outermost
    /// message that of `length`.
    pub(super) fn replay(length: impl FnOnce() -> usize, write: impl FnOnce(usize)) {
        let next = with(|lengths| {
            let taken = lengths.taken.as_mut()?;
            *taken += 1;
            lengths.queue.get(*taken - 1).copied()
        });
        if let Some(len) = next.flatten() {
            return write(len);
        }
        let _end = End;
        with(|lengths| lengths.recording = true);
        let len = length();
        with(|lengths| {
            lengths.recording = false;
            // The first is that of the outermost message.
            lengths.taken = Some(1);
        });
        write(len);
    }

    /// Ends an encoding, also when the buffer panics because it is full.
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            with(core::mem::take);
        }
    }
}
