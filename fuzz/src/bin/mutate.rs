//! The tree of SQL with changes; see `targets::mutate`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::mutate::run(data));
