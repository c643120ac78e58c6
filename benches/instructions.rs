//! Counts instructions, which do not depend on the load of the machine.
//!
//! ```text
//! cargo bench --bench instructions
//! cargo bench --bench instructions -- changes
//! cargo bench -p pg_ast_benches --bench instructions --features plpgsql -- plpgsql
//! ```
//!
//! Our own runner for valgrind, the only requirement: it runs itself under
//! callgrind, twice per function, with few and with many repetitions. The
//! difference is the cost of the repetitions, without the start of the process.

// Counts of instructions are far below the limit of exact floats.
#![allow(clippy::cast_precision_loss)]

mod common;

use std::ffi::CString;
use std::hint::black_box;
use std::mem;
use std::process::{Command, ExitCode};

use common::changes::CHANGES;
use common::{Group, peers, rewriter, streams};
use pg_ast::{DigestOptions, ParserOptions, Shape, ShapeCache, ShapeOptions, Template, view};

/// The measured functions, in the order of the first table's columns.
const FUNCTIONS: [&str; 6] = [
    "parse/c",
    "parse/pg_ast",
    "parse/protobuf",
    "deparse/c",
    "deparse/pg_ast",
    "deparse/protobuf",
];
/// The functions of the second table.
const VERBS: [&str; 8] = [
    "parse/c",
    "check/pg_ast",
    "parse/pg_ast",
    "fingerprint/text",
    "fingerprint/tree",
    "fingerprint/c",
    "normalize/text",
    "normalize/c",
];
/// The functions of the third table.
const VIEWS: [&str; 10] = [
    "parse/c",
    "parse/pg_ast",
    "view/parse",
    "view/nodes",
    "view/to_owned_tree",
    "view/copy",
    "view/compact",
    "deparse/c",
    "deparse/pg_ast",
    "view/deparse",
];
/// The functions of the fourth table.
const DIGESTS: [&str; 6] = [
    "parse/c",
    "digest/fingerprint",
    "digest/normalized",
    "digest/analysis",
    "digest/all",
    "digest/truncated",
];

/// The functions of the fifth table.
const RANGES: [&str; 7] = [
    "parse/c",
    "parse/pg_ast",
    "parse/ranges",
    "view/parse",
    "view/ranges",
    "view/all_ranges",
    "syntax/parse",
];

/// The functions of the sixth table.
const SHAPES: [&str; 10] = [
    "parse/c",
    "shape/of",
    "shape/ignore_layout",
    "shape/fallback",
    "shape/bind",
    "shape/bind_into",
    "cache/value",
    "cache/tree",
    "cache/tree_ignore_layout",
    "view/parse",
];

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.first().map(String::as_str) {
        Some("--run") => run(&args[1], &args[2], args[3].parse().expect("a number")),
        Some("--test") => return ExitCode::SUCCESS,
        _ => {
            let valgrind = Command::new("valgrind").arg("--version").output();
            if !valgrind.is_ok_and(|output| output.status.success()) {
                eprintln!("error: this bench needs valgrind, which is not installed");
                return ExitCode::FAILURE;
            }
            let only = args.first().map(String::as_str);
            match only {
                Some("shapes") => shapes(None),
                Some("ranges") => ranges(None),
                Some("changes") => {
                    changes(None);
                    rewrites();
                }
                Some("streams") => unique_texts(),
                #[cfg(feature = "plpgsql")]
                Some("plpgsql") => {
                    common::bodies::table(|function| {
                        let count = |repetitions| callgrind("-", function, repetitions);
                        (count(12) - count(2)) as f64 / 10.0
                    });
                }
                _ => all(only),
            }
        }
    }
    ExitCode::SUCCESS
}

fn all(only: Option<&str>) {
    table(only);
    verbs(only);
    views(only);
    digests(only);
    ranges(only);
    changes(only);
    shapes(only);
    if only.is_none() {
        unique_texts();
    }
}

fn table(only: Option<&str>) {
    println!(
        "| group | statement | C parse | parse | by Protobuf | C deparse | deparse | by Protobuf |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let counts = FUNCTIONS.map(|function| {
            let skip = function.ends_with("protobuf") && !group.protobuf;
            (!skip).then(|| instructions(&group, function))
        });
        let per_statement = |count: Option<f64>| {
            count.map_or("-".to_owned(), |n| format!("{:.0}", n / group.statements.len() as f64))
        };
        let ratio = |count: Option<f64>, floor: Option<f64>| match (count, floor) {
            (Some(count), Some(floor)) => format!("{:.2}", count / floor),
            _ => "-".to_owned(),
        };
        println!(
            "| {} | {} B | {} | {} | {} | {} | {} | {} |",
            group.name,
            group.bytes() / group.statements.len() as u64,
            per_statement(counts[0]),
            ratio(counts[1], counts[0]),
            ratio(counts[2], counts[0]),
            per_statement(counts[3]),
            ratio(counts[4], counts[3]),
            ratio(counts[5], counts[3]),
        );
    }
}

