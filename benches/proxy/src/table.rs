//! The table.

use std::fmt::Write as _;

use crate::bench::Measurement;
use crate::engine::Kind;

/// The figures of an engine with a workload: medians of the rounds.
pub(crate) struct Figures {
    /// Transactions per second.
    pub(crate) rate: f64,
    /// Microseconds of the proxy's processor time per transaction.
    pub(crate) cpu: f64,
    /// Microseconds in the engine per statement.
    pub(crate) parse: f64,
    /// Milliseconds per transaction at the client.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Figures {
    pub(crate) fn of(measurement: &Measurement) -> Self {
        let of = |number: &dyn Fn(&(crate::pgbench::Run, crate::proxy::Measured)) -> f64| {
            median(measurement.runs.iter().map(number).collect())
        };
        Self {
            rate: of(&|(run, _)| run.rate),
            cpu: of(&|(run, measured)| measured.cpu as f64 / run.transactions.max(1) as f64),
            parse: of(&|(_, measured)| measured.mean / 1e3),
            p50: of(&|(run, _)| quantile(&run.latencies, 50)),
            p99: of(&|(run, _)| quantile(&run.latencies, 99)),
        }
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// Converts microseconds to milliseconds.
fn quantile(sorted: &[u64], percent: usize) -> f64 {
    sorted.get(sorted.len() * percent / 100).map_or(0.0, |&micros| micros as f64 / 1e3)
}

pub(crate) fn markdown(heading: &str, measurements: &[Measurement]) -> String {
    let mut text = format!(
        "# A proxy in front of PostgreSQL\n\n{heading}. Each number is the median of the rounds.\n"
    );
    let mut workload = None;
    for measurement in measurements {
        if workload != Some(measurement.workload) {
            workload = Some(measurement.workload);
            let _ = write!(
                text,
                "\n## {}\n\n| engine | transactions/s | beside pg_query | proxy's CPU, us each | engine, us each | p50, ms | p99, ms |\n|---|--:|--:|--:|--:|--:|--:|\n",
                measurement.workload.label()
            );
        }
        let figures = Figures::of(measurement);
        let base = measurements
            .iter()
            .find(|other| other.workload == measurement.workload && other.engine == Kind::PgQuery)
            .map(|other| figures.rate / Figures::of(other).rate);
        let base = base.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let Figures { rate, cpu, parse, p50, p99 } = figures;
        let _ = writeln!(
            text,
            "| {} | {rate:.0} | {base} | {cpu:.1} | {parse:.2} | {p50:.2} | {p99:.2} |",
            measurement.engine.label()
        );
    }
    let refused: u64 =
        measurements.iter().flat_map(|all| &all.runs).map(|(_, measured)| measured.refused).sum();
    let _ = writeln!(text, "\nStatements that an engine refused: {refused}.");
    text
}
