//! The tokens that may come next, in types that are the same for all versions.

use core::fmt;
use core::ops::Range;

use crate::types::qualified_name::QualifiedName;

/// A token that PostgreSQL's grammar accepts at a place in the SQL.
///
/// It prints as SQL, or as the name of a kind of token: `WHERE`, `)`, `identifier`.
///
/// ```
/// use pg_ast::Expected;
///
/// let sql = "ALTER TABLE t ALTER c";
/// let expected = pg_ast::parse(sql).unwrap_err().expected(sql);
/// assert!(expected.contains(&Expected::Keyword("TYPE")));
/// let shown: Vec<_> = expected.iter().map(ToString::to_string).collect();
/// assert_eq!(shown, ["ADD", "DROP", "OPTIONS", "RESET", "RESTART", "SET", "TYPE"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Expected {
    /// A keyword, in upper case. A keyword that would only be a name there is an [`Identifier`](Self::Identifier).
    Keyword(&'static str),
    /// A name.
    Identifier,
    /// A string: `'a'`.
    String,
    /// A string of bits: `B'1'`, `X'f'`.
    BitString,
    /// A number.
    Number,
    /// A parameter: `$1`.
    Parameter,
    /// Any operator that the grammar does not treat specially: `||`.
    Operator,
    /// Punctuation, or an operator that the grammar treats specially: `(`, `::`, `;`.
    Symbol(&'static str),
    /// The end of the SQL.
    End,
}

impl Expected {
    /// Converts the name of a terminal in PostgreSQL's `gram.y`; `None` for those that never occur in SQL.
    pub(crate) fn of(terminal: &'static str) -> Option<Self> {
        Some(match terminal {
            "$end" => Self::End,
            "error" | "$undefined" | "UMINUS" | "SQL_COMMENT" | "C_COMMENT" => return None,
            _ if terminal.starts_with("MODE_") => return None,
            "IDENT" | "UIDENT" => Self::Identifier,
            "SCONST" | "USCONST" => Self::String,
            "BCONST" | "XCONST" => Self::BitString,
            "ICONST" | "FCONST" => Self::Number,
            "PARAM" => Self::Parameter,
            "Op" => Self::Operator,
            "TYPECAST" => Self::Symbol("::"),
            "DOT_DOT" => Self::Symbol(".."),
            "COLON_EQUALS" => Self::Symbol(":="),
            "EQUALS_GREATER" => Self::Symbol("=>"),
            "LESS_EQUALS" => Self::Symbol("<="),
            "GREATER_EQUALS" => Self::Symbol(">="),
            "NOT_EQUALS" => Self::Symbol("<>"),
            _ => match terminal.strip_prefix('\'') {
                Some(symbol) => Self::Symbol(symbol.strip_suffix('\'').unwrap_or(symbol)),
                // `NULL_P`; `NOT_LA`, a `NOT` that begins `NOT IN` and the like.
                None => Self::Keyword(
                    terminal
                        .strip_suffix("_P")
                        .or(terminal.strip_suffix("_LA"))
                        .unwrap_or(terminal),
                ),
            },
        })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Keyword(text) | Self::Symbol(text) => text,
            Self::Identifier => "identifier",
            Self::String => "string",
            Self::BitString => "bit string",
            Self::Number => "number",
            Self::Parameter => "parameter",
            Self::Operator => "operator",
            Self::End => "end of input",
        })
    }
}

/// A keyword that was probably meant.
///
/// Returned by [`Error::suggestion`](crate::Error::suggestion).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The keyword, in upper case.
    pub keyword: &'static str,
    /// The range of the word to replace, in bytes of the SQL.
    pub range: Range<usize>,
}

/// A change to the SQL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Change {
    /// The range that was replaced, in bytes of the original SQL; empty for an insertion.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Completions at a place in SQL, for editors: the result of [`complete`](crate::complete()).
///
/// ```
/// use pg_ast::{Expected, NameKind};
///
/// let found = pg_ast::complete("SELECT a FROM t WH", 18);
/// assert_eq!(found.word, 16..18);
/// assert!(found.expected.contains(&Expected::Keyword("WHERE")));
/// assert_eq!(found.tables[0].name, "t");
/// assert!(pg_ast::complete("UPDATE ", 7).names.contains(&NameKind::Table));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The range of the word that is being typed there, in bytes; empty if there is none.
    pub word: Range<usize>,
    /// The tokens that may replace it, including keywords that begin differently. None within a string or a comment.
    pub expected: Vec<Expected>,
    /// The kinds of objects that a name there can refer to.
    pub names: Vec<NameKind>,
    /// The tables that the statement names before and after the place, in order.
    pub tables: Vec<TableInScope>,
}

/// A kind of object that a name can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// A table, view or other relation.
    Table,
    /// A column.
    Column,
    /// A function.
    Function,
    /// A type.
    Type,
    /// A role.
    Role,
    /// A cursor.
    Cursor,
    /// An object of the kind that the statement is about, such as an index; in a
    /// [walk over names](crate::ParseResult::walk_names), one of a kind that has no constant here.
    Object,
    /// A new name for a column or a table.
    Alias,
    /// A query of `WITH`.
    Cte,
    /// A schema.
    Schema,
    /// An index.
    Index,
    /// A sequence.
    Sequence,
    /// A constraint of a table or a domain.
    Constraint,
    /// A trigger, or an event trigger.
    Trigger,
    /// A rewrite rule.
    Rule,
    /// A policy of row security.
    Policy,
    /// A collation.
    Collation,
    /// An operator.
    Operator,
    /// An operator class.
    OperatorClass,
    /// An operator family.
    OperatorFamily,
    /// A database.
    Database,
    /// An extension.
    Extension,
    /// A tablespace.
    Tablespace,
    /// An access method.
    AccessMethod,
    /// A procedural language.
    Language,
    /// A foreign server.
    Server,
    /// A foreign-data wrapper.
    ForeignDataWrapper,
    /// A publication.
    Publication,
    /// A subscription.
    Subscription,
    /// Extended statistics.
    Statistics,
    /// A parameter of a function.
    Parameter,
    /// A window of a `WINDOW` clause.
    Window,
    /// A prepared statement.
    Prepared,
    /// A savepoint.
    Savepoint,
    /// A configuration parameter.
    Setting,
    /// A channel of `NOTIFY`.
    Channel,
}

impl NameKind {
    /// Converts the name of a symbol in PostgreSQL's `gram.y`.
    pub(crate) fn of(symbol: &str) -> Option<Self> {
        Some(match symbol {
            "qualified_name" | "relation_expr" => Self::Table,
            "columnref" | "columnElem" | "insert_column_item" | "set_target" => Self::Column,
            "func_name" => Self::Function,
            "GenericType" => Self::Type,
            "RoleSpec" | "RoleId" => Self::Role,
            "cursor_name" => Self::Cursor,
            "any_name" => Self::Object,
            "alias_clause" | "ColLabel" | "BareColLabel" => Self::Alias,
            _ => return None,
        })
    }
}

/// A table that a statement names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TableInScope {
    /// The name of the table, or of a query of `WITH`.
    pub name: QualifiedName,
    /// The alias without quotes, if there is one.
    pub alias: Option<String>,
}
