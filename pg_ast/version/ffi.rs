//! Every call of this version's C library.
//!
//! The library's state is thread-local, and errors travel by `longjmp`: the shim catches them and
//! hands them back as data, so that none crosses a Rust frame. Each result owns its memory and
//! frees it when it is dropped.

use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::{ptr, slice};

use super::raw;
use crate::arena::{self, Bump};
use crate::error::{Error, ErrorKind, SourceLocation, Warning};
use crate::limits::Limits;
use crate::options::{BackslashQuote, DeparseOptions, ParseMode, ParserOptions};
use crate::stack;

/// Kept free below a C call for what does not look at the stack: libc, and the error's own path.
const SLOP: usize = 96 * 1024;

/// The stack for a tree that is too deep for the thread's own. Pages are taken when touched.
const LARGE_STACK: usize = 256 * 1024 * 1024;

/// The stack for PL/pgSQL: what shim.h asks for, twice.
#[cfg(feature = "plpgsql")]
const PLPGSQL_STACK: usize = 32 * 1024 * 1024;

/// The line breaks that all comments of a text may ask for. C takes memory for each; the comments of
/// a text ask for no more of them than the text has.
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

/// Gives back what this thread keeps of the last call's memory.
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

/// How much stack the library may use from here on.
fn stack_bytes() -> usize {
    stack::remaining().unwrap_or(0).saturating_sub(SLOP)
}

/// What the parser found.
pub(super) struct Parse(raw::ShimParse);

impl Parse {
    pub(super) fn new(sql: &str, options: ParserOptions) -> Result<Self, Error> {
        // `contains` looks at a word at a time, `find` at each byte.
        if sql.as_bytes().contains(&0) {
            return Err(nul_at(sql.find('\0').unwrap_or(0)));
        }
        let (start, length) = (sql.as_ptr().cast(), sql.len());
        let options = parse_options(options);
        let call = |out| {
            // SAFETY: `sql` has no NUL in it, `sql`, `options` and the result outlive the call, and
            // the stack is as long as is said.
            unsafe { raw::shim_parse(start, length, &raw const options, stack_bytes(), out) };
        };
        stack::try_with_stack(|| Self(written(call)))
    }

    /// The statements, each a `RawStmt`, as long as `self` lives.
    pub(super) fn stmts(&self) -> impl ExactSizeIterator<Item = *const raw::RawStmt> {
        let cells = if self.0.stmts.is_null() {
            &[]
        } else {
            // SAFETY: the parser's result is a whole list of nodes, which `self` owns.
            unsafe {
                let list = &*self.0.stmts;
                slice::from_raw_parts(list.elements, usize::try_from(list.length).unwrap_or(0))
            }
        };
        // SAFETY: the cells of a T_List are pointers, here to RawStmt nodes.
        cells.iter().map(|cell| unsafe { cell.ptr_value }.cast_const().cast())
    }

    pub(super) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }

    pub(super) fn warnings(&self, sql: &str) -> Vec<Warning> {
        // SAFETY: `self` owns the list.
        unsafe { warnings(self.0.warnings, sql) }
    }
}

/// # Safety
///
/// The list is null, or one that the caller owns.
unsafe fn warnings(mut next: *const raw::ShimError, sql: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut cursors = Vec::new();
    // SAFETY: the list's end is null, and the caller answers for what comes before it.
    while let Some(warning) = unsafe { next.as_ref() } {
        warnings.push(Warning {
            message: text(warning.message).unwrap_or_default(),
            detail: text(warning.detail),
            hint: text(warning.hint),
            cursor: None,
            source_location: source_location(warning),
        });
        cursors.push(warning.cursorpos);
        next = warning.next;
    }
    for (warning, cursor) in warnings.iter_mut().zip(byte_offsets(&cursors, sql)) {
        warning.cursor = cursor;
    }
    warnings
}

