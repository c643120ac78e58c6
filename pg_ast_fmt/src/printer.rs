//! Prints a statement in its layout.
//!
//! A group is on one line if it fits, with what follows it up to where a line may begin. Else each of its breaks begins a line.
//! The steps are in one list, so that neither their number nor the depth of groups matters.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::columns::paddings;
use crate::ops::{Break, Gap, Indent, Level, Op};
use crate::options::{Columns, KeywordCase, Options};
use crate::rules::{Shape, TokenRole};
use crate::tree::{Comment, Tree};

/// A comment in a gap.
struct Note {
    comment: Comment,
    /// The number of line ends before it.
    lines: usize,
    /// Whether there was a blank before it.
    blank: bool,
}

/// What the user wrote in a gap.
#[derive(Default)]
struct Written {
    notes: Vec<Note>,
    /// The number of line ends after the last comment.
    lines: usize,
    blank: bool,
}

impl Written {
    /// Whether a line must end here: behind a comment, so that it does not matter where the line begins of a comment that
    /// the next token follows on its line.
    fn must_break(&self) -> bool {
        (self.lines > 0 && !self.notes.is_empty())
            || self.notes.iter().any(|note| note.comment.is_line)
            || self.notes.iter().skip(1).any(|note| note.lines > 0)
    }

    fn has_empty_line(&self) -> bool {
        self.lines > 1 || self.notes.iter().any(|note| note.lines > 1)
    }
}

pub(crate) struct Printer<'a, 't> {
    tree: &'a Tree<'t>,
    options: &'a Options,
    ops: &'a [Op],
    /// What the user wrote in each gap that has comments or an empty line, by the index of its step.
    written: Vec<(usize, Written)>,
    /// The blanks more in gaps before what is aligned, by the index of the step.
    paddings: Vec<(usize, usize)>,
    /// The width of all before a step, if it is on one line.
    flat: Vec<usize>,
    /// The width from a step up to where a line may begin.
    rest: Vec<usize>,
    /// The text of each token, by the index of its step.
    texts: Vec<Cow<'t, str>>,
    eol: &'a str,
    out: String,
    column: usize,
    /// The column from which groups on the line are indented: where it begins, or where it goes on behind a river.
    start: usize,
}

/// The columns of a clause's first word and the blank behind it: `SELECT `.
const RIVER: usize = 7;

/// A group that has begun.
#[derive(Clone, Copy)]
struct OpenGroup {
    is_broken: bool,
    indent: Indent,
    /// The columns of the line on which it begins, and of lines in it.
    outside: usize,
    inside: usize,
}

/// Prints a statement. `behind` is the width of what will follow on its last line.
pub(crate) fn print(
    tree: &Tree<'_>,
    options: &Options,
    ops: &mut [Op],
    eol: &str,
    behind: usize,
) -> String {
    let texts = texts(tree, options, ops);
    let written = written(tree, ops);
    mend_groups(ops, &texts, &written);
    let mut printer = Printer {
        tree,
        options,
        ops,
        written,
        paddings: Vec::new(),
        flat: Vec::new(),
        rest: Vec::new(),
        texts,
        eol,
        out: String::with_capacity(tree.sql.len() * 5 / 4),
        column: 0,
        start: 0,
    };
    printer.measure(behind);
    if options.columns == Columns::Aligned {
        let written = &printer.written;
        let has_comments = |gap| {
            let place = written.binary_search_by_key(&gap, |(index, _)| *index);
            place.is_ok_and(|place| !written[place].1.notes.is_empty())
        };
        let widest = options.width / 3;
        printer.paddings = paddings(tree, printer.ops, &printer.flat, widest, has_comments);
        printer.measure(behind);
    }
    printer.run();
    printer.out
}

