//! The layout of PL/pgSQL's declarations.

use crate::body_builder::{BLANK, Piece};
use crate::ops::{FILL_INSIDE, LINE, OUTSIDE};
use crate::plpgsql::Body;

impl Body<'_, '_> {
    /// `DECLARE` with its declarations, and the `BEGIN` behind it.
    pub(crate) fn declarations(&mut self) -> Option<()> {
        if self.is("declare") {
            self.keyword();
            while !self.is("begin") {
                if self.is("declare") {
                    self.out.gap(OUTSIDE);
                    self.keyword();
                    continue;
                }
                self.out.gap(LINE);
                self.out.open(true, false);
                self.declaration()?;
                self.semicolon()?;
                self.out.close();
            }
            self.out.gap(OUTSIDE);
        }
        self.keyword();
        Some(())
    }

    fn declaration(&mut self) -> Option<()> {
        self.name()?;
        self.out.gap(BLANK);
        if self.is("alias") && self.next_is("for") {
            self.keyword();
            self.out.gap(BLANK);
            self.keyword();
            self.out.gap(BLANK);
            let end = self.rest()?.end;
            self.words(end, &[]);
            return Some(());
        }
        if self.is("cursor") || self.is("scroll") || (self.is("no") && self.next_is("scroll")) {
            return self.cursor();
        }
        if self.is("constant") {
            self.keyword();
            self.out.gap(BLANK);
        }
        let end = self.find(&[";"])?;
        let stops = [";", ":=", "=", "collate", "not", "default"];
        let type_end = self.find(&stops)?;
        self.data_type(type_end);
        if self.is("collate") {
            self.out.gap(FILL_INSIDE);
            self.keyword();
            self.out.gap(BLANK);
            let name_end = self.find(&[";", ":=", "=", "not", "default"])?;
            self.words(name_end, &[]);
        }
        if self.is("not") {
            self.out.gap(FILL_INSIDE);
            self.keyword();
            self.out.gap(BLANK);
            self.expect("null")?;
        }
        if self.at < end {
            self.out.gap(BLANK);
            if self.is("default") {
                self.keyword();
            } else {
                self.token();
            }
            self.out.gap(FILL_INSIDE);
            self.exprs(end);
        }
        Some(())
    }

    fn data_type(&mut self, end: usize) {
        let tokens = self.at..end;
        if tokens.clone().any(|token| self.out.text_of(token) == "%") {
            let is_percent = |token: usize| self.out.text_of(token) == "%";
            let word = tokens.clone().rfind(|token| is_percent(token.wrapping_sub(1)));
            let word = word.map_or("", |word| self.out.text_of(word)).to_owned();
            // The name of a column may be `type`.
            let is_once = tokens.filter(|token| self.out.is(*token, &word)).count() == 1;
            let word = [word.as_str()];
            self.words(end, if is_once { &word } else { &[] });
            return;
        }
        self.out.piece(tokens, Piece::Type, None, None);
        self.at = end;
    }

    fn cursor(&mut self) -> Option<()> {
        while !self.is("cursor") {
            self.keyword();
            self.out.gap(BLANK);
        }
        self.keyword();
        if self.text() == "(" {
            self.out.gap(BLANK);
            let end = self.find(&["for", "is"])?;
            self.words(end, &[]);
        }
        self.out.gap(BLANK);
        self.keyword();
        self.out.gap(LINE);
        let end = self.find(&[";"])?;
        self.query(end);
        Some(())
    }
}
