//! What `@pg-ast/parser` calls in WebAssembly: functions of numbers, without wasm-bindgen, whose wrappers would cost more
//! than a small statement's parse.
//!
//! JavaScript writes SQL to [`input`], calls a function, and reads what it left in [`OUT`]. A tree is a handle, the
//! address of a `view::Tree`, which JavaScript frees. Its nodes stay where PostgreSQL's parser made them, and JavaScript
//! reads them there, by offsets that [`layout`] returned when the package was built.

mod facts;
mod json;
#[cfg(feature = "tools")]
mod tools;

use std::cell::RefCell;

use pg_ast::{DeparseOptions, NormalizeOptions, ParserOptions, Result, Version, view};

use json::Json;

/// What a function leaves for JavaScript, beside the value that it returns.
#[repr(C)]
struct Out {
    /// The address of a text, or another number.
    at: u32,
    /// The length of the text in bytes, or another number.
    length: u32,
}

thread_local! {
    /// SQL from JavaScript.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The last text for JavaScript.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
    static OUT: RefCell<Out> = const { RefCell::new(Out { at: 0, length: 0 }) };
}

/// A text that is kept for the next call; a larger one is freed.
const KEPT: usize = 1 << 20;

/// Returns where what a function leaves is: two numbers of 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u32 {
    OUT.with(RefCell::as_ptr).cast_const().cast()
}

/// Returns the version of PostgreSQL, such as 180001: JavaScript's reader has to be for the same one.
#[unsafe(no_mangle)]
pub extern "C" fn version() -> u32 {
    Version::newest().server_version_num()
}

/// Makes room for a text of so many bytes, and returns where it is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        if input.len() < length || input.len() > length.max(KEPT) {
            *input = vec![0; length.max(1 << 12)];
        }
        input.as_mut_ptr()
    })
}

fn leave(at: u32, length: u32) {
    OUT.set(Out { at, length });
}

/// An address, or a length, on a target of 32 bits.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn narrow(number: usize) -> u32 {
    number as u32
}

/// Leaves a text.
pub(crate) fn leave_text(text: String) {
    TEXT.with_borrow_mut(|kept| {
        *kept = text;
        leave(narrow(kept.as_ptr() as usize), narrow(kept.len()));
    });
}

/// Leaves a text and returns 0, or leaves an error as JSON and returns 1.
pub(crate) fn leave_result(sql: &str, result: Result<String>) -> u32 {
    match result {
        Ok(text) => {
            leave_text(text);
            0
        }
        Err(error) => {
            let mut json = Json::default();
            json.error(&error, sql);
            leave_text(json.finish());
            1
        }
    }
}

/// Calls `f` with the first bytes of the input.
pub(crate) fn with_input<T>(length: usize, f: impl FnOnce(&str) -> T) -> T {
    INPUT.with_borrow(|input| {
        let input = &input[..length.min(input.len())];
        match str::from_utf8(input) {
            Ok(text) => f(text),
            // JavaScript's encoder does not write that.
            Err(_) => f(&String::from_utf8_lossy(input)),
        }
    })
}

/// Calls `f` with a tree.
///
/// # Safety
///
/// The handle is one that [`parse`] returned, and has not been freed.
unsafe fn with_tree<T>(handle: *const view::Tree, f: impl FnOnce(&view::Tree) -> T) -> T {
    // SAFETY: the caller guarantees that the tree is there.
    f(unsafe { &*handle })
}

/// Record the ranges of nodes.
const RANGES: u32 = 1;
/// `standard_conforming_strings = off`.
const BACKSLASHES: u32 = 2;

fn parse_input(sql: &str, flags: u32) -> Result<view::Tree> {
    let mut options = ParserOptions::default();
    if flags & BACKSLASHES != 0 {
        options = options.standard_conforming_strings(false);
    }
    if flags & RANGES != 0 {
        view::parse_with_ranges(sql, options)
    } else {
        view::parse_with(sql, options)
    }
}

/// Parses the input: returns a handle, and leaves the address of the list of statements and the number of warnings; or
/// returns null, and leaves an error as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn parse(length: usize, flags: u32) -> *mut view::Tree {
    with_input(length, |sql| match parse_input(sql, flags) {
        Ok(tree) => {
            let (at, warnings) = (tree.as_raw() as usize, tree.warnings().len());
            let handle = Box::into_raw(Box::new(tree));
            leave(narrow(at), narrow(warnings));
            handle
        }
        Err(error) => {
            leave_result(sql, Err(error));
            core::ptr::null_mut()
        }
    })
}

