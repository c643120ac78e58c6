//! Fingerprints.

mod rules;

use super::{names, view};
use core::borrow::Borrow;

pub(crate) use self::rules::hash;
use super::ffi::{Parse, raw_parse};
use super::names::{MAJOR, ParseResult, protobuf};
use super::view::{Node, RawStmt, Tree, start, stmts};
use crate::foundation::hashing::{HashPlace, Stream};
use crate::foundation::limits::Limits;
use crate::types::error::{Error, ErrorKind};
use crate::types::fingerprint::Fingerprint;
use crate::types::options::{FingerprintOptions, ParserOptions};

/// Returns the fingerprint of SQL.
///
/// Mirrors `pg_query_fingerprint` of libpg_query's `pg_query_fingerprint.c`.
///
/// ```
/// let fingerprint = |sql| pg_ast::fingerprint(sql);
/// assert_eq!(fingerprint("SELECT a, b FROM t WHERE c = 1")?, fingerprint("select b,a from t where c=2")?);
/// assert_ne!(fingerprint("SELECT a FROM t")?, fingerprint("SELECT a FROM u")?);
/// assert_eq!(fingerprint("SELECT 1")?.to_string(), "50fde20626009aba");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Normalized SQL, as of `pg_stat_statements`, has a fingerprint whatever [`ParserOptions::normalized`] says.
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()).
pub fn fingerprint(sql: &str) -> Result<Fingerprint, Error> {
    fingerprint_with(sql, ParserOptions::default(), FingerprintOptions::default())
}

/// Returns the fingerprint of SQL, with the given settings of the parser and of fingerprints.
///
/// ```
/// use pg_ast::{FingerprintOptions, ParserOptions};
///
/// # #[cfg(feature = "pg18")] {
/// let with = |sql: &str, options: FingerprintOptions| {
///     pg_ast::fingerprint_with(sql, ParserOptions::default(), options)
/// };
/// let (a, b) = ("SELECT FROM a.t", "SELECT FROM b.t");
/// assert_eq!(with(a, FingerprintOptions::default())?, with(b, FingerprintOptions::default())?);
/// let schemas = FingerprintOptions::default().include_schema(true);
/// assert_ne!(with(a, schemas)?, with(b, schemas)?);
/// # }
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Mirrors `pg_query_fingerprint_opts` of libpg_query's `pg_query_fingerprint.c`.
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()). Before PostgreSQL 18 there are no settings of fingerprints
/// ([`Unsupported`](crate::ErrorKind::Unsupported)).
pub fn fingerprint_with(
    sql: &str,
    parser: impl Borrow<ParserOptions>,
    options: impl Borrow<FingerprintOptions>,
) -> Result<Fingerprint, Error> {
    let parser = parser.borrow().normalized(true);
    let parse = raw_parse(sql, parser)?;
    fingerprint_parse(&parse, sql, Limits::new(sql, parser), *options.borrow())
}

/// Returns the fingerprint of the parser's result for `sql`.
pub(crate) fn fingerprint_parse(
    parse: &Parse,
    sql: &str,
    limits: Limits,
    options: FingerprintOptions,
) -> Result<Fingerprint, Error> {
    of_stmts(stmts(parse), options, limits.max_nodes, |index| start(parse, index, sql))
}

/// Returns the fingerprint of statements. An error points to the start of the statement at that index.
fn of_stmts<'a>(
    stmts: impl Iterator<Item = RawStmt<'a>>,
    options: FingerprintOptions,
    max_nodes: usize,
    start: impl FnOnce(usize) -> Option<usize>,
) -> Result<Fingerprint, Error> {
    let mut stream = stream(options, max_nodes.saturating_add(1))?;
    for (index, stmt) in stmts.enumerate() {
        write(stmt, &mut stream);
        if stream.nodes_left() == 0 {
            return Err(Error::too_many_nodes(max_nodes).with_cursor(start(index)));
        }
    }
    Ok(Fingerprint { value: stream.hash() })
}

/// Returns the fingerprint of the statements of a tree whose size is known to be bounded.
fn hash_all<'a>(stmts: impl Iterator<Item = RawStmt<'a>>, mut stream: Stream) -> Fingerprint {
    stmts.for_each(|stmt| write(stmt, &mut stream));
    Fingerprint { value: stream.hash() }
}

/// Writes a statement.
fn write(stmt: RawStmt<'_>, out: &mut Stream) {
    rules::any_node(Node::from(stmt).as_raw(), out, HashPlace::NONE, TOP);
}

/// The depth of a statement, which is below the list of all statements.
const TOP: u32 = 1;

