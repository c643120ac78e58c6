//! The chart of the bench "growth": a panel per function, and a line per kind of statement.
#![allow(unreachable_pub)]

use crate::svg::{Anchor, COLOURS, LogAxis, Svg};
use crate::{COLUMNS, Family, Point};

/// The columns of the chart, with the titles of their panels.
const PANELS: [(&str, &str); 6] = [
    ("parse", "parse, ns for a byte"),
    ("drop", "drop, ns for a byte"),
    ("deparse", "deparse, ns for a byte"),
    ("fingerprint", "fingerprint, ns for a byte"),
    ("normalize", "normalize, ns for a byte"),
    ("heap", "bytes of heap for a byte"),
];

/// The size of a panel with its margins, and the margins.
const PANEL: (f64, f64) = (280.0, 210.0);
const LEFT: f64 = 44.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 30.0;
const RIGHT: f64 = 12.0;
const LEGEND: f64 = 54.0;

/// Returns the chart as SVG.
pub fn draw(measured: &[(Family, Vec<Point>)]) -> String {
    let mut svg = Svg::new(PANEL.0 * 3.0, PANEL.1 * 2.0 + LEGEND);
    for (at, (column, title)) in PANELS.into_iter().enumerate() {
        let column = COLUMNS.iter().position(|name| *name == column).expect("a column");
        let (x, y) = (PANEL.0 * (at % 3) as f64, PANEL.1 * (at / 3) as f64);
        panel(&mut svg, (x, y), title, column, measured);
    }
    let mut x = LEFT;
    let y = PANEL.1 * 2.0 + 20.0;
    for (at, (family, _)) in measured.iter().enumerate() {
        let colour = 1 + at % (COLOURS - 1);
        svg.line(&[(x, y - 4.0), (x + 18.0, y - 4.0)], &format!("line s{colour}"));
        svg.text(x + 24.0, y, Anchor::Start, "", family.name);
        x += 44.0 + 7.5 * family.name.len() as f64;
    }
    let note =
        "Across: bytes of the statement; up: for each of them. A flat line is linear growth.";
    svg.text(LEFT, y + 20.0, Anchor::Start, "", note);
    svg.finish()
}

fn panel(
    svg: &mut Svg,
    (x, y): (f64, f64),
    title: &str,
    column: usize,
    measured: &[(Family, Vec<Point>)],
) {
    let points = || measured.iter().flat_map(|(_, points)| points);
    let range = |value: fn(&Point, usize) -> f64| {
        let low = points().map(|point| value(point, column)).fold(f64::MAX, f64::min);
        let high = points().map(|point| value(point, column)).fold(f64::MIN_POSITIVE, f64::max);
        (low, high)
    };
    let (low, high) = range(|point, column| point.values[column]);
    // At least two decades, so that noise does not look like a slope.
    let middle = (low * high).sqrt();
    let values = ((low * 0.8).min(middle / 10.0), (high * 1.25).max(middle * 10.0));
    let (bottom, top) = (y + PANEL.1 - BOTTOM, y + TOP);
    let up = LogAxis { values, pixels: (bottom, top) };
    let bytes = range(|point, _| point.bytes as f64);
    let across = LogAxis { values: bytes, pixels: (x + LEFT, x + PANEL.0 - RIGHT) };

    svg.text(x + LEFT, y + 20.0, Anchor::Start, "strong", title);
    for tick in up.ticks(true) {
        let at = up.at(tick);
        svg.line(&[(across.pixels.0, at), (across.pixels.1, at)], "grid");
        svg.text(across.pixels.0 - 6.0, at + 4.0, Anchor::End, "", tick);
    }
    for tick in across.ticks(true) {
        let at = across.at(tick);
        svg.line(&[(at, top), (at, bottom)], "grid");
        let label = match tick {
            tick if tick >= 1e6 => format!("{} MB", tick / 1e6),
            tick if tick >= 1e3 => format!("{} kB", tick / 1e3),
            tick => format!("{tick} B"),
        };
        svg.text(at, bottom + 16.0, Anchor::Middle, "", label);
    }
    for (at, (_, points)) in measured.iter().enumerate() {
        let colour = 1 + at % (COLOURS - 1);
        let line: Vec<_> = points
            .iter()
            .map(|point| (across.at(point.bytes as f64), up.at(point.values[column])))
            .collect();
        svg.line(&line, &format!("line s{colour}"));
        for point in line {
            svg.dot(point, 2.5, &format!("f{colour}"));
        }
    }
}
