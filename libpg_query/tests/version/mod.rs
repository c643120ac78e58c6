//! Tests that are compiled once for each PostgreSQL version that is enabled, against that version's `pg`.

use super::{ARCHIVE, INCLUDE, NAME, pg};

pub mod calls;
mod coexist;
mod layout;
mod smoke;
mod symbols;
mod threads;
