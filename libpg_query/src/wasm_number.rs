//! The value of a number, which the C code for PL/pgSQL asks Rust for in WebAssembly: see `c/wasm/include/wasm_libc.h`.
//!
//! Without that feature it is not there: Rust's tables for it are a thirtieth of a module with the parser alone.

use core::ffi::{CStr, c_char};

/// `strtod` of C, for decimal numbers: writes how many bytes the number has, and whether it is out of range.
#[unsafe(no_mangle)]
unsafe extern "C" fn libpg_query_strtod(
    text: *const c_char,
    length: *mut usize,
    out_of_range: *mut bool,
) -> f64 {
    // SAFETY: C passes a text that ends in a NUL.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    let end = number_length(text);
    let number = text[..end].trim_ascii_start();
    let value = core::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    let value: f64 = value.unwrap_or(0.0);
    let is_zero = |byte: &u8| matches!(byte, b'0' | b'.' | b'+' | b'-');
    let digits = number.split(|byte| matches!(byte, b'e' | b'E')).next().unwrap_or_default();
    let names_infinity = number.iter().any(|byte| matches!(byte, b'i' | b'I'));
    let too_large = value.is_infinite() && !names_infinity;
    // As C's: a number that is not zero but has become it, or nearly.
    let too_small = value.abs() < f64::MIN_POSITIVE && !digits.iter().all(is_zero);
    // SAFETY: C passes two variables.
    unsafe {
        length.write(end);
        out_of_range.write(too_large || too_small);
    }
    value
}

/// Returns the length of the number that a text begins with, with the blanks before it; 0 if there is none.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is = |at: usize, bytes: &[u8]| text.get(at).is_some_and(|byte| bytes.contains(byte));
    // C's blanks have a vertical tab as well.
    let mut at = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
    at += usize::from(is(at, b"+-"));
    for name in [&b"infinity"[..], b"inf", b"nan"] {
        if text[at..].get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name)) {
            return at + name.len();
        }
    }
    let whole = digits(at);
    at += whole;
    let mut fraction = 0;
    if is(at, b".") {
        fraction = digits(at + 1);
        at += if whole + fraction > 0 { fraction + 1 } else { 0 };
    }
    if whole + fraction == 0 {
        return 0;
    }
    if is(at, b"eE") {
        let sign = usize::from(is(at + 1, b"+-"));
        let exponent = digits(at + 1 + sign);
        at += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    at
}
