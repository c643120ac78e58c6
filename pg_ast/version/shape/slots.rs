//! Finds the slots of a template: two trees of one shape are walked together, and what differs is a constant or a location,
//! or the shape does not determine the tree.

use std::collections::{HashMap, HashSet};

use super::names::raw;
use super::names::raw::NodeTag;
use super::view::macros::field;
use super::view::memory::images::{Image, ImageMaker, KeyPlaces, Offset};
use super::view::memory::{ContentInC, FieldInC, StructInC};
use crate::convert::c_tree::in_c::InC;
use crate::text::skeleton::Anchor;
use crate::types::shape_options::{ConstantKind, ConstantPlace};

/// The way a constant is in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotForm {
    I32,
    NegativeI32,
    I64,
    NegativeI64,
    Text,
    NegativeText,
    /// All of an `A_Const` but its location.
    Value,
}

/// A field with a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstantSlot {
    pub(super) at: Offset,
    /// Its index in the skeleton, or in an item.
    pub(super) constant: u32,
    pub(super) form: SlotForm,
}

/// A constant of the other tree, by its value.
#[derive(Clone, Copy)]
pub(super) struct KnownConstant<'v> {
    pub(super) index: u32,
    pub(super) kind: ConstantKind,
    /// Its value in the first tree.
    pub(super) value: &'v [u8],
}

/// What is known of the two texts.
pub(super) struct Texts<'v> {
    /// The anchors of the first one.
    pub(super) anchors: &'v [Anchor],
    /// Its constants.
    pub(super) places: &'v [ConstantPlace],
    /// Those of the other one.
    pub(super) other: &'v [Anchor],
    /// The constants of the other one.
    pub(super) constants: HashMap<Vec<u8>, KnownConstant<'v>>,
}

impl Texts<'_> {
    /// Returns the place in the key; `None` within a constant.
    pub(super) fn key_of(&self, text: u32) -> Option<u32> {
        place_in_key(self.anchors, text)
    }

    /// Returns the index of the value of an item that begins at a location.
    fn cell(&self, location: i32) -> Option<u32> {
        let start = u32::try_from(location).ok()?;
        let index = self.places.binary_search_by_key(&start, |place| place.start).ok()?;
        self.places[index].is_cell.then_some(u32::try_from(index).ok()?)
    }
}

/// Returns the place in the key; `None` within a constant.
pub(super) fn place_in_key(anchors: &[Anchor], text: u32) -> Option<u32> {
    let after = anchors.partition_point(|anchor| anchor.text <= text);
    let start = Anchor { key: 0, text: 0 };
    let anchor = after.checked_sub(1).map_or(start, |index| anchors[index]);
    let key = text - anchor.text + anchor.key;
    // What precedes an anchor in the key is a byte for a constant or for layout.
    anchors.get(after).is_none_or(|next| key < next.key).then_some(key)
}

/// A list of one item that is longer in the other tree.
#[derive(Clone, Copy)]
pub(super) struct RunList<'a, 'b> {
    pub(super) list: Offset,
    pub(super) item: InC<'a, raw::Node>,
    pub(super) other: InC<'b, raw::Node>,
    /// The length of the other list.
    pub(super) length: usize,
}

enum Pair<'a, 'b> {
    Structs(StructInC<'a>, StructInC<'b>),
    Nodes(InC<'a, raw::Node>, InC<'b, raw::Node>),
}

/// Walks two trees, the first of which is compact.
pub(super) struct SlotFinder<'a, 'b, 'v> {
    maker: ImageMaker<'a>,
    texts: &'v Texts<'v>,
    slots: Vec<ConstantSlot>,
    runs: Vec<RunList<'a, 'b>>,
    /// The last of the locations, as a place in the key: fields that are not set can have 0.
    place: Option<u32>,
    rest: Vec<Pair<'a, 'b>>,
    /// The nodes of the first tree that have been visited, if some have several parents.
    seen: Option<HashSet<*const raw::Node>>,
}

/// What has been found.
pub(super) struct ConstantSlots<'a, 'b> {
    pub(super) image: Image,
    pub(super) constants: Vec<ConstantSlot>,
    pub(super) runs: Vec<RunList<'a, 'b>>,
    /// The last place in the key of any of the nodes.
    pub(super) place: Option<u32>,
}

impl<'a, 'b, 'v> SlotFinder<'a, 'b, 'v> {
    pub(super) fn new(maker: ImageMaker<'a>, texts: &'v Texts<'v>, shares_nodes: bool) -> Self {
        let seen = shares_nodes.then(HashSet::new);
        let (slots, runs, rest) = (Vec::new(), Vec::new(), Vec::new());
        Self { maker, texts, slots, runs, place: None, rest, seen }
    }

