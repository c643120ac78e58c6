//! Counts work instead of time: counts are the same on every run.
//!
//! - **Bytes** that are allocated, copied, cleared and searched: calls of libc's functions for this, from
//!   C and from Rust, reach this program's own functions, which count them and pass them on. This detects
//!   a list that moves for each of its items, even if the machine moves 32 bytes per instruction.
//! - **Instructions**, which detect loops without calls. Hardware counters are
//!   not available in most containers, so this needs valgrind: the program runs
//!   itself under callgrind, and requests a dump after each piece of work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::hint::black_box;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

fn add(bytes: usize) {
    // At the end of a thread there is no counter any more.
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes as u64));
}

/// Returns how many bytes `work` moves, reads and allocates.
pub fn bytes(work: &dyn Fn()) -> u64 {
    let before = BYTES.get();
    work();
    BYTES.get() - before
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller guarantees.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        // SAFETY: as the caller guarantees.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

// Other names of the same functions in glibc, with a limit that is never reached here.
unsafe extern "C" {
    fn __memmove_chk(to: *mut c_void, from: *const c_void, n: usize, room: usize) -> *mut c_void;
    fn __memset_chk(to: *mut c_void, byte: c_int, n: usize, room: usize) -> *mut c_void;
    fn mallopt(option: c_int, value: c_int) -> c_int;
    fn strnlen(string: *const c_char, limit: usize) -> usize;
    fn strchrnul(string: *const c_char, byte: c_int) -> *mut c_char;
}

/// If the compiler knew it, it would call the functions below instead, recursively.
fn room() -> usize {
    black_box(usize::MAX)
}

// The names are safe to take: these functions do the same as those of libc.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut c_void, from: *const c_void, n: usize) -> *mut c_void {
    add(n);
    // SAFETY: as the caller guarantees.
    unsafe { __memmove_chk(to, from, n, room()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut c_void, from: *const c_void, n: usize) -> *mut c_void {
    add(n);
    // SAFETY: as the caller guarantees.
    unsafe { __memmove_chk(to, from, n, room()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut c_void, byte: c_int, n: usize) -> *mut c_void {
    add(n);
    // SAFETY: as the caller guarantees.
    unsafe { __memset_chk(to, byte, n, room()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn strlen(string: *const c_char) -> usize {
    // SAFETY: as the caller guarantees.
    let length = unsafe { strnlen(string, room()) };
    add(length);
    length
}

#[unsafe(no_mangle)]
unsafe extern "C" fn strchr(string: *const c_char, byte: c_int) -> *mut c_char {
    // SAFETY: as the caller guarantees; the result is in the string, or its end.
    unsafe {
        let found = strchrnul(string, byte);
        add(found.offset_from_unsigned(string));
        if (*found).to_ne_bytes()[0] == byte.to_le_bytes()[0] {
            found
        } else {
            std::ptr::null_mut()
        }
    }
}

/// Requests of callgrind, see valgrind's `callgrind.h`.
#[derive(Clone, Copy)]
enum Request {
    Zero = 0x4354_0001,
    DumpAt = 0x4354_0003,
}

/// Sends a request to valgrind; does nothing without it.
#[cfg(target_arch = "x86_64")]
fn tell(request: Request, argument: *const c_char) {
    let request = [request as usize, argument as usize, 0, 0, 0, 0];
    // SAFETY: outside of valgrind these instructions only change flags;
    // within, the request is read, whose argument is a C string or unused.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") request.as_ptr(), inout("rdx") 0_usize => _, out("rdi") _,
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn tell(_: Request, _: *const c_char) {}

/// Makes glibc tidy up small chunks when they are freed, and not all at once during the counted work.
pub fn quiet_allocator() {
    const M_MXFAST: c_int = 1;
    // SAFETY: it may be called at any time.
    unsafe { mallopt(M_MXFAST, 0) };
}

/// Under callgrind: records the instructions of `work` under this name.
pub fn instructions(name: &str, work: &dyn Fn()) {
    let name = CString::new(name).expect("no NUL");
    tell(Request::Zero, std::ptr::null());
    work();
    tell(Request::DumpAt, name.as_ptr());
}
