//! The switch to another stack.
//!
//! `corosensei` has it for the usual processors, `psm` for the others that there are; Cargo.toml has the same list.

#[cfg(miri)]
mod imp {
    pub(crate) const IS_KNOWN: bool = false;

    pub(crate) unsafe fn on_stack(_: *mut u8, _: usize, call: impl FnOnce()) {
        call();
    }
}

#[cfg(all(
    not(miri),
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "riscv64",
        target_arch = "loongarch64"
    )
))]
mod imp {
    use core::num::NonZeroUsize;

    use corosensei::stack::{Stack, StackPointer};

    pub(crate) const IS_KNOWN: bool = true;

    /// The addresses at both ends.
    struct Bounds {
        low: StackPointer,
        high: StackPointer,
    }

    // SAFETY: who makes one guarantees that the memory between its ends is a stack that has a guard below it. Neither
    // end moves.
    unsafe impl Stack for Bounds {
        fn base(&self) -> StackPointer {
            self.high
        }

        fn limit(&self) -> StackPointer {
            self.low
        }
    }

    /// Runs `call` on the `size` bytes from `low` on.
    ///
    /// # Safety
    ///
    /// Both ends are those of pages. The memory is in use by nobody else until this returns, and has a guard below
    /// it. `call` does not panic.
    pub(crate) unsafe fn on_stack(low: *mut u8, size: usize, call: impl FnOnce()) {
        let ends = (NonZeroUsize::new(low.addr()), NonZeroUsize::new(low.addr() + size));
        if let (Some(low), Some(high)) = ends {
            corosensei::on_stack(Bounds { low, high }, call);
        }
    }
}

#[cfg(all(
    not(miri),
    not(any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "riscv64",
        target_arch = "loongarch64"
    ))
))]
mod imp {
    psm::psm_stack_manipulation! {
        yes {
            pub(crate) const IS_KNOWN: bool = true;

            /// Runs `call` on the `size` bytes from `low` on.
            ///
            /// # Safety
            ///
            /// Both ends are those of pages. The memory is in use by nobody else until this returns. `call` does not
            /// panic.
            pub(crate) unsafe fn on_stack(low: *mut u8, size: usize, call: impl FnOnce()) {
                // SAFETY: the caller guarantees all that is asked for.
                unsafe { psm::on_stack(low, size, call) }
            }
        }
        no {
            pub(crate) const IS_KNOWN: bool = false;

            pub(crate) unsafe fn on_stack(_: *mut u8, _: usize, call: impl FnOnce()) {
                call();
            }
        }
    }
}

pub(crate) use imp::{IS_KNOWN, on_stack};
