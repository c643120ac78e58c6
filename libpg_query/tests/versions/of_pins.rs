//! Checks that upstream text which the build cuts out, or that ours mirrors, cannot change unnoticed.

use crate::pins::{self, PINS, Part, Pin};

const HASHES: &str = include_str!("../../build/pins.txt");

const FILE: &str = "postgres_deparse.c";

/// The deparser after its patches, as far as they cut something out.
const CUT: &str = "int before;
#if 0
deparseAppendPartGroup(DeparseState *state)
{
#ifdef X
	x();
#endif
	y(); /* why */
}
#endif
int after;
";

/// The hash of the text that is cut out there, as accepted for 17.
fn hashes() -> String {
    let pin = PINS.iter().find(|pin| pin.excerpt(CUT).is_some()).expect("a pin for this cut");
    let cut = pin.excerpt(CUT).expect("a cut");
    assert!(cut.starts_with("deparseAppendPartGroup") && cut.ends_with("}\n"), "{cut}");
    format!("17 {:016x} {pin}\n", pins::hash(&cut))
}

#[test]
fn what_is_cut_out_is_the_accepted_text() {
    assert_eq!(pins::check_cuts_of(17, &hashes(), FILE, CUT), Ok(()));
    // Comments, white space and line numbers do not matter.
    let other = CUT.replace("/* why */", "\n#line 12 \"gram.y\"\n// because").replace('\t', "  ");
    assert_eq!(pins::check_cuts_of(17, &hashes(), FILE, &other), Ok(()));
    // A later version with the same text needs no hash of its own.
    assert_eq!(pins::check_cuts_of(19, &hashes(), FILE, CUT), Ok(()));
}

#[test]
fn a_changed_text_fails_and_names_our_file() {
    let changed = CUT.replace("y();", "y(state);");
    let error = pins::check_cuts_of(19, &hashes(), FILE, &changed).expect_err("it has changed");
    for part in
        ["PostgreSQL 19", FILE, "deparseAppendPartGroup", "libpg_query/c/deparse/deparse_parts.h"]
    {
        assert!(error.contains(part), "{error}");
    }
    assert!(!error.contains('\n'), "cargo shows errors of a build in one line: {error}");
    // A text that was never accepted, either.
    assert!(pins::check_cuts_of(17, "", FILE, CUT).is_err());
    // The next hash ends the last one.
    let later = format!("{}18 0000000000000000 {}", hashes(), &hashes()[20..]);
    assert_eq!(pins::check_cuts_of(17, &later, FILE, CUT), Ok(()));
    assert!(pins::check_cuts_of(18, &later, FILE, CUT).is_err());
}

#[test]
fn what_is_cut_out_has_a_pin() {
    let unknown = CUT.replace("deparseAppendPartGroup", "deparseSomethingElse");
    let error = pins::check_cuts_of(18, &hashes(), FILE, &unknown).expect_err("no pin");
    assert!(error.contains("deparseSomethingElse") && error.contains("no pin"), "{error}");
}

#[test]
fn each_cut_of_the_newest_version_is_accepted() {
    let cuts: Vec<_> = PINS.iter().filter(|pin| matches!(pin.part, Part::Cut(_))).collect();
    assert!(cuts.len() >= 5);
    assert!(cuts.iter().all(|pin| pin.accepted(18, HASHES).is_some()));
}

fn excerpt(part: Part, text: &str) -> Option<String> {
    let pin = Pin { file: "f.c", part, versions: 15..=18, ours: &["g.c"], why: "a test" };
    pin.excerpt(text)
}

#[test]
fn parts_of_files_are_found() {
    let text = "#define M(a) \\\n\ta\n# define M2\nstatic int f(int a);\nint\nf(int a)\n{\n\treturn M(a);\n}\n#define M(b) b\n";
    let found = |part| excerpt(part, text);
    assert_eq!(found(Part::Macro("M")).expect("two"), "#define M(a) \\\n\ta\n#define M(b) b\n");
    assert_eq!(found(Part::Function("f")).expect("one"), "f(int a)\n{\n\treturn M(a);\n}");
    assert_eq!(found(Part::Between("int\nf", "\n{")).expect("one"), "int\nf(int a)\n{");
    assert_eq!(found(Part::Between("int a", "}")), None, "it is not the only one");
    assert_eq!(found(Part::Macro("X")), None);
}

#[test]
fn code_is_normalised() {
    let code = "a  = \"/* no comment */\"; // one\n#line 3 \"x\"\n\n/* two\nlines */ b = '\"'; c\t= \"\\\"//\";\n";
    assert_eq!(pins::normalised(code), "a = \"/* no comment */\";\nb = '\"'; c = \"\\\"//\";");
    assert_eq!(pins::hash("a\nb  c"), pins::hash("a b\tc"));
    assert_ne!(pins::hash("ab"), pins::hash("a b"));
}
