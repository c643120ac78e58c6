//! The trees of PL/pgSQL.

use core::ffi::CStr;
use core::{ptr, slice};

use super::errors::{byte_offsets, to_error, warnings_with_cursors};
use super::names::raw;
use super::{PLPGSQL_STACK, on_thread, parse_options, stack_bytes, written};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::options::ParserOptions;

/// The compiled functions of SQL, with all that they point to.
pub(crate) struct PlpgsqlParse(raw::ShimPlpgsqlParse);

// SAFETY: as of `Parse`: a result owns a memory context without a parent, and may be read and freed on another thread than
// the one that made it (shim.h).
unsafe impl Send for PlpgsqlParse {}

// SAFETY: nothing writes to a result.
unsafe impl Sync for PlpgsqlParse {}

impl Drop for PlpgsqlParse {
    fn drop(&mut self) {
        if self.0.context.is_null() {
            return;
        }
        // SAFETY: `self.0` was made by shim_plpgsql_parse or shim_plpgsql_body, and is freed once.
        on_thread(|| unsafe { raw::shim_plpgsql_parse_free(&raw mut self.0) });
    }
}

/// A function in SQL, as C has it.
pub(crate) struct CompiledFunction<'a> {
    /// Its statement.
    pub(crate) stmt: Option<InC<'a, raw::RawStmt>>,
    /// `None` for a statement in another language.
    pub(crate) function: Option<Result<InC<'a, raw::PLpgSQL_function>, Error>>,
    pub(crate) warnings: Vec<Warning>,
}

impl PlpgsqlParse {
    /// Compiles the functions in SQL.
    pub(crate) fn new(c_sql: &CStr, options: ParserOptions) -> Result<Self, Error> {
        let options = parse_options(options);
        // As shim.h says, the stack has to be large for any text.
        stack::on_large_stack(PLPGSQL_STACK, || {
            // SAFETY: `c_sql` ends in a NUL, it, the options and the result outlive the call, and the stack is as long as
            // is said.
            Self(written(|out| unsafe {
                raw::shim_plpgsql_parse(c_sql.as_ptr(), &raw const options, stack_bytes(), out);
            }))
        })
    }

    /// Compiles a body; without a header, as that of a `DO`.
    pub(crate) fn of_body(
        body: &CStr,
        header: Option<&CStr>,
        options: ParserOptions,
    ) -> Result<Self, Error> {
        let options = parse_options(options);
        let header = header.map_or(ptr::null(), CStr::as_ptr);
        stack::on_large_stack(PLPGSQL_STACK, || {
            // SAFETY: both texts end in a NUL, or the header is null; they, the options and the result outlive the call,
            // and the stack is as long as is said.
            Self(written(|out| unsafe {
                raw::shim_plpgsql_body(
                    body.as_ptr(),
                    header,
                    &raw const options,
                    stack_bytes(),
                    out,
                );
            }))
        })
    }

    /// Returns the error of the SQL around the bodies.
    pub(crate) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }

    /// Returns the warnings of the SQL around the bodies.
    pub(crate) fn warnings(&self, sql: &str) -> Vec<Warning> {
        // SAFETY: `self` owns the list.
        unsafe { super::warnings(self.0.warnings, sql) }
    }

    /// Returns whether a node may have several parents.
    pub(crate) fn shares_nodes(&self) -> bool {
        self.0.shares_nodes
    }

    /// Returns the tree of the function at an index of [`functions`](Self::functions), if there is one.
    pub(crate) fn tree(&self, index: usize) -> Option<InC<'_, raw::PLpgSQL_function>> {
        if index >= self.0.count {
            return None;
        }
        // SAFETY: there are so many functions, each with a whole tree or a null pointer; `self` owns them, and nobody
        // writes them.
        unsafe { InC::new_or_null((*self.0.functions.add(index)).function) }
    }

    /// Returns the functions, in order.
    ///
    /// The cursors of all their errors and warnings are converted in one pass over the text.
    pub(crate) fn functions(&self, sql: &str) -> Vec<CompiledFunction<'_>> {
        if self.0.count == 0 {
            return Vec::new();
        }
        // SAFETY: there are so many functions, which `self` owns.
        let functions = unsafe { slice::from_raw_parts(self.0.functions, self.0.count) };
        let (mut compiled, mut cursors) = (Vec::with_capacity(functions.len()), Vec::new());
        for function in functions {
            // SAFETY: the pointers are null, or lead to whole trees, errors and warnings that `self` owns, and that nobody
            // writes.
            unsafe {
                let error = function.error.as_ref().map(|error| {
                    cursors.push(error.cursorpos);
                    to_error(error, ErrorKind::Syntax, "")
                });
                let (warnings, of_warnings) = warnings_with_cursors(function.warnings);
                cursors.extend(of_warnings);
                let tree = InC::new_or_null(function.function);
                compiled.push(CompiledFunction {
                    stmt: InC::new_or_null(function.stmt),
                    function: error.map(Err).or(tree.map(Ok)),
                    warnings,
                });
            }
        }
        let mut offsets = byte_offsets(&cursors, sql).into_iter();
        for function in &mut compiled {
            if let Some(Err(error)) = &mut function.function {
                *error = error.clone().with_cursor(offsets.next().flatten());
            }
            for warning in &mut function.warnings {
                warning.cursor = offsets.next().flatten();
            }
        }
        compiled
    }
}
