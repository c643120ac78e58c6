//! Runs all engines with all workloads, in rounds: a slow period affects all of them.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum as _};

use crate::engine::Kind;
use crate::pgbench::{self, Run, Workload};
use crate::proxy::Measured;
use crate::server::{Server, Tools};
use crate::{chart, table};

#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Seconds of each run
    #[arg(long, default_value_t = 5)]
    seconds: u32,
    /// Runs of each engine with each workload
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// Threads of the proxy
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Size of pgbench's tables
    #[arg(long, default_value_t = 10)]
    scale: u32,
    /// These engines
    #[arg(long, value_enum)]
    engine: Vec<Kind>,
    /// These workloads
    #[arg(long, value_enum)]
    workload: Vec<Workload>,
    /// Write the table and the chart into this folder
    #[arg(long)]
    write: Option<PathBuf>,
}

/// The results of an engine with a workload.
pub(crate) struct Measurement {
    pub(crate) workload: Workload,
    pub(crate) engine: Kind,
    pub(crate) runs: Vec<(Run, Measured)>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(error) => {
            println!("SKIPPED: there is no PostgreSQL to put a proxy in front of: {error}");
            return Ok(());
        }
    };
    let version = tools.version()?;
    let server = Server::start(tools, options.scale)?;
    let all =
        |chosen: &[Kind]| if chosen.is_empty() { Kind::ALL.to_vec() } else { chosen.to_vec() };
    let engines = all(&options.engine);
    let workloads = match options.workload.as_slice() {
        [] => Workload::ALL.to_vec(),
        chosen => chosen.to_vec(),
    };

    let mut results: Vec<_> = workloads
        .iter()
        .flat_map(|&workload| {
            engines.iter().map(move |&engine| Measurement { workload, engine, runs: Vec::new() })
        })
        .collect();
    for round in 0..options.rounds {
        for result in &mut results {
            eprintln!(
                "round {}: {}, {}",
                round + 1,
                result.workload.label(),
                result.engine.label()
            );
            let proxy = Proxy::start(result.engine, server.port, options.threads)?;
            let port = proxy.port;
            let run =
                pgbench::measure(&server, port, result.workload, options.clients, options.seconds);
            let measured = proxy.stop()?;
            result.runs.push((run?, measured));
        }
    }
    drop(server);

    let heading = format!(
        "{version}, {} clients, {} thread(s) of the proxy, {} rounds of {} s",
        options.clients, options.threads, options.rounds, options.seconds
    );
    let text = table::markdown(&heading, &results);
    print!("{text}");
    if let Some(folder) = &options.write {
        std::fs::write(folder.join("RESULTS.md"), text)?;
        std::fs::write(folder.join("chart.svg"), chart::svg(&results))?;
    }
    Ok(())
}

/// A proxy in a separate process, to measure its own processor time.
struct Proxy {
    process: Child,
    output: BufReader<ChildStdout>,
    port: u16,
}

impl Proxy {
    fn start(engine: Kind, server: u16, threads: usize) -> Result<Self> {
        let name = engine.to_possible_value().context("an engine without a name")?;
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--engine", name.get_name()])
            .args(["--server", &server.to_string(), "--threads", &threads.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut output = BufReader::new(process.stdout.take().context("no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let port = line.trim().parse().with_context(|| format!("no port but {line:?}"))?;
        Ok(Self { process, output, port })
    }

    /// Stops it, and returns its measurements.
    fn stop(mut self) -> Result<Measured> {
        drop(self.process.stdin.take());
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let status = self.process.wait()?;
        if !status.success() {
            bail!("the proxy ended with {status}");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

/// No process is left in any case.
impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
