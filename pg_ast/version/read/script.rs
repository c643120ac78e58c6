//! Whole scripts, with their errors.

use core::borrow::Borrow;
use core::ops::Range;

use super::names::protobuf::{CopyStmt, DiscardMode, TransactionStmtKind, VariableSetKind};
use super::names::{NodeEnum, raw};
use super::parse::{ParseResult, parse_at};
use super::recover::{Recovery, viable};
use crate::text::psql::data::is_copy_from_stdin;
use crate::text::psql::{PieceEnd, ScriptPiece, ScriptPieces, Setting};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;
use crate::types::text::CheckedStmt;

/// A statement of a script.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ScriptStmt {
    /// Its range in the script, in bytes: from its first token to its last, without the
    /// semicolon. psql commands and `COPY` data between its tokens are in this range, but not in
    /// the tree.
    pub range: Range<usize>,
    /// Its tree, or its error. Locations, and the error's cursor, are byte offsets into
    /// the whole script. The cursor is in the range of the statement, or at its end; if only its semicolon is missing,
    /// in the next statement.
    pub result: Result<ParseResult, Error>,
    /// The range of the data in the script, if it is a `COPY .. FROM STDIN` with data: whole lines, up to and including
    /// the `\.`, or up to the end of the script. They begin on the line after that of the `COPY`, so other statements may
    /// come first.
    pub copy_data: Option<Range<usize>>,
}

impl ScriptStmt {
    /// Returns the SQL of the statement.
    ///
    /// # Panics
    ///
    /// Panics if `script` is not the script that the statement comes from.
    #[must_use]
    pub fn text<'a>(&self, script: &'a str) -> &'a str {
        &script[self.range.clone()]
    }
}

/// Parses a script, statement by statement, for programs that continue after an error, such as linters and editors.
///
/// Statements are delimited as by psql:
///
/// - A semicolon ends one, outside of quotes, comments, parentheses, and the body of an SQL function
///   after `BEGIN ATOMIC`. So does `\;`.
/// - A backslash outside of quotes and comments begins a psql command, which is skipped with its
///   arguments: up to the end of the line, `\\` or the next command. A command that sends the statement
///   (`\g`, `\gx`, `\gset`, `\gexec`, `\gdesc`, `\crosstabview`, `\watch`, and those of pipelines) ends
///   the statement, and `\r` drops it. After any other command the statement continues.
/// - The lines after a `COPY .. FROM STDIN` are data and are skipped, up to one that is `\.`, or else to the end of the
///   script. The rest of its own line is not data. The same holds for `\copy .. from stdin`. After a `COPY` that is wrong
///   (as one with a variable of psql is here), lines are data only if there is a `\.`, and no other `COPY .. FROM STDIN`
///   before it; psql itself would run them as SQL.
/// - After `SET standard_conforming_strings = off`, a backslash in `'..'` is an escape, until the setting is reset or
///   set again, or until the end of its transaction reverts it.
/// - A byte order mark at the beginning is skipped.
///
/// The server's state and psql's variables are not known here: statements in all branches of an `\if` are read,
/// and so is the text after `\q`; `:name` stays as it is, which is usually an error; `set_config` has no effect.
///
/// Each statement of the script is parsed by itself; an error in one does not affect the others. If
/// [`parse`](super::super::parse()) accepts the whole script, and no line of it is data, the trees are those that it returns, except
/// that the location and length of a statement are those of its range.
///
/// A statement that is wrong may lack its semicolon, or the end of a parenthesis or quote, so psql would treat what
/// follows as part of it. It ends at the first of these places, or else where psql would end it:
///
/// - At a semicolon in parentheses, or in the body of an SQL function, where PostgreSQL's grammar accepts none.
/// - At a line that begins with a keyword that can begin a statement, if the grammar does not accept it there, and
///   a correct statement begins there. The line must not be indented further than the wrong statement.
///   The same holds after a semicolon in parentheses that are open up to the end of the script.
/// - At such a line within quotes or a comment, if they are not terminated in the script, or if the text from there
///   on consists of correct statements to beyond the end of the quotes. After a semicolon, the line may be
///   indented. Lines between two equal dollar quotes are not looked at, unless a correct statement covers the second one.
///
/// Its error is that of its own text. If that is correct, since only the semicolon is missing, the error is in the next
/// statement. A comment without an end is an error of the statement before it, or one of its own.
///
/// Time is linear in the length of the script. To find the ends of wrong statements, up to 16 times the length of the script is
/// read again; after that they end where psql would end them.
///
/// ```
/// let script = "\\set x 1\nSELECT 1;\nSELEC 2;\nCOPY t FROM stdin;\n1\t'\n\\.\nSELECT 3";
/// let stmts = pg_ast::parse_script(script);
/// let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(script)).collect();
/// assert_eq!(texts, ["SELECT 1", "SELEC 2", "COPY t FROM stdin", "SELECT 3"]);
/// assert_eq!(stmts[1].result.as_ref().unwrap_err().cursor(), Some(19));
/// assert_eq!(stmts[3].result.as_ref().unwrap().protobuf.stmts[0].stmt_location, 54);
///
/// // Neither the parenthesis nor the quote takes what follows.
/// let script = "SELECT (1;\nSELECT 'a;\nSELECT 'b';\nSELECT 3";
/// let stmts = pg_ast::parse_script(script);
/// let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(script)).collect();
/// assert_eq!(texts, ["SELECT (1", "SELECT 'a;", "SELECT 'b'", "SELECT 3"]);
/// assert!(stmts[2].result.is_ok() && stmts[3].result.is_ok());
/// ```
#[must_use]
pub fn parse_script(script: &str) -> Vec<ScriptStmt> {
    parse_script_with(script, ParserOptions::default())
}

