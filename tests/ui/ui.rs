//! The messages for mistakes. `TRYBUILD=overwrite` accepts new ones.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// If this is set, as in the builds of docs.rs, the C code is not
/// compiled. trybuild has its own profile, and checks do not link.
const NO_C: &str = "DOCS_RS";

#[test]
fn ui() {
    if env::var_os(NO_C).is_none() {
        // Other tests could read the environment of this process while it is set.
        let this = env::current_exe().expect("a program");
        let mut again = Command::new(this);
        again.args(["--exact", "ui", "--nocapture"]).env(NO_C, "1");
        // trybuild does not take our profile, and nobody debugs this.
        let status = again.env("CARGO_PROFILE_DEV_DEBUG", "0").status();
        assert!(status.expect("starts").success(), "see above");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("attributes/*.rs");
    cases.compile_fail("edits/*.rs");
    cases.compile_fail("fields/*.rs");
    cases.compile_fail("internal/*.rs");
    cases.compile_fail("nodes/*.rs");
    cases.compile_fail("traits/*.rs");
    cases.compile_fail("views/*.rs");
}

fn messages() -> Vec<(PathBuf, String)> {
    let mut messages = Vec::new();
    for folder in ["attributes", "edits", "fields", "internal", "nodes", "traits", "views"] {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let text = fs::read_to_string(&path).expect("a text");
                messages.push((path, text));
            }
        }
    }
    assert!(messages.len() > 30, "{}", messages.len());
    messages
}

/// A mistake causes a message, and never a panic of the macro.
#[test]
fn no_mistake_is_a_panic() {
    for (path, text) in messages() {
        assert!(!text.contains("panicked"), "{}", path.display());
    }
}

/// Messages refer to existing sections of the documentation, and to no file of ours.
#[test]
fn messages_point_to_the_documentation() {
    const REFERENCE: &str = "https://docs.rs/pg_ast/latest/pg_ast/derive.";
    let id = |heading: &str| heading.to_lowercase().replace(' ', "-");
    let sections = [("FromRaw", "from_raw"), ("IntoRaw", "into_raw")].map(|(derive, file)| {
        let text =
            fs::read_to_string(format!("../../pg_ast/derives/{file}.md")).expect("a reference");
        let headings = text.lines().filter_map(|line| line.strip_prefix("# ").map(id));
        headings.map(|id| format!("{derive}.html#{id}")).collect::<Vec<_>>()
    });
    let mut links = 0;
    for (path, text) in messages() {
        for line in text.lines() {
            let note = line.contains("= note: ") || line.trim_start().starts_with("see ");
            let file = line.replace("docs.rs", "").contains(".rs");
            assert!(!note || !file, "{}: {line}", path.display());
            if let Some((_, link)) = line.split_once(REFERENCE) {
                let known = sections.iter().flatten().any(|section| section == link);
                assert!(known, "{}: {line}", path.display());
                links += 1;
            }
        }
    }
    assert!(links > 30, "{links}");
}
