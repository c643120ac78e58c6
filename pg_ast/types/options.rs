//! Options of parsing, printing and hashing.

use crate::foundation::limits;

/// The kind of SQL to parse.
///
/// ```
/// use pg_ast::{NodeRef, ParseMode, ParserOptions};
///
/// let first = |sql: &str, mode: ParseMode| {
///     let tree = pg_ast::parse_with(sql, ParserOptions::default().mode(mode))?;
///     Ok::<_, pg_ast::Error>(tree.stmts().next().map(NodeRef::name))
/// };
/// assert_eq!(first("DELETE FROM t", ParseMode::Default)?, Some("DeleteStmt"));
/// assert_eq!(first("numeric(10, 2)[]", ParseMode::TypeName)?, Some("TypeName"));
/// assert_eq!(first("a + 1", ParseMode::PlPgSqlExpr)?, Some("SelectStmt"));
/// assert_eq!(first("a := 1", ParseMode::PlPgSqlAssign1)?, Some("PLAssignStmt"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Mirrors `RawParseMode` of PostgreSQL's `src/include/parser/parser.h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseMode {
    /// Statements, separated by semicolons.
    #[default]
    Default,
    /// The name of a type, as in `numeric(10, 2)[]`: the tree's only statement is a `TypeName`.
    TypeName,
    /// A PL/pgSQL expression, as in `a + 1`: a `SELECT` without the keyword.
    PlPgSqlExpr,
    /// A PL/pgSQL assignment, as in `a := 1`.
    PlPgSqlAssign1,
    /// A PL/pgSQL assignment to a target with one dot, as in `a.b := 1`.
    PlPgSqlAssign2,
    /// A PL/pgSQL assignment to a target with two dots, as in `a.b.c := 1`.
    PlPgSqlAssign3,
}

/// The rule for `\'` as a quote in string literals with escapes.
///
/// ```
/// use pg_ast::{BackslashQuote, ParserOptions};
///
/// let sql = r"SELECT E'it\'s'";
/// assert!(pg_ast::parse(sql).is_ok());
/// let options = ParserOptions::default().backslash_quote(BackslashQuote::Off);
/// assert!(pg_ast::parse_with(sql, options).is_err());
/// ```
///
/// Mirrors the setting `backslash_quote` of PostgreSQL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BackslashQuote {
    /// Never: it is an error.
    Off,
    /// Always.
    On,
    /// If the client's encoding never has an ASCII byte inside of a character, which is true of UTF-8, the
    /// encoding of a `&str`.
    #[default]
    SafeEncoding,
}

/// The settings of PostgreSQL's parser, and the limits on the length of SQL and the size of its tree.
///
/// Every call takes options by value or by reference.
///
/// ```
/// use pg_ast::{ParseMode, ParserOptions};
///
/// let options = ParserOptions::default().mode(ParseMode::TypeName);
/// let result = pg_ast::parse_with("numeric(10, 2)", options)?;
/// assert_eq!(result.protobuf.stmts.len(), 1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParserOptions {
    pub(crate) mode: ParseMode,
    pub(crate) backslash_quote: BackslashQuote,
    pub(crate) standard_conforming_strings: bool,
    pub(crate) escape_string_warning: bool,
    pub(crate) normalized: bool,
    pub(crate) max_bytes: usize,
    pub(crate) max_depth: usize,
    /// `None` if the limit depends on the length of the SQL.
    pub(crate) max_nodes: Option<usize>,
}

impl Default for ParserOptions {
    /// PostgreSQL's own defaults, and limits that ordinary statements do not reach.
    fn default() -> Self {
        Self {
            mode: ParseMode::Default,
            backslash_quote: BackslashQuote::SafeEncoding,
            standard_conforming_strings: true,
            escape_string_warning: true,
            normalized: false,
            max_bytes: limits::MAX_BYTES,
            max_depth: limits::MAX_DEPTH,
            max_nodes: None,
        }
    }
}

