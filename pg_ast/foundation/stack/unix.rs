//! Allocates stacks by `mmap`, and finds the bounds of the thread's own.

#[path = "switch.rs"]
mod switch;

use core::cell::Cell;
use core::ptr;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use super::{NoMemory, Room, SEGMENT};

/// The guard at the low end of a segment, which nothing may touch: a multiple of any page's size, and more than the
/// frame of any C function, since C does not touch every page on its way.
const GUARD: usize = 64 * 1024;

/// The part of a spare segment whose memory is kept: a multiple of any page's size.
#[cfg(any(target_os = "linux", target_os = "android"))]
const KEPT: usize = 256 * 1024;

/// The largest credible stack: with an unlimited stack, glibc counts all memory below the main thread's as
/// part of it, where other stacks may be mapped later.
const MAX_THREAD_STACK: usize = 1 << 30;

thread_local! {
    /// The stack that this thread was last seen on: its own, or a segment.
    ///
    /// The thread may have switched to a coroutine since, so this alone says nothing. Together
    /// with an address it does, as a segment that is noted here is never unmapped: see [`leave`].
    static ROOM: Cell<Room> = const { Cell::new(Room::NONE) };

    /// The thread's own stack, once it has been queried.
    static OWN: Cell<Option<Room>> = const { Cell::new(None) };

    /// A segment that is not in use, for the next time.
    static SPARE: Cell<Option<Segment>> = const { Cell::new(None) };
}

/// Segments that were given back by another thread than the one that took them.
static ABANDONED: Mutex<Vec<Segment>> = Mutex::new(Vec::new());

/// The room that was last seen.
#[inline]
pub(super) fn room() -> Room {
    ROOM.get()
}

/// The room on the thread's own stack, if that is the one in use.
#[cold]
#[inline(never)]
pub(super) fn find_room() -> Room {
    let own = OWN.get().unwrap_or_else(|| {
        let own = own_bounds().map_or(Room::NONE, |(low, high)| {
            Room::of(low.max(high.saturating_sub(MAX_THREAD_STACK)), high)
        });
        OWN.set(Some(own));
        own
    });
    if !own.is_here() {
        return Room::NONE;
    }
    ROOM.set(own);
    own
}

/// Returns the bounds of this thread's own stack, if the platform reports them.
#[cfg(all(not(miri), any(target_os = "linux", target_os = "android")))]
fn own_bounds() -> Option<(usize, usize)> {
    let mut attributes = core::mem::MaybeUninit::uninit();
    let (mut low, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the first call initialises the attributes, if it returns 0; the second reads them, and
    // the third frees what belongs to them.
    let found = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        found
    };
    (found == 0).then(|| (low.addr(), low.addr().saturating_add(size)))
}

/// Returns the bounds of this thread's own stack.
#[cfg(all(not(miri), target_vendor = "apple"))]
fn own_bounds() -> Option<(usize, usize)> {
    // SAFETY: both only read what the thread knows of itself.
    let (high, size) = unsafe {
        let this = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(this).addr(), libc::pthread_get_stacksize_np(this))
    };
    Some((high.saturating_sub(size), high))
}

/// Other systems have other ways, which are not worth the effort: there, everything runs on segments. Miri has none.
#[cfg(any(miri, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn own_bounds() -> Option<(usize, usize)> {
    None
}

/// Frees what this thread keeps.
pub(crate) fn release() {
    // A thread that is ending keeps nothing.
    drop(SPARE.try_with(Cell::take));
}

/// Runs `call` on a stack of `size` bytes.
pub(super) fn on_new_stack(size: usize, call: &mut dyn FnMut()) -> Result<(), NoMemory> {
    if !switch::IS_KNOWN {
        return on_this_stack(call);
    }
    let segment = Segment::take(size).ok_or(NoMemory(size))?;
    let (low, size) = segment.stack();
    let outer = enter(&segment);
    let mut panic = None;
    // SAFETY:
    // - the segment has that many bytes above its guard; their bounds are those of pages.
    // - nobody else uses it until it is given back, below.
    // - the closure does not panic.
    unsafe {
        switch::on_stack(low, size, || {
            panic = panic::catch_unwind(AssertUnwindSafe(call)).err();
        });
    }
    leave(segment, outer);
    match panic {
        None => Ok(()),
        Some(panic) => panic::resume_unwind(panic),
    }
}

