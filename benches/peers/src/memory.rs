//! Memory: what parsing asks `malloc` for, what a tree holds, and what a process has resident.

use std::error::Error;

use peer_protocol::Function;

use crate::peers::Peer;
use crate::process::Process;

/// What a library takes for a group.
pub struct Memory {
    pub package: &'static str,
    pub group: &'static str,
    /// A statement: calls of `malloc` and its kin, bytes asked for, bytes that the tree holds. None where
    /// the calls cannot be counted.
    pub heap: Option<[f64; 3]>,
    /// The most that a fresh process had resident which parsed each statement once, in KiB.
    pub peak: Option<f64>,
    /// How many statements of the group it takes, of how many.
    pub statements: (usize, usize),
}

/// Asks every library; each group has fresh processes.
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
