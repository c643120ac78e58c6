//! Images of trees: a compact tree that can be written at any place, for SQL with other constants.
//!
//! In an image, pointers are offsets, and locations are places in the key of a shape. Bits tell where they are. An image
//! is made from the block of a compact tree, whose pointers all point into it.

mod bound_values;

use core::marker::PhantomData;
use core::mem::{MaybeUninit, offset_of};
use core::{ptr, slice};

pub(crate) use self::bound_values::TextNode;
use super::super::compact::{Block, Word};
use super::super::ffi::Parse;
use super::names::raw;
use super::{Cells, ContentInC, FieldInC, StructInC};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::bits::Bits;
use crate::text::skeleton::Anchor;

const WORD: usize = size_of::<Word>();
/// The words that are copied at once: the C library copies more by an instruction that takes long to begin.
const PIECE: usize = 1024 / WORD;
/// The unit of the places of locations.
const PLACE: usize = size_of::<i32>();

/// Pointers are copied as words where this is true; other systems have templates for no SQL.
pub(crate) const HAS_IMAGES: bool = size_of::<*const u8>() == WORD;

/// A tree, or a part of one, that can be written at any place. Its root is at its start.
pub(crate) struct Image {
    words: Box<[MaybeUninit<Word>]>,
    /// The words that are pointers.
    pointers: Bits,
    /// The numbers that are locations.
    places: Bits,
    /// The statements with a length; their ends are in its place.
    lengths: Box<[u32]>,
}

impl Image {
    /// Returns its size on the heap.
    pub(crate) fn size(&self) -> usize {
        self.bytes() + self.pointers.size() + self.places.size() + size_of_val(&*self.lengths)
    }

    /// Returns the bytes that it takes in a block.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * WORD
    }
}

/// A place in an image: an offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offset(u32);

/// Makes an image from a compact tree.
pub(crate) struct ImageMaker<'b> {
    image: Image,
    start: *const u8,
    lengths: Vec<u32>,
    /// The words that are pointers to strings, with their lengths.
    texts: Vec<(usize, usize)>,
    block: PhantomData<&'b Block>,
}

impl<'b> ImageMaker<'b> {
    pub(crate) fn new(block: &'b Block) -> Self {
        let words = block.words();
        let image = Image {
            words: words.into(),
            pointers: Bits::new(words.len()),
            places: Bits::new(words.len() * (WORD / PLACE)),
            lengths: Box::default(),
        };
        let start = words.as_ptr().cast();
        Self { image, start, lengths: Vec::new(), texts: Vec::new(), block: PhantomData }
    }

    /// Returns the offset of a place in the tree; `None` if it is elsewhere or does not fit.
    fn offset(&self, at: *const u8, bytes: usize) -> Option<usize> {
        let offset = at.addr().checked_sub(self.start.addr())?;
        let fits =
            offset.checked_add(bytes)? <= self.image.bytes() && u32::try_from(offset).is_ok();
        fits.then_some(offset)
    }

    /// Returns the offset of a field.
    #[allow(clippy::cast_possible_truncation, reason = "it has been compared")]
    pub(crate) fn place_of(&self, field: FieldInC<'b>, bytes: usize) -> Option<Offset> {
        self.offset(field.at, bytes).map(|offset| Offset(offset as u32))
    }

    /// Notes a pointer, which is not null, to something of so many bytes.
    fn pointer(&mut self, at: *const u8, target: *const u8, bytes: usize) -> Option<()> {
        let (at, target) = (self.offset(at, WORD)?, self.offset(target, bytes)?);
        if at % WORD != 0 {
            return None;
        }
        self.image.words[at / WORD] = MaybeUninit::new(target as Word);
        self.image.pointers.set(at / WORD, true);
        Some(())
    }

    /// Notes the pointer in a field, if there is one.
    pub(crate) fn field(&mut self, field: FieldInC<'b>) -> Option<()> {
        let (target, bytes) = match field.content() {
            ContentInC::Text(text) => {
                let Some(string) = text.bytes() else { return Some(()) };
                self.pointer(field.at, text.get().cast(), string.len() + 1)?;
                self.texts.push((self.offset(field.at, WORD)? / WORD, string.len()));
                return Some(());
            }
            ContentInC::Node(Some(node)) | ContentInC::Child(Some(node)) => {
                let bytes = match (node.structure(), node.as_list()) {
                    (Some(structure), _) => structure.structure.size.into(),
                    (_, Some(_)) => size_of::<raw::List>(),
                    _ => return None,
                };
                (node.as_ptr().cast(), bytes)
            }
            ContentInC::List(Some(list)) => (list.as_ptr().cast(), size_of::<raw::List>()),
            ContentInC::Set(Some(set)) => {
                let bytes = offset_of!(raw::Bitmapset, words) + size_of_val(set.words());
                (set.as_ptr().cast(), bytes)
            }
            _ => return Some(()),
        };
        self.pointer(field.at, target, bytes)
    }

