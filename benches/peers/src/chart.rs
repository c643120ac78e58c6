//! The chart of docs/speed.md: parsing and deparsing, as multiples of the C code alone.

use peer_protocol::Function;

use crate::measure::Timing;
use crate::peers::Peer;
use crate::svg::{Anchor, LogAxis, Svg};
use crate::table::geometric_mean;

const WIDTH: f64 = 820.0;
/// The start and the end of the bars; the names precede them, and the figures follow.
const BARS: (f64, f64) = (215.0, 745.0);
const ROW: f64 = 24.0;
/// The space above and below the rows of a panel.
const HEAD: f64 = 34.0;
const FOOT: f64 = 34.0;

/// A library's bar: its mean, and each group.
struct Bar {
    label: &'static str,
    ours: bool,
    mean: f64,
    groups: Vec<f64>,
}

/// Returns the chart as SVG.
pub fn draw(timings: &[Timing], peers: &[&Peer]) -> String {
    let panels = [(Function::Parse, "Parse"), (Function::Deparse, "Deparse")];
    let panels = panels.map(|(function, title)| (title, bars(timings, peers, function)));
    let of_all = || panels.iter().flat_map(|(_, bars)| bars.iter().flat_map(|bar| &bar.groups));
    let low = of_all().copied().fold(1.0_f64, f64::min) * 0.9;
    let high = of_all().copied().fold(2.0_f64, f64::max) * 1.1;
    let axis = LogAxis { values: (low, high), pixels: BARS };

    let heights = panels.iter().map(|(_, bars)| HEAD + ROW * bars.len() as f64 + FOOT);
    let height: f64 = heights.sum::<f64>() + 22.0;
    let mut svg = Svg::new(WIDTH, height);
    let mut top = 0.0;
    for (title, bars) in &panels {
        top = panel(&mut svg, top, title, bars, axis);
    }
    let note = "Bars: geometric mean over the groups of statements, which are the dots. Shorter is faster.";
    svg.text(WIDTH / 2.0, height - 8.0, Anchor::Middle, "", note);
    svg.finish()
}

fn bars(timings: &[Timing], peers: &[&Peer], function: Function) -> Vec<Bar> {
    let bars = peers.iter().filter(|peer| !peer.is_floor()).filter_map(|peer| {
        let of_peer =
            |timing: &&Timing| (timing.package, timing.function) == (peer.package, function);
        let groups: Vec<_> = timings.iter().filter(of_peer).map(|timing| timing.ratio).collect();
        let mean = geometric_mean(groups.iter().copied())?;
        Some(Bar { label: peer.label, ours: peer.package.starts_with("pg_ast"), mean, groups })
    });
    bars.collect()
}

/// Draws one panel, and returns the start of the next one.
fn panel(svg: &mut Svg, top: f64, title: &str, bars: &[Bar], axis: LogAxis) -> f64 {
    let (first, last) = (top + HEAD, top + HEAD + ROW * bars.len() as f64);
    svg.text(10.0, top + 20.0, Anchor::Start, "title", title);
    let what = "time, as a multiple of the C code alone (logarithmic)";
    svg.text(BARS.0, top + 20.0, Anchor::Start, "", what);
    for tick in axis.ticks(false) {
        let x = axis.at(tick);
        let class = if (tick - 1.0).abs() < 1e-9 { "axis" } else { "grid" };
        svg.line(&[(x, first), (x, last)], class);
        svg.text(x, last + 16.0, Anchor::Middle, "", format_args!("{tick}×"));
    }
    let origin = axis.at(1.0);
    for (row, bar) in bars.iter().enumerate() {
        let y = first + ROW * row as f64;
        let (end, middle) = (axis.at(bar.mean), y + ROW / 2.0);
        let class = if bar.ours { "strong" } else { "" };
        svg.text(BARS.0 - 10.0, middle + 4.0, Anchor::End, class, bar.label);
        let (left, width) = (origin.min(end), (end - origin).abs().max(1.0));
        svg.rectangle((left, y + 5.0), (width, ROW - 10.0), if bar.ours { "f1" } else { "f0" });
        for group in &bar.groups {
            svg.dot((axis.at(*group), middle), 2.5, "dot");
        }
        let label = format!("{:.2}×", bar.mean);
        svg.text(BARS.1 + 12.0, middle + 4.0, Anchor::Start, class, label);
    }
    last + FOOT
}
