//! The tree of the parser, in C: the promise that it can be read, how the types of its fields are read,
//! and the table of the fields of structs. The views of each PostgreSQL version are built on it.

pub(crate) mod field_type;
pub(crate) mod in_c;
pub(crate) mod table;
