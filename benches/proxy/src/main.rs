//! A proxy for a real PostgreSQL, with different parsers. README.md describes how to run it, and the results.

mod bench;
mod chart;
mod engine;
mod pgbench;
mod proxy;
mod server;
mod table;

use std::num::NonZero;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::engine::Kind;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start PostgreSQL, and measure each engine with each workload
    Run(bench::Options),
    /// Be a proxy until standard input ends, then print what was measured
    Serve {
        #[arg(long, value_enum)]
        engine: Kind,
        /// The port of PostgreSQL on 127.0.0.1
        #[arg(long)]
        server: NonZero<u16>,
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Run(options) => bench::run(&options),
        Command::Serve { engine, server, threads } => proxy::serve(engine, server.get(), threads),
    }
}
