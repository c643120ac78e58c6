//! A whole script, with whatever is wrong in it.

use core::ops::Range;

use super::NodeEnum;
use super::parse::{ParseResult, parse_at};
use crate::error::Error;
use crate::options::ParserOptions;
use crate::script::Pieces;

/// A statement of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptStmt {
    /// Where it stands in the script, in bytes: from its first token to its last, without the
    /// semicolon.
    pub range: Range<usize>,
    /// Its tree, or what is wrong with it. Locations, and the error's cursor, are byte offsets into
    /// the whole script.
    pub result: Result<ParseResult, Error>,
}

impl ScriptStmt {
    /// The statement's text.
    ///
    /// # Panics
    ///
    /// `script` is not the text that the statement is of.
    #[must_use]
    pub fn text<'a>(&self, script: &'a str) -> &'a str {
        &script[self.range.clone()]
    }
}

/// Parses a script, statement by statement, for programs that have to go on after an error: linters,
/// editors.
///
/// What a statement is follows psql:
///
/// - A semicolon ends one, outside of quotes, comments, parentheses, and the body of an SQL function
///   after `BEGIN ATOMIC`.
/// - A backslash outside of quotes and comments begins a command for psql: it ends the statement
///   before it, and is passed over with the rest of its line. (`\;` is passed over alone.)
/// - The lines after a `COPY .. FROM STDIN` up to one that is `\.` are data, and passed over, if the
///   statement is correct and there is such a line.
/// - After `SET standard_conforming_strings = off`, a backslash in `'..'` escapes.
///
/// Each statement of the script's is parsed apart; one that is wrong does not touch the others.
/// What psql puts in place of its variables (`:name`) is not known here, and mostly an error.
///
/// ```
/// let script = "\\set x 1\nSELECT 1;\nSELEC 2;\nCOPY t FROM stdin;\n1\t'\n\\.\nSELECT 3";
/// let stmts = pg_ast::parse_script(script);
/// let texts: Vec<_> = stmts.iter().map(|stmt| stmt.text(script)).collect();
/// assert_eq!(texts, ["SELECT 1", "SELEC 2", "COPY t FROM stdin", "SELECT 3"]);
/// assert_eq!(stmts[1].result.as_ref().unwrap_err().cursor(), Some(19));
/// assert_eq!(stmts[3].result.as_ref().unwrap().protobuf.stmts[0].stmt_location, 54);
/// ```
#[must_use]
pub fn parse_script(script: &str) -> Vec<ScriptStmt> {
    let mut pieces = Pieces::new(script);
    let mut options = ParserOptions::default();
    let mut stmts = Vec::new();
    while let Some(range) = pieces.next() {
        // Beyond 2 GiB there are no locations, and no parser that takes such a text.
        let offset = i32::try_from(range.start).unwrap_or(i32::MAX);
        let result = parse_at(offset, &script[range.clone()], options)
            .map(|tree| tree.moved(range.start))
            .map_err(|error| error.moved(range.start));
        if let Ok(tree) = &result {
            for stmt in tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()) {
                match &stmt.node {
                    Some(NodeEnum::CopyStmt(copy)) if copy.is_from && copy.filename.is_empty() => {
                        pieces.skip_copy_data();
                    }
                    Some(NodeEnum::VariableSetStmt(set))
                        if set.name == "standard_conforming_strings" =>
                    {
                        let on = !is_off(&set.args);
                        options = options.standard_conforming_strings(on);
                        pieces.backslash_escapes = !on;
                    }
                    _ => {}
                }
            }
        }
        stmts.push(ScriptStmt { range, result });
    }
    stmts
}

impl ParseResult {
    /// The warnings' places move with the text.
    fn moved(mut self, offset: usize) -> Self {
        for warning in &mut self.warnings {
            warning.cursor = warning.cursor.map(|cursor| cursor + offset);
        }
        self
    }
}

/// Whether the value of a setting is one of PostgreSQL's words for no (`parse_bool` in bool.c).
fn is_off(args: &[super::Node]) -> bool {
    use super::protobuf::a_const::Val;
    let Some(NodeEnum::AConst(value)) = args.first().and_then(|arg| arg.node.as_ref()) else {
        return false;
    };
    match &value.val {
        Some(Val::Sval(text)) => {
            ["off", "false", "no", "0", "f", "n"].contains(&&*text.sval.to_ascii_lowercase())
        }
        Some(Val::Ival(number)) => number.ival == 0,
        Some(Val::Boolval(value)) => !value.boolval,
        _ => false,
    }
}