/// Returns the text of each token, by the index of its step.
fn texts<'t>(tree: &Tree<'t>, options: &Options, ops: &[Op]) -> Vec<Cow<'t, str>> {
    let mut texts = Vec::with_capacity(ops.len());
    // The nodes around, whether words in them are names, and whether they are not even in names there.
    let mut names: Vec<(u32, bool, bool)> = Vec::new();
    let mut part = 0;
    for op in ops {
        let Op::Token(index) = *op else {
            texts.push(Cow::Borrowed(""));
            continue;
        };
        while part <= index {
            while names.pop_if(|(end, ..)| *end <= part).is_some() {}
            let at = &tree.parts[part as usize];
            if at.is_node {
                let rule = tree.rule(at);
                let is_privilege = names.last().is_some_and(|(.., is_privilege)| *is_privilege);
                let is_name = rule.is_name && !is_privilege;
                names.push((at.next, is_name, rule.shape == Shape::Privilege));
            }
            part += 1;
        }
        let token = &tree.parts[index as usize];
        let text = tree.text(token);
        let is_keyword =
            tree.role(token).is_word() && !names.last().is_some_and(|(_, is_name, _)| *is_name);
        texts.push(match options.keyword_case {
            KeywordCase::Upper if is_keyword => Cow::Owned(text.to_ascii_uppercase()),
            KeywordCase::Lower if is_keyword => Cow::Owned(text.to_ascii_lowercase()),
            _ => Cow::Borrowed(text),
        });
    }
    texts
}

/// Returns what the user wrote in the gaps.
fn written(tree: &Tree<'_>, ops: &[Op]) -> Vec<(usize, Written)> {
    let mut all = Vec::new();
    let mut comments = tree.comments.iter().copied().peekable();
    let mut end = 0_usize;
    let mut gap = None;
    // A body has no empty lines beside its quotes.
    let [first, last] = [tree.quote, tree.sql.len() - tree.quote];
    let lines = |range: Range<usize>| {
        let is_beside_quote = tree.quote > 0 && (range.start == first || range.end == last);
        let text = tree.sql.get(range).unwrap_or_default();
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        (if is_beside_quote { lines.min(1) } else { lines }, !text.is_empty())
    };
    for (index, op) in ops.iter().enumerate() {
        match op {
            Op::Gap(_) => gap = Some(index),
            Op::Token(token) => {
                let token = &tree.parts[*token as usize];
                let mut here = Written::default();
                while let Some(comment) = comments.next_if(|comment| comment.start < token.start) {
                    let (lines, blank) = lines(end..comment.start as usize);
                    here.notes.push(Note { comment, lines, blank });
                    end = comment.end as usize;
                }
                (here.lines, here.blank) = lines(end..token.start as usize);
                if let Some(gap) = gap.take()
                    && (!here.notes.is_empty() || here.has_empty_line())
                {
                    all.push((gap, here));
                }
                end = token.end as usize;
            }
            _ => {}
        }
    }
    all
}

/// Parentheses around so little are not broken.
const SMALL: usize = 8;

/// Breaks the groups with line ends of the user's, and not those that are small.
fn mend_groups(ops: &mut [Op], texts: &[Cow<'_, str>], written: &[(usize, Written)]) {
    let mut written = written.iter().peekable();
    // The groups, and whether there are comments in them.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for index in 0..ops.len() {
        let gap = match ops[index] {
            Op::Open(_) => {
                open.push((index, false));
                continue;
            }
            Op::Close => {
                if let Some((start, has_notes)) = open.pop()
                    && let Op::Open(group) = ops[start]
                {
                    if let Some((_, around)) = open.last_mut() {
                        *around |= has_notes;
                    }
                    if group.always {
                        always(ops, open.last());
                    } else if !has_notes && is_small(ops, texts, start..index) {
                        for op in &mut ops[start..index] {
                            if let Op::Gap(gap) = op
                                && gap.break_ != Break::Glue
                            {
                                gap.break_ = Break::Never;
                            }
                        }
                    }
                }
                continue;
            }
            Op::Token(_) => continue,
            Op::Gap(gap) => gap,
        };
        let Some((_, here)) = written.next_if(|(at, _)| *at == index) else { continue };
        if let Some((_, has_notes)) = open.last_mut() {
            *has_notes |= !here.notes.is_empty();
        }
        if here.must_break() || (here.has_empty_line() && gap.break_ == Break::Group) {
            always(ops, open.last());
        }
    }
}

fn always(ops: &mut [Op], group: Option<&(usize, bool)>) {
    if let Some(Op::Open(group)) = group.and_then(|(index, _)| ops.get_mut(*index)) {
        group.always = true;
    }
}

