//! Regenerates the committed files of `libpg_query` and `pg_ast` that are not written by hand.
//!
//! ```text
//! cargo run -p libpg_query_tools -- symbols pg18     pg18/symbols.txt, from a build without a prefix
//! cargo run -p libpg_query_tools -- bindings pg18    pg18/bindings.rs and layout.rs; needs libclang
//! cargo run -p libpg_query_tools -- schema pg18      pg18/schema.binpb, and the code that follows from it and the
//!                                                    bindings: all in pg_ast/pg18/
//! cargo run -p libpg_query_tools -- npm pg18         npm/build/pg18.schema.json and pg18.licences.txt, which are not
//!                                                    committed
//! cargo run -p libpg_query_tools -- text pg18        fails if upstream's text is not what ours was written for
//! cargo run -p libpg_query_tools -- pins pg18        build/pins.txt: accepts upstream's text
//! cargo run -p libpg_query_tools -- costs            docs/design/versions.md: the places that each version needs
//! cargo run -p libpg_query_tools -- check pg18       fails if one of these files is out of date; needs libclang
//! cargo run -p libpg_query_tools -- vendor           upstream/, for packaging
//! cargo run -p libpg_query_tools -- new pg19         all of the above and its modules, then every test of that version
//! ```
//!
//! Without a version, a command processes all of them.

mod bindings;
mod costs;
mod layout;
mod licences;
mod modules;
mod schema;
mod symbols;
mod upstream;
mod vendor;

#[path = "../../../codegen/mod.rs"]
mod codegen;

// The code that compiles the library, shared with its build script.
#[path = "../../build/bison.rs"]
mod bison;
#[path = "../../build/compile.rs"]
mod compile;
#[path = "../../build/extensions.rs"]
mod extensions;
#[path = "../../build/grammar.rs"]
mod grammar;
#[path = "../../build/null_checks.rs"]
mod null_checks;
#[path = "../../build/patches.rs"]
mod patches;
#[path = "../../build/pins/mod.rs"]
mod pins;
#[path = "../../build/rows.rs"]
mod rows;
#[path = "../../build/scanner.rs"]
mod scanner;
#[path = "../../build/sources.rs"]
mod sources;
#[allow(dead_code, reason = "what only the build needs to know")]
#[path = "../../build/versions.rs"]
mod versions;
#[allow(dead_code, reason = "only the build looks for a compiler")]
#[path = "../../build/wasm.rs"]
mod wasm;
#[path = "../../build/words.rs"]
mod words;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use versions::{FOLDERS, VERSIONS, Version};

const USAGE: &str =
    "usage: libpg_query_tools symbols|bindings|schema|npm|text|pins|costs|check|vendor|new [pgNN]";

/// The folder of the crate `libpg_query`, and the sources of the current version.
struct Paths<'a> {
    crate_dir: &'a Path,
    source: PathBuf,
    version: &'a Version,
}

impl Paths<'_> {
    /// A committed file of this version.
    fn committed(&self, name: &str) -> PathBuf {
        self.crate_dir.join(self.version.name()).join(name)
    }

    /// A committed file of this version in pg_ast.
    fn of_pg_ast(&self, name: &str) -> PathBuf {
        self.crate_dir.join("../pg_ast").join(self.version.name()).join(name)
    }

    /// A committed file of this version in pg_ast_syntax.
    fn of_pg_ast_syntax(&self, name: &str) -> PathBuf {
        self.crate_dir.join("../pg_ast_syntax/src").join(self.version.name()).join(name)
    }

    /// The folder with the folders of our own C files.
    fn own(&self) -> PathBuf {
        self.crate_dir.join("c")
    }

    /// A file of ours that another one includes by its name.
    fn included(&self, name: &str) -> Option<PathBuf> {
        let mut files = FOLDERS.iter().map(|folder| self.own().join(folder).join(name));
        files.find(|file| file.exists())
    }
}

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut args = args.into_iter();
    let command = args.next().ok_or(USAGE)?;
    let only = args.next();
    // Not `env!`: cargo may reuse a program that was built in another checkout.
    let tools_dir = env::var_os("CARGO_MANIFEST_DIR").ok_or("run this by `cargo run`")?;
    let crate_dir = Path::new(&tools_dir).parent().ok_or("no parent folder")?;

    let (mut found, mut to_check) = (false, Vec::new());
    for version in VERSIONS.iter().filter(|v| only.as_ref().is_none_or(|only| v.name() == *only)) {
        found = true;
        let source = sources::find(version, crate_dir)?;
        let paths = Paths { crate_dir, source, version };
        match command.as_str() {
            "symbols" => write_all(symbols::files(&paths)?)?,
            "bindings" => write_all(bindings::files(&paths)?)?,
            "schema" => write_all(schema::files(&paths)?)?,
            "npm" => {
                write_all(schema::of_npm(&paths)?)?;
                write_all(licences::of_npm(&paths)?)?;
            }
            "text" => upstream::check(&paths)?,
            "pins" => upstream::accept(&paths)?,
            "costs" => {}
            "check" => to_check.push(paths),
            "vendor" => vendor::fill(&paths)?,
            "new" => {
                let older = VERSIONS.iter().map(|v| v.major).filter(|&major| major < version.major);
                let before = older.max().ok_or("no version before it")?;
                let root = crate_dir.parent().ok_or("no parent folder")?;
                modules::write(root, before, version.major)?;
                upstream::check(&paths)?;
                write_all(symbols::files(&paths)?)?;
                write_all(bindings::files(&paths)?)?;
                write_all(schema::files(&paths)?)?;
                test(&version.name())?;
            }
            _ => return Err(USAGE.into()),
        }
    }
    check_versions(&to_check)?;
    match command.as_str() {
        _ if !found => Err(format!("no such version; {USAGE}").into()),
        "costs" => costs::write(crate_dir),
        "text" | "check" if only.is_none() => costs::check(crate_dir),
        _ => Ok(()),
    }
}

