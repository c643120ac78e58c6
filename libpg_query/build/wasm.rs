//! The compiler for WebAssembly: any Clang since 19, without wasi-sdk, emscripten or other headers than ours.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::versions::OWN_WASM;

/// The versions of Clang to look for, the newest first. Earlier ones call other functions in place of `setjmp`.
const VERSIONS: core::ops::RangeInclusive<u32> = 19..=40;

/// Folders with a `bin`, in which installers for other systems put LLVM.
const FOLDERS: &[&str] = &[
    "/opt/homebrew/opt/llvm",
    "/usr/local/opt/llvm",
    "/usr/local/llvm",
    "C:\\Program Files\\LLVM",
];

/// The variable that chooses how exceptions are encoded.
const EXCEPTIONS: &str = "LIBPG_QUERY_WASM_EXCEPTIONS";

/// The flags with which Clang compiles `setjmp` into exceptions ...
const JUMPS: &[&str] = &["-mllvm", "-wasm-enable-sjlj"];
/// ... in the encoding of the standard (`exnref`), in place of an older one.
const STANDARD: &[&str] = &["-mllvm", "-wasm-use-legacy-eh=false"];

/// What a compiler must be able to do.
const PROBE: &str = "\
#if __clang_major__ < 19
#error older than Clang 19
#endif
extern int setjmp(void **) __attribute__((returns_twice));
void other(void);
int probe(void **place) { if (setjmp(place)) return 1; other(); return 0; }
";

/// Returns whether the target is one of WebAssembly that the sources can be compiled for.
pub(crate) fn is_target() -> bool {
    let cfg = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let has_threads = cfg("FEATURE").split(',').any(|feature| feature == "atomics");
    cfg("ARCH") == "wasm32" && ["unknown", "wasi"].contains(&cfg("OS").as_str()) && !has_threads
}

/// Returns the compiler with its settings: for WebAssembly one that is looked for, else the usual one.
pub(crate) fn compiler(out_dir: &Path) -> Result<cc::Build, String> {
    let mut build = cc::Build::new();
    if !is_target() {
        return Ok(build);
    }
    for tool in ["CC", "AR"] {
        for variable in variables(tool) {
            println!("cargo::rerun-if-env-changed={variable}");
        }
    }
    let (clang, encoding) = find_clang(out_dir)?;
    match of_user("AR") {
        Some(ar) => build.archiver(ar),
        None => build.archiver(find_archiver(&clang)?),
    };
    build.compiler(clang).flags(JUMPS).flags(encoding).flag("-nostdlibinc");
    // Without any optimisation, frames are several times as large, and the functions for the grammar have more variables
    // than engines allow.
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        build.opt_level(1);
    }
    Ok(build)
}

/// Adds what each call of the compiler needs: our headers, and C code that makes no use of a large stack.
pub(crate) fn add_headers(build: &mut cc::Build, own: &Path) {
    if is_target() {
        build.flag("-isystem").flag(own.join("wasm/include"));
        // Bison's parsers would take a large array from the stack.
        build.define("YYSTACK_USE_ALLOCA", "0");
    }
}

/// Makes code that is not the parser small: programs are downloaded.
pub(crate) fn make_small(build: &mut cc::Build) {
    if is_target() && env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        build.opt_level_str("z");
    }
}

/// Makes files that recurse count their levels.
pub(crate) fn count_levels(build: &mut cc::Build) {
    if is_target() {
        build.flag("-include").flag("stack_recursion.h");
    }
}

/// Returns our own files that only WebAssembly needs.
pub(crate) fn own_files() -> &'static [&'static str] {
    if is_target() { OWN_WASM } else { &[] }
}

/// Returns the variables that name a tool for the target.
fn variables(tool: &str) -> Vec<String> {
    let target = env::var("TARGET").unwrap_or_default();
    vec![
        format!("{tool}_{target}"),
        format!("{tool}_{}", target.replace('-', "_")),
        format!("TARGET_{tool}"),
    ]
}

