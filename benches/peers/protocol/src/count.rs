//! Counts the `malloc` requests of a process, from C and Rust.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);

/// The counts since the start of the process.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Calls of `malloc`, `calloc` and `realloc`.
    pub allocations: u64,
    /// Requested bytes.
    pub bytes: u64,
    /// Bytes of the blocks that have not been freed, by the allocator's block sizes.
    pub live: i64,
}

/// Returns the counts so far. Without [`count_malloc!`](crate::count_malloc) they stay 0.
#[must_use]
pub fn counted() -> Memory {
    Memory {
        allocations: ALLOCATIONS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        live: LIVE.load(Relaxed),
    }
}

/// Records an allocation: the requested size, and the size of the block.
pub fn note_allocated(asked: usize, block: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(asked as u64, Relaxed);
    LIVE.fetch_add(i64::try_from(block).unwrap_or(0), Relaxed);
}

/// Records the end of a block.
pub fn note_freed(block: usize) {
    LIVE.fetch_sub(i64::try_from(block).unwrap_or(0), Relaxed);
}

/// Defines `malloc` and related functions in this program, as glibc allows: every call
/// in the process, from Rust and from C, arrives here, and continues in glibc's own.
///
/// Memory that is not from `malloc` is not counted: stacks, and direct mappings.
#[macro_export]
macro_rules! count_malloc {
    () => {
        mod malloc {
            use std::ffi::{c_int, c_void};

            use $crate::{note_allocated, note_freed};

            unsafe extern "C" {
                fn __libc_malloc(size: usize) -> *mut c_void;
                fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
                fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
                fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
                fn __libc_free(block: *mut c_void);
                fn malloc_usable_size(block: *mut c_void) -> usize;
            }

            /// The size of a block, which may be NULL.
            fn size_of_block(block: *mut c_void) -> usize {
                // SAFETY: each block here is NULL or from glibc, and not yet freed.
                unsafe { malloc_usable_size(block) }
            }

            fn noted(block: *mut c_void, asked: usize) -> *mut c_void {
                if !block.is_null() {
                    note_allocated(asked, size_of_block(block));
                }
                block
            }

            #[unsafe(no_mangle)]
            extern "C" fn malloc(size: usize) -> *mut c_void {
                // SAFETY: it may be called with any size.
                noted(unsafe { __libc_malloc(size) }, size)
            }

            #[unsafe(no_mangle)]
            extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
                // SAFETY: it may be called with any numbers.
                noted(unsafe { __libc_calloc(count, size) }, count.saturating_mul(size))
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
                let before = size_of_block(block);
                // SAFETY: the caller's block is from glibc, like all blocks.
                let moved = unsafe { __libc_realloc(block, size) };
                if !moved.is_null() || size == 0 {
                    note_freed(before);
                }
                noted(moved, size)
            }

            #[unsafe(no_mangle)]
            extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
                // SAFETY: it may be called with any numbers.
                noted(unsafe { __libc_memalign(align, size) }, size)
            }

            #[unsafe(no_mangle)]
            extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
                memalign(align, size)
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn posix_memalign(
                out: *mut *mut c_void,
                align: usize,
                size: usize,
            ) -> c_int {
                const ENOMEM: c_int = 12;
                let block = memalign(align, size);
                if block.is_null() {
                    return ENOMEM;
                }
                // SAFETY: the caller's pointer is writable.
                unsafe { out.write(block) };
                0
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn free(block: *mut c_void) {
                note_freed(size_of_block(block));
                // SAFETY: the caller's block is from glibc, like all blocks.
                unsafe { __libc_free(block) };
            }
        }
    };
}
