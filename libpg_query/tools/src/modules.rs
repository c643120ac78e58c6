//! Writes the modules of a new version: copies of the previous version's with another number.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::replaced;

/// The files that each version has, and the file that declares each as a module.
const PLACES: [(&str, &str); 3] = [
    ("pg_ast", "lib.rs"),
    ("tests/versions", "main.rs"),
    ("libpg_query/tests/versions", "main.rs"),
];

/// Writes the missing modules.
pub(crate) fn write(root: &Path, before: u32, major: u32) -> Result<(), Box<dyn Error>> {
    let (old, new) = (format!("pg{before}"), format!("pg{major}"));
    for (folder, declaring) in PLACES {
        let folder = root.join(folder);
        let file = folder.join(format!("{new}.rs"));
        if file.exists() {
            continue;
        }
        let text = fs::read_to_string(folder.join(format!("{old}.rs")))?;
        fs::write(file, replaced(&text, &before.to_string(), &major.to_string())?)?;
        let declaring = folder.join(declaring);
        let declared = declared(&fs::read_to_string(&declaring)?, &old, &new)
            .ok_or_else(|| format!("{} does not declare {old}", declaring.display()))?;
        fs::write(declaring, declared)?;
    }
    Ok(())
}

/// For each item of the old version under a `#[cfg(..)]`, adds the same item for the new one.
fn declared(text: &str, old: &str, new: &str) -> Option<String> {
    let mut declared = String::new();
    let mut item = String::new();
    let mut found = false;
    for line in text.split_inclusive('\n') {
        declared.push_str(line);
        if line.starts_with("#[cfg(") && line.contains(old) {
            item.clear();
        }
        item.push_str(line);
        if line.trim_end().ends_with(';') {
            if item.starts_with("#[cfg(") && line.contains(old) {
                declared.push_str(&item.replace(old, new));
                found = true;
            }
            item.clear();
        }
    }
    found.then_some(declared)
}
