//! Instructions of a change: SQL is parsed, changed, printed, and the tree dropped.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;

use peer_protocol::Function;

use crate::instructions::difference;
use crate::peers::{PEERS, Peer};
use crate::process::Process;
use crate::{GROUPS, folder};

/// The libraries: the first one is the divisor.
const COMPARED: [(&str, &str); 3] = [
    ("pg_raw_parse", "pg_raw_parse: a copy in C, changed in its place"),
    ("pg_ast_view", "pg_ast: `view::Tree::edit`"),
    ("pg_ast", "pg_ast: the owned tree"),
];

/// Returns the statements that both masks have.
fn both(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).map(|bits| if bits == ('1', '1') { '1' } else { '0' }).collect()
}

fn peer(name: &str) -> Result<&'static Peer, String> {
    PEERS.iter().find(|peer| peer.package == name).ok_or_else(|| format!("no library {name}"))
}

/// Measures all groups and changes, and writes CHANGES.md.
pub fn run() -> Result<(), Box<dyn Error>> {
    let peers = COMPARED.map(|(name, _)| peer(name));
    let peers: Vec<_> = peers.into_iter().collect::<Result<_, _>>()?;
    peers.iter().try_for_each(|peer| peer.build())?;
    let mut text = String::from(
        "# Changes of trees\n\nInstructions (callgrind) of a statement that is parsed, changed, printed and dropped, divided by \
         those of pg_raw_parse, over the statements that all of them change. Where pg_raw_parse cannot do it, the divisor is the owned tree of pg_ast.\n\n\
         | change | library | ",
    );
    text += &GROUPS.join(" | ");
    text += " | mean |\n|---|---|";
    text += &"--:|".repeat(GROUPS.len() + 1);
    text.push('\n');
    for function in Function::CHANGES {
        let mut rows = vec![Vec::new(); peers.len()];
        for group in GROUPS {
            eprintln!("{}: {group}", function.name());
            let mut masks = Vec::new();
            for peer in &peers {
                masks.push(Process::start(peer, false)?.works(function, group)?);
            }
            let first = usize::from(masks[0].is_none());
            let masks: Option<Vec<_>> = masks.into_iter().skip(first).collect();
            let mask = masks.and_then(|masks| masks.into_iter().reduce(|a, b| both(&a, &b)));
            let Some(mask) = mask.filter(|mask| mask.contains('1')) else {
                rows.iter_mut().for_each(|row| row.push(None));
                continue;
            };
            let divisor = if first == 0 { 0 } else { 2 };
            let divisor = difference(peers[divisor], function, group, &mask)?;
            for (peer, row) in peers.iter().zip(&mut rows).skip(first) {
                row.push(Some(difference(peer, function, group, &mask)? / divisor));
            }
            if first > 0 {
                rows[0].push(None);
            }
        }
        for ((_, label), row) in COMPARED.iter().zip(&rows) {
            let cells =
                row.iter().map(|ratio| ratio.map_or("-".to_owned(), |it| format!("{it:.2}")));
            let logs: Vec<_> = row.iter().flatten().map(|ratio| ratio.ln()).collect();
            // At most a few groups.
            #[allow(clippy::cast_precision_loss)]
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            let mean = if logs.is_empty() { "-".to_owned() } else { format!("{mean:.2}") };
            let cells = cells.collect::<Vec<_>>().join(" | ");
            writeln!(
                text,
                "| {} | {label} | {cells} | {mean} |",
                function.name().replace('_', " ")
            )?;
        }
    }
    println!("{text}");
    fs::write(folder().join("CHANGES.md"), text)?;
    Ok(())
}
