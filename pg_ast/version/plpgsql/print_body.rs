//! Prints a function's body: the lines, the comments, and the SQL in them; the statements are in `print_stmts`.

use std::collections::VecDeque;

use super::super::super::plpgsql_tree::{Expr, Function, ResolveOption};
use super::names_in_scope::{NamesInScope, push_name};
use super::print::deparse::comments;
use super::read::scan::scan;
use super::{Dno, Target};
use crate::convert::incomplete;
use crate::text::deparsed_comments::placeholders;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::{Comment, DeparseOptions};

/// The levels that are indented: with more of them, the printed text would grow with the square of the depth.
const MAX_INDENTED: usize = 40;

impl Function {
    /// Prints the body, which is what stands between the quotes after `AS`.
    ///
    /// Each statement is on lines of its own, with four spaces per level. SQL is printed as it is in [`Expr::query`]. A
    /// body that is parsed again has the same tree, apart from its places.
    ///
    /// ```
    /// use pg_ast::plpgsql;
    ///
    /// let body = "begin if a>0 then select count(*) into n from t; else return; end if; end";
    /// let header = "CREATE FUNCTION f(a int, OUT n int)";
    /// let function = plpgsql::parse_body(body, Some(header))?;
    /// let printed = "BEGIN
    ///     IF a>0 THEN
    ///         select count(*) INTO n from t;
    ///     ELSE
    ///         RETURN;
    ///     END IF;
    /// END";
    /// assert_eq!(function.deparse()?, printed);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A part that was made by hand has no text: a variable that has no name in its place, or an expression without a query.
    pub fn deparse(&self) -> Result<String, Error> {
        self.deparse_with(&DeparseOptions::default())
    }

    /// Like [`deparse`](Self::deparse), with the indentation and the comments of the options; the others are for SQL.
    ///
    /// The comments are those of the text that was parsed, as [`comments`](super::super::comments) returns them. Those within
    /// an expression are part of it; each other one is printed before the statement that follows it, or at the end of
    /// the line that it was at the end of.
    ///
    /// ```
    /// use pg_ast::{DeparseOptions, plpgsql};
    ///
    /// let body = "-- all of it\nBEGIN NULL; -- why\nEND";
    /// let function = plpgsql::parse_body(body, None)?;
    /// let options = DeparseOptions::default().indent_size(2).comments(pg_ast::comments(body)?);
    /// assert_eq!(function.deparse_with(&options)?, "-- all of it\nBEGIN\n  NULL; -- why\nEND");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](Self::deparse), and a comment that is none.
    pub fn deparse_with(&self, options: &DeparseOptions) -> Result<String, Error> {
        placeholders(&options.comments)?;
        let mut printer = BodyPrinter {
            function: self,
            names: NamesInScope::new(self),
            out: String::new(),
            indent: if options.indent_size == 0 { 4 } else { options.indent_size.into() },
            level: 0,
            comments: &options.comments,
            last_comment: None,
            error: None,
        };
        printer.options();
        printer.comments_before(self.action.location);
        printer.block(&self.action, "");
        printer.comments_before(i32::MAX);
        match printer.error {
            Some(error) => Err(error),
            None => Ok(printer.out.trim_end().to_owned()),
        }
    }
}

/// What is printed, and what is known at that place.
pub(super) struct BodyPrinter<'a> {
    pub(super) function: &'a Function,
    pub(super) names: NamesInScope<'a>,
    pub(super) out: String,
    indent: usize,
    pub(super) level: usize,
    /// Those that are not printed yet, in order.
    comments: &'a [Comment],
    last_comment: Option<&'a Comment>,
    error: Option<Error>,
}

impl<'a> BodyPrinter<'a> {
    /// The settings before the outermost block.
    fn options(&mut self) {
        if self.function.print_strict_params {
            self.put("#print_strict_params on\n");
        }
        match self.function.resolve_option {
            ResolveOption::Error => {}
            ResolveOption::Variable => self.put("#variable_conflict use_variable\n"),
            ResolveOption::Column => self.put("#variable_conflict use_column\n"),
        }
    }

    pub(super) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Returns what is printed meanwhile, to be put elsewhere.
    pub(super) fn apart(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let start = self.out.len();
        print(self);
        self.out.split_off(start)
    }

    /// Begins a line.
    pub(super) fn start(&mut self) {
        let spaces = self.indent * self.level.min(MAX_INDENTED);
        self.out.extend(core::iter::repeat_n(' ', spaces));
    }

    /// Prints a line by itself.
    pub(super) fn line(&mut self, text: &str) {
        self.start();
        self.put(text);
        self.put("\n");
    }

    pub(super) fn incomplete(&mut self, of: &str, field: &str) {
        self.error.get_or_insert_with(|| incomplete(of, field));
    }

    /// Prints the comments before a place in the text, as lines, or at the end of the last one.
    pub(super) fn comments_before(&mut self, location: i32) {
        let Ok(location) = usize::try_from(location) else { return };
        while let Some(comment) = self.next_comment(location.saturating_add(1)) {
            self.comment_line(comment);
        }
    }

