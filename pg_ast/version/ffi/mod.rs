//! All calls of this version's C library.
//!
//! The library's state is thread-local, and errors travel by `longjmp`: the shim catches them and
//! returns them as data, so that none crosses a Rust frame. Each result owns its memory and
//! frees it when it is dropped.

pub(crate) mod derivation;
mod errors;
pub(crate) mod expect;
#[cfg(feature = "plpgsql")]
pub(crate) mod plpgsql_parse;
mod range_log;
mod scan;

use super::names;
use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::{ptr, slice};

use self::errors::{to_error, warnings};
pub(crate) use self::range_log::RecordedRanges;
pub(crate) use self::scan::Scan;
use super::names::raw;
use crate::convert::c_tree::in_c::InC;
use crate::foundation::arena::{self, Bump};
use crate::foundation::limits::{Limits, check_length};
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::options::{BackslashQuote, DeparseOptions, ParseMode, ParserOptions};

/// Stack kept free below a C call for code that does not check it: libc, and the error path itself.
const SLOP: usize = 96 * 1024;

/// The stack for a tree that is too deep for the thread's own stack. Pages are allocated when touched.
const LARGE_STACK: usize = 256 * 1024 * 1024;

/// The stack for PL/pgSQL: twice what shim.h asks for.
#[cfg(feature = "plpgsql")]
const PLPGSQL_STACK: usize = 32 * 1024 * 1024;

/// The line breaks that all comments of a text may request in total. C takes memory for each; the comments of
/// real SQL request no more of them than the SQL has.
const MAX_COMMENT_NEWLINES: usize = 1_000_000;

/// Frees the library's state when its thread ends.
struct Thread;

impl Drop for Thread {
    fn drop(&mut self) {
        // SAFETY: no call of the library is running on this thread, and results do not depend on
        // its thread-local state.
        unsafe { raw::shim_thread_exit() };
    }
}

thread_local! {
    static THREAD: Thread = const { Thread };
}

/// Runs a call of the library, with the thread's state to be freed at the thread's end.
fn on_thread<R>(call: impl FnOnce() -> R) -> R {
    let registered = THREAD.try_with(|_| ()).is_ok();
    let result = call();
    if !registered {
        // The thread is ending and has freed its state already: free what this call set up again.
        drop(Thread);
    }
    result
}

/// Frees the memory that this thread keeps from its last call.
pub(crate) fn release_memory() {
    // SAFETY: no result lies in what is kept.
    on_thread(|| unsafe { raw::shim_release_memory() });
}

/// The C value that `call` writes.
fn written<T>(call: impl FnOnce(*mut T)) -> T {
    let mut out = MaybeUninit::uninit();
    on_thread(|| call(out.as_mut_ptr()));
    // SAFETY: every shim function writes the whole of its result, whatever happens.
    unsafe { out.assume_init() }
}

/// Returns how much stack the library may use from here on.
fn stack_bytes() -> usize {
    stack::remaining().unwrap_or(0).saturating_sub(SLOP)
}

/// The data that the parser records besides the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    Nothing,
    /// The places of tokens, for [`normalize`].
    Tokens,
    /// The places of tokens and nodes.
    Ranges,
}

/// The result of the parser.
pub(crate) struct Parse(raw::ShimParse);

impl Parse {
    pub(crate) fn new(
        sql: &str,
        options: ParserOptions,
        recorded: Recorded,
    ) -> Result<Self, Error> {
        // `contains` looks at a word at a time, `find` at each byte.
        if sql.as_bytes().contains(&0) {
            return Err(nul_at(sql.find('\0').unwrap_or(0)));
        }
        let (start, length) = (sql.as_ptr().cast(), sql.len());
        let options = raw::ShimParseOptions {
            token_places: recorded == Recorded::Tokens,
            ranges: recorded == Recorded::Ranges,
            ..parse_options(options)
        };
        let call = |out| {
            // SAFETY: `sql` has no NUL in it, `sql`, `options` and the result outlive the call, and
            // the stack is as long as is said.
            unsafe { raw::shim_parse(start, length, &raw const options, stack_bytes(), out) };
        };
        stack::try_with_stack(|| Self(written(call)))
    }

