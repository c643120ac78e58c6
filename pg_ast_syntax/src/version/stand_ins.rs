//! psql's variables and placeholders: tokens that stand for what the grammar accepts there.

use core::ops::Range;
use std::borrow::Cow;

use pg_ast::ParserOptions;

use super::pg::protobuf::{KeywordKind, Token};
use super::pg::seam::{self, Terminal, sort_by_key, terminals};
use super::pg::{ScanToken, scan_lossy};
use super::stand_in_texts::{StandInForm, StandInTexts};
use super::syntax_kind::SyntaxKind;
use crate::script_options::Placeholders;
use crate::written_sql::WrittenSql;

/// How many symbols are tried for the stand-ins of a statement, so that the time is linear.
const MOST_TRIALS: usize = 64;
/// The number of terminals after a refused one that decide.
const TRIED_BEHIND: usize = 64;
/// How many stand-ins before a refused terminal may be the reason.
const TRIED_BEFORE: usize = 3;

/// The length of the longest name: PostgreSQL cuts others, with a notice.
const LONGEST_NAME: usize = 60;

/// The symbol of a stand-in that stands for nothing.
const NOTHING: u16 = u16::MAX;

const IDENT: u16 = SyntaxKind::IDENT.number();
const ICONST: u16 = SyntaxKind::ICONST.number();
const SCONST: u16 = SyntaxKind::SCONST.number();
const TRUE: u16 = SyntaxKind::TRUE_P.number();
const OP: u16 = SyntaxKind::Op.number();
// The shortest query, and a statement of one word.
const QUERY: u16 = SyntaxKind::SELECT.number();
const STMT: u16 = SyntaxKind::CHECKPOINT.number();

/// The stand-ins in a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct StandIns {
    pub(super) tokens: Vec<StandIn>,
    /// Whether the grammar accepts the statement with them.
    pub(super) fit: bool,
}

/// Returns the stand-ins that are tokens of their own in SQL that is written with them, and their terminals.
fn places(written: &WrittenSql, terminals: &[Terminal]) -> Vec<(usize, usize)> {
    let mut all = terminals.iter().enumerate().peekable();
    let mut places = Vec::new();
    for (index, (_, range)) in written.replaced().enumerate() {
        let start = Some(range.start);
        while all.next_if(|(_, terminal)| terminal.start < start).is_some() {}
        let is_it = |terminal: &Terminal| terminal.start == start && terminal.end == range.end;
        if let Some((place, _)) = all.next_if(|(_, terminal)| is_it(terminal)) {
            places.push((index, place));
        }
    }
    places
}

/// A token that stands for another.
#[derive(Clone, Debug)]
pub(super) struct StandIn {
    pub(super) range: Range<usize>,
    form: StandInForm,
    /// The symbol that it stands for, if it is a token of its own.
    symbol: Option<u16>,
}

impl StandIns {
    /// Finds those in a statement, and what they stand for. `is_escaped` tells whether a backslash is before a colon.
    pub(super) fn find(
        sql: &str,
        placeholders: Placeholders,
        options: ParserOptions,
        is_escaped: &dyn Fn(usize) -> bool,
    ) -> Self {
        let may_be = |byte: u8| {
            byte == b':' || (b"?@%{".contains(&byte) && placeholders != Placeholders::default())
        };
        if !sql.bytes().any(may_be) {
            return Self::default();
        }
        let tokens = scan_lossy(sql).scan.tokens;
        let texts = StandInTexts::new(sql, placeholders);
        let finder = Finder { sql, texts, tokens: &tokens, is_escaped };
        let (mut found, is_doubtful) = finder.find(false);
        found.choose(sql, options);
        if is_doubtful && !found.fit {
            let (mut others, _) = finder.find(true);
            others.choose(sql, options);
            if others.fit {
                return others;
            }
        }
        found
    }

    /// Returns the kinds of those that stand for a token.
    pub(super) fn kinds(&self) -> Vec<(Range<usize>, SyntaxKind)> {
        let all = self.tokens.iter().filter(|it| it.symbol != Some(NOTHING));
        all.map(|it| (it.range.clone(), it.form.kind())).collect()
    }

    /// Writes tokens in their places that the grammar accepts there. What stands for nothing is an extra.
    pub(super) fn write(
        &self,
        sql: &str,
        extras: &mut Vec<(Range<usize>, Option<SyntaxKind>)>,
    ) -> Option<WrittenSql> {
        if self.tokens.is_empty() {
            return None;
        }
        let nothing = self.tokens.iter().filter(|it| it.symbol == Some(NOTHING));
        extras.extend(nothing.map(|it| (it.range.clone(), Some(it.form.kind()))));
        sort_by_key(extras, |(extra, _)| (extra.start as u64, 0));
        Some(self.written(sql))
    }

