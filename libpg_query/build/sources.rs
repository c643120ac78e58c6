//! Finds the folder that holds the C sources of a version.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tinyjson::JsonValue;

use crate::versions::Version;

/// The folder `libpg_query/` of a `pg_query` package, or a folder with the same content.
///
/// The order of the search: the environment variable `LIBPG_QUERY_PG18_SOURCE`,
/// `upstream/pg18/` next to this crate's manifest, the package that `sources/Cargo.toml` pins.
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

/// Asks cargo for the folder of the pinned package. Cargo downloads it if necessary.
fn pinned(version: &Version, pins: &Path) -> Result<PathBuf, String> {
    println!("cargo::rerun-if-changed={}", pins.display());
    // No platform filter: the dependency is under a condition that is never true.
    // `--locked`, because a build script must not write into the workspace.
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(pins)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let metadata: JsonValue = text.parse().map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = || array(&metadata, "packages");

    let name = format!("pg_query_{}", version.major);
    let pin = packages()
        .flat_map(|package| array(package, "dependencies"))
        .find(|dependency| string(dependency, "rename") == Some(&name))
        .ok_or_else(|| format!("{} names no {name}", pins.display()))?;
    let (package, requirement) = (string(pin, "name"), string(pin, "req").unwrap_or_default());
    // The pins are exact.
    let exact = requirement.strip_prefix('=');
    let manifest = packages()
        .find(|found| string(found, "name") == package && string(found, "version") == exact)
        .and_then(|found| string(found, "manifest_path"))
        .ok_or_else(|| format!("cargo knows no package {} {requirement}", package.unwrap_or("")))?;
    let root = Path::new(manifest).parent().ok_or("a manifest without a folder")?;
    Ok(root.join("libpg_query"))
}

/// Returns the items of a list in an object; none if the list is missing.
fn array<'a>(object: &'a JsonValue, key: &str) -> impl Iterator<Item = &'a JsonValue> {
    field(object, key).and_then(JsonValue::get::<Vec<_>>).into_iter().flatten()
}

fn string<'a>(object: &'a JsonValue, key: &str) -> Option<&'a str> {
    field(object, key)?.get::<String>().map(String::as_str)
}

fn field<'a>(object: &'a JsonValue, key: &str) -> Option<&'a JsonValue> {
    object.get::<HashMap<_, _>>()?.get(key)
}

/// Returns the folder if it looks like one of `version`.
fn checked(folder: PathBuf, version: &Version) -> Result<PathBuf, String> {
    for directory in version.compile {
        if !folder.join(directory).is_dir() {
            return Err(format!("{} has no folder {directory}", folder.display()));
        }
    }
    // A package in cargo's cache never changes; a folder that a user edits does.
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(folder)
}
