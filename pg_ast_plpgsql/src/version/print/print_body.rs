//! Prints a function's body: the lines, the comments, and the SQL in them; the statements are in `print_stmts`.

use pg_ast::{Comment, DeparseOptions, Error, ErrorKind};

use super::body::names_in_scope::{NamesInScope, push_name};
use super::pg::plpgsql::{Dno, Function, ResolveOption, Target};
use super::pg::seam::body_layout;

/// The levels that are indented: with more of them, the printed text would grow with the square of the depth.
const MAX_INDENTED: usize = 40;

/// The bytes of a name, with the NUL at its end, as of PostgreSQL's `pg_config_manual.h`.
const NAMEDATALEN: usize = 64;

/// Prints the body of a function, which is what stands between the quotes after `AS`.
///
/// Each statement is on lines of its own, with four spaces per level. SQL is printed as it is in
/// [`Expr::query`](pg_ast::plpgsql::Expr::query). A body that is parsed again has the same tree, apart from its places, and from the
/// numbers of rows and of records' fields, which PL/pgSQL counts in the order of the text.
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
/// assert_eq!(pg_ast_plpgsql::deparse(&function)?, printed);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// A part that was made or changed by hand has no text: a variable that has no name in its place, an expression without a
/// query, one whose text would end elsewhere when it is read, or fields that no text has together.
pub fn deparse(function: &Function) -> Result<String, Error> {
    deparse_with(function, &DeparseOptions::default())
}

/// Like [`deparse()`], with the indentation and the comments of the options; the others are for SQL.
///
/// The comments are those of the text that was parsed, as [`comments`](pg_ast::comments) returns them. Those within
/// an expression are part of it; each other one is printed before the statement that follows it, or at the end of
/// the line that it was at the end of.
///
/// ```
/// use pg_ast::{DeparseOptions, plpgsql};
///
/// let body = "-- all of it\nBEGIN NULL; -- why\nEND";
/// let function = plpgsql::parse_body(body, None)?;
/// let options = DeparseOptions::default().indent_size(2).comments(pg_ast::comments(body)?);
/// let printed = pg_ast_plpgsql::deparse_with(&function, &options)?;
/// assert_eq!(printed, "-- all of it\nBEGIN\n  NULL; -- why\nEND");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse()`], and a comment that is none.
pub fn deparse_with(function: &Function, options: &DeparseOptions) -> Result<String, Error> {
    let (indent, comments) = body_layout(options)?;
    let mut printer = BodyPrinter {
        function,
        names: NamesInScope::new(function),
        out: String::new(),
        indent: if indent == 0 { 4 } else { indent },
        level: 0,
        comments,
        last_comment: None,
        line_comment_end: 0,
        error: None,
    };
    printer.options();
    printer.comments_before(function.action.location);
    printer.block(&function.action, "");
    printer.comments_before(i32::MAX);
    if printer.out.contains('\0') {
        printer.refuse("a NUL character has no text");
    }
    match printer.error {
        Some(error) => Err(error),
        None => Ok(printer.out.trim_end().to_owned()),
    }
}

/// What is printed, and what is known at that place.
pub(crate) struct BodyPrinter<'a> {
    pub(crate) function: &'a Function,
    pub(crate) names: NamesInScope<'a>,
    pub(crate) out: String,
    indent: usize,
    pub(crate) level: usize,
    /// Those that are not printed yet, in order.
    comments: &'a [Comment],
    last_comment: Option<&'a Comment>,
    /// The length of what is printed up to a line comment that is the last of a line.
    line_comment_end: usize,
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

    pub(crate) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Returns what is printed meanwhile, to be put elsewhere.
    pub(crate) fn apart(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let start = self.out.len();
        print(self);
        self.out.split_off(start)
    }

    /// Begins a line.
    pub(crate) fn start(&mut self) {
        let spaces = self.indent * self.level.min(MAX_INDENTED);
        self.out.extend(core::iter::repeat_n(' ', spaces));
    }

    /// Prints a line by itself.
    pub(crate) fn line(&mut self, text: &str) {
        self.start();
        self.put(text);
        self.put("\n");
    }

    pub(crate) fn incomplete(&mut self, of: &str, field: &str) {
        self.refuse(&format!("{of} without {field} has no SQL"));
    }

    /// A part that was made by hand has what there is no text for.
    pub(crate) fn excess(&mut self, is_excess: bool, of: &str, field: &str) {
        if is_excess {
            self.refuse(&format!("{of} with {field} has no text"));
        }
    }

    pub(crate) fn refuse(&mut self, why: &str) {
        let message = || Error::new(ErrorKind::Deparse, format!("deparse: {why}"));
        self.error.get_or_insert_with(message);
    }

    /// Prints the comments before a place in the text, as lines, or at the end of the last one.
    pub(crate) fn comments_before(&mut self, location: i32) {
        let Ok(location) = usize::try_from(location) else { return };
        while let Some(comment) = self.next_comment(location.saturating_add(1)) {
            self.comment_line(comment);
        }
    }

    /// Prints a word that is on a line by itself, of which the tree has no place, after the part that ends at `end`.
    pub(crate) fn word_after(&mut self, end: i32, word: &str) {
        // Comments behind that part, with no room for the word before them.
        let mut end = usize::try_from(end).unwrap_or(usize::MAX);
        while let Some(next) = self.comments.first()
            && next.newlines_before == 0
            && (end..end.saturating_add(word.len())).contains(&next.match_location)
        {
            end = next.match_location + next.text.len();
            self.comments = &self.comments[1..];
            self.comment_line(next);
        }
        self.line(word);
    }

    /// Removes the next comment, if it is before a place.
    pub(crate) fn next_comment(&mut self, end: usize) -> Option<&'a Comment> {
        let (next, others) = self.comments.split_first()?;
        if next.match_location >= end {
            return None;
        }
        self.comments = others;
        Some(next)
    }

    pub(crate) fn comment_line(&mut self, comment: &'a Comment) {
        // Of the lines between two comments, the first one knows.
        let last = self.last_comment.replace(comment);
        let newlines = match last {
            Some(last) if last.match_location == comment.match_location => last.newlines_after,
            _ => comment.newlines_before,
        };
        // Behind a line comment, there is no place for another one.
        let is_behind =
            newlines == 0 && self.out.ends_with('\n') && self.out.len() != self.line_comment_end;
        if is_behind {
            self.out.pop();
            self.put(" ");
        } else {
            self.start();
        }
        self.put(&comment.text);
        self.put("\n");
        if comment.text.starts_with("--") {
            self.line_comment_end = self.out.len();
        }
    }

    /// Prints the comments before the end of a list of statements, which is before this place.
    pub(crate) fn last_comments(&mut self, end: i32) {
        self.level += 1;
        self.comments_before(end.saturating_sub(1));
        self.level -= 1;
    }

    /// Prints a name.
    pub(crate) fn name(&mut self, name: &str) {
        // PostgreSQL would read another one.
        if name.is_empty() || name.len() >= NAMEDATALEN {
            self.refuse(&format!("\"{name}\" cannot be a name"));
        }
        push_name(&mut self.out, name);
    }

    /// Prints a variable.
    pub(crate) fn variable(&mut self, dno: Dno) {
        if self.names.write(dno, &mut self.out).is_none() {
            let name = self.function.variable_name(dno).unwrap_or("?");
            self.refuse(&format!("the variable {name} has no name here"));
        }
    }

    /// Prints the variables that a row is assigned to.
    pub(crate) fn target(&mut self, target: &Target) {
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
    pub(crate) fn literal(&mut self, text: &str) {
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
