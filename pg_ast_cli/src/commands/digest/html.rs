//! A report as one page: charts as SVG, no scripts, and nothing that is fetched.

use std::fmt;
use std::io::{self, Write};

use super::account::Lost;
use super::histogram::Histogram;
use super::print::{ErrorMessage, FirstError, Line, Named, SkippedLines, Summary, share};

/// The number of kinds in a chart, and of names in a table.
const BARS: usize = 10;
const NAMES: usize = 20;

/// The size of the charts over time.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 120.0;

const STYLE: &str = "\
:root{color-scheme:light dark;--fg:#1d2433;--bg:#fff;--soft:#667;--line:#dde1e8;--bar:#336791;--bad:#c0392b}\
@media(prefers-color-scheme:dark){:root{--fg:#e4e7ee;--bg:#14181f;--soft:#99a;--line:#2c333f;--bar:#6ea6d8;--bad:#ff7b6b}}\
body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);margin:2rem auto;max-width:1100px;padding:0 1rem}\
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2.5rem 0 .5rem}\
.cards{display:flex;flex-wrap:wrap;gap:1rem}.cards div{border:1px solid var(--line);border-radius:6px;padding:.5rem 1rem}\
.cards b{display:block;font-size:1.4rem}small,.soft{color:var(--soft)}\
table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:.25rem .5rem;border-bottom:1px solid var(--line);\
vertical-align:top;font-variant-numeric:tabular-nums}th{color:var(--soft);font-weight:500}\
.text{text-align:left;width:55%}pre,code{font:13px/1.4 ui-monospace,monospace}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}summary{cursor:pointer;overflow-wrap:anywhere}\
svg{display:block;width:100%;height:auto}rect{fill:var(--bar)}rect.bad{fill:var(--bad)}\
svg text{font:11px ui-monospace,monospace;fill:var(--fg)}line{stroke:var(--line)}";

/// Writes the page, with at most `limit` kinds; 0 for all.
pub(super) fn page(
    kinds: &[Line<'_>],
    limit: usize,
    summary: &Summary<'_>,
    times: &Histogram,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>pgast digest</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>Statements of a log</h1>"
    )?;
    cards(summary, out)?;
    periods(summary, out)?;
    distribution(times, out)?;
    bars(kinds, summary, out)?;
    table(kinds, limit, summary, out)?;
    let groups = [
        ("Databases", &summary.databases),
        ("Users", &summary.users),
        ("Applications", &summary.applications),
    ];
    for (title, names) in groups {
        if !names.is_empty() {
            group(title, names, summary, out)?;
        }
    }
    errors(summary, out)?;
    lines(summary, out)?;
    writeln!(out, "</body></html>")
}

fn cards(summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=\"cards\">")?;
    for (number, what) in [
        (Count(summary.statements).to_string(), "calls"),
        (Count(summary.kinds as u64).to_string(), "kinds of statements"),
        (Ms(summary.total_time).to_string(), "in all"),
        (Count(summary.server_errors).to_string(), "errors of the server"),
        (Count(summary.lines).to_string(), "lines"),
        (Count(summary.lost()).to_string(), "lines not understood"),
    ] {
        writeln!(out, "<div><b>{number}</b>{what}</div>")?;
    }
    writeln!(out, "</div>")?;
    if let (Some(first), Some(last)) = (summary.periods.first(), summary.periods.last()) {
        writeln!(
            out,
            "<p class=\"soft\">From {} to {}, by the clock of the log.</p>",
            Text(&first.name),
            Text(&last.name)
        )?;
    }
    Ok(())
}

/// A title, a class, and the values of a chart over time.
type Chart = (&'static str, &'static str, fn(&Named) -> f64);

