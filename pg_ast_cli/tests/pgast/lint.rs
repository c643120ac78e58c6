//! Which rules `pgast lint` checks, where, and how it ends.

use std::fs;

use snapbox::str;

use super::{folder, pgast};

const SCRIPT: &str = "DROP TABLE t;\nSELECT * FROM u;\n";

#[test]
fn sets_and_rules_are_selected() {
    let here = folder(&[("a.sql", SCRIPT)]);
    let short = |args: &[&str]| {
        let args = [&["lint", "--output", "short", "a.sql"], args].concat();
        let output = pgast(here.path()).args(args).assert().get_output().stdout.clone();
        let output = String::from_utf8(output).unwrap();
        let rules = output.lines().map(|line| line.split_once('[').unwrap().1);
        rules.map(|line| line.split_once(']').unwrap().0.to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(short(&[]), "drop-table");
    let all = short(&["--select", "all"]);
    for rule in ["drop-table", "prefer-if-exists", "select-star"] {
        assert!(all.split(' ').any(|name| name == rule), "{all}");
    }
    let rest = short(&["--select", "all", "--ignore", "recommended"]);
    assert!(rest.contains("select-star") && !rest.contains("drop-table"), "{rest}");
    let some = ["--select", "recommended,prefer-if-exists"];
    assert_eq!(short(&some), "drop-table prefer-if-exists");
    assert_eq!(short(&["--select", "select-star"]), "select-star");
    assert_eq!(short(&["--extend-select", "select-star"]), "drop-table select-star");
    let settings =
        "[lint]\nselect = ['select-star']\nextend-select = ['drop-table']\nignore = ['all']\n";
    fs::write(here.path().join("pgast.toml"), settings).unwrap();
    assert_eq!(short(&[]), "");
    // On top of the settings, and instead of them.
    assert_eq!(short(&["--extend-select", "drop-table"]), "drop-table");
    assert_eq!(short(&["--select", "select-star"]), "select-star");
}

#[test]
fn mistakes_in_names_are_explained() {
    let here = folder(&[("a.sql", SCRIPT)]);
    for (args, expected) in [
        (["--select", "recomended"], "did you mean `recommended`?"),
        (["--ignore", "drop-tabel"], "did you mean `drop-table`?"),
        (["--severity", "drop-table"], "expected RULE=LEVEL"),
        (
            ["--severity", "drop-table=bad"],
            "unknown severity `bad`; there are error, warning, info",
        ),
        (["--per-file-ignores", "tests/=drop"], "unknown rule or set `drop`"),
        (["--exclude", "a{b"], "invalid file pattern a{b"),
    ] {
        let run = pgast(here.path()).args(["lint", "a.sql"]).args(args).assert().code(2);
        let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(errors.contains(expected), "{errors}");
    }
    for (settings, expected) in [
        ("ignroe = []", "did you mean `ignore`?"),
        ("ignore = ['drop-tabel']", "unknown rule or set `drop-tabel`; did you mean `drop-table`?"),
        ("severity = { drop-tabel = 'info' }", "did you mean `drop-table`?"),
        ("severity = { drop-table = 'eror' }", "did you mean `error`?"),
        ("fail-level = 'infos'", "did you mean `info`?"),
        ("output = 'serif'", "did you mean `sarif`?"),
        ("per-file-ignores = { 'a.sql' = ['drop-tabel'] }", "did you mean `drop-table`?"),
        ("exclude = ['a{b']", "invalid file pattern a{b"),
    ] {
        fs::write(here.path().join("pgast.toml"), format!("[lint]\n{settings}\n")).unwrap();
        let run = pgast(here.path()).args(["lint", "a.sql"]).assert().code(2);
        let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(errors.contains(expected), "{settings}: {errors}");
    }
}

#[test]
fn severities_decide_the_exit_code() {
    let here = folder(&[("a.sql", "DROP TABLE t;\nDELETE FROM u;\n")]);
    let lint = |args: &[&str]| {
        pgast(here.path()).args(["lint", "--output", "short", "a.sql"]).args(args).assert()
    };
    lint(&["--severity", "all=info,drop-table=error"]).code(1).stdout_eq(str![[r#"
a.sql:1:1: error[drop-table]: the data of the table is lost, and programs that use it fail
a.sql:2:13: info[delete-without-where]: DELETE without WHERE deletes every row

"#]]);
    lint(&["--severity", "all=info"]).code(0);
    lint(&["--severity", "all=info", "--fail-level", "info"]).code(1);
    lint(&["--fail-level", "error"]).code(0);
    lint(&["--severity", "all=error", "--fail-level", "never"]).code(0);
    let settings =
        "[lint]\nfail-level = 'error'\n[lint.severity]\nall = 'info'\ndrop-table = 'error'\n";
    fs::write(here.path().join("pgast.toml"), settings).unwrap();
    lint(&[]).code(1);
    lint(&["--severity", "drop-table=warning"]).code(0);
}

#[test]
fn files_are_left_out_and_rules_ignored_in_them() {
    let here = folder(&[
        ("db/a.sql", SCRIPT),
        ("db/tests/b.sql", SCRIPT),
        ("db/c.gen.sql", SCRIPT),
        ("sub/x.txt", ""),
    ]);
    let settings = "[lint]\nexclude = ['*.gen.sql']\n[lint.per-file-ignores]\n'tests/' = ['all']\n";
    fs::write(here.path().join("pgast.toml"), settings).unwrap();
    let expected = "db/a.sql:1:1: warning[drop-table]: [..]\n";
    let lint = ["lint", "--output", "short"];
    pgast(here.path()).args(lint).arg("db").assert().code(1).stdout_eq(expected);
    // As seen from the folder of the settings, wherever the command runs, and also if it is named.
    pgast(&here.path().join("sub"))
        .args(lint)
        .args(["../db/a.sql", "../db/tests/b.sql", "../db/c.gen.sql"])
        .assert()
        .code(1)
        .stdout_eq(format!("../{expected}"));
    pgast(here.path()).args(lint).args(["db", "--exclude", "/db/a.sql"]).assert().code(0);
    let ignore = ["db", "--per-file-ignores", "a.sql=drop-table,select-star"];
    pgast(here.path()).args(lint).args(ignore).assert().code(0);
    pgast(here.path())
        .args(["lint", "db/c.gen.sql"])
        .assert()
        .code(0)
        .stdout_eq("0 files, 0 findings\n")
        .stderr_eq("1 file left out: see `exclude`\n");
}

#[cfg(all(feature = "pg15", feature = "pg18"))]
#[test]
fn the_version_decides_what_is_an_error() {
    let here = folder(&[("a.sql", "SELECT JSON_VALUE(a, '$.b' RETURNING int) FROM t;\n")]);
    let lint = ["lint", "--output", "short", "a.sql"];
    pgast(here.path()).args(lint).assert().success().stdout_eq("");
    let error = "a.sql:1:28: error[syntax-error]: syntax error at or near \"RETURNING\"\n";
    pgast(here.path()).args(lint).args(["--pg", "15"]).assert().code(1).stdout_eq(error);
    fs::write(here.path().join("pgast.toml"), "pg = 15\n").unwrap();
    pgast(here.path()).args(lint).assert().code(1).stdout_eq(error);
}

#[test]
fn only_new_findings_are_reported_with_a_baseline() {
    let here = folder(&[
        ("db/a.sql", "DROP TABLE t;\nDELETE FROM u;\nDELETE FROM u;\n"),
        ("db/b.sql", "DROP TABLE v;\n"),
    ]);
    let lint = ["lint", "db", "--output", "short", "--baseline", "known.json"];
    pgast(here.path()).args(lint).assert().code(2).stderr_eq(str![[r#"
error: cannot read [..]known.json: No such file or directory (os error 2)

"#]]);
    pgast(here.path())
        .args(lint)
        .arg("--write-baseline")
        .assert()
        .success()
        .stdout_eq("4 findings in 2 files, written to [..]known.json\n");
    let written = fs::read_to_string(here.path().join("known.json")).unwrap();
    let baseline: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(baseline["findings"].as_array().unwrap().len(), 3);
    assert_eq!(baseline["findings"][0]["path"], "db/a.sql");
    // A line for each, for the sake of merges.
    assert_eq!(written.lines().count(), 3 + 5);
    pgast(here.path()).args(lint).assert().success().stdout_eq("");

    // Moved lines, other constants and layout are the same; one more is new.
    let changed =
        "-- people\nSELECT 1;\n\ndelete  from u;\nDROP\nTABLE t;\nDELETE FROM u;\nDELETE FROM u;\n";
    fs::write(here.path().join("db/a.sql"), changed).unwrap();
    pgast(here.path()).args(lint).assert().code(1).stdout_eq(str![[r#"
db/a.sql:8:13: warning[delete-without-where]: DELETE without WHERE deletes every row

"#]]);
    // From another folder, by the settings.
    fs::write(here.path().join("pgast.toml"), "[lint]\nbaseline = 'known.json'\n").unwrap();
    let args = ["lint", "--output", "short", "a.sql"];
    pgast(&here.path().join("db")).args(args).assert().code(1).stdout_eq(str![[r#"
a.sql:8:13: warning[delete-without-where]: DELETE without WHERE deletes every row

"#]]);
    // What is not looked at is not gone.
    let args = ["lint", "db", "--select", "delete-without-where"];
    pgast(here.path()).args(args).assert().code(1).stderr_eq("");
    pgast(here.path()).args(args).arg("--write-baseline").assert().success();
    let written = fs::read_to_string(here.path().join("known.json")).unwrap();
    assert_eq!(written.matches("drop-table").count(), 2, "{written}");
    assert_eq!(written.matches("delete-without-where").count(), 1, "{written}");
    // What is gone is said, and removed from it; other files keep theirs.
    fs::write(here.path().join("db/a.sql"), "DROP TABLE t;\n").unwrap();
    pgast(here.path())
        .args(["lint", "db"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
2 files, 0 findings besides 2 of the baseline

"#]])
        .stderr_eq(str![[r#"
3 findings of the baseline no longer found: --write-baseline removes what is gone

"#]]);
    pgast(here.path()).args(["lint", "db/a.sql", "--write-baseline"]).assert().success();
    let written = fs::read_to_string(here.path().join("known.json")).unwrap();
    assert_eq!(written.matches("drop-table").count(), 2, "{written}");
    fs::remove_file(here.path().join("db/b.sql")).unwrap();
    pgast(here.path()).args(["lint", "db/a.sql", "--write-baseline"]).assert().success();
    let written = fs::read_to_string(here.path().join("known.json")).unwrap();
    assert_eq!(written.matches("drop-table").count(), 1, "{written}");
}

#[test]
fn wrong_baselines_are_refused() {
    let here = folder(&[
        ("a.sql", SCRIPT),
        ("b.json", "{}"),
        ("c.json", "{\"version\":2,\"findings\":[]}"),
    ]);
    for (file, expected) in [("b.json", "is not a baseline"), ("c.json", "has the format 2")] {
        for args in [["--baseline", file].as_slice(), &["--baseline", file, "--write-baseline"]] {
            let run = pgast(here.path()).args(["lint", "a.sql"]).args(args).assert().code(2);
            let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
            assert!(errors.contains(expected), "{errors}");
        }
    }
    pgast(here.path()).args(["lint", "--write-baseline", "a.sql"]).assert().code(2).stderr_eq(
        str![[r#"
error: --write-baseline needs a file: --baseline, or `baseline` in the settings

"#]],
    );
}

/// Old migrations have run, and must not change.
#[test]
fn known_findings_are_not_fixed() {
    let old = "SELECT 1 FROM t WHERE a = NULL;\n";
    let here = folder(&[("a.sql", old)]);
    let lint = ["lint", "--baseline", "known.json", "a.sql"];
    pgast(here.path()).args(lint).arg("--write-baseline").assert().success();
    let new = format!("{old}SELECT 1 FROM u WHERE b = NULL;\n");
    fs::write(here.path().join("a.sql"), &new).unwrap();
    pgast(here.path()).args(lint).args(["--fix", "--unsafe-fixes"]).assert().success();
    let fixed = fs::read_to_string(here.path().join("a.sql")).unwrap();
    assert_eq!(fixed, format!("{old}SELECT 1 FROM u WHERE b IS NULL;\n"));
}

#[test]
fn fixes_are_shown_before_they_are_applied() {
    let text = "SELECT 1;\n-- pgast-ignore drop-table\nSELECT 2 FROM t WHERE a = NULL;";
    let here = folder(&[("a.sql", text)]);
    let diff = ["lint", "--diff", "--select", "unused-ignore", "a.sql"];
    pgast(here.path()).args(diff).assert().code(1).stdout_eq(str![[r#"
--- a.sql
+++ a.sql, fixed
@@ -1,3 +1,2 @@
 SELECT 1;
--- pgast-ignore drop-table
 SELECT 2 FROM t WHERE a = NULL;
\ No newline at end of file

"#]]);
    assert_eq!(fs::read_to_string(here.path().join("a.sql")).unwrap(), text);
    pgast(here.path())
        .args(["lint", "--unsafe-fixes", "a.sql"])
        .assert()
        .code(2)
        .stderr_eq("error: --unsafe-fixes needs --fix or --diff\n");
    pgast(here.path()).args(["lint", "--fix", "--unsafe-fixes", "a.sql"]).assert().success();
    assert_eq!(
        fs::read_to_string(here.path().join("a.sql")).unwrap(),
        "SELECT 1;\nSELECT 2 FROM t WHERE a IS NULL;"
    );
    pgast(here.path()).args(diff).assert().success().stdout_eq("");
}

#[test]
fn rules_are_listed_and_explained() {
    let here = folder(&[]);
    let list = |args: &[&str]| {
        let output =
            pgast(here.path()).args(["lint", "--list-rules"]).args(args).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let plain = list(&["--ignore", "drop-table", "--severity", "select-star=info"]);
    let row = |name: &str| {
        let row = plain.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        row.split_whitespace().take(5).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("drop-table"), "drop-table recommended off warning -");
    assert_eq!(row("select-star"), "select-star all off info -");
    assert_eq!(row("unused-ignore"), "unused-ignore recommended on warning safe");
    assert_eq!(row("syntax-error"), "syntax-error recommended on error guess");
    let rows = list(&["--output", "json"]);
    assert_eq!(rows.lines().count(), plain.lines().count());
    let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert!(rows.into_iter().any(|row| row["name"] == "drop-table" && row["is_on"] == true));

    let page = pgast(here.path()).args(["lint", "--explain", "drop-table"]).assert().success();
    let page = String::from_utf8_lossy(&page.get_output().stdout).into_owned();
    assert!(page.starts_with("# drop-table: ") && page.contains("## How to ignore it"), "{page}");
}

#[test]
fn rules_have_options() {
    let here = folder(&[("a.sql", "DROP TABLE tmp_1;\nDROP TABLE t;\n")]);
    let lint = ["lint", "--output", "short", "a.sql"];
    let found = "a.sql:2:1: warning[drop-table]: [..]\n";
    let option = ["--option", "drop-table.except-tables=['tmp_*']"];
    pgast(here.path()).args(lint).args(option).assert().code(1).stdout_eq(found);
    fs::write(
        here.path().join("pgast.toml"),
        "[lint.rules.drop-table]\nexcept-tables = ['tmp_*']\n",
    )
    .unwrap();
    pgast(here.path()).args(lint).assert().code(1).stdout_eq(found);
    let more = ["--option", "all.except-tables=['t']"];
    pgast(here.path()).args(lint).args(more).assert().success();
    for (option, expected) in [
        ("drop-table.except-table=['t']", "did you mean `except-tables`?"),
        ("drop-tabel.except-tables=['t']", "did you mean `drop-table`?"),
        ("drop-table.except-tables=t", "the option is wrong"),
        ("drop-table", "expected RULE.OPTION=VALUE"),
    ] {
        let run = pgast(here.path()).args(lint).args(["--option", option]).assert().code(2);
        let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(errors.contains(expected), "{errors}");
    }
}

/// Standard output has the text as it is.
#[test]
fn fixed_text_keeps_control_characters() {
    let here = folder(&[]);
    let text = "SELECT '\u{1b}[1m\u{1}' FROM t;\n";
    let lint = ["lint", "--fix", "--color", "never"];
    let comment = "-- pgast-ignore drop-table\n";
    let run = pgast(here.path()).args(lint).stdin(format!("{comment}{text}")).assert();
    assert_eq!(run.get_output().stdout, text.as_bytes());
}
