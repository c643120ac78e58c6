//! Finds out how a tree depends on the constants of its SQL.

use core::ops::Range;
use std::collections::HashMap;
#[cfg(feature = "cache")]
use std::sync::OnceLock;

use super::bound_form::{BoundForm, RunForm};
use super::constant_values::{
    ConstantValue, SHORT_VALUE, VALUES, long_constant, long_value, short_constant,
};
#[cfg(feature = "cache")]
use super::normal_form::NormalForm;
use super::shape_of::Shape;
use super::slots::{KnownConstant, RunList, SlotFinder, Texts};
use super::view::compact::copy_part;
use super::view::memory::images::{HAS_IMAGES, ImageMaker};
use super::view::{self, Tree};
use crate::text::skeleton::{ConstantMarker, RUN, RUN_END, Skeleton};
use crate::types::shape_options::ShapeOptions;

/// The number of items of runs in the SQL that a template is tried with, where they have no values of any kind.
const ITEMS: usize = 3;

/// So many runs are tried one by one.
const MOST_RUNS: usize = 8;

impl BoundForm {
    /// Finds the slots of the tree of a shape; `None` if they do not determine it.
    pub(super) fn make(shape: &Shape<'_>, tree: &Tree) -> Option<Self> {
        let skeleton = shape.skeleton();
        if !HAS_IMAGES || skeleton.is_exact() {
            return None;
        }
        let is_right = |form: &Self| form.bind(shape, None).is_some_and(|bound| bound == *tree);
        let count = skeleton.runs.len();
        if let Some(form) = Self::with_runs(shape, &vec![true; count]) {
            return Some(form).filter(is_right);
        }
        // Some lists of one item cannot have more: `int ARRAY[4]`, the row that MERGE inserts.
        let alone = |run| (0..count).map(|other| other == run).collect::<Vec<_>>();
        let longer = |run| count <= MOST_RUNS && Self::with_runs(shape, &alone(run)).is_some();
        if count == 0 {
            return None;
        }
        let longer: Vec<_> = (0..count).map(longer).collect();
        Self::with_runs(shape, &longer).filter(is_right)
    }

    /// Finds the slots by SQL with several items in these runs.
    fn with_runs(shape: &Shape<'_>, longer: &[bool]) -> Option<Self> {
        let options = shape.options();
        let probes = Probes::of(shape.skeleton(), longer)?;
        let (short, long) = probes.shapes(options)?;
        if short != *shape || long.iter().any(|long| *long != *shape) {
            return None;
        }
        let short_tree = view::parse_with(short.sql(), options.parser).ok()?.compact();
        let mut form: Option<Self> = None;
        for long in &long {
            let tree = view::parse_with(long.sql(), options.parser).ok()?;
            match &mut form {
                None => form = Some(Self::find((&short, &short_tree), (long, &tree), longer)?),
                Some(form) => form.restrict(&short_tree, &tree),
            }
            // Whatever depends on constants in another way shows here.
            if form.as_ref()?.bind(long, None)? != tree {
                return None;
            }
        }
        form
    }

    /// Forgets what another tree of the shape has otherwise.
    fn restrict(&mut self, short: &Tree, tree: &Tree) {
        self.fingerprint = self.fingerprint.filter(|found| *found == tree.fingerprint());
        #[cfg(feature = "cache")]
        {
            self.same_analysis = self.same_analysis && short.analyze() == tree.analyze();
        }
        #[cfg(not(feature = "cache"))]
        let _ = short;
    }

    /// Finds the normalized SQL of a shape, which has this key.
    #[cfg(feature = "cache")]
    pub(super) fn find_normal(&self, key: &[u8], options: ShapeOptions) -> Option<NormalForm> {
        let longer: Vec<_> = self.runs.iter().map(Option::is_some).collect();
        let skeleton = Skeleton { key: key.to_vec(), ..Skeleton::default() };
        let probes = Probes::of(&skeleton, &longer)?;
        let (short, long) = probes.shapes(options)?;
        NormalForm::find(&short, &long)
    }