impl ParserOptions {
    /// Sets the kind of SQL; [`ParseMode::Default`] by default.
    #[must_use]
    pub fn mode(mut self, mode: ParseMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets `backslash_quote`; [`BackslashQuote::SafeEncoding`] by default.
    #[must_use]
    pub fn backslash_quote(mut self, value: BackslashQuote) -> Self {
        self.backslash_quote = value;
        self
    }

    /// Sets `standard_conforming_strings`: whether a backslash is an ordinary character in
    /// `'..'`; true by default.
    #[must_use]
    pub fn standard_conforming_strings(mut self, value: bool) -> Self {
        self.standard_conforming_strings = value;
        self
    }

    /// Sets `escape_string_warning`: whether a backslash in `'..'` raises a warning while
    /// `standard_conforming_strings` is off; true by default.
    #[must_use]
    pub fn escape_string_warning(mut self, value: bool) -> Self {
        self.escape_string_warning = value;
        self
    }

    /// Sets whether to accept normalized SQL, as `pg_stat_statements` and [`normalize`](crate::normalize()) write it: with
    /// parameters in place of all constants, also where PostgreSQL's grammar has no parameters; false by default.
    ///
    /// libpg_query accepts it always. So do [`fingerprint`](crate::fingerprint()), [`normalize`](crate::normalize()) and
    /// [`digest`](crate::digest()), whatever this is set to. In a statement that was written by hand, a parameter after a
    /// name is usually a mistake: `WHERE id $1` is the cast `$1::id`.
    ///
    /// ```
    /// use pg_ast::ParserOptions;
    ///
    /// let normalized = ParserOptions::default().normalized(true);
    /// for sql in ["SELECT date $1", "SET a = $1", "ALTER ROLE r PASSWORD $1", "SELECT FROM t WHERE id $1"] {
    ///     assert!(pg_ast::parse_with(sql, normalized).is_ok());
    ///     let error = pg_ast::parse(sql).unwrap_err();
    ///     assert_eq!(error.message(), "syntax error at or near \"$1\"");
    /// }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// The [exactness page](https://github.com/pg-ast/pg_ast/blob/main/docs/exact.md#normalized-sql) lists all such places.
    #[must_use]
    pub fn normalized(mut self, value: bool) -> Self {
        self.normalized = value;
        self
    }

    /// Sets the maximum length of the SQL, in bytes; 64 MiB by default. PostgreSQL's scanner accepts at most 1 GiB.
    ///
    /// Longer SQL is [`TooLarge`](crate::ErrorKind::TooLarge) before anything else is checked; the error
    /// points to where it becomes too long.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParserOptions};
    ///
    /// let options = ParserOptions::default().max_bytes(10);
    /// assert!(pg_ast::parse_with("SELECT 100", options).is_ok());
    /// let error = pg_ast::parse_with("SELECT 1000", options).unwrap_err();
    /// assert_eq!((error.kind(), error.cursor()), (ErrorKind::TooLarge, Some(10)));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the maximum [`depth`](crate::ParseResult::depth) of a tree; 6,500 levels by default.
    ///
    /// A deeper tree is [`TooDeep`](crate::ErrorKind::TooDeep), on every thread alike. The library
    /// itself handles trees of any depth; the limit protects programs that take trees apart. In WebAssembly, it is 256 at
    /// most. See [LIMITS.md](https://github.com/pg-ast/pg_ast/blob/main/LIMITS.md#depth).
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParserOptions};
    ///
    /// assert_eq!(pg_ast::parse("SELECT a + b")?.depth(), 5);
    /// let options = ParserOptions::default().max_depth(4);
    /// let error = pg_ast::parse_with("SELECT a + b", options).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TooDeep);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sets the maximum number of nodes in a tree; by default 28,672 up to 1 KiB of SQL, and more per byte beyond: 64 up to
    /// 16 KiB, then 16.
    ///
    /// A larger tree is [`TooLarge`](crate::ErrorKind::TooLarge); the error points to the statement
    /// that exceeds it. A list counts as a node, and so do 32 bytes of a long string; the values of constants do not.
    ///
    /// A byte of SQL makes fewer than 4 nodes, with one exception: the source of `SET (a, b) = (..)` is in the
    /// tree once per column, and nested ones are multiplied at each level. The limit exists for
    /// this case. The default then stands for work: a node counts as one and half of its fields.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParserOptions};
    ///
    /// let mut sql = "SELECT 1".to_owned();
    /// for _ in 0..20 {
    ///     sql = format!("WITH x AS (UPDATE t SET (a, b) = ({sql})) SELECT 1");
    /// }
    /// // More than a million SELECTs.
    /// assert_eq!(pg_ast::parse(&sql).unwrap_err().kind(), ErrorKind::TooLarge);
    ///
    /// let options = ParserOptions::default().max_nodes(8);
    /// assert!(pg_ast::parse_with("SELECT 1, 2", options).is_ok());
    /// assert_eq!(pg_ast::parse_with("SELECT 1, 2, 3", options).unwrap_err().kind(), ErrorKind::TooLarge);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = Some(nodes);
        self
    }
}

