//! How a script is to look.

use pg_ast_syntax::Placeholders;

/// The options of the layout.
///
/// ```
/// use pg_ast_fmt::{KeywordCase, Options};
///
/// let options = Options::default().width(80).indent(4).keyword_case(KeywordCase::Lower);
/// assert_eq!(options, Options { width: 80, indent: 4, keyword_case: KeywordCase::Lower, ..Options::default() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The maximum length of a line, in columns. Only a token that is longer makes a longer line.
    pub width: usize,
    /// The number of columns to indent per level.
    pub indent: usize,
    /// The case of keywords.
    pub keyword_case: KeywordCase,
    /// Where the commas of a list stand that is on several lines.
    pub commas: Commas,
    /// Where the clauses of a query stand that is on several lines.
    pub style: Style,
    /// Whether the types of a table's columns stand below each other.
    pub columns: Columns,
    /// Which bodies of functions are laid out.
    pub bodies: Bodies,
    /// The placeholders of other tools that are tokens, as variables of psql are. Statements with others are wrong.
    pub placeholders: Placeholders,
}

impl Default for Options {
    /// Lines of 100 columns, two columns per level, keywords in upper case, commas at the ends of lines, blocks, columns that
    /// are not aligned, and bodies between dollars laid out.
    fn default() -> Self {
        Self {
            width: 100,
            indent: 2,
            keyword_case: KeywordCase::Upper,
            commas: Commas::Trailing,
            style: Style::Block,
            columns: Columns::Plain,
            bodies: Bodies::DollarQuoted,
            placeholders: Placeholders::default(),
        }
    }
}

impl Options {
    /// Sets the maximum length of a line, in columns.
    #[must_use]
    pub fn width(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// Sets the number of columns to indent per level.
    #[must_use]
    pub fn indent(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Sets the case of keywords.
    #[must_use]
    pub fn keyword_case(self, keyword_case: KeywordCase) -> Self {
        Self { keyword_case, ..self }
    }

    /// Sets where the commas of a list stand.
    #[must_use]
    pub fn commas(self, commas: Commas) -> Self {
        Self { commas, ..self }
    }

    /// Sets which placeholders of other tools are tokens; none by default.
    ///
    /// ```
    /// use pg_ast_fmt::pg_ast::Version;
    /// use pg_ast_fmt::pg_ast_syntax::Placeholders;
    /// use pg_ast_fmt::{Options, format};
    ///
    /// let options = Options::default().placeholders(Placeholders::default().braces(true));
    /// let script = "select a from {{ ref('t') }} where b={{c}};\n";
    /// let formatted = format(Version::newest(), script, &options);
    /// assert_eq!(formatted.text, "SELECT a FROM {{ ref('t') }} WHERE b = {{c}};\n");
    /// ```
    #[must_use]
    pub fn placeholders(self, placeholders: Placeholders) -> Self {
        Self { placeholders, ..self }
    }

    /// Sets where the clauses of a query stand.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Sets whether the types of a table's columns stand below each other.
    #[must_use]
    pub fn columns(self, columns: Columns) -> Self {
        Self { columns, ..self }
    }

    /// Sets which bodies of functions are laid out.
    #[must_use]
    pub fn bodies(self, bodies: Bodies) -> Self {
        Self { bodies, ..self }
    }
}

/// The case of keywords. Names, also those of types such as `int`, are left as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeywordCase {
    /// `SELECT`
    #[default]
    Upper,
    /// `select`
    Lower,
    /// As they are.
    Keep,
}

/// Where the commas of a list stand that is on several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Commas {
    /// At the end of the line of the item before.
    #[default]
    Trailing,
    /// At the beginning of the line of the item behind.
    Leading,
}

/// Where the clauses of `SELECT`, `INSERT`, `UPDATE`, `DELETE` and `MERGE` stand if they are on several lines.
///
/// ```
/// use pg_ast_fmt::pg_ast::Version;
/// use pg_ast_fmt::{Options, Style, format};
///
/// let script = "select id, total from orders where paid and total > 100 order by id;";
/// let options = Options::default().width(60);
/// let formatted = format(Version::newest(), script, &options);
/// let expected = "SELECT id, total
/// FROM orders
/// WHERE paid AND total > 100
/// ORDER BY id;
/// ";
/// assert_eq!(formatted.text, expected);
///
/// let formatted = format(Version::newest(), script, &options.style(Style::River));
/// let expected = "SELECT id, total
///   FROM orders
///  WHERE paid AND total > 100
///  ORDER BY id;
/// ";
/// assert_eq!(formatted.text, expected);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Each begins a line, and lists are one level deeper.
    #[default]
    Block,
    /// Their first words end in the same column, that of `SELECT`, with a river of blanks behind them, as in
    /// [SQL style guide](https://www.sqlstyle.guide).
    River,
}

/// Whether the types and the constraints of a table's columns stand below each other.
///
/// ```
/// use pg_ast_fmt::pg_ast::Version;
/// use pg_ast_fmt::{Columns, Options, format};
///
/// let script = "create table t (id bigint primary key, name text not null);";
/// let options = Options::default().columns(Columns::Aligned);
/// let formatted = format(Version::newest(), script, &options);
/// let expected = "CREATE TABLE t (
///   id   bigint PRIMARY KEY,
///   name text   NOT NULL
/// );
/// ";
/// assert_eq!(formatted.text, expected);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Columns {
    /// They do not.
    #[default]
    Plain,
    /// They do, in lines that have the room for it.
    Aligned,
}

/// Which bodies of functions, procedures and `DO` are laid out. Only those in SQL and PL/pgSQL are, and only correct ones.
///
/// ```
/// use pg_ast_fmt::pg_ast::Version;
/// use pg_ast_fmt::{Bodies, Options, format};
///
/// let script = "do $$ begin if a then call b(); end if; end $$;\n";
/// let formatted = format(Version::newest(), script, &Options::default());
/// let expected = "DO $$
/// BEGIN
///   IF a THEN
///     CALL b();
///   END IF;
/// END
/// $$;
/// ";
/// assert_eq!(formatted.text, expected);
///
/// let options = Options::default().bodies(Bodies::Keep);
/// let formatted = format(Version::newest(), script, &options);
/// assert_eq!(formatted.text, "DO $$ begin if a then call b(); end if; end $$;\n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bodies {
    /// None.
    Keep,
    /// Those between dollars: `$$ .. $$`, `$body$ .. $body$`.
    #[default]
    DollarQuoted,
}
