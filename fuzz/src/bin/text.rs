//! Any SQL; see `targets::text`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::text::run(data));