fn verbs(only: Option<&str>) {
    println!(
        "\n| group | C parse | check | parse | fingerprint | of the tree | by libpg_query | normalize | by libpg_query |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let counts = VERBS.map(|function| instructions(&group, function));
        print!("| {} | {:.0} |", group.name, counts[0] / group.statements.len() as f64);
        counts[1..].iter().for_each(|count| print!(" {:.2} |", count / counts[0]));
        println!();
    }
}

fn views(only: Option<&str>) {
    println!(
        "\n| group | C parse | parse | view | and all nodes | and a copy | a copy alone | compact | C deparse | deparse | view |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let counts = VIEWS.map(|function| instructions(&group, function));
        let count = group.statements.len() as f64;
        let (parse, deparse) = counts.split_at(7);
        print!("| {} | {:.0} |", group.name, parse[0] / count);
        parse[1..].iter().for_each(|count| print!(" {:.2} |", count / parse[0]));
        print!(" {:.0} |", deparse[0] / count);
        deparse[1..].iter().for_each(|count| print!(" {:.2} |", count / deparse[0]));
        println!();
    }
}

fn digests(only: Option<&str>) {
    println!(
        "\n| group | C parse | fingerprint | normalized | analysis | all of it | and cut to 100 bytes |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let counts = DIGESTS.map(|function| instructions(&group, function));
        print!("| {} | {:.0} |", group.name, counts[0] / group.statements.len() as f64);
        counts[1..].iter().for_each(|count| print!(" {:.2} |", count / counts[0]));
        println!();
    }
}

fn ranges(only: Option<&str>) {
    println!(
        "\n| group | C parse | parse | with ranges | view | with ranges | and each one | concrete tree |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let counts = RANGES.map(|function| instructions(&group, function));
        print!("| {} | {:.0} |", group.name, counts[0] / group.statements.len() as f64);
        counts[1..].iter().for_each(|count| print!(" {:.2} |", count / counts[0]));
        println!();
    }
}

/// The way from SQL to changed SQL, in units of the C parser and the C deparser together.
fn changes(only: Option<&str>) {
    print!("\n| group | C parse + deparse |");
    for (name, _) in CHANGES {
        print!(" {name} |");
    }
    println!("\n|---|{}", "--:|".repeat(CHANGES.len() + 1));
    for group in common::groups().filter(|g| only.is_none_or(|only| g.name == only)) {
        let c = instructions(&group, "parse/c") + instructions(&group, "deparse/c");
        print!("| {} | {:.0} |", group.name, c / group.statements.len() as f64);
        for (name, _) in CHANGES {
            print!(" {:.2} |", instructions(&group, &format!("change/{name}")) / c);
        }
        println!();
    }
}

/// What a sharding proxy does with its statements, in units of the C parser.
fn rewrites() {
    let group = common::group(common::REWRITES);
    let counts = ["parse/c", "rewrite/ported", "rewrite/tuned"].map(|it| instructions(&group, it));
    println!(
        "\n| group | C parse | rewritten, as ported | as written for pg_ast |\n|---|--:|--:|--:|"
    );
    print!("| {} | {:.0} |", group.name, counts[0] / group.statements.len() as f64);
    counts[1..].iter().for_each(|count| print!(" {:.2} |", count / counts[0]));
    println!();
}

