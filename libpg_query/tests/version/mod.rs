//! Tests that are compiled once per enabled PostgreSQL version, against that version's `pg`.

use super::{ARCHIVE, INCLUDE, NAME, pg};

pub mod calls;
mod coexist;
mod layout;
#[cfg(feature = "plpgsql")]
mod plpgsql;
mod smoke;
mod symbols;
mod threads;
