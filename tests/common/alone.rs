//! Tests that need a process of their own: each starts itself again, alone.

use std::env;
use std::process::{Command, Output};

/// The environment variable of such a process.
const ALONE: &str = "PG_AST_TEST_ALONE";

/// Runs only this test, in a separate process.
pub(crate) fn run_alone(test: &str) -> Output {
    let this = env::current_exe().expect("a path");
    let mut command = Command::new(this);
    command.args(["--exact", test, "--nocapture"]).env(ALONE, test);
    command.output().expect("the child")
}

/// Returns whether this is that process.
pub(crate) fn is_child() -> bool {
    env::var_os(ALONE).is_some()
}
