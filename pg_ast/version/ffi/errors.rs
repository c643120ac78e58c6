//! Converts errors and warnings of C: their kinds, and their places as byte offsets.

use core::ffi::{CStr, c_char, c_int};
use core::ptr;

use super::names::raw;
use crate::foundation::order::sort_by_key;
use crate::types::error::{Error, ErrorKind, Severity, SourceLocation, Warning};

/// Converts the warnings of a list.
///
/// # Safety
///
/// The list is null, or one that the caller owns.
#[inline]
pub(super) unsafe fn warnings(list: *const raw::ShimError, sql: &str) -> Vec<Warning> {
    if list.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller guarantees the list.
    unsafe { some_warnings(list, sql) }
}

/// Like [`warnings`], for the rare case that there are any.
///
/// # Safety
///
/// The conditions of that function.
#[cold]
#[inline(never)]
unsafe fn some_warnings(list: *const raw::ShimError, sql: &str) -> Vec<Warning> {
    // SAFETY: the caller guarantees the list.
    let (mut warnings, cursors) = unsafe { warnings_with_cursors(list) };
    for (warning, cursor) in warnings.iter_mut().zip(byte_offsets(&cursors, sql)) {
        warning.cursor = cursor;
    }
    warnings
}

/// Converts the warnings of a list, without their places, which are cursors that count characters from 1.
///
/// # Safety
///
/// The conditions of [`warnings`].
pub(super) unsafe fn warnings_with_cursors(
    list: *const raw::ShimError,
) -> (Vec<Warning>, Vec<c_int>) {
    let mut warnings = Vec::new();
    let mut cursors = Vec::new();
    let mut next = list;
    // SAFETY: the list's end is null, and the caller guarantees what comes before it.
    while let Some(warning) = unsafe { next.as_ref() } {
        warnings.push(Warning {
            severity: severity(warning.elevel),
            message: text(warning.message).unwrap_or_default(),
            detail: text(warning.detail),
            hint: text(warning.hint),
            cursor: None,
            source_location: source_location(warning),
        });
        cursors.push(warning.cursorpos);
        next = warning.next;
    }
    (warnings, cursors)
}

/// The kind is `otherwise` unless the code of the error implies another one.
pub(super) fn to_error(error: &raw::ShimError, otherwise: ErrorKind, sql: &str) -> Error {
    let message = text(error.message).unwrap_or_default();
    let kind = match &sqlstate(error.sqlerrcode) {
        // statement_too_complex
        b"54001" => ErrorKind::TooDeep,
        // program_limit_exceeded: of a chunk of memory, or a text that is put together
        b"54000" => ErrorKind::TooLarge,
        b"53200" => ErrorKind::OutOfMemory,
        // character_not_in_repertoire, untranslatable_character
        b"22021" | b"22P05" => ErrorKind::InvalidEncoding,
        // feature_not_supported, by our shim. The grammar also has errors of that kind, where it
        // rejects a text.
        b"0A000" if text(error.filename).is_some_and(|file| file.starts_with("shim")) => {
            ErrorKind::Unsupported
        }
        // Bison's parser stack is full, which it reports as a syntax error.
        b"42601" if message.starts_with("memory exhausted") => ErrorKind::TooDeep,
        _ => otherwise,
    };
    Error::new(kind, message)
        .with_cursor(byte_offset(error.cursorpos, sql))
        .raised_in(source_location(error))
        .with_notes(text(error.detail), text(error.hint), text(error.context))
}

/// Converts the levels of PostgreSQL's elog.h, which are the same numbers since 14.
fn severity(elevel: c_int) -> Severity {
    match elevel {
        ..15 => Severity::Debug,
        15 | 16 => Severity::Log,
        17 => Severity::Info,
        18 => Severity::Notice,
        _ => Severity::Warning,
    }
}

/// Unpacks the five characters that `MAKE_SQLSTATE` of PostgreSQL's elog.h packs into a number.
fn sqlstate(code: c_int) -> [u8; 5] {
    core::array::from_fn(|index| ((code.cast_unsigned() >> (6 * index)) & 0x3f) as u8 + b'0')
}

/// Returns the byte offset of a cursor that counts characters from 1; 0 means none.
fn byte_offset(cursorpos: c_int, sql: &str) -> Option<usize> {
    byte_offsets(&[cursorpos], sql)[0]
}

/// Returns the byte offsets of several cursors, in one pass over the text.
pub(super) fn byte_offsets(cursors: &[c_int], sql: &str) -> Vec<Option<usize>> {
    let mut order: Vec<_> = (0..cursors.len()).filter(|&index| cursors[index] > 0).collect();
    sort_by_key(&mut order, |&index| (u64::from(cursors[index].unsigned_abs()), 0));
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

/// Copies a C string; `None` for a null pointer.
///
/// A message may quote text that is not valid UTF-8, since PostgreSQL cuts it: that part is replaced.
fn text(text: *const c_char) -> Option<String> {
    if ptr::eq(text, ptr::null()) {
        return None;
    }
    // SAFETY: the strings of an error end in a NUL and live as long as the result that the caller
    // took the error from.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
