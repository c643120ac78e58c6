//! The structure of bodies in PL/pgSQL, for any text.
//!
//! It is found as PL/pgSQL's own grammar finds it: by the word that a statement begins with, and the words and semicolons outside of
//! parentheses that end the pieces of SQL in it. Each step takes tokens that it has looked at, so that the time is linear.

use pg_ast::Error;
use rowan::GreenNode;

use super::body_tree_builder::{BodyBuilder, BodySql, DeeperNode};
use super::syntax_kind::SyntaxKind;

/// A construct that is open.
#[derive(Clone, Copy, PartialEq)]
enum OpenKind {
    Block,
    If,
    Case,
    Loop,
}

/// A construct, with the nodes in it that are open.
struct OpenStmt {
    kind: OpenKind,
    /// That of an `EXCEPTION`.
    has_handlers: bool,
    /// That of a `WHEN`, an `ELSE`, an `ELSIF`.
    has_arm: bool,
    /// That of its statements.
    has_sect: bool,
}

/// A reader of the body of a function.
pub(super) struct BodyReader<'a> {
    pub(super) out: BodyBuilder<'a>,
    open: Vec<OpenStmt>,
}

impl<'a> BodyReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { out: BodyBuilder::new(text), open: Vec::new() }
    }

    /// Reads all of it, and returns its tree, and the nodes that are too deep for that.
    pub(super) fn read(mut self) -> Result<(GreenNode, Vec<DeeperNode>), Error> {
        while self.text() == "#" {
            self.comp_option();
        }
        if self.begins_block() {
            self.begin_stmt()?;
        } else {
            self.out.missing(SyntaxKind::BEGIN_P);
        }
        while !self.open.is_empty() && !self.out.is_end() {
            if !self.goes_on()? {
                self.begin_stmt()?;
            }
        }
        while !self.open.is_empty() {
            self.out.missing(SyntaxKind::END_P);
            self.close();
        }
        self.out.skipped(self.out.tokens.len());
        Ok(self.out.end())
    }

    pub(super) fn text(&self) -> &'a str {
        self.out.text_of(self.out.at)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.out.is(self.out.at, word)
    }

    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        self.out.is_one_of(self.out.at, words)
    }

    /// Writes the next token as a keyword, if it is this one.
    pub(super) fn optional(&mut self, word: &str) -> bool {
        let is_next = self.is(word);
        if is_next {
            self.out.keyword();
        }
        is_next
    }

    /// Returns the place of the next token outside of parentheses that is one of these, or else of the semicolon, or the end.
    pub(super) fn find(&self, words: &[&str]) -> usize {
        self.find_from(self.out.at, words)
    }

    pub(super) fn find_from(&self, from: usize, words: &[&str]) -> usize {
        let mut index = from;
        while index < self.out.tokens.len() {
            match self.out.text_of(index) {
                ";" => return index,
                "(" | "[" => index = self.out.behind_parentheses(index, false),
                _ if self.out.is_one_of(index, words) => return index,
                _ => index += 1,
            }
        }
        index
    }

    /// An expression up to a place.
    pub(super) fn expr(&mut self, end: usize) -> Result<(), Error> {
        self.out.sql(end, BodySql::Expr, None)
    }

    /// An expression, and the word behind it.
    fn expr_until(&mut self, word: &str, kind: SyntaxKind) -> Result<(), Error> {
        let end = self.find(&[word]);
        self.expr(end)?;
        if !self.optional(word) {
            self.out.missing(kind);
        }
        Ok(())
    }

    /// The semicolon of a statement. What is before it has no place there.
    pub(super) fn semicolon(&mut self, end: usize) {
        self.out.skipped(end);
        if self.text() == ";" {
            self.out.token();
        } else {
            self.out.missing(SyntaxKind::SEMICOLON);
        }
    }

    fn comp_option(&mut self) {
        self.out.start(SyntaxKind::comp_option);
        self.out.token();
        for _ in 0..2 {
            if self.out.is_name(self.out.at) && !self.begins_block() {
                self.out.keyword();
            }
        }
        self.out.finish();
    }

    /// Returns the place of the first token behind a label.
    fn behind_label(&self) -> usize {
        let at = self.out.at;
        let is_label = self.text() == "<<" && self.out.text_of(at + 2) == ">>";
        if is_label { at + 3 } else { at }
    }

    fn begins_block(&self) -> bool {
        self.out.is_one_of(self.behind_label(), &["declare", "begin"])
    }

    /// Begins a statement: a simple one is complete then.
    fn begin_stmt(&mut self) -> Result<(), Error> {
        if let Some(open) = self.open.last_mut()
            && !open.has_sect
        {
            open.has_sect = true;
            self.out.start(SyntaxKind::proc_sect);
        }
        let first = self.behind_label();
        let words = ["declare", "begin", "if", "case", "loop", "while", "for", "foreach"];
        let found = words.iter().position(|word| self.out.is(first, word));
        let Some(found) = found else { return self.simple_stmt() };
        let (kind, node) = match words[found] {
            "declare" | "begin" => (OpenKind::Block, SyntaxKind::pl_block),
            "if" => (OpenKind::If, SyntaxKind::stmt_if),
            "case" => (OpenKind::Case, SyntaxKind::stmt_case),
            "loop" => (OpenKind::Loop, SyntaxKind::stmt_loop),
            "while" => (OpenKind::Loop, SyntaxKind::stmt_while),
            "for" => (OpenKind::Loop, SyntaxKind::stmt_for),
            _ => (OpenKind::Loop, SyntaxKind::stmt_foreach_a),
        };
        self.out.start(node);
        if self.out.at < first {
            self.out.start(SyntaxKind::block_label);
            self.out.tokens_up_to(first);
            self.out.finish();
        }
        self.open.push(OpenStmt { kind, has_handlers: false, has_arm: false, has_sect: false });
        match node {
            SyntaxKind::pl_block => self.declarations(),
            SyntaxKind::stmt_if => {
                self.out.keyword();
                self.expr_until("then", SyntaxKind::THEN)
            }
            SyntaxKind::stmt_case => {
                self.out.keyword();
                let when = self.find(&["when"]);
                if when > self.out.at { self.expr(when) } else { Ok(()) }
            }
            SyntaxKind::stmt_loop => {
                self.out.keyword();
                Ok(())
            }
            SyntaxKind::stmt_while => {
                self.out.keyword();
                self.expr_until("loop", SyntaxKind::PLPGSQL_KEYWORD)
            }
            SyntaxKind::stmt_for => self.for_header(),
            _ => self.foreach_header(),
        }
    }

    /// Reads the next part of the innermost construct, if it is one.
    fn goes_on(&mut self) -> Result<bool, Error> {
        let Some(open) = self.open.last() else { return Ok(false) };
        let (kind, has_handlers) = (open.kind, open.has_handlers);
        let next = match kind {
            _ if self.is("end") => OpenPart::End,
            OpenKind::Block if has_handlers && self.is("when") => OpenPart::Handler,
            OpenKind::Block
                if !has_handlers
                    && self.is("exception")
                    && self.out.is(self.out.at + 1, "when") =>
            {
                OpenPart::Handlers
            }
            OpenKind::If if self.is_one_of(&["elsif", "elseif"]) && !self.is_assignment() => {
                OpenPart::Elsif
            }
            OpenKind::If | OpenKind::Case if self.is("else") => OpenPart::Else,
            OpenKind::Case if self.is("when") => OpenPart::When,
            _ => return Ok(false),
        };
        self.close_arm();
        match next {
            OpenPart::End => self.end_stmt(kind),
            OpenPart::Handlers | OpenPart::Handler => {
                if next == OpenPart::Handlers {
                    self.out.start(SyntaxKind::exception_sect);
                    self.out.keyword();
                }
                self.begin_arm(SyntaxKind::proc_exception, |open| open.has_handlers = true);
                self.handler();
            }
            OpenPart::Elsif => {
                self.begin_arm(SyntaxKind::stmt_elsif, |_| {});
                self.expr_until("then", SyntaxKind::THEN)?;
            }
            OpenPart::Else => self.begin_arm(SyntaxKind::stmt_else, |_| {}),
            OpenPart::When => {
                self.begin_arm(SyntaxKind::case_when, |_| {});
                self.expr_until("then", SyntaxKind::THEN)?;
            }
        }
        Ok(true)
    }

    /// Begins a part with its word.
    fn begin_arm(&mut self, kind: SyntaxKind, change: impl FnOnce(&mut OpenStmt)) {
        self.out.start(kind);
        self.out.keyword();
        if let Some(open) = self.open.last_mut() {
            open.has_arm = true;
            change(open);
        }
    }

    fn close_arm(&mut self) {
        if let Some(open) = self.open.last_mut() {
            let nodes = [&mut open.has_sect, &mut open.has_arm].map(core::mem::take);
            for _ in nodes.iter().filter(|is_open| **is_open) {
                self.out.finish();
            }
        }
    }

    /// Ends the node of the innermost construct.
    fn close(&mut self) {
        self.close_arm();
        if let Some(open) = self.open.pop() {
            if open.has_handlers {
                self.out.finish();
            }
            self.out.finish();
        }
    }

    /// The conditions of a handler.
    fn handler(&mut self) {
        self.out.start(SyntaxKind::proc_conditions);
        let then = self.find(&["then"]);
        if then == self.out.at {
            self.out.missing(SyntaxKind::IDENT);
        }
        while self.out.at < then {
            if self.is_one_of(&["or", "sqlstate"]) {
                self.out.keyword();
            } else {
                self.out.token();
            }
        }
        self.out.finish();
        if !self.optional("then") {
            self.out.missing(SyntaxKind::THEN);
        }
    }

    /// `END`, what is behind it, and the semicolon.
    fn end_stmt(&mut self, kind: OpenKind) {
        // The handlers end before it.
        if let Some(open) = self.open.last_mut()
            && core::mem::take(&mut open.has_handlers)
        {
            self.out.finish();
        }
        self.out.keyword();
        let (word, token) = match kind {
            OpenKind::If => ("if", SyntaxKind::IF_P),
            OpenKind::Case => ("case", SyntaxKind::CASE),
            OpenKind::Loop => ("loop", SyntaxKind::PLPGSQL_KEYWORD),
            OpenKind::Block => ("", SyntaxKind::END_P),
        };
        if !word.is_empty() && !self.optional(word) {
            self.out.missing(token);
        }
        let is_label = self.out.is_name(self.out.at) && !self.is_one_of(&["if", "case", "loop"]);
        if is_label && matches!(kind, OpenKind::Block | OpenKind::Loop) {
            self.out.token();
        }
        let is_last = self.open.len() == 1;
        if self.text() == ";" {
            self.out.token();
        } else if !is_last {
            self.out.missing(SyntaxKind::SEMICOLON);
        }
        self.close();
    }

    /// `DECLARE` with its declarations, and the `BEGIN` behind it.
    fn declarations(&mut self) -> Result<(), Error> {
        if self.is("declare") {
            self.out.start(SyntaxKind::decl_sect);
            self.out.keyword();
            while !self.out.is_end() && !self.is("begin") {
                if self.is("declare") {
                    self.out.keyword();
                } else if self.text() == ";" {
                    self.out.skipped(self.out.at + 1);
                } else {
                    self.declaration()?;
                }
            }
            self.out.finish();
        }
        if !self.optional("begin") {
            self.out.missing(SyntaxKind::BEGIN_P);
        }
        Ok(())
    }

    /// `FOR .. IN .. LOOP`.
    fn for_header(&mut self) -> Result<(), Error> {
        self.out.keyword();
        let stop = self.find(&["in", "loop"]);
        self.out.tokens_up_to(stop);
        if !self.optional("in") {
            self.out.missing(SyntaxKind::IN_P);
        }
        let end = self.find(&["loop"]);
        let dots = self.find(&["..", "loop"]);
        if self.out.text_of(dots) == ".." {
            self.optional("reverse");
            self.expr(dots)?;
            self.out.token();
            let by = self.find(&["by", "loop"]).min(end);
            self.expr(by)?;
            if by < end {
                self.out.keyword();
                self.expr(end)?;
            }
        } else if self.is("execute") {
            self.dynamic(end)?;
        } else {
            self.query(end)?;
        }
        self.loop_word();
        Ok(())
    }

    fn foreach_header(&mut self) -> Result<(), Error> {
        self.out.keyword();
        let stop = self.find(&["in", "loop"]);
        while self.out.at < stop {
            if self.is("slice") {
                self.out.keyword();
            } else {
                self.out.token();
            }
        }
        for (word, kind) in [("in", SyntaxKind::IN_P), ("array", SyntaxKind::ARRAY)] {
            if !self.optional(word) {
                self.out.missing(kind);
            }
        }
        let end = self.find(&["loop"]);
        self.expr(end)?;
        self.loop_word();
        Ok(())
    }

    fn loop_word(&mut self) {
        if !self.optional("loop") {
            self.out.missing(SyntaxKind::PLPGSQL_KEYWORD);
        }
    }
}

/// A part of a construct.
#[derive(PartialEq)]
enum OpenPart {
    End,
    Handlers,
    Handler,
    Elsif,
    Else,
    When,
}
