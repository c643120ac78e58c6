//! What `pgast digest` says about calls: when, by whom, how long, and what went wrong.

use serde_json::{Value, json};
use snapbox::str;
use tempfile::TempDir;

use super::{folder, pgast};

const LOG: &str = "\
2026-01-01 10:00:00.000 UTC [7] ann@shop LOG:  duration: 1.000 ms  statement: SELECT * FROM t WHERE a = 1
2026-01-01 10:00:01.000 UTC [7] ann@shop LOG:  duration: 3.000 ms  execute s: SELECT * FROM t WHERE a = $1
2026-01-01 10:00:01.000 UTC [7] ann@shop DETAIL:  parameters: $1 = 'x <y>'
2026-01-01 10:00:02.000 UTC [7] ann@shop ERROR:  relation \"nope\" does not exist at character 15
2026-01-01 10:00:02.000 UTC [7] ann@shop STATEMENT:  SELECT * FROM nope
2026-01-01 10:00:03.000 UTC [8] bob@shop LOG:  duration: 0.500 ms  bind s: SELECT 1
2026-01-01 10:00:03.000 UTC [8] bob@shop LOG:  duration: 9.000 ms  plan:
\tQuery Text: SELECT count(*) FROM t
\tAggregate  (cost=0.00..1.01 rows=1 width=4) (actual time=0.005..0.006 rows=1 loops=1)
2026-01-01 11:00:00.000 UTC [9] LOG:  checkpoint starting: time
";

fn json(here: &TempDir, args: &[&str]) -> (Vec<Value>, Value) {
    let printed = pgast(here.path()).args(["digest", "--json"]).args(args).assert();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    let mut lines: Vec<Value> =
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].take();
    (lines, summary)
}

