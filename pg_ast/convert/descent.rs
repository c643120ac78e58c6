//! Descends one level in a conversion, on more stack if this one runs short.

use crate::foundation::limits::{DEEPEST, SHALLOW};
use crate::foundation::stack::{self, Room};
use crate::types::error::Error;

/// The depth of a conversion from C.
pub(super) struct Depth {
    /// The level of the node that is being converted, as `nodes()` counts: a statement has 0.
    level: usize,
    /// The level at which to check again: first `SHALLOW`, twice the level each time, `limit` in the
    /// end. No node has been deeper.
    pub(super) next: usize,
    /// The deepest level that a node may have.
    pub(super) limit: usize,
}

impl Depth {
    pub(super) fn new(limit: usize) -> Self {
        let limit = limit.min(DEEPEST);
        Self { level: 0, next: limit.min(SHALLOW), limit }
    }

    /// Returns whether there may be a level below this one.
    #[inline]
    pub(super) fn may_descend(&mut self) -> bool {
        self.level < self.next || self.may_descend_deep()
    }

    #[cold]
    #[inline(never)]
    fn may_descend_deep(&mut self) -> bool {
        self.next = self.limit.min(self.level.saturating_mul(2));
        self.level < self.limit
    }

    #[inline]
    pub(super) fn descend(&mut self) {
        self.level += 1;
    }

    #[inline]
    pub(super) fn ascend(&mut self) {
        self.level -= 1;
    }
}

/// A context that knows its stack, as [`with_stack`] needs it.
pub(super) trait KnowsStack {
    /// The part of the stack where enough is left for another level.
    fn room(&mut self) -> &mut Room;
    fn fail(&mut self, error: Error);
}

/// Runs `f`, on more stack if this one runs short; without memory for that, calls `instead`.
#[inline]
pub(super) fn with_stack<C: KnowsStack, R>(
    cx: &mut C,
    instead: fn() -> R,
    f: impl FnOnce(&mut C) -> R,
) -> R {
    if cx.room().is_here() { f(cx) } else { on_another_stack(cx, instead, f) }
}

#[cold]
#[inline(never)]
fn on_another_stack<C: KnowsStack, R>(
    cx: &mut C,
    instead: fn() -> R,
    f: impl FnOnce(&mut C) -> R,
) -> R {
    let (mut f, mut result) = (Some(f), None);
    call_on_another_stack(cx, &mut |cx| {
        if let Some(f) = f.take() {
            result = Some(f(cx));
        }
    });
    match result {
        Some(result) => result,
        None => instead(),
    }
}

/// Runs `call` on another stack; without memory for that, or where there is no other, records the error.
pub(super) fn call_on_another_stack<C: KnowsStack>(cx: &mut C, call: &mut dyn FnMut(&mut C)) {
    let outer = *cx.room();
    let called = stack::elsewhere(|| {
        *cx.room() = stack::room();
        call(cx);
    });
    *cx.room() = outer;
    if let Err(error) = called {
        cx.fail(error);
    }
}
