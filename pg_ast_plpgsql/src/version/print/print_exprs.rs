//! Prints the SQL in a body; see `print_body`.

use std::collections::VecDeque;

use pg_ast::Comment;

use super::pg::plpgsql::{Datum, Expr, StmtAssign, StmtExecsql};
use super::pg::{NodeEnum, NodeRef, comments, scan};
use super::print_body::BodyPrinter;

impl<'a> BodyPrinter<'a> {
    /// Prints the SQL of an expression, with the comments before it. It ends at a semicolon, or at one of the `ends`.
    pub(crate) fn expr(&mut self, expr: &Expr, ends: &[&str]) {
        let query = expr.query.trim_end();
        let outside = self.comments_outside([expr.location, expr.end], query);
        self.comments_within(&outside);
        self.source(query, ends);
    }

    /// Prints what was written, with the comments in it.
    pub(crate) fn source(&mut self, text: &str, ends: &[&str]) {
        if !Tokens::new(text).is_some_and(|tokens| tokens.are_read_until(ends)) {
            self.refuse(&format!("\"{text}\" would end elsewhere when it is read"));
        }
        self.put(text);
        self.after_line_comment(text);
    }

    /// Ends the line if what follows would be part of a comment.
    fn after_line_comment(&mut self, text: &str) {
        if ends_in_line_comment(text) {
            self.put("\n");
            self.start();
        }
    }

    /// Prints comments within a statement, before what follows on the line.
    fn comments_within(&mut self, comments: &[&Comment]) {
        for comment in comments {
            self.put(&comment.text);
            if comment.text.starts_with("--") {
                self.put("\n");
                self.start();
            } else {
                self.put(" ");
            }
        }
    }

    /// Prints a type as it was written, with the comments before it.
    pub(crate) fn type_text(&mut self, text: &str, place: [i32; 2]) {
        let outside = self.comments_outside(place, text);
        self.comments_within(&outside);
        self.source(text, &[":=", "=", "default", "not", "collate", ",", ")"]);
    }

