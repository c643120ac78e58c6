//! The tree as JSON: what libpg_query writes, and what can be read again.

mod common;

each_version!(json);
