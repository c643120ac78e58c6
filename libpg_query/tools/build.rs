//! Tells the program the target that it is compiled for: only build scripts know it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        "cargo::rustc-env=LIBPG_QUERY_TOOLS_TARGET={}",
        std::env::var("TARGET").unwrap_or_default()
    );
}
