//! What reads C memory is unsafe to implement, and to call.

use pg_ast::{FromRaw, FromRawContext, raw};

struct Mine;

impl FromRaw<'_, raw::RangeVar> for Mine {
    unsafe fn from_raw(_: *const raw::RangeVar, _: &mut FromRawContext) -> Self {
        Self
    }
}

fn read(cx: &mut FromRawContext) -> bool {
    <bool as FromRaw<bool>>::from_raw(std::ptr::null(), cx)
}

fn main() {
    let _ = read;
}
