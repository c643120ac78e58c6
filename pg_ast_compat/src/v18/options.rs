//! The options of calls, as the same numbers and structs as in pg_query.

use std::ops::{BitOr, BitOrAssign};

use pg_ast::{BackslashQuote, Comment, ParseMode};

/// A type of options that are bits.
macro_rules! bits {
    ($type:ident) => {
        impl $type {
            /// Returns the number.
            pub fn bits(self) -> i32 {
                self.0
            }

            fn has(self, option: Self) -> bool {
                self.0 & option.0 == option.0
            }
        }

        impl BitOr for $type {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl BitOrAssign for $type {
            fn bitor_assign(&mut self, other: Self) {
                *self = *self | other;
            }
        }

        impl From<i32> for $type {
            fn from(bits: i32) -> Self {
                Self(bits)
            }
        }

        impl From<u32> for $type {
            fn from(bits: u32) -> Self {
                Self(bits.cast_signed())
            }
        }
    };
}

/// The options of the parser: a mode, and settings of the scanner, combined with `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParserOptions(i32);

impl ParserOptions {
    /// Statements.
    pub const DEFAULT: Self = Self(0);
    /// The name of a type.
    pub const TYPE_NAME: Self = Self(1);
    /// A PL/pgSQL expression.
    pub const PLPGSQL_EXPR: Self = Self(2);
    /// A PL/pgSQL assignment, to a name of one part.
    pub const PLPGSQL_ASSIGN1: Self = Self(3);
    /// A PL/pgSQL assignment, to a name of two parts.
    pub const PLPGSQL_ASSIGN2: Self = Self(4);
    /// A PL/pgSQL assignment, to a name of three parts.
    pub const PLPGSQL_ASSIGN3: Self = Self(5);
    /// `backslash_quote = off`.
    pub const DISABLE_BACKSLASH_QUOTE: Self = Self(1 << 4);
    /// `standard_conforming_strings = off`.
    pub const DISABLE_STANDARD_CONFORMING_STRINGS: Self = Self(1 << 5);
    /// `escape_string_warning = off`.
    pub const DISABLE_ESCAPE_STRING_WARNING: Self = Self(1 << 6);

    /// The bits of the mode.
    const MODE: i32 = 0xF;
}

bits!(ParserOptions);

impl From<ParserOptions> for pg_ast::ParserOptions {
    fn from(options: ParserOptions) -> Self {
        let mode = match ParserOptions(options.0 & ParserOptions::MODE) {
            ParserOptions::TYPE_NAME => ParseMode::TypeName,
            ParserOptions::PLPGSQL_EXPR => ParseMode::PlPgSqlExpr,
            ParserOptions::PLPGSQL_ASSIGN1 => ParseMode::PlPgSqlAssign1,
            ParserOptions::PLPGSQL_ASSIGN2 => ParseMode::PlPgSqlAssign2,
            ParserOptions::PLPGSQL_ASSIGN3 => ParseMode::PlPgSqlAssign3,
            _ => ParseMode::Default,
        };
        let mut native = Self::default()
            .mode(mode)
            .standard_conforming_strings(
                !options.has(ParserOptions::DISABLE_STANDARD_CONFORMING_STRINGS),
            )
            .escape_string_warning(!options.has(ParserOptions::DISABLE_ESCAPE_STRING_WARNING));
        if options.has(ParserOptions::DISABLE_BACKSLASH_QUOTE) {
            native = native.backslash_quote(BackslashQuote::Off);
        }
        native
    }
}

/// The options of fingerprints, combined with `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FingerprintOptions(i32);

impl FingerprintOptions {
    /// A table counts by its alias if it has one. Its schema does not count, nor do two or more digits of its name.
    pub const DEFAULT: Self = Self(0);
    /// A table's name counts even if it has an alias.
    pub const RANGEVAR_IGNORE_ALIASES: Self = Self(1 << 0);
    /// A table's schema counts in queries, as it does in other statements.
    pub const RANGEVAR_INCLUDE_SCHEMA: Self = Self(1 << 1);
    /// The rules before PostgreSQL 18.
    pub const RANGEVAR_PG17_COMPAT: Self =
        Self(Self::RANGEVAR_IGNORE_ALIASES.0 | Self::RANGEVAR_INCLUDE_SCHEMA.0);
    /// All digits of a table's name count.
    pub const FULL_RELNAME: Self = Self(1 << 4);
}

bits!(FingerprintOptions);

impl From<FingerprintOptions> for pg_ast::FingerprintOptions {
    fn from(options: FingerprintOptions) -> Self {
        Self::default()
            .ignore_aliases(options.has(FingerprintOptions::RANGEVAR_IGNORE_ALIASES))
            .include_schema(options.has(FingerprintOptions::RANGEVAR_INCLUDE_SCHEMA))
            .full_relname(options.has(FingerprintOptions::FULL_RELNAME))
    }
}

/// The layout of SQL.
///
/// ```
/// use pg_ast_compat::v18 as pg_query;
///
/// let result = pg_query::parse("SELECT a FROM t", 0)?;
/// let options = pg_query::DeparseOptions { pretty_print: true, ..Default::default() };
/// assert_eq!(result.deparse(options)?, "SELECT a\nFROM t");
/// # Ok::<(), pg_query::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeparseOptions {
    /// Comments to put back.
    pub comments: Vec<DeparseComment>,
    /// True to break lines and indent.
    pub pretty_print: bool,
    /// The number of spaces per level; 0 means 4.
    pub indent_size: i32,
    /// The number of bytes per line for lists that are broken into lines; 0 means 80.
    pub max_line_length: i32,
    /// True to end the SQL with a line break.
    pub trailing_newline: bool,
    /// True to put commas at the start of a line.
    pub commas_start_of_line: bool,
}

/// A comment and its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeparseComment {
    /// The comment goes before the first node that is located here or later.
    pub match_location: i32,
    /// The number of line breaks before it.
    pub newlines_before_comment: i32,
    /// The number of line breaks after it.
    pub newlines_after_comment: i32,
    /// The comment with its delimiters.
    pub text: String,
}

/// Converts a number that is an `int` in C; negative ones become 0.
fn count(number: i32) -> usize {
    usize::try_from(number).unwrap_or(0)
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Converts a size in a layout; sizes larger than all SQL make no difference.
fn size(number: i32) -> u16 {
    u16::try_from(number.max(0)).unwrap_or(u16::MAX)
}

impl From<DeparseOptions> for pg_ast::DeparseOptions {
    fn from(options: DeparseOptions) -> Self {
        Self::default()
            .pretty_print(options.pretty_print)
            .indent_size(size(options.indent_size))
            .max_line_length(size(options.max_line_length))
            .trailing_newline(options.trailing_newline)
            .commas_start_of_line(options.commas_start_of_line)
            .comments(options.comments.into_iter().map(Comment::from).collect())
    }
}

impl From<DeparseComment> for Comment {
    fn from(comment: DeparseComment) -> Self {
        let mut native = Self::new(comment.text, count(comment.match_location));
        native.newlines_before = count(comment.newlines_before_comment);
        native.newlines_after = count(comment.newlines_after_comment);
        native
    }
}

impl From<Comment> for DeparseComment {
    fn from(comment: Comment) -> Self {
        Self {
            match_location: number(comment.match_location),
            newlines_before_comment: number(comment.newlines_before),
            newlines_after_comment: number(comment.newlines_after),
            text: comment.text,
        }
    }
}
