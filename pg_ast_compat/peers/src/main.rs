//! Calls both libraries with each statement of the SQL files in the folders that are given, and prints what differs.
//! The exit code is 1 if something differs that is not known to.

#[path = "../../../tests/common/split.rs"]
mod split;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

/// What a library returns for a statement: a text for each call.
type Results = Vec<(&'static str, String)>;

/// A function that makes all calls of one library. Both have the same code.
macro_rules! calls {
    ($function:ident, $library:ident) => {
        fn $function(sql: &str) -> Results {
            use prost::Message as _;
            use $library as lib;

            fn show<T: std::fmt::Debug>(result: Result<T, lib::Error>) -> String {
                match result {
                    Ok(value) => format!("{value:?}"),
                    Err(error) => format!("{error}"),
                }
            }

            fn sorted<T: std::fmt::Debug>(values: &[T]) -> String {
                let mut values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
                values.sort();
                values.join("\n")
            }

            fn sorted_map<T: std::fmt::Debug + Ord>(values: impl IntoIterator<Item = T>) -> String {
                let mut values: Vec<_> = values.into_iter().collect();
                values.sort();
                format!("{values:?}")
            }

            let mut results = Vec::new();
            let mut add = |call, result| results.push((call, result));
            #[cfg(feature = "v6")]
            let (parsed, fingerprint, summary) =
                (lib::parse(sql), lib::fingerprint(sql), lib::summary(sql, 50));
            #[cfg(feature = "v18")]
            let (parsed, fingerprint, summary) =
                (lib::parse(sql, 0), lib::fingerprint(sql, 0, 0), lib::summary(sql, 0, 50));
            #[cfg(feature = "v6")]
            let (deparsed, printed) = (
                parsed.as_ref().ok().map(|result| result.deparse()),
                parsed.as_ref().ok().and_then(|result| {
                    Some(result.protobuf.nodes().last()?.0.to_enum().deparse().is_ok())
                }),
            );
            #[cfg(feature = "v18")]
            let (deparsed, printed) = (
                parsed.as_ref().ok().map(|result| {
                    result.deparse(lib::DeparseOptions { pretty_print: true, ..Default::default() })
                }),
                parsed.as_ref().ok().and_then(|result| {
                    Some(
                        result
                            .protobuf
                            .nodes()
                            .last()?
                            .0
                            .to_enum()
                            .deparse(Default::default())
                            .is_ok(),
                    )
                }),
            );
            add("deparse", deparsed.map(show).unwrap_or_default());
            add("deparse of a node", format!("{printed:?}"));
            match parsed {
                Ok(mut result) => {
                    add("protobuf", format!("{:?}", result.protobuf));
                    add("bytes", format!("{:?}", result.protobuf.encode_to_vec()));
                    add("warnings", format!("{:?}", result.warnings));
                    add("tables", sorted(&result.tables));
                    add("tables()", sorted(&result.tables()));
                    add("aliases", sorted_map(&result.aliases));
                    add("cte_names", sorted(&result.cte_names));
                    add("functions", sorted(&result.functions));
                    add("filter_columns", sorted(&result.filter_columns));
                    add("statement_types", format!("{:?}", result.statement_types()));
                    add("nodes", format!("{:?}", result.protobuf.nodes()));
                    for limit in [5, 20, 40, 80] {
                        add("truncate", show(result.truncate(limit)));
                    }
                    // SAFETY: the pointers are read one at a time, and nothing is changed.
                    let nodes = unsafe { result.protobuf.nodes_mut() };
                    let nodes = nodes
                        .iter()
                        .map(|(node, depth, context)| (node.to_enum().ok(), *depth, *context));
                    add("nodes_mut", format!("{:?}", nodes.collect::<Vec<_>>()));
                }
                Err(error) => add("parse", format!("{error}")),
            }
            add(
                "fingerprint",
                show(fingerprint.map(|fingerprint| (fingerprint.value, fingerprint.hex))),
            );
            add("normalize", show(lib::normalize(sql)));
            add("scan", show(lib::scan(sql)));
            add("split_with_parser", show(lib::split_with_parser(sql)));
            add("split_with_scanner", show(lib::split_with_scanner(sql)));
            #[cfg(feature = "v18")]
            {
                add("is_utility_stmt", show(lib::is_utility_stmt(sql)));
                add("deparse_comments_for_query", show(lib::deparse_comments_for_query(sql)));
                let options = lib::FingerprintOptions::RANGEVAR_PG17_COMPAT
                    | lib::FingerprintOptions::FULL_RELNAME;
                let fingerprint = lib::fingerprint(sql, lib::ParserOptions::PLPGSQL_EXPR, options);
                add(
                    "fingerprint with options",
                    show(fingerprint.map(|fingerprint| fingerprint.hex)),
                );
            }
            match summary {
                Ok(summary) => {
                    add("summary: warnings", format!("{:?}", summary.warnings));
                    add("summary: tables", sorted(&summary.tables));
                    add("summary: aliases", sorted_map(&summary.aliases));
                    add("summary: cte_names", sorted(&summary.cte_names));
                    add("summary: functions", sorted(&summary.functions));
                    add("summary: filter_columns", sorted(&summary.filter_columns));
                    add("summary: statement_types", format!("{:?}", summary.statement_types));
                    add("summary: truncated_query", summary.truncated_query);
                }
                Err(error) => add("summary", format!("{error}")),
            }
            results
        }
    };
}

#[cfg(feature = "v6")]
calls!(theirs, pg_query_6);
#[cfg(feature = "v18")]
calls!(theirs, pg_query_18);
calls!(ours, pg_ast_compat);

/// The SQL files in a folder, or the file itself.
fn sql_files(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut entries: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| sql_files(entry, files));
    } else if path.extension().is_some_and(|extension| extension == "sql") {
        files.push(path.to_owned());
    }
}