fn stream(options: FingerprintOptions, nodes_left: usize) -> Result<Stream, Error> {
    if MAJOR < 18 && options != FingerprintOptions::default() {
        let message = format!("fingerprints of PostgreSQL {MAJOR} have no options");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(Stream::new(MAJOR, options, nodes_left))
}

fn default_stream() -> Stream {
    Stream::new(MAJOR, FingerprintOptions::default(), usize::MAX)
}

impl ParseResult {
    /// Returns the fingerprint of the tree, which is that of its SQL.
    ///
    /// There is one exception: an empty string that is not a node (`COMMENT ON TABLE t IS ''`) is missing in the tree,
    /// and so in its fingerprint.
    ///
    /// The tree is written as C nodes first. With the hash, this takes less than half as long as the parse. It needs
    /// no more stack for a deep tree, since nodes 100 levels deep do not count. A tree can have any shape. Values that
    /// C cannot hold are replaced by similar ones: a NUL in a string by U+FFFD.
    ///
    /// ```
    /// let sql = "SELECT * FROM t WHERE id IN (1, 2, 3)";
    /// assert_eq!(pg_ast::parse(sql)?.fingerprint(), pg_ast::fingerprint(sql)?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.protobuf.fingerprint()
    }

    /// Returns the fingerprint of the tree, with the given settings.
    ///
    /// Mirrors `pg_query_fingerprint_opts` of libpg_query's `pg_query_fingerprint.c`, which takes SQL.
    ///
    /// ```
    /// use pg_ast::FingerprintOptions;
    ///
    /// # #[cfg(feature = "pg18")] {
    /// let options = FingerprintOptions::default().full_relname(true);
    /// let (a, b) = (pg_ast::parse("TABLE t_01")?, pg_ast::parse("TABLE t_02")?);
    /// assert_eq!(a.fingerprint(), b.fingerprint());
    /// assert_ne!(a.fingerprint_with(options)?, b.fingerprint_with(options)?);
    /// # }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Before PostgreSQL 18 there are no settings of fingerprints
    /// ([`Unsupported`](crate::ErrorKind::Unsupported)).
    pub fn fingerprint_with(
        &self,
        options: impl Borrow<FingerprintOptions>,
    ) -> Result<Fingerprint, Error> {
        self.protobuf.fingerprint_with(options)
    }
}

impl protobuf::ParseResult {
    /// Returns the fingerprint of the tree; see [`ParseResult::fingerprint`].
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.hash_into(default_stream())
    }

    /// Returns the fingerprint of the tree, with the given settings.
    ///
    /// # Errors
    ///
    /// The errors of [`ParseResult::fingerprint_with`].
    pub fn fingerprint_with(
        &self,
        options: impl Borrow<FingerprintOptions>,
    ) -> Result<Fingerprint, Error> {
        Ok(self.hash_into(stream(*options.borrow(), usize::MAX)?))
    }

    fn hash_into(&self, stream: Stream) -> Fingerprint {
        self.read(|stmts| hash_all(stmts.iter().copied(), stream))
    }
}

impl Tree {
    /// Returns the fingerprint of the tree, which is that of its SQL.
    ///
    /// ```
    /// use pg_ast::view;
    ///
    /// let sql = "SELECT * FROM t WHERE id IN (1, 2, 3)";
    /// assert_eq!(view::parse(sql)?.fingerprint(), pg_ast::fingerprint(sql)?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        hash_all(self.stmts(), default_stream())
    }

    /// Returns the fingerprint of the tree, with the given settings.
    ///
    /// # Errors
    ///
    /// The errors of [`ParseResult::fingerprint_with`].
    pub fn fingerprint_with(
        &self,
        options: impl Borrow<FingerprintOptions>,
    ) -> Result<Fingerprint, Error> {
        Ok(hash_all(self.stmts(), stream(*options.borrow(), usize::MAX)?))
    }
}

impl Node<'_> {
    /// Returns the fingerprint of this node alone. For a `RawStmt` it is that of the statement's SQL.
    ///
    /// Mirrors `pg_query_fingerprint_node` of libpg_query's `pg_query_fingerprint.c`.
    ///
    /// ```
    /// use pg_ast::view::{self, Node};
    ///
    /// let tree = view::parse("SELECT 1; SELECT a FROM t; SELECT 2")?;
    /// let stmts: Vec<_> = tree.stmts().map(|stmt| Node::from(stmt).fingerprint()).collect();
    /// assert_eq!(stmts[1], pg_ast::fingerprint("SELECT a FROM t")?);
    /// assert!(stmts[0] == stmts[2] && stmts[0] != stmts[1]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprint(self) -> Fingerprint {
        self.hash_into(default_stream())
    }

    /// Returns the fingerprint of this node alone, with the given settings.
    ///
    /// # Errors
    ///
    /// Before PostgreSQL 18 there are no settings of fingerprints
    /// ([`Unsupported`](crate::ErrorKind::Unsupported)).
    pub fn fingerprint_with(
        self,
        options: impl Borrow<FingerprintOptions>,
    ) -> Result<Fingerprint, Error> {
        Ok(self.hash_into(stream(*options.borrow(), usize::MAX)?))
    }

    fn hash_into(self, mut stream: Stream) -> Fingerprint {
        let out = &mut stream;
        match self {
            Self::RawStmt(stmt) => write(stmt, out),
            Self::Integer(integer) => rules::integer(out, integer.ival()),
            _ => {
                if let Some(structure) = self.structure() {
                    // By itself, or in another one, where its tag says something else.
                    rules::node(structure, out, HashPlace::NONE, 0);
                } else {
                    rules::any_node(self.as_raw(), out, HashPlace::NONE, 0);
                }
            }
        }
        Fingerprint { value: stream.hash() }
    }
}