    /// Notes the pointers of a list.
    pub(crate) fn list(&mut self, list: InC<'b, raw::List>) -> Option<Offset> {
        let at = list.as_ptr().cast::<u8>();
        let place = self.offset(at, size_of::<raw::List>())?;
        let Cells { cells, .. } = list.cells();
        let elements = cells.as_ptr().cast::<u8>();
        if !cells.is_empty() {
            let slot = at.wrapping_byte_add(offset_of!(raw::List, elements));
            self.pointer(slot, elements, size_of_val(cells))?;
        }
        for (index, node) in list.cells().nodes().iter().enumerate() {
            let Some(node) = node else { continue };
            let slot = elements.wrapping_byte_add(index * size_of::<raw::ListCell>());
            self.pointer(slot, node.as_ptr().cast(), size_of::<raw::Node>())?;
        }
        u32::try_from(place).ok().map(Offset)
    }

    /// Notes a location, which is this place in the key.
    pub(crate) fn location(&mut self, field: FieldInC<'b>, key: u32) -> Option<()> {
        let at = self.offset(field.at, PLACE)?;
        if at % PLACE != 0 {
            return None;
        }
        self.image.places.set(at / PLACE, true);
        let word: *mut i32 = (&raw mut self.image.words[at / WORD]).cast();
        // SAFETY: a half of the word, which the struct has as a number.
        unsafe { word.wrapping_byte_add(at % WORD).write(key.cast_signed()) };
        Some(())
    }

    /// Notes the length of a statement, which ends at this place in the key.
    pub(crate) fn length(
        &mut self,
        stmt: StructInC<'b>,
        field: FieldInC<'b>,
        end: u32,
    ) -> Option<()> {
        self.location(field, end)?;
        let at = self.offset(stmt.at, size_of::<raw::RawStmt>())?;
        self.lengths.push(u32::try_from(at).ok()?);
        Some(())
    }

    /// Leaves a pointer to a string to whoever writes the image.
    pub(crate) fn leave_text(&mut self, Offset(at): Offset) {
        self.image.pointers.set(at as usize / WORD, false);
    }

    /// Returns the image.
    ///
    /// # Safety
    ///
    /// All pointers of the tree have been noted, those that are left to the writer as well; only numbers have been noted as
    /// locations; and the tree's root is at the start of the block.
    pub(crate) unsafe fn finish(mut self) -> Image {
        self.share_strings();
        Image { lengths: self.lengths.into_boxed_slice(), ..self.image }
    }

    /// Makes equal strings one, and one that ends like another a part of that; strings that were left are none.
    ///
    /// Names come several times in a tree, and strings are behind all nodes: the image becomes shorter.
    fn share_strings(&mut self) {
        let Self { image, texts, .. } = self;
        // SAFETY: all words with a bit have been written.
        #[allow(clippy::cast_possible_truncation, reason = "it was a usize")]
        let target = |word: usize| unsafe { image.words[word].assume_init() } as usize;
        let Some(start) = texts.iter().map(|(word, _)| target(*word)).min() else { return };
        texts.retain(|(word, _)| image.pointers.has(*word));
        let string = |(word, length): (usize, usize)| {
            let start: *const u8 = image.words.as_ptr().cast();
            // SAFETY: the string is in the image, as was compared, and initialised.
            unsafe { slice::from_raw_parts(start.add(target(word)), length) }
        };
        // The longest one of those with the same end comes first.
        texts.sort_unstable_by(|a, b| string(*b).iter().rev().cmp(string(*a).iter().rev()));
        let mut strings: Vec<u8> = Vec::new();
        let mut places = Vec::with_capacity(texts.len());
        let mut last: &[u8] = &[];
        for text in texts.iter() {
            let string = string(*text);
            if strings.is_empty() || !last.ends_with(string) {
                strings.extend_from_slice(string);
                strings.push(0);
                last = string;
            }
            places.push(start + strings.len() - 1 - string.len());
        }
        for ((word, _), place) in texts.iter().zip(places) {
            image.words[*word] = MaybeUninit::new(place as Word);
        }
        let bytes = start + strings.len();
        // What becomes shorter: a string is written once at most.
        if bytes > image.bytes() {
            unreachable!("strings that are longer than they were");
        }
        let end: *mut u8 = image.words.as_mut_ptr().cast();
        // SAFETY: there is room for so many bytes.
        unsafe { ptr::copy_nonoverlapping(strings.as_ptr(), end.add(start), strings.len()) };
        let words = bytes.div_ceil(WORD);
        image.words = image.words[..words].into();
        image.pointers.truncate(words);
        image.places.truncate(words * (WORD / PLACE));
    }
}

