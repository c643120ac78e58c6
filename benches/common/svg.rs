//! Small charts, readable on light and dark pages: they have
//! no background, and text and lines have a colour for each.
#![allow(dead_code, unreachable_pub)]

use std::fmt::{Display, Write as _};

/// Text colours, grid and series colours, for light and dark. No two neighbours differ in hue alone.
const STYLE: &str = "\
    text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px;fill:#57606a}\
    .title{font-size:14px;font-weight:600;fill:#24292f}.strong{font-weight:600;fill:#24292f}\
    .grid{stroke:#d0d7de;stroke-width:1}.axis{stroke:#8c959f;stroke-width:1}\
    .dot{fill:#24292f;fill-opacity:.55}.line{fill:none;stroke-width:2;stroke-linejoin:round}\
    .f0{fill:#8c959f}.f1{fill:#1f6feb}.f2{fill:#b35900}.f3{fill:#2da44e}.f4{fill:#cf4a8b}.f5{fill:#6e5ac8}\
    .s0{stroke:#8c959f}.s1{stroke:#1f6feb}.s2{stroke:#b35900}.s3{stroke:#2da44e}.s4{stroke:#cf4a8b}.s5{stroke:#6e5ac8}\
    @media(prefers-color-scheme:dark){text{fill:#9ea7b3}.title,.strong{fill:#e6edf3}\
    .grid{stroke:#30363d}.axis{stroke:#6e7681}.dot{fill:#e6edf3}\
    .f0{fill:#6e7681}.f1{fill:#58a6ff}.f2{fill:#db8a3c}.f3{fill:#3fb950}.f4{fill:#f778ba}.f5{fill:#a899f0}\
    .s0{stroke:#6e7681}.s1{stroke:#58a6ff}.s2{stroke:#db8a3c}.s3{stroke:#3fb950}.s4{stroke:#f778ba}.s5{stroke:#a899f0}}";

/// The number of colours: the classes `f0` (fill) and `s0` (stroke), and so on.
pub const COLOURS: usize = 6;

/// The anchor of a text.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing, in pixels from its upper left corner.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.to_string().replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        );
    }

    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" class=\"{class}\"/>"
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" class=\"{class}\"/>"
        );
    }

    pub fn line(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" class=\"{class}\"/>",
            points.join(" ")
        );
    }

    pub fn finish(self) -> String {
        let Self { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n<style>{STYLE}</style>\n{body}</svg>\n"
        )
    }
}

/// A logarithmic axis: from values to pixels.
#[derive(Debug, Clone, Copy)]
pub struct LogAxis {
    pub values: (f64, f64),
    pub pixels: (f64, f64),
}

impl LogAxis {
    pub fn at(self, value: f64) -> f64 {
        let (low, high) = (self.values.0.ln(), self.values.1.ln());
        let part = (value.ln() - low) / (high - low);
        self.pixels.0 + part * (self.pixels.1 - self.pixels.0)
    }

    /// Returns the ticks 1, 2, 5, 10, 20, .. in the range; only the powers of ten if `tens`.
    pub fn ticks(self, tens: bool) -> Vec<f64> {
        let steps: &[f64] = if tens { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all =
            (-9..10).flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
        let (low, high) = (self.values.0 * 0.999, self.values.1 * 1.001);
        all.filter(|tick| *tick >= low && *tick <= high).collect()
    }
}
