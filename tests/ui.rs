//! What a mistake says, and that a user's own types derive. `TRYBUILD=overwrite` blesses.

#[test]
#[cfg_attr(
    any(feature = "pg15", feature = "pg16", feature = "pg17"),
    ignore = "the messages name the types of one version: run it with the default features"
)]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/attributes/*.rs");
    cases.compile_fail("tests/ui/fields/*.rs");
    cases.compile_fail("tests/ui/nodes/*.rs");
}
