//! No global symbol of the C library can clash with one of another library.

#![cfg(feature = "pg18")]

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSymbol};

#[test]
fn every_global_has_the_prefix() {
    let archive = std::fs::read(env!("LIBPG_QUERY_PG18_ARCHIVE")).expect("the archive");
    let archive_file = ArchiveFile::parse(&*archive).expect("an archive");
    let (mut seen, mut bare) = (0, Vec::new());
    for member in archive_file.members() {
        let member = member.expect("a member");
        let object = File::parse(member.data(&*archive).expect("data")).expect("an object file");
        for symbol in object.symbols().filter(|s| s.is_global() && !s.is_undefined()) {
            let name = symbol.name().expect("a name");
            seen += 1;
            // Mach-O puts an underscore before each name.
            if !name.trim_start_matches('_').starts_with("pg18_") {
                bare.push(name.to_owned());
            }
        }
    }
    assert!(seen > 300, "only {seen} symbols");
    assert!(bare.is_empty(), "without prefix: {bare:?}");
}
