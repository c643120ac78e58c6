//! Templates: the tree of a shape, without its constants.

use core::borrow::Borrow;
use core::fmt;
use std::collections::HashMap;

use super::shape_of::Shape;
use super::slots::{ConstantSlot, KnownConstant, RunList, SlotFinder, SlotForm, Texts};
use super::values::{ConstantValue, long_constant, short_constant};
use super::view::compact::{Block, copy_part};
use super::view::memory::images::{
    HAS_IMAGES, Image, ImageMaker, ImageWriter, Offset, Places, Written,
};
use super::view::{self, Tree};
use crate::foundation::limits::Limits;
use crate::text::skeleton::{Repeated, Skeleton};
use crate::types::error::{Error, Warning};
use crate::types::heap_size::HeapSize;
use crate::types::options::ParserOptions;
use crate::types::shape_options::{ConstantPlace, ShapeOptions};

/// The tree of a [`Shape`], from which the tree of any SQL of that shape is made without a parse.
///
/// [`bind`](Self::bind) returns what [`view::parse_with`](super::super::view::parse_with) would: the same nodes, constants,
/// locations and warnings. It copies the tree, and writes the constants of the SQL into it.
///
/// ```
/// use pg_ast::{Shape, Template, view};
///
/// let template = Template::new("SELECT a FROM t WHERE b = 1 AND c IN ('x')")?;
/// let sql = "SELECT a FROM t WHERE b = 2000 AND c IN ('y', 'z')";
/// let tree = template.bind(&Shape::of(sql)?).expect("the same shape");
/// assert_eq!(tree, view::parse(sql)?);
/// assert!(template.bind(&Shape::of("SELECT a FROM u")?).is_none());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # When a template is exact
///
/// PostgreSQL's grammar reads the values of a few constants: `float(24)` is another type than `float(25)`. A template of such
/// a statement is [exact](Self::is_exact): it binds to its own SQL only. This is found out for each template: other SQL
/// of its shape, with other constants and other numbers of items, is parsed and compared.
///
/// So it takes about five parses to make one. It holds none of the constants, unless it is exact.
pub struct Template {
    options: ShapeOptions,
    key: Box<[u8]>,
    form: Form,
}

enum Form {
    Bound(Box<BoundForm>),
    Exact(Box<ExactForm>),
}

/// The SQL, and its tree.
struct ExactForm {
    sql: Box<str>,
    tree: Tree,
}

/// A tree with slots.
struct BoundForm {
    /// `None` without statements.
    image: Option<Image>,
    slots: Box<[ConstantSlot]>,
    /// None if it binds only to runs of one item.
    runs: Box<[RunForm]>,
    /// With places in the key.
    warnings: Box<[Warning]>,
    shares_nodes: bool,
}

/// An item of a run.
struct RunForm {
    list: Offset,
    item: Image,
    slots: Box<[ConstantSlot]>,
}

/// The number of items of runs in the SQL that a template is tried with.
const ITEMS: usize = 3;

impl Template {
    /// Parses SQL, with the default settings.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse`](super::super::view::parse()).
    pub fn new(sql: &str) -> Result<Self, Error> {
        Self::new_with(sql, ShapeOptions::default())
    }

    /// Parses SQL, with the given settings.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse_with`](super::super::view::parse_with).
    pub fn new_with(sql: &str, options: impl Borrow<ShapeOptions>) -> Result<Self, Error> {
        let options = *options.borrow();
        let tree = view::parse_with(sql, options.parser)?;
        Ok(Self::of(&Shape::of_with(sql, options)?, &tree))
    }

    /// Makes the template of a shape, whose SQL has been parsed.
    pub(super) fn of(shape: &Shape<'_>, tree: &Tree) -> Self {
        let form = match BoundForm::make(shape, tree) {
            Some(form) => Form::Bound(Box::new(form)),
            None => {
                Form::Exact(Box::new(ExactForm { sql: shape.sql().into(), tree: tree.compact() }))
            }
        };
        Self { options: shape.options(), key: shape.key().into(), form }
    }

