//! The shape of SQL; see `targets::shapes`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::shapes::run(data));
