//! Times, as ratios to the C code alone.

use std::error::Error;

use peer_protocol::Function;

use crate::peers::Peer;
use crate::process::Process;

/// The time of a library's function for a group.
pub struct Timing {
    pub package: &'static str,
    pub function: Function,
    pub group: &'static str,
    /// Relative to the C code, which parses or deparses the same statements.
    pub ratio: f64,
    /// Per statement.
    pub nanoseconds: f64,
    /// The number of accepted statements, and the number of all statements.
    pub statements: (usize, usize),
}

/// The duration and the number of measurements.
struct Effort {
    nanoseconds: f64,
    rounds: usize,
}

/// A library with the function.
struct Entrant {
    at: usize,
    mask: String,
    repetitions: u32,
    floor_repetitions: u32,
    ratios: Vec<f64>,
    times: Vec<f64>,
}

/// Measures every function of every library. The first library is the C code alone.
pub fn run(
    peers: &[&'static Peer],
    groups: &[&'static str],
    quick: bool,
) -> Result<Vec<Timing>, Box<dyn Error>> {
    let effort = if quick {
        Effort { nanoseconds: 4e6, rounds: 5 }
    } else {
        Effort { nanoseconds: 40e6, rounds: 21 }
    };
    let mut processes = Vec::new();
    for peer in peers {
        processes.push(Process::start(peer, false)?);
    }
    let mut timings = Vec::new();
    for group in groups {
        eprintln!("timing {group}");
        for function in Function::ALL {
            timings.extend(one(peers, &mut processes, function, group, &effort)?);
        }
    }
    Ok(timings)
}

fn one(
    peers: &[&'static Peer],
    processes: &mut [Process],
    function: Function,
    group: &'static str,
    effort: &Effort,
) -> Result<Vec<Timing>, Box<dyn Error>> {
    let floor_function = match function {
        Function::Deparse => Function::Deparse,
        _ => Function::Parse,
    };
    let mut entrants = Vec::new();
    for at in 0..processes.len() {
        let Some(mask) = processes[at].works(function, group)? else { continue };
        // From here on, the C code has its trees as well.
        processes[0].works(floor_function, group)?;
        let repetitions = calibrate(&mut processes[at], function, group, &mask, effort)?;
        let floor_repetitions = calibrate(&mut processes[0], floor_function, group, &mask, effort)?;
        let (ratios, times) = (Vec::new(), Vec::new());
        entrants.push(Entrant { at, mask, repetitions, floor_repetitions, ratios, times });
    }
    for round in 0..effort.rounds {
        // Each round begins with another library.
        let count = entrants.len();
        for entrant in (0..count).map(|n| (n + round) % count) {
            let Entrant { at, mask, repetitions, floor_repetitions, ratios, times } =
                &mut entrants[entrant];
            // Half of the C code's time is measured before, half of it after.
            let half = floor_repetitions.div_ceil(2);
            let before = processes[0].time(floor_function, group, mask, half)?;
            let time = processes[*at].time(function, group, mask, *repetitions)?;
            let after = processes[0].time(floor_function, group, mask, half)?;
            ratios.push(time / f64::midpoint(before, after));
            times.push(time);
        }
    }
    Ok(entrants
        .into_iter()
        .map(|mut entrant| {
            let chosen = entrant.mask.bytes().filter(|bit| *bit == b'1').count();
            Timing {
                package: peers[entrant.at].package,
                function,
                group,
                ratio: if entrant.at == 0 { 1.0 } else { median(&mut entrant.ratios) },
                nanoseconds: median(&mut entrant.times) / chosen as f64,
                statements: (chosen, entrant.mask.len()),
            }
        })
        .collect())
}

/// Returns enough repetitions for a measurable duration.
fn calibrate(
    process: &mut Process,
    function: Function,
    group: &str,
    mask: &str,
    effort: &Effort,
) -> Result<u32, Box<dyn Error>> {
    let mut repetitions = 1;
    loop {
        let time = process.time(function, group, mask, repetitions)?;
        let wanted = effort.nanoseconds / time.max(1.0);
        if wanted <= f64::from(repetitions) * 2.0 || repetitions > 1 << 24 {
            // Between one and a number bounded by the check above.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            return Ok(wanted.ceil().max(1.0) as u32);
        }
        repetitions *= 4;
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}
