//! Checks that no global symbol of the C library can clash with one of another library.

use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSymbol};

use super::{ARCHIVE, INCLUDE, NAME};

#[test]
fn every_global_has_the_prefix() {
    let archive = std::fs::read(ARCHIVE).expect("the archive");
    let archive_file = ArchiveFile::parse(&*archive).expect("an archive");
    let (mut seen, mut bare) = (0, Vec::new());
    for member in archive_file.members() {
        let member = member.expect("a member");
        let object = File::parse(member.data(&*archive).expect("data")).expect("an object file");
        for symbol in object.symbols().filter(|s| s.is_global() && !s.is_undefined()) {
            let name = symbol.name().expect("a name");
            seen += 1;
            // Mach-O puts an underscore before each name.
            if !name.trim_start_matches('_').starts_with(&format!("{NAME}_")) {
                bare.push(name.to_owned());
            }
        }
    }
    assert!(seen > 200, "only {seen} symbols");
    assert!(bare.is_empty(), "without prefix: {bare:?}");
}

/// Compiled code does not contain the build path: neither in messages nor in debug information.
#[test]
#[cfg(not(target_env = "msvc"))]
fn no_path_of_this_machine_is_in_the_library() {
    let archive = std::fs::read(ARCHIVE).expect("the archive");
    let archive = String::from_utf8_lossy(&archive);
    let output = Path::new(ARCHIVE).parent().and_then(Path::to_str).expect("a folder");
    // The first one has the patched headers.
    let source = INCLUDE.split(':').nth(1).expect("a folder");
    for folder in [env!("CARGO_MANIFEST_DIR"), output, source.trim_end_matches("/.")] {
        let found = archive.match_indices(folder).map(|(place, _)| {
            let end = archive[place..].find('\0').map_or(place, |length| place + length);
            &archive[place..end]
        });
        assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
    }
}