    /// Walks two nodes; `None` if they differ in more than constants and locations.
    pub(super) fn nodes(
        mut self,
        a: InC<'a, raw::Node>,
        b: InC<'b, raw::Node>,
    ) -> Option<ConstantSlots<'a, 'b>> {
        self.rest.push(Pair::Nodes(a, b));
        while let Some(pair) = self.rest.pop() {
            match pair {
                Pair::Structs(a, b) => self.structs(a, b)?,
                Pair::Nodes(a, b) => self.node(a, b)?,
            }
        }
        let Self { maker, slots, runs, place, .. } = self;
        // SAFETY: each node below the first one has been visited, with all of its fields (`structs`) and cells (`lists`), or
        // this has returned; a value has no pointers (`value`). `number` notes numbers alone. A compact tree has its list of statements at its start, and a part
        // its root.
        let image = unsafe { maker.finish() };
        Some(ConstantSlots { image, constants: slots, runs, place })
    }

    fn node(&mut self, a: InC<'a, raw::Node>, b: InC<'b, raw::Node>) -> Option<()> {
        if let Some(seen) = &mut self.seen
            && !seen.insert(a.as_ptr())
        {
            return Some(());
        }
        match (a.structure(), b.structure()) {
            (Some(a), Some(b)) => self.structs(a, b),
            (None, None) => self.lists(a.as_list()?, b.as_list()?),
            _ => None,
        }
    }

    fn lists(&mut self, a: InC<'a, raw::List>, b: InC<'b, raw::List>) -> Option<()> {
        let list = self.maker.list(a)?;
        if field!(a.type_).get() != field!(b.type_).get() {
            return None;
        }
        if field!(a.type_).get() != NodeTag::T_List {
            return (a.len() == b.len() && a.cells().items().eq(b.cells().items())).then_some(());
        }
        let (mut items, mut others) = (a.cells().nodes().iter(), b.cells().nodes().iter());
        if a.len() == b.len() {
            for pair in items.zip(others) {
                match pair {
                    (Some(a), Some(b)) => self.rest.push(Pair::Nodes(a, b)),
                    (None, None) => {}
                    _ => return None,
                }
            }
        } else {
            if a.len() != 1 {
                return None;
            }
            let (item, other) = (items.next()??, others.next()??);
            self.runs.push(RunList { list, item, other, length: b.len() });
            self.rest.push(Pair::Nodes(item, other));
        }
        Some(())
    }

    fn structs(&mut self, a: StructInC<'a>, b: StructInC<'b>) -> Option<()> {
        if a.table().tag != b.table().tag {
            return None;
        }
        if self.value(a, b)? {
            return Some(());
        }
        for (field_a, field_b) in a.in_order().zip(b.in_order()) {
            use ContentInC as Is;
            self.maker.field(field_a)?;
            let same = match (field_a.content(), field_b.content()) {
                (Is::Nothing, Is::Nothing) => true,
                (Is::Bool(a), Is::Bool(b)) => a == b,
                (Is::I16(a), Is::I16(b)) => a == b,
                (Is::I32(x), Is::I32(y)) => {
                    self.number(a, b, field_a, (x, y))?;
                    true
                }
                (Is::I64(x), Is::I64(y)) => {
                    if x != y {
                        self.slot(field_a, (x, y), [SlotForm::I64, SlotForm::NegativeI64])?;
                    }
                    true
                }
                (Is::U64(a), Is::U64(b)) => a == b,
                (Is::F64(a), Is::F64(b)) => a.to_bits() == b.to_bits(),
                (Is::Char(a), Is::Char(b)) => a.get() == b.get(),
                (Is::U32(a), Is::U32(b)) | (Is::Enumeration(_, a), Is::Enumeration(_, b)) => a == b,
                (Is::Text(x), Is::Text(y)) => match (x.bytes(), y.bytes()) {
                    (Some(x), Some(y)) => {
                        if x != y {
                            self.text(field_a, x, y)?;
                        }
                        true
                    }
                    (x, y) => x == y,
                },
                (Is::List(a), Is::List(b)) => match (a, b) {
                    (Some(a), Some(b)) => {
                        self.lists(a, b)?;
                        true
                    }
                    (a, b) => a.is_none() && b.is_none(),
                },
                (Is::Node(a) | Is::Child(a), Is::Node(b) | Is::Child(b)) => match (a, b) {
                    (Some(a), Some(b)) => {
                        self.rest.push(Pair::Nodes(a, b));
                        true
                    }
                    (a, b) => a.is_none() && b.is_none(),
                },
                (Is::Set(a), Is::Set(b)) => {
                    a.map(InC::<raw::Bitmapset>::words) == b.map(InC::<raw::Bitmapset>::words)
                }
                (Is::Embedded(a), Is::Embedded(b)) => {
                    self.rest.push(Pair::Structs(a, b));
                    true
                }
                (Is::Constant(a), Is::Constant(b)) => match (a, b) {
                    (Some(a), Some(b)) => {
                        self.rest.push(Pair::Structs(a.structure()?, b.structure()?));
                        true
                    }
                    (a, b) => a.is_none() && b.is_none(),
                },
                _ => false,
            };
            if !same {
                return None;
            }
        }
        Some(())
    }

