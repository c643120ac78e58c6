//! The layout of a statement: its tokens with what stands between them, in groups.

/// A step of the printer.
#[derive(Clone, Copy)]
pub(crate) enum Op {
    /// A group begins, which is on one line if it fits.
    Open(Group),
    Close,
    Gap(Gap),
    /// The index of a token.
    Token(u32),
}

#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) indent: Indent,
    /// Whether it is broken in any case.
    pub(crate) always: bool,
    /// The index of its end.
    pub(crate) close: u32,
}

impl Group {
    pub(crate) fn new(indent: Indent) -> Self {
        Self { indent, always: false, close: 0 }
    }
}

/// Where lines begin in a group that is broken.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Indent {
    /// Where the line begins on which the group does.
    No,
    /// One level deeper.
    Level,
    /// In the column in which the group begins; `AND` and `OR` end before it.
    Column,
    /// The words that begin lines end where the first one does, and what follows them begins behind that.
    River,
}

/// What is between two tokens.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub(crate) break_: Break,
    /// Whether there is a blank if no line begins.
    pub(crate) blank: bool,
    /// The level of the line that begins.
    pub(crate) level: Level,
}

/// The level of a line, for what is in a group.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Level {
    /// That of the line on which the group begins.
    Outside,
    Inside,
    /// One deeper: it continues a line.
    Continued,
}

/// Where a line begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Break {
    /// Nowhere: `N'..'` is one thing.
    Glue,
    /// Only if a token does not fit.
    Never,
    /// If what follows does not fit, up to the next place where a line may begin.
    Fill,
    /// If the group is broken.
    Group,
}

/// A place where a line begins if what follows does not fit.
pub(crate) const FILL: Gap = Gap { break_: Break::Fill, blank: true, level: Level::Continued };
/// The same, on the level of the group.
pub(crate) const FILL_INSIDE: Gap = Gap { level: Level::Inside, ..FILL };
/// A place where a line begins if the group around it is broken.
pub(crate) const LINE: Gap = Gap { break_: Break::Group, blank: true, level: Level::Inside };
/// The same, on the level on which the group begins.
pub(crate) const OUTSIDE: Gap = Gap { level: Level::Outside, ..LINE };
/// A blank.
pub(crate) const BLANK: Gap = Gap { break_: Break::Never, ..LINE };
/// Nothing.
pub(crate) const NOTHING: Gap = Gap { blank: false, ..BLANK };
