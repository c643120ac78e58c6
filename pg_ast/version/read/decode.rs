//! From Protobuf to trees, and back.

use prost::bytes::Buf as _;
use prost::encoding::decode_key;
use prost::{DecodeError, Message as _};

use super::names::{ParseResult, protobuf};
use super::tree::messages::wire::merge_field;
use crate::formats::decode::{Failure, MESSAGES_PER_LEVEL, run};
use crate::foundation::limits::{DEEPEST, MAX_DEPTH};
use crate::types::error::{Error, ErrorKind};

impl ParseResult {
    /// Encodes the tree in Protobuf, for programs in other languages. The warnings are not part of it.
    ///
    /// ```
    /// use pg_ast::ParseResult;
    ///
    /// let tree = pg_ast::parse("SELECT 1")?;
    /// assert_eq!(ParseResult::decode(&tree.encode_to_vec())?, tree);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn encode_to_vec(&self) -> Vec<u8> {
        self.protobuf.encode_to_vec()
    }

    /// Decodes a tree that was encoded as Protobuf, by this crate or by a program in another language.
    ///
    /// prost's own `Message::decode` stops at 100 nested messages, which are 50 levels of a tree, with the message "recursion
    /// limit reached". This call reads up to 6,500 levels; see [`decode_with_max_depth`](Self::decode_with_max_depth) for
    /// more or fewer. It works on any stack.
    /// Its time and its memory are linear in the input: at most 200 bytes of memory per byte.
    ///
    /// Unknown fields are skipped, as Protobuf requires, and the version in the tree is ignored.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParseResult};
    ///
    /// let tree = pg_ast::parse(&format!("SELECT 1{}", " + 1".repeat(1_000)))?;
    /// let bytes = tree.encode_to_vec();
    /// assert_eq!(ParseResult::decode(&bytes)?, tree);
    ///
    /// let error = ParseResult::decode(&bytes[..1_000]).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Decode);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The bytes are not a tree in Protobuf ([`Decode`](ErrorKind::Decode)), or the tree has more levels
    /// ([`TooDeep`](ErrorKind::TooDeep)).
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        Self::decode_with_max_depth(bytes, MAX_DEPTH)
    }

    /// Decodes a tree of at most `max_depth` levels, as [`nodes`](Self::nodes) counts them.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParseResult};
    ///
    /// let bytes = pg_ast::parse("SELECT a + b")?.encode_to_vec();
    /// assert!(ParseResult::decode_with_max_depth(&bytes, 5).is_ok());
    /// let error = ParseResult::decode_with_max_depth(&bytes, 4).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TooDeep);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`decode`](Self::decode).
    pub fn decode_with_max_depth(mut bytes: &[u8], max_depth: usize) -> Result<Self, Error> {
        let max_depth = max_depth.min(DEEPEST);
        let mut tree = protobuf::ParseResult::default();
        // The outermost level is a `RawStmt`. Below the deepest one, there may be an empty `Node`.
        let messages = max_depth.saturating_add(1).saturating_mul(MESSAGES_PER_LEVEL);
        // A message in another one takes its tag and its length, so no stack is asked for that the
        // bytes could not use.
        let messages = messages.min(bytes.len() / 2 + 1);
        let result = run(messages, || {
            while bytes.has_remaining() {
                let (tag, wire_type) = decode_key(&mut bytes)?;
                merge_field(&mut tree, tag, wire_type, &mut bytes)?;
            }
            Ok::<_, DecodeError>(())
        });
        let tree = Self::from(tree);
        // After an error, the unfinished tree may be deep: a `ParseResult` can be dropped on any stack.
        match result {
            Ok(()) if tree.depth() <= max_depth => Ok(tree),
            Ok(()) | Err(Failure::TooDeep) => Err(Error::too_deep(max_depth)),
            Err(Failure::Malformed(error)) => Err(malformed(&error)),
        }
    }
}

#[cold]
fn malformed(error: &DecodeError) -> Error {
    let error = error.to_string();
    // It begins with all messages and fields on the way there, which may be thousands.
    let cause = error.rsplit(": ").next().unwrap_or_default();
    Error::new(ErrorKind::Decode, format!("not a tree in Protobuf: {cause}"))
}
