//! Finds the folder that holds the C sources of a version.

use std::env;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::versions::Version;

/// The folder `libpg_query/` of a `pg_query` package, or a folder with the same content.
///
/// Looked for in this order: the environment variable `LIBPG_QUERY_PG18_SOURCE`,
/// `upstream/pg18/` beside this crate's manifest, the package that `sources/Cargo.toml` pins.
pub(crate) fn find(version: &Version, manifest_dir: &Path) -> Result<PathBuf, String> {
    let variable = format!("LIBPG_QUERY_PG{}_SOURCE", version.major);
    println!("cargo::rerun-if-env-changed={variable}");
    if let Some(folder) = env::var_os(&variable) {
        return checked(PathBuf::from(folder), version)
            .map_err(|error| format!("{variable}: {error}"));
    }

    let upstream = manifest_dir.join("upstream").join(version.name());
    if upstream.is_dir() {
        return checked(upstream, version);
    }

    let pins = manifest_dir.join("sources/Cargo.toml");
    let package = if pins.is_file() {
        pinned(version, &pins)
    } else {
        Err(format!("{} does not exist", pins.display()))
    };
    package.and_then(|folder| checked(folder, version)).map_err(|error| {
        format!(
            "the C sources of PostgreSQL {major} were not found: {error}\n\
             Set {variable} to the folder `libpg_query` of an unpacked `pg_query` package, or let \
             cargo reach crates.io once, so that it can download the package pinned in \
             libpg_query/sources/Cargo.toml.",
            major = version.major,
        )
    })
}

/// Asks cargo where the pinned package lies. Cargo downloads it if it is not there yet.
fn pinned(version: &Version, pins: &Path) -> Result<PathBuf, String> {
    println!("cargo::rerun-if-changed={}", pins.display());
    // No platform filter: the dependency is under a condition that no platform meets.
    // `--locked`, since a build script must not write into the workspace.
    let metadata = MetadataCommand::new()
        .manifest_path(pins)
        .other_options(["--locked".to_owned()])
        .exec()
        .map_err(|error| error.to_string())?;
    let name = format!("pg_query_{}", version.major);
    let pin = metadata
        .workspace_packages()
        .into_iter()
        .flat_map(|package| &package.dependencies)
        .find(|dependency| dependency.rename.as_deref() == Some(&name))
        .ok_or_else(|| format!("{} names no {name}", pins.display()))?;
    let package = metadata
        .packages
        .iter()
        .find(|package| *package.name == *pin.name && pin.req.matches(&package.version))
        .ok_or_else(|| format!("cargo knows no package {} {}", pin.name, pin.req))?;
    let root = package.manifest_path.parent().ok_or("a manifest without a folder")?;
    Ok(root.join("libpg_query").into())
}

/// The folder, if it looks like one of `version`.
fn checked(folder: PathBuf, version: &Version) -> Result<PathBuf, String> {
    for directory in version.compile {
        if !folder.join(directory).is_dir() {
            return Err(format!("{} has no folder {directory}", folder.display()));
        }
    }
    // A package in cargo's cache never changes; a folder that somebody edits does.
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(folder)
}