    /// Removes the comments up to the end of what was written as `text`; returns those that are not part of it, as those in
    /// its `INTO`.
    fn comments_outside(&mut self, place: [i32; 2], text: &str) -> Vec<&'a Comment> {
        let [Ok(start), Ok(end)] = place.map(usize::try_from) else {
            return Vec::new();
        };
        let mut outside = Vec::new();
        let mut own: Option<VecDeque<Comment>> = None;
        while let Some(comment) = self.next_comment(end) {
            let own = own.get_or_insert_with(|| comments(text).unwrap_or_default().into());
            if comment.match_location >= start
                && own.front().is_some_and(|own| own.text == comment.text)
            {
                own.pop_front();
            } else {
                outside.push(comment);
            }
        }
        outside
    }

    /// Prints expressions with commas between them.
    pub(crate) fn exprs(&mut self, exprs: &[Expr], ends: &[&str]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.expr(expr, ends);
        }
    }

    /// Prints `USING` and expressions, if there are any.
    pub(crate) fn using(&mut self, exprs: &[Expr], ends: &[&str]) {
        if !exprs.is_empty() {
            self.put(" USING ");
            self.exprs(exprs, ends);
        }
    }

    /// Prints the query of `PERFORM`, which is a `SELECT` in the tree.
    pub(crate) fn perform(&mut self, expr: &Expr) {
        let query = expr.query.trim_end();
        let outside = self.comments_outside([expr.location, expr.end], query);
        self.comments_within(&outside);
        match query.split_at_checked(6) {
            Some((word, rest)) if word.eq_ignore_ascii_case("select") => {
                self.source(&format!("PERFORM{rest}"), &[]);
            }
            _ => self.incomplete("PLpgSQL_stmt_perform", "a query that begins with SELECT"),
        }
    }

    /// Prints an assignment, whose text has the variable, too.
    pub(crate) fn assign(&mut self, stmt: &'a StmtAssign) {
        if let Some(NodeRef::PlassignStmt(tree)) = stmt.expr.tree.stmts().next() {
            let fields = tree.indirection.iter().filter_map(|node| match &node.node {
                Some(NodeEnum::String(name)) => Some(name.sval.as_str()),
                _ => None,
            });
            let count = usize::try_from(tree.nnames).unwrap_or(0);
            let parts: Vec<_> =
                core::iter::once(tree.name.as_str()).chain(fields).take(count).collect();
            let found =
                self.names.lookup(&parts).map(|(dno, used)| (dno, parts.get(used).copied()));
            let expected = match self.function.datum(stmt.varno) {
                Some(Datum::Recfield(field)) => (field.recparentno, Some(field.fieldname.as_str())),
                _ => (stmt.varno, None),
            };
            if found != Some(expected) {
                let name = self.function.variable_name(stmt.varno).unwrap_or("?");
                self.refuse(&format!("the variable {name} is not what the query assigns to here"));
            }
        }
        self.expr(&stmt.expr, &[]);
    }

    /// Prints a statement in SQL, up to the semicolon; returns the comments that are to be printed after it.
    pub(crate) fn execsql(&mut self, stmt: &'a StmtExecsql) -> Vec<&'a Comment> {
        let kind = "PLpgSQL_stmt_execsql";
        self.excess(
            !stmt.into && (stmt.target.is_some() || stmt.strict),
            kind,
            "a target, not into,",
        );
        let query = stmt.sqlstmt.query.trim_end();
        let Some(tokens) = Tokens::new(query) else {
            self.incomplete(kind, "a query in SQL");
            return Vec::new();
        };
        self.excess(tokens.has_into(), kind, "INTO in its query");
        let Some(target) = stmt.target.as_ref().filter(|_| stmt.into) else {
            if stmt.into {
                self.incomplete(kind, "target");
            }
            self.expr(&stmt.sqlstmt, &[]);
            return Vec::new();
        };
        // The comments that are not in the query are in its INTO.
        let outside = self.comments_outside([stmt.sqlstmt.location, stmt.sqlstmt.end], query);
        let mut into = self.apart(|out| {
            out.put(if stmt.strict { "INTO STRICT " } else { "INTO " });
            out.target(target);
        });
        let place = tokens.place_of_into();
        let is_last = place == tokens.0.len();
        if !is_last {
            for comment in &outside {
                into.extend([" ", &*comment.text]);
                if ends_in_line_comment(&comment.text) {
                    into.push('\n');
                }
            }
        }
        let indent = self.apart(|out| {
            out.level += 1;
            out.start();
            out.level -= 1;
        });
        self.source(&tokens.with_into(place, &into, &indent), &[]);
        if is_last { outside } else { Vec::new() }
    }
}

/// Returns whether the last line of a text may end in a line comment.
fn ends_in_line_comment(text: &str) -> bool {
    text.rsplit(['\n', '\r']).next().is_some_and(|line| line.contains("--"))
}

/// The tokens of SQL, comments included, each after what is before it.
struct Tokens<'s>(Vec<(&'s str, &'s str)>);

impl<'s> Tokens<'s> {
    /// `None` if the text, which was made by hand then, has none, or is no SQL.
    fn new(text: &'s str) -> Option<Self> {
        let mut end = 0;
        let mut tokens = Vec::new();
        for token in scan(text).ok()?.tokens {
            let range = token.range();
            tokens.push((&text[end..range.start], &text[range.clone()]));
            end = range.end;
        }
        let is_code = |(_, text): &(&str, &str)| !is_comment(text);
        tokens.iter().any(is_code).then_some(Self(tokens))
    }

    /// The tokens without comments.
    fn code(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.0.iter().map(|(_, text)| *text).filter(|text| !is_comment(text))
    }

