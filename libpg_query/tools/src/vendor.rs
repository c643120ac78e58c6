//! Fills `upstream/`, so that the packed crate carries its C sources.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::Place;

/// What C and the schema are written in; the rest of a package is left behind.
const EXTENSIONS: [&str; 4] = ["c", "h", "inc", "proto"];

pub(crate) fn fill(place: &Place) -> Result<(), Box<dyn Error>> {
    let upstream = place.crate_dir.join("upstream").join(place.version.name());
    if place.source == upstream {
        println!("{} is filled", upstream.display());
        return Ok(());
    }
    for folder in ["", "src", "protobuf", "vendor"] {
        copy(place, folder, &upstream, !folder.is_empty())?;
    }
    println!("filled {}", upstream.display());
    Ok(())
}

fn copy(place: &Place, folder: &str, to: &Path, recurse: bool) -> Result<(), Box<dyn Error>> {
    let to_folder = to.join(folder);
    fs::create_dir_all(&to_folder)?;
    for entry in fs::read_dir(place.source.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let excluded = place.version.exclude.iter().any(|start| name.starts_with(start));
        if entry.file_type()?.is_dir() {
            if recurse {
                copy(place, &format!("{folder}/{name}"), to, true)?;
            }
        } else if !excluded
            && EXTENSIONS.iter().any(|extension| name.ends_with(&format!(".{extension}")))
        {
            fs::copy(entry.path(), to_folder.join(&name))?;
        }
    }
    Ok(())
}
