//! Parses, deparses and scans with the raw functions.

#![allow(clippy::borrow_as_ptr, clippy::cast_sign_loss)]

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::slice;

use super::calls::{STACK, deparse, on_this_thread, options, parse, text};
use super::{NAME, pg};

#[test]
fn statements_come_back() {
    let sql = "SELECT a + 1 FROM t WHERE b = 'x'; DELETE FROM u";
    assert_eq!(parse(sql, &options(), |parse| deparse(parse.stmts)), Ok(sql.to_owned()));
}

#[test]
fn empty_input_has_no_statement() {
    parse(" -- nothing", &options(), |parse| {
        assert!(parse.error.is_null());
        assert!(parse.stmts.is_null());
    });
}

#[test]
fn an_error_is_described() {
    parse("SELECT 'ä' FORM x y", &options(), |parse| {
        assert!(parse.stmts.is_null());
        // SAFETY: not NULL, and alive as long as the result.
        let error = unsafe { parse.error.as_ref() }.expect("an error");
        assert_eq!(text(error.message), "syntax error at or near \"x\"");
        assert_eq!(error.cursorpos, 17);
        assert_eq!(text(error.filename), "scan.l");
        assert_eq!(text(error.funcname), "scanner_yyerror");
        assert!(error.lineno > 0);
    });
}

#[test]
fn warnings_are_collected() {
    let mut options = options();
    options.standard_conforming_strings = false;
    let name = "x".repeat(70);
    parse(&format!(r"SELECT 'a\\b', '\\c' AS {name}"), &options, |parse| {
        let mut messages = Vec::new();
        let mut warning = parse.warnings;
        // SAFETY: a list that ends in NULL and lives as long as the result.
        while let Some(found) = unsafe { warning.as_ref() } {
            messages.push((text(found.message), found.cursorpos));
            warning = found.next;
        }
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert_eq!(messages[0], ("nonstandard use of \\\\ in a string literal".to_owned(), 8));
        assert_eq!(messages[1].1, 16);
        assert!(messages[2].0.contains("will be truncated"));
    });
}

#[test]
fn an_unknown_mode_is_an_error() {
    let mut options = options();
    options.mode = pg::RawParseMode(77);
    parse("SELECT 1", &options, |parse| assert!(!parse.error.is_null()));
}

#[test]
fn tokens_have_their_place() {
    on_this_thread();
    let sql = CString::new("SELECT /* c */ 'a''b' -- d\n, \"x\"").unwrap();
    let mut out = MaybeUninit::uninit();
    // SAFETY: `sql` ends in NUL; the tokens live as long as the result.
    unsafe {
        pg::shim_scan(sql.as_ptr(), false, true, STACK, out.as_mut_ptr());
        let mut out: pg::ShimScan = out.assume_init();
        assert!(out.error.is_null());
        let tokens: Vec<&str> = slice::from_raw_parts(out.tokens, out.count)
            .iter()
            .map(|token| &sql.to_str().unwrap()[token.start as usize..token.end as usize])
            .collect();
        assert_eq!(tokens, ["SELECT", "/* c */", "'a''b'", "-- d", ",", "\"x\""]);
        pg::shim_scan_free(&mut out);
    }
}

/// More than PostgreSQL's allocator can allocate at
/// once is a program limit, not an internal error.
#[test]
fn a_chunk_beyond_a_gigabyte_exceeds_a_limit() {
    on_this_thread();
    let options = pg::ShimDeparseOptions {
        comments: std::ptr::null(),
        comment_count: 1 << 27,
        pretty_print: false,
        trailing_newline: false,
        commas_start_of_line: false,
        indent_size: 0,
        max_line_length: 0,
    };
    let mut out = MaybeUninit::uninit();
    // SAFETY: there are no statements; the comments are not read, as there is no room for them.
    unsafe {
        pg::shim_deparse(std::ptr::null(), 0, &options, STACK, out.as_mut_ptr());
        let mut out: pg::ShimDeparse = out.assume_init();
        let error = out.error.as_ref().expect("an error");
        // Five characters of six bits, the first one lowest: 54000, program_limit_exceeded; and
        // before 17, where there are no comments, 0A000, feature_not_supported.
        let (message, code) = if NAME >= "pg17" {
            ("invalid memory alloc request size ", 5 | 4 << 6)
        } else {
            ("the deparser of PostgreSQL", 17 << 6)
        };
        assert!(text(error.message).starts_with(message), "{}", text(error.message));
        assert_eq!(error.sqlerrcode, code);
        pg::shim_deparse_free(&mut out);
    }
}
