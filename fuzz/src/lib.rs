//! What the fuzz targets of pg_ast share.

pub mod targets;
