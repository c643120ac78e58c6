//! The outputs for other programs: they read them, whatever the names and messages.

use std::collections::HashSet;

use serde_json::Value;

use super::{folder, pgast};

/// What a shell, a URI, XML, JSON and GitHub's commands have other notations for.
#[cfg(unix)]
const NAME: &str = "a b%,:;=#?&<>\"'`ä\u{1}\n::error::x]]>.sql";
#[cfg(not(unix))]
const NAME: &str = "a b%,;=#&'`ä.sql";

/// A message with the same in it, a fix, a wrong statement, and a place of several lines.
const SCRIPT: &str = "SELECT 1 \"a\n%,:<>&]]>ä\u{7}\" 'x';
CREATE INDEX i\nON t (a);
-- pgast-ignore drop-table
SELECT 'ä' FROM t WHERE a = NULL;
DELETE FROM t; DELETE FROM t;
";

fn run(output: &str) -> String {
    let here = folder(&[(NAME, SCRIPT), ("good.sql", "SELECT 1;\n")]);
    let run =
        pgast(here.path()).args(["lint", "--output", output, NAME, "good.sql"]).assert().code(1);
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

const RULES: [&str; 6] = [
    "syntax-error",
    "create-index-locks",
    "unused-ignore",
    "null-comparison",
    "delete-without-where",
    "delete-without-where",
];

#[test]
fn short_has_a_line_for_each_finding() {
    let output = run("short");
    assert_eq!(output.lines().count(), RULES.len(), "{output}");
    for (line, rule) in output.lines().zip(RULES) {
        assert!(line.starts_with("a b%") && line.contains(&format!("[{rule}]: ")), "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}

#[test]
fn json_has_the_documented_keys() {
    let output = run("json");
    let lines: Vec<Value> = output.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let rules: Vec<_> = lines.iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, RULES);
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lint.md")).unwrap();
    for line in &lines {
        assert_eq!(line["file"], NAME);
        for key in line.as_object().unwrap().keys() {
            assert!(page.contains(&format!("| `{key}` |")), "{key}");
        }
        let [start, end] =
            ["start", "end"].map(|key| usize::try_from(line[key].as_u64().unwrap()).unwrap());
        assert!(SCRIPT.get(start..end).is_some(), "{line}");
    }
    let index = &lines[1];
    assert_eq!((&index["line"], &index["column"]), (&3.into(), &1.into()));
    assert_eq!((&index["end_line"], &index["end_column"]), (&4.into(), &9.into()));
    assert_eq!(lines[2]["applicability"], "safe");
    assert_eq!(lines[4]["fingerprint"], lines[5]["fingerprint"]);
}

#[test]
fn github_has_a_command_for_each_finding() {
    let output = run("github");
    assert_eq!(output.lines().count(), RULES.len(), "{output}");
    for (line, rule) in output.lines().zip(RULES) {
        let level = if rule == "syntax-error" { "error" } else { "warning" };
        let rest = line.strip_prefix(&format!("::{level} title={rule},file=")).unwrap();
        let (properties, message) = rest.split_once("::").unwrap();
        assert!(!message.is_empty());
        // All that has a meaning is escaped.
        let mut properties = properties.split(',');
        let file = properties.next().unwrap();
        assert!(file.starts_with("a b%25%2C"), "{file}");
        let unescaped = [("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
            .iter()
            .fold(file.to_owned(), |file, (from, to)| file.replace(from, to));
        assert_eq!(unescaped, NAME);
        assert!(
            properties.all(|it| it.split_once('=').unwrap().1.parse::<u32>().is_ok()),
            "{line}"
        );
    }
}

#[test]
fn gitlab_has_different_fingerprints() {
    let output = run("gitlab");
    let issues: Vec<Value> = serde_json::from_str(&output).unwrap();
    let names: Vec<_> = issues.iter().map(|it| it["check_name"].as_str().unwrap()).collect();
    assert_eq!(names, RULES);
    let fingerprints: HashSet<_> = issues.iter().map(|it| it["fingerprint"].as_str()).collect();
    assert_eq!(fingerprints.len(), RULES.len());
    assert!(issues.iter().all(|it| it["location"]["path"] == NAME));
    assert_eq!(issues[1]["location"]["lines"], serde_json::json!({ "begin": 3, "end": 4 }));
    assert_eq!(
        (&issues[0]["severity"], &issues[1]["severity"]),
        (&"critical".into(), &"minor".into())
    );
}

#[test]
fn gitlab_keeps_fingerprints_while_lines_move() {
    let fingerprints = |text: &str| {
        let here = folder(&[("a.sql", text)]);
        let run = pgast(here.path()).args(["lint", "--output", "gitlab", "a.sql"]).assert();
        let issues: Vec<Value> = serde_json::from_slice(&run.get_output().stdout).unwrap();
        issues.iter().map(|it| it["fingerprint"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = fingerprints("DROP TABLE t;\nDELETE FROM u;\n");
    assert_eq!(first.len(), 2);
    assert_eq!(first, fingerprints("\n\nDROP  TABLE t;\nSELECT 1;\nDELETE FROM u;\n"));
}

#[test]
fn sarif_has_rules_results_and_fixes() {
    let output = run("sarif");
    let log: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 5);
    for rule in rules {
        for key in ["id", "shortDescription", "fullDescription", "help", "helpUri"] {
            assert!(!rule[key].is_null(), "{key}: {rule}");
        }
    }
    let results = run["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|it| it["ruleId"].as_str().unwrap()).collect();
    assert_eq!(names, RULES);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.starts_with("a%20b%25%2C"), "{uri}");
        assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)));
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(result["partialFingerprints"]["pgast/v1"].is_string());
    }
    // What is a safe fix.
    let fix = &results[2]["fixes"][0];
    let replacement = &fix["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "");
    assert_eq!(replacement["deletedRegion"]["startLine"], 5);
    assert_eq!(replacement["deletedRegion"]["endLine"], 6);
    assert!(results[0]["fixes"].is_null());
}

#[test]
fn junit_is_well_formed() {
    let output = run("junit");
    let document =
        roxmltree::Document::parse(&output).unwrap_or_else(|error| panic!("{error}: {output}"));
    let suites = document.root_element();
    assert_eq!((suites.attribute("tests"), suites.attribute("failures")), (Some("7"), Some("6")));
    let files: Vec<_> = suites.children().filter(roxmltree::Node::is_element).collect();
    let names: Vec<_> = files.iter().map(|it| it.attribute("name").unwrap()).collect();
    // XML cannot have the control character.
    assert_eq!(names, [NAME.replace('\u{1}', "\u{fffd}").as_str(), "good.sql"]);
    let cases = document.descendants().filter(|it| it.has_tag_name("testcase"));
    let names: Vec<_> = cases.map(|it| it.attribute("name").unwrap()).collect();
    assert_eq!(names, [&RULES[..], &["no findings"]].concat());
    let failures: Vec<_> = document.descendants().filter(|it| it.has_tag_name("failure")).collect();
    assert_eq!(failures.len(), 6);
    assert!(failures.iter().all(|it| it.text().is_some_and(|text| text.contains(": "))));
}

/// No name and no message begins a line, where it may be a command.
#[test]
fn full_shows_names_on_one_line() {
    let output = run("full");
    assert!(output.contains("a b%"), "{output}");
    assert!(!output.lines().any(|line| line.starts_with("::")), "{output}");
}

/// The same formats for the errors of `check`, which have no rules.
#[test]
fn check_has_the_same_outputs() {
    let here = folder(&[("a.sql", "SELEC 1;\n")]);
    for output in ["github", "gitlab", "sarif", "junit"] {
        let run = pgast(here.path()).args(["check", "--output", output, "a.sql"]).assert().code(1);
        let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        match output {
            "github" => assert!(text.starts_with("::error title=syntax-error,file=a.sql,line=1,")),
            "junit" => drop(roxmltree::Document::parse(&text).unwrap()),
            _ => drop(serde_json::from_str::<Value>(&text).unwrap()),
        }
        assert!(text.contains("syntax error at or near"), "{text}");
    }
}

/// A message has a part of the SQL, which must not turn what stands around it.
#[test]
fn messages_do_not_change_how_a_log_looks() {
    let here = folder(&[("a.sql", "DROP \"\u{202e}\u{1b}[31m\";\n")]);
    for output in ["github", "short"] {
        let run = pgast(here.path()).args(["lint", "--output", output, "a.sql"]).assert().code(1);
        let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(text.contains("\\u{202e}\\u{1b}[31m"), "{text:?}");
    }
}

/// A document is one without findings as well.
#[test]
fn documents_may_be_empty() {
    let here = folder(&[("a.sql", "SELECT 1;\n")]);
    for output in ["short", "json", "github", "gitlab", "sarif", "junit"] {
        let run = pgast(here.path()).args(["lint", "--output", output, "a.sql"]).assert().success();
        let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        match output {
            "gitlab" => assert_eq!(text, "[]\n"),
            "sarif" => {
                let log: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
            }
            "junit" => drop(roxmltree::Document::parse(&text).unwrap()),
            _ => assert_eq!(text, ""),
        }
    }
}

/// Editors do not show it.
#[test]
fn a_byte_order_mark_is_in_no_column() {
    let script = "\u{feff}SELECT 1; DELETE FROM t;\n  DELETE FROM t;";
    let here = folder(&[("a.sql", script)]);
    let run = |args: &[&str]| {
        let run = pgast(here.path()).args(args).assert();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let short = run(&["lint", "--output", "short", "a.sql"]);
    assert!(short.starts_with("a.sql:1:23: ") && short.contains("\na.sql:2:15: "), "{short}");
    let full = run(&["lint", "a.sql"]);
    assert!(full.contains("a.sql:1:23\n") && full.contains("a.sql:2:15\n"), "{full}");
    assert!(full.contains("| SELECT 1; DELETE FROM t;\n"), "{full}");
    let json = run(&["lint", "--output", "json", "a.sql"]);
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!([&first["column"], &first["end_column"]], [23, 24]);
    // Its bytes are bytes of the file.
    let start = usize::try_from(first["start"].as_u64().unwrap()).unwrap();
    assert!(script[start..].starts_with("t;\n"));
    let wrong = folder(&[("a.sql", "\u{feff}SELEC 1")]);
    let wrong = pgast(wrong.path()).args(["lint", "--output", "short", "a.sql"]).assert();
    let wrong = String::from_utf8(wrong.get_output().stdout.clone()).unwrap();
    assert!(wrong.starts_with("a.sql:1:1: "), "{wrong}");
    let complete = run(&["complete", "a.sql", "--json", "--at", "1:18"]);
    assert!(complete.contains("FROM"), "{complete}");
}
