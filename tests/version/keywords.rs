//! Keywords as names: a statement with one is printed as text that parses to the same tree, in each place where the
//! grammar has a name.
//!
//! The places are made from the tables of the version's grammar (`tests/common/name_places.rs`), each with a statement that
//! is as short as possible: for each state of the parser in which a name can be read and each rule that begins there, for
//! each rule of several symbols around it, and before each token that makes something else of a keyword. So a rule with a
//! name that a new version has is a place as well.
//!
//! Each place has keywords that begin another rule there, and a part of all others, quoted and not: `NAME_STEP=1` takes
//! all of them in each place, which is some ten million statements, and `NAME_STEP=100` every hundredth.

use std::collections::BTreeMap;

use super::{NAME, SOURCE, pg};
use crate::common::name_places::{Place, Places};

/// What a test has found.
#[derive(Default)]
struct Counts {
    kept: usize,
    rejected: usize,
    /// Statements that are printed as something else, by place, each with an example.
    wrong: BTreeMap<String, (usize, String)>,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.kept += other.kept;
        self.rejected += other.rejected;
        for (place, (count, example)) in other.wrong {
            self.wrong.entry(place).or_insert((0, example)).0 += count;
        }
    }

    fn check(&mut self, place: &Place, sql: &str) {
        match printed(sql) {
            Ok(true) => self.kept += 1,
            Ok(false) => self.rejected += 1,
            Err(why) => {
                let example = || (0, format!("{sql} -> {why}"));
                self.wrong.entry(place.rules.clone()).or_insert_with(example).0 += 1;
            }
        }
    }
}

/// Returns whether SQL parses; an error if what is printed is something else.
fn printed(sql: &str) -> Result<bool, String> {
    let Ok(mut tree) = pg::parse(sql) else { return Ok(false) };
    let text = tree.deparse().map_err(|error| error.to_string())?;
    let mut again = pg::parse(&text).map_err(|_| format!("no SQL: {text}"))?;
    let twice = again.deparse();
    tree.clear_locations();
    again.clear_locations();
    if tree.protobuf != again.protobuf {
        return Err(format!("another tree: {text}"));
    }
    if twice.as_ref() != Ok(&text) {
        return Err(format!("another text the second time: {text}, {twice:?}"));
    }
    Ok(true)
}

/// Runs `f` for all places, on two threads.
fn over(places: &[Place], f: impl Fn(usize, &Place, &mut Counts) + Sync) -> Counts {
    let run = |first: usize| {
        let mut counts = Counts::default();
        for (number, place) in places.iter().enumerate().skip(first).step_by(2) {
            f(number, place, &mut counts);
        }
        counts
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(1));
        let mut counts = run(0);
        counts.add(other.join().expect("no panic"));
        counts
    })
}

#[test]
fn each_keyword_in_each_place() {
    let grammar = Places::new(SOURCE);
    let (keywords, places) = (grammar.keywords(), grammar.places());
    let step = std::env::var("NAME_STEP").map_or(64, |step| step.parse().expect("a number"));
    let counts = over(&places, |number, place, counts| {
        let Place { before, behind, .. } = place;
        for name in ["x", "\"X y\""] {
            counts.check(place, &format!("{before} {name} {behind}"));
        }
        for (at, keyword) in keywords.iter().enumerate() {
            if (at + number).is_multiple_of(step) || grammar.is_special(place, keyword) {
                let text = &keyword.text;
                counts.check(place, &format!("{before} {text} {behind}"));
                counts.check(place, &format!("{before} \"{text}\" {behind}"));
            }
        }
    });
    let Counts { kept, rejected, wrong } = &counts;
    println!("{NAME}: {} places; {kept} statements are printed, {rejected} are none", places.len());
    assert!(places.len() > 5_000 && *kept > 50_000, "{} {kept}", places.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Keywords that are others before the next one, `NULLS` before `FIRST`, or begin another rule with it.
#[test]
fn each_pair_of_keywords() {
    let grammar = Places::new(SOURCE);
    let (pairs, places) = (grammar.pairs(), grammar.places());
    let counts = over(&places, |number, place, counts| {
        let Some(behind) = &place.behind_next else { return };
        for (at, (first, second)) in pairs.iter().enumerate() {
            if (at + number).is_multiple_of(4) {
                let before = &place.before;
                counts.check(place, &format!("{before} \"{first}\" {second} {behind}"));
                counts.check(place, &format!("{before} {first} \"{second}\" {behind}"));
            }
        }
    });
    let Counts { kept, rejected, wrong } = &counts;
    println!("{NAME}: {} pairs; {kept} statements are printed, {rejected} are none", pairs.len());
    assert!(!pairs.is_empty() && *kept > 1_000, "{kept}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
