//! The workloads.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::ValueEnum;

use crate::server::{Server, run};

/// The tables of the join besides pgbench's own; pgbench accepts one statement per script.
pub(crate) const TABLES: [&str; 3] = [
    "CREATE TABLE users (id int PRIMARY KEY, tenant_id int, email text, name text);",
    "INSERT INTO users SELECT i, i % 100, 'user' || i || '@example.com', 'User ' || i FROM generate_series(1, 10000) i;",
    "CREATE INDEX ON users (tenant_id, id);",
];

/// An ORM's query for "the accounts of this branch, and their owners".
const JOIN: &str = r#"\set id random(1, 10000)
SELECT "users"."id" AS "users_id", "users"."email" AS "users_email", "users"."name" AS "users_name", "accounts"."aid" AS "accounts_aid", "accounts"."bid" AS "accounts_bid", "accounts"."abalance" AS "accounts_abalance" FROM "pgbench_accounts" AS "accounts" INNER JOIN "users" ON "users"."id" = "accounts"."aid" WHERE "accounts"."aid" = :id AND "accounts"."bid" IN (1, 2, 3) ORDER BY "users"."id" ASC LIMIT 20;
"#;
/// The number of rows per insert.
const ROWS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// `pgbench -S`, simple protocol
    Select,
    /// `pgbench -S`, extended protocol
    Extended,
    /// A join of 400 bytes as an ORM writes it
    Join,
    /// Inserts of 100 rows
    Insert,
}

impl Workload {
    pub(crate) const ALL: [Self; 4] = [Self::Select, Self::Extended, Self::Join, Self::Insert];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Select => "-S, simple",
            Self::Extended => "-S, extended",
            Self::Join => "join of an ORM",
            Self::Insert => "INSERT of 100 rows",
        }
    }

    fn script(self) -> Option<String> {
        match self {
            Self::Select | Self::Extended => None,
            Self::Join => Some(JOIN.to_owned()),
            Self::Insert => {
                let rows: Vec<_> =
                    (0..ROWS).map(|i| format!("({i}, 1, :aid, {i}, CURRENT_TIMESTAMP)")).collect();
                Some(format!(
                    "\\set aid random(1, 100000)\nINSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES {};\n",
                    rows.join(", ")
                ))
            }
        }
    }
}

/// The results of one run of pgbench.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) transactions: u64,
    /// Per second.
    pub(crate) rate: f64,
    /// The duration of each transaction in microseconds, sorted.
    pub(crate) latencies: Vec<u64>,
}

/// Runs a workload on a port.
pub(crate) fn measure(
    server: &Server,
    port: u16,
    workload: Workload,
    clients: usize,
    seconds: u32,
) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    let mut command = server.pgbench_by(port);
    command.current_dir(folder.path());
    command.args(["-n", "-l", "-c", &clients.to_string(), "-T", &seconds.to_string()]);
    match workload.script() {
        None => command.arg("-S"),
        Some(script) => {
            fs::write(folder.path().join("script.sql"), script)?;
            command.args(["-f", "script.sql"])
        }
    };
    let mode = if workload == Workload::Extended { "extended" } else { "simple" };
    let printed = run(command.args(["-M", mode, "postgres"]))?;
    let latencies = latencies(folder.path())?;
    let rate = printed
        .lines()
        .find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok())
        .with_context(|| format!("pgbench does not say how fast it was: {printed}"))?;
    Ok(Run { transactions: latencies.len() as u64, rate, latencies })
}

/// Returns the third number of each line of pgbench's logs.
fn latencies(folder: &Path) -> Result<Vec<u64>> {
    let mut latencies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("pgbench_log") {
            let log = fs::read_to_string(entry.path())?;
            let numbers =
                log.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<u64>().ok());
            latencies.extend(numbers);
        }
    }
    latencies.sort_unstable();
    Ok(latencies)
}
