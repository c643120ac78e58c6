//! Runs the inputs that the fuzz targets found, each through its target.
//!
//! `tests/found/` has a folder for each target, with a file for each input.

#[path = "../../fuzz/src/targets/mod.rs"]
#[allow(dead_code, unreachable_pub)]
mod targets;

use std::path::Path;

/// Runs a target over its folder, on a thread with the stack of a fuzzer's process.
fn replay(name: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found").join(name);
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut count = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let input = std::fs::read(&path).expect("a file");
        // Prints its name if it fails.
        println!("{}", path.display());
        let thread = std::thread::Builder::new().stack_size(8 * 1024 * 1024);
        let outcome = thread.spawn(move || run(&input)).expect("a thread").join();
        assert!(outcome.is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn text() {
    replay("text", targets::text::run);
}

#[test]
fn tree() {
    replay("tree", targets::tree::run);
}

#[test]
fn mutate() {
    replay("mutate", targets::mutate::run);
}

#[test]
fn edits() {
    replay("edits", targets::edits::run);
}

#[test]
fn shapes() {
    replay("shapes", targets::shapes::run);
}

#[test]
fn script() {
    replay("script", targets::script::run);
}

#[test]
fn places() {
    replay("places", targets::places::run);
}

#[cfg(feature = "plpgsql")]
#[test]
fn plpgsql() {
    replay("plpgsql", targets::plpgsql::run);
}

#[cfg(feature = "serde")]
#[test]
fn json() {
    replay("json", targets::json::run);
}
