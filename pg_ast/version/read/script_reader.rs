//! A reader of scripts for concrete trees: their variables may be tokens, so that what is wrong without them can be correct.

use core::ops::Range;

use super::ffi::raw_parse;
use super::names::raw;
use super::recover::Recovery;
use super::script::{Reader, ScriptStmt};
use crate::text::psql::{Mark, PieceEnd, ScriptExtra, ScriptPieces, Setting};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// A script with more savepoints is not read again from there.
const MOST_SAVEPOINTS: usize = 16;

/// Reads a script region by region: a statement, with what comes before it, and the data of a `COPY`.
pub struct ScriptReader<'a> {
    reader: Reader<'a>,
    /// What the reader had left to read again, at the start of the script.
    budget: usize,
    /// The state before the last piece, and its place.
    before: Option<(Mark, usize)>,
}

/// The text of a statement, as far as psql's rules tell.
#[derive(Clone, Debug)]
pub struct ScriptTrial {
    /// From its first token to its last; `None` if it is known to be wrong, or has no token.
    pub range: Option<Range<usize>>,
    /// The options with which it is parsed.
    pub options: ParserOptions,
    /// Whether PostgreSQL's grammar accepts it as it is.
    pub is_correct: bool,
    /// Whether nothing else has to be known of it: it is correct, it ends, and it has no effect on what follows.
    pub is_plain: bool,
    is_sent: bool,
}

/// A statement that has been read.
#[derive(Clone, Debug)]
pub struct ScriptFound {
    /// Its range in the script, without the semicolon.
    pub range: Range<usize>,
    /// The end of what ended it: a semicolon, or a psql command.
    pub sent: Option<usize>,
    /// The options with which it is parsed.
    pub options: ParserOptions,
    /// Why the grammar does not accept it as it is, if that is known.
    pub error: Option<Error>,
    /// The data of a `COPY`.
    pub copy_data: Option<Range<usize>>,
}

/// The end of a region.
#[derive(Clone, Debug)]
pub struct ScriptRegionEnd {
    /// Where the next one begins.
    pub at: usize,
    /// What comes from here on has no effect on it.
    pub looked: usize,
    /// What in it is not for the parser, in order.
    pub extras: Vec<ScriptExtra>,
}

impl<'a> ScriptReader<'a> {
    /// Reads a script from its start.
    #[must_use]
    pub fn new(script: &'a str, options: ParserOptions) -> Self {
        let pieces = ScriptPieces::new(script, raw::PG_VERSION_NUM >= 160_000);
        Self::of(script, pieces, options, &Setting::default())
    }

    /// Goes on at a region. The text before it has been read, as has `read_again` of it; `state` is that before it.
    #[must_use]
    pub fn resume(
        script: &'a str,
        read: &str,
        options: ParserOptions,
        state: &Setting,
        read_again: usize,
    ) -> Self {
        let mut pieces = ScriptPieces::resume(script, read, raw::PG_VERSION_NUM >= 160_000);
        pieces.backslash_escapes = !state.is_on();
        let mut this = Self::of(script, pieces, options, state);
        this.reader.recovery.left = this.budget.saturating_sub(read_again);
        this
    }

    fn of(script: &str, pieces: ScriptPieces<'a>, options: ParserOptions, state: &Setting) -> Self {
        let recovery = Recovery::new(script);
        let budget = recovery.left;
        let conforming_strings = state.clone();
        let reader = Reader { pieces, options, conforming_strings, recovery, sent: None };
        Self { reader, budget, before: None }
    }

    /// Returns how much of a script of this length may be read again.
    #[must_use]
    pub fn budget(length: usize) -> usize {
        Recovery::budget(length)
    }

    /// Returns what has been read again so far.
    #[must_use]
    pub fn read_again(&self) -> usize {
        self.budget - self.reader.recovery.left
    }

    /// Returns the text, with blanks in place of text that was read and is not for the parser.
    #[must_use]
    pub fn text(&self) -> &str {
        self.reader.pieces.text()
    }

    /// Returns the same without a copy.
    #[must_use]
    pub fn into_text(self) -> String {
        self.reader.pieces.into_text()
    }

    /// Returns what has been read of this region that is not for the parser.
    #[must_use]
    pub fn extras(&self) -> &[ScriptExtra] {
        &self.reader.pieces.extras
    }

    /// Returns the state before the next region, if the text from there on tells everything else.
    #[must_use]
    pub fn state(&self) -> Option<&Setting> {
        let setting = &self.reader.conforming_strings;
        let is_all =
            !self.reader.pieces.has_data_ahead() && setting.savepoints() <= MOST_SAVEPOINTS;
        is_all.then_some(setting)
    }

    /// Begins a region at a place.
    pub fn begin_region(&mut self, at: usize) {
        // The first one has been looked at for a byte order mark.
        self.reader.pieces.looked = at.max('\u{FEFF}'.len_utf8());
    }

    /// Ends the region behind the statement that has been read, if there is one.
    pub fn end_region(&mut self) -> ScriptRegionEnd {
        let pieces = &mut self.reader.pieces;
        pieces.pass_data();
        let at = pieces.at();
        let extras = pieces.extras.extract_if(.., |extra| extra.range.start < at).collect();
        ScriptRegionEnd { at, looked: pieces.looked.max(at), extras }
    }

    /// Reads the text of the next statement; `None` if there is none. The statement is read by [`take`](Self::take) or
    /// [`stmt`](Self::stmt) then.
    pub fn trial(&mut self) -> Option<ScriptTrial> {
        let reader = &mut self.reader;
        self.before = Some((reader.pieces.mark(), reader.pieces.at()));
        let piece = reader.read(reader.recovery.is_on())?;
        let options = reader.options();
        let range = piece.range.filter(|_| piece.ended != PieceEnd::Refused);
        let is_sent = piece.ended == PieceEnd::Sent;
        let (mut is_correct, mut is_plain) = (false, false);
        if let Some(range) = &range {
            let (sql, _) = reader.pieces.for_parser(range);
            is_correct = raw_parse(sql, options).is_ok();
            is_plain = is_correct && is_sent && !reader.has_effect(range);
        }
        Some(ScriptTrial { range, options, is_correct, is_plain, is_sent })
    }

    /// Takes the text of [`trial`](Self::trial) for a statement, which is correct, or would be with other tokens.
    pub fn take(&mut self, range: Range<usize>, trial: &ScriptTrial) -> ScriptFound {
        let reader = &mut self.reader;
        let sent = trial.is_sent.then_some(reader.pieces.at());
        reader.begin_session();
        let mut copy_data = None;
        if !trial.is_plain {
            // There may be data behind it.
            let result = Err(Error::new(ErrorKind::Syntax, ""));
            let stmt = ScriptStmt { range: range.clone(), result, copy_data: None };
            copy_data = reader.follow(&stmt);
        }
        ScriptFound { range, sent, options: trial.options, error: None, copy_data }
    }

    /// Goes back to where [`trial`](Self::trial) began, and reads the statement as it is.
    pub fn stmt(&mut self) -> Option<ScriptFound> {
        let reader = &mut self.reader;
        let (mark, at) = self.before.take()?;
        reader.pieces.go_back(&mark, at);
        let stmt = reader.next()?;
        let (options, sent) = (reader.options(), reader.sent);
        let copy_data = reader.follow(&stmt);
        let (range, error) = (stmt.range, stmt.result.err());
        Some(ScriptFound { range, sent, options, error, copy_data })
    }
}