/// Runs `call` on the stack that there is: nothing is known of others here (as in Miri).
fn on_this_stack(call: &mut dyn FnMut()) -> Result<(), NoMemory> {
    let outer = ROOM.replace(Room::of(0, usize::MAX));
    let panic = panic::catch_unwind(AssertUnwindSafe(call)).err();
    ROOM.set(outer);
    panic.map_or(Ok(()), |panic| panic::resume_unwind(panic))
}

/// Records that this thread is on the segment from here on; returns where it was.
fn enter(segment: &Segment) -> Room {
    ROOM.replace(segment.room())
}

/// Records that the segment is no longer in use.
///
/// Coroutines may have been switched to, and may go on elsewhere: what the thread was last seen on
/// is then another stack than this one, and the one before may be gone.
///
/// Not inlined, for `ROOM` to be that of the thread that is running now: what was called on the
/// segment may have been suspended, and resumed by another thread.
#[inline(never)]
fn leave(segment: Segment, outer: Room) {
    ROOM.set(if ROOM.get() == segment.room() { outer } else { Room::NONE });
    segment.give_back();
}

/// Returns a number that distinguishes this thread from other running ones.
#[inline(never)]
fn this_thread() -> usize {
    ROOM.with(|room| ptr::from_ref(room).addr())
}

/// A mapped piece of memory, with a guard at its low end.
struct Segment {
    mapping: *mut u8,
    /// In bytes, with the guard.
    size: usize,
    /// The thread that uses it.
    thread: usize,
    /// True if the `ROOM` of another thread may be this segment: it is then never unmapped.
    shared: bool,
}

// SAFETY: a segment is memory that belongs to it alone, and any thread may use or unmap it.
unsafe impl Send for Segment {}

impl Segment {
    fn take(size: usize) -> Option<Self> {
        let kept = || {
            let spare = SPARE.try_with(Cell::take).ok().flatten();
            spare.or_else(|| ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).pop())
        };
        let kept = if size == SEGMENT { kept() } else { None };
        let mut segment = kept.or_else(|| Self::map(size))?;
        segment.thread = this_thread();
        Some(segment)
    }

    fn map(size: usize) -> Option<Self> {
        let size = size.checked_next_multiple_of(GUARD)?.checked_add(GUARD)?;
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let flags = libc::MAP_STACK | libc::MAP_NORESERVE;
        #[cfg(any(target_os = "openbsd", target_os = "netbsd"))]
        let flags = libc::MAP_STACK;
        #[cfg(not(any(
            target_os = "linux",
            target_os = "android",
            target_os = "openbsd",
            target_os = "netbsd"
        )))]
        let flags = 0;
        // SAFETY: this asks for memory anywhere.
        let mapping = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON | flags,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return None;
        }
        let segment = Self { mapping: mapping.cast(), size, thread: 0, shared: false };
        // SAFETY: the mapping is ours, and longer than the guard.
        let guarded = unsafe { libc::mprotect(mapping, GUARD, libc::PROT_NONE) } == 0;
        guarded.then_some(segment)
    }

    /// Returns the start of the memory for frames, and its size.
    fn stack(&self) -> (*mut u8, usize) {
        // SAFETY: the mapping is longer than the guard.
        (unsafe { self.mapping.add(GUARD) }, self.size - GUARD)
    }

    fn room(&self) -> Room {
        let (low, size) = self.stack();
        Room::of(low.addr(), low.addr() + size)
    }

    /// Gives back the memory of its lower part, which few calls need: the pages are there again when they are touched.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn trim(&self) {
        let (low, size) = self.stack();
        // SAFETY: the memory is the segment's, nobody uses it, and both ends are those of pages.
        unsafe { libc::madvise(low.cast(), size - KEPT, libc::MADV_DONTNEED) };
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn trim(&self) {}

    fn give_back(mut self) {
        self.shared |= self.thread != this_thread();
        if self.shared {
            ABANDONED.lock().unwrap_or_else(PoisonError::into_inner).push(self);
        } else if self.size == SEGMENT + GUARD {
            self.trim();
            // A thread that is ending keeps nothing.
            let _ = SPARE.try_with(|spare| spare.replace(Some(self)));
        }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nobody uses it: it was given back, or never used.
        unsafe { libc::munmap(self.mapping.cast(), self.size) };
    }
}
