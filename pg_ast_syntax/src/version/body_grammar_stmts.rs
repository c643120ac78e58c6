//! PL/pgSQL's declarations and simple statements.

use core::ops::Range;

use pg_ast::Error;

use super::body_grammar::BodyReader;
use super::body_tree_builder::BodySql;
use super::syntax_kind::SyntaxKind;

const DIRECTIONS: &[&str] = &[
    "next", "prior", "first", "last", "absolute", "relative", "forward", "backward", "all", "from",
    "in",
];

impl BodyReader<'_> {
    /// A statement that ends with a semicolon.
    pub(super) fn simple_stmt(&mut self) -> Result<(), Error> {
        if self.text() == ";" || self.is("when") || self.is("then") {
            // No statement begins so.
            self.out.skipped(self.out.at + 1);
            return Ok(());
        }
        if self.is_assignment() {
            return self.assignment();
        }
        let kind = self.kind_of_stmt();
        self.out.start(kind);
        if kind == SyntaxKind::stmt_execsql || kind == SyntaxKind::stmt_perform {
            let end = self.end_of_sql();
            let into = self.targets_of_into(end).filter(|_| kind == SyntaxKind::stmt_execsql);
            self.out.sql(end, BodySql::Stmt, into)?;
            self.semicolon(end);
            self.out.finish();
            return Ok(());
        }
        let end = self.find(&[]);
        match kind {
            SyntaxKind::stmt_return => self.return_(end)?,
            SyntaxKind::stmt_raise => self.raise(end)?,
            SyntaxKind::stmt_dynexecute => self.dynamic(end)?,
            SyntaxKind::stmt_exit => self.exit(end)?,
            SyntaxKind::stmt_assert => {
                self.out.keyword();
                self.exprs(end)?;
            }
            SyntaxKind::stmt_open => self.open_cursor(end)?,
            SyntaxKind::stmt_fetch | SyntaxKind::stmt_move => self.fetch(end)?,
            SyntaxKind::stmt_getdiag => self.get_diagnostics(end),
            SyntaxKind::stmt_close => {
                self.out.keyword();
                self.out.tokens_up_to(end);
            }
            // Words alone.
            _ => {
                while self.out.at < end {
                    self.out.keyword();
                }
            }
        }
        self.semicolon(end);
        self.out.finish();
        Ok(())
    }

    fn kind_of_stmt(&self) -> SyntaxKind {
        let is_last = self.out.text_of(self.out.at + 1) == ";";
        match self.text().to_ascii_lowercase().as_str() {
            "null" if is_last => SyntaxKind::stmt_null,
            "return" => SyntaxKind::stmt_return,
            "raise" => SyntaxKind::stmt_raise,
            "perform" => SyntaxKind::stmt_perform,
            "execute" => SyntaxKind::stmt_dynexecute,
            "exit" | "continue" => SyntaxKind::stmt_exit,
            "assert" => SyntaxKind::stmt_assert,
            "open" => SyntaxKind::stmt_open,
            "fetch" => SyntaxKind::stmt_fetch,
            "move" => SyntaxKind::stmt_move,
            "close" => SyntaxKind::stmt_close,
            "get" => SyntaxKind::stmt_getdiag,
            "commit" => SyntaxKind::stmt_commit,
            "rollback" => SyntaxKind::stmt_rollback,
            _ => SyntaxKind::stmt_execsql,
        }
    }

    /// Returns whether a statement assigns to a variable.
    pub(super) fn is_assignment(&self) -> bool {
        self.assigned().is_some()
    }

    /// Returns the place of the operator of an assignment, and the number of dots in its target.
    fn assigned(&self) -> Option<(usize, usize)> {
        let mut at = self.out.at;
        if !self.out.is_name(at) {
            return None;
        }
        let mut dots = 0;
        at += 1;
        loop {
            match self.out.text_of(at) {
                ":=" | "=" => return Some((at, dots)),
                "." => {
                    dots += 1;
                    at += 2;
                }
                "[" => {
                    let behind = self.out.behind_parentheses(at, false);
                    at = Some(behind).filter(|behind| *behind > at + 1)?;
                }
                _ => return None,
            }
        }
    }

    fn assignment(&mut self) -> Result<(), Error> {
        let dots = self.assigned().map_or(0, |(_, dots)| dots);
        self.out.start(SyntaxKind::stmt_assign);
        let end = self.find(&[]);
        self.out.sql(end, BodySql::Assign(dots), None)?;
        self.semicolon(end);
        self.out.finish();
        Ok(())
    }

    /// Expressions with commas between them.
    fn exprs(&mut self, end: usize) -> Result<(), Error> {
        loop {
            let comma = self.find(&[","]).min(end);
            self.expr(comma)?;
            if comma >= end {
                return Ok(());
            }
            self.out.token();
        }
    }

    /// A query, or the name of a cursor with its arguments, up to a place.
    pub(super) fn query(&mut self, end: usize) -> Result<(), Error> {
        let is_query = self.is_one_of(&["select", "with", "values", "table", "("])
            || self.is_one_of(&["insert", "update", "delete", "merge", "explain", "show", "fetch"]);
        let is_cursor = self.out.is_name(self.out.at)
            && (self.out.at + 1 == end || self.out.text_of(self.out.at + 1) == "(");
        let sql = if is_cursor && !is_query { BodySql::Expr } else { BodySql::Stmt };
        self.out.sql(end, sql, None)
    }

    fn return_(&mut self, end: usize) -> Result<(), Error> {
        self.out.keyword();
        if self.optional("query") {
            return if self.is("execute") { self.dynamic(end) } else { self.query(end) };
        }
        self.optional("next");
        if self.out.at < end { self.expr(end) } else { Ok(()) }
    }

    /// `EXECUTE` with its `INTO` and `USING`.
    pub(super) fn dynamic(&mut self, end: usize) -> Result<(), Error> {
        const PARTS: &[&str] = &["into", "using"];
        self.out.keyword();
        let place = self.find(PARTS).min(end);
        self.expr(place)?;
        while self.out.at < end {
            if self.optional("into") {
                self.optional("strict");
                let place = self.find(PARTS).min(end);
                self.out.tokens_up_to(place);
            } else {
                self.out.keyword();
                loop {
                    let place = self.find(&["into", ","]).min(end);
                    self.expr(place)?;
                    if self.out.at >= end || self.text() != "," {
                        break;
                    }
                    self.out.token();
                }
            }
        }
        Ok(())
    }

    fn raise(&mut self, end: usize) -> Result<(), Error> {
        self.out.keyword();
        if self.is_one_of(&["debug", "log", "info", "notice", "warning", "exception"]) {
            self.out.keyword();
        }
        let message_end = self.find(&["using"]).min(end);
        if self.out.at < message_end {
            self.optional("sqlstate");
            let comma = self.find(&[",", "using"]).min(end);
            self.out.tokens_up_to(comma);
        }
        while self.out.at < message_end {
            // The comma.
            self.out.token();
            let comma = self.find(&[",", "using"]).min(end);
            self.expr(comma)?;
        }
        if self.out.at < end {
            self.out.keyword();
            loop {
                self.out.keyword();
                let item_end = self.find(&[","]).min(end);
                if matches!(self.text(), "=" | ":=") {
                    self.out.token();
                } else {
                    self.out.missing(SyntaxKind::EQUALS);
                }
                self.expr(item_end)?;
                if item_end >= end {
                    break;
                }
                self.out.token();
            }
        }
        Ok(())
    }

    fn exit(&mut self, end: usize) -> Result<(), Error> {
        self.out.keyword();
        if self.out.at < end && !self.is("when") && self.out.is_name(self.out.at) {
            self.out.token();
        }
        if self.optional("when") {
            self.expr(end)?;
        }
        Ok(())
    }

    fn open_cursor(&mut self, end: usize) -> Result<(), Error> {
        self.out.keyword();
        let place = self.find(&["for"]).min(end);
        if place == end {
            return self.expr(end);
        }
        let options = self.find(&["no", "scroll"]).min(place);
        self.out.tokens_up_to(options);
        while self.out.at <= place {
            self.out.keyword();
        }
        if self.is("execute") { self.dynamic(end) } else { self.query(end) }
    }

    fn fetch(&mut self, end: usize) -> Result<(), Error> {
        self.out.keyword();
        let cursor_end = self.find(&["into"]).min(end);
        // The last word is the name of the cursor.
        let mut name = cursor_end.saturating_sub(1);
        while name >= self.out.at + 2 && self.out.text_of(name - 1) == "." {
            name -= 2;
        }
        while self.out.at < name {
            if self.is_one_of(DIRECTIONS) {
                self.out.keyword();
                continue;
            }
            // The number of rows.
            let number_end = self.find(&["from", "in"]).min(name);
            self.expr(number_end)?;
        }
        self.out.tokens_up_to(cursor_end);
        if self.out.at < end {
            self.out.keyword();
            self.optional("strict");
            self.out.tokens_up_to(end);
        }
        Ok(())
    }

    fn get_diagnostics(&mut self, end: usize) {
        self.out.keyword();
        if !self.optional("stacked") {
            self.optional("current");
        }
        if !self.optional("diagnostics") {
            self.out.missing(SyntaxKind::PLPGSQL_KEYWORD);
        }
        while self.out.at < end {
            let is_item = matches!(self.out.text_of(self.out.at.wrapping_sub(1)), "=" | ":=");
            if is_item {
                self.out.keyword();
            } else {
                self.out.token();
            }
        }
    }

    /// Returns the place of the semicolon that ends a statement in SQL. The actions of a rule, and a body after `BEGIN ATOMIC`, have
    /// some of their own.
    fn end_of_sql(&self) -> usize {
        let is_create = self.is("create");
        let mut routine = self.out.at + 1;
        if self.out.is(routine, "or") {
            routine += 2;
        }
        let is_routine = is_create && self.out.is_one_of(routine, &["function", "procedure"]);
        let is_rule = is_create && self.out.is(routine, "rule");
        let (mut index, mut depth) = (self.out.at, 0_usize);
        while index < self.out.tokens.len() {
            match self.out.text_of(index) {
                ";" if depth == 0 => return index,
                "(" | "[" => {
                    index = self.out.behind_parentheses(index, is_rule);
                    continue;
                }
                _ if !is_routine => {}
                _ if self.out.is(index, "begin") => depth += 1,
                _ if depth > 0 && self.out.is(index, "case") => depth += 1,
                _ if depth > 0 && self.out.is(index, "end") => depth -= 1,
                _ => {}
            }
            index += 1;
        }
        // It does not end.
        if depth > 0 { self.find(&[]) } else { index }
    }

    /// Returns the tokens of the first `INTO` that is PL/pgSQL's.
    fn targets_of_into(&self, end: usize) -> Option<Range<usize>> {
        if self.is("import") {
            return None;
        }
        let place = (self.out.at + 1..end).find(|at| {
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
                    "[" => at = self.out.behind_parentheses(at, false),
                    _ => break,
                }
            }
            if self.out.text_of(at) != "," {
                return (at <= end).then_some(place..at);
            }
            at += 1;
        }
    }

    /// A declaration.
    pub(super) fn declaration(&mut self) -> Result<(), Error> {
        self.out.start(SyntaxKind::decl_statement);
        if self.out.is_name(self.out.at) {
            self.out.token();
        } else {
            self.out.missing(SyntaxKind::IDENT);
        }
        let end = self.find(&["begin"]);
        if self.is("alias") && self.out.is(self.out.at + 1, "for") {
            self.out.keyword();
            self.out.keyword();
            self.out.tokens_up_to(end);
        } else if self.is_one_of(&["cursor", "scroll"])
            || (self.is("no") && self.out.is(self.out.at + 1, "scroll"))
        {
            self.cursor(end)?;
        } else {
            self.variable(end)?;
        }
        self.semicolon(end);
        self.out.finish();
        Ok(())
    }

    fn variable(&mut self, end: usize) -> Result<(), Error> {
        self.optional("constant");
        let type_end = self.find(&[":=", "=", "collate", "not", "default"]).min(end);
        self.data_type(type_end)?;
        if self.optional("collate") {
            let name_end = self.find(&[":=", "=", "not", "default"]).min(end);
            self.out.tokens_up_to(name_end);
        }
        if self.optional("not") && !self.optional("null") {
            self.out.missing(SyntaxKind::NULL_P);
        }
        if self.is("default") || matches!(self.text(), ":=" | "=") {
            self.out.keyword();
            self.expr(end)?;
        }
        Ok(())
    }

    fn data_type(&mut self, end: usize) -> Result<(), Error> {
        self.out.start(SyntaxKind::decl_datatype);
        let mut tokens = self.out.at..end;
        if tokens.any(|token| self.out.text_of(token) == "%") {
            // The type of something else.
            while self.out.at < end {
                if self.out.text_of(self.out.at.wrapping_sub(1)) == "%" {
                    self.out.keyword();
                } else {
                    self.out.token();
                }
            }
        } else {
            self.out.sql(end, BodySql::Type, None)?;
        }
        self.out.finish();
        Ok(())
    }

    fn cursor(&mut self, end: usize) -> Result<(), Error> {
        while self.out.at < end && !self.is("cursor") && self.is_one_of(&["no", "scroll"]) {
            self.out.keyword();
        }
        if !self.optional("cursor") {
            self.out.missing(SyntaxKind::CURSOR);
        }
        let word = self.find(&["for", "is"]).min(end);
        if self.out.at < word {
            self.out.start(SyntaxKind::decl_cursor_args);
            self.out.tokens_up_to(word);
            self.out.finish();
        }
        if word < end {
            self.out.keyword();
        } else {
            self.out.missing(SyntaxKind::FOR);
        }
        self.query(end)
    }
}
