//! The layout of PL/pgSQL's simple statements.

use std::ops::Range;

use crate::body_builder::{BLANK, NOTHING, Piece, Substitute};
use crate::ops::{FILL_INSIDE, LINE};
use crate::plpgsql::Body;

/// Words of PL/pgSQL that are none of SQL. They are not reserved, so that the tree says whether one is a name.
const WORDS: &[&str] = &[
    "alias",
    "assert",
    "backward",
    "chain",
    "close",
    "column",
    "column_name",
    "constant",
    "constraint_name",
    "datatype",
    "debug",
    "detail",
    "diagnostics",
    "elseif",
    "elsif",
    "errcode",
    "error",
    "exception",
    "exit",
    "fetch",
    "foreach",
    "forward",
    "get",
    "hint",
    "info",
    "log",
    "loop",
    "message",
    "message_text",
    "move",
    "notice",
    "open",
    "perform",
    "pg_context",
    "pg_datatype_name",
    "pg_exception_context",
    "pg_exception_detail",
    "pg_exception_hint",
    "pg_routine_oid",
    "query",
    "raise",
    "result_oid",
    "returned_sqlstate",
    "reverse",
    "rollback",
    "row_count",
    "rowtype",
    "schema",
    "schema_name",
    "slice",
    "sqlstate",
    "stacked",
    "table",
    "table_name",
    "type",
    "warning",
    "while",
];

/// Whether a word may be a keyword of PL/pgSQL that is none of SQL.
pub(crate) fn is_word(text: &str) -> bool {
    text.len() < 24 && WORDS.binary_search(&text.to_ascii_lowercase().as_str()).is_ok()
}

const DIRECTIONS: &[&str] = &[
    "next", "prior", "first", "last", "absolute", "relative", "forward", "backward", "all", "from",
    "in",
];

impl Body<'_, '_> {
    /// A statement that ends with a semicolon.
    pub(crate) fn simple_stmt(&mut self) -> Option<()> {
        if self.is_assignment() {
            self.assignment()?;
            return self.semicolon();
        }
        let Range { end, .. } = self.rest()?;
        let word = self.out.text_of(self.at).to_ascii_lowercase();
        match word.as_str() {
            "null" if self.at + 1 == end => self.keyword(),
            "return" => self.return_(end),
            "raise" => self.raise(end)?,
            "perform" => self.perform(end),
            "execute" => self.dynamic(end),
            "exit" | "continue" => self.exit(end)?,
            "assert" => {
                self.keyword();
                self.out.gap(FILL_INSIDE);
                self.exprs(end);
            }
            "open" => self.open_cursor(end),
            "fetch" | "move" => self.fetch(end),
            "close" => {
                self.keyword();
                self.out.gap(BLANK);
                self.words(end, &[]);
            }
            "get" => self.get(end)?,
            "commit" | "rollback" => {
                self.keyword();
                while self.at < end {
                    self.out.gap(BLANK);
                    self.keyword();
                }
            }
            _ => self.sql(end),
        }
        (self.at == end).then_some(())?;
        self.semicolon()
    }

    fn assignment(&mut self) -> Option<()> {
        let operator = self.find(&[":=", "="])?;
        self.exprs(operator);
        self.out.gap(BLANK);
        self.token();
        let end = self.rest()?.end;
        if self.at < end {
            self.out.gap(FILL_INSIDE);
            self.exprs(end);
        }
        Some(())
    }

    fn return_(&mut self, end: usize) {
        self.keyword();
        if self.optional("query") {
            if self.is("execute") {
                self.out.gap(BLANK);
                return self.dynamic(end);
            }
            self.out.gap(LINE);
            self.query(end);
            return;
        }
        self.optional("next");
        if self.at < end {
            self.out.gap(FILL_INSIDE);
            self.exprs(end);
        }
    }

    /// `EXECUTE` with its `INTO` and `USING`.
    pub(crate) fn dynamic(&mut self, end: usize) {
        self.keyword();
        self.out.gap(FILL_INSIDE);
        let part =
            |body: &Self| body.find(&["into", "using"]).filter(|place| *place < end).unwrap_or(end);
        let place = part(self);
        self.exprs(place);
        while self.at < end {
            self.out.gap(LINE);
            let is_into = self.is("into");
            self.keyword();
            if is_into {
                self.optional("strict");
            }
            let place = part(self);
            self.out.gap(FILL_INSIDE);
            if is_into {
                self.words(place, &[]);
            } else {
                self.exprs(place);
            }
        }
    }