    pub(super) fn written(&self, sql: &str) -> WrittenSql {
        let mut written = WrittenSql::default();
        let mut at = 0;
        for token in &self.tokens {
            let by = token.form.written(token.symbol);
            written.replace(&sql[at..token.range.start], token.range.clone(), by);
            at = token.range.end;
        }
        written.push(&sql[at..]);
        written
    }

    /// Chooses the symbols: those with which the grammar accepts most.
    fn choose(&mut self, sql: &str, options: ParserOptions) {
        if self.tokens.is_empty() {
            return;
        }
        let written = self.written(sql);
        let Ok((found, mistake)) = terminals(written.text(), options) else { return };
        let mut symbols: Vec<_> = found.iter().map(|terminal| terminal.symbol).collect();
        let places = places(&written, &found);
        let fit = self.fit_symbols(&mut symbols, &places);
        self.fit = fit && mistake.is_none();
        for (index, place) in places {
            self.tokens[index].symbol = Some(symbols[place]);
        }
    }

    /// Changes symbols until the grammar accepts all, and returns whether it does.
    fn fit_symbols(&self, symbols: &mut [u16], places: &[(usize, usize)]) -> bool {
        let mut trials = 0;
        loop {
            let refused = accepted(symbols);
            if refused > symbols.len() {
                return true;
            }
            let end = symbols.len().min(refused + TRIED_BEHIND);
            let before = places.partition_point(|(_, place)| *place <= refused);
            let mut best = (refused, None);
            for (index, place) in places[..before].iter().rev().take(TRIED_BEFORE) {
                let was = symbols[*place];
                for symbol in self.tokens[*index].form.symbols() {
                    if *symbol == was || best.0 >= end.max(refused + 1) {
                        continue;
                    }
                    trials += 1;
                    if trials > MOST_TRIALS {
                        symbols[*place] = was;
                        return false;
                    }
                    symbols[*place] = *symbol;
                    let mut reached = accepted(&symbols[..end]);
                    if end < symbols.len() {
                        reached = reached.min(end);
                    }
                    if reached > best.0 {
                        best = (reached, Some((*place, *symbol)));
                    }
                }
                symbols[*place] = was;
                if best.1.is_some() {
                    break;
                }
            }
            let Some((place, symbol)) = best.1 else { return false };
            symbols[place] = symbol;
        }
    }
}

/// Returns how many of the symbols the grammar accepts, and one more if they may be all.
fn accepted(symbols: &[u16]) -> usize {
    let given: Vec<_> = symbols.iter().copied().filter(|symbol| *symbol != NOTHING).collect();
    let Some((taken, may_end)) = seam::accepted(&given) else { return 0 };
    if taken == given.len() {
        return symbols.len() + usize::from(may_end);
    }
    let mut places = symbols.iter().enumerate().filter(|(_, symbol)| **symbol != NOTHING);
    places.nth(taken).map_or(0, |(place, _)| place)
}

/// What comes before a token.
#[derive(Clone, Copy, PartialEq)]
enum BeforeToken {
    /// An operator, a keyword, or nothing.
    Other,
    /// A keyword that may be a name.
    Word,
    /// The end of an expression.
    Operand,
}

impl BeforeToken {
    fn of(token: ScanToken) -> Self {
        match (token.token, token.keyword_kind) {
            (
                Token::Ident
                | Token::Uident
                | Token::Iconst
                | Token::Fconst
                | Token::Sconst
                | Token::Usconst
                | Token::Bconst
                | Token::Xconst
                | Token::Param
                | Token::Ascii41
                | Token::Ascii93
                | Token::NullP
                | Token::TrueP
                | Token::FalseP
                | Token::EndP,
                _,
            ) => Self::Operand,
            (_, KeywordKind::NoKeyword | KeywordKind::ReservedKeyword) => Self::Other,
            _ => Self::Word,
        }
    }
}

struct Finder<'a> {
    sql: &'a str,
    texts: StandInTexts<'a>,
    tokens: &'a [ScanToken],
    is_escaped: &'a dyn Fn(usize) -> bool,
}

