//! A tree with slots, and how it is bound.

#[cfg(feature = "cache")]
use std::sync::OnceLock;

use super::constant_values::ConstantValue;
#[cfg(feature = "cache")]
use super::normal_form::NormalForm;
use super::shape_of::Shape;
use super::slots::{ConstantSlot, SlotForm};
use super::view::Tree;
use super::view::compact::Block;
use super::view::memory::images::{Image, ImageWriter, KeyPlaces, Offset, TextNode, Written};
use crate::foundation::limits::Limits;
use crate::text::skeleton::{Repeated, Skeleton};
use crate::types::error::Warning;
use crate::types::fingerprint::Fingerprint;
use crate::types::heap_size::HeapSize as _;
use crate::types::options::ParserOptions;
use crate::types::shape_options::{ConstantForm, ConstantKind, ConstantPlace};

/// A tree with slots.
pub(super) struct BoundForm {
    /// `None` without statements.
    pub(super) image: Option<Image>,
    pub(super) slots: Box<[ConstantSlot]>,
    /// `None` for a run of one item, which cannot have more.
    pub(super) runs: Box<[Option<RunForm>]>,
    /// Whether there are values in its runs that constants of one kind only can stand for.
    #[cfg_attr(not(feature = "cache"), allow(dead_code))]
    pub(super) takes_one_kind: bool,
    /// With places in the key.
    pub(super) warnings: Box<[Warning]>,
    pub(super) shares_nodes: bool,
    /// Of all SQL of the shape, if its constants do not count.
    pub(super) fingerprint: Option<Fingerprint>,
    /// Found when it is asked for; `None` if the shape does not determine normalized SQL.
    #[cfg(feature = "cache")]
    pub(super) normal: OnceLock<Option<NormalForm>>,
    /// Whether all SQL of the shape names the same.
    #[cfg(feature = "cache")]
    pub(super) same_analysis: bool,
}

/// An item of a run.
pub(super) struct RunForm {
    pub(super) list: Offset,
    pub(super) item: Image,
    pub(super) slots: Box<[ConstantSlot]>,
}

impl BoundForm {
    /// Returns its size on the heap, with what may still be found, for a shape with this key.
    #[cfg_attr(not(feature = "cache"), allow(unused_variables))]
    pub(super) fn size(&self, key: &[u8]) -> usize {
        let Self { image, slots, runs, warnings, .. } = self;
        let items = runs.iter().flatten();
        let items = items.map(|run| run.item.size() + size_of_val(&*run.slots)).sum::<usize>();
        #[cfg(feature = "cache")]
        let normal = NormalForm::max_size(key);
        #[cfg(not(feature = "cache"))]
        let normal = 0;
        image.as_ref().map_or(0, Image::size)
            + normal
            + size_of_val(&**slots)
            + size_of_val(&**runs)
            + items
            + warnings
                .iter()
                .map(|warning| size_of::<Warning>() + warning.heap_size())
                .sum::<usize>()
    }

    /// Returns whether a bound tree has to be checked.
    ///
    /// The parser checks strings that are made of escapes, and the number of nodes if there are any. The default for that
    /// is beyond what SQL can have without shared nodes.
    fn is_checked(&self, shape: &Shape<'_>) -> bool {
        let skeleton = shape.skeleton();
        let is_odd = |place: &ConstantPlace| place.form == ConstantForm::Odd;
        self.shares_nodes
            || shape.options().parser.max_nodes.is_some()
            || skeleton.constants.iter().chain(&skeleton.repeated_constants).any(is_odd)
    }

    /// Returns whether there may be no tree for SQL of the shape.
    #[cfg(feature = "cache")]
    pub(super) fn may_fail(&self, shape: &Shape<'_>) -> bool {
        let has_more = |(form, run): (&Option<RunForm>, &Repeated)| form.is_none() && run.count > 0;
        self.takes_one_kind
            || self.is_checked(shape)
            || self.runs.iter().zip(&shape.skeleton().runs).any(has_more)
    }

    /// Returns the normalized SQL of the shape, if that is known without a parse.
    #[cfg(feature = "cache")]
    pub(super) fn normalized(&self, shape: &Shape<'_>) -> Option<String> {
        let find = || self.find_normal(shape.key(), shape.options());
        self.normal.get_or_init(find).as_ref()?.text(shape)
    }

