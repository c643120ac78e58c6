//! Instructions, counted by callgrind: they do not depend on what else the machine does.

use std::error::Error;
use std::process::Command;

use peer_protocol::{Function, texts};

use crate::peers::Peer;
use crate::process::Process;

/// What a function of a library took for a group.
pub struct Instructions {
    pub package: &'static str,
    pub function: Function,
    pub group: &'static str,
    /// For all statements that it takes, once each.
    pub count: f64,
    /// The same of the C code.
    pub floor: f64,
    /// How many statements of the group it takes, of how many.
    pub statements: (usize, usize),
}

/// Counts parsing and deparsing. Without valgrind it says so, and counts nothing.
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
            // The C code's counts, by the statements that were chosen.
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

/// What one repetition takes: many of them less few, so that the start of the process does not count.
fn difference(
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
