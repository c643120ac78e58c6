//! Measures the stack, and extends it.
//!
//! A syntax tree is as deep as the statement. A walk recurses, on a stack that continues in
//! a new piece of memory (a segment) when it runs short, so that the depth of a statement cannot
//! crash the program. Dropping a tree is the exception: the compiler's drop glue runs on the existing
//! stack. So deep trees are taken apart instead (`version/tree/teardown.rs`), and where others may drop a
//! part of one, there is room for that (`with_room`).
//!
//! This requires knowing where the stack ends, and so which stack this is. A program with coroutines has
//! more of them than threads, at any address and of any size. The known ones are the thread's own, whose
//! bounds the operating system reports, and the segments. On any other stack there is no known room,
//! and everything that needs some runs on a segment from the start.

#[cfg(unix)]
#[path = "stack/unix.rs"]
mod platform;
#[cfg(windows)]
#[path = "stack/windows.rs"]
mod platform;
#[cfg(target_family = "wasm")]
#[path = "stack/wasm.rs"]
mod platform;

use core::alloc::Layout;
use core::ptr;

use crate::foundation::limits::{DROP_BYTES_PER_LEVEL, SHALLOW};
use crate::types::error::{Error, ErrorKind};
pub(crate) use platform::release;

/// With less than this left, recursion continues on a new stack.
///
/// It must hold the frames between two checks of the stack: the widest frames are those of the
/// dispatch over all node types without optimisation, a few tens of kilobytes.
const RED_ZONE: usize = 192 * 1024;

/// Whether there is no other stack than the one in use. What would continue on another one then is an error, or continues on
/// this one where there can be no error: limits on the depth keep it short.
const IS_ONLY_STACK: bool = cfg!(target_family = "wasm");

/// The size of a new stack. Its pages are allocated only when they are touched.
const SEGMENT: usize = 4 * 1024 * 1024;

/// The addresses of a stack above which there are `RED_ZONE` bytes left.
///
/// A known stack must still exist, so that no address is in two stacks: the thread's own exists as
/// long as the thread runs, and `platform` keeps segments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    floor: usize,
    size: usize,
}

impl Room {
    /// No room.
    pub(crate) const NONE: Self = Self { floor: 0, size: 0 };

    /// Returns the room of the stack with these bounds.
    fn of(low: usize, high: usize) -> Self {
        let floor = low.saturating_add(RED_ZONE);
        Self { floor, size: high.saturating_sub(floor) }
    }

    /// Returns whether this is the stack in use and has enough left.
    #[inline]
    pub(crate) fn is_here(self) -> bool {
        here().wrapping_sub(self.floor) < self.size
    }
}

/// Returns an address in the caller's frame, or next to it.
#[inline]
fn here() -> usize {
    let here = 0_u8;
    ptr::from_ref(&here).addr()
}

/// The error that there is no memory for a stack of this size.
struct NoMemory(usize);

impl From<NoMemory> for Error {
    fn from(NoMemory(size): NoMemory) -> Self {
        if IS_ONLY_STACK {
            return Self::new(ErrorKind::TooDeep, "stack depth limit exceeded");
        }
        let detail = format!("Failed on request of a stack of {size} bytes.");
        Self::new(ErrorKind::OutOfMemory, "out of memory").with_notes(Some(detail), None, None)
    }
}

/// Returns the room on the stack in use; `Room::NONE` if a new one is needed.
#[inline]
pub(crate) fn room() -> Room {
    let last = platform::room();
    if last.is_here() { last } else { platform::find_room() }
}

/// Returns whether there are `RED_ZONE` bytes left.
#[inline]
fn has_room() -> bool {
    platform::room().is_here() || platform::find_room().is_here()
}

/// Runs `f` with at least `RED_ZONE` bytes of stack.
///
/// If there is no memory for that, the process ends, as when an allocation fails. Code that can
/// return an error calls `try_with_stack`.
#[inline]
pub(crate) fn with_stack<R>(f: impl FnOnce() -> R) -> R {
    if has_room() { f() } else { grow_or_abort(SEGMENT, f) }
}

/// Like [`with_stack`], but compiled once for all functions that return an `R`: for code that exists per
/// node type and is not performance-critical.
pub(crate) fn with_stack_dyn<R>(f: &mut dyn FnMut() -> R) -> R {
    with_stack(f)
}

#[cold]
#[inline(never)]
fn grow_or_abort<R>(size: usize, f: impl FnOnce() -> R) -> R {
    if IS_ONLY_STACK {
        return f();
    }
    match on_new_stack(size, f) {
        Ok(result) => result,
        Err(no_memory) => abort(no_memory),
    }
}

