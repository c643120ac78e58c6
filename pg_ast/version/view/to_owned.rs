//! Copies views into the owned tree.

use core::fmt;

use super::Node;
use super::names::protobuf;
use crate::convert::c_tree::in_c::InC;
use crate::convert::{FromRaw, FromRawContext};
use crate::foundation::limits::{DEEPEST, Limits, MAX_DEPTH, NO_LIMIT};
use crate::foundation::stack;
use crate::types::error::Error;

/// Makes a context without a limit on nodes, which the parser has checked.
pub(super) fn context(max_depth: usize) -> FromRawContext {
    FromRawContext::new(Limits { max_depth, ..Limits::default() }, 0)
}

/// Returns the value; or the first error, after dropping the unfinished value on enough stack.
pub(super) fn finish<T>(cx: FromRawContext, value: T) -> Result<T, Error> {
    let levels = cx.levels();
    match cx.finish((), None) {
        Ok(()) => Ok(value),
        Err(error) => {
            stack::with_room(levels, || drop(value));
            Err(error)
        }
    }
}

/// Copies what a view shows.
pub(crate) fn to_owned<'a, T: FromRaw<'a, Raw>, Raw>(raw: InC<'a, Raw>) -> Result<T, Error> {
    let mut cx = context(MAX_DEPTH);
    let value = raw.to_owned(&mut cx);
    finish(cx, value)
}

/// Checks what a view shows as a copy would be, at any depth.
#[cfg(feature = "plpgsql")]
pub(crate) fn checked<'a, T: FromRaw<'a, Raw>, Raw>(
    raw: InC<'a, Raw>,
    limits: &mut Limits,
    start: usize,
) -> Result<(), Error> {
    let mut cx = FromRawContext::new(Limits { max_depth: usize::MAX, ..*limits }, 0);
    let value: T = raw.to_owned(&mut cx);
    limits.max_nodes = cx.limits_left().max_nodes;
    stack::with_room(cx.levels(), || drop(value));
    cx.finish((), Some(start))
}

/// Prints what a view shows, like a copy of it.
pub(crate) fn debug<'a, T: FromRaw<'a, Raw> + fmt::Debug, Raw>(
    raw: InC<'a, Raw>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut cx = context(usize::MAX);
    let value: T = raw.to_owned(&mut cx);
    let result = value.fmt(f);
    stack::with_room(cx.levels(), || drop(value));
    if DEEPEST < NO_LIMIT && cx.has_failed() {
        // Nothing is left out without a word.
        return f.write_str(stack::DEEPER);
    }
    result
}

impl Node<'_> {
    /// Copies the node and all nodes below it into the types of the owned tree.
    ///
    /// ```
    /// use pg_ast::{protobuf::ParamRef, view};
    ///
    /// let tree = view::parse("SELECT $1")?;
    /// let param = tree.nodes().find(|node| node.name() == "ParamRef").unwrap();
    /// assert_eq!(param.to_owned_tree()?, ParamRef { number: 1, location: 7 }.into());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The node has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)), or is of a type that the
    /// schema does not have ([`UnmappedNode`](crate::ErrorKind::UnmappedNode)).
    pub fn to_owned_tree(self) -> Result<protobuf::Node, Error> {
        self.copy(context(MAX_DEPTH))
    }

    fn copy(self, mut cx: FromRawContext) -> Result<protobuf::Node, Error> {
        let node = match (self, self.as_raw()) {
            (Self::Null, _) => None,
            (_, Some(raw)) => {
                let node = raw.to_owned_node(&mut cx);
                if node.is_none() {
                    cx.unmapped_node(i64::from(raw.tag().0));
                }
                node
            }
            (Self::Integer(integer), None) => Some(integer.to_owned_tree().into()),
            (Self::CreateStmt(stmt), None) => Some(stmt.to_owned_tree()?.into()),
            // No other node is a part of another one.
            (_, None) => None,
        };
        finish(cx, protobuf::Node { node })
    }
}

/// Prints like the owned node.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.copy(context(usize::MAX))) {
            (Self::Unknown(unknown), _) => unknown.fmt(f),
            (Self::Null, _) => f.write_str("Null"),
            (_, Err(error)) => write!(f, "{error}"),
            (_, Ok(node)) => {
                let result = node.node.as_ref().map_or(Ok(()), |node| node.fmt(f));
                node.drop_iteratively();
                result
            }
        }
    }
}