/// The layout of the SQL that the deparser prints.
///
/// Every call takes options by value or by reference.
///
/// Mirrors `PostgresDeparseOpts` of libpg_query's `postgres_deparse.h`.
///
/// ```
/// use pg_ast::DeparseOptions;
///
/// let tree = pg_ast::parse("SELECT a, b FROM t WHERE c")?;
/// let options = DeparseOptions::default().pretty_print(true).indent_size(2);
/// assert_eq!(tree.deparse_with(&options)?, "SELECT a, b\nFROM t\nWHERE c");
/// assert_eq!(tree.deparse_with(options.indent_size(8))?, "SELECT a, b\nFROM t\nWHERE c");
/// # Ok::<(), pg_ast::Error>(())
/// ```
// Each is a setting of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeparseOptions {
    pub(crate) pretty_print: bool,
    pub(crate) indent_size: u16,
    pub(crate) max_line_length: u16,
    pub(crate) trailing_newline: bool,
    pub(crate) commas_start_of_line: bool,
    pub(crate) comments: Vec<Comment>,
    pub(crate) checked: bool,
}

impl DeparseOptions {
    /// Sets whether to break lines and indent; false by default. Each of several statements is then on a line of its own, and ends
    /// in a semicolon. Without it the other settings of the layout have
    /// no effect, apart from the space that `commas_start_of_line` leaves before a comma.
    #[must_use]
    pub fn pretty_print(mut self, value: bool) -> Self {
        self.pretty_print = value;
        self
    }

    /// Sets the number of spaces per level; 0, the default, means 4.
    #[must_use]
    pub fn indent_size(mut self, spaces: u16) -> Self {
        self.indent_size = spaces;
        self
    }

    /// Sets the number of bytes per line for lists that are broken into lines; 0, the default, means 80.
    #[must_use]
    pub fn max_line_length(mut self, bytes: u16) -> Self {
        self.max_line_length = bytes;
        self
    }

    /// Sets whether the SQL ends with a line break; false by default.
    #[must_use]
    pub fn trailing_newline(mut self, value: bool) -> Self {
        self.trailing_newline = value;
        self
    }

