//! Runs a tool over the corpora, as they are and with mistakes.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pg_ast::Version;

use crate::mutate::{self, Mutation, tokens, windows};
use crate::scripts;

/// The number of failures to show.
const SHOWN: usize = 20;

/// Returns all scripts with their names.
pub(crate) fn all_scripts() -> Vec<(String, String)> {
    let files = scripts::own().into_iter().chain(scripts::regression());
    files.map(|(path, text)| (path.display().to_string(), text)).collect()
}

/// A script, and how it was made.
pub(crate) struct Case<'a> {
    pub(crate) name: String,
    pub(crate) script: &'a str,
    pub(crate) change: Option<Change<'a>>,
}

/// What has been changed.
pub(crate) struct Change<'a> {
    pub(crate) kind: Mutation,
    /// The script before.
    pub(crate) old: &'a str,
    /// The place in it, in bytes.
    pub(crate) at: usize,
    pub(crate) stmt: Range<usize>,
    /// The number of bytes more than before.
    pub(crate) added: isize,
}

/// What is left out: every so many scripts or statements are used.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// Scripts as they are, and with other line breaks.
    pub(crate) scripts: usize,
    /// Scripts, each with a mutation of each kind.
    pub(crate) mutated: usize,
    /// Statements between the two around them, with a mutation.
    pub(crate) stmts: usize,
}

impl Steps {
    pub(crate) const ALL: Self = Self { scripts: 1, mutated: 1, stmts: 1 };
}

/// Collects what is wrong.
struct Run<F> {
    f: F,
    cases: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

impl<F: Fn(&Case<'_>) -> Result<(), String>> Run<F> {
    fn case(&self, case: &Case<'_>) {
        self.cases.fetch_add(1, Ordering::Relaxed);
        if let Err(what) = (self.f)(case) {
            let failure = format!("{}: {what}\n---\n{}\n===\n", case.name, case.script);
            self.failures.lock().expect("no panic").push(failure);
        }
    }

    fn mutated(
        &self,
        name: &str,
        (old, stmt): (&str, Range<usize>),
        (kind, at): (Mutation, usize),
    ) {
        let tokens = tokens(old, stmt.clone());
        let places = tokens.len() + usize::from(kind.adds_comment());
        if places == 0 {
            return;
        }
        let index = at % places;
        let script = kind.apply(old, &tokens, index);
        let end = tokens.last().map_or(0, |token| token.end);
        let at = tokens.get(index).map_or(end, |token| token.start);
        let added = script.len().cast_signed() - old.len().cast_signed();
        let change = Some(Change { kind, old, at, stmt, added });
        let name = format!("{name}, {kind} at token {index}");
        self.case(&Case { name, script: &script, change });
    }
}

/// Calls a function with all cases. Fails if it returned an error.
pub(crate) fn each(steps: Steps, f: impl Fn(&Case<'_>) -> Result<(), String> + Sync) {
    let run = Run { f, cases: AtomicUsize::default(), failures: Mutex::default() };
    let scripts = all_scripts();
    let all: Vec<_> = scripts.iter().step_by(steps.scripts).collect();
    in_parallel(all.len(), |index| {
        let (name, script) = all[index];
        run.case(&Case { name: name.clone(), script, change: None });
        if index % 3 == 0 {
            let windows = script.replace("\r\n", "\n").replace('\n', "\r\n");
            let name = format!("{name}, with CRLF");
            run.case(&Case { name, script: &windows, change: None });
        }
    });
    let all: Vec<_> = scripts.iter().step_by(steps.mutated).collect();
    in_parallel(all.len() * mutate::ALL.len(), |index| {
        let (name, script) = all[index / mutate::ALL.len()];
        let kind = mutate::ALL[index % mutate::ALL.len()];
        let stmts = Version::newest().parse_script(script);
        let Some(stmt) = stmts.get(index * 7919 % stmts.len().max(1)) else { return };
        run.mutated(name, (script, stmt.range.clone()), (kind, index * 31));
    });
    let seen = Mutex::new(HashSet::new());
    in_parallel(scripts.len(), |index| {
        let (name, script) = &scripts[index];
        for (at, (text, stmt)) in windows(script).into_iter().enumerate() {
            let number = index + at;
            // Most statements are in both packages.
            if number % steps.stmts != 0 || !seen.lock().expect("no panic").insert(text.to_owned())
            {
                continue;
            }
            let kind = mutate::ALL[number / steps.stmts % mutate::ALL.len()];
            run.mutated(name, (text, stmt), (kind, number * 31));
        }
    });
    let (cases, failures) = (run.cases.into_inner(), run.failures.into_inner().expect("no panic"));
    println!("{cases} cases, {} failures", failures.len());
    for failure in failures.iter().take(SHOWN) {
        println!("{failure:.3000}");
    }
    assert_eq!(failures.len(), 0);
    assert!(cases > 100, "only {cases} cases");
}

/// Calls a function with the numbers below `count`, on all processors.
fn in_parallel(count: usize, f: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    f(index);
                }
            });
        }
    });
}
