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
use crate::text::skeleton::{ConstantGap, ConstantMarker, RUN, RUN_END, Skeleton};
use crate::types::shape_options::{ConstantKind, ShapeOptions};

/// The number of items of longer runs in the SQL that a template is tried with, where none has values of any kind.
const ITEMS: usize = 3;

/// So many runs are tried one by one.
const MOST_RUNS: usize = 8;

/// What the items of a run can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunFreedom {
    /// There can be more than one.
    longer: bool,
    /// Their values can be of any kind, and not only of that in the first item of the SQL.
    any_kind: bool,
}

impl RunFreedom {
    /// From the most freedom on.
    const ALL: [Self; 4] = [
        Self { longer: true, any_kind: true },
        Self { longer: true, any_kind: false },
        Self { longer: false, any_kind: true },
        Self { longer: false, any_kind: false },
    ];
}

impl BoundForm {
    /// Finds the slots of the tree of a shape; `None` if they do not determine it.
    pub(super) fn make(shape: &Shape<'_>, tree: &Tree) -> Option<Self> {
        let skeleton = shape.skeleton();
        if !HAS_IMAGES || skeleton.is_exact() {
            return None;
        }
        let is_right = |form: &Self| form.bind(shape, None).is_some_and(|bound| bound == *tree);
        let count = skeleton.runs.len();
        let [most, _, single, least] = RunFreedom::ALL;
        if let Some(form) = Self::with_runs(shape, &vec![most; count]) {
            return Some(form).filter(is_right);
        }
        if count == 0 {
            return None;
        }
        // Some lists of one item cannot have more, as the row that MERGE inserts, and some take one kind of constants:
        // `int ARRAY[4]`. Each is tried alone.
        [single, least].into_iter().find_map(|others| {
            let freedom = |run| {
                if count > MOST_RUNS {
                    return Some(others);
                }
                RunFreedom::ALL.into_iter().find(|freedom| {
                    let mut runs = vec![others; count];
                    runs[run] = *freedom;
                    Self::with_runs(shape, &runs).is_some()
                })
            };
            let runs = (0..count).map(freedom).collect::<Option<Vec<_>>>()?;
            Self::with_runs(shape, &runs).filter(is_right)
        })
    }