    /// Returns whether it binds only to the SQL that it was made of.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.form, Form::Exact(_))
    }

    /// Returns the bytes of its shape; see [`Shape::key`].
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Returns the settings of its shape.
    #[must_use]
    pub fn options(&self) -> ShapeOptions {
        self.options
    }

    /// Returns the tree of SQL of this shape.
    ///
    /// `None` if it has another shape, or the template [is exact](Self::is_exact) and that of other SQL; and if the parser
    /// would reject the SQL: a constant that is not UTF-8 (`E'\xff'`), or a tree that is too large.
    #[must_use]
    pub fn bind(&self, shape: &Shape<'_>) -> Option<Tree> {
        self.bind_in(shape, None)
    }

    /// Like [`bind`](Self::bind), in the memory of another tree if that suffices. Returns false where `bind` returns `None`;
    /// the tree is empty then.
    ///
    /// ```
    /// use pg_ast::{Shape, Template, view};
    ///
    /// let template = Template::new("SELECT 1")?;
    /// let mut tree = view::parse("")?;
    /// for sql in ["SELECT 1", "SELECT 2"] {
    ///     assert!(template.bind_into(&Shape::of(sql)?, &mut tree));
    ///     assert_eq!(tree.deparse()?, sql);
    /// }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn bind_into(&self, shape: &Shape<'_>, tree: &mut Tree) -> bool {
        let block = tree.take_block();
        match self.bind_in(shape, block) {
            Some(bound) => *tree = bound,
            None => return false,
        }
        true
    }

    fn bind_in(&self, shape: &Shape<'_>, block: Option<Block>) -> Option<Tree> {
        if *self.key != *shape.key() || self.options != shape.options() {
            return None;
        }
        match &self.form {
            Form::Bound(form) => form.bind(shape, block),
            Form::Exact(exact) if *exact.sql == *shape.sql() => Some(exact.tree.compact()),
            Form::Exact(_) => None,
        }
    }
}

impl HeapSize for Template {
    fn heap_size(&self) -> usize {
        let Self { options: _, key, form } = self;
        key.len()
            + match form {
                Form::Bound(form) => size_of::<BoundForm>() + form.size(),
                Form::Exact(exact) => {
                    size_of::<ExactForm>() + exact.sql.len() + exact.tree.heap_size()
                }
            }
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = String::from_utf8_lossy(&self.key).replace('\u{FFFD}', "?");
        f.debug_struct("Template")
            .field("key", &key)
            .field("is_exact", &self.is_exact())
            .finish_non_exhaustive()
    }
}

impl BoundForm {
    /// Finds the slots of the tree; `None` if it is not determined by them.
    fn make(shape: &Shape<'_>, tree: &Tree) -> Option<Self> {
        let skeleton = shape.skeleton();
        if !HAS_IMAGES || skeleton.is_exact() {
            return None;
        }
        // Some lists of one item are none: `int ARRAY[4]`, the row that MERGE inserts.
        let one = || skeleton.runs.iter().all(|run| run.count == 0);
        Self::try_with(ITEMS, shape, tree)
            .or_else(|| one().then(|| Self::try_with(1, shape, tree)).flatten())
    }

    /// Finds the slots by SQL with so many items in runs.
    fn try_with(items: usize, shape: &Shape<'_>, tree: &Tree) -> Option<Self> {
        let (options, skeleton) = (shape.options(), shape.skeleton());
        let short = skeleton.fill(1, &mut |sql, kind| {
            sql.extend_from_slice(short_constant(kind).0);
        })?;
        let mut number = 0;
        let long = skeleton.fill(items, &mut |sql, kind| {
            number += 1;
            sql.extend_from_slice(long_constant(kind, number).0.as_bytes());
        })?;
        let shapes = [short.as_str(), long.as_str()].map(|sql| Shape::of_with(sql, options));
        let [Ok(short_shape), Ok(long_shape)] = shapes else { return None };
        if short_shape != *shape || long_shape != *shape {
            return None;
        }
        let short_tree = view::parse_with(&short, options.parser).ok()?.compact();
        let long_tree = view::parse_with(&long, options.parser).ok()?;

        let form = Self::find(items, (&short_shape, &short_tree), (&long_shape, &long_tree))?;
        // Whatever depends on constants in another way shows here.
        let is_right =
            |shape, tree: &Tree| form.bind(shape, None).is_some_and(|bound| bound == *tree);
        (is_right(&long_shape, &long_tree) && is_right(shape, tree)).then_some(form)
    }

