//! Places in SQL; see `targets::places`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::places::run(data));
