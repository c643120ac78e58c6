//! Runs the scanner alone.

use core::ffi::CStr;
use core::slice;

use super::errors::{byte_offsets, to_error, warnings};
use super::names::raw;
use super::{on_thread, stack_bytes, written};
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::text::ScanError;

/// The tokens of a text.
pub(crate) struct Scan(raw::ShimScan);

impl Scan {
    /// Scans up to the first error, as libpg_query does.
    pub(crate) fn new(sql: &CStr) -> Result<Self, Error> {
        Self::of(sql, false, true)
    }

    /// Continues after each error. Of SQL that is not normalized, a word right after a parameter is one.
    pub(crate) fn lossy(sql: &CStr, normalized: bool) -> Result<Self, Error> {
        Self::of(sql, true, normalized)
    }

    fn of(sql: &CStr, lossy: bool, normalized: bool) -> Result<Self, Error> {
        let call = |out| {
            // SAFETY: `sql` ends in a NUL, the result outlives the call, and the stack is as long as
            // is said.
            unsafe { raw::shim_scan(sql.as_ptr(), lossy, normalized, stack_bytes(), out) };
        };
        stack::try_with_stack(|| Self(written(call)))
    }

    /// Returns the tokens; if there is an error, those before it.
    pub(crate) fn tokens(&self) -> &[raw::ShimToken] {
        if self.0.tokens.is_null() {
            return &[];
        }
        // SAFETY: there are that many tokens, which `self` owns.
        unsafe { slice::from_raw_parts(self.0.tokens, self.0.count) }
    }

    pub(crate) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }

    /// Returns the errors of a lossy scan.
    pub(crate) fn mistakes(&self, sql: &str) -> Vec<ScanError> {
        if self.0.mistakes.is_null() {
            return Vec::new();
        }
        // SAFETY: there are that many, which `self` owns.
        let mistakes = unsafe { slice::from_raw_parts(self.0.mistakes, self.0.mistake_count) };
        // SAFETY: each has an error, which `self` owns.
        let errors = mistakes.iter().map(|mistake| unsafe { &*mistake.error });
        let cursors: Vec<_> = errors.clone().map(|error| error.cursorpos).collect();
        let found = mistakes.iter().zip(errors).zip(byte_offsets(&cursors, sql));
        let offset = |offset| usize::try_from(offset).unwrap_or(0);
        let found = found.map(|((mistake, error), cursor)| ScanError {
            range: offset(mistake.start)..offset(mistake.end),
            // Without the text, which would be searched for a place from the start.
            error: to_error(error, ErrorKind::Syntax, "").with_cursor(cursor),
        });
        found.collect()
    }

    pub(crate) fn warnings(&self, sql: &str) -> Vec<Warning> {
        // SAFETY: `self` owns the list.
        unsafe { warnings(self.0.warnings, sql) }
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_scan and is freed once.
        on_thread(|| unsafe { raw::shim_scan_free(&raw mut self.0) });
    }
}
