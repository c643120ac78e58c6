//! No global symbol of the C library can clash with one of another library.

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSymbol};

use super::{ARCHIVE, NAME};

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