/// Calls, their time, and errors over time.
fn periods(summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    let all = &summary.periods;
    if all.len() < 2 {
        return Ok(());
    }
    let period = summary.period;
    #[allow(clippy::cast_precision_loss)]
    let charts: [Chart; 3] = [
        ("Calls", "", |named| named.calls as f64),
        ("Milliseconds", "", |named| named.total_time),
        ("Errors of the server", "bad", |named| named.errors as f64),
    ];
    for (title, class, value) in charts {
        let most = all.iter().map(value).fold(0.0, f64::max);
        if most <= 0.0 {
            continue;
        }
        writeln!(out, "<h2>{title} <small>in {period} s each, at most {most:.0}</small></h2>")?;
        writeln!(out, "<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\">", HEIGHT + 16.0)?;
        // The place of each is that of its time: a period without calls is empty.
        let places = places(all, period);
        let count = places.last().map_or(1.0, |last| last + 1.0);
        let width = WIDTH / count;
        for (named, place) in all.iter().zip(&places) {
            let height = HEIGHT * value(named) / most;
            if height <= 0.0 {
                continue;
            }
            writeln!(
                out,
                "<rect class=\"{class}\" x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{}: {:.0}</title></rect>",
                place * width,
                HEIGHT - height,
                (width - 0.5).max(0.5),
                Text(&named.name),
                value(named)
            )?;
        }
        let (first, last) = (&all[0].name, &all[all.len() - 1].name);
        writeln!(
            out,
            "<line x1=\"0\" y1=\"{HEIGHT}\" x2=\"{WIDTH}\" y2=\"{HEIGHT}\"/><text x=\"0\" y=\"{:.0}\">{}</text>\
             <text x=\"{WIDTH}\" y=\"{:.0}\" text-anchor=\"end\">{}</text></svg>",
            HEIGHT + 13.0,
            Text(first),
            HEIGHT + 13.0,
            Text(last)
        )?;
    }
    Ok(())
}

/// Returns the number of each period, counted from the first one.
fn places(all: &[Named], period: i64) -> Vec<f64> {
    let at = |named: &Named| named.name.parse::<super::Time>().map_or(0, |time| time.0 / 1000);
    let first = all.first().map_or(0, at);
    #[allow(clippy::cast_precision_loss)]
    all.iter().map(|named| ((at(named) - first) / period.max(1)) as f64).collect()
}

fn distribution(times: &Histogram, out: &mut dyn Write) -> io::Result<()> {
    let decades = times.decades();
    if decades.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>Times of single calls <small>")?;
    for (name, share) in [("median", 0.5), ("95 %", 0.95), ("99 %", 0.99)] {
        if let Some(time) = times.quantile(share) {
            write!(out, "{name} {} ", Ms(time))?;
        }
    }
    writeln!(out, "(to 3.2 %)</small></h2>")?;
    let all = times.len();
    let bars = decades.iter().map(|(end, count)| {
        let label = format!("{} to {}", Ms(end / 10.0), Ms(*end));
        #[allow(clippy::cast_precision_loss)]
        (label, *count as f64, format!("{} ({:.1} %)", Count(*count), share(*count, all)))
    });
    chart(bars.collect(), out)
}

