//! The layout of bodies in PL/pgSQL.
//!
//! Its structure is found as PL/pgSQL's own grammar finds it: by the word that a statement begins with, and the words and
//! semicolons outside of parentheses that end the pieces of SQL in it. Nothing here says that a body is correct: the result is
//! compared with it by PL/pgSQL's compiler.

use std::ops::Range;

use crate::body_builder::{BLANK, Builder, NOTHING, Piece};
use crate::ops::{FILL_INSIDE, LINE, OUTSIDE};

/// A construct that is open.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Block,
    If,
    Case,
    Loop,
    /// A `WHEN .. THEN` or `ELSE` of a `CASE`, or a `WHEN .. THEN` of a block.
    Arm,
}

pub(crate) struct Body<'b, 'a> {
    pub(crate) out: &'b mut Builder<'a>,
    /// The index of the next token.
    pub(crate) at: usize,
    /// That of the quote at the end.
    end: usize,
    open: Vec<Open>,
}

/// Lays a body out. `None` if its structure is not that of PL/pgSQL.
pub(crate) fn lay_out_body(out: &mut Builder<'_>) -> Option<()> {
    let end = out.tokens.len() - 1;
    Body { out, at: 0, end, open: Vec::new() }.run()
}

impl Body<'_, '_> {
    fn run(&mut self) -> Option<()> {
        self.out.open(false, true);
        self.token();
        while self.text() == "#" {
            self.out.gap(LINE);
            self.token();
            self.out.gap(NOTHING);
            self.name()?;
            self.out.gap(BLANK);
            self.name()?;
        }
        self.begin_stmt()?;
        while !self.open.is_empty() {
            if self.at >= self.end {
                return None;
            }
            if !self.goes_on()? {
                self.begin_stmt()?;
            }
        }
        if self.at != self.end {
            return None;
        }
        self.out.gap(LINE);
        self.token();
        self.out.close();
        Some(())
    }

    pub(crate) fn text(&self) -> &str {
        self.out.text_of(self.at)
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.out.is(self.at, word)
    }

    pub(crate) fn next_is(&self, word: &str) -> bool {
        self.out.is(self.at + 1, word)
    }

    pub(crate) fn token(&mut self) {
        self.out.token(self.at);
        self.at += 1;
    }

    /// The next token, which has to be a name.
    pub(crate) fn name(&mut self) -> Option<()> {
        self.out.is_name(self.at).then(|| self.token())
    }

    /// The next token, which has to be this keyword.
    pub(crate) fn expect(&mut self, word: &str) -> Option<()> {
        self.is(word).then(|| self.keyword())
    }

    pub(crate) fn keyword(&mut self) {
        self.out.keyword(self.at);
        self.at += 1;
    }

    /// The next token after a blank, if it is this keyword.
    pub(crate) fn optional(&mut self, word: &str) -> bool {
        let is_next = self.is(word);
        if is_next {
            self.out.gap(BLANK);
            self.keyword();
        }
        is_next
    }

    pub(crate) fn semicolon(&mut self) -> Option<()> {
        if self.text() != ";" {
            return None;
        }
        self.out.gap(NOTHING);
        self.token();
        Some(())
    }

    /// Returns the place of the next token outside of parentheses that is one of these, if it is before the semicolon.
    pub(crate) fn find(&self, words: &[&str]) -> Option<usize> {
        self.find_from(self.at, words)
    }

    pub(crate) fn find_from(&self, from: usize, words: &[&str]) -> Option<usize> {
        let mut depth = 0_usize;
        for index in from..self.end {
            match self.out.text_of(index) {
                text if depth == 0 && words.iter().any(|word| text.eq_ignore_ascii_case(word)) => {
                    return Some(index);
                }
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.checked_sub(1)?,
                // In parentheses, only one in SQL: the actions of a rule.
                ";" if !words.contains(&";") => return None,
                _ => {}
            }
        }
        None
    }