    /// Wraps statements in memory that does not belong to a call, and is not freed with this.
    ///
    /// # Safety
    ///
    /// `stmts` is null, or a whole list of `RawStmt`s that can be read as long as this lives, on any
    /// thread, and that nobody writes to. If a node has several parents, `shares_nodes` says so.
    pub(crate) unsafe fn in_other_memory(stmts: *const raw::List, shares_nodes: bool) -> Self {
        Self(raw::ShimParse {
            context: ptr::null_mut(),
            stmts,
            error: ptr::null(),
            warnings: ptr::null(),
            shares_nodes,
            token_places: ptr::null(),
            range_log: ptr::null(),
        })
    }

    /// Returns the bytes that C holds for it, in use or not.
    pub(crate) fn size(&self) -> usize {
        if self.0.context.is_null() {
            return 0;
        }
        // SAFETY: `self.0` is a result that has not been freed.
        unsafe { raw::shim_parse_size(&raw const self.0) }
    }

    /// Returns the list of the statements, for as long as `self` lives: its cells have `RawStmt`s, and none is empty.
    pub(crate) fn list(&self) -> Option<InC<'_, raw::List>> {
        // SAFETY: the result is a whole tree, which `self` keeps alive and nobody writes.
        unsafe { InC::new_or_null(self.0.stmts) }
    }

    /// Takes the list of statements out, for an edit. What C has recorded of the text is not that of the tree any more.
    pub(crate) fn begin_edit(&mut self) -> *mut raw::List {
        self.0.token_places = ptr::null();
        self.0.range_log = ptr::null();
        let stmts = self.0.stmts;
        self.0.stmts = ptr::null();
        stmts.cast_mut()
    }

    /// Puts a list of statements there.
    ///
    /// # Safety
    ///
    /// It satisfies the conditions of [`in_other_memory`](Self::in_other_memory).
    pub(crate) unsafe fn end_edit(&mut self, stmts: *const raw::List, shares_nodes: bool) {
        self.0.stmts = stmts;
        self.0.shares_nodes = shares_nodes;
    }

    /// Returns whether a node may have several parents.
    pub(crate) fn shares_nodes(&self) -> bool {
        self.0.shares_nodes
    }

    /// Returns the ranges of its nodes, if it was parsed with ranges; this takes about as long as the parse.
    pub(crate) fn ranges(&self) -> Option<RecordedRanges<'_>> {
        // SAFETY: C has written it, or it is a tree of another kind, without ranges.
        unsafe { RecordedRanges::of(&self.0) }
    }

    pub(crate) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }

    pub(crate) fn warnings(&self, sql: &str) -> Vec<Warning> {
        // SAFETY: `self` owns the list.
        unsafe { warnings(self.0.warnings, sql) }
    }
}

/// Parses SQL.
pub(crate) fn raw_parse(sql: &str, options: ParserOptions) -> Result<Parse, Error> {
    raw_parse_for(sql, options, Recorded::Nothing)
}

/// Like [`raw_parse`], with the data to record besides the tree.
pub(crate) fn raw_parse_for(
    sql: &str,
    options: ParserOptions,
    recorded: Recorded,
) -> Result<Parse, Error> {
    check_length(sql, options)?;
    let parse = Parse::new(sql, options, recorded)?;
    match parse.error(sql) {
        None => Ok(parse),
        Some(error) => Err(error.of_grammar(names::MAJOR, options)),
    }
}

// SAFETY: a result owns a memory context without a parent, and may be read and freed on another thread
// than the one that made it (shim.h).
unsafe impl Send for Parse {}

// SAFETY: nothing writes to a result that is shared: an edit has it exclusively.
unsafe impl Sync for Parse {}

impl Drop for Parse {
    fn drop(&mut self) {
        // Other memory is not C's.
        if self.0.context.is_null() {
            return;
        }
        // SAFETY: `self.0` was made by shim_parse and is freed once.
        on_thread(|| unsafe { raw::shim_parse_free(&raw mut self.0) });
    }
}

