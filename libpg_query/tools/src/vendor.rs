//! Fills `upstream/`, so that the packaged crate contains its C sources:
//! only the files of a package that the library is compiled from, and their licences.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::{Paths, licences};

/// The extensions of C files.
const EXTENSIONS: [&str; 3] = ["c", "h", "inc"];

/// The files of libpg_query that ours include, which not every
/// version has, or has in the same place.
const OWN: [&str; 9] = [
    "pg_query.h",
    "pg_query_scan_tokens.h",
    "postgres_deparse.h",
    "src/pg_query_fingerprint.h",
    "src/pg_query_internal.h",
    "src/pg_query_normalize.c",
    "src/pg_query_outfuncs.h",
    "src/postgres_deparse.c",
    "src/postgres_deparse.h",
];

pub(crate) fn fill(paths: &Paths) -> Result<(), Box<dyn Error>> {
    let upstream = paths.crate_dir.join("upstream").join(paths.version.name());
    if paths.source == upstream {
        println!("{} is filled", upstream.display());
        return Ok(());
    }
    // Included files are next to the compiled ones, and in a folder that 15 lacks.
    for folder in paths.version.compile.iter().chain([&"src/include"]) {
        if paths.source.join(folder).exists() {
            copy_folder(&paths.source.join(folder), &upstream.join(folder))?;
        }
    }
    for file in OWN.iter().chain([&paths.version.proto]) {
        if paths.source.join(file).exists() {
            copy_file(&paths.source.join(file), &upstream.join(file))?;
        }
    }
    // Not all packages have them.
    fs::write(upstream.join(licences::LIBPG_QUERY), licences::libpg_query(paths)? + "\n")?;
    fs::write(upstream.join(licences::POSTGRES), licences::postgres(paths)? + "\n")?;
    println!("filled {}", upstream.display());
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to.join(&name))?;
        } else if EXTENSIONS.iter().any(|extension| name.ends_with(&format!(".{extension}"))) {
            copy_file(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to.parent().ok_or("a file without a folder")?)?;
    fs::copy(from, to)?;
    Ok(())
}
