//! Builds skeletons from the tokens of SQL, and finds runs.

use crate::text::like_item::FirstItem;
use crate::text::plain_scan::{is_in_word, skip_blanks};
use crate::text::skeleton::{
    Anchor, ConstantMarker, OddLayout, RUN, RUN_END, Repeated, Skeleton, short, skip_layout,
};
use crate::types::shape_options::{ConstantForm, ConstantKind, ConstantPlace, ShapeOptions};

/// A run that may be one, as long as its items are equal.
struct OpenRun {
    /// What ends its list; `None` for the rows of `VALUES`.
    close: Option<u8>,
    /// Parentheses that are open in the item.
    depth: usize,
    /// The number of those around a value: one in a row.
    cells: usize,
    /// Where the current item begins in the SQL.
    start: usize,
    /// The first item in the key.
    item: usize,
    /// Its end, once it is known.
    item_end: Option<usize>,
    /// The current item in the key.
    current: usize,
    /// The state when it was opened, to return to if it is no run.
    before: Before,
    found: Repeated,
}

/// The state before a run.
struct Before {
    at: usize,
    copied: usize,
    key: usize,
    constants: usize,
    anchors: usize,
    repeated_constants: usize,
    repeated_anchors: usize,
    item_anchors: usize,
}

/// What a list of items may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListWord {
    In,
    Array,
    Values,
}

/// Builds a skeleton from the tokens of SQL.
pub(crate) struct SkeletonBuilder<'a> {
    sql: &'a [u8],
    out: Skeleton,
    /// SQL up to here is in the key.
    copied: usize,
    run: Option<OpenRun>,
    /// The last word that a run may follow, with its end.
    list_word: Option<(ListWord, usize)>,
    /// Before this place, there is no run.
    no_run_before: usize,
    options: ShapeOptions,
    /// The length of the key after the last gap.
    gap: usize,
    /// Where the last value of an item begins, or the layout before it.
    cell: usize,
}

/// There is room for so many items of a run at once, and so many constants in each.
const MOST_ITEMS: usize = 64;
const MOST_CONSTANTS: usize = 8;

/// Returns whether the parenthesis behind the start of an item is that of a row.
fn is_row(start: &[u8]) -> bool {
    start.is_empty() || start.trim_ascii_end().eq_ignore_ascii_case(b"row")
}

/// Adds an item to a list of usually a few.
#[inline]
fn push<T>(items: &mut Vec<T>, item: T) {
    if items.capacity() == 0 {
        *items = Vec::with_capacity(8);
    }
    items.push(item);
}

impl<'a> SkeletonBuilder<'a> {
    pub(crate) fn new(sql: &'a str, options: ShapeOptions) -> Self {
        // Many statements have no constants, and need no other memory.
        let out = Skeleton { key: Vec::with_capacity(sql.len() + 2), ..Skeleton::default() };
        Self {
            sql: sql.as_bytes(),
            out,
            copied: 0,
            run: None,
            list_word: None,
            no_run_before: 0,
            options,
            gap: usize::MAX,
            cell: usize::MAX,
        }
    }

    /// Copies what comes before a place.
    #[inline]
    fn copy_to(&mut self, end: usize) {
        if let Some(text) = self.sql.get(self.copied..end) {
            self.out.key.extend_from_slice(text);
        }
        self.copied = end;
    }

    /// Continues with the SQL at a place.
    #[inline]
    fn anchor(&mut self, text: usize) {
        self.copied = text;
        let key = self.out.key.len();
        match &self.run {
            Some(run) if run.item_end.is_some() => {
                let key = short(key - run.current + run.item);
                self.out.repeated_anchors.push(Anchor { key, text: short(text) });
            }
            _ => push(&mut self.out.anchors, Anchor { key: short(key), text: short(text) }),
        }
    }