/// Like [`parse_script`], with options for each statement; but `standard_conforming_strings` is what the script sets.
///
/// ```
/// use pg_ast::{ErrorKind, ParserOptions};
///
/// let script = "SELECT (1 + 2) * 3; SELECT 1";
/// let stmts = pg_ast::parse_script_with(script, ParserOptions::default().max_depth(4));
/// assert_eq!(stmts[0].result.as_ref().unwrap_err().kind(), ErrorKind::TooDeep);
/// assert!(stmts[1].result.is_ok());
/// ```
#[must_use]
pub fn parse_script_with(script: &str, options: impl Borrow<ParserOptions>) -> Vec<ScriptStmt> {
    let mut reader = Reader {
        pieces: ScriptPieces::new(script, raw::PG_VERSION_NUM >= 160_000),
        options: *options.borrow(),
        conforming_strings: Setting::default(),
        recovery: Recovery::new(script),
        sent: None,
    };
    let mut stmts = Vec::new();
    while let Some(mut stmt) = reader.next() {
        stmt.copy_data = reader.follow(&stmt);
        stmts.push(stmt);
    }
    stmts
}

/// A reader of the statements of a script.
pub(crate) struct Reader<'a> {
    pub(crate) pieces: ScriptPieces<'a>,
    pub(crate) options: ParserOptions,
    pub(crate) conforming_strings: Setting,
    pub(crate) recovery: Recovery,
    /// The end of what ended the last statement: a semicolon, or a psql command.
    pub(crate) sent: Option<usize>,
}

