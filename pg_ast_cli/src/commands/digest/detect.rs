//! Finds the format of an input by its name and its beginning.

use std::path::Path;

use super::words::{Level, Severity};
use super::{csvlog, pg_stat_statements, syslog, text};
use crate::args::LogFormat;

/// Returns the format: what the beginning is certain to be, or else what the name says.
pub(super) fn format(name: &Path, start: &[u8]) -> LogFormat {
    let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    if extension == "sql" {
        return LogFormat::Sql;
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let lines = start.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let Some(first) = lines.clone().next() else { return LogFormat::Sql };
    if pg_stat_statements::is_header(first.trim_ascii_end()) {
        return LogFormat::PgStatStatements;
    }
    if first.starts_with(b"{") {
        return LogFormat::Jsonlog;
    }
    // A log may begin amid a message.
    if lines.clone().any(csvlog::begins) {
        return LogFormat::Csvlog;
    }
    for (index, line) in lines.map(String::from_utf8_lossy).enumerate() {
        if line.starts_with("--") {
            continue;
        }
        if syslog::Body::of(&line).is_some_and(|body| body.is_of_server()) {
            return LogFormat::Syslog;
        }
        let is_first = index == 0;
        let severity = Severity::find(&line);
        if severity.is_some_and(|severity| is_first || severity.level == Level::Log)
            || (is_first && text::kubernetes(&line).is_some())
        {
            return LogFormat::Stderr;
        }
    }
    match extension.as_str() {
        "csv" => LogFormat::Csvlog,
        "json" | "jsonl" | "ndjson" => LogFormat::Jsonlog,
        "log" => LogFormat::Stderr,
        _ => LogFormat::Sql,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_beginning_and_name() {
        let format = |name: &str, start: &str| format(Path::new(name), start.as_bytes());
        let csvlog =
            "2026-01-01 10:00:00.000 UTC,\"u\",\"d\",12,\"[local]\",69a1b2c3.7b,1,\"SELECT\",";
        assert_eq!(format("a.sql", "LOG:  statement: SELECT 1"), LogFormat::Sql);
        assert_eq!(format("stdin", "-- LOG:  a\nSELECT 1;"), LogFormat::Sql);
        assert_eq!(format("stdin", "SELECT 1;"), LogFormat::Sql);
        assert_eq!(format("stdin", ""), LogFormat::Sql);
        for header in ["userid,\"query\",calls\n", "\u{feff}query;calls\r\n", "calls\tquery\n"] {
            assert_eq!(format("a.csv", header), LogFormat::PgStatStatements);
            assert_eq!(format("stdin", header), LogFormat::PgStatStatements);
        }
        assert_eq!(format("stdin", csvlog), LogFormat::Csvlog);
        assert_eq!(format("a.log", &format!("FROM t\",,,\n{csvlog}")), LogFormat::Csvlog);
        assert_eq!(format("a.csv", "what else"), LogFormat::Csvlog);
        assert_eq!(format("a.log", "{\"message\":\"x\"}\n"), LogFormat::Jsonlog);
        assert_eq!(format("a.log", "2026-01-01 LOG:  statement: SELECT 1\n"), LogFormat::Stderr);
        let numbers =
            "2026-01-01 10:00:00.000 UTC [7] LOG:  statement: INSERT INTO t VALUES (1,2,3,4,5)\n";
        assert_eq!(format("stdin", numbers), LogFormat::Stderr);
        assert_eq!(
            format("stdin", "2026-01-01 СООБЩЕНИЕ:  оператор: SELECT 1\n"),
            LogFormat::Stderr
        );
        assert_eq!(format("stdin", "2026-01-01T00:00:00Z stdout F {}\n"), LogFormat::Stderr);
        assert_eq!(
            format("stdin", "Jan  1 00:00:00 h postgres[1]: [1-1] LOG:  a\n"),
            LogFormat::Syslog
        );
        assert_eq!(format("a.log", "what else\n"), LogFormat::Stderr);
    }
}
