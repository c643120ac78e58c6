//! Reads the Protobuf schema.

use std::error::Error;

use prost::Message as _;

use crate::{Generated, Paths};

/// The schema as descriptors, without the comments. Whoever builds reads them, and needs no parser for the
/// language that the schema is written in.
pub(crate) fn files(paths: &Paths) -> Result<Generated, Box<dyn Error>> {
    let proto = paths.source.join(paths.version.proto);
    let include = proto.parent().ok_or("the .proto file has no folder")?;
    let mut files = protox::compile([&proto], [include])?;
    for file in &mut files.file {
        file.source_code_info = None;
    }
    Ok(vec![("schema.binpb", files.encode_to_vec())])
}