    fn find(
        items: usize,
        (short, short_tree): (&Shape<'_>, &Tree),
        (long, long_tree): (&Shape<'_>, &Tree),
    ) -> Option<Self> {
        let shares_nodes = short_tree.parse().shares_nodes();
        let texts = texts(short.skeleton(), long, items)?;
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
                return Some(Self { image: None, slots, runs, warnings, shares_nodes });
            }
            _ => return None,
        };
        let finder = SlotFinder::new(ImageMaker::new(block), &texts, shares_nodes);
        let found = finder.nodes(list.as_node(), other.as_node())?;
        let skeleton = short.skeleton();
        let mut is_used = vec![false; skeleton.constants.len()];
        found.slots.iter().for_each(|slot| is_used[slot.constant as usize] = true);
        if is_used.contains(&false) {
            return None;
        }
        if items == 1 {
            let (slots, runs) = (found.slots.into(), Box::default());
            return Some(Self { image: Some(found.image), slots, runs, warnings, shares_nodes });
        }
        let mut runs: Vec<Option<RunForm>> = skeleton.runs.iter().map(|_| None).collect();
        for list in found.runs {
            let (index, run) = run_form(list, &skeleton.runs, &texts, shares_nodes)?;
            if runs[index].replace(run).is_some() {
                return None;
            }
        }
        let runs = runs.into_iter().collect::<Option<_>>()?;
        let slots = found.slots.into();
        Some(Self { image: Some(found.image), slots, runs, warnings, shares_nodes })
    }

    fn size(&self) -> usize {
        let Self { image, slots, runs, warnings, shares_nodes: _ } = self;
        let runs = runs
            .iter()
            .map(|run| size_of::<RunForm>() + run.item.size() + size_of_val(&*run.slots));
        image.as_ref().map_or(0, Image::size)
            + size_of_val(&**slots)
            + runs.sum::<usize>()
            + warnings
                .iter()
                .map(|warning| size_of::<Warning>() + warning.heap_size())
                .sum::<usize>()
    }

    fn bind(&self, shape: &Shape<'_>, block: Option<Block>) -> Option<Tree> {
        let (skeleton, parser) = (shape.skeleton(), shape.options().parser);
        let has_more = |run: &Repeated| run.count > 0;
        if self.runs.len() < skeleton.runs.len() && skeleton.runs.iter().any(has_more) {
            return None;
        }
        let mut images = self.image.as_ref().map_or(0, Image::bytes);
        let mut strings = room(&self.slots, &skeleton.constants);
        for (form, run) in self.runs.iter().zip(&skeleton.runs) {
            if run.count > 0 {
                let count = run.count as usize;
                let bytes = form.item.bytes().saturating_add(size_of::<*const u8>());
                images = images.saturating_add(
                    bytes.saturating_mul(count).saturating_add(size_of::<*const u8>()),
                );
                if form.slots.iter().any(|slot| slot.form.is_text()) {
                    for item in items(skeleton, run) {
                        strings = strings.saturating_add(room(&form.slots, item));
                    }
                }
            }
        }
        let mut out = ImageWriter::new(images, strings, block);
        let mut places = Places::new(&skeleton.anchors);
        let warnings = self.warnings.iter().map(|warning| {
            let mut warning = warning.clone();
            warning.cursor = warning.cursor.map(|cursor| {
                u32::try_from(cursor).map_or(cursor, |cursor| places.text(cursor) as usize)
            });
            warning
        });
        let warnings = warnings.collect();
        let bind = BindTo { sql: shape.sql(), parser };
        if let Some(image) = &self.image {
            let main = out.image(image, &mut places);
            bind.constants(&mut out, main, &self.slots, &skeleton.constants)?;
            for (form, run) in self.runs.iter().zip(&skeleton.runs) {
                if run.count > 0 {
                    bind.run(&mut out, main, form, skeleton, run)?;
                }
            }
        }
        // SAFETY: the first image is that of the list of statements; the strings of all slots have been written, and as
        // many items as there are cells.
        let parts = unsafe { out.finish(self.shares_nodes) };
        let tree = Tree::in_block(parts, warnings, Limits::new(shape.sql(), parser));
        tree.check(shape.sql()).ok()?;
        Some(tree)
    }
}

