//! Measures how work grows with SQL: every operation must be linear
//! for every shape of SQL, except for the cases in LIMITS.md. And that of 1 KB of SQL is bounded, whatever its shape.
//!
//! `count` defines what is counted. Each pair runs with a size and four times that size; and if bytes grow too much,
//! with more pieces: memory that is kept between calls, or a buffer that doubles, causes a step here and there,
//! superlinear work one each time. Instructions are counted on request, by valgrind: loops that neither copy nor allocate
//! are only seen there.
//!
//! ```text
//! cargo test --test growth                   # bytes
//! cargo test --test growth -- --instructions # and instructions, of the operations with loops over the SQL
//! cargo test --test growth -- --all          # and instructions of all operations: takes minutes
//! cargo test --test growth -- --short        # the same, and prints the instructions of 1 KB of SQL
//! cargo test --test growth -- comments       # the operation or the shapes with that name
//! cargo test --test growth -- PL/pgSQL       # bodies of functions
//! ```

#![allow(unreachable_pub)]
// Counts are far below the limit of exact floats.
#![allow(clippy::cast_precision_loss)]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[path = "growth/count.rs"]
mod count;
#[path = "growth/plpgsql.rs"]
mod plpgsql;
#[path = "growth/shapes.rs"]
mod shapes;
#[path = "growth/verbs.rs"]
mod verbs;

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn main() {
    eprintln!("NOT TESTED: growth is counted with glibc only");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn main() {
    linux::main();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod linux {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio, exit};
    use std::{env, fs};

    use super::count;
    use super::plpgsql::{BODIES, FUNCTIONS, PLPGSQL};
    use super::shapes::{MOST_NODES, SHAPES, Shape, most_nodes};
    use super::verbs::{Input, VERBS, Verb};

    /// The number of pieces: a size, and four times that size ...
    const SIZES: [usize; 2] = [96, 384];
    /// ... and twice as many, again and again, if that is not enough to decide.
    const LARGER: [usize; 2] = [2 * SIZES[1], 4 * SIZES[1]];
    /// `SIZES` under valgrind, where everything takes fifty times as long.
    const SMALL: [usize; 2] = [SIZES[0] / 2, SIZES[1] / 2];

    /// The allowed exponent of the growth of bytes: 1 is linear,
    /// 2 is quadratic. A buffer that doubles once causes 1.25.
    const BYTES: f64 = 1.3;
    /// The exponent for instructions. All of them count, but copying takes few: a list of
    /// `n` items that is searched for each of `n` items is detected by the work per step.
    const INSTRUCTIONS: f64 = 1.25;

    /// The SQL that a server gets from anybody: this many bytes ...
    const SHORT: usize = 1024;
    /// ... may cost this many instructions of this program, which is optimised a little: in one that is optimised, they are
    /// fewer, and less than 5 ms.
    const SHORT_INSTRUCTIONS: u64 = 40_000_000;
    /// `Debug` takes most, and what is for tools that read their users' own SQL (the linter gets it twice, with a variable); of these
    /// instructions, less than half are left in an optimised program.
    const SHORT_TOOL_INSTRUCTIONS: u64 = 110_000_000;
    const TOOLS: [&str; 2] = ["lint", "syntax::Script::check"];
    /// The operations that search for something in wrong SQL, and so always run with it under valgrind.
    const SEARCHES: [&str; 5] =
        ["complete", "expected", "parse_lossy", "parse_script", "scan_lossy"];

    /// The argument with the part of the shapes to run, and the number of parts.
    const PART: &str = "--part=";

    /// The counts of a pair: for two sizes, and for short SQL.
    type Counts = BTreeMap<(&'static str, &'static str), [Option<u64>; 3]>;

    pub fn main() {
        let arguments: Vec<_> = env::args().skip(1).collect();
        let has = |name: &str| arguments.iter().any(|argument| argument == name);
        let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
        let wanted = |verb: &Verb, shape: &str| wanted(filter, verb, shape);
        // The initialisation in a thread's first call is not counted.
        let small = Input::new("SELECT 1");
        VERBS.iter().filter_map(|verb| (verb.prepare)(&small)).for_each(|work| work());
        if has("--list") {
            return;
        }
        if has("--under-valgrind") {
            count::quiet_allocator();
            let part = arguments.iter().find_map(|argument| argument.strip_prefix(PART));
            let part = part.and_then(|part| part.split_once('/'));
            let [at, parts] = part.map_or([0, 1], |(at, parts)| {
                [at, parts].map(|number| number.parse().expect("a number"))
            });
            let is_in_part = |shape: &str| {
                let place = shapes().position(|known| known.name == shape);
                place.unwrap_or_else(|| shapes().count()) % parts == at
            };
            let wanted = |verb: &Verb, shape: &str| {
                wanted(verb, shape)
                    && (verb.hot || has("--all") || filter.is_some())
                    && is_in_part(shape)
            };
            each(&SMALL, wanted, |verb, shape, at, work| {
                count::instructions(&format!("{}|{shape}|{at}", verb.name), work);
            });
            short(
                |verb, shape| {
                    let is_chosen = shape == MOST_NODES
                        || SEARCHES.contains(&verb.name)
                        || has("--all")
                        || filter.is_some();
                    self::wanted(filter, verb, shape) && is_chosen && is_in_part(shape)
                },
                |verb, shape, work| {
                    count::instructions(&format!("{}|{shape}|2", verb.name), work);
                },
            );
            return;
        }

        let counts_instructions =
            ["--instructions", "--all", "--short"].iter().any(|name| has(name));
        let valgrind = if counts_instructions { under_valgrind(&arguments) } else { Vec::new() };
        let mut bytes = Counts::new();
        each(&SIZES, wanted, |verb, shape, at, work| {
            bytes.entry((verb.name, shape)).or_default()[at] = Some(count::bytes(work));
        });
        let mut powers = powers(&bytes, SIZES);
        let grows = |power: &f64| *power > BYTES;
        let again: BTreeSet<_> =
            powers.iter().filter(|(_, power)| grows(power)).map(|(pair, _)| *pair).collect();
        // What LIMITS.md says to be superlinear would take long.
        let known = known();
        let is_known = |verb: &str, shape: &str| known.iter().any(|(v, s)| v == verb && s == shape);
        let is_again = |verb: &Verb, shape: &str| {
            again.contains(&(verb.name, shape)) && !is_known(verb.name, shape)
        };
        let mut before: BTreeMap<_, _> =
            again.iter().map(|pair| (*pair, (SIZES[1], bytes[pair][1]))).collect();
        each(&LARGER, is_again, |verb, shape, at, work| {
            let pair = (verb.name, shape);
            let now = (LARGER[at], Some(count::bytes(work)));
            if let Some((size, count)) = before.insert(pair, now)
                && let Some(larger) = power([count, now.1], [size, now.0])
            {
                powers.entry(pair).and_modify(|power| *power = power.min(larger));
            }
        });
        let instructions = counted(valgrind);
        if counts_instructions && instructions.is_none() {
            eprintln!("instructions need valgrind, on x86-64");
            exit(1);
        }
        let complete = filter.is_none() && instructions.is_some();
        let instructions = instructions.unwrap_or_default();
        let mut mistakes = mistakes(&powers, &self::powers(&instructions, SMALL), complete);
        let most = instructions.iter().filter_map(|(pair, counts)| Some((counts[2]?, pair)));
        let mut most: Vec<_> = most.collect();
        most.sort_unstable_by(|a, b| b.cmp(a));
        for (count, (verb, shape)) in &most {
            if has("--short") {
                println!("{count:>12} {verb} of \"{shape}\"");
            }
            let is_of_tool = verb.starts_with("Debug") || TOOLS.contains(verb);
            let allowed = if is_of_tool { SHORT_TOOL_INSTRUCTIONS } else { SHORT_INSTRUCTIONS };
            if *count > allowed {
                mistakes.push(format!("{count} instructions for 1 KB: {verb} of \"{shape}\""));
            }
        }
        println!("{} pairs of verb and shape, {} mistakes", bytes.len(), mistakes.len());
        if !mistakes.is_empty() {
            eprintln!("{}", mistakes.join("\n"));
            exit(1);
        }
    }

    /// Returns the shapes of SQL, and those of bodies in PL/pgSQL.
    fn shapes() -> impl Iterator<Item = &'static Shape> {
        let bodies = if cfg!(feature = "plpgsql") { [BODIES, FUNCTIONS] } else { [&[][..]; 2] };
        SHAPES.iter().chain(bodies.into_iter().flatten())
    }

    fn wanted(filter: Option<&String>, verb: &Verb, shape: &str) -> bool {
        // Of a body, the other operations see a string.
        if shape.starts_with(PLPGSQL) != verb.name.contains("plpgsql") {
            return false;
        }
        filter.is_none_or(|filter| shape.contains(filter.as_str()) || verb.name == filter)
    }

    /// Passes the work of each selected pair, with as many pieces as short SQL has, to `f`.
    fn short(
        wanted: impl Fn(&Verb, &str) -> bool,
        mut f: impl FnMut(&'static Verb, &'static str, &dyn Fn()),
    ) {
        for name in shapes().map(|shape| shape.name).chain([MOST_NODES]) {
            let verbs = VERBS.iter().filter(|verb| wanted(verb, name)).collect::<Vec<_>>();
            if verbs.is_empty() {
                continue;
            }
            let text = match shapes().find(|shape| shape.name == name) {
                Some(shape) => {
                    let texts = (1..=SHORT).map(shape.text);
                    texts.take_while(|text| text.len() <= SHORT).last()
                }
                None => Some(most_nodes(SHORT)),
            };
            let Some(text) = text else { continue };
            let input = Input::new(&text);
            for verb in verbs {
                if let Some(work) = (verb.prepare)(&input) {
                    f(verb, name, &*work);
                }
            }
        }
    }

    /// Passes the work of each selected pair, for each size, to `f`.
    fn each(
        sizes: &[usize],
        wanted: impl Fn(&Verb, &str) -> bool,
        mut f: impl FnMut(&'static Verb, &'static str, usize, &dyn Fn()),
    ) {
        for shape in shapes() {
            let verbs = || VERBS.iter().filter(|verb| wanted(verb, shape.name));
            if verbs().next().is_none() {
                continue;
            }
            for (at, size) in sizes.iter().enumerate() {
                let input = Input::new(&(shape.text)(*size));
                for verb in verbs() {
                    if let Some(work) = (verb.prepare)(&input) {
                        f(verb, shape.name, at, &*work);
                    }
                }
            }
        }
    }

    /// A part of the shapes under valgrind, and the path of callgrind's report.
    type Part = (Child, PathBuf);

    /// Starts to count instructions, on each processor those
    /// of a part of the shapes; does nothing without valgrind.
    fn under_valgrind(arguments: &[String]) -> Vec<Part> {
        let available = Command::new("valgrind").arg("--version").output();
        if !available.is_ok_and(|output| output.status.success()) || !cfg!(target_arch = "x86_64") {
            return Vec::new();
        }
        let parts =
            std::thread::available_parallelism().map_or(1, usize::from).min(shapes().count());
        let part = |at| {
            let file =
                Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("growth.callgrind.{at}"));
            let child = Command::new("valgrind")
                .args(["--tool=callgrind", "--combine-dumps=yes", "--dump-line=no"])
                .arg(format!("--callgrind-out-file={}", file.display()))
                .arg(env::current_exe().expect("this program"))
                .arg("--under-valgrind")
                .arg(format!("{PART}{at}/{parts}"))
                .args(arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("valgrind runs");
            (child, file)
        };
        (0..parts).map(part).collect()
    }

    /// Returns the instructions of each pair, if they were counted.
    fn counted(parts: Vec<Part>) -> Option<Counts> {
        let reports = parts.into_iter().map(|(child, file)| {
            let output = child.wait_with_output().expect("valgrind runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let report = fs::read_to_string(&file).expect("callgrind wrote it");
            fs::remove_file(&file).expect("it can be removed");
            read(&report)
        });
        let counts = reports.reduce(|mut all, part| {
            all.extend(part);
            all
        })?;
        assert!(!counts.is_empty(), "no dump with a name in callgrind's reports");
        Some(counts)
    }

    /// Returns the sums of callgrind's dumps, by the names of the dumps.
    fn read(report: &str) -> Counts {
        let mut counts = Counts::new();
        let mut current = None;
        for line in report.lines() {
            if let Some(name) = line.strip_prefix("desc: Trigger: Client Request: ") {
                current = find(name);
            } else if let Some(sum) = line.strip_prefix("totals: ")
                && let Some((pair, at)) = current.take()
            {
                counts.entry(pair).or_default()[at] = sum.trim().parse().ok();
            }
        }
        counts
    }

    fn find(name: &str) -> Option<((&'static str, &'static str), usize)> {
        let mut words = name.trim().split('|');
        let [verb, shape, at] = [(); 3].map(|()| words.next().unwrap_or_default());
        let verb = VERBS.iter().find(|known| known.name == verb)?.name;
        let mut shapes = shapes().map(|shape| shape.name).chain([MOST_NODES]);
        let shape = shapes.find(|known| *known == shape)?;
        Some(((verb, shape), at.parse().ok()?))
    }

    type Powers = BTreeMap<(&'static str, &'static str), f64>;

    fn powers(counts: &Counts, sizes: [usize; 2]) -> Powers {
        let power = |counts: &[Option<u64>; 3]| power([counts[0], counts[1]], sizes);
        counts.iter().filter_map(|(pair, counts)| Some((*pair, power(counts)?))).collect()
    }

    /// Returns the exponent of a count's growth.
    fn power(counts: [Option<u64>; 2], sizes: [usize; 2]) -> Option<f64> {
        let [Some(before), Some(after)] = counts else { return None };
        let size = (sizes[1] as f64 / sizes[0] as f64).ln();
        Some((after.max(1) as f64 / before.max(1) as f64).ln() / size)
    }

    /// Returns the differences from LIMITS.md.
    fn mistakes(bytes: &Powers, instructions: &Powers, complete: bool) -> Vec<String> {
        let known = known();
        let mut mistakes = Vec::new();
        let mut superlinear = Vec::new();
        for (pair, power) in bytes {
            let powers = [Some(power), instructions.get(pair)];
            let limits = [BYTES, INSTRUCTIONS];
            if powers.iter().zip(limits).any(|(power, limit)| power.is_some_and(|n| *n > limit)) {
                superlinear.push(*pair);
                if !known.iter().any(|(verb, shape)| (&**verb, &**shape) == *pair) {
                    let [bytes, instructions] = powers
                        .map(|power| power.map_or("-".to_owned(), |power| format!("{power:.2}")));
                    mistakes.push(format!(
                        "superlinear: {} of \"{}\": bytes {bytes}, instructions {instructions}",
                        pair.0, pair.1
                    ));
                }
            }
        }
        for (verb, shape) in known {
            if shape.starts_with(PLPGSQL) && !cfg!(feature = "plpgsql") {
                continue;
            }
            if !VERBS.iter().any(|known| known.name == verb)
                || !shapes().any(|known| known.name == shape)
            {
                mistakes.push(format!("LIMITS.md: there is no {verb} of \"{shape}\""));
            } else if complete && !superlinear.contains(&(&*verb, &*shape)) {
                mistakes.push(format!("LIMITS.md: {verb} of \"{shape}\" is linear now"));
            }
        }
        mistakes
    }

    /// Returns the rows of the table in LIMITS.md: operation, shape.
    fn known() -> Vec<(String, String)> {
        let limits = include_str!("../LIMITS.md");
        let heading = "| verb | shape | why |";
        let table = limits.split(heading).nth(1).expect("the table of what is superlinear");
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let mut cells = row.split('|').skip(1).map(|cell| cell.trim().to_owned());
            (cells.next().unwrap_or_default(), cells.next().unwrap_or_default())
        })
        .collect()
    }
}