    /// Expressions up to a place.
    pub(crate) fn exprs(&mut self, end: usize) {
        self.out.piece(self.at..end, Piece::Exprs, None, None);
        self.at = end;
    }

    /// A query up to a place.
    pub(crate) fn query(&mut self, end: usize) {
        let tokens = self.at..end;
        if !tokens.is_empty() && !self.out.try_piece(tokens.clone(), Piece::Stmt, None, None) {
            self.out.piece(tokens, Piece::Exprs, None, None);
        }
        self.at = end;
    }

    /// Names up to a place.
    pub(crate) fn words(&mut self, end: usize, keywords: &[&str]) {
        self.out.words(self.at..end, keywords);
        self.at = end;
    }

    /// Begins a statement: a simple one is complete then.
    fn begin_stmt(&mut self) -> Option<()> {
        self.out.gap(LINE);
        let is_labelled = self.text() == "<<";
        let first = if is_labelled { self.at + 3 } else { self.at };
        let constructs = ["declare", "begin", "if", "case", "loop", "while", "for", "foreach"];
        if !self.out.is_one_of(first, &constructs) {
            if is_labelled || self.open.is_empty() {
                return None;
            }
            self.out.open(true, false);
            self.simple_stmt()?;
            self.out.close();
            return Some(());
        }
        self.out.open(true, true);
        if is_labelled {
            self.token();
            self.out.gap(NOTHING);
            self.name()?;
            self.out.gap(NOTHING);
            if self.text() != ">>" {
                return None;
            }
            self.token();
            self.out.gap(OUTSIDE);
        }
        let open = match self.text().to_ascii_lowercase().as_str() {
            "declare" | "begin" => {
                self.declarations()?;
                Open::Block
            }
            "if" => {
                self.condition("then")?;
                Open::If
            }
            "case" => {
                self.keyword();
                let when = self.find(&["when"])?;
                if when > self.at {
                    self.out.gap(BLANK);
                    self.exprs(when);
                }
                Open::Case
            }
            "loop" => {
                self.keyword();
                Open::Loop
            }
            "while" => {
                self.condition("loop")?;
                Open::Loop
            }
            "for" => {
                self.for_header()?;
                Open::Loop
            }
            _ => {
                self.foreach_header()?;
                Open::Loop
            }
        };
        self.open.push(open);
        Some(())
    }

    /// A word, an expression, and the word that ends it: `IF .. THEN`.
    fn condition(&mut self, end: &str) -> Option<()> {
        self.out.open(true, false);
        self.keyword();
        self.out.gap(FILL_INSIDE);
        let end = self.find(&[end])?;
        self.exprs(end);
        self.out.gap(OUTSIDE);
        self.keyword();
        self.out.close();
        Some(())
    }

    /// The next part of what is open, if it is one.
    fn goes_on(&mut self) -> Option<bool> {
        let word = self.text().to_ascii_lowercase();
        let mut open = *self.open.last()?;
        let is_in_arm = open == Open::Arm;
        if is_in_arm {
            open = self.open.iter().rev().nth(1).copied()?;
        }
        let is_arm = match word.as_str() {
            "when" => true,
            "else" => open == Open::Case,
            _ => false,
        };
        let is_part = match (open, word.as_str()) {
            (_, "end") | (Open::Case, "when" | "else") | (Open::If, "else") => true,
            (Open::Block, "when") => is_in_arm,
            (Open::Block, "exception") => !is_in_arm && self.next_is("when"),
            (Open::If, "elsif" | "elseif") => !self.is_assignment(),
            _ => false,
        };
        if !is_part {
            return Some(false);
        }
        if is_in_arm {
            self.open.pop();
            self.out.close();
        }
        if is_arm {
            self.out.gap(LINE);
            self.arm(open)?;
            return Some(true);
        }
        self.out.gap(OUTSIDE);
        match word.as_str() {
            "end" => self.end(open)?,
            "exception" => {
                self.keyword();
                self.out.gap(LINE);
                self.arm(open)?;
            }
            "else" => self.keyword(),
            _ => self.condition("then")?,
        }
        Some(true)
    }

