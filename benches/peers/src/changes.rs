//! Instructions of a change: SQL is parsed, changed, printed, and the tree dropped.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use peer_protocol::{Function, texts};

use crate::instructions::difference;
use crate::peers::{PEERS, Peer};
use crate::process::Process;
use crate::{GROUPS, folder};

/// The libraries. The first one changes a copy.
const COMPARED: [(&str, &str); 3] = [
    ("pg_raw_parse", "pg_raw_parse: a copy in C, changed in its place"),
    ("pg_ast_view", "pg_ast: `view::Tree::edit`"),
    ("pg_ast", "pg_ast: the owned tree"),
];
/// What is computed of the first one: its counts without those of the copy.
const IN_PLACE: &str = "pg_raw_parse: without the copy";

const HEAD: &str = "# Changes of trees

Instructions (callgrind) of a statement that is parsed, changed, printed and dropped, over the statements that all libraries change.
pg_raw_parse 0.1 parses into memory of its own, and changes a copy. What it takes without that copy is computed: the copy is
measured alone, and subtracted. Later versions of it parse into the memory in which they change a tree.

Where pg_raw_parse cannot do it, the divisor is the owned tree of pg_ast.
";

const REWRITES: &str = "
## Rewrites

What a sharding proxy does with 57 statements (`benches/sql/rewrites.sql`): it parses, walks, changes, prints and splits them. With pg_ast
by a program that was ported call by call from pg_raw_parse, and by one that was written for pg_ast
(`benches/common/rewriter.rs`). All of them print the same SQL.

| program | instructions per statement | of pg_raw_parse with its copy | without the copy |
|---|--:|--:|--:|
";

/// The counts of a change for a group: of the libraries, and of the first one without its copy.
struct Counts {
    peers: [Option<f64>; COMPARED.len()],
    in_place: Option<f64>,
}

impl Counts {
    /// Returns the ratios of a table, by the count that is to be 1.
    fn ratios(&self, in_place: bool) -> [Option<f64>; COMPARED.len() + 1] {
        let [copied, edited, owned] = self.peers;
        let divisor = if in_place { self.in_place } else { copied }.or(owned);
        [copied, self.in_place, edited, owned].map(|count| Some(count? / divisor?))
    }
}

/// Returns the statements that both masks have.
fn both(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).map(|bits| if bits == ('1', '1') { '1' } else { '0' }).collect()
}

fn peer(name: &str) -> Result<&'static Peer, String> {
    PEERS.iter().find(|peer| peer.package == name).ok_or_else(|| format!("no library {name}"))
}

/// Returns the instructions of a copy.
fn copy(raw: &Peer, group: &'static str, mask: &str) -> Result<f64, Box<dyn Error>> {
    let copied = difference(raw, Function::Copy, group, mask)?;
    Ok(copied - difference(raw, Function::Parse, group, mask)?)
}

