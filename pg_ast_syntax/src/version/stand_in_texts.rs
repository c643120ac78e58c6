//! The texts of psql's variables and of the placeholders of tools.

use super::pg::seam::lex::is_word;
use crate::script_options::Placeholders;

/// How a stand-in is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StandInForm {
    /// `:name`
    Variable,
    /// `:'name'`
    Literal,
    /// `:"name"`
    Identifier,
    /// `:{?name}`
    Test,
    /// A placeholder that may be an operator behind an operand: `?`, `@name`, `%(name)s`.
    Operand,
    /// Another placeholder, which is nothing else.
    Placeholder,
}

/// The operators that a placeholder may follow without a blank.
const BEFORE_PLACEHOLDERS: &[&str] =
    &["", "=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "||"];

/// Finds stand-ins in SQL.
pub(super) struct StandInTexts<'a> {
    sql: &'a str,
    placeholders: Placeholders,
    /// Where the last `}}` and the last `}` are: no end is searched for behind them, so that many beginnings without an end take
    /// linear time.
    last_braces: Option<usize>,
    last_brace: Option<usize>,
}

impl<'a> StandInTexts<'a> {
    pub(super) fn new(sql: &'a str, placeholders: Placeholders) -> Self {
        let last = |end, is_on: bool| if is_on { sql.rfind(end) } else { None };
        Self {
            sql,
            placeholders,
            last_braces: last("}}", placeholders.braces),
            last_brace: last("}", placeholders.dollar_braces),
        }
    }

    /// Returns the form and the length of the stand-in at a place; `operator` is the part of the same token before it.
    pub(super) fn at(&self, place: usize, operator: &str) -> Option<(StandInForm, usize)> {
        let may_end = |last: Option<usize>| last.is_some_and(|last| last > place);
        let is_allowed = Placeholders {
            braces: may_end(self.last_braces),
            dollar_braces: may_end(self.last_brace),
            ..self.placeholders
        };
        stand_in_at(&self.sql[place..], operator, is_allowed)
    }
}

/// Returns the stand-in that a text begins with, and its length.
fn stand_in_at(
    text: &str,
    operator: &str,
    placeholders: Placeholders,
) -> Option<(StandInForm, usize)> {
    let rest = &text[text.chars().next()?.len_utf8()..];
    let may_follow = BEFORE_PLACEHOLDERS.contains(&operator);
    match text.as_bytes()[0] {
        b':' if operator.is_empty() => variable(rest).map(|(form, length)| (form, 1 + length)),
        b'?' if placeholders.question_marks && may_follow => Some((StandInForm::Operand, 1)),
        b'@' => {
            let extension = if placeholders.extension { extension(rest) } else { None };
            let length = name(rest);
            match extension {
                Some(length) => Some((StandInForm::Placeholder, 1 + length)),
                None if placeholders.at_names && may_follow && length > 0 => {
                    Some((StandInForm::Operand, 1 + length))
                }
                None => None,
            }
        }
        b'%' if placeholders.percent_names && may_follow => {
            let name = rest.strip_prefix('(')?;
            let length = name.bytes().take_while(|byte| is_word(*byte)).count();
            let behind = name[length..].strip_prefix(")s")?;
            let is_one = length > 0 && !behind.bytes().next().is_some_and(is_word);
            is_one.then_some((StandInForm::Operand, length + 4))
        }
        b'{' if placeholders.braces => {
            let length = rest.strip_prefix('{')?.find("}}")?;
            Some((StandInForm::Placeholder, length + 4))
        }
        b'$' if placeholders.dollar_braces => {
            let length = rest.strip_prefix('{')?.find('}')?;
            Some((StandInForm::Placeholder, length + 3))
        }
        _ => None,
    }
}

/// Returns the variable of psql behind a colon, by the rules of its `psqlscan.l`.
fn variable(rest: &str) -> Option<(StandInForm, usize)> {
    let word = |text: &str| text.bytes().take_while(|byte| is_word(*byte)).count();
    let (before, behind, form) = match rest.as_bytes().first()? {
        b'\'' => ("'", "'", StandInForm::Literal),
        b'"' => ("\"", "\"", StandInForm::Identifier),
        b'{' => ("{?", "}", StandInForm::Test),
        _ => ("", "", StandInForm::Variable),
    };
    let name = rest.strip_prefix(before)?;
    let length = word(name);
    let is_one = length > 0 && name[length..].starts_with(behind);
    is_one.then_some((form, before.len() + length + behind.len()))
}

/// Returns the length of a name.
fn name(text: &str) -> usize {
    let starts = text.bytes().next().is_some_and(|byte| is_word(byte) && !byte.is_ascii_digit());
    if starts { text.bytes().take_while(|byte| is_word(*byte)).count() } else { 0 }
}

/// Returns the length of what follows the `@` of `@extschema@`, `@extschema:name@` or `@extowner@`.
fn extension(rest: &str) -> Option<usize> {
    if rest.starts_with("extowner@") {
        return Some("extowner@".len());
    }
    let behind = rest.strip_prefix("extschema")?;
    let named = behind.strip_prefix(':').map_or(0, |of| 1 + name(of));
    behind[named..].starts_with('@').then_some("extschema".len() + named + 1)
}