/// Returns the constants of each repeated item.
fn items<'s>(skeleton: &'s Skeleton, run: &Repeated) -> impl Iterator<Item = &'s [ConstantPlace]> {
    let (start, per_item) = (run.constants as usize, run.per_item as usize);
    let constants = skeleton.repeated_constants.get(start..).unwrap_or_default();
    constants.chunks(per_item.max(1)).take(run.count as usize)
}

/// Returns enough room for the strings of slots.
#[inline]
fn room(slots: &[ConstantSlot], constants: &[ConstantPlace]) -> usize {
    let texts = slots.iter().filter(|slot| slot.form.is_text());
    let places = texts.filter_map(|slot| constants.get(slot.constant as usize));
    // A sign, and a NUL at the end.
    places.map(|place| (place.end - place.start) as usize + 2).sum()
}

impl SlotForm {
    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::NegativeText)
    }
}

/// What is known of the short SQL and the long one.
fn texts<'v>(short: &'v Skeleton, long: &'v Shape<'_>, items: usize) -> Option<Texts<'v>> {
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
    Some(Texts { anchors, other, constants, items })
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
    let first = found.slots.first()?.constant;
    let index = runs.partition_point(|run| run.first <= first).checked_sub(1)?;
    let run = &runs[index];
    let mut slots = found.slots;
    for slot in &mut slots {
        slot.constant =
            slot.constant.checked_sub(run.first).filter(|index| *index < run.per_item)?;
    }
    if !found.runs.is_empty() {
        return None;
    }
    Some((index, RunForm { list, item: found.image, slots: slots.into() }))
}

/// SQL whose constants are written.
struct BindTo<'a> {
    sql: &'a str,
    parser: ParserOptions,
}

impl BindTo<'_> {
    /// Writes constants into their slots.
    #[inline]
    fn constants(
        &self,
        out: &mut ImageWriter,
        image: Written,
        slots: &[ConstantSlot],
        constants: &[ConstantPlace],
    ) -> Option<()> {
        for &ConstantSlot { at, constant, form } in slots {
            let place = *constants.get(constant as usize)?;
            let value = ConstantValue::of(self.sql, place, self.parser)?;
            if let ConstantValue::Number(number) = value {
                let negative = matches!(form, SlotForm::NegativeI32 | SlotForm::NegativeI64);
                let number = if negative { -number } else { number };
                match form {
                    SlotForm::I32 | SlotForm::NegativeI32 => {
                        out.i32(image, at, i32::try_from(number).ok()?)
                    }
                    SlotForm::I64 | SlotForm::NegativeI64 => out.i64(image, at, number),
                    SlotForm::Text | SlotForm::NegativeText => return None,
                }
                continue;
            }
            match form {
                SlotForm::Text => out.text(image, at, value.parts()?),
                // The digits of a constant have no sign.
                SlotForm::NegativeText => {
                    let sign: &[u8] = b"-";
                    out.text(image, at, core::iter::once(sign).chain(value.parts()?));
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Writes the repeated items of a run.
    fn run(
        &self,
        out: &mut ImageWriter,
        main: Written,
        form: &RunForm,
        skeleton: &Skeleton,
        run: &Repeated,
    ) -> Option<()> {
        let mut cells = out.cells(main, form.list, run.count as usize + 1);
        let first = run.items as usize;
        let starts = skeleton.item_anchors.get(first..first + run.count as usize)?;
        for (index, item) in items(skeleton, run).enumerate() {
            let start = *starts.get(index)? as usize;
            let next = skeleton.item_anchors.get(first + index + 1);
            let end = next.map_or(skeleton.repeated_anchors.len(), |end| *end as usize);
            let anchors = skeleton.repeated_anchors.get(start..end)?;
            let mut places = Places::item(anchors, &skeleton.anchors);
            let image = out.image(&form.item, &mut places);
            self.constants(out, image, &form.slots, item)?;
            out.cell(&mut cells, image);
        }
        Some(())
    }
}