fn counts(
    peers: &[&'static Peer],
    function: Function,
    group: &'static str,
) -> Result<Counts, Box<dyn Error>> {
    let mut counts = Counts { peers: [None; COMPARED.len()], in_place: None };
    let mut masks = Vec::new();
    for peer in peers {
        masks.push(Process::start(peer, false)?.works(function, group)?);
    }
    let first = usize::from(masks[0].is_none());
    let masks: Option<Vec<_>> = masks.into_iter().skip(first).collect();
    let mask = masks.and_then(|masks| masks.into_iter().reduce(|a, b| both(&a, &b)));
    let Some(mask) = mask.filter(|mask| mask.contains('1')) else { return Ok(counts) };
    for (peer, count) in peers.iter().zip(&mut counts.peers).skip(first) {
        *count = Some(difference(peer, function, group, &mask)?);
    }
    if let [Some(copied), ..] = counts.peers {
        counts.in_place = Some(copied - copy(peers[0], group, &mask)?);
    }
    Ok(counts)
}

/// Writes a table of all changes, in which `in_place` says which count of pg_raw_parse is 1.
fn table(text: &mut String, all: &[(Function, Vec<Counts>)], in_place: bool) {
    let title = if in_place { "without" } else { "with" };
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n## Divided by pg_raw_parse {title} its copy\n");
    let _ = writeln!(text, "| change | library | {} | mean |", GROUPS.join(" | "));
    let _ = writeln!(text, "|---|---|{}", "--:|".repeat(GROUPS.len() + 1));
    let labels = [COMPARED[0].1, IN_PLACE, COMPARED[1].1, COMPARED[2].1];
    for (function, groups) in all {
        let ratios: Vec<_> = groups.iter().map(|counts| counts.ratios(in_place)).collect();
        for (index, label) in labels.iter().enumerate() {
            let row: Vec<Option<f64>> = ratios.iter().map(|ratios| ratios[index]).collect();
            let cells =
                row.iter().map(|ratio| ratio.map_or("-".to_owned(), |it| format!("{it:.2}")));
            let logs: Vec<_> = row.iter().flatten().map(|ratio| ratio.ln()).collect();
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            let mean = if logs.is_empty() { "-".to_owned() } else { format!("{mean:.2}") };
            let cells = cells.collect::<Vec<_>>().join(" | ");
            let name = function.name().replace('_', " ");
            let _ = writeln!(text, "| {name} | {label} | {cells} | {mean} |");
        }
    }
}

/// Returns the SQL that a program prints for all statements of the group.
fn texts_of(peer: &Peer, function: Function) -> Result<String, Box<dyn Error>> {
    let output = Command::new(peer.program(false)).args(["--texts", function.name()]).output()?;
    if !output.status.success() {
        return Err(format!("{} does not print its rewrites", peer.package).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn rewrites(text: &mut String, raw: &Peer, view: &Peer) -> Result<(), Box<dyn Error>> {
    text.push_str(REWRITES);
    let expected = texts_of(raw, Function::RewritePorted)?;
    let group = texts::REWRITES;
    let mask = "1".repeat(texts::group(group).statements.len());
    let count = |peer, function| difference(peer, function, group, &mask);
    let copied = count(raw, Function::RewritePorted)?;
    let in_place = copied - copy(raw, group, &mask)?;
    let mut rows = vec![(COMPARED[0].1, copied), (IN_PLACE, in_place)];
    for (label, function) in [
        ("pg_ast: as ported", Function::RewritePorted),
        ("pg_ast: as written for it", Function::RewriteTuned),
    ] {
        if texts_of(view, function)? != expected {
            return Err(format!("{label}: other SQL than that of pg_raw_parse").into());
        }
        rows.push((label, count(view, function)?));
    }
    for (label, instructions) in rows {
        writeln!(
            text,
            "| {label} | {:.0} | {:.2} | {:.2} |",
            instructions / mask.len() as f64,
            instructions / copied,
            instructions / in_place
        )?;
    }
    Ok(())
}

/// Measures all groups and changes, and writes CHANGES.md. With `only_rewrites`, prints the last table alone.
pub fn run(only_rewrites: bool) -> Result<(), Box<dyn Error>> {
    let peers = COMPARED.map(|(name, _)| peer(name));
    let peers: Vec<_> = peers.into_iter().collect::<Result<_, _>>()?;
    if only_rewrites {
        peers[..2].iter().try_for_each(|peer| peer.build())?;
        let mut text = String::new();
        rewrites(&mut text, peers[0], peers[1])?;
        println!("{text}");
        return Ok(());
    }
    peers.iter().try_for_each(|peer| peer.build())?;
    let mut all = Vec::new();
    for function in Function::CHANGES {
        let mut groups = Vec::new();
        for group in GROUPS {
            eprintln!("{}: {group}", function.name());
            groups.push(counts(&peers, function, group)?);
        }
        all.push((function, groups));
    }
    let mut text = HEAD.to_owned();
    table(&mut text, &all, false);
    table(&mut text, &all, true);
    rewrites(&mut text, peers[0], peers[1])?;
    println!("{text}");
    fs::write(folder().join("CHANGES.md"), text)?;
    Ok(())
}
