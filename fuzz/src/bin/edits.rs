//! The tree of SQL, changed in its place; see `targets::edits`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::edits::run(data));
