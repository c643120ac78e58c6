//! A function in PL/pgSQL, and changes to its body; see `targets::plpgsql`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::plpgsql::run(data));
