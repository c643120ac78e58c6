//! The formatter: layouts, comments, bodies, and the comparison that every result has to pass.

mod bodies;
mod comments;
mod compare;
mod layout;
#[cfg(feature = "pg18")]
mod page;
mod styles;