    /// Adds a constant.
    #[inline]
    pub(crate) fn constant(
        &mut self,
        kind: ConstantKind,
        form: ConstantForm,
        start: usize,
        end: usize,
    ) {
        let is_cell = kind != ConstantKind::Parameter && self.is_cell(start);
        let marker = if is_cell { ConstantMarker::Value } else { ConstantMarker::Constant(kind) };
        self.copy_to(start);
        self.out.key.push(marker.byte());
        let place = ConstantPlace { start: short(start), end: short(end), kind, form, is_cell };
        match &self.run {
            Some(run) if run.item_end.is_some() => self.out.repeated_constants.push(place),
            _ => push(&mut self.out.constants, place),
        }
        self.anchor(end);
    }

    /// Returns whether a value of an item of a run begins at a place.
    #[inline]
    pub(crate) fn is_cell(&self, at: usize) -> bool {
        self.run.is_some()
            && (self.cell == at
                || self.cell < at
                    && matches!(skip_layout(self.sql, self.cell), Ok(start) if start == at))
    }

    /// Adds a word in a run, which may be a constant.
    pub(crate) fn word(&mut self, start: usize, end: usize) {
        let kind = self.sql.get(start..end).and_then(ConstantKind::of_word);
        let Some(kind) = kind else { return };
        if self.is_cell(start) {
            self.constant(kind, ConstantForm::Word, start, end);
        }
    }

    /// Adds layout that does not count.
    pub(crate) fn gap(&mut self, start: usize, end: usize) {
        if end - start == 1 && self.sql[start] == b' ' {
            return;
        }
        self.copy_to(start);
        self.out.key.push(b' ');
        self.anchor(end);
        self.gap = self.out.key.len();
    }

    /// Adds a word that a list may follow, by its end.
    #[inline]
    pub(crate) fn list_word(&mut self, word: ListWord, end: usize) {
        if self.options.runs && self.run.is_none() {
            self.list_word = Some((word, end));
        }
    }

    /// Returns whether parentheses matter.
    #[inline]
    pub(crate) fn watches(&self) -> bool {
        self.run.is_some() || self.list_word.is_some()
    }

    /// Returns whether a run is open.
    #[inline]
    pub(crate) fn in_run(&self) -> bool {
        self.run.is_some()
    }

    /// Adds an opening parenthesis or bracket, and returns where to continue.
    pub(crate) fn open(&mut self, at: usize) -> usize {
        if let Some(run) = &mut self.run {
            run.depth += 1;
            if run.depth == 1 && is_row(&self.sql[run.start..at]) {
                run.cells = 1;
                self.cell = at + 1;
            }
            return at + 1;
        }
        let Some((word, end)) = self.list_word.take() else { return at + 1 };
        let bracket = self.sql[at] == b'[';
        let is_next = matches!(skip_layout(self.sql, end), Ok(next) if next == at);
        if !is_next || at < self.no_run_before || bracket != (word == ListWord::Array) {
            return at + 1;
        }
        let (start, close) = match word {
            ListWord::Values => (at, None),
            ListWord::In | ListWord::Array => {
                let Some(start) = self.item_start(at + 1, bracket) else { return at + 1 };
                (start, Some(if bracket { b']' } else { b')' }))
            }
        };
        self.begin_run(if close.is_some() { at + 1 } else { at }, start, close)
    }

    /// Returns where the first item of a list begins, unless it is empty or a query in parentheses.
    ///
    /// `IN ((SELECT 1))` has no list, but `IN ((SELECT 1), (SELECT 2))` has one: the length counts.
    fn item_start(&self, at: usize, bracket: bool) -> Option<usize> {
        let start = skip_layout(self.sql, at).ok()?;
        let mut item = start;
        while self.sql.get(item) == Some(&b'(') {
            item = skip_layout(self.sql, item + 1).ok()?;
        }
        let rest = self.sql.get(item..)?;
        let is_query = [b"select".as_slice(), b"with", b"values", b"table"].iter().any(|word| {
            rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
                && !is_in_word(rest.get(word.len()))
        });
        let is_list = bracket || !is_query;
        (is_list && !matches!(rest, [] | [b')' | b']', ..])).then_some(start)
    }