impl Drop for Parse {
    fn drop(&mut self) {
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

/// The text that the deparser makes.
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
pub(super) unsafe fn deparse(
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
        // SAFETY: the caller answers for the statements; options, comments and the result outlive
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

/// Runs a call, and again on a large stack if the thread's own turns out to be too short for it.
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

/// A copy of a text that C made.
///
/// # Safety
///
/// There are `length` bytes at `text`.
unsafe fn utf8(text: *const c_char, length: usize) -> Result<String, Error> {
    // SAFETY: the caller answers for it.
    let bytes = unsafe { slice::from_raw_parts(text.cast::<u8>(), length) };
    core::str::from_utf8(bytes).map(str::to_owned).map_err(|_| {
        Error::new(ErrorKind::InvalidEncoding, "PostgreSQL's code made a text that is not UTF-8")
    })
}

/// The tokens of a text.
pub(super) struct Scan(raw::ShimScan);

impl Scan {
    pub(super) fn new(sql: &CStr) -> Result<Self, Error> {
        let call = |out| {
            // SAFETY: `sql` ends in a NUL, the result outlives the call, and the stack is as long as
            // is said.
            unsafe { raw::shim_scan(sql.as_ptr(), stack_bytes(), out) };
        };
        stack::try_with_stack(|| Self(written(call)))
    }

    pub(super) fn tokens(&self) -> &[raw::ShimToken] {
        if self.0.tokens.is_null() {
            return &[];
        }
        // SAFETY: there are that many tokens, which `self` owns.
        unsafe { slice::from_raw_parts(self.0.tokens, self.0.count) }
    }

    pub(super) fn error(&self, sql: &str) -> Option<Error> {
        // SAFETY: the error is null, or one that `self` owns.
        unsafe { self.0.error.as_ref() }.map(|error| to_error(error, ErrorKind::Syntax, sql))
    }

    pub(super) fn warnings(&self, sql: &str) -> Vec<Warning> {
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

struct Normalize(raw::ShimNormalize);

impl Drop for Normalize {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_normalize and is freed once.
        on_thread(|| unsafe { raw::shim_normalize_free(&raw mut self.0) });
    }
}

/// A text with parameters in place of its constants.
///
/// Nodes with the same hash are taken for the same.
pub(super) fn normalize(
    sql: &str,
    options: ParserOptions,
    utility_only: bool,
    hash_node: unsafe extern "C" fn(*const raw::Node, *mut usize) -> u64,
) -> Result<String, Error> {
    let max_nodes = Limits::new(sql, options).max_nodes;
    let options = parse_options(options);
    arena::with_arena(|arena| {
        let text = c_string(sql, arena)?;
        let call = |out| {
            let hash_node = Some(hash_node);
            // SAFETY: `text` ends in a NUL, `options` and the result outlive the call, and the stack is
            // as long as is said. `hash_node` gets whole nodes, and does not throw: it is Rust.
            unsafe {
                raw::shim_normalize(
                    text.as_ptr(),
                    &raw const options,
                    utility_only,
                    hash_node,
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
                    Some(error) => Err(to_error(error, ErrorKind::Syntax, sql)),
                    None => utf8(result.0.text, result.0.length),
                }
            }
        })
    })
}

/// The JSON of the functions in PL/pgSQL of a text.
#[cfg(feature = "plpgsql")]
struct Plpgsql(raw::ShimPlpgsql);

#[cfg(feature = "plpgsql")]
impl Drop for Plpgsql {
    fn drop(&mut self) {
        // SAFETY: `self.0` was made by shim_plpgsql and is freed once.
        on_thread(|| unsafe { raw::shim_plpgsql_free(&raw mut self.0) });
    }
}

/// Parses functions in PL/pgSQL, and gives their JSON to `read`.
#[cfg(feature = "plpgsql")]
pub(super) fn plpgsql<R>(
    c_sql: &CStr,
    sql: &str,
    read: impl FnOnce(&[u8]) -> Result<R, Error>,
) -> Result<R, Error> {
    // As shim.h says, the stack has to be large whatever the text is.
    stack::grow(PLPGSQL_STACK, || {
        // SAFETY: `c_sql` ends in a NUL and outlives the call, as does the result, and the stack is as
        // long as is said.
        let result = Plpgsql(written(|out| unsafe {
            raw::shim_plpgsql(c_sql.as_ptr(), stack_bytes(), out);
        }));
        // SAFETY: the error is null, or one that the result owns.
        if let Some(error) = unsafe { result.0.error.as_ref() } {
            return Err(to_error(error, ErrorKind::Syntax, sql));
        }
        // SAFETY: without an error there is a text of that length, which the result owns.
        read(unsafe { slice::from_raw_parts(result.0.json.cast::<u8>(), result.0.length) })
    })?
}

/// `text` with a NUL behind it; an error where there is a NUL inside.
pub(super) fn c_string<'a>(text: &str, arena: &'a Bump) -> Result<&'a CStr, Error> {
    let copy = arena::c_string(arena, text);
    if copy.count_bytes() == text.len() {
        return Ok(copy);
    }
    Err(nul_at(copy.count_bytes()))
}

fn nul_at(place: usize) -> Error {
    Error::new(ErrorKind::Nul, "a NUL byte in the text, which no C string can hold").at(Some(place))
}

fn saturate(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}

fn to_error(error: &raw::ShimError, otherwise: ErrorKind, sql: &str) -> Error {
    let message = text(error.message).unwrap_or_default();
    let kind = match &sqlstate(error.sqlerrcode) {
        // statement_too_complex
        b"54001" => ErrorKind::TooDeep,
        // program_limit_exceeded: of a chunk of memory, or a text that is put together
        b"54000" => ErrorKind::TooLarge,
        b"53200" => ErrorKind::OutOfMemory,
        // character_not_in_repertoire, untranslatable_character
        b"22021" | b"22P05" => ErrorKind::InvalidEncoding,
        // feature_not_supported, by our shim. The grammar has errors of that kind, too, where it
        // refuses a text.
        b"0A000" if text(error.filename).is_some_and(|file| file.starts_with("shim")) => {
            ErrorKind::Unsupported
        }
        // Bison's parser stack is full, which it reports as a syntax error.
        b"42601" if message.starts_with("memory exhausted") => ErrorKind::TooDeep,
        _ => otherwise,
    };
    Error::new(kind, message)
        .at(byte_offset(error.cursorpos, sql))
        .raised_in(source_location(error))
        .with_notes(text(error.detail), text(error.hint), text(error.context))
}

/// The five characters that `MAKE_SQLSTATE` of PostgreSQL's elog.h packs into a number.
fn sqlstate(code: c_int) -> [u8; 5] {
    core::array::from_fn(|index| ((code.cast_unsigned() >> (6 * index)) & 0x3f) as u8 + b'0')
}

/// The byte offset of a cursor that counts characters from 1; 0 is none.
fn byte_offset(cursorpos: c_int, sql: &str) -> Option<usize> {
    byte_offsets(&[cursorpos], sql)[0]
}

/// The byte offsets of several cursors, in one pass over the text.
fn byte_offsets(cursors: &[c_int], sql: &str) -> Vec<Option<usize>> {
    let mut order: Vec<_> = (0..cursors.len()).filter(|&index| cursors[index] > 0).collect();
    order.sort_by_key(|&index| cursors[index]);
    let mut offsets = vec![None; cursors.len()];
    let mut characters = (1..).zip(sql.char_indices());
    let mut last = (0, 0);
    for index in order {
        if cursors[index] > last.0 {
            last = characters
                .by_ref()
                .map(|(number, (offset, _))| (number, offset))
                .find(|(number, _)| *number == cursors[index])
                .unwrap_or((c_int::MAX, sql.len()));
        }
        offsets[index] = Some(last.1);
    }
    offsets
}

fn source_location(error: &raw::ShimError) -> Option<SourceLocation> {
    Some(SourceLocation {
        file: text(error.filename)?,
        line: u32::try_from(error.lineno).unwrap_or(0),
        function: text(error.funcname).unwrap_or_default(),
    })
}

/// A copy of a C string, `None` for a null pointer.
///
/// A message may quote text that is not UTF-8 any more, since PostgreSQL cuts it: that is replaced.
fn text(text: *const c_char) -> Option<String> {
    if ptr::eq(text, ptr::null()) {
        return None;
    }
    // SAFETY: the strings of an error end in a NUL and live as long as the result that the caller
    // took the error from.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::{CStr, ErrorKind, c_int, ptr, raw, to_error};

    fn kind(sqlstate: &[u8; 5], message: &CStr) -> ErrorKind {
        let code = sqlstate.iter().rev().fold(0, |code, byte| code << 6 | c_int::from(byte - b'0'));
        let error = raw::ShimError {
            message: message.as_ptr(),
            detail: ptr::null(),
            hint: ptr::null(),
            context: ptr::null(),
            filename: ptr::null(),
            funcname: ptr::null(),
            lineno: 0,
            cursorpos: 0,
            sqlerrcode: code,
            elevel: 21,
            next: ptr::null(),
        };
        to_error(&error, ErrorKind::Syntax, "").kind()
    }

    #[test]
    fn each_limit_has_its_kind() {
        assert_eq!(kind(b"54001", c"stack depth limit exceeded"), ErrorKind::TooDeep);
        assert_eq!(kind(b"42601", c"memory exhausted at or near \"(\""), ErrorKind::TooDeep);
        let too_large = [
            c"invalid memory alloc request size 1073741824",
            c"string buffer exceeds maximum allowed length (1073741823 bytes)",
            // The same before 18.
            c"out of memory",
        ];
        assert_eq!(too_large.map(|message| kind(b"54000", message)), [ErrorKind::TooLarge; 3]);
        assert_eq!(kind(b"53200", c"out of memory"), ErrorKind::OutOfMemory);
        assert_eq!(kind(b"42601", c"syntax error"), ErrorKind::Syntax);
    }
}