/// All statements of the files, one after the other.
fn statements(paths: &[String]) -> Vec<String> {
    let mut files = Vec::new();
    paths.iter().for_each(|path| sql_files(Path::new(path), &mut files));
    let text = |file| String::from_utf8_lossy(&fs::read(file).expect("a file")).into_owned();
    files.iter().flat_map(|file| split::split(&text(file))).collect()
}

/// Compares the results of each statement from `first` on. On standard output, `@` begins the number of a statement
/// that is about to be parsed, and `!` a call that differs.
fn compare(statements: &[String], first: usize) {
    std::panic::set_hook(Box::new(|_| {}));
    for (number, sql) in statements.iter().enumerate().skip(first) {
        println!("@{number}");
        let Ok(theirs) = std::panic::catch_unwind(|| theirs(sql)) else {
            println!("!panic of pg_query\n  {sql:?}");
            continue;
        };
        let ours = ours(sql);
        if theirs == ours {
            continue;
        }
        let (mut theirs, mut ours) = (theirs.into_iter().peekable(), ours.into_iter().peekable());
        // One may have an error in place of several results.
        while let (Some((call, their_result)), Some((our_call, our_result))) =
            (theirs.peek(), ours.peek())
        {
            if call != our_call {
                // Cutting a text takes printing it.
                let what = if their_result.contains("deparse: ") { "deparse" } else { "error" };
                println!(
                    "!{what}\n  {sql:?}\n  pg_query {call}: {their_result}\n  ours     {our_call}: {our_result}"
                );
                break;
            }
            if their_result != our_result {
                println!("!{call}\n  {sql:?}\n  pg_query {their_result}\n  ours     {our_result}");
            }
            theirs.next();
            ours.next();
        }
    }
}

/// What is known to differ, and why.
const KNOWN: [(&str, &str); 8] = [
    ("deparse", "some statements are printed right, or at all"),
    ("deparse of a node", "as above"),
    ("truncate", "as above"),
    (
        "summary: truncated_query",
        "as above; a list of columns is cut only if that makes it shorter",
    ),
    ("warnings", "pg_query has none of the grammar's"),
    ("summary: warnings", "as above"),
    ("panic of pg_query", "it takes names apart without looking"),
    ("end of pg_query", "it prints what it does not know"),
];

/// pg_query may end the process, so that the statements are compared in another one, which is started again behind
/// each such statement.
fn main() -> ExitCode {
    let paths: Vec<_> = env::args().skip(1).collect();
    let statements = statements(&paths);
    if let Some(first) = env::var("PEERS_FIRST").ok().and_then(|first| first.parse().ok()) {
        compare(&statements, first);
        return ExitCode::SUCCESS;
    }
    let mut differing: BTreeMap<String, usize> = BTreeMap::new();
    let mut next = 0;
    loop {
        let mut child = Command::new(env::current_exe().expect("this program"))
            .args(&paths)
            .env("PEERS_FIRST", next.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this program once more");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        for line in output.lines().map_while(Result::ok) {
            if let Some(number) = line.strip_prefix('@') {
                next = number.parse::<usize>().expect("a number") + 1;
                continue;
            }
            println!("{line}");
            if let Some(call) = line.strip_prefix('!') {
                *differing.entry(call.to_owned()).or_default() += 1;
            }
        }
        if child.wait().is_ok_and(|status| status.success()) {
            break;
        }
        println!("!end of pg_query\n  {:?}", statements[next - 1]);
        *differing.entry("end of pg_query".to_owned()).or_default() += 1;
    }
    println!("{} statements", statements.len());
    let mut is_known = true;
    for (call, count) in differing {
        let why = KNOWN.iter().find(|(known, _)| *known == call).map(|(_, why)| *why);
        is_known &= why.is_some();
        println!("{call}: {count} differ ({})", why.unwrap_or("not known"));
    }
    if is_known { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