/// The places of a key in SQL.
#[derive(Clone, Copy)]
pub(crate) struct KeyPlaces<'a> {
    anchors: &'a [Anchor],
    /// Those of all SQL, for places before an item of a run.
    all: &'a [Anchor],
    /// Before this place of the key, places are the same.
    same: u32,
    last: usize,
}

impl<'a> KeyPlaces<'a> {
    pub(crate) fn new(anchors: &'a [Anchor]) -> Self {
        let same = anchors.first().map_or(u32::MAX, |anchor| anchor.key);
        Self { anchors, all: anchors, same, last: 0 }
    }

    /// Returns the places of an item of a run.
    pub(crate) fn item(anchors: &'a [Anchor], all: &'a [Anchor]) -> Self {
        Self { anchors, all, same: 0, last: 0 }
    }

    /// Returns whether all places are those of the key.
    fn are_equal(&self) -> bool {
        self.anchors.is_empty()
    }

    /// Returns the place in the SQL.
    #[inline]
    pub(crate) fn text(&mut self, key: u32) -> u32 {
        if key < self.same {
            return key;
        }
        // Places near each other are mostly next to each other in the tree, too.
        let anchor = match self.anchors.get(self.last..) {
            Some([anchor, next, ..]) if anchor.key <= key && key < next.key => *anchor,
            Some([anchor]) if anchor.key <= key => *anchor,
            Some([_, anchor, rest @ ..])
                if anchor.key <= key && rest.first().is_none_or(|next| key < next.key) =>
            {
                self.last += 1;
                *anchor
            }
            _ => return self.search(key),
        };
        key - anchor.key + anchor.text
    }

    fn search(&mut self, key: u32) -> u32 {
        let after = self.anchors.partition_point(|anchor| anchor.key <= key);
        if let Some(index) = after.checked_sub(1) {
            self.last = index;
            let anchor = self.anchors[index];
            return key - anchor.key + anchor.text;
        }
        let after = self.all.partition_point(|anchor| anchor.key <= key);
        let anchor =
            after.checked_sub(1).map_or(Anchor { key: 0, text: 0 }, |index| self.all[index]);
        key - anchor.key + anchor.text
    }
}

/// A block into which images are written.
pub(crate) struct ImageWriter {
    block: Block,
    used: usize,
    /// The end of the room for images.
    images: usize,
    /// The end of the strings, which are behind that.
    strings: usize,
}

/// An image in a block.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    at: usize,
    bytes: usize,
}

impl ImageWriter {
    /// Returns a block for so many bytes, in the memory of another one if there is enough of it.
    pub(crate) fn new(images: usize, strings: usize, used: Option<Block>) -> Self {
        let bytes = images.saturating_add(strings);
        let block = used.filter(|block| block.size() >= bytes).unwrap_or_else(|| Block::new(bytes));
        Self { block, used: 0, images, strings: images }
    }

    fn start(&mut self) -> *mut u8 {
        self.block.start()
    }

    /// Takes room for so many bytes, in words.
    fn take(&mut self, bytes: usize) -> usize {
        let at = self.used;
        self.used = at.saturating_add(bytes.next_multiple_of(WORD));
        // Memory safety depends on it.
        assert!(self.used <= self.images, "an image that is larger than it was");
        at
    }

    /// Writes an image.
    pub(crate) fn image(&mut self, image: &Image, places: &mut KeyPlaces<'_>) -> Written {
        let bytes = image.bytes();
        let at = self.take(bytes);
        let start = self.start();
        // SAFETY: there is room for the image (the block has at least that for all images), which nobody else refers to.
        let root = unsafe {
            let root = start.add(at);
            let mut to = root.cast::<MaybeUninit<Word>>();
            for piece in image.words.chunks(PIECE) {
                ptr::copy_nonoverlapping(piece.as_ptr(), to, piece.len());
                to = to.add(piece.len());
            }
            root
        };
        image.pointers.for_each(|index| {
            // SAFETY: the words of an image with a bit are offsets in it, for words in it.
            unsafe {
                let slot = root.add(index * WORD);
                let offset = slot.cast::<usize>().read();
                slot.cast::<*mut u8>().write(root.add(offset));
            }
        });
        if !places.are_equal() {
            image.places.for_each(|index| {
                // SAFETY: the numbers of an image with a bit are locations, in it.
                unsafe {
                    let slot = root.add(index * PLACE).cast::<u32>();
                    slot.write(places.text(slot.read()));
                }
            });
        }
        for &offset in &image.lengths {
            // SAFETY: a statement is there.
            unsafe {
                let stmt = root.add(offset as usize).cast::<raw::RawStmt>();
                let start = (&raw const (*stmt).stmt_location).read();
                let length = &raw mut (*stmt).stmt_len;
                length.write(length.read().wrapping_sub(start));
            }
        }
        Written { at, bytes }
    }