fn shapes(only: Option<&str>) {
    println!(
        "\n| group | C parse | shape | without layout | by the scanner | and bound | into another tree | value in the cache | and tree | and tree, without layout | view |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut logs = [0.0; SHAPES.len()];
    let groups = common::groups().filter(|g| only.is_none_or(|only| g.name == only));
    let mut rows = 0;
    for group in groups {
        let counts = SHAPES.map(|function| instructions(&group, function));
        print!("| {} | {:.0} |", group.name, counts[0] / group.statements.len() as f64);
        counts[1..].iter().for_each(|count| print!(" {:.2} |", count / counts[0]));
        println!();
        // Deep and huge statements are no usual ones.
        if !matches!(group.name, "deep" | "in1m") {
            logs.iter_mut().zip(counts).for_each(|(log, count)| *log += (count / counts[0]).ln());
            rows += 1;
        }
    }
    print!("| geometric mean of the first six | |");
    logs[1..].iter().for_each(|log| print!(" {:.3} |", (log / f64::from(rows)).exp()));
    println!();
}

/// Streams of statements that are all different.
fn unique_texts() {
    println!("\n| stream | hits of 2,000 | entries | {} |", streams::WAYS.join(" | "));
    println!("|---|{}", "--:|".repeat(streams::WAYS.len() + 2));
    for stream in streams::STREAMS {
        let of_way = |way: &str| {
            let parts = |parts| callgrind(stream, &format!("stream/{way}"), parts);
            let (less, more) = (parts(1), parts(3));
            (more - less) as f64 / (2 * streams::PART) as f64
        };
        // To make the statements costs more than to read them by shape.
        let making = of_way(streams::MAKING);
        let counts = streams::WAYS.map(|way| of_way(way) - making);
        let (hits, entries) = streams::hits(stream);
        print!("| {stream} | {hits} | {entries} | {:.0} |", counts[0]);
        counts[1..].iter().for_each(|count| print!(" {:.3} |", count / counts[0]));
        println!();
    }
}

/// Returns the instructions of one run over the group.
fn instructions(group: &Group, function: &str) -> f64 {
    let (few, many) = if group.bytes() > 1_000_000 { (1, 2) } else { (2, 12) };
    let (less, more) =
        (callgrind(group.name, function, few), callgrind(group.name, function, many));
    (more - less) as f64 / f64::from(many - few)
}

fn callgrind(group: &str, function: &str, repetitions: u32) -> u64 {
    let mut valgrind = Command::new("valgrind");
    #[cfg(feature = "plpgsql")]
    if function == "plpgsql/c_json" {
        valgrind.arg(common::bodies::JSON);
    }
    let output = valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--run", group, function, &repetitions.to_string()])
        .output()
        .expect("valgrind runs");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}");
    let count = report.lines().find_map(|line| line.split("Collected : ").nth(1));
    count.and_then(|n| n.trim().parse().ok()).unwrap_or_else(|| panic!("no count in {report}"))
}

/// Makes the heap that of a program that has run for a while, with free pieces between used ones.
///
/// A tree in a fresh heap is at its end, next to what glibc has not handed out yet. Then it depends on the
/// places of other allocations whether each drop of a tree makes glibc merge all of its free chunks,
/// which takes up to a tenth of a parse.
fn use_heap() {
    let pieces: Vec<_> =
        (0..64).map(|_| [FREE_PIECE, USED_PIECE].map(Vec::<u8>::with_capacity)).collect();
    for [_free, used] in pieces {
        mem::forget(used);
    }
}

/// Less than 64 KiB: a larger one makes glibc merge all free chunks.
const FREE_PIECE: usize = 32 * 1024;
const USED_PIECE: usize = 64;

/// Runs what concerns shapes.
fn of_shapes(function: &str, sql: &str, repetitions: u32) {
    let repeat = |f: &dyn Fn()| (0..repetitions).for_each(|_| f());
    match function {
        "shape/of" => repeat(&|| drop(black_box(Shape::of(black_box(sql))))),
        "shape/ignore_layout" => {
            let options = ShapeOptions::default().ignore_layout(true);
            repeat(&|| drop(black_box(Shape::of_with(black_box(sql), options))));
        }
        "shape/bind" => {
            let template = Template::new(sql).expect("parses");
            repeat(&|| {
                let shape = Shape::of(black_box(sql)).expect("a shape");
                drop(black_box(template.bind(&shape).expect("binds")));
            });
        }
        "cache/value" | "cache/tree" | "cache/tree_ignore_layout" => {
            let options =
                ShapeOptions::default().ignore_layout(function == "cache/tree_ignore_layout");
            let cache = ShapeCache::new(64 << 20, options);
            let get = || cache.get(black_box(sql), |_| ()).expect("parses");
            (0..2).for_each(|_| drop(get()));
            repeat(&|| {
                let hit = get();
                if function != "cache/value" {
                    drop(black_box(hit.into_tree()));
                }
            });
        }
        "shape/bind_into" => {
            let template = Template::new(sql).expect("parses");
            let mut tree = view::parse("").expect("parses");
            for _ in 0..repetitions {
                let shape = Shape::of(black_box(sql)).expect("a shape");
                assert!(template.bind_into(&shape, black_box(&mut tree)));
            }
        }
        "shape/fallback" => {
            let sql = format!("{sql} /* /* */ */");
            repeat(&|| drop(black_box(Shape::of(black_box(&sql)))));
        }
        _ => panic!("no function {function}"),
    }
}

