//! The inputs that the fuzz target `tools` found.

use std::fs;
use std::path::Path;

use crate::properties;

#[test]
fn inputs_that_were_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/found/tools");
    let entries = fs::read_dir(&folder).expect("the folder");
    let mut count = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        properties::run(&fs::read(&path).expect("a file"));
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}