/// The kinds that took most of the time, or else those with most calls.
fn bars(kinds: &[Line<'_>], summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_timed = summary.total_time > 0.0;
    #[allow(clippy::cast_precision_loss)]
    let value = |line: &Line<'_>| if is_timed { line.total_time } else { line.calls as f64 };
    let mut most: Vec<&Line<'_>> = kinds.iter().filter(|line| value(line) > 0.0).collect();
    most.sort_by(|a, b| value(b).total_cmp(&value(a)));
    most.truncate(BARS);
    if most.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>{}</h2>", if is_timed { "Most time" } else { "Most calls" })?;
    let bars = most.into_iter().map(|line| {
        let shown =
            if is_timed { Ms(line.total_time).to_string() } else { Count(line.calls).to_string() };
        let query: String =
            crate::commands::list::in_one_line(line.query).chars().take(60).collect();
        (query, value(line), shown)
    });
    chart(bars.collect(), out)
}

/// Bars with a label before and a value behind each.
fn chart(bars: Vec<(String, f64, String)>, out: &mut dyn Write) -> io::Result<()> {
    const LABEL: f64 = 430.0;
    const BAR: f64 = 380.0;
    let most = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(out, "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\">", 20 * bars.len())?;
    let mut y = 0.0;
    for (label, value, shown) in bars {
        let width = BAR * value / most;
        writeln!(
            out,
            "<text x=\"{LABEL}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{:.0}\" y=\"{:.0}\" width=\"{width:.2}\" height=\"14\"/>\
             <text x=\"{:.2}\" y=\"{:.0}\">{}</text>",
            y + 14.0,
            Text(&label),
            LABEL + 8.0,
            y + 3.0,
            LABEL + width + 14.0,
            y + 14.0,
            Text(&shown)
        )?;
        y += 20.0;
    }
    writeln!(out, "</svg>")
}

fn table(
    kinds: &[Line<'_>],
    limit: usize,
    summary: &Summary<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = if limit == 0 { kinds.len() } else { limit.min(kinds.len()) };
    writeln!(out, "<h2>Kinds of statements <small>{shown} of {}</small></h2>", kinds.len())?;
    writeln!(
        out,
        "<table><tr><th>calls<th>share<th>total<th>mean<th>95 %<th>max<th>rows<th>errors<th class=\"text\">statement</tr>"
    )?;
    for line in &kinds[..shown] {
        let time =
            |time: Option<f64>| time.map_or_else(|| "–".to_owned(), |time| Ms(time).to_string());
        writeln!(
            out,
            "<tr><td>{}<td>{:.1} %<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td class=\"text\">",
            Count(line.calls),
            share(line.calls, summary.statements),
            Ms(line.total_time),
            time(line.mean_time),
            time(line.p95_time),
            time(line.max_time),
            line.rows.map_or_else(|| "–".to_owned(), |rows| Count(rows).to_string()),
            Count(line.errors)
        )?;
        let one = crate::commands::list::in_one_line(line.query);
        let short: String = one.chars().take(100).collect();
        let mark = if short.len() < one.len() { "…" } else { "" };
        write!(
            out,
            "<details><summary><code>{}{mark}</code></summary><pre>{}</pre>",
            Text(&short),
            Text(line.query)
        )?;
        write!(out, "<small>fingerprint {}", Text(&line.fingerprint))?;
        if !line.tables.is_empty() {
            write!(out, ", tables {}", Text(&line.tables))?;
        }
        write!(out, "</small>")?;
        for sample in line.samples {
            let at = sample.at.as_deref().unwrap_or_default();
            write!(
                out,
                "<p><small>{} {}</small></p><pre>{}</pre>",
                sample.time.map_or_else(String::new, |time| Ms(time).to_string()),
                Text(at),
                Text(&sample.query)
            )?;
            if !sample.parameters.is_empty() {
                write!(out, "<pre>{}</pre>", Text(&sample.parameters))?;
            }
        }
        writeln!(out, "</details></tr>")?;
    }
    writeln!(out, "</table>")?;
    if summary.others > 0 {
        writeln!(out, "<p>{} calls are of other kinds (--max-kinds).</p>", Count(summary.others))?;
    }
    Ok(())
}

fn group(
    title: &str,
    names: &[Named],
    summary: &Summary<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<h2>{title}</h2><table><tr><th class=\"text\">name<th>calls<th>share<th>total<th>errors</tr>"
    )?;
    for named in names.iter().take(NAMES) {
        let name = if named.name.is_empty() { "(unknown)" } else { &named.name };
        writeln!(
            out,
            "<tr><td class=\"text\">{}<td>{}<td>{:.1} %<td>{}<td>{}</tr>",
            Text(name),
            Count(named.calls),
            share(named.calls, summary.statements),
            Ms(named.total_time),
            Count(named.errors)
        )?;
    }
    writeln!(out, "</table>")?;
    if names.len() > NAMES {
        writeln!(out, "<p class=\"soft\">{} more</p>", names.len() - NAMES)?;
    }
    Ok(())
}

fn errors(summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    if summary.server_errors > 0 {
        writeln!(
            out,
            "<h2>Errors of the server <small>{}, {} without a statement</small></h2><table>",
            Count(summary.server_errors),
            Count(summary.server_errors_without_statement)
        )?;
        for ErrorMessage { message, count } in &summary.messages {
            writeln!(out, "<tr><td>{}<td class=\"text\">{}</tr>", Count(*count), Text(message))?;
        }
        writeln!(out, "</table>")?;
    }
    if let Some(FirstError { message, query }) = &summary.first_error {
        writeln!(
            out,
            "<p>{} statements are not SQL that this version accepts. The first: {}, in <code>{}</code></p>",
            Count(summary.errors),
            Text(message),
            Text(query)
        )?;
    }
    Ok(())
}

/// The account of all lines.
fn lines(summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<h2>Lines <small>{} in all</small></h2><table>", Count(summary.lines))?;
    writeln!(out, "<tr><td>{}<td class=\"text\">understood</tr>", Count(summary.understood))?;
    for SkippedLines { kind, lines } in &summary.skipped {
        writeln!(
            out,
            "<tr><td>{}<td class=\"text\">skipped: {}</tr>",
            Count(*lines),
            Text(kind.explanation())
        )?;
    }
    for Lost { kind, lines, first } in &summary.not_understood {
        writeln!(
            out,
            "<tr><td>{}<td class=\"text\">not understood: {}; the first is {}:{} <code>{}</code></tr>",
            Count(*lines),
            Text(kind.explanation()),
            Text(&first.file),
            first.line,
            Text(&first.text)
        )?;
    }
    writeln!(out, "</table>")?;
    for (count, what) in [
        (summary.durations, "durations whose statements are not in the log"),
        (summary.hidden, "calls of statements whose SQL is hidden"),
        (summary.not_utf8, "lines with bytes that are not UTF-8, which are replaced"),
    ] {
        if count > 0 {
            writeln!(out, "<p>{} {what}</p>", Count(count))?;
        }
    }
    for name in &summary.without_statements {
        writeln!(out, "<p>No statement in {}</p>", Text(name))?;
    }
    Ok(())
}

/// Text of others, in which nothing is a tag.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            // HTML has no other control characters.
            '\n' | '\t' => f.write_char(c),
            c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER),
            c => f.write_char(c),
        })
    }
}

/// A number with blanks between thousands.
struct Count(u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str("\u{202f}")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Milliseconds in a unit that fits.
struct Ms(f64);

impl fmt::Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = match self.0 {
            ms if ms < 1_000.0 => (ms, "ms"),
            ms if ms < 60_000.0 => (ms / 1_000.0, "s"),
            ms if ms < 3_600_000.0 => (ms / 60_000.0, "min"),
            ms => (ms / 3_600_000.0, "h"),
        };
        let digits = if number < 1.0 { 3 } else { 1 };
        write!(f, "{number:.digits$}\u{a0}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_are_readable() {
        let hostile = "</code><script>alert('\u{1b}\"')</script>&";
        assert_eq!(
            Text(hostile).to_string(),
            "&lt;/code&gt;&lt;script&gt;alert(&#39;\u{fffd}&quot;&#39;)&lt;/script&gt;&amp;"
        );
        assert_eq!(Count(1_234_567).to_string(), "1\u{202f}234\u{202f}567");
        assert_eq!(Ms(0.25).to_string(), "0.250\u{a0}ms");
        assert_eq!(Ms(90_000.0).to_string(), "1.5\u{a0}min");
    }
}