    fn raise(&mut self, end: usize) -> Option<()> {
        self.keyword();
        let levels = ["debug", "log", "info", "notice", "warning", "exception"];
        if self.out.is_one_of(self.at, &levels) {
            self.out.gap(BLANK);
            self.keyword();
        }
        let using = self.find(&["using"]).filter(|using| *using < end);
        let message_end = using.unwrap_or(end);
        let mut is_first = true;
        while self.at < message_end {
            if is_first {
                self.out.gap(FILL_INSIDE);
                if self.is("sqlstate") {
                    self.keyword();
                    self.out.gap(BLANK);
                }
                self.words(self.find(&[","]).unwrap_or(message_end).min(message_end), &[]);
            } else {
                self.out.gap(NOTHING);
                self.token();
                self.out.gap(FILL_INSIDE);
                let place = self.find(&[","]).unwrap_or(message_end).min(message_end);
                self.exprs(place);
            }
            is_first = false;
        }
        if using.is_some() {
            self.out.gap(LINE);
            self.keyword();
            self.out.gap(BLANK);
            self.out.open(true, false);
            self.pairs(end, &[":=", "="], true)?;
            self.out.close();
        }
        Some(())
    }

    /// `a = b, ..`: options with expressions, or variables with the items of `GET DIAGNOSTICS`.
    fn pairs(&mut self, end: usize, operators: &[&str], are_options: bool) -> Option<()> {
        loop {
            let item_end = self.find(&[","]).unwrap_or(end).min(end);
            let operator = self.find(operators).filter(|operator| *operator < item_end)?;
            if are_options && operator == self.at + 1 {
                self.keyword();
            } else {
                self.words(operator, &[]);
            }
            self.out.gap(BLANK);
            self.token();
            self.out.gap(FILL_INSIDE);
            if are_options {
                self.exprs(item_end);
            } else {
                self.keyword();
            }
            if self.at != item_end || item_end == end {
                return (self.at == end).then_some(());
            }
            self.out.gap(NOTHING);
            self.token();
            self.out.gap(LINE);
        }
    }

    fn perform(&mut self, end: usize) {
        let range = self.out.tokens[self.at].range.clone();
        // The two are equally long.
        let select = Substitute { range, text: "SELECT ".to_owned() };
        self.out.piece(self.at..end, Piece::Stmt, Some(&select), None);
        self.at = end;
    }

    fn exit(&mut self, end: usize) -> Option<()> {
        self.keyword();
        if self.at < end && !self.is("when") {
            self.out.gap(BLANK);
            self.name()?;
        }
        if self.optional("when") {
            self.out.gap(FILL_INSIDE);
            self.exprs(end);
        }
        Some(())
    }

    fn open_cursor(&mut self, end: usize) {
        self.keyword();
        self.out.gap(BLANK);
        let Some(place) = self.find(&["for"]).filter(|place| *place < end) else {
            self.exprs(end);
            return;
        };
        let options = self.find(&["no", "scroll"]).filter(|options| *options < place);
        self.words(options.unwrap_or(place), &[]);
        while self.at <= place {
            self.out.gap(BLANK);
            self.keyword();
        }
        if self.is("execute") {
            self.out.gap(BLANK);
            return self.dynamic(end);
        }
        self.out.gap(LINE);
        self.query(end);
    }

    fn fetch(&mut self, end: usize) {
        self.keyword();
        self.out.gap(BLANK);
        let into = self.find(&["into"]).filter(|into| *into < end);
        let cursor_end = into.unwrap_or(end);
        // The last word is the name of the cursor.
        let name = cursor_end.saturating_sub(1);
        if name > self.at {
            self.words(name, DIRECTIONS);
            self.out.gap(BLANK);
        }
        self.words(cursor_end, &[]);
        if into.is_some() {
            self.out.gap(LINE);
            self.keyword();
            self.out.gap(FILL_INSIDE);
            self.words(end, &[]);
        }
    }

    fn get(&mut self, end: usize) -> Option<()> {
        self.keyword();
        if !self.optional("stacked") {
            self.optional("current");
        }
        self.out.gap(BLANK);
        self.expect("diagnostics")?;
        self.out.gap(BLANK);
        self.out.open(true, false);
        self.pairs(end, &[":=", "="], false)?;
        self.out.close();
        Some(())
    }

    /// A statement in SQL, with the targets of its `INTO`.
    fn sql(&mut self, end: usize) {
        let into = self.targets_of_into(end);
        self.out.piece(self.at..end, Piece::Stmt, None, into);
        self.at = end;
    }

    /// The tokens of the first `INTO` that is PL/pgSQL's.
    fn targets_of_into(&self, end: usize) -> Option<Range<usize>> {
        if self.is("import") {
            return None;
        }
        let place = (self.at + 1..end).find(|at| {
            self.out.is(*at, "into") && !self.out.is_one_of(at - 1, &["insert", "merge"])
        })?;
        let mut at = place + 1;
        if self.out.is(at, "strict") {
            at += 1;
        }
        loop {
            if !self.out.is_name(at) {
                return None;
            }
            at += 1;
            while at < end {
                match self.out.text_of(at) {
                    "." => at += 2,
                    "[" => at = self.find_from(at + 1, &["]"])? + 1,
                    _ => break,
                }
            }
            if self.out.text_of(at) != "," {
                return (at <= end).then_some(place..at);
            }
            at += 1;
        }
    }
}
