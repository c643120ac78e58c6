//! Instructions, counted by callgrind: they do not depend on the load of the machine.

use std::error::Error;
use std::process::Command;

use peer_protocol::{Function, texts};

use crate::peers::Peer;
use crate::process::Process;

/// The instructions of a library's function for a group.
pub struct Instructions {
    pub package: &'static str,
    pub function: Function,
    pub group: &'static str,
    /// For all statements that it accepts, once each.
    pub count: f64,
    /// The same for the C code.
    pub floor: f64,
    /// The number of accepted statements, and the number of all statements.
    pub statements: (usize, usize),
}

/// Counts parsing and deparsing. Without valgrind it prints a message, and counts nothing.
pub fn run(
    peers: &[&'static Peer],
    groups: &[&'static str],
) -> Result<Vec<Instructions>, Box<dyn Error>> {
    let mut all = Vec::new();
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: instructions, which need valgrind");
        return Ok(all);
    }
    for group in groups {
        eprintln!("counting instructions of {group}");
        for function in [Function::Parse, Function::Deparse] {
            // The C code's counts, by selected statements.
            let mut floors: Vec<(String, f64)> = Vec::new();
            for peer in peers {
                let mask = Process::start(peer, false)?.works(function, group)?;
                let Some(mask) = mask else { continue };
                let known = floors.iter().find(|(known, _)| *known == mask);
                let floor = if let Some((_, floor)) = known {
                    *floor
                } else {
                    let floor = difference(peers[0], function, group, &mask)?;
                    floors.push((mask.clone(), floor));
                    floor
                };
                let count =
                    if peer.is_floor() { floor } else { difference(peer, function, group, &mask)? };
                let chosen = mask.bytes().filter(|bit| *bit == b'1').count();
                let statements = (chosen, mask.len());
                let package = peer.package;
                all.push(Instructions { package, function, group, count, floor, statements });
            }
        }
    }
    Ok(all)
}

/// Returns the instructions of one repetition: many minus few, so that the start of the process does not count.
pub fn difference(
    peer: &Peer,
    function: Function,
    group: &'static str,
    mask: &str,
) -> Result<f64, Box<dyn Error>> {
    let (few, many) = if texts::group(group).bytes() > 10_000 { (1, 3) } else { (2, 12) };
    let less = callgrind(peer, function, group, mask, few)?;
    let more = callgrind(peer, function, group, mask, many)?;
    Ok((more - less) / f64::from(many - few))
}

fn callgrind(
    peer: &Peer,
    function: Function,
    group: &str,
    mask: &str,
    repetitions: u32,
) -> Result<f64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(peer.program(false))
        .args(["--once", function.name(), group, mask, &repetitions.to_string()])
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = count.filter(|_| output.status.success());
    Ok(count.ok_or_else(|| format!("no count in {report}"))?.trim().parse()?)
}
