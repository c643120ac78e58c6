//! What a mistake says, and that a user's own types derive. `TRYBUILD=overwrite` blesses.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/attributes/*.rs");
    cases.compile_fail("tests/ui/fields/*.rs");
    cases.compile_fail("tests/ui/nodes/*.rs");
}
