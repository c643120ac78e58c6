//! Writes the header that renames every global symbol of the C library.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::versions::{SYMBOLS_WASM, Version};
use crate::wasm;

/// Writes the header for `version` into `out_dir` and returns its path.
///
/// libpg_query exports about a thousand plain names (`palloc`, `lappend`, ...), which would
/// clash with other PostgreSQL code in the same program, such as a second version of this
/// library. A `#define` for each, included before everything else, renames definitions and uses.
pub(crate) fn write_header(
    version: &Version,
    prefix: &str,
    manifest_dir: &Path,
    out_dir: &Path,
) -> io::Result<PathBuf> {
    let list = manifest_dir.join(version.name()).join("symbols.txt");
    println!("cargo::rerun-if-changed={}", list.display());

    let mut header = format!("#define SHIM_SYMBOL_PREFIX \"{prefix}\"\n");
    let list = fs::read_to_string(list)?;
    let more = if wasm::is_target() { SYMBOLS_WASM } else { &[] };
    for symbol in list.lines().filter(|line| !line.starts_with('#')).chain(more.iter().copied()) {
        writeln!(header, "#define {symbol} {prefix}{symbol}").expect("writing to a String");
    }
    // See patches/platforms.patch.
    header += "#pragma push_macro(\"errcode\")\n";
    let path = out_dir.join(format!("{prefix}symbols.h"));
    fs::write(&path, header)?;
    Ok(path)
}
