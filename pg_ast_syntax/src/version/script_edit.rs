//! Edits of a script, which parse again only what they touch.

use core::ops::Range;

use pg_ast::{Error, ErrorKind};

use super::pg::seam::{ScriptReader, check_length};
use super::script_regions::{Region, RegionReader, ScriptElement};
use super::script_tree::Script;

/// How far the reader looks back from a statement, in its line.
const LONGEST_LOOK_BACK: usize = 4096;

impl Script {
    /// Replaces a range of the text, in bytes, and parses again what that changes.
    ///
    /// The result is that of parsing the new text from the start. Usually one statement is parsed again; but what follows is, too,
    /// as far as it is read in another way: up to the next quote if a quote has been opened, and up to the end for a change of
    /// `standard_conforming_strings`.
    ///
    /// ```
    /// use pg_ast_syntax::Script;
    ///
    /// let mut script = Script::parse("SELECT 1; SELECT 2; SELECT 3;")?;
    /// let before = script.root();
    /// script.edit(17..18, "2 + 2")?;
    /// assert_eq!(script.text(), "SELECT 1; SELECT 2 + 2; SELECT 3;");
    /// assert_eq!(script.root().green(), Script::parse(script.text())?.root().green());
    /// assert_eq!(before.text(), "SELECT 1; SELECT 2; SELECT 3;");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The range is not one of the text ([`ErrorKind::Edit`]), the new text is too long, or there is not enough memory. The script is
    /// as it was then.
    pub fn edit(&mut self, range: Range<usize>, text: &str) -> Result<(), Error> {
        if self.text.get(range.clone()).is_none() {
            let message = format!("{range:?} is not a range of the text");
            return Err(Error::new(ErrorKind::Edit, message));
        }
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let new = [before, text, after].concat();
        check_length(&new, self.options.parser)?;
        let edit = ScriptEdit { new_end: range.start + text.len(), range };
        if !self.read_touched(&new, &edit)? {
            *self = Self::of(new, self.options)?;
            return Ok(());
        }
        self.text = new;
        Ok(())
    }

    /// Reads what an edit touches; returns false if all has to be read.
    fn read_touched(&mut self, new: &str, edit: &ScriptEdit) -> Result<bool, Error> {
        // The first region that depends on what is replaced, or on what is behind.
        let touched = self.regions.iter().position(|region| region.looked > edit.range.start);
        let touched = touched.and_then(|touched| {
            self.regions[..=touched].iter().rposition(|region| region.state.is_some())
        });
        let Some(first) = touched else { return Ok(false) };
        let from = &self.regions[first];
        let Some(state) = from.state.clone() else { return Ok(false) };
        let mut reader = if from.start == 0 {
            RegionReader::new(new, self.options)
        } else {
            let mut read = self.clean[..from.start].to_owned();
            // A statement there may have replaced the byte before it.
            if read.bytes().next_back().is_some_and(|last| last != from.before) {
                read.pop();
                read.push(char::from(from.before));
            }
            RegionReader::resume(new, &read, self.options, state, from.read_again)
        };
        let (mut regions, mut parts) = (Vec::new(), Vec::new());
        // The first old region that is as it was.
        let mut kept = first;
        while !self.is_as_before(&mut reader, edit, &mut kept) {
            let Some(region) = reader.next(&mut parts)? else {
                kept = self.regions.len();
                break;
            };
            regions.push(region);
        }
        let rest = self.regions.get(kept);
        let spent = reader.read_again();
        let behind = self.read_again - rest.map_or(self.read_again, |rest| rest.read_again);
        let (old, all) = (ScriptReader::budget(self.text.len()), ScriptReader::budget(new.len()));
        if spent + behind >= all || self.read_again >= old {
            return Ok(false);
        }
        let at = reader.at();
        let mut clean = reader.into_clean();
        if let Some(rest) = rest {
            clean.truncate(at);
            if clean.bytes().next_back().is_some_and(|last| last == rest.before) {
                // As the statement there left it.
                let last = self.clean.as_bytes()[rest.start - 1];
                if last != rest.before {
                    clean.pop();
                    clean.push(char::from(last));
                }
            }
            clean.push_str(&self.clean[rest.start..]);
        }
        self.splice(first..kept, regions, parts, edit, spent);
        self.read_again = spent + behind;
        self.clean = clean;
        Ok(true)
    }

    /// Returns whether the rest of the text is read as it was, from an old region on; `next` is where this is looked for.
    fn is_as_before(
        &self,
        reader: &mut RegionReader<'_>,
        edit: &ScriptEdit,
        next: &mut usize,
    ) -> bool {
        let Some(old) = edit.old(reader.at()) else { return false };
        while self.regions.get(*next).is_some_and(|region| region.start < old) {
            *next += 1;
        }
        let Some(region) = self.regions.get(*next).filter(|region| region.start == old) else {
            return false;
        };
        let is_same_state = region.state.is_some() && region.state == reader.state();
        let last = reader.clean().bytes().next_back().unwrap_or(0);
        // The end of a wrong statement depends on the indentation of its line.
        is_same_state
            && last == region.before
            && (last == b'\n'
                || is_same_line(&self.clean.as_bytes()[..old], reader.clean().as_bytes()))
    }

    /// Replaces regions, and their parts of the tree.
    fn splice(
        &mut self,
        replaced: Range<usize>,
        mut regions: Vec<Region>,
        parts: Vec<ScriptElement>,
        edit: &ScriptEdit,
        read_again: usize,
    ) {
        let first = self.regions[replaced.start].parts;
        let rest = self.regions.get(replaced.end);
        let old_end = rest.map_or(self.green.children().len(), |rest| rest.parts);
        let read_before = rest.map_or(0, |rest| rest.read_again);
        let new_end = first + parts.len();
        for region in &mut regions {
            region.parts += first;
        }
        for region in &mut self.regions[replaced.end..] {
            region.start = edit.moved(region.start);
            region.looked = edit.moved(region.looked);
            region.parts = region.parts - old_end + new_end;
            region.read_again = region.read_again - read_before + read_again;
        }
        self.regions.splice(replaced, regions);
        self.green = self.green.splice_children(first..old_end, parts);
    }
}

/// Returns whether two texts end with the same line, but for their last byte.
fn is_same_line(one: &[u8], other: &[u8]) -> bool {
    let bytes = one.iter().rev().zip(other.iter().rev()).skip(1).take(LONGEST_LOOK_BACK);
    let mut count = 1;
    for (one, other) in bytes {
        if one != other {
            return false;
        }
        if *one == b'\n' {
            return true;
        }
        count += 1;
    }
    count > LONGEST_LOOK_BACK || one.len() == other.len()
}

/// What an edit replaces.
struct ScriptEdit {
    range: Range<usize>,
    /// The end of the new text.
    new_end: usize,
}

impl ScriptEdit {
    /// Returns where a place behind it has been before.
    fn old(&self, at: usize) -> Option<usize> {
        Some(at.checked_sub(self.new_end)? + self.range.end)
    }

    /// Returns where a place behind it is now.
    fn moved(&self, at: usize) -> usize {
        at - self.range.end + self.new_end
    }
}
