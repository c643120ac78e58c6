//! The licences of the C sources, which have to go with what is built from them.
//!
//! The pinned packages have libpg_query's licence, but not in each version, and not PostgreSQL's `COPYRIGHT`: its paragraphs
//! are those of SPDX, and the lines with the names and the years are those above PostgreSQL's own files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::sources;
use crate::versions::VERSIONS;
use crate::{Generated, Paths};

/// What a comment says that is a licence of somebody else, as in the file of a function from OpenBSD.
const GRANTS: [&str; 3] = ["hereby granted", "Redistribution and use", "Permission to use"];

/// The file with PostgreSQL's licence, beside its sources.
pub(crate) const POSTGRES: &str = "COPYRIGHT";

/// The file with libpg_query's.
pub(crate) const LIBPG_QUERY: &str = "LICENSE";

/// Writes what goes into the npm package, which is not committed.
pub(crate) fn of_npm(paths: &Paths) -> Result<Generated, Box<dyn Error>> {
    let name = format!("{}.licences.txt", paths.version.name());
    let mut text = format!(
        "PostgreSQL {}\n\n{}\n\nlibpg_query\n\n{}\n",
        paths.version.major,
        postgres(paths)?,
        libpg_query(paths)?,
    );
    for (notice, files) in others(paths)? {
        writeln!(text, "\n{}, of PostgreSQL\n\n{notice}", files.join(", "))?;
    }
    Ok(vec![(paths.crate_dir.join("../npm/build").join(name), text.into_bytes())])
}

/// PostgreSQL's licence, with the years of a version.
pub(crate) fn postgres(paths: &Paths) -> Result<String, Box<dyn Error>> {
    let id = spdx::license_id("PostgreSQL").ok_or("SPDX has no licence of PostgreSQL")?;
    // Any file that has been there from the start.
    let header = fs::read_to_string(paths.source.join("src/postgres/include/nodes/pg_list.h"))?;
    let notices: Vec<_> = header
        .lines()
        .filter_map(|line| line.trim_start_matches([' ', '*', '\t']).strip_prefix("Portions "))
        .collect();
    if notices.len() != 2 {
        return Err(format!("{notices:?} are not the two notices of PostgreSQL").into());
    }
    let mut notices = notices.into_iter();
    let mut lines = Vec::new();
    for line in id.text().lines() {
        lines.push(if line.starts_with("Portions Copyright") {
            format!("Portions {}", notices.next().ok_or("a third notice in SPDX's text")?)
        } else {
            line.to_owned()
        });
    }
    Ok(lines.join("\n").trim().to_owned())
}

/// libpg_query's licence, which is the same for all versions.
pub(crate) fn libpg_query(paths: &Paths) -> Result<String, Box<dyn Error>> {
    for version in VERSIONS {
        let file = sources::find(version, paths.crate_dir)?.join(LIBPG_QUERY);
        if file.exists() {
            return Ok(fs::read_to_string(file)?.trim().to_owned());
        }
    }
    Err("no version has libpg_query's licence".into())
}

/// The licences in comments of the compiled sources, each with the files that have it.
fn others(paths: &Paths) -> Result<BTreeMap<String, Vec<String>>, Box<dyn Error>> {
    let mut found = BTreeMap::new();
    for folder in paths.version.compile {
        read_folder(&paths.source.join(folder), &mut found)?;
    }
    Ok(found)
}

fn read_folder(
    folder: &Path,
    found: &mut BTreeMap<String, Vec<String>>,
) -> Result<(), Box<dyn Error>> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), found)?;
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(entry.path())?).into_owned();
        for comment in text.split("/*").skip(1).filter_map(|rest| rest.split("*/").next()) {
            if GRANTS.iter().any(|grant| comment.contains(grant)) {
                let name = entry.file_name().to_string_lossy().into_owned();
                found.entry(without_stars(comment)).or_default().push(name);
            }
        }
    }
    Ok(())
}

/// The text of a comment without what is drawn around it.
fn without_stars(comment: &str) -> String {
    let lines = comment.lines().map(|line| {
        line.trim_start().trim_start_matches(['*', '-']).trim_matches(['-', '\t', ' '])
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
