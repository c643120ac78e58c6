//! The same program for WebAssembly and for the system: what calls return, and how deep SQL may be.
//!
//! `run.mjs` (node) and `run.py` (wasmtime) call the exported functions; `main.rs` is the program for the system.

#[path = "../../growth/plpgsql.rs"]
#[allow(dead_code, unreachable_pub, missing_docs)]
mod plpgsql;
mod report;
#[path = "../../growth/shapes.rs"]
#[allow(dead_code, unreachable_pub, missing_docs)]
mod shapes;
#[path = "../../growth/verbs.rs"]
#[allow(dead_code, unreachable_pub, missing_docs)]
mod verbs;

use std::sync::{Mutex, MutexGuard, PoisonError};

use pg_ast::{ErrorKind, view};

pub use report::{malformed, report};
use shapes::Shape;
use verbs::{Input, VERBS};

/// Text from the caller, or for it.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn text() -> MutexGuard<'static, Vec<u8>> {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a text, and returns where it is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut text = text();
    *text = vec![0; length];
    text.as_mut_ptr()
}

/// Returns the length of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    text().len()
}

/// Replaces the text by what a function returns for it, and returns where that is.
fn replace(f: impl FnOnce(&str) -> String) -> *const u8 {
    let input = std::mem::take(&mut *text());
    *text() = f(&String::from_utf8_lossy(&input)).into_bytes();
    text().as_ptr()
}

/// Replaces a script by what the calls return for its statements.
#[unsafe(no_mangle)]
pub extern "C" fn report_of_text() -> *const u8 {
    replace(report)
}

/// Replaces a script by what is printed for malformed trees of its statements.
#[unsafe(no_mangle)]
pub extern "C" fn malformed_of_text() -> *const u8 {
    replace(malformed)
}

/// The kinds of SQL that can be repeated.
fn all_shapes() -> impl Iterator<Item = &'static Shape> {
    shapes::SHAPES.iter().chain(plpgsql::BODIES).chain(plpgsql::FUNCTIONS)
}

/// Returns how many kinds of SQL there are.
#[unsafe(no_mangle)]
pub extern "C" fn shapes() -> usize {
    all_shapes().count()
}

/// Returns how many calls there are.
#[unsafe(no_mangle)]
pub extern "C" fn verbs() -> usize {
    VERBS.len() + OWN.len()
}

/// Writes the name of a kind of SQL, and of a call.
#[unsafe(no_mangle)]
pub extern "C" fn names(shape: usize, verb: usize) -> *const u8 {
    let shape = all_shapes().nth(shape).map_or("", |shape| shape.name);
    let verb = VERBS.get(verb).map_or_else(|| OWN[verb - VERBS.len()].0, |verb| verb.name);
    replace(|_| format!("{verb}: {shape}"))
}

/// Runs a call on SQL of so many pieces. It returns, whatever the result.
#[unsafe(no_mangle)]
pub extern "C" fn run(shape: usize, verb: usize, pieces: usize) {
    let Some(shape) = all_shapes().nth(shape) else { return };
    let sql = (shape.text)(pieces);
    match VERBS.get(verb) {
        Some(verb) => {
            let input = Input::new(&sql);
            if let Some(work) = (verb.prepare)(&input) {
                work();
            }
        }
        None => {
            // An error is a result as well.
            let _ = (OWN[verb - VERBS.len()].1)(&sql);
        }
    }
}

/// A call, and whether it had a result: the error otherwise.
type Call = fn(&str) -> Result<(), pg_ast::Error>;

/// Calls that `VERBS` lacks: those of views, which may be deep where nothing else is, and of other crates.
const OWN: &[(&str, Call)] = &[
    ("view::parse", |sql| view::parse(sql).map(drop)),
    ("deparse of a view", |sql| view::parse(sql)?.deparse().map(drop)),
    ("normalize of a view", |sql| pg_ast::normalize(sql).map(drop)),
    ("fingerprint of a view", |sql| view::parse(sql).map(|tree| _ = tree.fingerprint())),
    ("analyze of a view", |sql| view::parse(sql).map(|tree| drop((tree.analyze(), tree.tables())))),
    ("to_json of a view", |sql| view::parse(sql).map(|tree| drop(tree.to_json()))),
    ("nodes of a view", |sql| view::parse(sql).map(|tree| _ = tree.nodes().count())),
    ("compact of a view", |sql| view::parse(sql).map(|tree| drop(tree.compact()))),
    ("deparse_truncated of a view", |sql| view::parse(sql)?.deparse_truncated(100).map(drop)),
    ("to_owned_tree", |sql| view::parse(sql)?.to_owned_tree().map(drop)),
    ("analyze_with_bodies", |sql| {
        pg_ast::parse(sql).map(|tree| drop(pg_ast_plpgsql::analyze_with_bodies(&tree)))
    }),
    ("ranges of a view", |sql| {
        let tree = view::parse_with_ranges(sql, pg_ast::ParserOptions::default())?;
        tree.ranges().map(drop);
        Ok(())
    }),
    ("format", |sql| {
        drop(pg_ast_fmt::format(pg_ast::Version::newest(), sql, &pg_ast_fmt::Options::default()));
        Ok(())
    }),
    ("deparse by the formatter", |sql| {
        pg_ast_fmt::deparse(&pg_ast::parse(sql)?, &pg_ast_fmt::Options::default()).map(drop)
    }),
    ("plpgsql: print", |sql| {
        for parsed in &pg_ast::plpgsql::parse(sql)?.functions {
            if let Ok(function) = &parsed.function {
                drop((format!("{function:?}"), function.clone() == *function));
            }
        }
        Ok(())
    }),
];

/// The chains that people write, and the calls that LIMITS.md has their levels of.
const CHAINS: &[(&str, &str, &str)] = &[
    ("SELECT 1", " + 1", ""),
    ("SELECT 1", "::int", ""),
    ("SELECT 1", " UNION SELECT 1", ""),
    ("SELECT 1 FROM t", " JOIN t ON true", ""),
    ("SELECT ", "NOT ", "true"),
    ("SELECT * FROM ", "(SELECT * FROM ", "t"),
];

/// Returns the SQL of a chain with so many links.
fn chain((start, link, end): (&str, &str, &str), links: usize) -> String {
    let closing = if link.starts_with('(') { ")" } else { "" };
    format!("{start}{}{end}{}", link.repeat(links), closing.repeat(links))
}

/// Writes how many links of each chain each call takes. Beyond that it has to be `TooDeep`, and not any other error.
#[unsafe(no_mangle)]
pub extern "C" fn deepest() -> *const u8 {
    let calls: &[(&str, Call)] = &[
        ("parse", |sql| pg_ast::parse(sql).map(drop)),
        ("deparse of a view", |sql| view::parse(sql)?.deparse().map(drop)),
        ("normalize", |sql| pg_ast::normalize(sql).map(drop)),
        ("view::parse", |sql| view::parse(sql).map(drop)),
    ];
    replace(|_| {
        let mut found = String::new();
        for links in CHAINS {
            for (name, call) in calls {
                let (mut low, mut high) = (1, 20_000);
                while low < high {
                    let middle = usize::midpoint(low, high + 1);
                    match call(&chain(*links, middle)) {
                        Ok(()) => low = middle,
                        Err(error) if error.kind() == ErrorKind::TooDeep => high = middle - 1,
                        Err(error) => {
                            found += &format!("{name}: {middle} of {:?}: {error}\n", links.1);
                            break;
                        }
                    }
                }
                found += &format!("{name}: {low} of {:?}\n", links.1);
            }
        }
        found
    })
}