fn parse_options(options: ParserOptions) -> raw::ShimParseOptions {
    raw::ShimParseOptions {
        mode: mode(options.mode),
        backslash_quote: match options.backslash_quote {
            BackslashQuote::Off => raw::BackslashQuoteType::BACKSLASH_QUOTE_OFF,
            BackslashQuote::On => raw::BackslashQuoteType::BACKSLASH_QUOTE_ON,
            BackslashQuote::SafeEncoding => raw::BackslashQuoteType::BACKSLASH_QUOTE_SAFE_ENCODING,
        },
        standard_conforming_strings: options.standard_conforming_strings,
        escape_string_warning: options.escape_string_warning,
        normalized: options.normalized,
        token_places: false,
        ranges: false,
    }
}

fn mode(mode: ParseMode) -> raw::RawParseMode {
    match mode {
        ParseMode::Default => raw::RawParseMode::RAW_PARSE_DEFAULT,
        ParseMode::TypeName => raw::RawParseMode::RAW_PARSE_TYPE_NAME,
        ParseMode::PlPgSqlExpr => raw::RawParseMode::RAW_PARSE_PLPGSQL_EXPR,
        ParseMode::PlPgSqlAssign1 => raw::RawParseMode::RAW_PARSE_PLPGSQL_ASSIGN1,
        ParseMode::PlPgSqlAssign2 => raw::RawParseMode::RAW_PARSE_PLPGSQL_ASSIGN2,
        ParseMode::PlPgSqlAssign3 => raw::RawParseMode::RAW_PARSE_PLPGSQL_ASSIGN3,
    }
}

/// The result of the deparser.
struct Deparse(raw::ShimDeparse);

impl Drop for Deparse {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_deparse and is freed once.
        on_thread(|| unsafe { raw::shim_deparse_free(&raw mut self.0) });
    }
}

/// Prints statements.
///
/// # Safety
///
/// Each pointer points to a `RawStmt` whose pointers are null or point to initialised C data of the
/// type that they or the node's tag say, with lists as long as they claim and strings that end in
/// a NUL.
pub(crate) unsafe fn deparse(
    stmts: &[*mut raw::RawStmt],
    options: &DeparseOptions,
    arena: &Bump,
) -> Result<String, Error> {
    let newlines = options.comments.iter().fold(0_usize, |sum, comment| {
        sum.saturating_add(comment.newlines_before).saturating_add(comment.newlines_after)
    });
    if newlines > MAX_COMMENT_NEWLINES {
        let message = format!("comments with more than {MAX_COMMENT_NEWLINES} line breaks");
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    let comments: Vec<_> = options
        .comments
        .iter()
        .map(|comment| c_string(&comment.text, arena).map(|text| (text, comment)))
        .collect::<Result<_, _>>()?;
    let comments: Vec<_> = comments
        .iter()
        .map(|(text, comment)| raw::ShimComment {
            match_location: saturate(comment.match_location),
            newlines_before: saturate(comment.newlines_before),
            newlines_after: saturate(comment.newlines_after),
            text: text.as_ptr(),
        })
        .collect();
    let options = raw::ShimDeparseOptions {
        comments: comments.as_ptr(),
        comment_count: comments.len(),
        pretty_print: options.pretty_print,
        trailing_newline: options.trailing_newline,
        commas_start_of_line: options.commas_start_of_line,
        indent_size: options.indent_size.into(),
        max_line_length: options.max_line_length.into(),
    };
    let run = || {
        // SAFETY: the caller guarantees the statements; options, comments and the result outlive
        // the call; the stack is as long as is said.
        Deparse(written(|out| unsafe {
            raw::shim_deparse(
                stmts.as_ptr().cast(),
                stmts.len(),
                &raw const options,
                stack_bytes(),
                out,
            );
        }))
    };
    on_larger_stack(|| deparsed(&run()))
}

/// Runs a call, and again on a large stack if the thread's own turns out to be too small.
fn on_larger_stack<T>(call: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    match stack::try_with_stack(&call)? {
        Err(error) if error.kind() == ErrorKind::TooDeep => stack::grow(LARGE_STACK, call)?,
        result => result,
    }
}

fn deparsed(result: &Deparse) -> Result<String, Error> {
    // SAFETY: the error is null, or one that the result owns.
    if let Some(error) = unsafe { result.0.error.as_ref() } {
        return Err(to_error(error, ErrorKind::Deparse, ""));
    }
    // SAFETY: without an error there is a text of that length, which the result owns.
    unsafe { utf8(result.0.text, result.0.length) }
}

/// Copies a text that C made.
///
/// # Safety
///
/// There are `length` bytes at `text`.
unsafe fn utf8(text: *const c_char, length: usize) -> Result<String, Error> {
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { slice::from_raw_parts(text.cast::<u8>(), length) };
    core::str::from_utf8(bytes).map(str::to_owned).map_err(|_| {
        Error::new(ErrorKind::InvalidEncoding, "PostgreSQL returned text that is not UTF-8")
    })
}

/// Returns whether a word in lower case is a keyword that cannot be used as any name.
pub(crate) fn is_reserved(word: &str) -> bool {
    // SAFETY: so many bytes are read; nothing is kept, and nothing thrown.
    unsafe { raw::shim_is_reserved(word.as_ptr().cast(), word.len()) }
}

struct Normalize(raw::ShimNormalize);

impl Drop for Normalize {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_normalize and is freed once.
        on_thread(|| unsafe { raw::shim_normalize_free(&raw mut self.0) });
    }
}

