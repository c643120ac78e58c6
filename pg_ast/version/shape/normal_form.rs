//! Normalized SQL of a shape: which constants become which parameters.

use super::facts::normalize::normalize_counted;
use super::read::scan::scan;
use super::shape_of::Shape;
use super::slots::place_in_key;
use super::view::memory::images::KeyPlaces;
use crate::text::plain_scan::is_in_word;
use crate::text::skeleton::{Anchor, ConstantMarker, RUN, RUN_END, Skeleton};
use crate::types::shape_options::{ConstantKind, ConstantPlace};

/// A part of the SQL that becomes a parameter: a constant, perhaps with its sign and in parentheses.
#[derive(Clone, Copy)]
struct Replaced {
    /// Its place in the key.
    start: u32,
    end: u32,
    /// Its number behind that of the last parameter in the SQL, from 1 on.
    rank: u32,
}

/// The parts that become parameters, in order.
pub(super) struct NormalForm(Box<[Replaced]>);

/// The parts of the items of a run.
struct ReplacedInRun {
    /// Where they are in the list of all.
    first: usize,
    count: usize,
    /// The smallest rank of the first item.
    rank: u32,
    /// The index of the run.
    run: usize,
}

impl ReplacedInRun {
    /// Returns how many numbers an item takes.
    fn numbers(&self) -> i64 {
        i64::from(short(self.count))
    }
}

impl NormalForm {
    /// Returns the most bytes that the form of a shape with this key takes: that of a part for each constant, and each
    /// `NULL`, `TRUE` and `FALSE`.
    pub(super) fn max_size(key: &[u8]) -> usize {
        let constants = key.iter().filter(|byte| ConstantMarker::of_byte(**byte).is_some()).count();
        let is_word = |word: &&[u8]| {
            ["null", "true", "fals"].iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        };
        let words = key.windows(4).filter(is_word).count();
        (constants + words) * size_of::<Replaced>()
    }

    /// Finds the form of a shape in which all constants of a kind are equal, and checks it with other SQL. `None` if the
    /// numbers depend on which constants are equal (`GROUP BY a + 1`), or on a parameter that is not always before them
    /// (`numeric($1)`), or if a constant becomes something else.
    pub(super) fn find(short: &Shape<'_>, long: &[Shape<'_>]) -> Option<Self> {
        let parser = short.options().parser;
        // The limit is another one for normalized SQL.
        if parser.max_nodes.is_some() {
            return None;
        }
        let normalized = |shape: &Shape<'_>| normalize_counted(shape.sql(), parser);
        let anchors = &short.skeleton().anchors;
        let highest = highest_parameter(short);
        let parts = parameters(short.sql(), &normalized(short)?)?.into_iter().map(|part| {
            let [start, end] = [part.start, part.end].map(|at| place_in_key(anchors, at));
            let rank = u32::try_from(part.number.checked_sub(highest)?).ok()?;
            Some(Replaced { start: start?, end: end?, rank })
        });
        let form = Self(parts.collect::<Option<_>>()?);
        // Other words can be constants of `SET`.
        if size_of_val(&*form.0) > Self::max_size(short.key()) {
            return None;
        }
        let mut ranks: Vec<_> = form.0.iter().map(|part| part.rank).collect();
        ranks.sort_unstable();
        // A number that is there twice belongs to equal constants.
        let all_differ = ranks.iter().copied().eq((1..).take(ranks.len()));
        let is_right = |long| Some(form.text(long)? == normalized(long)?);
        (all_differ && long.iter().all(|long| is_right(long) == Some(true))).then_some(form)
    }

    /// Returns the normalized SQL of a shape.
    pub(super) fn text(&self, shape: &Shape<'_>) -> Option<String> {
        let (sql, skeleton) = (shape.sql(), shape.skeleton());
        let runs = self.runs(skeleton)?;
        let highest = highest_parameter(shape);
        // The repeated items of a run move the numbers of what comes after it in the numbering.
        let mut shifts: Vec<_> = runs
            .iter()
            .map(|run| (run.rank, run.numbers() * i64::from(skeleton.runs[run.run].count)))
            .collect();
        shifts.sort_unstable();
        let mut sum = 0;
        for (_, by) in &mut shifts {
            sum += *by;
            *by = sum;
        }
        let moved = |rank: u32| {
            let before = shifts.partition_point(|(run, _)| *run < rank);
            before.checked_sub(1).map_or(0, |index| shifts[index].1)
        };
        let mut out = NormalizedText { sql, out: String::with_capacity(sql.len() + 16), copied: 0 };
        let mut places = KeyPlaces::new(&skeleton.anchors);
        let mut next = 0;
        let mut runs = runs.iter().peekable();
        while let Some(part) = self.0.get(next) {
            let Some(run) = runs.next_if(|run| run.first == next) else {
                out.put(*part, &mut places, highest + i64::from(part.rank) + moved(part.rank))?;
                next += 1;
                continue;
            };
            let parts = &self.0[run.first..run.first + run.count];
            let base = highest + moved(run.rank);
            for part in parts {
                out.put(*part, &mut places, base + i64::from(part.rank))?;
            }
            for item in 0..skeleton.runs[run.run].count {
                let anchors = item_anchors(skeleton, run.run, item)?;
                let mut places = KeyPlaces::item(anchors, &skeleton.anchors);
                let base = base + (i64::from(item) + 1) * run.numbers();
                for part in parts {
                    out.put(*part, &mut places, base + i64::from(part.rank))?;
                }
            }
            next += run.count;
        }
        out.finish()
    }

    /// Finds the parts in the items of runs; `None` if an item's numbers do not follow each other.
    fn runs(&self, skeleton: &Skeleton) -> Option<Vec<ReplacedInRun>> {
        let mut found = Vec::new();
        let mut from = 0;
        for run in 0..skeleton.runs.len() {
            let place = |byte, from: usize| {
                let rest = skeleton.key.get(from..)?;
                Some(from + rest.iter().position(|found| *found == byte)?)
            };
            let start = place(RUN, from)?;
            let end = place(RUN_END, start)?;
            from = end;
            let first = self.0.partition_point(|part| (part.start as usize) < start);
            let count = self.0[first..].partition_point(|part| (part.start as usize) < end);
            let parts = &self.0[first..first + count];
            let Some(rank) = parts.iter().map(|part| part.rank).min() else { continue };
            if parts.iter().any(|part| part.rank - rank >= short(count)) {
                return None;
            }
            found.push(ReplacedInRun { first, count, rank, run });
        }
        Some(found)
    }
}

