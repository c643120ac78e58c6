//! `prost` as the generated messages see it: prost itself, but for a look at the stack before each
//! nested message, so that a deep tree can be encoded and decoded on any thread.

pub use ::prost::*;

pub mod encoding {
    pub use ::prost::encoding::*;

    pub mod message {
        use ::prost::bytes::{Buf, BufMut};
        use ::prost::encoding::{DecodeContext, message, wire_type::WireType};
        use ::prost::{DecodeError, Message};

        use crate::stack::with_stack;

        pub fn encode<M: Message>(tag: u32, msg: &M, buf: &mut impl BufMut) {
            with_stack(|| message::encode(tag, msg, buf));
        }

        #[inline]
        pub fn encoded_len<M: Message>(tag: u32, msg: &M) -> usize {
            with_stack(|| message::encoded_len(tag, msg))
        }

        #[inline]
        pub fn encoded_len_repeated<M: Message>(tag: u32, messages: &[M]) -> usize {
            with_stack(|| message::encoded_len_repeated(tag, messages))
        }

        pub fn merge<M: Message, B: Buf>(
            wire_type: WireType,
            msg: &mut M,
            buf: &mut B,
            cx: DecodeContext,
        ) -> Result<(), DecodeError> {
            with_stack(|| message::merge(wire_type, msg, buf, cx))
        }

        pub fn merge_repeated<M: Message + Default>(
            wire_type: WireType,
            messages: &mut Vec<M>,
            buf: &mut impl Buf,
            cx: DecodeContext,
        ) -> Result<(), DecodeError> {
            with_stack(|| message::merge_repeated(wire_type, messages, buf, cx))
        }
    }
}