    /// Removes the next comment, if it is before a place.
    fn next_comment(&mut self, end: usize) -> Option<&'a Comment> {
        let (next, others) = self.comments.split_first()?;
        if next.match_location >= end {
            return None;
        }
        self.comments = others;
        Some(next)
    }

    fn comment_line(&mut self, comment: &'a Comment) {
        // Of the lines between two comments, the first one knows.
        let last = self.last_comment.replace(comment);
        let newlines = match last {
            Some(last) if last.match_location == comment.match_location => last.newlines_after,
            _ => comment.newlines_before,
        };
        let is_behind = newlines == 0 && self.out.ends_with('\n');
        if is_behind {
            self.out.pop();
        }
        // Two line comments are never on one line.
        if is_behind && !ends_in_line_comment(&self.out) {
            self.put(" ");
        } else {
            if is_behind {
                self.put("\n");
            }
            self.start();
        }
        self.put(&comment.text);
        self.put("\n");
    }

    /// Prints the comments before the end of a list of statements, which is before this place.
    pub(super) fn last_comments(&mut self, end: i32) {
        self.level += 1;
        self.comments_before(end.saturating_sub(1));
        self.level -= 1;
    }

    /// Prints the SQL of an expression, with the comments before it.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_with(expr, str::to_owned);
    }

    /// Prints the SQL of an expression, changed.
    pub(super) fn expr_with(&mut self, expr: &Expr, change: impl FnOnce(&str) -> String) {
        let query = expr.query.trim_end();
        if query.is_empty() {
            self.incomplete("PLpgSQL_expr", "query");
        }
        for comment in self.comments_outside(expr) {
            self.put(&comment.text);
            self.put(if comment.text.starts_with("--") { "\n" } else { " " });
        }
        let query = change(query);
        self.put(&query);
        // What follows would be part of the comment.
        if ends_in_line_comment(&query) {
            self.put("\n");
            self.start();
        }
    }

    /// Removes the comments up to the end of an expression; returns those that are not part of its query, as in its `INTO`.
    fn comments_outside(&mut self, expr: &Expr) -> Vec<&'a Comment> {
        let [Ok(start), Ok(end)] = [expr.location, expr.end].map(usize::try_from) else {
            return Vec::new();
        };
        let mut outside = Vec::new();
        let mut own: Option<VecDeque<Comment>> = None;
        while let Some(comment) = self.next_comment(end) {
            let own = own.get_or_insert_with(|| comments(&expr.query).unwrap_or_default().into());
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
    pub(super) fn exprs(&mut self, exprs: &[Expr]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.expr(expr);
        }
    }

    /// Prints `USING` and expressions, if there are any.
    pub(super) fn using(&mut self, exprs: &[Expr]) {
        if !exprs.is_empty() {
            self.put(" USING ");
            self.exprs(exprs);
        }
    }

    /// Prints a name.
    pub(super) fn name(&mut self, name: &str) {
        push_name(&mut self.out, name);
    }

    /// Prints a variable.
    pub(super) fn variable(&mut self, dno: Dno) {
        if self.names.write(dno, &mut self.out).is_none() {
            let name = self.function.variable_name(dno).unwrap_or("?");
            let message = format!("deparse: the variable {name} has no name here");
            self.error.get_or_insert_with(|| Error::new(ErrorKind::Deparse, message));
        }
    }

    /// Prints the variables that a row is assigned to.
    pub(super) fn target(&mut self, target: &Target) {
        if target.dnos().is_empty() {
            self.incomplete("PLpgSQL_row", "varnos");
        }
        for (index, dno) in target.dnos().iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.variable(*dno);
        }
    }

    /// Prints a string as a literal.
    pub(super) fn literal(&mut self, text: &str) {
        let escapes = text.contains('\\');
        self.put(if escapes { "E'" } else { "'" });
        for part in text.chars() {
            if part == '\'' || part == '\\' && escapes {
                self.out.push(part);
            }
            self.out.push(part);
        }
        self.put("'");
    }
}

/// Returns whether the last line of a text may end in a line comment.
fn ends_in_line_comment(text: &str) -> bool {
    text.rsplit(['\n', '\r']).next().is_some_and(|line| line.contains("--"))
}

/// Puts `INTO` into a query: before `FROM` of its outermost `SELECT`, or behind it. PL/pgSQL has put spaces where it was.
///
/// A line that begins there is indented by `indent`. `None` if the query, which was made by hand then, has no tokens.
pub(super) fn with_into(query: &str, into: &str, indent: &str) -> Option<String> {
    let tokens = scan(query).ok()?.tokens;
    let texts: Vec<_> = tokens.iter().map(|token| &query[token.range()]).collect();
    let is = |index: usize, word: &str| {
        texts.get(index).is_some_and(|text: &&str| text.eq_ignore_ascii_case(word))
    };
    let mut place = tokens.len();
    if is(0, "select") {
        let mut depth = 0_usize;
        for (index, text) in texts.iter().enumerate().skip(1) {
            match *text {
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
    let mut out = String::with_capacity(query.len() + into.len());
    let mut end = 0;
    for (index, token) in tokens.iter().enumerate() {
        let between = &query[end..token.range().start];
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
            out.push(' ');
        } else {
            out.push_str(if is_line || between.len() == 1 { between } else { " " });
        }
        out.push_str(texts[index]);
        end = token.range().end;
    }
    if place == tokens.len() {
        out.push_str(if ends_in_line_comment(&out) { "\n" } else { " " });
        out.push_str(into);
    }
    Some(out)
}
