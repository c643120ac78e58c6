//! How much stack there is, and more of it.
//!
//! A syntax tree is as deep as the statement. Whatever walks one recurses, on a stack that grows
//! into the heap when it gets short, so that the depth of a statement cannot crash the program.
//! Dropping a tree is the exception: the compiler's drop glue runs on the stack there is. So deep
//! trees are taken apart instead (`version/teardown.rs`), and where others may drop a part of one, there
//! is room for that (`with_room`).

use crate::limits::{DROP_BYTES_PER_LEVEL, SHALLOW};

/// With less than this left, recursion goes on on a new stack.
///
/// It must hold what runs between two looks at the stack: the widest frames are those of the
/// dispatch over all node types without optimisation, a few tens of kilobytes.
const RED_ZONE: usize = 192 * 1024;

/// The size of a new stack. Its pages are only taken when they are touched.
const SEGMENT: usize = 4 * 1024 * 1024;

/// Where the platform does not tell, no thread has less than this.
const ASSUMED_STACK: usize = 512 * 1024;

/// Runs `f` with at least `RED_ZONE` bytes of stack.
#[inline]
pub fn with_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, f)
}

/// Runs `f` with enough stack for drop glue to drop a tree of so many levels, wherever `f` is.
pub(crate) fn with_room<R>(levels: usize, f: impl FnOnce() -> R) -> R {
    if levels <= SHALLOW {
        return with_stack(f);
    }
    let room = RED_ZONE.saturating_add(levels.saturating_mul(DROP_BYTES_PER_LEVEL));
    // A segment that is not much more than the room would not last long.
    stacker::maybe_grow(room, room.saturating_add(room.max(SEGMENT)), f)
}

/// Runs `f` on a new stack.
pub(crate) fn grow<R>(f: impl FnOnce() -> R) -> R {
    stacker::grow(SEGMENT, f)
}

/// The address below which this stack is too short to go on.
pub(crate) fn limit() -> usize {
    let here = 0_u8;
    let here = core::ptr::from_ref(&here).addr();
    here.saturating_sub(remaining().saturating_sub(RED_ZONE))
}

/// Bytes of stack left to this thread.
pub(crate) fn remaining() -> usize {
    stacker::remaining_stack().unwrap_or(ASSUMED_STACK)
}
