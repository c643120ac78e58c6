//! How the grammar derives terminals.

use super::expect::all;
use super::names::raw;
use super::{on_thread, stack_bytes, to_error, written};
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind};

/// What the grammar did with terminals, step by step.
pub(crate) struct Derivation(raw::ShimDerivation);

impl Derivation {
    pub(crate) fn new(terminals: &[u16]) -> Result<Self, Error> {
        let (start, count) = (terminals.as_ptr(), terminals.len());
        let call = |out| {
            // SAFETY: there are that many terminals, which outlive the call, as does the result, and the stack is
            // as long as is said.
            unsafe { raw::shim_derive(start, count, stack_bytes(), out) };
        };
        let derivation = stack::try_with_stack(|| Self(written(call)))?;
        // SAFETY: the error is null, or one that the result owns.
        match unsafe { derivation.0.error.as_ref() } {
            Some(error) => Err(to_error(error, ErrorKind::Syntax, "")),
            None => Ok(derivation),
        }
    }

    /// Returns the steps: each terminal is taken or skipped in one, in their order.
    pub(crate) fn steps(&self) -> &[raw::ShimStep] {
        // SAFETY: there are that many, which `self` owns.
        unsafe { all(self.0.steps, self.0.count) }
    }
}

impl Drop for Derivation {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_derive and is freed once.
        on_thread(|| unsafe { raw::shim_derivation_free(&raw mut self.0) });
    }
}
