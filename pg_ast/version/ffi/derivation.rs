//! How the grammar derives SQL.

use super::expect::all;
use super::names::raw;
use super::{nul_at, on_thread, parse_options, stack_bytes, to_error, written};
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// What the grammar did with the terminals of SQL, step by step.
pub struct Derivation(raw::ShimDerivation);

impl Derivation {
    /// Derives SQL.
    ///
    /// # Errors
    ///
    /// The scanner rejects the SQL, or there is not enough memory.
    pub fn new(sql: &str, options: ParserOptions) -> Result<Self, Error> {
        // `contains` looks at a word at a time, `find` at each byte.
        if sql.as_bytes().contains(&0) {
            return Err(nul_at(sql.find('\0').unwrap_or(0)));
        }
        let (start, length) = (sql.as_ptr().cast(), sql.len());
        let options = parse_options(options);
        let call = |out| {
            // SAFETY: `sql` has no NUL in it, `sql`, `options` and the result outlive the call, and
            // the stack is as long as is said.
            unsafe { raw::shim_derive(start, length, &raw const options, stack_bytes(), out) };
        };
        let derivation = stack::try_with_stack(|| Self(written(call)))?;
        // SAFETY: the error is null, or one that the result owns.
        match unsafe { derivation.0.error.as_ref() } {
            Some(error) => Err(to_error(error, ErrorKind::Syntax, sql)),
            None => Ok(derivation),
        }
    }

    /// Returns the terminals of the SQL, in order.
    #[must_use]
    pub fn terminals(&self) -> &[raw::ShimTerminal] {
        // SAFETY: there are that many, which `self` owns.
        unsafe { all(self.0.terminals, self.0.terminal_count) }
    }

    /// Returns the steps: each terminal is taken or skipped in one, in their order.
    #[must_use]
    pub fn steps(&self) -> &[raw::ShimStep] {
        // SAFETY: there are that many, which `self` owns.
        unsafe { all(self.0.steps, self.0.step_count) }
    }
}

impl Drop for Derivation {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_derive and is freed once.
        on_thread(|| unsafe { raw::shim_derivation_free(&raw mut self.0) });
    }
}
