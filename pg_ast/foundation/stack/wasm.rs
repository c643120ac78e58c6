//! WebAssembly has one stack, or two: addresses are of that in memory, whose bounds the linker knows. Most of a frame is on
//! the engine's own, which traps at its end, and cannot be measured. So the depth of trees is limited
//! (`DEEPEST` in `foundation/limits.rs`), and levels of recursion in C are counted (`stack_levels.h`).

use core::cell::Cell;

use super::{NoMemory, Room};
use crate::foundation::limits::DEEPEST_SHOWN;

thread_local! {
    /// The number of levels that have been entered.
    static LEVELS: Cell<usize> = const { Cell::new(0) };
}

/// Enters levels; false if that is too deep.
pub(super) fn enter(levels: usize) -> bool {
    let level = LEVELS.get() + levels;
    let fits = level <= DEEPEST_SHOWN;
    if fits {
        LEVELS.set(level);
    }
    fits
}

/// Leaves as many levels.
pub(super) fn leave(levels: usize) {
    LEVELS.set(LEVELS.get() - levels);
}

unsafe extern "C" {
    /// The lower end of the stack in memory, and the upper one.
    static __stack_low: u8;
    static __stack_high: u8;
}

/// Nothing is remembered: asking is as cheap.
#[inline]
pub(super) fn room() -> Room {
    let (low, high) = (&raw const __stack_low, &raw const __stack_high);
    Room::of(low.addr(), high.addr())
}

/// The room on the one stack.
#[inline]
pub(super) fn find_room() -> Room {
    room()
}

/// Returns that there is no other stack.
pub(super) fn on_new_stack(size: usize, _: &mut dyn FnMut()) -> Result<(), NoMemory> {
    Err(NoMemory(size))
}

/// Frees what this thread keeps: nothing.
pub(crate) fn release() {}
