//! Checks that a mend that does not fit the sources, such as those of a new version, fails the build.

#[path = "../build/mends/mod.rs"]
#[allow(dead_code)]
mod mends;

use mends::{Mend, apply};

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

const MEND: Mend = Mend {
    file: "f.c",
    versions: 15..=18,
    function: "f",
    find: "a + a",
    count: 1,
    replace: "2 * a",
    why: "a test",
};

fn mended(mend: &Mend) -> Result<String, String> {
    let mut text = SOURCE.to_owned();
    apply(mend, &mut text).map(|()| text)
}

#[test]
fn replaces_words_of_one_function() {
    assert_eq!(mended(&MEND).expect("it fits"), SOURCE.replace("a + a", "2 * a"));
    let twice = Mend { find: "return", count: 2, function: "", replace: "goto", ..MEND };
    assert_eq!(mended(&twice).expect("it fits"), SOURCE.replace("return", "goto"));
}

#[test]
fn tells_why_it_does_not_fit() {
    let error = |mend| mended(&mend).expect_err("it does not fit");
    assert_eq!(error(Mend { find: "f(1)", ..MEND }), "`f(1)` occurs 0 times, not 1");
    assert_eq!(error(Mend { find: "a", ..MEND }), "`a` occurs 3 times, not 1");
    assert_eq!(error(Mend { function: "h", ..MEND }), "there is not one definition of h");
    assert_eq!(error(Mend { replace: "a\n+ a", ..MEND }), "it would move the lines that follow");
}
