//! Checks that a patch that does not fit the sources, such as those of a new version, fails the build.

use crate::patches::{apply, parse};

const SOURCE: &str = "static int f(int a);
static void g(void)
{
	return f(1);
}
static int
f(int a)
{
	return a + a;
}
";

const PATCH: &str = "--- f.c\na test\n@ 15-18 f\n- a + a\n+ 2 * a\n";

/// Returns `SOURCE` with a patch, or why it does not fit.
fn patched(text: &str) -> Result<String, String> {
    let mut source = SOURCE.to_owned();
    let patches = parse("f.patch", text)?;
    assert_eq!(patches.len(), 1, "{text}");
    apply(&patches[0], &mut source).map(|()| source)
}

#[test]
fn replaces_words_of_one_function() {
    assert_eq!(patched(PATCH).expect("it fits"), SOURCE.replace("a + a", "2 * a"));
    let twice = "# both\n--- f.c\n\na test\n@ 17- *2\n- return\n+ goto\n";
    assert_eq!(patched(twice).expect("it fits"), SOURCE.replace("return", "goto"));
    let lines = "--- f.c\na test\n@ 15 g\n- {\n- \treturn f(1);\n+\n+ { f(1);\n";
    assert_eq!(patched(lines).expect("it fits"), SOURCE.replace("{\n\treturn f(1);", "\n{ f(1);"));
}

#[test]
fn tells_why_it_does_not_fit() {
    let error = |from, to| patched(&PATCH.replace(from, to)).expect_err("it does not fit");
    assert_eq!(error("- a + a", "- f(1)"), "`f(1)` occurs 0 times, not 1");
    assert_eq!(error("- a + a", "- a"), "`a` occurs 3 times, not 1");
    assert_eq!(error(" f\n", " h\n"), "there is not one definition of h");
    assert_eq!(error("+ 2 * a", "+ a\n+ + a"), "it would move the lines that follow");
}

#[test]
fn tells_which_line_is_no_patch() {
    let error = |from, to| parse("f.patch", &PATCH.replace(from, to)).err();
    for head in ["@ 15-18 f g", "@ f", "@ 15-18 f *x", "@ 15-17-18"] {
        let expected = "patches/f.patch:3: write `@ 15-18 function *2`";
        assert_eq!(error("@ 15-18 f", head).as_deref(), Some(expected), "{head}");
    }
    let incomplete = Some("patches/f.patch:3: a patch needs a file, a reason, and words");
    for (from, to) in [("--- f.c", ""), ("a test", ""), ("- a + a", "")] {
        assert_eq!(error(from, to).as_deref(), incomplete, "{from}");
    }
    let stray = Some("patches/f.patch:5: this is no part of a patch");
    assert_eq!(error("+ 2 * a", "+2 * a").as_deref(), stray);
}