/// Frees a tree.
///
/// # Safety
///
/// As of [`with_tree`]; nobody uses the handle afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(handle: *mut view::Tree) {
    // SAFETY: `parse` made it by `Box::into_raw`, and the caller guarantees that it has not been freed.
    drop(unsafe { Box::from_raw(handle) });
}

/// Leaves the two halves of a tree's fingerprint.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fingerprint(handle: *const view::Tree) {
    // SAFETY: the caller guarantees it.
    let value = unsafe { with_tree(handle, |tree| tree.fingerprint().value) };
    let [high, low] =
        [value >> 32, value & 0xFFFF_FFFF].map(|half| u32::try_from(half).unwrap_or(0));
    leave(high, low);
}

/// Leaves the names of a tree's tables, each with a NUL behind it.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tables(handle: *const view::Tree) {
    // SAFETY: the caller guarantees it.
    let names = unsafe { with_tree(handle, view::Tree::tables) };
    leave_text(names.iter().map(|name| name.plain() + "\0").collect());
}

/// Leaves a tree as JSON, in the format of libpg_query.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn to_json(handle: *const view::Tree) {
    // SAFETY: the caller guarantees it.
    leave_text(unsafe { with_tree(handle, view::Tree::to_json) });
}

/// Leaves the SQL of a tree, or an error: on one line, or indented.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deparse(handle: *const view::Tree, pretty: bool) -> u32 {
    let options = DeparseOptions::default().pretty_print(pretty);
    // SAFETY: the caller guarantees it.
    let sql = unsafe { with_tree(handle, |tree| tree.deparse_with(&options)) };
    leave_result("", sql)
}

/// Leaves what a tree names, as JSON.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn analyze(handle: *const view::Tree) {
    // SAFETY: the caller guarantees it.
    leave_text(unsafe { with_tree(handle, |tree| facts::analysis(&tree.analyze())) });
}

/// Leaves a tree's warnings, as JSON.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warnings(handle: *const view::Tree) {
    // SAFETY: the caller guarantees it.
    leave_text(unsafe { with_tree(handle, |tree| facts::warnings(tree.warnings())) });
}

/// Leaves the ranges of a tree's nodes: for each the address, the start and the end, as numbers of 32 bits; and the number
/// of bytes. Parents come first.
///
/// # Safety
///
/// As of [`with_tree`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ranges(handle: *const view::Tree) {
    thread_local! {
        static NUMBERS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }
    // SAFETY: the caller guarantees it.
    let numbers = unsafe { with_tree(handle, facts::ranges) };
    NUMBERS.with_borrow_mut(|kept| {
        *kept = numbers;
        leave(narrow(kept.as_ptr() as usize), narrow(size_of_val(kept.as_slice())));
    });
}

/// Leaves the input with placeholders for its constants, or an error; byte for byte as libpg_query does, if that is wanted.
#[unsafe(no_mangle)]
pub extern "C" fn normalize(length: usize, as_libpg_query: bool) -> u32 {
    let options = NormalizeOptions::default().as_libpg_query(as_libpg_query);
    with_input(length, |sql| {
        leave_result(sql, pg_ast::normalize_with(sql, ParserOptions::default(), options))
    })
}

/// Leaves the tokens of the input as JSON, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn scan(length: usize) -> u32 {
    with_input(length, |sql| leave_result(sql, facts::tokens(sql)))
}

/// Leaves the ranges of the input's statements as JSON, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn split(length: usize) -> u32 {
    with_input(length, |sql| leave_result(sql, facts::statements(sql)))
}

/// Leaves what may follow at a place of the input, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn complete(length: usize, offset: usize) {
    with_input(length, |sql| leave_text(facts::completion(&pg_ast::complete(sql, offset))));
}

/// Leaves where the fields of each node are, as JSON: for the generator of the reader.
#[unsafe(no_mangle)]
pub extern "C" fn layout() {
    leave_text(view::layout());
}

/// Gives the memory that is kept for later calls back to the allocator.
#[unsafe(no_mangle)]
pub extern "C" fn release_memory() {
    pg_ast::release_memory();
    INPUT.take();
    TEXT.take();
}