impl Reader<'_> {
    /// Reads the next statement, without its data.
    pub(crate) fn next(&mut self) -> Option<ScriptStmt> {
        let mark = self.pieces.mark();
        let mut piece = self.read(self.recovery.is_on())?;
        let mut result = self.parse(piece.range.as_ref());
        let mut sent = None;
        while self.recovery.is_on() && is_wrong(&piece, result.as_ref()) {
            let options = self.options();
            let start = piece.start()?;
            let Some(cut) = self.recovery.cut(&mut self.pieces, &mark, &piece, options) else {
                if !piece.has_places() {
                    break;
                }
                // The statement ends where its tokens say.
                let is_whole = piece.ended != PieceEnd::Refused;
                self.pieces.go_back(&mark, start);
                piece = self.read(false)?;
                if is_whole {
                    break;
                }
                result = self.parse(piece.range.as_ref());
                continue;
            };
            self.pieces.go_back(&mark, start);
            let before = self.pieces.next_before(cut.end, cut.next)?;
            let range = start..self.pieces.text()[..end_of(&before, cut.end)].trim_end().len();
            // Possibly only the semicolon is missing.
            let alone = self.parse(Some(&range));
            if alone.as_ref().is_some_and(Result::is_err) {
                result = alone;
            }
            piece.range = Some(range);
            piece.literals.clear();
            sent = Some((cut.next > cut.end).then_some(cut.next));
            break;
        }
        // A comment that nothing ends contains the rest of the script.
        if let Some(open) = open_comment(&piece) {
            let start = piece.start()?;
            let range = start..self.pieces.text()[..open.end].trim_end().len();
            result = self.parse(Some(&range));
            piece.range = Some(range);
        }
        let is_sent = piece.ended == PieceEnd::Sent;
        self.sent = sent.unwrap_or_else(|| is_sent.then_some(self.pieces.at()));
        self.begin_session();
        Some(ScriptStmt { range: piece.range?, result: result?, copy_data: None })
    }

    /// Reads the next piece. It may end early, if it is known to be wrong.
    pub(crate) fn read(&mut self, may_end_early: bool) -> Option<ScriptPiece> {
        let options = self.options();
        self.pieces.next(&mut |text| !may_end_early || viable(text, options))
    }

    /// Applies the effect of a command that connects.
    pub(crate) fn begin_session(&mut self) {
        if core::mem::take(&mut self.pieces.reconnected) {
            self.conforming_strings = Setting::default();
        }
    }

    /// Returns the options for the next statement, unless it follows a command that connects.
    pub(crate) fn options(&self) -> ParserOptions {
        let is_on = self.pieces.reconnected || self.conforming_strings.is_on();
        self.options.standard_conforming_strings(is_on)
    }

    /// Parses the text in a range, if the range is known.
    fn parse(&mut self, range: Option<&Range<usize>>) -> Option<Result<ParseResult, Error>> {
        let options = self.options();
        let range = range?;
        let (text, offset) = self.pieces.for_parser(range);
        // Beyond 2 GiB there are no locations, and no parser that takes such a text.
        let result = parse_at(i32::try_from(offset).unwrap_or(i32::MAX), text, options)
            .map(|tree| tree.moved(offset, range))
            .map_err(|error| {
                // The grammar has errors at no node's location, or at offset 0 where a location is missing.
                let cursor = error.cursor().map_or(range.start, |cursor| cursor + offset);
                error.moved(offset).with_cursor(Some(cursor.clamp(range.start, range.end)))
            });
        Some(result)
    }

    /// Returns whether a statement that has just been read is wrong, and seems to be a `COPY .. FROM STDIN`.
    pub(crate) fn is_wrong_copy(&self, stmt: &ScriptStmt) -> bool {
        let text = self.pieces.text();
        stmt.result.is_err()
            && text[..self.pieces.at()].ends_with(';')
            && is_copy_from_stdin(&text[stmt.range.clone()])
    }

    /// Applies the effects of a statement on those that follow, and returns the range of its data.
    pub(crate) fn follow(&mut self, stmt: &ScriptStmt) -> Option<Range<usize>> {
        let Ok(tree) = &stmt.result else {
            return if self.is_wrong_copy(stmt) {
                self.pieces.skip_data_of_wrong_copy()
            } else {
                None
            };
        };
        let mut data = None;
        for stmt in tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()) {
            match &stmt.node {
                Some(NodeEnum::CopyStmt(copy)) if is_from_stdin(copy) => {
                    data = self.pieces.skip_copy_data();
                }
                Some(node) => follow(&mut self.conforming_strings, node),
                None => {}
            }
        }
        self.pieces.backslash_escapes = !self.conforming_strings.is_on();
        data
    }
}

/// Returns whether a piece may end elsewhere: PostgreSQL rejects it, or a comment after it is unterminated.
fn is_wrong(piece: &ScriptPiece, result: Option<&Result<ParseResult, Error>>) -> bool {
    match result {
        Some(Err(error)) => error.kind() == ErrorKind::Syntax,
        Some(Ok(_)) => open_comment(piece).is_some(),
        None => true,
    }
}

/// Returns the comment after the last token of a piece that does not end.
fn open_comment(piece: &ScriptPiece) -> Option<&Range<usize>> {
    let is_behind =
        |last: &Range<usize>| piece.range.as_ref().is_none_or(|range| range.end <= last.start);
    piece.literals.last().filter(|last| is_behind(last))
}

/// Returns the end of the last token of a piece, or of a comment that continues after it.
fn end_of(piece: &ScriptPiece, end: usize) -> usize {
    let open = piece.literals.last().filter(|literal| literal.end == end).map(|_| end);
    open.or(piece.range.as_ref().map(|range| range.end)).unwrap_or(end)
}

