//! Fixes change nothing else, also in scripts with mistakes.

use crate::cases::{Steps, each};
use crate::properties::lint;

#[test]
fn fixes_change_nothing_else() {
    each(Steps { scripts: 16, mutated: 80, stmts: 80 }, |case| lint::of(case.script));
}

#[test]
#[ignore = "several minutes"]
fn fixes_change_nothing_else_in_all_scripts() {
    each(Steps::ALL, |case| lint::of(case.script));
}