    /// Opens a run whose first item begins at `start`, with layout from `at` on.
    fn begin_run(&mut self, at: usize, start: usize, close: Option<u8>) -> usize {
        self.copy_to(at);
        let out = &mut self.out;
        let before = Before {
            at,
            copied: self.copied,
            key: out.key.len(),
            constants: out.constants.len(),
            anchors: out.anchors.len(),
            repeated_constants: out.repeated_constants.len(),
            repeated_anchors: out.repeated_anchors.len(),
            item_anchors: out.item_anchors.len(),
        };
        out.key.push(RUN);
        let item = out.key.len();
        let found = Repeated {
            first: short(before.constants),
            per_item: 0,
            constants: short(before.repeated_constants),
            count: 0,
            items: short(before.item_anchors),
        };
        self.anchor(start);
        self.cell = start;
        self.run = Some(OpenRun {
            close,
            depth: 0,
            cells: 0,
            start,
            item,
            item_end: None,
            current: item,
            before,
            found,
        });
        start
    }

    /// Adds a comma, and returns where to continue.
    pub(crate) fn comma(&mut self, at: usize) -> usize {
        match &self.run {
            Some(OpenRun { depth: 0, close: Some(_), .. }) => {}
            Some(run) => {
                if run.depth == run.cells {
                    self.cell = at + 1;
                }
                return at + 1;
            }
            None => return at + 1,
        }
        if !self.end_item(at) {
            return self.no_run(at);
        }
        match skip_layout(self.sql, at + 1) {
            Ok(start) => self.begin_item(start),
            Err(OddLayout) => self.no_run(at),
        }
    }

    /// Adds a closing parenthesis or bracket, and returns where to continue.
    pub(crate) fn close(&mut self, at: usize) -> usize {
        let Some(run) = &mut self.run else { return at + 1 };
        match (run.depth, run.close) {
            (0, Some(close)) if close == self.sql[at] => {
                if !self.end_item(at) {
                    return self.no_run(at);
                }
                self.end_run(at);
                at + 1
            }
            (0, _) => self.no_run(at),
            (1, None) => {
                run.depth = 0;
                if !self.end_item(at + 1) {
                    return self.no_run(at);
                }
                match self.next_row(at + 1) {
                    Some(row) => self.begin_item(row),
                    None => {
                        self.end_run(at + 1);
                        at + 1
                    }
                }
            }
            _ => {
                run.depth -= 1;
                if run.depth < run.cells {
                    run.cells = 0;
                }
                at + 1
            }
        }
    }

    /// Returns where the next row of `VALUES` begins.
    fn next_row(&self, at: usize) -> Option<usize> {
        let comma = skip_layout(self.sql, at).ok()?;
        if self.sql.get(comma) != Some(&b',') {
            return None;
        }
        let row = skip_layout(self.sql, comma + 1).ok()?;
        (self.sql.get(row) == Some(&b'(')).then_some(row)
    }

    /// Begins an item after the first one, and reads all that are plainly like that; returns where to continue.
    fn begin_item(&mut self, mut start: usize) -> usize {
        loop {
            let Some(run) = &mut self.run else { return start };
            run.current = self.out.key.len();
            (run.start, run.cells) = (start, 0);
            self.cell = start;
            self.out.item_anchors.push(short(self.out.repeated_anchors.len()));
            self.anchor(start);
            let Some((end, close)) = self.like_first(start) else { return start };
            start = if close.is_none() {
                let Some(row) = self.next_row(end) else {
                    self.end_run(end);
                    return end;
                };
                row
            } else if self.sql[end] == b',' {
                match skip_layout(self.sql, end + 1) {
                    Ok(next) => next,
                    Err(OddLayout) => return self.no_run(end),
                }
            } else {
                self.end_run(end);
                return end + 1;
            };
        }
    }

