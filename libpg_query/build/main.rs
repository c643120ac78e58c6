//! Compiles the C library of every enabled PostgreSQL version.

mod bison;
mod compile;
mod extensions;
mod grammar;
mod null_checks;
mod patches;
#[allow(dead_code, reason = "what only the tools check")]
mod pins;
mod rows;
mod scanner;
mod sources;
mod symbols;
mod versions;
mod wasm;
mod words;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use compile::Build;
use versions::{VERSIONS, Version};

/// The hashes of upstream's text that ours was written for.
const PINS: &str = include_str!("pins.txt");

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-changed=patches");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    let manifest_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no manifest dir")?);
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);

    // Documentation builds do not link.
    let links = env::var_os("DOCS_RS").is_none();
    let mut compiler = None;
    let versions = VERSIONS.iter().filter(|version| enabled(&version.name())).count();
    for version in VERSIONS.iter().filter(|version| enabled(&version.name())) {
        if let Err(message) = can_be_compiled(version) {
            println!("cargo::error={message}");
            return Ok(());
        }
        let found = sources::find(version, &manifest_dir).and_then(|source| {
            if links && compiler.is_none() {
                compiler = Some(wasm::compiler(&out_dir)?);
            }
            Ok(source)
        });
        let source = match found {
            Ok(source) => source,
            Err(message) => {
                for line in message.lines() {
                    println!("cargo::error={line}");
                }
                return Ok(());
            }
        };
        let oracle = enabled("protobuf-oracle");
        if oracle && !version.oracle_files().all(|file| source.join(file).exists()) {
            println!(
                "cargo::error=the feature protobuf-oracle needs what the published crate leaves \
                 out; it is for libpg_query's own repository"
            );
            return Ok(());
        }
        let name = version.name();
        let folder = manifest_dir.join("patches");
        let patched = out_dir.join("patched").join(&name);
        let written = patches::write(&folder, version.major, &source, &patched)
            .and_then(|()| grammar::write(&source, &patched))
            .and_then(|()| scanner::write(&source, &patched))
            .and_then(|()| words::write(&source, &patched))
            .and_then(|()| pins::check_cuts(version.major, PINS, &patched));
        if let Err(message) = written {
            println!("cargo::error={message}");
            return Ok(());
        }
        let compile = |compiler: &cc::Build, build, prefix: &str| {
            let prefix = format!("{prefix}_");
            let header = symbols::write_header(version, &prefix, &manifest_dir, &out_dir)?;
            compile::Job {
                compiler: compiler.clone(),
                version,
                source: &source,
                patched: &patched,
                own: &manifest_dir.join("c"),
                prefix_header: Some(&header),
                build,
                plpgsql: enabled("plpgsql"),
                versions,
            }
            .compile(&format!("pg_query_{}", prefix.trim_end_matches('_')))
        };
        if let Some(compiler) = &compiler {
            compile(compiler, Build::Library, &name)?;
            if oracle {
                compile(compiler, Build::Stock, &format!("{name}_stock"))?;
            }
        }
        tell_dependents(version, &source, &manifest_dir);
        tell_tests(version, &source, &patched, &out_dir);
    }
    Ok(())
}

/// Returns whether a feature of this crate is enabled.
fn enabled(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
}

/// Returns whether the sources of a version support the target; see docs/platforms.md.
fn can_be_compiled(version: &Version) -> Result<(), String> {
    let cfg = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let target = env::var("TARGET").unwrap_or_default();
    if cfg("FAMILY").split(',').any(|family| family == "wasm") && !wasm::is_target() {
        return Err(format!(
            "PostgreSQL's parser can be compiled for wasm32-unknown-unknown and wasm32-wasip1 \
             without threads, and not for {target}"
        ));
    }
    if version.only_64_bit_unix && (cfg("FAMILY") != "unix" || cfg("POINTER_WIDTH") != "64") {
        return Err(format!(
            "the C sources of PostgreSQL {} are for Unix systems with 64 bits: the feature {} is \
             not there for {target}",
            version.major,
            version.name(),
        ));
    }
    Ok(())
}

/// Passes paths to this crate's own tests.
fn tell_tests(version: &Version, source: &Path, patched: &Path, out_dir: &Path) {
    let name = version.name().to_uppercase();
    let archive = out_dir.join(format!("libpg_query_{}.a", version.name()));
    println!("cargo::rustc-env=LIBPG_QUERY_{name}_ARCHIVE={}", archive.display());
    for triple in ["HOST", "TARGET"] {
        println!("cargo::rustc-env=LIBPG_QUERY_{triple}={}", env::var(triple).unwrap_or_default());
    }
    let upstream = version.include.iter().map(|dir| source.join(dir));
    let include: Vec<_> = std::iter::once(patched.to_owned())
        .chain(upstream)
        .map(|dir| dir.display().to_string())
        .collect();
    println!("cargo::rustc-env=LIBPG_QUERY_{name}_INCLUDE={}", include.join(":"));
}

/// Passes paths to the build scripts of direct dependents, as `DEP_PG_QUERY_PG18_...`.
fn tell_dependents(version: &Version, source: &Path, manifest_dir: &Path) {
    let name = version.name();
    println!("cargo::metadata={name}_source={}", source.display());
    println!("cargo::metadata={name}_proto={}", source.join(version.proto).display());
    let committed = manifest_dir.join(&name);
    println!("cargo::metadata={name}_schema={}", committed.join("schema.binpb").display());
}