#[test]
fn the_table_has_times_rows_and_errors() {
    let here = folder(&[("a.log", LOG)]);
    let digest = |args: &[&str]| pgast(here.path()).args(["digest", "a.log"]).args(args).assert();
    digest(&[]).success().stdout_eq(str![[r#"
     calls  share     total ms      mean       p95       max      rows errors  fingerprint       statement
         2  66.7%        4.000     2.000     3.000     3.000         -      0  28550ea0fc43bed7  SELECT * FROM t WHERE …
         1  33.3%        9.000     9.000     9.000     9.000         1      0  b581c424d1e9c38a  SELECT count(*) FROM t
         0   0.0%        0.000         -         -         -         -      1  b84a3d2aac05c480  SELECT * FROM nope
3 statements of 3 kinds
by database: shop 3 (100.0%)
by user: ann 2 (66.7%), bob 1 (33.3%)
1 errors that the server has logged, 0 without a statement
         1 relation "…" does not exist at character 00
skipped: 2 of 10 lines
         1 of messages about something else
         1 of steps before an execution (parse, bind) and of function calls

"#]]);
    digest(&["--sort", "errors", "-n", "1"]).stdout_eq(str![[r#"
     calls  share errors  fingerprint       tables                    statement
         0   0.0%      1  b84a3d2aac05c480  nope                      SELECT * FROM nope
3 statements of 3 kinds
by database: shop 3 (100.0%)
by user: ann 2 (66.7%), bob 1 (33.3%)
1 errors that the server has logged, 0 without a statement
         1 relation "…" does not exist at character 00
skipped: 2 of 10 lines
         1 of messages about something else
         1 of steps before an execution (parse, bind) and of function calls

"#]]);
    digest(&["--samples", "1", "--sort", "time"]).stdout_eq(str![[r#"
     calls  share     total ms      mean       p95       max      rows errors  fingerprint       statement
         1  69.2%        9.000     9.000     9.000     9.000         1      0  b581c424d1e9c38a  SELECT count(*) FROM t
     9.000 2026-01-01 10:00:03 SELECT count(*) FROM t
         2  30.8%        4.000     2.000     3.000     3.000         -      0  28550ea0fc43bed7  SELECT * FROM t WHERE …
     3.000 2026-01-01 10:00:01 SELECT * FROM t WHERE a = $1 -- $1 = 'x <y>'
         0   0.0%        0.000         -         -         -         -      1  b84a3d2aac05c480  SELECT * FROM nope
3 statements of 3 kinds
by database: shop 3 (100.0%)
by user: ann 2 (66.7%), bob 1 (33.3%)
1 errors that the server has logged, 0 without a statement
         1 relation "…" does not exist at character 00
skipped: 2 of 10 lines
         1 of messages about something else
         1 of steps before an execution (parse, bind) and of function calls

"#]]);
}

#[test]
fn digest_is_shown_in_colours() {
    let here = folder(&[("postgresql.log", LOG)]);
    pgast(here.path())
        .args(["digest", "--color", "always", "postgresql.log"])
        .assert()
        .success()
        .stdout_eq(snapbox::file!["digest.term.svg": TermSvg]);
}

#[test]
fn names_and_periods_are_counted() {
    let here = folder(&[("a.log", LOG)]);
    let (_, summary) = json(&here, &["a.log"]);
    let calls = |key: &str| -> Vec<_> {
        let named = summary[key].as_array().unwrap().iter();
        named.map(|named| (named["name"].clone(), named["calls"].clone())).collect()
    };
    assert_eq!(calls("databases"), [(json!("shop"), json!(3))]);
    assert_eq!(calls("users"), [(json!("ann"), json!(2)), (json!("bob"), json!(1))]);
    assert_eq!(calls("applications"), []);
    assert_eq!(summary["period"], 1);
    assert_eq!(calls("periods")[0], (json!("2026-01-01 10:00:00"), json!(1)));
    assert_eq!(
        (&summary["server_errors"], &summary["messages"][0]["message"]),
        (&json!(1), &json!("relation \"…\" does not exist at character 00"))
    );
    // All of its lines are there.
    assert_eq!((&summary["lines"], &summary["understood"]), (&json!(10), &json!(8)));
    assert_eq!(
        summary["skipped"],
        json!([{ "kind": "other", "lines": 1 }, { "kind": "steps", "lines": 1 }])
    );
}

#[test]
fn windows_and_names_select() {
    let here = folder(&[("a.log", LOG), ("b.sql", "SELECT 1")]);
    for (args, calls, understood) in [
        (&["--since", "2026-01-01 10:00:01"][..], 2, 7),
        (&["--until", "2026-01-01 10:00:01"], 1, 1),
        (&["--since", "2026-01-01 10:00:01", "--until", "2026-01-01T10:00:02"], 1, 2),
        (&["--user", "bob"], 1, 3),
        (&["--user", "bob", "--user", "ann"], 3, 8),
        (&["--database", "none"], 0, 0),
        (&["--prefix", "%m [%p] %q%d@%u ", "--database", "bob"], 1, 3),
    ] {
        let (_, summary) = json(&here, &[&["a.log"], args].concat());
        let sum = |key: &str| -> u64 {
            summary[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["lines"].as_u64().unwrap())
                .sum()
        };
        assert_eq!(
            (&summary["statements"], &summary["understood"]),
            (&json!(calls), &json!(understood)),
            "{args:?}"
        );
        assert_eq!(understood + sum("skipped") + sum("not_understood"), 10, "{args:?}");
    }
    let wrong = |args: &[&str]| {
        let printed = pgast(here.path()).arg("digest").args(args).assert().code(2);
        String::from_utf8_lossy(&printed.get_output().stderr).into_owned()
    };
    assert!(wrong(&["--since", "yesterday", "a.log"]).contains("expected a time as in the log"));
    assert!(wrong(&["--since", "2026-01-01", "b.sql"]).contains("cannot select from b.sql"));
}

/// Rotated logs are one log.
#[test]
fn sessions_go_on_in_the_next_file() {
    let here = folder(&[
        ("a.log", "2026-01-01 10:00:00 UTC [7] LOG:  statement: SELECT 1\n"),
        (
            "b.log",
            "2026-01-01 10:00:01 UTC [7] LOG:  duration: 5.000 ms\n2026-01-01 10:00:01 UTC [7] LOG:  statement: SELECT 2\n",
        ),
    ]);
    let (kinds, summary) = json(&here, &["a.log", "b.log"]);
    assert_eq!((&kinds[0]["calls"], &kinds[0]["total_time"]), (&json!(2), &json!(5.0)));
    assert_eq!((&summary["durations"], &summary["without_statements"]), (&json!(0), &json!([])));
}

/// The page stands alone, shows all that the table has, and nothing in a log is a tag.
#[test]
fn the_page_stands_alone() {
    let hostile = "2026-01-01 10:00:09.000 UTC [7] <b>@<script> LOG:  duration: 2.000 ms  statement: SELECT '<script>alert(1)</script>' AS \"<img>\" FROM \"<t>\"\n\
                   2026-01-01 10:00:09.000 UTC [7] u@d ERROR:  <script>alert(2)\n<script>alert(3)\n";
    let here = folder(&[("<a>.log", &format!("{LOG}{hostile}"))]);
    let page = pgast(here.path())
        .args(["digest", "--html", "--samples", "2", "<a>.log"])
        .assert()
        .success();
    let page = String::from_utf8_lossy(&page.get_output().stdout).into_owned();
    for expected in [
        "<!DOCTYPE html>",
        "default-src 'none'",
        "<svg",
        "SELECT count(*) FROM t",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "$1 = &#39;x &lt;y&gt;&#39;",
        "<td class=\"text\">ann<td>2",
        "skipped: of messages about something else",
        "without a severity such as LOG:; the first is &lt;a&gt;.log:13",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    for wrong in ["<script", "<img", "<b>@", "http:", "https:", "src=", "href", "url(", "@import"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    // Each tag that is opened is closed.
    for tag in ["table", "svg", "details", "summary", "code", "pre", "h2", "text", "title"] {
        let count = |text: &str| page.matches(text).count();
        let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
    }
}

/// Not without being asked.
#[test]
fn samples_are_only_shown_on_request() {
    let here = folder(&[("a.log", LOG)]);
    for args in [&["--html"][..], &["--json"], &["--csv"], &[]] {
        let printed = pgast(here.path()).args(["digest", "a.log"]).args(args).assert().success();
        let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
        assert!(!printed.contains("a = 1") && !printed.contains("<y>"), "{printed}");
    }
    let (kinds, _) = json(&here, &["--samples", "1", "a.log"]);
    assert_eq!(
        kinds[0]["samples"],
        json!([{
            "time": 3.0,
            "at": "2026-01-01 10:00:01",
            "query": "SELECT * FROM t WHERE a = $1",
            "parameters": "$1 = 'x <y>'",
        }])
    );
}

/// Nothing in a log is a command to the terminal that shows it.
#[test]
fn escape_codes_are_not_printed() {
    let log = "2026-01-01 10:00:00 UTC [7] u\u{1b}[2J@d LOG:  duration: 1.000 ms  statement: SELECT '\u{1b}[2J' AS \"\u{1b}[2J\"\n\
               2026-01-01 10:00:00 UTC [7] u@d ERROR:  a\u{1b}[2J\n\u{1b}[2Jx\n";
    let here = folder(&[("a.log", log)]);
    let printed = pgast(here.path()).args(["digest", "--samples", "1", "a.log"]).assert().success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(printed.contains("[2J") && !printed.contains('\u{1b}'), "{printed}");
    // Also where colours are.
    let wrong = "2026-01-01 10:00:00 UTC [7] LOG:  statement: SELECT a b \"\u{1b}[2J\"\n";
    let here = folder(&[("a.log", &(wrong.to_owned() + log))]);
    let printed = pgast(here.path()).args(["digest", "--color", "always", "a.log"]).assert();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(
        printed.contains("near \"\"\u{fffd}[2J") && !printed.contains("\u{1b}[2J"),
        "{printed}"
    );
}

/// What is no log at all has no statement either, whatever its words are.
#[test]
fn a_text_without_sql_is_found() {
    let here = folder(&[("a.txt", "what is this\n"), ("b.sql", "SELECT 1;\nSELEC 2;\n")]);
    let printed = pgast(here.path()).args(["digest", "a.txt"]).assert().code(1);
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(printed.contains("no statement that PostgreSQL accepts"), "{printed}");
    pgast(here.path()).args(["digest", "b.sql"]).assert().success();
}

/// Programs such as `docker logs` write a line at a time, and those of the server may not be the first ones.
#[test]
fn a_pipe_may_return_a_line_at_a_time() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let here = folder(&[]);
    let thread = std::thread::spawn(move || {
        for text in ["PostgreSQL Database directory appears to contain", " a database\n", "\n", LOG]
        {
            std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    let mut command = std::process::Command::new(snapbox::cmd::cargo_bin!("pgast"));
    let output = command.current_dir(here.path()).args(["digest"]).stdin(reader).output().unwrap();
    thread.join().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("3 statements of 3 kinds\n"), "{printed}");
    assert!(printed.contains("1 without a severity"), "{printed}");
}

/// As hostile exports have them: no sum is too large, and none is infinite.
#[test]
fn large_numbers_are_no_panic() {
    let most = u64::MAX;
    let csv = format!(
        "query,calls,total_exec_time\nSELECT 1,{most},1e308\nSELECT 1,{most},1e308\nSELECT 2,1,-5\nSELECT 3,1,2.5\n\
         <insufficient privilege>,{most},1\n<insufficient privilege>,{most},1\n"
    );
    let nines = "9".repeat(400);
    let log =
        format!("2026-01-01 [7] u@d LOG:  duration: {nines}.000 ms  statement: SELECT 4\n{LOG}");
    let here = folder(&[("a.csv", &csv), ("b.log", &log)]);
    let (_, summary) = json(&here, &["a.csv", "b.log"]);
    assert_eq!((&summary["statements"], &summary["hidden"]), (&json!(most), &json!(most)));
    assert_eq!(summary["total_time"], json!(2.5 + 13.0));
    for option in ["--html", "--csv"] {
        let printed = pgast(here.path()).args(["digest", option, "a.csv", "b.log"]).assert();
        let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
        assert!(!printed.contains("NaN") && !printed.contains("inf"), "{printed}");
    }
}

#[test]
fn exports_of_pg_stat_statements_have_times_and_rows() {
    let export =
        "query;calls;total_exec_time;max_exec_time;rows\r\nSELECT a FROM t;4;8,5;5,25;12\r\n";
    let utf16: Vec<u8> =
        format!("\u{feff}{export}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let here =
        folder(&[("a.csv", export), ("b.csv", &format!("\u{feff}{}", export.replace(';', "\t")))]);
    std::fs::write(here.path().join("c.csv"), utf16).unwrap();
    for file in ["a.csv", "b.csv", "c.csv"] {
        let (kinds, summary) = json(&here, &[file]);
        let [calls, total, mean, p95, max, rows] =
            ["calls", "total_time", "mean_time", "p95_time", "max_time", "rows"]
                .map(|key| &kinds[0][key]);
        assert_eq!((calls, total, mean), (&json!(4), &json!(8.5), &json!(2.125)), "{file}");
        assert_eq!((p95, max, rows), (&Value::Null, &json!(5.25), &json!(12)), "{file}");
        assert_eq!(summary["not_understood"], json!([]), "{file}");
    }
}

/// Sessions end in any order, and a sum of floating-point numbers depends on theirs.
#[test]
fn two_runs_print_the_same() {
    let line = |number: u32| {
        let (session, time) = (number % 41, f64::from(number * 7_919 % 10_000) / 1_000.0);
        format!(
            "2026-01-01 10:00:00 UTC [{session}] LOG:  duration: {time:.3} ms  statement: SELECT 1\n"
        )
    };
    let log: String = (0..2_000).map(line).collect();
    let here = folder(&[("a.log", &log)]);
    let first = json(&here, &["a.log"]);
    for _ in 0..5 {
        assert_eq!(json(&here, &["a.log"]), first);
    }
}