impl Finder<'_> {
    /// Finds the stand-ins; a text that may be an operator behind a name is one only if `all`. Also returns whether there is such a text.
    fn find(&self, all: bool) -> (StandIns, bool) {
        let mut found = StandIns::default();
        let (mut before, mut brackets, mut at, mut is_doubtful) =
            (BeforeToken::Other, Vec::new(), 0, false);
        for token in self.tokens {
            let range = token.range();
            if range.start < at || token.is_comment() {
                continue;
            }
            let Some((place, form, length)) = self.stand_in(&range) else {
                match token.token {
                    Token::Ascii40 | Token::Ascii91 => brackets.push(token.token),
                    Token::Ascii41 | Token::Ascii93 => _ = brackets.pop(),
                    _ => {}
                }
                before = BeforeToken::of(*token);
                continue;
            };
            if place > range.start {
                // Behind an operator, or in a word.
                let is_word =
                    self.sql[range.start..place].bytes().any(|byte| byte.is_ascii_alphanumeric());
                before = if is_word { BeforeToken::Word } else { BeforeToken::Other };
            }
            let is_slice = brackets.last() == Some(&Token::Ascii91) && before != BeforeToken::Other;
            let is_part = match form {
                StandInForm::Variable | StandInForm::Literal | StandInForm::Identifier => is_slice,
                StandInForm::Test | StandInForm::Placeholder => false,
                StandInForm::Operand => {
                    is_doubtful |= before == BeforeToken::Word;
                    before == BeforeToken::Operand || (before == BeforeToken::Word && !all)
                }
            };
            if is_part {
                before = BeforeToken::Other;
                continue;
            }
            at = place + length;
            found.tokens.push(StandIn { range: place..at, form, symbol: None });
            before = BeforeToken::Operand;
        }
        (found, is_doubtful)
    }

    /// Returns the stand-in that begins with the last character of a token: its place, its form and its length.
    fn stand_in(&self, token: &Range<usize>) -> Option<(usize, StandInForm, usize)> {
        let text = &self.sql[token.clone()];
        let place = token.end - text.chars().next_back()?.len_utf8();
        if text.starts_with(['\'', '"']) || (self.is_escaped)(place) {
            return None;
        }
        let operator = &self.sql[token.start..place];
        let (form, length) = self.texts.at(place, operator)?;
        Some((place, form, length))
    }
}

impl StandIn {
    /// Returns what it is written as in SQL for calls that know no stand-ins: a name is its own text in quotes. `is_value` tells
    /// whether a parameter can be there, which has a number.
    pub(super) fn readable(&self, sql: &str, is_value: bool, number: usize) -> Cow<'static, str> {
        let text = sql.get(self.range.clone()).unwrap_or_default();
        let is_beside = |quote: char| {
            sql[..self.range.start].ends_with(quote) || sql[self.range.end..].starts_with(quote)
        };
        let short = text.chars().scan(0, |length, char| {
            *length += char.len_utf8();
            (*length <= LONGEST_NAME).then_some(char)
        });
        let word = || text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let is_word = self.symbol.is_none() && self.form != StandInForm::Identifier;
        match self.symbol {
            Some(IDENT) if is_value && self.form != StandInForm::Identifier => {
                format!("${number}").into()
            }
            Some(IDENT) if !is_beside('"') => {
                let name: String = match self.form {
                    StandInForm::Identifier => short.filter(|char| *char != '"').collect(),
                    _ => short.collect(),
                };
                format!("\"{}\"", name.replace('"', "\"\"")).into()
            }
            // A string without text would be a file without a name.
            Some(SCONST) if !is_beside('\'') => match word() {
                word if word.is_empty() => "'v'".into(),
                word => format!("'{word}'").into(),
            },
            // A part of a word.
            None if is_word && self.form.symbols()[0] == IDENT && !word().is_empty() => {
                word().into()
            }
            _ => self.form.written(self.symbol).into(),
        }
    }
}

impl StandInForm {
    fn kind(self) -> SyntaxKind {
        match self {
            Self::Variable | Self::Literal | Self::Identifier | Self::Test => {
                SyntaxKind::PSQL_VARIABLE
            }
            Self::Operand | Self::Placeholder => SyntaxKind::PLACEHOLDER,
        }
    }

    /// Returns a token of a symbol; of the most likely one if none has been chosen.
    fn written(self, symbol: Option<u16>) -> &'static str {
        match symbol.unwrap_or(self.symbols()[0]) {
            NOTHING => " ",
            ICONST => "1",
            SCONST => "''",
            TRUE => "TRUE",
            OP => "~~",
            QUERY => "SELECT",
            STMT => "CHECKPOINT",
            _ if self == Self::Identifier => "\"v\"",
            _ => "v",
        }
    }

    /// Returns the symbols that it may stand for, the most likely one first.
    fn symbols(self) -> &'static [u16] {
        match self {
            Self::Literal => &[SCONST, IDENT, ICONST, NOTHING],
            Self::Identifier => &[IDENT, SCONST, NOTHING],
            Self::Test => &[TRUE, IDENT, NOTHING],
            Self::Variable | Self::Operand | Self::Placeholder => {
                &[IDENT, ICONST, SCONST, OP, QUERY, STMT, NOTHING]
            }
        }
    }
}