    /// Handles a constant that is the value of an item, for which one of any kind can stand. Returns whether it is one.
    fn value(&mut self, a: StructInC<'a>, b: StructInC<'b>) -> Option<bool> {
        let constant = a.typed::<raw::A_Const, { NodeTag::T_A_Const.0 }>();
        let constant = constant.map(|constant| self.texts.cell(field!(constant.location).get()));
        let Some(Some(index)) = constant else { return Some(false) };
        // The short SQL has a whole number there, so no pointer is left out.
        let at = self.maker.place_of_integer(a)?;
        for (field_a, field_b) in a.in_order().zip(b.in_order()) {
            if let (ContentInC::I32(x), ContentInC::I32(y)) = (field_a.content(), field_b.content())
            {
                self.number(a, b, field_a, (x, y))?;
            }
        }
        self.slots.push(ConstantSlot { at, constant: index, form: SlotForm::Value });
        Some(true)
    }

    /// Handles a number, which may be a location.
    fn number(
        &mut self,
        a: StructInC<'a>,
        b: StructInC<'b>,
        field: FieldInC<'a>,
        (x, y): (i32, i32),
    ) -> Option<()> {
        let name = field.table().name;
        let name = name.as_str();
        if name == "stmt_len" {
            return self.length(a, b, field, (x, y));
        }
        if field.table().is_location() {
            return match u32::try_from(x) {
                Ok(place) => {
                    let key = self.texts.key_of(place)?;
                    self.expect(key, y)?;
                    self.place = self.place.max(Some(key));
                    self.maker.location(field, key)
                }
                Err(_) => (x == y).then_some(()),
            };
        }
        if x == y {
            return Some(());
        }
        self.slot(field, (x.into(), y.into()), [SlotForm::I32, SlotForm::NegativeI32])
    }

    /// Checks the place in the other text.
    fn expect(&self, key: u32, place: i32) -> Option<()> {
        let found = KeyPlaces::new(self.texts.other).text(key);
        (u32::try_from(place) == Ok(found)).then_some(())
    }

    fn length(
        &mut self,
        a: StructInC<'a>,
        b: StructInC<'b>,
        field: FieldInC<'a>,
        (x, y): (i32, i32),
    ) -> Option<()> {
        if x == 0 || y == 0 {
            return (x == y).then_some(());
        }
        let stmt = a.typed::<raw::RawStmt, { NodeTag::T_RawStmt.0 }>()?;
        let other = b.typed::<raw::RawStmt, { NodeTag::T_RawStmt.0 }>()?;
        let end = field!(stmt.stmt_location).get().checked_add(x)?;
        let key = self.texts.key_of(u32::try_from(end).ok()?)?;
        self.expect(key, field!(other.stmt_location).get().checked_add(y)?)?;
        self.maker.length(a, field, key)
    }

    /// Handles a number that is a constant.
    fn slot(
        &mut self,
        field: FieldInC<'a>,
        (x, y): (i64, i64),
        [positive, negative]: [SlotForm; 2],
    ) -> Option<()> {
        let found = self.texts.constants.get(y.unsigned_abs().to_string().as_bytes())?;
        let is_same = x.unsigned_abs().to_string().as_bytes() == found.value && (x < 0) == (y < 0);
        let is_number = matches!(found.kind, ConstantKind::Integer | ConstantKind::Parameter);
        if !is_same || !is_number {
            return None;
        }
        let form = if y < 0 { negative } else { positive };
        let bytes = if positive == SlotForm::I64 { size_of::<i64>() } else { size_of::<i32>() };
        let at = self.maker.place_of(field, bytes)?;
        self.slots.push(ConstantSlot { at, constant: found.index, form });
        Some(())
    }

    /// Handles a string that is a constant.
    fn text(&mut self, field: FieldInC<'a>, x: &[u8], y: &[u8]) -> Option<()> {
        let constants = &self.texts.constants;
        let (found, x, form) = match constants.get(y) {
            Some(found) => (found, x, SlotForm::Text),
            None => {
                let found = constants.get(y.strip_prefix(b"-")?)?;
                (found, x.strip_prefix(b"-")?, SlotForm::NegativeText)
            }
        };
        let may_be_negative = found.kind == ConstantKind::Number;
        let is_text = !matches!(found.kind, ConstantKind::Integer | ConstantKind::Parameter);
        if x != found.value || !is_text || (form == SlotForm::NegativeText && !may_be_negative) {
            return None;
        }
        let constant = found.index;
        let at = self.maker.place_of(field, size_of::<usize>())?;
        self.maker.leave_text(at);
        self.slots.push(ConstantSlot { at, constant, form });
        Some(())
    }
}
