//! Tables in Markdown.

use std::fmt::Write as _;

use peer_protocol::Function;

use crate::instructions::Instructions;
use crate::measure::Timing;
use crate::memory::Memory;
use crate::peers::Peer;

/// Returns the geometric mean, if there is one.
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) =
        values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// A row per library, and a cell per group.
struct Table<'a> {
    text: String,
    groups: &'a [&'static str],
    /// Libraries that do not accept all statements of a group.
    partly: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(title: &str, groups: &'a [&'static str], last: Option<&str>) -> Self {
        let last = last.map_or(String::new(), |last| format!(" {last} |"));
        let mut text = format!("\n## {title}\n\n| | {} |{last}\n|---|", groups.join(" | "));
        for _ in 0..groups.len() + usize::from(!last.is_empty()) {
            text += "--:|";
        }
        text.push('\n');
        Self { text, groups, partly: Vec::new() }
    }

    /// Adds a row: the value of each group, with its accepted statements.
    fn row(
        &mut self,
        label: &str,
        cell: impl Fn(&str) -> Option<(String, (usize, usize))>,
        last: Option<String>,
    ) {
        let _ = write!(self.text, "| {label} |");
        for group in self.groups {
            let Some((text, (taken, all))) = cell(group) else {
                self.text += " - |";
                continue;
            };
            let mark = if taken < all { "\\*" } else { "" };
            let _ = write!(self.text, " {text}{mark} |");
            if taken < all {
                self.partly.push(format!("{label}: {taken} of {all} statements of {group}"));
            }
        }
        if let Some(last) = last {
            let _ = write!(self.text, " {last} |");
        }
        self.text.push('\n');
    }

    fn finish(mut self) -> String {
        if !self.partly.is_empty() {
            let _ = write!(self.text, "\n\\* {}.\n", self.partly.join("; "));
        }
        self.text
    }
}

fn ratio(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

fn title(function: Function) -> &'static str {
    match function {
        Function::Parse => "Parse, and drop the tree",
        Function::Walk => "Parse, visit every node, and drop the tree",
        Function::Check => "Check: whether it parses",
        Function::Deparse => "Deparse",
        Function::Fingerprint => "Fingerprint of a text",
        Function::FingerprintTree => "Fingerprint of a tree",
        Function::Normalize => "Normalize",
        Function::RenameTables
        | Function::AppendTarget
        | Function::OneParameter
        | Function::AllParameters
        | Function::CutValues
        | Function::Copy
        | Function::RewritePorted
        | Function::RewriteTuned => function.name(),
    }
}

/// Writes a table per function.
pub fn times(timings: &[Timing], peers: &[&Peer], groups: &[&'static str]) -> String {
    let mut text = "\nTimes, as multiples of what the C code alone takes for the same statements: its parser, or for \
                    deparsing its deparser. First what that is, a statement. It is processor time, with glibc's own \
                    settings. By those a process that does nothing else gives the memory of a large statement back \
                    to the system each time; with `MALLOC_TRIM_THRESHOLD_` and `MALLOC_MMAP_THRESHOLD_` set high in \
                    the environment it does not.\n"
        .to_owned();
    for function in Function::ALL {
        let mut table = Table::new(title(function), groups, Some("geometric mean"));
        let of_floor = if function == Function::Deparse { function } else { Function::Parse };
        let find = |package: &str, function: Function, group: &str| {
            timings.iter().find(|timing| {
                (timing.package, timing.function, timing.group) == (package, function, group)
            })
        };
        let floor = |group: &str| {
            let timing = find(peers[0].package, of_floor, group)?;
            Some((format!("{:.2} µs", timing.nanoseconds / 1000.0), timing.statements))
        };
        table.row(peers[0].label, floor, Some("1".to_owned()));
        for peer in &peers[1..] {
            let cell = |group: &str| find(peer.package, function, group);
            let all = groups.iter().filter_map(|group| cell(group)).map(|timing| timing.ratio);
            let Some(mean) = geometric_mean(all) else { continue };
            let cells =
                |group: &str| cell(group).map(|timing| (ratio(timing.ratio), timing.statements));
            table.row(peer.label, cells, Some(format!("**{}**", ratio(mean))));
        }
        text += &table.finish();
    }
    text
}

/// Writes two tables, or nothing.
pub fn instructions(all: &[Instructions], peers: &[&Peer], groups: &[&'static str]) -> String {
    let mut text = String::new();
    if all.is_empty() {
        return text;
    }
    for (function, what) in [(Function::Parse, "parse"), (Function::Deparse, "deparse")] {
        let title = format!("Instructions: {what}");
        let mut table = Table::new(&title, groups, Some("geometric mean"));
        for peer in peers {
            let cell = |group: &str| {
                all.iter().find(|one| {
                    (one.package, one.function, one.group) == (peer.package, function, group)
                })
            };
            let ratios = groups.iter().filter_map(|group| cell(group));
            let Some(mean) = geometric_mean(ratios.map(|one| one.count / one.floor)) else {
                continue;
            };
            let cells = |group: &str| {
                let one = cell(group)?;
                let of_floor = || format!("{:.0}", one.count / one.statements.0 as f64);
                let text = if peer.is_floor() { of_floor() } else { ratio(one.count / one.floor) };
                Some((text, one.statements))
            };
            table.row(peer.label, cells, Some(format!("**{}**", ratio(mean))));
        }
        text += &table.finish();
    }
    text
}

/// The value in a table of memory.
type Figure = fn(&Memory) -> Option<f64>;

/// Writes four tables.
pub fn memory(all: &[Memory], peers: &[&Peer], groups: &[&'static str]) -> String {
    let figures: [(&str, Figure); 4] = [
        ("Allocations of parsing a statement", |memory| Some(memory.heap?[0])),
        ("Bytes allocated by parsing a statement", |memory| Some(memory.heap?[1])),
        ("Bytes that a statement's tree holds", |memory| Some(memory.heap?[2])),
        ("Peak of resident memory, in KiB", |memory| memory.peak),
    ];
    let mut text = "\nMemory: calls of `malloc`, `calloc`, `realloc` and the aligned ones, of Rust and C alike, after a \
                    first call that sets up what a library keeps; blocks that C keeps for its next call do \
                    not count again. A tree's bytes are those of its blocks, as the allocator rounds them. \
                    The peak is that of a fresh process, with its code and the texts.\n"
        .to_owned();
    for (title, figure) in figures {
        let mut table = Table::new(title, groups, None);
        for peer in peers {
            let cells = |group: &str| {
                let of_both =
                    |memory: &&Memory| (memory.package, memory.group) == (peer.package, group);
                let memory = all.iter().find(of_both)?;
                let value = figure(memory)?;
                let text = if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") };
                Some((text, memory.statements))
            };
            table.row(peer.label, cells, None);
        }
        text += &table.finish();
    }
    text
}
