//! The grammar's automaton: the terminals of a text, and what may come after them.

use core::ffi::CStr;
use core::slice;
use std::sync::OnceLock;

use super::names::raw;
use super::{on_thread, parse_options, stack_bytes, to_error, written};
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// SQL as the sequence of terminals that the grammar receives.
pub(crate) struct Terminals(raw::ShimTerminals);

impl Terminals {
    pub(crate) fn new(sql: &CStr, options: ParserOptions) -> Result<Self, Error> {
        let options = parse_options(options);
        let call = |out| {
            // SAFETY: `sql` ends in a NUL, the options and the result outlive the call, and the stack is as
            // long as is said.
            unsafe { raw::shim_terminals(sql.as_ptr(), &raw const options, stack_bytes(), out) };
        };
        stack::try_with_stack(|| Self(written(call)))
    }

    /// Returns the terminals, up to the scanner's error if there is one.
    pub(crate) fn get(&self) -> &[raw::ShimTerminal] {
        // SAFETY: there are that many, which `self` owns.
        unsafe { all(self.0.terminals, self.0.count) }
    }

    /// Returns the scanner's error.
    pub(crate) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }
}

impl Drop for Terminals {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_terminals and is freed once.
        on_thread(|| unsafe { raw::shim_terminals_free(&raw mut self.0) });
    }
}

/// The terminal at the end of a text.
pub(crate) const END: u16 = 0;

/// A symbol: its name in gram.y, its first terminal, the one after its last.
pub(crate) type Symbol = (&'static str, usize, usize);

fn symbols_of(made: &[raw::ShimMade]) -> impl Iterator<Item = Symbol> {
    // SAFETY: the names are static strings of the library's.
    made.iter().map(|made| (unsafe { static_str(made.symbol) }, made.first, made.end))
}

/// The terminals that may come after others.
pub(crate) struct Expect(raw::ShimExpect);

impl Expect {
    /// Looks after the terminals, if the grammar accepts them all; or, with `skip`, after those that it accepts.
    pub(crate) fn new(terminals: &[u16], skip: bool) -> Result<Self, Error> {
        Self::asked(terminals, skip, None)
    }

    /// As [`new`](Self::new), but of the terminals that may come next only this one is looked at, and nothing
    /// [`becomes`](Self::becomes) of a name: to look at all takes long.
    pub(crate) fn only(terminals: &[u16], skip: bool, terminal: u16) -> Result<Self, Error> {
        Self::asked(terminals, skip, Some(terminal))
    }

    fn asked(terminals: &[u16], skip: bool, asked: Option<u16>) -> Result<Self, Error> {
        let (start, count) = (terminals.as_ptr(), terminals.len());
        let asked = asked.as_ref().map_or(core::ptr::null(), core::ptr::from_ref);
        let call = |out| {
            // SAFETY: there are that many terminals, which outlive the call, as do the one that is asked for and the
            // result, and the stack is as long as is said.
            unsafe { raw::shim_expect(start, count, skip, asked, stack_bytes(), out) };
        };
        Self::of(call)
    }

    /// Makes the result of a call that writes it.
    fn of(call: impl FnOnce(*mut raw::ShimExpect)) -> Result<Self, Error> {
        let expect = stack::try_with_stack(|| Self(written(call)))?;
        // SAFETY: the error is null, or one that the result owns.
        match unsafe { expect.0.error.as_ref() } {
            Some(error) => Err(to_error(error, ErrorKind::Syntax, "")),
            None => Ok(expect),
        }
    }

    /// Looks at a place where somebody is typing a name, which the terminal there stands for. The terminals may have
    /// mistakes before and after it; the last one is the end.
    pub(crate) fn complete(terminals: &[u16], place: usize) -> Result<Self, Error> {
        let (start, count) = (terminals.as_ptr(), terminals.len());
        let call = |out| {
            // SAFETY: as in `new`.
            unsafe { raw::shim_complete(start, count, place, stack_bytes(), out) };
        };
        Self::of(call)
    }

    /// Returns how many of the terminals the grammar accepts, up to the first that it rejects.
    pub(crate) fn count_taken(terminals: &[u16]) -> Result<usize, Error> {
        Ok(Self::only(terminals, false, END)?.taken())
    }

    /// Returns how many terminals the grammar accepted.
    pub(crate) fn taken(&self) -> usize {
        self.0.taken
    }

    /// Returns the terminals that may come next, and whether each would only be a name.
    pub(crate) fn next(&self) -> impl Iterator<Item = (u16, bool)> {
        // SAFETY: there are that many flags, which `self` owns.
        let flags = unsafe { all(self.0.next, self.0.next_count) };
        let next = (0..).zip(flags).filter(|(_, flag)| **flag != 0);
        next.map(|(symbol, flag)| (symbol, u32::from(*flag) == raw::ShimNext::SHIM_NEXT_NAME.0))
    }

    /// Returns the names of the symbols that an identifier may become.
    pub(crate) fn becomes(&self) -> impl Iterator<Item = &'static str> {
        // SAFETY: as in `next`.
        let flags = unsafe { all(self.0.becomes, self.0.becomes_count) };
        let symbols = (self.0.next_count..).zip(flags).filter(|(_, flag)| **flag);
        symbols.filter_map(|(symbol, _)| u16::try_from(symbol).ok().and_then(symbol_name))
    }

    /// Returns the noted symbols that were made: name, first terminal, the one after the last.
    pub(crate) fn made(&self) -> impl Iterator<Item = Symbol> {
        // SAFETY: there are that many, which `self` owns.
        symbols_of(unsafe { all(self.0.made, self.0.made_count) })
    }

    /// Returns the symbols before the place of [`complete`](Self::complete) that a name there would be part of.
    pub(crate) fn under(&self) -> Vec<Symbol> {
        // SAFETY: there are that many, which `self` owns.
        symbols_of(unsafe { all(self.0.under, self.0.under_count) }).collect()
    }
}