    pub(super) fn bind(&self, shape: &Shape<'_>, block: Option<Block>) -> Option<Tree> {
        let (skeleton, parser) = (shape.skeleton(), shape.options().parser);
        let mut images = self.image.as_ref().map_or(0, Image::bytes);
        let mut strings = room(&self.slots, &skeleton.constants);
        for (form, run) in self.runs.iter().zip(&skeleton.runs) {
            if run.count > 0 {
                let (form, count) = (form.as_ref()?, run.count as usize);
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
        let mut places = KeyPlaces::new(&skeleton.anchors);
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
                    bind.run(&mut out, main, form.as_ref()?, skeleton, run)?;
                }
            }
        }
        // SAFETY: the first image is that of the list of statements. The strings of all slots have been written, and as many
        // items as there are cells. A slot is one of its image, and its form follows from the field (`SlotFinder`).
        let parts = unsafe { out.finish(self.shares_nodes) };
        let tree = Tree::in_block(parts, warnings, Limits::new(shape.sql(), parser));
        if self.is_checked(shape) {
            tree.check(shape.sql()).ok()?;
        }
        Some(tree)
    }
}

/// Returns the constants of each repeated item.
fn items<'s>(skeleton: &'s Skeleton, run: &Repeated) -> impl Iterator<Item = &'s [ConstantPlace]> {
    let (start, per_item) = (run.constants as usize, run.per_item as usize);
    (0..run.count as usize).map(move |item| {
        let start = start + item * per_item;
        skeleton.repeated_constants.get(start..start + per_item).unwrap_or_default()
    })
}

/// Returns enough room for the strings of slots.
#[inline]
fn room(slots: &[ConstantSlot], constants: &[ConstantPlace]) -> usize {
    let texts = slots.iter().filter(|slot| slot.form.is_text());
    let places = texts.filter_map(|slot| constants.get(slot.constant as usize));
    let places = places.filter(|place| place.kind.has_text());
    // A sign, and a NUL at the end.
    places.map(|place| (place.end - place.start) as usize + 2).sum()
}

impl SlotForm {
    /// Returns the kind of constants that a value in a run can be, unless that is [any](Self::Value).
    pub(super) fn only_kind(self) -> Option<ConstantKind> {
        match self {
            Self::I32 => Some(ConstantKind::Integer),
            Self::Text => Some(ConstantKind::String),
            _ => None,
        }
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::NegativeText | Self::Value)
    }
}

/// Writes a constant of any kind.
#[inline]
fn write_value(
    out: &mut ImageWriter,
    image: Written,
    at: Offset,
    kind: ConstantKind,
    value: &ConstantValue<'_>,
) -> Option<()> {
    match value {
        ConstantValue::Number(number) => out.integer(image, at, i32::try_from(*number).ok()?),
        ConstantValue::Null => out.null(image, at),
        ConstantValue::Boolean(value) => out.boolean(image, at, *value),
        text => {
            let node = match kind {
                ConstantKind::Number => TextNode::Float,
                ConstantKind::String => TextNode::String,
                ConstantKind::BitString | ConstantKind::HexString => TextNode::BitString,
                _ => return None,
            };
            out.text_of(image, at, node, text.parts()?);
        }
    }
    Some(())
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
            if form == SlotForm::Value {
                write_value(out, image, at, place.kind, &value)?;
                continue;
            }
            if place.is_cell && !self.is_of_kind(form, place) {
                return None;
            }
            if let ConstantValue::Number(number) = value {
                let negative = matches!(form, SlotForm::NegativeI32 | SlotForm::NegativeI64);
                let number = if negative { -number } else { number };
                match form {
                    SlotForm::I32 | SlotForm::NegativeI32 => {
                        out.i32(image, at, i32::try_from(number).ok()?);
                    }
                    SlotForm::I64 | SlotForm::NegativeI64 => out.i64(image, at, number),
                    SlotForm::Text | SlotForm::NegativeText | SlotForm::Value => return None,
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

    /// Returns whether a constant can be a value that is of one kind only, which has no sign.
    fn is_of_kind(&self, form: SlotForm, place: ConstantPlace) -> bool {
        let is_signed = self.sql.as_bytes().get(place.start as usize) == Some(&b'-');
        form.only_kind() == Some(place.kind) && !is_signed
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
            let mut places = KeyPlaces::item(anchors, &skeleton.anchors);
            let image = out.image(&form.item, &mut places);
            self.constants(out, image, &form.slots, item)?;
            out.cell(&mut cells, image);
        }
        Some(())
    }
}