    /// Finds the slots by two trees, of which the first one is compact, and these runs of the other one longer.
    pub(super) fn find(
        (short, short_tree): (&Shape<'_>, &Tree),
        (long, long_tree): (&Shape<'_>, &Tree),
        longer: &[bool],
    ) -> Option<Self> {
        let shares_nodes = short_tree.parse().shares_nodes();
        let texts = texts(short.skeleton(), long)?;
        // A fingerprint has each source of several columns once for each of them, so that it takes longer than all
        // the rest.
        let fingerprint = (!shares_nodes)
            .then(|| short_tree.fingerprint())
            .filter(|found| *found == long_tree.fingerprint());
        // The statements in the rows of `VALUES` count each. Constants do not.
        #[cfg(feature = "cache")]
        let same_analysis =
            !shares_nodes && (longer.is_empty() || short_tree.analyze() == long_tree.analyze());
        let warnings = short_tree.warnings().iter().map(|warning| {
            let mut warning = warning.clone();
            if let Some(cursor) = &mut warning.cursor {
                *cursor = texts.key_of(u32::try_from(*cursor).ok()?)? as usize;
            }
            Some(warning)
        });
        let warnings: Box<[_]> = warnings.collect::<Option<_>>()?;
        let (list, block) = (short_tree.parse().list(), short_tree.block()?);
        let (list, other) = match (list, long_tree.parse().list()) {
            (Some(list), Some(other)) => (list, other),
            (None, None) => {
                let (slots, runs) = (Box::default(), Box::default());
                return Some(Self {
                    image: None,
                    slots,
                    runs,
                    warnings,
                    shares_nodes,
                    fingerprint,
                    #[cfg(feature = "cache")]
                    normal: OnceLock::new(),
                    #[cfg(feature = "cache")]
                    same_analysis,
                });
            }
            _ => return None,
        };
        let finder = SlotFinder::new(ImageMaker::new(block), &texts, shares_nodes);
        let found = finder.nodes(list.as_node(), other.as_node())?;
        let skeleton = short.skeleton();
        let mut is_used = vec![false; skeleton.constants.len()];
        found.constants.iter().for_each(|slot| is_used[slot.constant as usize] = true);
        if is_used.contains(&false) {
            return None;
        }
        let mut runs: Vec<Option<RunForm>> = skeleton.runs.iter().map(|_| None).collect();
        for list in found.runs {
            let (index, run) = run_form(list, skeleton, &texts, shares_nodes)?;
            if runs[index].replace(run).is_some() {
                return None;
            }
        }
        if runs.iter().map(Option::is_some).ne(longer.iter().copied()) {
            return None;
        }
        let runs = runs.into();
        let slots = found.constants.into();
        Some(Self {
            image: Some(found.image),
            slots,
            runs,
            warnings,
            shares_nodes,
            fingerprint,
            #[cfg(feature = "cache")]
            normal: OnceLock::new(),
            #[cfg(feature = "cache")]
            same_analysis,
        })
    }
}

/// SQL of the same shape, with the shortest constants and one item in each run; and with another constant in each place
/// and several items in some runs.
struct Probes {
    short: String,
    /// All together have each kind of constant as each value. One has them all if its runs are long enough.
    long: Vec<String>,
}

impl Probes {
    fn of(skeleton: &Skeleton, longer: &[bool]) -> Option<Self> {
        let short = skeleton.fill(&|_| 1, &mut |sql, gap| {
            sql.extend_from_slice(match gap.marker {
                ConstantMarker::Constant(kind) => short_constant(kind).0,
                ConstantMarker::Value => SHORT_VALUE,
            });
        })?;
        let mut has_short = false;
        for (run, item) in runs_of(&skeleton.key).enumerate() {
            has_short |= longer.get(run) != Some(&true) && has_value(&skeleton.key[item]);
        }
        let count = items_of(&skeleton.key);
        let items = |run: usize| if longer.get(run) == Some(&true) { count } else { 1 };
        let rounds = if has_short { VALUES } else { 1 };
        let long = (0..rounds).map(|round| {
            let mut number = 0;
            skeleton.fill(&items, &mut |sql, gap| {
                number += 1;
                let constant = match gap.marker {
                    ConstantMarker::Constant(kind) => long_constant(kind, number).0,
                    ConstantMarker::Value => long_value(gap.turn + round, gap.is_whole, number),
                };
                sql.extend_from_slice(constant.as_bytes());
            })
        });
        Some(Self { short, long: long.collect::<Option<_>>()? })
    }

    fn shapes(&self, options: ShapeOptions) -> Option<(Shape<'_>, Vec<Shape<'_>>)> {
        let short = Shape::of_with(&self.short, options).ok()?;
        let long = self.long.iter().map(|sql| Shape::of_with(sql, options).ok());
        Some((short, long.collect::<Option<_>>()?))
    }
}

/// Returns the items of runs in a key.
fn runs_of(key: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let places = |byte| move |(place, found): (usize, &u8)| (*found == byte).then_some(place);
    let starts = key.iter().enumerate().filter_map(places(RUN));
    starts.zip(key.iter().enumerate().filter_map(places(RUN_END))).map(|(start, end)| start..end)
}

/// Returns whether a part of a key has values of any kind.
fn has_value(key: &[u8]) -> bool {
    key.iter().any(|byte| ConstantMarker::of_byte(*byte) == Some(ConstantMarker::Value))
}

/// Returns the number of items of longer runs.
fn items_of(key: &[u8]) -> usize {
    if has_value(key) { VALUES } else { ITEMS }
}

/// What is known of the short SQL and the long one.
fn texts<'v>(short: &'v Skeleton, long: &'v Shape<'_>) -> Option<Texts<'v>> {
    let (skeleton, parser) = (long.skeleton(), long.options().parser);
    let mut constants = HashMap::with_capacity(skeleton.constants.len());
    for (index, place) in skeleton.constants.iter().enumerate() {
        // It is found by its place.
        if place.is_cell {
            continue;
        }
        let value = match ConstantValue::of(long.sql(), *place, parser)? {
            ConstantValue::Number(number) => number.to_string().into_bytes(),
            text => text.parts()?.collect::<Vec<_>>().concat(),
        };
        let index = u32::try_from(index).ok()?;
        let short = short_constant(place.kind).1;
        constants.insert(value, KnownConstant { index, kind: place.kind, value: short });
    }
    let (anchors, other) = (&short.anchors, &skeleton.anchors);
    Some(Texts { anchors, places: &short.constants, other, constants, items: items_of(&short.key) })
}

/// Returns the item of a run, and the index of the run.
fn run_form(
    RunList { list, item, other }: RunList<'_, '_>,
    skeleton: &Skeleton,
    texts: &Texts<'_>,
    shares_nodes: bool,
) -> Option<(usize, RunForm)> {
    let part = copy_part(item, shares_nodes)?;
    let finder = SlotFinder::new(ImageMaker::new(part.block()), texts, shares_nodes);
    let found = finder.nodes(part.root(), other)?;
    let place = found.place? as usize;
    let index = runs_of(&skeleton.key).position(|run| run.contains(&place))?;
    let run = skeleton.runs.get(index)?;
    let mut slots = found.constants;
    for slot in &mut slots {
        slot.constant =
            slot.constant.checked_sub(run.first).filter(|index| *index < run.per_item)?;
    }
    if !found.runs.is_empty() {
        return None;
    }
    Some((index, RunForm { list, item: found.image, slots: slots.into() }))
}
