//! Constants of any kind in images: all of an `A_Const` but its location is written.

use core::mem::offset_of;

use super::super::super::macros::field;
use super::super::names::raw;
use super::super::names::raw::NodeTag;
use super::super::{ContentInC, FieldInC, StructInC};
use super::{ImageMaker, ImageWriter, Offset, WORD, Written};

/// The nodes with a string that a constant can be.
#[derive(Clone, Copy)]
pub(crate) enum TextNode {
    Float,
    String,
    BitString,
}

/// Where an `A_Const` has the pointer to its string.
#[allow(clippy::cast_possible_truncation, reason = "a struct is small")]
const TEXT: u32 = {
    let text = offset_of!(raw::String, sval);
    assert!(offset_of!(raw::Float, fval) == text && offset_of!(raw::BitString, bsval) == text);
    (offset_of!(raw::A_Const, val) + text) as u32
};

impl<'b> ImageMaker<'b> {
    /// Returns the offset of an `A_Const` whose value is a whole number; `None` for another one, or for another struct.
    pub(crate) fn place_of_integer(&self, constant: StructInC<'b>) -> Option<Offset> {
        let typed = constant.typed::<raw::A_Const, { NodeTag::T_A_Const.0 }>()?;
        let value = match FieldInC::content(constant.field("val")?) {
            ContentInC::Constant(value) => value?.structure()?,
            _ => return None,
        };
        let is_integer = value.table().tag == NodeTag::T_Integer.0 && !field!(typed.isnull).get();
        let offset = self.offset(constant.at, size_of::<raw::A_Const>())?;
        if !is_integer || offset % WORD != 0 {
            return None;
        }
        u32::try_from(offset).ok().map(Offset)
    }
}

impl ImageWriter {
    /// Returns an `A_Const` whose place is from [`ImageMaker::place_of_integer`].
    fn constant(&mut self, image: Written, at: Offset) -> *mut raw::A_Const {
        self.slot(image, at, size_of::<raw::A_Const>()).cast()
    }

    /// Makes an `A_Const` a whole number.
    #[inline]
    pub(crate) fn integer(&mut self, image: Written, at: Offset, value: i32) {
        let constant = self.constant(image, at);
        // SAFETY: the constant is in the block, and an `Integer`.
        unsafe { (&raw mut (*constant).val.ival.ival).write(value) };
    }

    /// Makes an `A_Const` a truth value.
    pub(crate) fn boolean(&mut self, image: Written, at: Offset, boolval: bool) {
        let constant = self.constant(image, at);
        // SAFETY: the constant is in the block. Nothing else reads the bytes of the number behind the value.
        unsafe {
            (&raw mut (*constant).val.boolval)
                .write(raw::Boolean { type_: NodeTag::T_Boolean, boolval });
        }
    }

    /// Makes an `A_Const` null.
    pub(crate) fn null(&mut self, image: Written, at: Offset) {
        let constant = self.constant(image, at);
        // SAFETY: the constant is in the block, and a node may have no tag where there is no value.
        unsafe {
            (&raw mut (*constant).val).write_bytes(0, 1);
            (&raw mut (*constant).isnull).write(true);
        }
    }

    /// Makes an `A_Const` a node of this tag with a string: one of those that [`TEXT`] is right for.
    #[inline]
    pub(crate) fn text_of<'t>(
        &mut self,
        image: Written,
        at: Offset,
        kind: TextNode,
        parts: impl Iterator<Item = &'t [u8]>,
    ) {
        let constant = self.constant(image, at);
        let tag = match kind {
            TextNode::Float => NodeTag::T_Float,
            TextNode::String => NodeTag::T_String,
            TextNode::BitString => NodeTag::T_BitString,
        };
        // SAFETY: the constant is in the block; the pointer is written below, where each of these nodes has it.
        unsafe { (&raw mut (*constant).val.sval.type_).write(tag) };
        let Offset(at) = at;
        self.text(image, Offset(at + TEXT), parts);
    }
}