/// Returns the tool that the user has named for the target. `CC` alone is mostly that of the host.
fn of_user(tool: &str) -> Option<PathBuf> {
    variables(tool)
        .into_iter()
        .find_map(env::var_os)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

/// Returns a compiler, and its flags for the encoding of exceptions.
fn find_clang(out_dir: &Path) -> Result<(PathBuf, &'static [&'static str]), String> {
    println!("cargo::rerun-if-env-changed={EXCEPTIONS}");
    let wanted = env::var(EXCEPTIONS).unwrap_or_default();
    let encodings: &[&'static [&'static str]] = match wanted.as_str() {
        "" => &[STANDARD, &[]],
        "exnref" => &[STANDARD],
        "legacy" => &[&[]],
        _ => return Err(format!("{EXCEPTIONS} is `exnref` or `legacy`, and not `{wanted}`")),
    };
    let candidates = of_user("CC").map_or_else(clangs, |clang| vec![clang]);
    let mut tried = String::new();
    for encoding in encodings {
        for clang in &candidates {
            match probe(clang, encoding, out_dir) {
                Ok(()) => return Ok((clang.clone(), encoding)),
                Err(Some(reason)) => {
                    let _ = write!(tried, "\n{} {}: {reason}", clang.display(), encoding.join(" "));
                }
                Err(None) => {}
            }
        }
    }
    let tried = match of_user("CC") {
        _ if !tried.is_empty() => tried,
        Some(clang) => format!("\nThere is no {}.", clang.display()),
        None => "\nNone was found in PATH or the usual folders.".to_owned(),
    };
    let target = env::var("TARGET").unwrap_or_default();
    let variable = format!("CC_{}", target.replace('-', "_"));
    Err(format!(
        "PostgreSQL's parser is written in C, and {target} needs Clang 19 or later (apt install clang-22 llvm-22, brew \
         install llvm), with WebAssembly among its targets. Set {variable} to one.{tried}"
    ))
}

/// Returns the paths that may be those of a Clang.
fn clangs() -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("clang")];
    found.extend(VERSIONS.rev().map(|version| format!("clang-{version}").into()));
    let folders = FOLDERS.iter().map(PathBuf::from);
    let folders = folders.chain(env::var_os("WASI_SDK_PATH").map(PathBuf::from));
    let folders =
        folders.chain(VERSIONS.rev().map(|version| format!("/usr/lib/llvm-{version}").into()));
    found.extend(folders.map(|folder| folder.join("bin/clang")));
    found
}

/// Compiles a function that calls `setjmp`. The error is what the compiler said; `None` if there is no such program.
fn probe(clang: &Path, encoding: &[&str], out_dir: &Path) -> Result<(), Option<String>> {
    let file = out_dir.join("wasm_probe.c");
    std::fs::write(&file, PROBE).map_err(|error| Some(error.to_string()))?;
    let output = Command::new(clang)
        .arg("--target=wasm32-unknown-unknown")
        .args(JUMPS)
        .args(encoding)
        .args(["-O1", "-c", "-o"])
        .arg(out_dir.join("wasm_probe.o"))
        .arg(&file)
        .output()
        .map_err(|_| None)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said.lines().find(|line| line.contains("error:") || line.contains("Unknown"));
    Err(Some(error.or(said.lines().next()).unwrap_or("an error").to_owned()))
}

/// Returns the archiver of the same LLVM, or another one: that of the system does not list the symbols of such files.
fn find_archiver(clang: &Path) -> Result<PathBuf, String> {
    let name = clang.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let mut candidates = vec![clang.with_file_name("llvm-ar")];
    if let Some(version) = name.strip_prefix("clang-") {
        candidates.push(format!("llvm-ar-{version}").into());
        candidates.push(format!("/usr/lib/llvm-{version}/bin/llvm-ar").into());
    }
    candidates.push("llvm-ar".into());
    candidates.extend(VERSIONS.rev().map(|version| format!("llvm-ar-{version}").into()));
    candidates.extend(FOLDERS.iter().map(|folder| Path::new(folder).join("bin/llvm-ar")));
    let runs = |ar: &PathBuf| {
        Command::new(ar).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().find(runs).ok_or_else(|| {
        let target = env::var("TARGET").unwrap_or_default();
        let variable = format!("AR_{}", target.replace('-', "_"));
        format!(
            "there is Clang ({}), but not llvm-ar, which {target} needs as well (apt install llvm-22, brew install \
             llvm). Set {variable} to it.",
            clang.display()
        )
    })
}
