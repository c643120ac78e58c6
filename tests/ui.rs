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
    cases.compile_fail("tests/ui/views/*.rs");
}

/// A mistake is a message, and never a panic of the macro.
#[test]
fn no_mistake_is_a_panic() {
    let mut messages = 0;
    for folder in ["attributes", "fields", "nodes", "views"] {
        for entry in std::fs::read_dir(format!("tests/ui/{folder}")).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let text = std::fs::read_to_string(&path).expect("a text");
                assert!(!text.contains("panicked"), "{}", path.display());
                messages += 1;
            }
        }
    }
    assert!(messages > 30, "{messages}");
}