fn is_small(ops: &[Op], texts: &[Cow<'_, str>], group: Range<usize>) -> bool {
    // Only what is in parentheses: its last gap is on the level outside.
    let is_bracket = matches!(ops[group.end - 1], Op::Gap(Gap { level: Level::Outside, .. }));
    is_bracket && group.len() <= SMALL * 2 && {
        let texts = group.map(|index| texts[index].len());
        texts.sum::<usize>() <= SMALL
    }
}

/// Returns the width of a text, that of its longest line if there are several.
fn width(text: &str) -> usize {
    if text.is_ascii() && !text.contains('\n') {
        return text.len();
    }
    text.split('\n').map(UnicodeWidthStr::width).max().unwrap_or(0)
}

fn first_line_width(text: &str) -> usize {
    text.split_once('\n').map_or_else(|| width(text), |(first, _)| first.width())
}

impl Printer<'_, '_> {
    fn measure(&mut self, behind: usize) {
        let mut flat = 0;
        let mut written = self.written.iter().peekable();
        let mut paddings = self.paddings.iter().peekable();
        self.flat.clear();
        self.flat.reserve(self.ops.len() + 1);
        for (index, op) in self.ops.iter().enumerate() {
            self.flat.push(flat);
            match op {
                Op::Gap(gap) => {
                    flat += usize::from(gap.blank);
                    flat += paddings.next_if(|(at, _)| *at == index).map_or(0, |(_, more)| *more);
                    if let Some((_, here)) = written.next_if(|(at, _)| *at == index) {
                        for note in &here.notes {
                            let is_line = note.comment.is_line;
                            let text = self.tree.comment_text(&note.comment);
                            flat += 1 + if is_line { 0 } else { width(text) };
                        }
                    }
                }
                Op::Token(_) => flat += width(&self.texts[index]),
                Op::Open(_) | Op::Close => {}
            }
        }
        self.flat.push(flat);
        self.rest = vec![behind; self.ops.len() + 1];
        for (index, op) in self.ops.iter().enumerate().rev() {
            let width = self.flat[index + 1] - self.flat[index];
            let text = &self.texts[index];
            self.rest[index] = match op {
                // A line ends in it.
                Op::Token(_) if text.contains('\n') => first_line_width(text),
                Op::Gap(gap) if matches!(gap.break_, Break::Fill | Break::Group) => 0,
                _ => width + self.rest[index + 1],
            };
        }
    }

    fn run(&mut self) {
        let all = OpenGroup { is_broken: true, indent: Indent::No, outside: 0, inside: 0 };
        let mut groups = vec![all];
        let mut written = core::mem::take(&mut self.written).into_iter().peekable();
        for (index, op) in self.ops.iter().enumerate() {
            let here = groups.last().copied().unwrap_or(all);
            match op {
                Op::Open(group) => {
                    let close = group.close as usize;
                    let end = self.flat.get(close).copied().unwrap_or(usize::MAX);
                    let behind = self.rest.get(close).copied().unwrap_or(0);
                    let fits =
                        self.column + (end - self.flat[index]) + behind <= self.options.width;
                    let is_broken = group.always || (here.is_broken && !fits);
                    let (outside, inside) = match group.indent {
                        Indent::No => (self.start, self.start),
                        Indent::Level => (self.start, self.start + self.options.indent),
                        Indent::Column => (self.start, self.column),
                        Indent::River => (self.column, self.column + RIVER),
                    };
                    if is_broken && matches!(group.indent, Indent::Column | Indent::River) {
                        self.start = inside;
                    }
                    groups.push(OpenGroup { is_broken, indent: group.indent, outside, inside });
                }
                Op::Close => {
                    groups.pop();
                }
                Op::Gap(gap) => {
                    let notes = written.next_if(|(at, _)| *at == index).map(|(_, here)| here);
                    self.gap(index, *gap, here, &notes.unwrap_or_default());
                }
                Op::Token(_) => {
                    let text = core::mem::take(&mut self.texts[index]);
                    self.text(&text);
                }
            }
        }
    }

    fn gap(&mut self, index: usize, gap: Gap, group: OpenGroup, here: &Written) {
        let next = self.flat[index + 1] - self.flat[index] + self.rest[index + 1];
        let does_not_fit = self.column + next > self.options.width;
        let deeper = group.inside + self.options.indent;
        let continued = if does_not_fit { self.column_for(index, deeper) } else { None };
        let breaks = match gap.break_ {
            Break::Group => group.is_broken,
            Break::Glue => false,
            _ if !does_not_fit || continued.is_none() => false,
            Break::Fill => group.is_broken,
            Break::Never => {
                let column = self.column + usize::from(gap.blank);
                self.breaks_by_force(index, column, continued.unwrap_or_default())
            }
        };
        let (inside, target) = match gap.level {
            Level::Outside => (group.inside, group.outside),
            Level::Inside => (group.inside, self.beside_river(index, group)),
            Level::Continued => (deeper, deeper),
        };
        let target = self.column_for(index, target).unwrap_or(target);
        let is_clause = group.indent == Indent::River && gap.level == Level::Inside;
        if here.notes.is_empty() {
            if breaks {
                self.line(target, here.lines > 1 && gap.break_ == Break::Group);
                self.start = if is_clause { inside } else { target };
            } else if gap.blank {
                let blanks = self.flat[index + 1] - self.flat[index];
                self.column += blanks;
                self.out.extend(std::iter::repeat_n(' ', blanks));
            }
            return;
        }
        let must_break = here.must_break();
        for (number, note) in here.notes.iter().enumerate() {
            let comment = self.tree.comment_text(&note.comment);
            let after_line = number > 0 && here.notes[number - 1].comment.is_line;
            let begins_line = if number == 0 && !must_break { breaks } else { note.lines > 0 };
            if begins_line || after_line {
                self.line(inside, note.lines > 1);
            } else if note.blank || note.comment.is_line {
                self.text(" ");
            }
            self.text(if note.comment.is_line { comment.trim_ascii_end() } else { comment });
        }
        let ends_line = here.notes.last().is_some_and(|note| note.comment.is_line);
        if ends_line || here.lines > 0 {
            self.line(target, here.lines > 1);
            self.start = if is_clause { inside } else { target };
        } else if here.blank || gap.blank {
            self.text(" ");
        }
    }

    /// The role of the next token, and its width up to the end of its line.
    fn next_token(&self, index: usize) -> Option<(TokenRole, usize)> {
        let steps = self.ops[index..].iter().enumerate();
        let mut tokens = steps.filter_map(|(step, op)| match op {
            Op::Token(token) => Some((index + step, &self.tree.parts[*token as usize])),
            _ => None,
        });
        let (step, token) = tokens.next()?;
        Some((self.tree.role(token), first_line_width(&self.texts[step])))
    }

    /// Whether a token begins a line since it would not fit, though no line should begin there.
    fn breaks_by_force(&self, index: usize, column: usize, next: usize) -> bool {
        let is_sign = matches!(
            self.next_token(index),
            None | Some((
                TokenRole::Comma
                    | TokenRole::Close
                    | TokenRole::CloseBracket
                    | TokenRole::Semicolon,
                _
            ))
        );
        !is_sign && column > next.min(self.deepest())
    }

    /// The column of a line in a group: clauses end beside their river, and so do `AND` and `OR`.
    fn beside_river(&self, index: usize, group: OpenGroup) -> usize {
        match (group.indent, self.next_token(index)) {
            (Indent::Column, Some((TokenRole::Logical, width))) => {
                group.inside.saturating_sub(width + 1)
            }
            (Indent::River, Some((role, width))) if role.is_word() => {
                group.inside.saturating_sub(width + 1).max(group.outside)
            }
            (Indent::River, _) => group.outside,
            _ => group.inside,
        }
    }

    /// The column of a line that begins with the next token, at most this one. `None` if it is too long for any line.
    fn column_for(&self, index: usize, column: usize) -> Option<usize> {
        // With the signs behind it, if there is room for them.
        let Some(left) = self.options.width.checked_sub(self.rest[index + 1]) else {
            let (_, width) = self.next_token(index)?;
            let left = self.options.width.checked_sub(width)?;
            return Some(self.indentation_of(left).min(column));
        };
        Some(if column.min(self.deepest()) <= left { column } else { self.indentation_of(left) })
    }

    /// The whole levels in so many columns.
    fn indentation_of(&self, columns: usize) -> usize {
        columns - columns.checked_rem(self.options.indent).unwrap_or(0)
    }

    /// The column in which a line may begin at most.
    fn deepest(&self) -> usize {
        self.options.width / 2
    }

    fn line(&mut self, column: usize, empty_line: bool) {
        self.out += self.eol;
        if empty_line {
            self.out += self.eol;
        }
        self.start = column;
        self.column = column.min(self.deepest());
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    fn text(&mut self, text: &str) {
        self.out += text;
        match text.rfind('\n') {
            Some(end) => self.column = text[end + 1..].width(),
            None => self.column += width(text),
        }
    }
}
