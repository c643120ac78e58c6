//! What a program without a single `unsafe` block can do to the library: traits implemented wrongly, handles kept, forgotten,
//! swapped and used in odd orders, closures that panic or call the library again. Whatever comes of it, it is no access to memory
//! that is not there: `.ci/run asan` and `.ci/run miri` run these. What does not compile is in `tests/ui/`.
#![forbid(unsafe_code)]
// An attack does what no program would: it forgets what has no destructor, and asks for more than there is.
#![allow(clippy::forget_non_drop, clippy::unnecessary_min_or_max)]
#![allow(clippy::manual_is_multiple_of, clippy::needless_for_each)]
#![allow(clippy::redundant_closure_for_method_calls)]

mod traits;
mod with_parser;
mod without_c;

/// Runs what may panic. The library may pass a panic on, and is used afterwards.
fn may_panic<R>(f: impl FnOnce() -> R) -> Option<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).ok()
}