    /// Returns a field of an image that is in the block.
    fn slot(&mut self, image: Written, Offset(offset): Offset, bytes: usize) -> *mut u8 {
        let offset = offset as usize;
        assert!(offset + bytes <= image.bytes, "a field beyond its image");
        self.start().wrapping_byte_add(image.at + offset)
    }

    /// Writes a number.
    pub(crate) fn i32(&mut self, image: Written, at: Offset, value: i32) {
        // SAFETY: the field is in the block, and all fields are aligned.
        unsafe { self.slot(image, at, size_of::<i32>()).cast::<i32>().write(value) };
    }

    /// Writes a number.
    pub(crate) fn i64(&mut self, image: Written, at: Offset, value: i64) {
        // SAFETY: as above.
        unsafe { self.slot(image, at, size_of::<i64>()).cast::<i64>().write(value) };
    }

    /// Writes a string, the parts of which have no NUL, and a pointer to it.
    #[inline]
    pub(crate) fn text<'t>(
        &mut self,
        image: Written,
        at: Offset,
        parts: impl Iterator<Item = &'t [u8]>,
    ) {
        let slot = self.slot(image, at, WORD);
        let (start, size) = (self.start(), self.block.size());
        let begin = self.strings;
        let mut end = begin;
        for part in parts {
            assert!(part.len() < size - end, "no room for a string");
            // SAFETY: there is room for the part and a NUL.
            unsafe { ptr::copy_nonoverlapping(part.as_ptr(), start.add(end), part.len()) };
            end += part.len();
        }
        assert!(end < size, "no room for a string");
        // SAFETY: as above; and the field is a pointer in the block.
        unsafe {
            start.add(end).write(0);
            slot.cast::<*mut u8>().write(start.add(begin));
        }
        self.strings = end + 1;
    }

    /// Replaces the only cell of a list by so many, and returns them.
    pub(crate) fn cells(&mut self, image: Written, list: Offset, count: usize) -> NewCells {
        let slot = self.slot(image, list, size_of::<raw::List>()).cast::<raw::List>();
        let at = self.take(count.saturating_mul(size_of::<raw::ListCell>()));
        let length = i32::try_from(count).unwrap_or(i32::MAX);
        let start = self.start();
        // SAFETY: there is a list with a cell, and there is room for so many cells.
        unsafe {
            let cells = start.add(at).cast::<raw::ListCell>();
            let elements = &raw mut (*slot).elements;
            if count > 0 {
                cells.write(elements.read().read());
            }
            elements.write(cells);
            (&raw mut (*slot).length).write(length);
            (&raw mut (*slot).max_length).write(length);
        }
        NewCells { at, count, next: 1 }
    }

    /// Makes the next cell point to an image.
    pub(crate) fn cell(&mut self, cells: &mut NewCells, item: Written) {
        assert!(cells.next < cells.count, "more items than cells");
        let start = self.start();
        // SAFETY: the cell and the image are in the block.
        unsafe {
            let cell = start.add(cells.at).cast::<raw::ListCell>().add(cells.next);
            (&raw mut (*cell).ptr_value).write(start.add(item.at).cast());
        }
        cells.next += 1;
    }

    /// Returns the tree whose list of statements is the first image.
    ///
    /// # Safety
    ///
    /// The first image in the block is that of a list of statements; all strings that were left have been written, and all
    /// cells; and each offset was that of a field of its type, in the image that it was used with. `shares_nodes` says whether a node may have several parents.
    pub(crate) unsafe fn finish(mut self, shares_nodes: bool) -> (Parse, Block) {
        let list = if self.used == 0 { ptr::null() } else { self.start().cast_const() };
        // SAFETY: an image is that of a whole tree, and the caller guarantees what was left out. It is in the block.
        let parse = unsafe { Parse::in_other_memory(list.cast(), shares_nodes) };
        (parse, self.block)
    }
}

/// The cells of a list in a block.
pub(crate) struct NewCells {
    at: usize,
    count: usize,
    next: usize,
}
