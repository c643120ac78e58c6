//! Any tree, as JSON; see `targets::json`.
#![no_main]

#[path = "../mutator.rs"]
#[allow(dead_code)]
mod mutator;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|data: &[u8]| pg_ast_fuzz::targets::json::run(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutator::json(data, size, max_size, seed)
});
