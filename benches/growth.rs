//! Measures how time and memory grow with a statement: per byte of it they should be constant.
//!
//! ```text
//! cargo bench --bench growth                 # the tables
//! cargo bench --bench growth -- --chart      # and benches/growth.svg
//! cargo bench --bench growth -- --only or    # one kind of statement
//! cargo bench --bench growth -- --test       # small statements, once
//! ```
//!
//! With glibc, freed memory stays with the process: with its defaults it returns the
//! pages of a large statement to the system, and gets new ones for the next, which costs
//! more than anything else from half a megabyte on. `--defaults` measures that as well.
//!
//! The output is the shortest of several runs. The C parser and the C deparser
//! are measured next to ours, to show which of them causes a rising line.

// Times and sizes are far below the limit of exact floats.
#![allow(clippy::cast_precision_loss)]

mod common;
#[path = "common/growth_chart.rs"]
mod growth_chart;
#[path = "common/svg.rs"]
mod svg;

use std::ffi::CString;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use common::peers;
use pg_ast::{HeapSize as _, ParseResult};

/// Statements of one kind, in several sizes.
struct Family {
    name: &'static str,
    /// The counted items: rows, values and so on.
    sizes: &'static [usize],
    sql: fn(usize) -> String,
}

const FAMILIES: [Family; 5] = [
    Family {
        name: "IN list",
        sizes: &[100, 1_000, 10_000, 100_000, 1_000_000],
        sql: |size| {
            format!("SELECT * FROM t WHERE id IN ({})", list(size, ", ", |n| n.to_string()))
        },
    },
    Family {
        name: "INSERT rows",
        sizes: &[1, 10, 100, 1_000, 10_000, 100_000],
        sql: |size| {
            let rows = list(size, ", ", |n| format!("({n}, 'name {n}', {n}.5, true, NULL, now())"));
            format!("INSERT INTO t (id, name, price, sold, note, at) VALUES {rows}")
        },
    },
    Family {
        name: "OR chain",
        sizes: &[10, 100, 1_000, 10_000, 100_000],
        sql: |size| {
            format!(
                "SELECT * FROM t WHERE {}",
                list(size, " OR ", |n| format!("a{} = {n}", n % 10))
            )
        },
    },
    Family {
        name: "joins",
        sizes: &[1, 5, 20, 100, 500],
        sql: |size| {
            let joins = list(size, " ", |n| format!("JOIN t{n} ON t{n}.id = t0.t{n}_id"));
            format!("SELECT t0.id FROM t0 {joins}")
        },
    },
    Family {
        name: "UNION chain",
        sizes: &[1, 10, 100, 1_000, 3_000],
        sql: |size| list(size + 1, " UNION ALL ", |n| format!("SELECT {n} FROM t{n}")),
    },
];

fn list(size: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (1..=size).map(item).collect::<Vec<_>>().join(separator)
}

/// The columns of the tables. The last one is bytes of heap, the others are nanoseconds; all per byte of the SQL.
const COLUMNS: [&str; 9] = [
    "C parse",
    "parse",
    "drop",
    "C deparse",
    "deparse",
    "fingerprint",
    "fingerprint of tree",
    "normalize",
    "heap",
];

/// The measurements of one statement: its length, and the columns.
struct Point {
    bytes: usize,
    values: [f64; COLUMNS.len()],
}

/// glibc reads these at process start. 32 MiB is its maximum for the second.
const KEEP_MEMORY: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "1073741824"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let kept = KEEP_MEMORY.iter().all(|(name, _)| std::env::var_os(name).is_some());
    if !kept && !has("--defaults") {
        let program = std::env::current_exe().expect("this program");
        let status = Command::new(program).args(&args).envs(KEEP_MEMORY).status();
        let failed = !status.is_ok_and(|status| status.success());
        return ExitCode::from(u8::from(failed));
    }
    let only = args.iter().position(|arg| arg == "--only").and_then(|at| args.get(at + 1));
    let families: Vec<_> = FAMILIES
        .into_iter()
        .filter(|family| {
            let name = family.name.to_lowercase();
            only.is_none_or(|only| name.contains(&only.to_lowercase()))
        })
        .collect();
    // A thousand levels of UNION need more than a usual stack to drop.
    let measure =
        move |test| thread::Builder::new().stack_size(1 << 28).spawn(move || all(families, test));
    let measured = measure(has("--test")).expect("a thread").join().expect("no panic");
    if has("--chart") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/growth.svg");
        std::fs::write(path, growth_chart::draw(&measured)).expect("the file can be written");
        println!("\nwritten: benches/growth.svg");
    }
    threads(has("--test"));
    ExitCode::SUCCESS
}

fn all(families: Vec<Family>, test: bool) -> Vec<(Family, Vec<Point>)> {
    peers::init();
    let measured = families.into_iter().map(|family| {
        println!("\n| {} | bytes | {} |", family.name, COLUMNS.join(" | "));
        println!("|--:|--:|{}", "--:|".repeat(COLUMNS.len()));
        let sizes = family.sizes.iter().filter(|size| !test || **size <= 100);
        let points: Vec<_> = sizes
            .map(|size| {
                let point = point(&(family.sql)(*size), test);
                let values = point.values.map(|value| format!("{value:.2}"));
                println!("| {size} | {} | {} |", point.bytes, values.join(" | "));
                point
            })
            .collect();
        print_exponents(&points);
        (family, points)
    });
    measured.collect()
}

