//! The libraries.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::{folder, target};

/// A library, in a separate package next to this one.
#[derive(Debug, PartialEq, Eq)]
pub struct Peer {
    /// The package's folder.
    pub package: &'static str,
    /// Its name in the tables.
    pub label: &'static str,
    /// The crate whose version is printed.
    library: &'static str,
}

/// The divisor of all others.
pub const FLOOR: &str = "c_alone";

const fn peer(package: &'static str, label: &'static str, library: &'static str) -> Peer {
    Peer { package, label, library }
}

/// All libraries, in the order of the tables.
pub const PEERS: [Peer; 9] = [
    peer(FLOOR, "C alone", "libpg_query"),
    peer("pg_ast", "pg_ast", "pg_ast"),
    peer("pg_ast_view", "pg_ast view (tree stays in C)", "pg_ast"),
    peer("pg_raw_parse", "pg_raw_parse (tree stays in C)", "pg_raw_parse"),
    peer("prost_route", "Protobuf, prost", "prost"),
    peer("rust_protobuf_route", "Protobuf, rust-protobuf", "protobuf"),
    peer("pg_query_18", "pg_query 18", "pg_query"),
    peer("pg_query_6", "pg_query 6 (PostgreSQL 17)", "pg_query"),
    peer("sqlparser", "sqlparser (no C)", "sqlparser"),
];

impl Peer {
    pub fn is_floor(&self) -> bool {
        self.package == FLOOR
    }

    /// Builds the programs of the package.
    pub fn build(&self) -> Result<(), Box<dyn Error>> {
        let status = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--manifest-path"])
            .arg(folder().join(self.package).join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", target())
            .status()?;
        if status.success() {
            return Ok(());
        }
        Err(format!("{} does not build (bindgen needs libclang)", self.package).into())
    }

    /// Returns its program, or the one that counts calls of `malloc`.
    pub fn program(&self, counted: bool) -> PathBuf {
        let suffix = if counted { "_counted" } else { "" };
        target().join("release").join(format!("peer_{}{suffix}", self.package))
    }

    /// Returns the crate, and its locked version.
    pub fn version(&self) -> String {
        let lock = fs::read_to_string(folder().join(self.package).join("Cargo.lock"));
        let lock = lock.unwrap_or_default();
        let entry = format!("name = \"{}\"\nversion = \"", self.library);
        let after = lock.split(&entry).nth(1).unwrap_or_default();
        format!("{} {}", self.library, after.split('"').next().unwrap_or_default())
    }
}