impl Drop for Expect {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_expect and is freed once.
        on_thread(|| unsafe { raw::shim_expect_free(&raw mut self.0) });
    }
}

/// A few changes after which the grammar accepts the terminals.
pub(crate) struct Repair(raw::ShimRepair);

impl Repair {
    /// Returns `None` if the grammar accepts none of the attempts.
    pub(crate) fn new(terminals: &[u16]) -> Result<Option<Self>, Error> {
        let (start, count) = (terminals.as_ptr(), terminals.len());
        let call = |out| {
            // SAFETY: as in `Expect::new`.
            unsafe { raw::shim_repair(start, count, stack_bytes(), out) };
        };
        let repair = stack::try_with_stack(|| Self(written(call)))?;
        // SAFETY: the error is null, or one that the result owns.
        match unsafe { repair.0.error.as_ref() } {
            Some(error) => Err(to_error(error, ErrorKind::Syntax, "")),
            None => Ok(repair.0.complete.then_some(repair)),
        }
    }

    /// Returns the changes in the order of their indexes.
    pub(crate) fn changes(&self) -> &[raw::ShimChange] {
        // SAFETY: there are that many, which `self` owns.
        unsafe { all(self.0.changes, self.0.count) }
    }
}

impl Drop for Repair {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_repair and is freed once.
        on_thread(|| unsafe { raw::shim_repair_free(&raw mut self.0) });
    }
}

/// Returns the name of a symbol in gram.y.
pub(crate) fn symbol_name(symbol: u16) -> Option<&'static str> {
    symbol_names().get(usize::from(symbol)).copied()
}

/// Returns the names of all symbols, by their numbers.
pub(crate) fn symbol_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        (0..)
            .map_while(|symbol| {
                // SAFETY: the function checks whether there is such a symbol.
                let name = unsafe { raw::shim_symbol(symbol) };
                // SAFETY: it is null, or a static string of the library's.
                (!name.is_null()).then(|| unsafe { static_str(name) })
            })
            .collect()
    })
}

/// # Safety
///
/// `text` is a static C string.
unsafe fn static_str(text: *const core::ffi::c_char) -> &'static str {
    // SAFETY: the caller guarantees it.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or_default()
}

/// # Safety
///
/// `first` is null, or the first of `count` values that live as long as the result is used, and are not written.
pub(super) unsafe fn all<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees them.
    unsafe { slice::from_raw_parts(first, count) }
}
