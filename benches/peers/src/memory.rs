//! Memory: the `malloc` requests of parsing, the size of a tree, and the resident memory of a process.

use std::error::Error;

use peer_protocol::Function;

use crate::peers::Peer;
use crate::process::Process;

/// The memory of a library for a group.
pub struct Memory {
    pub package: &'static str,
    pub group: &'static str,
    /// Per statement: calls of `malloc` and related functions, requested
    /// bytes, bytes of the tree. None if the calls cannot be counted.
    pub heap: Option<[f64; 3]>,
    /// The maximum resident memory of a new process that parsed each statement once, in KiB.
    pub peak: Option<f64>,
    /// The number of accepted statements, and the number of all statements.
    pub statements: (usize, usize),
}

/// Measures every library; each group uses new processes.
pub fn run(
    peers: &[&'static Peer],
    groups: &[&'static str],
) -> Result<Vec<Memory>, Box<dyn Error>> {
    let mut all = Vec::new();
    eprintln!("counting memory");
    for group in groups {
        for peer in peers {
            let mask = Process::start(peer, false)?.works(Function::Parse, group)?;
            let Some(mask) = mask else { continue };
            let chosen = mask.bytes().filter(|bit| *bit == b'1').count();
            let heap = Process::start(peer, true)?.ask(&format!("memory {group} {mask}"))?;
            let peak = Process::start(peer, false)?.ask(&format!("peak {group} {mask}"))?;
            let numbers: Vec<f64> = heap.split(' ').filter_map(|n| n.parse().ok()).collect();
            let heap = <[f64; 3]>::try_from(numbers).ok();
            all.push(Memory {
                package: peer.package,
                group,
                heap: heap.map(|numbers| numbers.map(|n| n / chosen as f64)),
                peak: peak.parse().ok(),
                statements: (chosen, mask.len()),
            });
        }
    }
    Ok(all)
}
