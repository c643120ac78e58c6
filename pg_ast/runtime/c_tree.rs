//! The tree of the parser, in C: the promise that it can be read, how the types of its fields are read,
//! and the table that says what is where in a struct. The views of each PostgreSQL version are made of it.

pub(crate) mod in_c;
pub(crate) mod name;
pub(crate) mod shape;
pub(crate) mod table;