/// Checks versions at the same time: most of the work is that of one thread.
fn check_versions(versions: &[Paths<'_>]) -> Result<(), String> {
    let check = |paths: &Paths<'_>| {
        upstream::check(paths)?;
        check_all(symbols::files(paths)?)?;
        check_all(bindings::files(paths)?)?;
        check_all(schema::files(paths)?)
    };
    let check = |paths| check(paths).map_err(|error| error.to_string());
    std::thread::scope(|scope| {
        let checks: Vec<_> =
            versions.iter().map(|paths| scope.spawn(move || check(paths))).collect();
        let failed = |_| Err("a check panicked".to_owned());
        checks.into_iter().try_for_each(|check| check.join().unwrap_or_else(failed))
    })
}

/// Runs the tests that compare a version with its own C library.
fn test(version: &str) -> Result<(), Box<dyn Error>> {
    let cargo = |args: &[&str]| {
        let only = ["--no-default-features", "--features", version];
        let status = Command::new(env!("CARGO")).arg("test").args(args).args(only).status()?;
        if status.success() { Ok(()) } else { Err::<(), Box<dyn Error>>("a test failed".into()) }
    };
    cargo(&["-p", "libpg_query", "--features", "protobuf-oracle"])?;
    cargo(&["-p", "pg_ast_tests", "--test", "versions"])
}

/// Writes the files of upstream that the build changes into a folder, and the tables that they include.
fn write_patched(paths: &Paths, folder: &Path) -> Result<(), String> {
    patches::write(&paths.crate_dir.join("patches"), paths.version.major, &paths.source, folder)?;
    grammar::write(&paths.source, folder)?;
    scanner::write(&paths.source, folder)?;
    words::write(&paths.source, folder)
}

/// The target that this program was compiled for.
const TARGET: &str = env!("LIBPG_QUERY_TOOLS_TARGET");

/// A compiler outside of a build script.
fn compiler(out_dir: &Path) -> cc::Build {
    let mut compiler = cc::Build::new();
    compiler.target(TARGET).host(TARGET).opt_level(0).debug(false);
    compiler.cargo_metadata(false).out_dir(out_dir);
    compiler
}

/// Generated files, with their contents.
type Generated = Vec<(PathBuf, Vec<u8>)>;

/// A text with something replaced.
///
/// # Errors
///
/// It is not in the text.
fn replaced(text: &str, from: &str, to: &str) -> Result<String, String> {
    if text.contains(from) {
        return Ok(text.replace(from, to));
    }
    Err(format!("there is no {from:?} to be replaced by {to:?}"))
}

fn write_all(files: Generated) -> Result<(), Box<dyn Error>> {
    for (path, bytes) in files {
        fs::create_dir_all(path.parent().ok_or("no parent folder")?)?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

fn check_all(files: Generated) -> Result<(), Box<dyn Error>> {
    for (path, bytes) in files {
        if fs::read(&path)? != bytes {
            return Err(format!("{} is not what the tools write", path.display()).into());
        }
    }
    Ok(())
}
