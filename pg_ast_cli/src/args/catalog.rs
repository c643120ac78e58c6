//! The arguments about what a database has.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{Inputs, Limits};

/// What is known of the database.
#[derive(Args, Debug, Default)]
pub(crate) struct KnownDatabase {
    /// Catalog of the database, as `pgast catalog` writes it [default: those of pgast.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) catalog: Option<PathBuf>,
    /// Scripts that define the database, such as a dump of its schema or migrations; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("from").required(true).args(["server", "query", "schema"])))]
pub(crate) struct Catalog {
    /// Ask the server of this address, without TLS: `postgresql://USER@HOST/DATABASE`
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Print what psql asks a server: `pgast catalog --query | psql -XAtqv ON_ERROR_STOP=1 -f - "$URL" > catalog.sql`
    #[arg(long)]
    pub(crate) query: bool,
    /// Take what scripts define, such as migrations: files, folders and patterns, in their order
    #[arg(long, value_name = "FILES", num_args = 1..)]
    pub(crate) schema: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Args, Debug)]
pub(crate) struct Describe {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    /// As JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Lineage {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) known: KnownDatabase,
    /// As JSON, one object per line, with the column lineage facet of OpenLineage
    #[arg(long)]
    pub(crate) json: bool,
    /// The namespace of tables in JSON, such as `postgres://HOST:PORT`
    #[arg(long, value_name = "NAME", default_value = "postgres")]
    pub(crate) namespace: String,
}