fn run(group: &str, function: &str, repetitions: u32) {
    use_heap();
    peers::init();
    if let Some(way) = function.strip_prefix("stream/") {
        return streams::run(group, way, repetitions as usize);
    }
    #[cfg(feature = "plpgsql")]
    if function.starts_with("plpgsql/") {
        return common::bodies::run(function, repetitions);
    }
    let mut names = common::NAMES.into_iter().chain([common::REWRITES]);
    let name = names.find(|name| *name == group).expect("a group");
    let group = common::group(name);
    let options = ParserOptions::default();
    for sql in &group.statements {
        let c_text = CString::new(sql.as_str()).expect("no NUL");
        let repeat = |f: &dyn Fn()| (0..repetitions).for_each(|_| f());
        match function {
            "parse/c" => repeat(&|| peers::c_parse(&c_text)),
            "check/pg_ast" => repeat(&|| drop(black_box(pg_ast::check(black_box(sql))))),
            "parse/pg_ast" => repeat(&|| drop(black_box(pg_ast::parse(black_box(sql))))),
            "parse/protobuf" => repeat(&|| drop(black_box(peers::protobuf_parse(&c_text)))),
            "view/parse" => repeat(&|| drop(black_box(view::parse(black_box(sql))))),
            part if part.starts_with("shape/") || part.starts_with("cache/") => {
                of_shapes(part, sql, repetitions);
            }
            "parse/ranges" => repeat(&|| {
                drop(black_box(pg_ast::parse_with_ranges(black_box(sql), options)));
            }),
            "view/ranges" => repeat(&|| {
                drop(black_box(view::parse_with_ranges(black_box(sql), options)));
            }),
            "view/all_ranges" => repeat(&|| {
                let tree = view::parse_with_ranges(black_box(sql), options).expect("parses");
                black_box(tree.ranges());
            }),
            "syntax/parse" => repeat(&|| drop(black_box(pg_ast_syntax::parse(black_box(sql))))),
            "view/nodes" => repeat(&|| {
                let tree = view::parse_with(black_box(sql), options).expect("parses");
                black_box(tree.nodes().count());
            }),
            "view/compact" => {
                let tree = view::parse_with(sql, options).expect("parses");
                repeat(&|| drop(black_box(black_box(&tree).compact())));
            }
            "view/copy" => {
                let tree = view::parse_with(sql, options).expect("parses");
                repeat(&|| drop(black_box(black_box(&tree).to_owned())));
            }
            "view/to_owned_tree" => repeat(&|| {
                let tree = view::parse_with(black_box(sql), options).expect("parses");
                drop(black_box(tree.to_owned_tree()));
            }),
            "view/deparse" => {
                let tree = view::parse_with(sql, options).expect("parses");
                repeat(&|| drop(black_box(black_box(&tree).deparse())));
            }
            "normalize/c" => repeat(&|| peers::normalize(&c_text)),
            "normalize/text" => repeat(&|| drop(black_box(pg_ast::normalize(black_box(sql))))),
            "fingerprint/c" => repeat(&|| peers::fingerprint(&c_text)),
            "fingerprint/text" => {
                repeat(&|| drop(black_box(pg_ast::fingerprint(black_box(sql)))));
            }
            "fingerprint/tree" => {
                let tree = pg_ast::parse(sql).expect("parses");
                repeat(&|| _ = black_box(black_box(&tree).fingerprint()));
            }
            "rewrite/ported" => repeat(&|| drop(black_box(rewriter::ported(black_box(sql))))),
            "rewrite/tuned" => repeat(&|| drop(black_box(rewriter::tuned(black_box(sql))))),
            change if change.starts_with("change/") => {
                let change = CHANGES.iter().find(|(name, _)| change.ends_with(name));
                let (_, change) = change.expect("a change");
                repeat(&|| change(sql));
            }
            part if part.starts_with("digest/") => {
                let all = matches!(part, "digest/all" | "digest/truncated");
                let options = DigestOptions::default()
                    .fingerprint(all || part == "digest/fingerprint")
                    .normalized(all || part == "digest/normalized")
                    .analysis(all || part == "digest/analysis")
                    .statement_types(all)
                    .truncated((part == "digest/truncated").then_some(100));
                repeat(&|| drop(black_box(pg_ast::digest(black_box(sql), options))));
            }
            "deparse/c" => {
                let tree = peers::CTree::new(sql);
                repeat(&|| tree.deparse());
            }
            "deparse/pg_ast" => {
                let tree = pg_ast::parse(sql).expect("parses");
                repeat(&|| drop(black_box(pg_ast::deparse(black_box(&tree)))));
            }
            "deparse/protobuf" => {
                let tree = pg_ast::parse(sql).expect("parses");
                repeat(&|| drop(black_box(peers::protobuf_deparse(black_box(&tree.protobuf)))));
            }
            _ => panic!("no function {function}"),
        }
    }
}