/// Returns the nodes below a node; none for the result of libpg_query.
pub(crate) type Children = raw::ShimChildren;

/// A text with parameters in place of its constants.
pub(crate) struct Normalized {
    pub(crate) sql: String,
    /// The numbers continue after those of all parameters in the text; of libpg_query's result that is not known.
    #[cfg_attr(not(feature = "cache"), allow(dead_code))]
    pub(crate) counts_all: bool,
}

/// Replaces the constants of a text by parameters.
///
/// Nodes with the same hash count as equal. `parse` is the parser's result for the text
/// with these options, with the places of the tokens, if there is one already.
pub(crate) fn normalize(
    sql: &str,
    parse: Option<&Parse>,
    options: ParserOptions,
    utility_only: bool,
    hash_node: unsafe extern "C" fn(*const raw::Node, *mut usize) -> u64,
    children: Children,
) -> Result<Normalized, Error> {
    let max_nodes = Limits::new(sql, options).max_nodes;
    let c_options = parse_options(options);
    let parse = parse.map_or(ptr::null(), |parse| &raw const parse.0);
    arena::with_arena(|arena| {
        let text = c_string(sql, arena)?;
        let call = |out| {
            let hash_node = Some(hash_node);
            // SAFETY: `text` ends in a NUL, `options`, the tree and the result outlive the call, and
            // the stack is as long as is said. The tree is only read. `hash_node` and
            // `children` get whole nodes, and do not throw: they are Rust.
            unsafe {
                raw::shim_normalize(
                    text.as_ptr(),
                    parse,
                    &raw const c_options,
                    utility_only,
                    hash_node,
                    children,
                    max_nodes,
                    stack_bytes(),
                    out,
                );
            };
        };
        on_larger_stack(|| {
            let result = Normalize(written(call));
            // SAFETY: the error is null, or one that the result owns; without one there is a text of
            // that length.
            unsafe {
                match result.0.error.as_ref() {
                    Some(error) => {
                        let error = to_error(error, ErrorKind::Syntax, sql);
                        Err(error.of_grammar(super::names::MAJOR, options))
                    }
                    None => Ok(Normalized {
                        sql: utf8(result.0.text, result.0.length)?,
                        counts_all: result.0.counts_all,
                    }),
                }
            }
        })
    })
}

/// Copies `text` with a NUL at the end; a NUL inside of it is an error.
pub(crate) fn c_string<'a>(text: &str, arena: &'a Bump) -> Result<&'a CStr, Error> {
    let copy = arena::c_string(arena, text);
    if copy.count_bytes() == text.len() {
        return Ok(copy);
    }
    Err(nul_at(copy.count_bytes()))
}

pub(crate) const NUL_MESSAGE: &str = "the SQL contains a NUL byte";

fn nul_at(place: usize) -> Error {
    Error::new(ErrorKind::Nul, NUL_MESSAGE).with_cursor(Some(place))
}

fn saturate(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}