    /// Begins a `WHEN .. THEN` or `ELSE`.
    fn arm(&mut self, open: Open) -> Option<()> {
        self.out.open(true, true);
        self.open.push(Open::Arm);
        if self.is("else") {
            self.keyword();
            return Some(());
        }
        if open == Open::Case {
            return self.condition("then");
        }
        self.out.open(true, false);
        self.keyword();
        self.out.gap(BLANK);
        let then = self.find(&["then"])?;
        while self.at < then {
            let is_or = self.is("or");
            if is_or || self.is("sqlstate") {
                self.keyword();
            } else {
                self.token();
            }
            if self.at < then {
                self.out.gap(if self.is("or") { LINE } else { BLANK });
            }
        }
        self.out.gap(OUTSIDE);
        self.keyword();
        self.out.close();
        Some(())
    }

    /// The end of a construct.
    fn end(&mut self, open: Open) -> Option<()> {
        self.keyword();
        let word = match open {
            Open::If => Some("if"),
            Open::Case => Some("case"),
            Open::Loop => Some("loop"),
            Open::Block | Open::Arm => None,
        };
        if let Some(word) = word {
            self.out.gap(BLANK);
            self.expect(word)?;
        }
        let is_last = self.open.len() == 1;
        if matches!(open, Open::Block | Open::Loop) && self.text() != ";" && self.at < self.end {
            self.out.gap(BLANK);
            self.name()?;
        }
        if !is_last || self.at < self.end {
            self.semicolon()?;
        }
        self.open.pop();
        self.out.close();
        Some(())
    }

    /// `FOR .. IN .. LOOP`.
    fn for_header(&mut self) -> Option<()> {
        self.out.open(true, false);
        self.keyword();
        self.out.gap(BLANK);
        let place = self.find(&["in"])?;
        self.words(place, &[]);
        self.out.gap(BLANK);
        self.keyword();
        let place = self.find(&["loop"])?;
        let dots = self.find(&[".."]).filter(|dots| *dots < place);
        if let Some(dots) = dots {
            self.optional("reverse");
            self.out.gap(FILL_INSIDE);
            self.exprs(dots);
            self.out.gap(NOTHING);
            self.token();
            self.out.gap(NOTHING);
            let by = self.find(&["by"]).filter(|by| *by < place);
            self.exprs(by.unwrap_or(place));
            if by.is_some() {
                self.out.gap(FILL_INSIDE);
                self.keyword();
                self.out.gap(BLANK);
                self.exprs(place);
            }
        } else if self.is("execute") {
            self.out.gap(BLANK);
            self.dynamic(place);
        } else {
            self.out.gap(LINE);
            self.query(place);
        }
        self.out.gap(OUTSIDE);
        self.keyword();
        self.out.close();
        Some(())
    }

    fn foreach_header(&mut self) -> Option<()> {
        self.out.open(true, false);
        self.keyword();
        self.out.gap(BLANK);
        let place = self.find(&["in"])?;
        self.words(place, &["slice"]);
        self.out.gap(BLANK);
        self.keyword();
        self.out.gap(BLANK);
        self.expect("array")?;
        self.out.gap(FILL_INSIDE);
        let place = self.find(&["loop"])?;
        self.exprs(place);
        self.out.gap(OUTSIDE);
        self.keyword();
        self.out.close();
        Some(())
    }

    /// Whether a statement assigns to a variable.
    pub(crate) fn is_assignment(&self) -> bool {
        let mut at = self.at;
        if !self.out.is_name(at) {
            return false;
        }
        at += 1;
        loop {
            match self.out.text_of(at) {
                ":=" | "=" => return true,
                "." => at += 2,
                "[" => match self.find_from(at + 1, &["]"]) {
                    Some(end) => at = end + 1,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    pub(crate) fn rest(&self) -> Option<Range<usize>> {
        Some(self.at..self.find(&[";"])?)
    }
}
