//! Writes the messages of libpg_query's schema.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DEP_PG_QUERY_PG18_PROTO");
    let proto = std::env::var_os("DEP_PG_QUERY_PG18_PROTO").ok_or("no schema")?;
    let proto = PathBuf::from(proto);
    let include = proto.parent().ok_or("the schema has no folder")?;
    let files = protox::compile([&proto], [include])?;
    prost_build::Config::new().compile_fds(files)?;
    Ok(())
}