    /// Finds the slots by SQL whose runs have this freedom.
    fn with_runs(shape: &Shape<'_>, runs: &[RunFreedom]) -> Option<Self> {
        let skeleton = shape.skeleton();
        let mut kinds = vec![None; skeleton.constants.len()];
        for (run, freedom) in skeleton.runs.iter().zip(runs) {
            let first = run.first as usize..(run.first + run.per_item) as usize;
            let places = skeleton.constants.get(first.clone())?;
            for (kind, place) in kinds[first].iter_mut().zip(places) {
                if place.is_cell && !freedom.any_kind {
                    // The grammar has no list of other constants only.
                    let is_known =
                        matches!(place.kind, ConstantKind::Integer | ConstantKind::String);
                    *kind = Some(is_known.then_some(place.kind)?);
                }
            }
        }
        let longer: Vec<_> = runs.iter().map(|freedom| freedom.longer).collect();
        let options = shape.options();
        let probes = Probes::of(skeleton, &longer, &kinds)?;
        let (short, long) = probes.shapes(options, &kinds)?;
        if short != *shape || long.iter().any(|long| *long != *shape) {
            return None;
        }
        let short_tree = view::parse_with(short.sql(), options.parser).ok()?.compact();
        let mut form: Option<Self> = None;
        for long in &long {
            let tree = view::parse_with(long.sql(), options.parser).ok()?;
            match &mut form {
                None => {
                    let takes_one_kind = kinds.iter().any(Option::is_some);
                    let found = Self::find((&short, &short_tree), (long, &tree))?;
                    form = Some(Self { takes_one_kind, ..found });
                }
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
        let mut kinds = vec![None; self.slots.len()];
        for slot in &self.slots {
            // A constant can be in several slots.
            if let Some(kind) = kinds.get_mut(slot.constant as usize) {
                *kind = slot.form.only_kind();
            }
        }
        let probes = Probes::of(&skeleton, &longer, &kinds)?;
        let (short, long) = probes.shapes(options, &kinds)?;
        NormalForm::find(&short, &long)
    }

    /// Finds the slots by two trees, of which the first one is compact, with one item in each run, and a whole number for each
    /// value of any kind.
    pub(super) fn find(
        (short, short_tree): (&Shape<'_>, &Tree),
        (long, long_tree): (&Shape<'_>, &Tree),
    ) -> Option<Self> {
        let shares_nodes = short_tree.parse().shares_nodes();
        let skeleton = short.skeleton();
        let texts = texts(skeleton, long)?;
        // A fingerprint has each source of several columns once for each of them, so that it takes longer than all
        // the rest.
        let fingerprint = (!shares_nodes)
            .then(|| short_tree.fingerprint())
            .filter(|found| *found == long_tree.fingerprint());
        // The statements in the rows of `VALUES` count each. Constants do not.
        #[cfg(feature = "cache")]
        let same_analysis = !shares_nodes
            && (skeleton.runs.is_empty() || short_tree.analyze() == long_tree.analyze());
        let warnings = short_tree.warnings().iter().map(|warning| {
            let mut warning = warning.clone();
            if let Some(cursor) = &mut warning.cursor {
                *cursor = texts.key_of(u32::try_from(*cursor).ok()?)? as usize;
            }
            Some(warning)
        });
        let warnings: Box<[_]> = warnings.collect::<Option<_>>()?;
        let (image, slots, runs) = match (short_tree.parse().list(), long_tree.parse().list()) {
            (Some(list), Some(other)) => {
                let maker = ImageMaker::new(short_tree.block()?);
                let finder = SlotFinder::new(maker, &texts, shares_nodes);
                let found = finder.nodes(list.as_node(), other.as_node())?;
                let runs =
                    run_forms(found.runs, [skeleton, long.skeleton()], &texts, shares_nodes)?;
                let mut is_used = vec![false; skeleton.constants.len()];
                found.constants.iter().for_each(|slot| is_used[slot.constant as usize] = true);
                if is_used.contains(&false) {
                    return None;
                }
                (Some(found.image), found.constants, runs)
            }
            (None, None) => Default::default(),
            _ => return None,
        };
        Some(Self {
            image,
            slots: slots.into(),
            runs: runs.into(),
            takes_one_kind: false,
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
    /// Makes SQL whose runs are `longer`, and some of its values of one of the `kinds`.
    fn of(skeleton: &Skeleton, longer: &[bool], kinds: &[Option<ConstantKind>]) -> Option<Self> {
        let is_longer = |run: Option<usize>| run.and_then(|run| longer.get(run)) == Some(&true);
        let kind = |gap: ConstantGap| match gap.marker {
            ConstantMarker::Constant(kind) => Some(kind),
            ConstantMarker::Value => *kinds.get(gap.index).unwrap_or(&None),
        };
        let (mut any_kind, mut any_in_short) = (false, false);
        let short = skeleton.fill(&|_| 1, &mut |sql, gap| {
            let kind = kind(gap);
            any_kind |= kind.is_none();
            any_in_short |= kind.is_none() && !is_longer(gap.run);
            sql.extend_from_slice(kind.map_or(SHORT_VALUE, |kind| short_constant(kind).0));
        })?;
        let count = if any_kind { VALUES } else { ITEMS };
        let items = |run| if is_longer(Some(run)) { count } else { 1 };
        let rounds = if any_in_short { VALUES } else { 1 };
        let long = (0..rounds).map(|round| {
            let mut number = 0;
            skeleton.fill(&items, &mut |sql, gap| {
                number += 1;
                let constant = match kind(gap) {
                    Some(kind) => long_constant(kind, number).0,
                    None => long_value(gap.turn + round, gap.is_whole, number),
                };
                sql.extend_from_slice(constant.as_bytes());
            })
        });
        Some(Self { short, long: long.collect::<Option<_>>()? })
    }

    fn shapes(
        &self,
        options: ShapeOptions,
        kinds: &[Option<ConstantKind>],
    ) -> Option<(Shape<'_>, Vec<Shape<'_>>)> {
        let shape = |sql| {
            let mut shape = Shape::of_with(sql, options).ok()?;
            shape.restrict(kinds);
            Some(shape)
        };
        let long = self.long.iter().map(|sql| shape(sql));
        Some((shape(&self.short)?, long.collect::<Option<_>>()?))
    }
}

/// Returns the items of runs in a key.
fn runs_of(key: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let places = |byte| move |(place, found): (usize, &u8)| (*found == byte).then_some(place);
    let starts = key.iter().enumerate().filter_map(places(RUN));
    starts.zip(key.iter().enumerate().filter_map(places(RUN_END))).map(|(start, end)| start..end)
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
    Some(Texts { anchors, places: &short.constants, other, constants })
}

/// Returns the forms of runs: of those that are longer in the other skeleton.
fn run_forms(
    lists: Vec<RunList<'_, '_>>,
    [skeleton, other]: [&Skeleton; 2],
    texts: &Texts<'_>,
    shares_nodes: bool,
) -> Option<Vec<Option<RunForm>>> {
    let mut forms: Vec<Option<RunForm>> = skeleton.runs.iter().map(|_| None).collect();
    for list in lists {
        let (index, form) = run_form(list, skeleton, texts, shares_nodes)?;
        let is_whole = other.runs.get(index)?.count as usize + 1 == list.length;
        if !is_whole || forms[index].replace(form).is_some() {
            return None;
        }
    }
    let longer = other.runs.iter().map(|run| run.count > 0);
    forms.iter().map(Option::is_some).eq(longer).then_some(forms)
}

/// Returns the item of a run, and the index of the run.
fn run_form(
    RunList { list, item, other, .. }: RunList<'_, '_>,
    skeleton: &Skeleton,
    texts: &Texts<'_>,
    shares_nodes: bool,
) -> Option<(usize, RunForm)> {
    let part = copy_part(item, shares_nodes)?;
    let finder = SlotFinder::new(ImageMaker::new(part.block()), texts, shares_nodes);
    let found = finder.nodes(part.root(), other)?;
    // Some items have no constants, and some no locations.
    let index = match found.constants.first() {
        Some(slot) => {
            skeleton.runs.partition_point(|run| run.first <= slot.constant).checked_sub(1)?
        }
        None => {
            let place = found.place? as usize;
            runs_of(&skeleton.key).position(|run| run.contains(&place))?
        }
    };
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
