//! Compares pg_ast with other libraries, and all of them with the C code alone.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml             # everything, to RESULTS.md and chart.svg
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- --quick  # short runs of a part, printed only
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- code     # generated code, to CODE.md
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- changes  # instructions of changes, to CHANGES.md
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- changes rewrites  # those of a proxy alone, printed only
//! ```
//!
//! | option | |
//! |---|---|
//! | `--quick` | shorter runs, and no counts of instructions |
//! | `--only GROUP` | one group of SQL; also `deep` and `in1m`, which are not among the usual six |
//! | `--peer NAME` | only this library, in addition to pg_ast, its views and the C code |
//! | `--no-instructions` | without valgrind |
//! | `--write` | write the files, also after `--quick` |
//!
//! Each library is a separate program. All of them run at the same time and wait; the
//! runner sends the same work to one after another, over several rounds, and divides
//! each answer by that of the C code in the same round. It prints the median of these
//! ratios: a slower machine slows both down. Times are processor times of a process.

mod changes;
mod chart;
mod code;
mod instructions;
mod measure;
mod memory;
mod peers;
mod process;
#[path = "../../common/svg.rs"]
mod svg;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use peer_protocol::texts;
use peers::{FLOOR, PEERS, Peer};

/// The groups that are measured by default.
const GROUPS: [&str; 6] = ["simple", "pgbench", "orm", "analytic", "insert1000", "ddl"];

/// The options of the command line.
struct Options {
    quick: bool,
    instructions: bool,
    write: bool,
    groups: Vec<&'static str>,
    peers: Vec<&'static Peer>,
}

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let result = if args.first().is_some_and(|arg| arg == "code") {
        code::run()
    } else if args.first().is_some_and(|arg| arg == "changes") {
        changes::run(args.get(1).is_some_and(|arg| arg == "rewrites"))
    } else {
        options(&args).and_then(|options| run(&options))
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(args: &[String]) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        quick: false,
        instructions: true,
        write: false,
        groups: GROUPS.to_vec(),
        peers: PEERS.iter().collect(),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => (options.quick, options.instructions) = (true, false),
            "--instructions" => options.instructions = true,
            "--no-instructions" => options.instructions = false,
            "--write" => options.write = true,
            "--only" => {
                let name = args.next().ok_or("--only needs the name of a group")?;
                let known = texts::NAMES.into_iter().find(|known| known == name);
                options.groups = vec![known.ok_or_else(|| format!("no group {name}"))?];
            }
            "--peer" => {
                let name = args.next().ok_or("--peer needs the name of a library")?;
                let kept = |peer: &&Peer| {
                    ["c_alone", "pg_ast", "pg_ast_view", name].contains(&peer.package)
                };
                options.peers = PEERS.iter().filter(kept).collect();
            }
            _ => return Err(format!("no option {arg}; those that are stand in src/main.rs").into()),
        }
    }
    options.write |=
        !options.quick && options.groups == GROUPS && options.peers.len() == PEERS.len();
    Ok(options)
}

/// Returns the folder of this package.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns cargo's target folder.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder().join("target"), PathBuf::from)
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut built = Vec::new();
    for peer in &options.peers {
        eprintln!("building {}", peer.package);
        match peer.build() {
            Ok(()) => built.push(*peer),
            Err(error) if peer.package == FLOOR => return Err(error),
            Err(error) => eprintln!("left out: {error}"),
        }
    }
    let timings = measure::run(&built, &options.groups, options.quick)?;
    let memory = memory::run(&built, &options.groups)?;
    let instructions =
        if options.instructions { instructions::run(&built, &options.groups)? } else { Vec::new() };
    let mut text = head(&built);
    text += &table::times(&timings, &built, &options.groups);
    text += &table::instructions(&instructions, &built, &options.groups);
    text += &table::memory(&memory, &built, &options.groups);
    println!("{text}");
    if options.write {
        let kind =
            if options.quick { "A quick run: figures may be some percent off.\n\n" } else { "" };
        fs::write(
            folder().join("RESULTS.md"),
            format!("# pg_ast beside other libraries\n\n{kind}{text}"),
        )?;
        fs::write(folder().join("chart.svg"), chart::draw(&timings, &built))?;
        eprintln!("written: benches/peers/RESULTS.md, benches/peers/chart.svg");
    }
    Ok(())
}

/// Returns what was measured, and the machine.
fn head(peers: &[&Peer]) -> String {
    let first_line = |command: &str| {
        let output = Command::new(command).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned())
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let names: Vec<_> =
        peers.iter().map(|peer| format!("{}: {}", peer.label, peer.version())).collect();
    format!(
        "Measured: {}.\n{}, {}, {}.\n",
        names.join("; "),
        cpu.unwrap_or("an unknown processor"),
        first_line("rustc").unwrap_or_default(),
        first_line("cc").unwrap_or_default(),
    )
}
