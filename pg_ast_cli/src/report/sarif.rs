//! `--output sarif`: SARIF 2.1.0, which code scanning reads.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use pg_ast_lint::{Applicability, Rule, Severity};
use serde_json::{Value, json};

use super::diagnostic::DiagnosticLevel;
use super::record::{Record, fingerprints};

pub(super) fn write(found: &[Record], out: &mut dyn Write) -> io::Result<()> {
    // Those that have found something; all of them would be ten times as long as most reports.
    let rules: BTreeSet<_> = found.iter().filter_map(|it| it.rule().parse::<Rule>().ok()).collect();
    let rules: Vec<_> = rules.into_iter().collect();
    let results = found.iter().zip(fingerprints(found));
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "pgast",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.map(|(record, name)| result(record, &name, &rules)).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn rule(rule: Rule) -> Value {
    let level = match rule.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    json!({
        "id": rule.name(),
        "shortDescription": { "text": rule.description() },
        "fullDescription": { "text": rule.explanation() },
        "help": { "text": rule.explanation(), "markdown": rule.page() },
        "helpUri": help_uri(rule),
        "defaultConfiguration": { "level": level },
    })
}

/// Returns the address of a rule's page.
fn help_uri(rule: Rule) -> String {
    format!("{}/blob/main/pg_ast_lint/docs/{rule}.md", env!("CARGO_PKG_REPOSITORY"))
}

fn result(record: &Record, fingerprint: &str, rules: &[Rule]) -> Value {
    let place = json!({ "uri": uri(&record.file) });
    let mut result = json!({
        "ruleId": record.rule(),
        "level": match record.level {
            DiagnosticLevel::Error => "error",
            DiagnosticLevel::Warning => "warning",
            DiagnosticLevel::Info => "note",
        },
        "message": { "text": record.text() },
        "locations": [{
            "physicalLocation": { "artifactLocation": place, "region": record.region },
        }],
        "partialFingerprints": { "pgast/v1": fingerprint },
    });
    if let Some(index) = rules.iter().position(|rule| rule.name() == record.rule()) {
        result["ruleIndex"] = index.into();
    }
    // Programs apply these.
    if !record.fix.is_empty() && record.applicability == Applicability::Safe {
        let replacements = record.fix.iter().map(|(region, text)| {
            json!({ "deletedRegion": region, "insertedContent": { "text": text } })
        });
        let replacements: Vec<_> = replacements.collect();
        let title = record.help.last().map_or(record.message.as_str(), String::as_str);
        result["fixes"] = json!([{
            "description": { "text": title },
            "artifactChanges": [{ "artifactLocation": place, "replacements": replacements }],
        }]);
    }
    result
}

/// Writes a path as a URI, which is relative if the path is.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("db/a b%.sql"), "db/a%20b%25.sql");
        assert_eq!(uri("/ä?#:\n.sql"), "file:///%C3%A4%3F%23%3A%0A.sql");
    }
}
