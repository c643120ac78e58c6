//! Finds out how a tree depends on the constants of its SQL.

use std::collections::HashMap;
#[cfg(feature = "cache")]
use std::sync::OnceLock;

use super::bound_form::{BoundForm, RunForm};
use super::constant_values::{ConstantValue, long_constant, short_constant};
#[cfg(feature = "cache")]
use super::normal_form::NormalForm;
use super::shape_of::Shape;
use super::slots::{KnownConstant, RunList, SlotFinder, Texts};
use super::view::compact::copy_part;
use super::view::memory::images::{HAS_IMAGES, ImageMaker};
use super::view::{self, Tree};
use crate::text::skeleton::{Repeated, Skeleton};
#[cfg(feature = "cache")]
use crate::types::shape_options::ShapeOptions;

/// The number of items of runs in the SQL that a template is tried with.
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
        let (short, long) = short_and_long(shape.skeleton(), longer)?;
        let shapes = [short.as_str(), long.as_str()].map(|sql| Shape::of_with(sql, options));
        let [Ok(short_shape), Ok(long_shape)] = shapes else { return None };
        if short_shape != *shape || long_shape != *shape {
            return None;
        }
        let short_tree = view::parse_with(&short, options.parser).ok()?.compact();
        let long_tree = view::parse_with(&long, options.parser).ok()?;

        let form = Self::find((&short_shape, &short_tree), (&long_shape, &long_tree), longer)?;
        // Whatever depends on constants in another way shows here.
        let is_right = form.bind(&long_shape, None).is_some_and(|bound| bound == long_tree);
        is_right.then_some(form)
    }

    /// Finds the normalized SQL of a shape, which has this key.
    #[cfg(feature = "cache")]
    pub(super) fn find_normal(&self, key: &[u8], options: ShapeOptions) -> Option<NormalForm> {
        let longer: Vec<_> = self.runs.iter().map(Option::is_some).collect();
        let skeleton = Skeleton { key: key.to_vec(), ..Skeleton::default() };
        let (short, long) = short_and_long(&skeleton, &longer)?;
        let shapes = [short.as_str(), long.as_str()].map(|sql| Shape::of_with(sql, options));
        let [Ok(short), Ok(long)] = shapes else { return None };
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
            let (index, run) = run_form(list, &skeleton.runs, &texts, shares_nodes)?;
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

/// Writes SQL of the same shape twice: with the shortest constants and one item in each run; and with another constant in
/// each place and several items in some runs.
fn short_and_long(skeleton: &Skeleton, longer: &[bool]) -> Option<(String, String)> {
    let short = skeleton.fill(&|_| 1, &mut |sql, kind| {
        sql.extend_from_slice(short_constant(kind).0);
    })?;
    let items = |run: usize| if longer.get(run) == Some(&true) { ITEMS } else { 1 };
    let mut number = 0;
    let long = skeleton.fill(&items, &mut |sql, kind| {
        number += 1;
        sql.extend_from_slice(long_constant(kind, number).0.as_bytes());
    })?;
    Some((short, long))
}

/// What is known of the short SQL and the long one.
fn texts<'v>(short: &'v Skeleton, long: &'v Shape<'_>) -> Option<Texts<'v>> {
    let (skeleton, parser) = (long.skeleton(), long.options().parser);
    let mut constants = HashMap::with_capacity(skeleton.constants.len());
    for (index, place) in skeleton.constants.iter().enumerate() {
        let value = match ConstantValue::of(long.sql(), *place, parser)? {
            ConstantValue::Number(number) => number.to_string().into_bytes(),
            text => text.parts()?.collect::<Vec<_>>().concat(),
        };
        let index = u32::try_from(index).ok()?;
        let short = short_constant(place.kind).1;
        constants.insert(value, KnownConstant { index, kind: place.kind, value: short });
    }
    let (anchors, other) = (&short.anchors, &skeleton.anchors);
    Some(Texts { anchors, other, constants, items: ITEMS })
}

/// Returns the item of a run, and the index of the run.
fn run_form(
    RunList { list, item, other }: RunList<'_, '_>,
    runs: &[Repeated],
    texts: &Texts<'_>,
    shares_nodes: bool,
) -> Option<(usize, RunForm)> {
    let part = copy_part(item, shares_nodes)?;
    let finder = SlotFinder::new(ImageMaker::new(part.block()), texts, shares_nodes);
    let found = finder.nodes(part.root(), other)?;
    let first = found.constants.first()?.constant;
    let index = runs.partition_point(|run| run.first <= first).checked_sub(1)?;
    let run = &runs[index];
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
