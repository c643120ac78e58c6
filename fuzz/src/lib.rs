//! Shared by the fuzz targets of pg_ast.

pub mod targets;
pub mod tools;
