//! Reads the Protobuf schema.

use std::error::Error;
use std::fs;

use prost::Message as _;

use crate::grammar::{self, Tables};
use crate::{Generated, Paths, codegen};

/// Writes the schema as descriptors, without the comments, and the code of pg_ast that follows from it. Builds
/// need neither a parser for .proto files nor prost-build.
pub(crate) fn files(paths: &Paths) -> Result<Generated, Box<dyn Error>> {
    let (descriptors, code) = generate(paths)?;
    Ok(vec![
        (paths.committed("schema.binpb"), descriptors),
        (paths.of_pg_ast("protobuf.rs"), code.protobuf.into_bytes()),
        (paths.of_pg_ast("views.rs"), code.views.into_bytes()),
        (paths.of_pg_ast("plpgsql.rs"), code.plpgsql.into_bytes()),
        (paths.of_pg_ast_syntax("syntax_kinds.rs"), code.syntax_kinds.into_bytes()),
        (paths.of_pg_ast("plpgsql_views.rs"), code.plpgsql_views.into_bytes()),
    ])
}

/// Writes what the generator of the npm package reads, which is not committed.
pub(crate) fn of_npm(paths: &Paths) -> Result<Generated, Box<dyn Error>> {
    let name = format!("{}.schema.json", paths.version.name());
    let path = paths.crate_dir.join("../npm/build").join(name);
    Ok(vec![(path, generate(paths)?.1.javascript.into_bytes())])
}

/// Returns the descriptors, and the code that follows from them.
fn generate(paths: &Paths) -> Result<(Vec<u8>, codegen::Code), Box<dyn Error>> {
    let proto = paths.source.join(paths.version.proto);
    let include = proto.parent().ok_or("the .proto file has no folder")?;
    let mut files = protox::compile([&proto], [include])?;
    for file in &mut files.file {
        file.source_code_info = None;
    }
    let descriptors = files.encode_to_vec();
    let bindings = paths.committed("bindings.rs");
    let grammar = Tables::read(&fs::read_to_string(paths.source.join(grammar::FILE))?)?;
    let symbols = &grammar.names;
    let code = codegen::generate(paths.version.major, files, &bindings, &paths.source, symbols)?;
    Ok((descriptors, code))
}