    /// Sets whether commas are at the start of a line instead of the end; false by default.
    ///
    /// ```
    /// use pg_ast::DeparseOptions;
    ///
    /// # #[cfg(any(feature = "pg17", feature = "pg18"))] {
    /// let options = DeparseOptions::default().pretty_print(true).max_line_length(1);
    /// let sql = "SELECT a, b";
    /// assert_eq!(pg_ast::reformat(sql, &options)?, "SELECT\n    a,\n    b");
    /// let options = options.commas_start_of_line(true);
    /// assert_eq!(pg_ast::reformat(sql, &options)?, "SELECT\n    a\n    , b");
    /// # }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn commas_start_of_line(mut self, value: bool) -> Self {
        self.commas_start_of_line = value;
        self
    }

    /// Sets the comments to put back, as [`comments`](crate::comments) returns them for the SQL that was parsed
    /// into the tree; none by default. Only PostgreSQL 17 and 18 can put them back.
    #[must_use]
    pub fn comments(mut self, comments: Vec<Comment>) -> Self {
        self.comments = comments;
        self
    }

    /// Sets whether the SQL is parsed again, and compared with the tree: it is an error ([`Deparse`](crate::ErrorKind::Deparse))
    /// if its tree is another one. False by default. It takes two to three times as long.
    ///
    /// Without it, the printer refuses what has no SQL in the ways that programs usually make. With it, whatever is
    /// printed is exact: no field of a changed tree is left out, and nothing in a string is SQL.
    ///
    /// ```
    /// use pg_ast::{DeparseOptions, NodeMut};
    ///
    /// let mut tree = pg_ast::parse("COMMIT")?;
    /// tree.nodes_mut().for_each(|node| {
    ///     if let NodeMut::TransactionStmt(stmt) = node {
    ///         stmt.gid = "left behind".to_owned();
    ///     }
    /// });
    /// assert_eq!(tree.deparse()?, "COMMIT");
    /// let error = tree.deparse_with(DeparseOptions::default().checked(true)).unwrap_err();
    /// assert_eq!(
    ///     error.message(),
    ///     "deparse: the tree is not that of its SQL, which has another TransactionStmt.gid"
    /// );
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn checked(mut self, value: bool) -> Self {
        self.checked = value;
        self
    }
}

/// A comment, and the place where the deparser puts it.
///
/// Mirrors `PostgresDeparseComment` of libpg_query's `postgres_deparse.h`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment {
    /// The comment with its delimiters: `-- why`, which contains no line break, or `/* why */`, which ends with its
    /// last character. [`deparse_with`](crate::deparse_with) returns an error for any other text.
    pub text: String,
    /// The byte offset after the last token before the comment; it goes before the first node
    /// that is located there or later.
    pub match_location: usize,
    /// The number of line breaks between the comment and what is before it.
    pub newlines_before: usize,
    /// The number of line breaks between the comment and what is after it.
    pub newlines_after: usize,
}

impl Comment {
    /// Creates a comment that goes before the first node at `match_location` or later, without line breaks around it.
    ///
    /// ```
    /// use pg_ast::{Comment, DeparseOptions};
    ///
    /// # #[cfg(any(feature = "pg17", feature = "pg18"))] {
    /// let tree = pg_ast::parse("SELECT a, b FROM t")?;
    /// let mut comment = Comment::new("/* the key */", 9);
    /// comment.newlines_before = 1;
    /// let options = DeparseOptions::default().pretty_print(true).comments(vec![comment]);
    /// assert_eq!(pg_ast::deparse_with(&tree, &options)?, "SELECT\n    a,\n    /* the key */b\nFROM t");
    ///
    /// // What is not a single comment is not printed.
    /// let options = DeparseOptions::default().comments(vec![Comment::new("-- x\n; DROP TABLE t", 0)]);
    /// assert!(pg_ast::deparse_with(&tree, &options).is_err());
    /// # }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn new(text: impl Into<String>, match_location: usize) -> Self {
        Self { text: text.into(), match_location, newlines_before: 0, newlines_after: 0 }
    }
}

/// The settings of fingerprints. Only PostgreSQL 18 has them.
///
/// Every call takes options by value or by reference.
///
/// Mirrors `PG_QUERY_FINGERPRINT_..` of libpg_query's `pg_query.h`.
///
/// ```
/// # #[cfg(feature = "pg18")] {
/// use pg_ast::{FingerprintOptions, ParserOptions, fingerprint_with};
///
/// let parser = ParserOptions::default();
/// let options = FingerprintOptions::default().full_relname(true);
/// assert_eq!(pg_ast::fingerprint("TABLE t_2023_01")?, pg_ast::fingerprint("TABLE t_2023_02")?);
/// assert_ne!(
///     fingerprint_with("TABLE t_2023_01", &parser, &options)?,
///     fingerprint_with("TABLE t_2023_02", &parser, &options)?,
/// );
/// # }
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FingerprintOptions {
    pub(crate) ignore_aliases: bool,
    pub(crate) include_schema: bool,
    pub(crate) full_relname: bool,
}