    /// Returns whether PL/pgSQL, which reads SQL up to a semicolon or one of the `ends`, reads all of it.
    fn are_read_until(&self, ends: &[&str]) -> bool {
        let is_any =
            |text: &str, words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        let mut head = self.code().take(4).filter(|text| !is_any(text, &["or", "replace"]));
        let is_routine = head.next().is_some_and(|word| is_any(word, &["create"]))
            && head.next().is_some_and(|word| is_any(word, &["function", "procedure"]));
        let (mut brackets, mut blocks) = (0_usize, 0_usize);
        for text in self.code() {
            match text {
                "(" | "[" => brackets += 1,
                ")" | "]" if brackets > 0 => brackets -= 1,
                ")" | "]" => return false,
                _ if brackets > 0 => {}
                // `BEGIN ATOMIC`
                _ if is_routine && is_any(text, &["begin", "case"]) => blocks += 1,
                _ if is_routine && is_any(text, &["end"]) => blocks = blocks.saturating_sub(1),
                ";" if blocks == 0 => return false,
                _ if is_any(text, ends) => return false,
                _ => {}
            }
        }
        brackets == 0 && blocks == 0
    }

    /// Returns whether PL/pgSQL would find an `INTO` of its own.
    fn has_into(&self) -> bool {
        let mut before = "";
        let is_import = self.code().next().is_some_and(|text| text.eq_ignore_ascii_case("import"));
        !is_import
            && self.code().any(|text| {
                let is_own = text.eq_ignore_ascii_case("into") && !takes_into(before);
                before = text;
                is_own
            })
    }

    /// Returns the index of the token that `INTO` is printed before: `FROM` of the outermost `SELECT`, or the end.
    fn place_of_into(&self) -> usize {
        let is = |index: usize, word: &str| self.0[index].1.eq_ignore_ascii_case(word);
        let mut place = self.0.len();
        if is(0, "select") {
            let mut depth = 0_usize;
            for index in 1..self.0.len() {
                match self.0[index].1 {
                    "(" | "[" => depth += 1,
                    ")" | "]" => depth = depth.saturating_sub(1),
                    _ if depth == 0 && is(index, "from") && !is(index - 1, "distinct") => {
                        place = index;
                        break;
                    }
                    _ => {}
                }
            }
        }
        // After a name such as `insert`, it would be that of SQL.
        while let Some(before) = self.0[..place].iter().rposition(|(_, text)| !is_comment(text))
            && before > 0
            && takes_into(self.0[before].1)
        {
            place = before;
        }
        place
    }

    /// Puts `INTO` before a token. PL/pgSQL has put spaces where it was. A line that begins there is indented by `indent`.
    fn with_into(&self, place: usize, into: &str, indent: &str) -> String {
        let mut out = String::new();
        for (index, (between, text)) in self.0.iter().enumerate() {
            let is_line = between.is_empty() || between.contains(['\n', '\r']);
            if index == place {
                // The spaces for `INTO` are in `between`, too.
                match between.rfind(['\n', '\r']) {
                    Some(end) => {
                        out.push_str(&between[..=end]);
                        out.push_str(indent);
                    }
                    None => out.push(' '),
                }
                out.push_str(into);
                out.push_str(if into.ends_with('\n') { indent } else { " " });
            } else {
                out.push_str(if is_line || between.len() == 1 { between } else { " " });
            }
            out.push_str(text);
        }
        if place == self.0.len() {
            out.push_str(if ends_in_line_comment(&out) { "\n" } else { " " });
            out.push_str(into);
        }
        out
    }
}

fn is_comment(token: &str) -> bool {
    token.starts_with("--") || token.starts_with("/*")
}

/// Returns whether `INTO` after this word is that of SQL, as PL/pgSQL reads it.
fn takes_into(word: &str) -> bool {
    ["insert", "merge", "import"].iter().any(|it| word.eq_ignore_ascii_case(it))
}