/// Not a panic: this may be in the middle of a conversion.
fn abort(NoMemory(size): NoMemory) -> ! {
    match Layout::array::<u8>(size) {
        Ok(layout) => std::alloc::handle_alloc_error(layout),
        Err(_) => std::process::abort(),
    }
}

/// What is printed for `Debug` in place of levels that are too deep to be printed. The formatter knows it.
pub(crate) const DEEPER: &str = "/* too deep */";

/// A level of a recursion that takes much stack, until it is dropped; or several.
pub(crate) struct Level {
    #[cfg(target_family = "wasm")]
    levels: usize,
}

impl Level {
    /// Enters one. `None` beyond `DEEPEST_SHOWN` levels, where there is only one stack.
    #[cfg_attr(not(target_family = "wasm"), inline, expect(clippy::unnecessary_wraps))]
    pub(crate) fn enter(levels: usize) -> Option<Self> {
        #[cfg(target_family = "wasm")]
        return platform::enter(levels).then(|| Self { levels });
        #[cfg(not(target_family = "wasm"))]
        {
            let _ = levels;
            Some(Self {})
        }
    }
}

#[cfg(target_family = "wasm")]
impl Drop for Level {
    fn drop(&mut self) {
        platform::leave(self.levels);
    }
}

/// Returns the stack that drop glue needs to drop a tree of `levels` levels.
fn room_to_drop(levels: usize) -> usize {
    RED_ZONE.saturating_add(levels.saturating_mul(DROP_BYTES_PER_LEVEL))
}

/// Returns whether drop glue may drop a tree of `levels` levels right here.
#[inline]
pub(crate) fn has_room_to_drop(levels: usize) -> bool {
    levels <= SHALLOW || remaining() >= Some(room_to_drop(levels))
}

/// Runs `f` with enough stack for drop glue to drop a tree of `levels` levels, wherever `f` is.
///
/// If there is no memory for that, the process ends, as in [`with_stack`].
pub(crate) fn with_room<R>(levels: usize, f: impl FnOnce() -> R) -> R {
    if levels <= SHALLOW {
        return with_stack(f);
    }
    if has_room_to_drop(levels) {
        return f();
    }
    let room = room_to_drop(levels);
    // A segment that is not much more than the room would not last long.
    grow_or_abort(room.saturating_add(room.max(SEGMENT)), f)
}

/// Runs `f` with at least `RED_ZONE` bytes of stack, or returns that there is no memory.
#[inline]
pub(crate) fn try_with_stack<R>(f: impl FnOnce() -> R) -> Result<R, Error> {
    if has_room() { Ok(f()) } else { grow(SEGMENT, f) }
}

/// Like [`try_with_stack`], where this stack has run short: nothing is run on it if there is no other.
pub(crate) fn elsewhere<R>(f: impl FnOnce() -> R) -> Result<R, Error> {
    if IS_ONLY_STACK { grow(SEGMENT, f) } else { try_with_stack(f) }
}

/// Runs `f` on a new stack, where there are others; returns that there is no memory.
#[cfg(feature = "plpgsql")]
pub(crate) fn on_large_stack<R>(size: usize, f: impl FnOnce() -> R) -> Result<R, Error> {
    if IS_ONLY_STACK { try_with_stack(f) } else { grow(size, f) }
}

/// Runs `f` on a new stack, or returns that there is no memory.
#[cold]
#[inline(never)]
pub(crate) fn grow<R>(size: usize, f: impl FnOnce() -> R) -> Result<R, Error> {
    on_new_stack(size, f).map_err(Error::from)
}

// Compiled for each of several hundred functions, so it should be short.
fn on_new_stack<R>(size: usize, f: impl FnOnce() -> R) -> Result<R, NoMemory> {
    let (mut f, mut result) = (Some(f), None);
    platform::on_new_stack(size, &mut || {
        if let Some(f) = f.take() {
            result = Some(f());
        }
    })?;
    match result {
        Some(result) => Ok(result),
        None => not_called(),
    }
}

#[cold]
fn not_called() -> ! {
    unreachable!("a new stack without a call on it")
}

/// Returns the bytes left on this stack; `None` if that is unknown, or less than `RED_ZONE`.
pub(crate) fn remaining() -> Option<usize> {
    let room = room();
    room.is_here().then(|| here() - room.floor + RED_ZONE)
}