fn short(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the anchors of a repeated item.
fn item_anchors(skeleton: &Skeleton, run: usize, item: u32) -> Option<&[Anchor]> {
    let index = (skeleton.runs[run].items + item) as usize;
    let start = *skeleton.item_anchors.get(index)? as usize;
    let next = skeleton.item_anchors.get(index + 1);
    let end = next.map_or(skeleton.repeated_anchors.len(), |end| *end as usize);
    skeleton.repeated_anchors.get(start..end)
}

/// Returns the highest number of a parameter in the SQL; 0 without any.
fn highest_parameter(shape: &Shape<'_>) -> i64 {
    let skeleton = shape.skeleton();
    let all = skeleton.constants.iter().chain(&skeleton.repeated_constants);
    let parameters = all.filter(|place| place.kind == ConstantKind::Parameter);
    let number = |place: &ConstantPlace| {
        let text = shape.sql().get(place.start as usize + 1..place.end as usize)?;
        text.parse().ok()
    };
    parameters.filter_map(number).max().unwrap_or(0)
}

/// Normalized SQL that is written.
struct NormalizedText<'a> {
    sql: &'a str,
    out: String,
    copied: usize,
}

impl NormalizedText<'_> {
    fn put(&mut self, part: Replaced, places: &mut KeyPlaces<'_>, number: i64) -> Option<()> {
        let [start, end] = [part.start, part.end].map(|key| places.text(key) as usize);
        // The scanner has no larger ones.
        i32::try_from(number).ok()?;
        self.out.push_str(self.sql.get(self.copied..start)?);
        let bytes = self.sql.as_bytes();
        if is_in_word(start.checked_sub(1).and_then(|before| bytes.get(before))) {
            self.out.push(' ');
        }
        self.out.push('$');
        self.out.push_str(&number.to_string());
        if is_in_word(bytes.get(end)) {
            self.out.push(' ');
        }
        self.copied = end;
        Some(())
    }

    fn finish(mut self) -> Option<String> {
        self.out.push_str(self.sql.get(self.copied..)?);
        Some(self.out)
    }
}

/// A part of SQL that has become a parameter.
struct Parameter {
    start: u32,
    end: u32,
    number: i64,
}

/// Finds what has become a parameter in normalized SQL; `None` if anything else is different.
fn parameters(sql: &str, normalized: &str) -> Option<Vec<Parameter>> {
    let tokens = scan(sql).ok()?.tokens;
    let mut tokens = tokens.into_iter().filter(|token| !token.is_comment());
    let (mut found, mut copied, mut rest) = (Vec::new(), 0, normalized);
    while let Some(token) = tokens.next() {
        let range = token.range();
        rest = rest.strip_prefix(sql.get(copied..range.start)?)?;
        let text = &sql[range.clone()];
        let before = range.start.checked_sub(1).and_then(|before| sql.as_bytes().get(before));
        let is_joined = is_in_word(before);
        let new = if is_joined { rest.strip_prefix(' ') } else { Some(rest) };
        let number = new.and_then(parameter).filter(|_| !text.starts_with('$'));
        let Some((number, behind)) = number else {
            rest = rest.strip_prefix(text)?;
            copied = range.end;
            continue;
        };
        // Its sign and its parentheses.
        let (mut open, mut last) = (0, token);
        while let text @ ("(" | "-" | "+") = &sql[last.range()] {
            open += usize::from(text == "(");
            last = tokens.next()?;
        }
        for _ in 0..open {
            last = tokens.next().filter(|token| &sql[token.range()] == ")")?;
        }
        copied = last.range().end;
        rest = behind;
        if is_in_word(sql.as_bytes().get(copied)) {
            rest = rest.strip_prefix(' ')?;
        }
        let [start, end] = [range.start, copied].map(u32::try_from);
        found.push(Parameter { start: start.ok()?, end: end.ok()?, number });
    }
    (sql.get(copied..)? == rest).then_some(found)
}

/// Splits a parameter off.
fn parameter(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix('$')?;
    let end = digits.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    Some((digits[..end].parse().ok()?, &digits[end..]))
}
