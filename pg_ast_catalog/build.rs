//! Compresses the data, so that a program has a sixth of its size.

use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::deflate::compress_to_vec;

/// The files are compressed once per build, so the best level costs nothing that anybody notices.
const LEVEL: u8 = 9;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder"));
    for name in ["builtin.txt", "extensions.txt"] {
        let path = Path::new("data").join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        fs::write(out.join(name), compress_to_vec(&text, LEVEL))
            .expect("the folder can be written");
    }
}