/// Like [`parse_script_with`], without the types of this version.
pub(crate) fn checked_stmts(script: &str, options: ParserOptions) -> Vec<CheckedStmt> {
    let checked = parse_script_with(script, options).into_iter().map(|stmt| CheckedStmt {
        range: stmt.range,
        result: stmt.result.map(|mut tree| std::mem::take(&mut tree.warnings)),
        copy_data: stmt.copy_data,
    });
    checked.collect()
}

impl ParseResult {
    /// Moves the places of warnings with the text, and sets a statement's place and length to those of its
    /// range.
    fn moved(mut self, offset: usize, range: &Range<usize>) -> Self {
        for warning in &mut self.warnings {
            let cursor = warning.cursor.map(|cursor| cursor + offset);
            warning.cursor = cursor.map(|cursor| cursor.clamp(range.start, range.end));
        }
        let to_i32 = |place| i32::try_from(place).unwrap_or(i32::MAX);
        let (start, end) = (to_i32(range.start), to_i32(range.end));
        for stmt in &mut self.protobuf.stmts {
            if stmt.stmt_location == 0 && start > 0 {
                // Before 18, the first statement begins with the text, at the blank.
                stmt.stmt_location = start;
                stmt.stmt_len = (stmt.stmt_len - 1).max(0);
            }
            if stmt.stmt_len == 0 {
                // That is: to the end of the text.
                stmt.stmt_len = end - stmt.stmt_location;
            }
        }
        self
    }
}

/// Returns whether the data comes from the script itself.
fn is_from_stdin(copy: &CopyStmt) -> bool {
    copy.is_from && !copy.is_program && copy.filename.is_empty()
}

/// Applies the effect of a statement on `standard_conforming_strings`.
fn follow(setting: &mut Setting, stmt: &NodeEnum) {
    use TransactionStmtKind as Transaction;
    match stmt {
        NodeEnum::VariableSetStmt(set) => {
            let named = set.name.eq_ignore_ascii_case("standard_conforming_strings");
            let value = match set.kind() {
                VariableSetKind::VarSetValue if named => boolean(&set.args),
                VariableSetKind::VarSetDefault | VariableSetKind::VarReset if named => Some(true),
                VariableSetKind::VarResetAll => Some(true),
                _ => None,
            };
            if let Some(on) = value {
                setting.set(on, set.is_local);
            }
        }
        NodeEnum::DiscardStmt(discard) if discard.target() == DiscardMode::DiscardAll => {
            setting.discard_all();
        }
        NodeEnum::TransactionStmt(stmt) => match stmt.kind() {
            Transaction::TransStmtBegin | Transaction::TransStmtStart => setting.begin(),
            Transaction::TransStmtCommit => setting.end(true, stmt.chain),
            Transaction::TransStmtPrepare => setting.end(true, false),
            Transaction::TransStmtRollback => setting.end(false, stmt.chain),
            Transaction::TransStmtSavepoint => setting.savepoint(&stmt.savepoint_name),
            Transaction::TransStmtRelease => setting.release(&stmt.savepoint_name),
            Transaction::TransStmtRollbackTo => setting.rollback_to(&stmt.savepoint_name),
            _ => {}
        },
        _ => {}
    }
}

/// Returns the value of a boolean setting, by the rules of `parse_bool` in PostgreSQL's `bool.c`: a word may be cut
/// short while it is unambiguous. `None` if it is not a boolean, which is an error in the server.
fn boolean(args: &[super::names::Node]) -> Option<bool> {
    use super::names::protobuf::a_const::Val;
    let [arg] = args else { return None };
    let Some(NodeEnum::AConst(value)) = &arg.node else { return None };
    let word = match value.val.as_ref()? {
        Val::Sval(text) => text.sval.to_ascii_lowercase(),
        Val::Ival(number) => number.ival.to_string(),
        _ => return None,
    };
    let is = |whole: &str, shortest: usize| word.len() >= shortest && whole.starts_with(&word);
    if is("true", 1) || is("yes", 1) || is("on", 2) || word == "1" {
        Some(true)
    } else if is("false", 1) || is("no", 1) || is("off", 2) || word == "0" {
        Some(false)
    } else {
        None
    }
}