    /// Reads an item that is plainly like the first one. Returns its end, which is that of its list or a comma, and what
    /// closes the list.
    fn like_first(&mut self, start: usize) -> Option<(usize, Option<u8>)> {
        let (sql, options) = (self.sql, self.options);
        let run = self.run.as_mut()?;
        let out = &mut self.out;
        let item = FirstItem { key: out.key.get(run.item..run.item_end?)?, start: run.item };
        let (constants, anchors) = (&mut out.repeated_constants, &mut out.repeated_anchors);
        let before = (constants.len(), anchors.len());
        if run.found.count == 0 {
            // As many items of this length as there is SQL for; to grow by and by takes longer.
            let length = (item.key.len() + run.found.per_item as usize).max(1);
            let more = ((sql.len() - start) / length).min(MOST_ITEMS);
            constants.reserve(more * (run.found.per_item as usize).min(MOST_CONSTANTS));
            anchors.reserve(more * (run.found.per_item as usize + 1).min(MOST_CONSTANTS));
        }
        let mut end = item.read(sql, start, options, constants, anchors);
        if let Some(close) = run.close {
            let ends =
                |end: &usize| matches!(sql.get(*end), Some(b',')) || sql.get(*end) == Some(&close);
            end = end.map(|end| skip_blanks(sql, end)).filter(ends);
        }
        match end {
            Some(end) => {
                run.found.count += 1;
                Some((end, run.close))
            }
            None => {
                constants.truncate(before.0);
                anchors.truncate(before.1);
                None
            }
        }
    }

    /// Ends an item; returns false if it is not like the first one.
    fn end_item(&mut self, end: usize) -> bool {
        let mut text_end = end;
        // Layout before a comma does not count.
        while text_end > self.copied
            && matches!(self.sql[text_end - 1], b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
        {
            text_end -= 1;
        }
        self.copy_to(text_end);
        self.copied = end;
        let Some(run) = &mut self.run else { return false };
        let out = &mut self.out;
        if self.gap == out.key.len() {
            out.key.pop();
            match run.item_end {
                Some(_) => out.repeated_anchors.pop(),
                None => out.anchors.pop(),
            };
        }
        self.gap = usize::MAX;
        if let Some(item_end) = run.item_end {
            let (first, current) = out.key.split_at(run.current);
            if &first[run.item..item_end] != current {
                return false;
            }
            out.key.truncate(run.current);
            run.found.count += 1;
        } else {
            run.item_end = Some(out.key.len());
            run.found.per_item = short(out.constants.len()) - run.found.first;
        }
        true
    }

    /// Ends the run, before `at`.
    fn end_run(&mut self, at: usize) {
        if let Some(run) = self.run.take() {
            self.out.runs.push(run.found);
            self.out.key.push(RUN_END);
            self.anchor(at);
        }
    }

    /// Returns to the start of what is not a run, after it turned out up to `at`.
    fn no_run(&mut self, at: usize) -> usize {
        let Some(OpenRun { before, .. }) = self.run.take() else { return at };
        self.no_run_before = at;
        self.copied = before.copied;
        self.gap = usize::MAX;
        let out = &mut self.out;
        out.key.truncate(before.key);
        out.constants.truncate(before.constants);
        out.anchors.truncate(before.anchors);
        out.repeated_constants.truncate(before.repeated_constants);
        out.repeated_anchors.truncate(before.repeated_anchors);
        out.item_anchors.truncate(before.item_anchors);
        // The parenthesis of rows of `VALUES` is a part of the item.
        before.at
    }

    /// Ends the SQL. Returns where to continue if a run has turned out not to be one.
    pub(crate) fn end(&mut self) -> Option<usize> {
        let end = self.sql.len();
        if self.run.is_some() {
            return Some(self.no_run(end));
        }
        self.copy_to(end);
        None
    }

    pub(crate) fn finish(self) -> Skeleton {
        self.out
    }
}