impl FingerprintOptions {
    /// Returns the settings that make fingerprints equal to those of libpg_query before PostgreSQL 18.
    ///
    /// ```
    /// use pg_ast::FingerprintOptions;
    ///
    /// let options = FingerprintOptions::default().ignore_aliases(true).include_schema(true);
    /// assert_eq!(FingerprintOptions::pg17_compat(), options);
    /// ```
    #[must_use]
    pub fn pg17_compat() -> Self {
        Self::default().ignore_aliases(true).include_schema(true)
    }

    /// Sets whether the name of a table counts even if the table has an alias; false by default.
    #[must_use]
    pub fn ignore_aliases(mut self, value: bool) -> Self {
        self.ignore_aliases = value;
        self
    }

    /// Sets whether the schema of a table counts in `SELECT`, `INSERT`, `UPDATE`, `DELETE` and `MERGE`, as it
    /// does elsewhere; false by default.
    #[must_use]
    pub fn include_schema(mut self, value: bool) -> Self {
        self.include_schema = value;
        self
    }

    /// Sets whether all digits of a table's name count; false by default: two or more in a row do not count, so that
    /// the partitions of a table have the same fingerprint.
    #[must_use]
    pub fn full_relname(mut self, value: bool) -> Self {
        self.full_relname = value;
        self
    }
}

/// The settings of normalized SQL.
///
/// Every call takes options by value or by reference.
///
/// ```
/// use pg_ast::{NormalizeOptions, ParserOptions, normalize_with};
///
/// let (parser, sql) = (ParserOptions::default(), "SELECT b = -(5) AND c = 6");
/// let options = NormalizeOptions::default();
/// assert_eq!(normalize_with(sql, parser, options)?, "SELECT b = $1 AND c = $2");
/// let options = options.as_libpg_query(true);
/// assert_eq!(normalize_with(sql, parser, options)?, "SELECT b = $15) AND c = $2");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NormalizeOptions {
    pub(crate) utility: bool,
    pub(crate) as_libpg_query: bool,
}

impl NormalizeOptions {
    /// Sets whether `SELECT`, `INSERT`, `UPDATE`, `DELETE` and `MERGE` stay as they are, as in
    /// [`normalize_utility`](crate::normalize_utility); false by default.
    #[must_use]
    pub fn utility(mut self, value: bool) -> Self {
        self.utility = value;
        self
    }

    /// Sets whether the result is that of libpg_query, byte for byte; false by default.
    ///
    /// libpg_query leaves the constants of most utility statements, also where the fingerprint ignores them and where
    /// they are secrets: `ALTER SYSTEM SET`, `EXECUTE`, `CREATE VIEW`, `OPTIONS` of foreign servers. Some of its results
    /// are not SQL: `AS $1` of a function, `$15)` of `-(5)`, `$1 UESCAPE '!'`.
    ///
    /// ```
    /// use pg_ast::{NormalizeOptions, ParserOptions, normalize_with};
    ///
    /// let (parser, sql) = (ParserOptions::default(), "ALTER SYSTEM SET primary_conninfo = 'password=a'");
    /// let options = NormalizeOptions::default();
    /// assert_eq!(normalize_with(sql, parser, options)?, "ALTER SYSTEM SET primary_conninfo = $1");
    /// assert_eq!(normalize_with(sql, parser, options.as_libpg_query(true))?, sql);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn as_libpg_query(mut self, value: bool) -> Self {
        self.as_libpg_query = value;
        self
    }
}
