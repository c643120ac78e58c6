//! Descends one level in a conversion, on more stack if this one runs short.

use crate::runtime::limits::SHALLOW;
use crate::runtime::stack::{self, Room};
use crate::types::error::Error;

/// The depth of a conversion, and the stack that is left for it.
pub(super) struct Depth {
    /// The level of the node that is being converted, as `nodes()` counts: a statement has 0.
    level: usize,
    /// The level at which to check again: first `SHALLOW`, twice the level each time, `limit` in the
    /// end. No node has been deeper.
    pub(super) next: usize,
    /// The deepest level that a node may have.
    limit: usize,
    /// The part of the stack where enough is left for another level.
    room: Room,
}

impl Depth {
    pub(super) fn new(limit: usize) -> Self {
        Self { level: 0, next: limit.min(SHALLOW), limit, room: stack::room() }
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
}

/// A context with a depth, as [`enter`] needs it.
pub(super) trait Descends {
    fn depth(&mut self) -> &mut Depth;
    fn fail(&mut self, error: impl FnOnce() -> Error);

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) {
        let limit = self.depth().limit;
        self.fail(|| Error::too_deep(limit));
    }
}

/// Runs `f` one level deeper, on more stack if this one runs short; calls `instead` if too deep.
// Compiled for each of some hundred functions: what `instead` gives is not held beside the result, where it would have to
// be dropped.
#[inline]
pub(super) fn enter<C: Descends, R>(
    cx: &mut C,
    instead: fn() -> R,
    f: impl FnOnce(&mut C) -> R,
) -> R {
    let depth = cx.depth();
    if !depth.may_descend() {
        cx.too_deep();
        return instead();
    }
    depth.level += 1;
    let result = if depth.room.is_here() { f(cx) } else { on_another_stack(cx, instead, f) };
    cx.depth().level -= 1;
    result
}

#[cold]
#[inline(never)]
fn on_another_stack<C: Descends, R>(
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

/// The part that does not depend on the function, of which there are hundreds.
fn call_on_another_stack<C: Descends>(cx: &mut C, call: &mut dyn FnMut(&mut C)) {
    let outer = cx.depth().room;
    let called = stack::try_with_stack(|| {
        cx.depth().room = stack::room();
        call(cx);
    });
    cx.depth().room = outer;
    if let Err(error) = called {
        cx.fail(|| error);
    }
}
