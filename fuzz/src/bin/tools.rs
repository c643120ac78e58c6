//! A script or a log; see `tools`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::tools::run(data));