/// The last row: the exponent of each column's growth with the length,
/// from the last size but one to the last. 1 is linear, 2 is quadratic.
fn print_exponents(points: &[Point]) {
    let [.., before, last] = points else { return };
    let length = (last.bytes as f64 / before.bytes as f64).ln();
    let exponents = (0..COLUMNS.len()).map(|column| {
        let exponent = 1.0 + (last.values[column] / before.values[column]).ln() / length;
        if exponent > 1.15 { format!("**{exponent:.2}**") } else { format!("{exponent:.2}") }
    });
    println!("| grows with the power | | {} |", exponents.collect::<Vec<_>>().join(" | "));
}

fn point(sql: &str, test: bool) -> Point {
    let bytes = sql.len();
    let c_sql = CString::new(sql).expect("no NUL");
    let tree = pg_ast::parse(sql).expect("parses");
    let c_tree = peers::CTree::new(sql);
    // Small statements are repeated, so that the overhead of the clock does not count.
    let times = if test { 1 } else { (20_000 / bytes).max(1) };
    let per_byte = |time: Duration| time.as_secs_f64() * 1e9 / (bytes * times) as f64;
    let repeat = |f: &dyn Fn()| {
        per_byte(
            shortest(test, || {
                let start = Instant::now();
                (0..times).for_each(|_| f());
                [start.elapsed()]
            })[0],
        )
    };
    let [parse, dropped] = shortest(test, || {
        let start = Instant::now();
        let trees: Vec<ParseResult> =
            (0..times).map(|_| pg_ast::parse(black_box(sql)).expect("parses")).collect();
        let parsed = start.elapsed();
        drop(black_box(trees));
        [parsed, start.elapsed().saturating_sub(parsed)]
    })
    .map(per_byte);
    let values = [
        repeat(&|| peers::c_parse(black_box(&c_sql))),
        parse,
        dropped,
        repeat(&|| black_box(&c_tree).deparse()),
        repeat(&|| drop(black_box(pg_ast::deparse(black_box(&tree)).expect("prints")))),
        repeat(&|| {
            black_box(pg_ast::fingerprint(black_box(sql)).expect("parses"));
        }),
        repeat(&|| {
            black_box(black_box(&tree).fingerprint());
        }),
        repeat(&|| drop(black_box(pg_ast::normalize(black_box(sql)).expect("parses")))),
        tree.heap_size() as f64 / bytes as f64,
    ];
    Point { bytes, values }
}

/// Returns the shortest times of several runs: as many as fit into half a second, but at least three.
fn shortest<const N: usize>(test: bool, run: impl Fn() -> [Duration; N]) -> [Duration; N] {
    let (runs, limit) = if test { (1, Duration::ZERO) } else { (3, Duration::from_millis(500)) };
    let mut shortest = [Duration::MAX; N];
    let start = Instant::now();
    for done in 0.. {
        if done >= runs && start.elapsed() >= limit {
            break;
        }
        let times = run();
        for (shortest, time) in shortest.iter_mut().zip(times) {
            *shortest = time.min(*shortest);
        }
    }
    shortest
}

/// Compares the work of two threads with that of one in the same time.
fn threads(test: bool) {
    let (rounds, time) =
        if test { (1, Duration::from_millis(5)) } else { (7, Duration::from_millis(400)) };
    println!(
        "\n| two threads against one | parse | deparse | parse, by processor time | deparse |"
    );
    println!("|---|--:|--:|--:|--:|");
    for name in ["simple", "orm", "insert1000"] {
        let statements = common::group(name).statements;
        let parse = || statements.iter().for_each(|sql| drop(black_box(pg_ast::parse(sql))));
        let trees: Vec<_> =
            statements.iter().map(|sql| pg_ast::parse(sql).expect("parses")).collect();
        let deparse = || trees.iter().for_each(|tree| drop(black_box(pg_ast::deparse(tree))));
        let tasks: [&(dyn Fn() + Sync); 2] = [&parse, &deparse];
        let ratios = tasks.map(|task| {
            // One and two threads in turn. The best of each is the capacity of the machine, which others use as well.
            let (mut one, mut two) = ([0.0_f64; 2], [0.0_f64; 2]);
            for _ in 0..rounds {
                for (count, best) in [(1, &mut one), (2, &mut two)] {
                    for (best, now) in best.iter_mut().zip(throughput(count, time, task)) {
                        *best = now.max(*best);
                    }
                }
            }
            [two[0] / one[0], two[1] / one[1]]
        });
        let [parse, deparse] = ratios;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {:.2} |",
            parse[0], deparse[0], parse[1], deparse[1]
        );
    }
}

/// Returns how often all threads together complete a task per second; and how often
/// they would if each had its own processor, which other programs disturb less.
/// (The second does not include the time in which a thread waits for a lock.)
fn throughput(count: usize, time: Duration, task: &(dyn Fn() + Sync)) -> [f64; 2] {
    let barrier = Barrier::new(count);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|_| {
                scope.spawn(|| {
                    // The initialisation in a thread's first call is not measured.
                    task();
                    barrier.wait();
                    let (start, processor, mut done) = (Instant::now(), processor_time(), 0_u32);
                    while start.elapsed() < time {
                        task();
                        done += 1;
                    }
                    let processor = processor_time() - processor;
                    [start.elapsed().as_secs_f64(), processor].map(|time| f64::from(done) / time)
                })
            })
            .collect();
        let each = threads.into_iter().map(|thread| thread.join().expect("no panic"));
        each.fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    })
}

/// Returns the processor seconds of this thread; 0 if the system does not report them.
fn processor_time() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
