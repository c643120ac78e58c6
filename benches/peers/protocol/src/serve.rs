//! The side of the measured program.

use std::collections::HashMap;
use std::ffi::CString;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};

use crate::clock::processor_time;
use crate::{Function, counted, texts};

/// SQL, for Rust and for C.
#[derive(Debug)]
pub struct Sql {
    pub text: String,
    pub c: CString,
}

/// A measured library. Each function returns whether it succeeded.
pub trait Peer {
    /// The result of parsing.
    type Tree;

    /// The functions that the library has.
    const FUNCTIONS: &'static [Function];

    /// Called once, before all others.
    fn init() {}

    fn parse(sql: &Sql) -> Option<Self::Tree>;

    /// Parses and drops the tree.
    fn parse_and_drop(sql: &Sql) -> bool {
        black_box(Self::parse(black_box(sql))).is_some()
    }

    fn walk(_: &Sql) -> bool {
        false
    }

    fn check(_: &Sql) -> bool {
        false
    }

    fn deparse(_: &Self::Tree) -> bool {
        false
    }

    fn fingerprint(_: &Sql) -> bool {
        false
    }

    fn fingerprint_tree(_: &Self::Tree) -> bool {
        false
    }

    fn normalize(_: &Sql) -> bool {
        false
    }

    /// Parses, changes, prints and drops. A statement in which there is nothing to change does not succeed.
    fn change(_: Function, _: &Sql) -> bool {
        false
    }

    /// Returns the SQL that a proxy sends for a statement.
    fn rewrite(_: Function, _: &Sql) -> Vec<String> {
        Vec::new()
    }
}

/// The SQL and the trees of a group.
struct Group<P: Peer> {
    texts: Vec<Sql>,
    /// Built when the first function requests them.
    trees: Vec<Option<P::Tree>>,
}

impl<P: Peer> Group<P> {
    fn new(name: &str) -> Self {
        let mut names = texts::NAMES.into_iter().chain([texts::REWRITES]);
        let name = names.find(|known| *known == name).expect("a group");
        let texts = texts::group(name).statements.into_iter().map(|text| {
            let c = CString::new(text.as_str()).expect("no NUL");
            Sql { text, c }
        });
        Self { texts: texts.collect(), trees: Vec::new() }
    }

    /// Runs a function on the statement at an index.
    fn run(&self, function: Function, at: usize) -> bool {
        let tree = |f: fn(&P::Tree) -> bool| self.trees[at].as_ref().is_some_and(f);
        let sql = &self.texts[at];
        match function {
            Function::Parse => P::parse_and_drop(sql),
            Function::Walk => P::walk(sql),
            Function::Check => P::check(sql),
            Function::Deparse => tree(P::deparse),
            Function::Fingerprint => P::fingerprint(sql),
            Function::FingerprintTree => tree(P::fingerprint_tree),
            Function::Normalize => P::normalize(sql),
            Function::RenameTables
            | Function::AppendTarget
            | Function::OneParameter
            | Function::AllParameters
            | Function::CutValues
            | Function::Copy
            | Function::RewritePorted
            | Function::RewriteTuned => P::change(function, sql),
        }
    }

    fn prepare(&mut self, function: Function) {
        if matches!(function, Function::Deparse | Function::FingerprintTree)
            && self.trees.is_empty()
        {
            self.trees = self.texts.iter().map(P::parse).collect();
        }
    }

    fn works(&mut self, function: Function) -> String {
        let is_change =
            Function::CHANGES.contains(&function) || Function::OTHER_CHANGES.contains(&function);
        if !P::FUNCTIONS.contains(&function) && !is_change {
            return "-".to_owned();
        }
        self.prepare(function);
        let each = (0..self.texts.len()).map(|at| if self.run(function, at) { '1' } else { '0' });
        each.collect()
    }

    /// Returns the indexes in a mask.
    fn chosen(&self, mask: &str) -> Vec<usize> {
        let bits = mask.bytes().enumerate().filter(|(_, bit)| *bit == b'1');
        bits.map(|(at, _)| at).filter(|at| *at < self.texts.len()).collect()
    }

    fn time(&mut self, function: Function, mask: &str, repetitions: u32) -> u128 {
        self.prepare(function);
        let chosen = self.chosen(mask);
        let start = processor_time();
        for _ in 0..repetitions {
            for at in &chosen {
                assert!(self.run(function, *at), "it worked before");
            }
        }
        processor_time() - start
    }

    fn memory(&self, mask: &str) -> String {
        let chosen = self.chosen(mask);
        // Memory that a library keeps for the next call does not belong to a
        // statement. This tree is kept, so that no other one reuses its memory.
        let warm = P::parse(&self.texts[chosen[0]]);
        P::parse_and_drop(&self.texts[chosen[0]]);
        let before = counted();
        for at in &chosen {
            P::parse_and_drop(&self.texts[*at]);
        }
        let after = counted();
        if after.allocations == 0 {
            return "-".to_owned();
        }
        // PostgreSQL keeps the memory of a freed tree for the next one: this one takes it.
        let warm = (warm, P::parse(&self.texts[chosen[0]]));
        let mut trees = Vec::with_capacity(chosen.len());
        let empty = counted();
        trees.extend(chosen.iter().map(|at| P::parse(&self.texts[*at])));
        let live = counted().live - empty.live;
        drop((trees, warm));
        format!("{} {} {live}", after.allocations - before.allocations, after.bytes - before.bytes)
    }

    fn peak(&self, mask: &str) -> String {
        for at in self.chosen(mask) {
            P::parse_and_drop(&self.texts[at]);
        }
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = peak.and_then(|peak| peak.split_whitespace().next());
        number.unwrap_or("-").to_owned()
    }
}

/// Answers requests until there are no more.
///
/// # Panics
///
/// If a request is not as documented at the top of this crate.
pub fn serve<P: Peer>() {
    P::init();
    let args: Vec<_> = std::env::args().skip(1).collect();
    if let [once, function, group, mask, repetitions] = args.as_slice() {
        assert_eq!(once, "--once");
        let function = Function::from_name(function).expect("a function");
        Group::<P>::new(group).time(function, mask, repetitions.parse().expect("a number"));
        return;
    }
    if let [texts, function] = args.as_slice() {
        assert_eq!(texts, "--texts");
        let function = Function::from_name(function).expect("a function");
        for sql in Group::<P>::new(texts::REWRITES).texts {
            println!("{}: {:?}", sql.text, P::rewrite(function, &sql));
        }
        return;
    }
    let mut groups = HashMap::new();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        let words: Vec<_> = line.split_whitespace().collect();
        let name = if matches!(words[0], "works" | "time") { words[2] } else { words[1] };
        let group = groups.entry(name.to_owned()).or_insert_with(|| Group::<P>::new(name));
        let function = |name| Function::from_name(name).expect("a function");
        let answer = match words.as_slice() {
            ["works", name, _] => group.works(function(name)),
            ["time", name, _, mask, repetitions] => {
                let repetitions = repetitions.parse().expect("a number");
                group.time(function(name), mask, repetitions).to_string()
            }
            ["memory", _, mask] => group.memory(mask),
            ["peak", _, mask] => group.peak(mask),
            _ => panic!("no request: {line}"),
        };
        println!("{answer}");
        io::stdout().flush().expect("a reader");
    }
}
