//! The chart: transactions per second, by workload and engine.

use std::fmt::Write as _;

use crate::bench::Measurement;
use crate::table::Figures;

const BAR: usize = 16;
const GAP: usize = 28;
const LEFT: usize = 190;
const LENGTH: f64 = 420.0;

pub(crate) fn svg(measurements: &[Measurement]) -> String {
    let mut body = String::new();
    let mut y = 40;
    let mut start = 0;
    while start < measurements.len() {
        let workload = measurements[start].workload;
        let end = measurements[start..]
            .iter()
            .position(|other| other.workload != workload)
            .map_or(measurements.len(), |length| start + length);
        let group: Vec<_> = measurements[start..end].iter().map(Figures::of).collect();
        let most = group.iter().map(|figures| figures.rate).fold(1.0, f64::max);
        let _ = writeln!(
            body,
            r#"<text x="10" y="{y}" font-weight="bold">{}</text>"#,
            workload.label()
        );
        y += 8;
        for (measurement, figures) in measurements[start..end].iter().zip(&group) {
            let width = LENGTH * figures.rate / most;
            let (text, label) = (y + 12, measurement.engine.label());
            let colour = if label.starts_with("pg_ast") { "#3b6ea5" } else { "#9aa5b1" };
            let _ = writeln!(
                body,
                r#"<text x="{}" y="{text}" text-anchor="end">{label}</text><rect x="{LEFT}" y="{y}" width="{width:.1}" height="{}" fill="{colour}"/><text x="{:.1}" y="{text}">{:.0}</text>"#,
                LEFT - 8,
                BAR - 3,
                LEFT as f64 + width + 6.0,
                figures.rate
            );
            y += BAR;
        }
        y += GAP;
        start = end;
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="700" height="{y}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="10" y="14" fill="#666666">transactions a second</text>
{body}</svg>
"##
    )
}
