//! Fibers, made by the crate `stacker`, and the bounds of the running one.

use std::panic::{self, AssertUnwindSafe};

use windows_sys::Win32::System::Threading::GetCurrentThreadStackLimits;

use super::{NoMemory, Room};

/// The part at the low end of a stack that the system reserves.
const GUARD: usize = 64 * 1024;

/// Nothing is remembered: asking is as cheap.
#[inline]
pub(super) fn room() -> Room {
    Room::NONE
}

/// The room on the stack in use. A fiber, or a coroutine that works like one, changes the bounds that the
/// thread reports for its stack.
pub(super) fn find_room() -> Room {
    let (mut low, mut high) = (0, 0);
    // SAFETY: it writes both.
    unsafe { GetCurrentThreadStackLimits(&raw mut low, &raw mut high) };
    let room = Room::of(low.saturating_add(GUARD), high);
    if room.is_here() { room } else { Room::NONE }
}

/// Runs `call` on a stack of `size` bytes.
pub(super) fn on_new_stack(size: usize, call: &mut dyn FnMut()) -> Result<(), NoMemory> {
    let mut called = false;
    let run = || {
        stacker::grow(size, || {
            called = true;
            call();
        });
    };
    match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => Ok(()),
        // stacker panics if it cannot make a fiber.
        Err(_) if !called => Err(NoMemory(size)),
        Err(panic) => panic::resume_unwind(panic),
    }
}

/// Frees what this thread keeps: nothing.
pub(crate) fn release() {}
