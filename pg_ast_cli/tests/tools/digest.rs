//! Each statement of a script, or of logs with the same statements, is counted.

use crate::cases::{Steps, each};
use crate::properties::digest;

#[test]
fn statements_are_counted() {
    each(Steps { scripts: 16, mutated: 80, stmts: 80 }, |case| digest::of_script(case.script));
}

#[test]
#[ignore = "several minutes"]
fn all_statements_are_counted() {
    each(Steps::ALL, |case| digest::of_script(case.script));
}
