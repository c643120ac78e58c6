//! Hashes that are the same for statements that differ only in their constants.

use core::fmt;

/// A hash of what a statement does, regardless of its constants. It is exactly libpg_query's.
///
/// These make no difference to it:
///
/// - Constants, parameters, the word `DEFAULT` as a value, and casts of constants and parameters; the
///   length of an `IN` list of them. `IN` and `= ANY` are `=`.
/// - The order and the repetition of the items of `FROM`, of a target list, of the assignments of an
///   `UPDATE`, of the columns of an `INSERT`, of `VALUES` and its rows, of the list after `IN`, and of the
///   arguments of a function, an `AND` or an `OR`.
/// - In a table's name, digits next to other digits: `t10` is `t11`, but `t1` is not `t2`.
/// - In a query, the schema of a table, and the name of a table that has an alias; the alias itself counts.
///   (With PostgreSQL 17 and older it is the other way round: schema and name count, and aliases do not.)
///   The name of a temporary table that is created.
/// - Names that a statement gives to columns of a `SELECT`, and to subselects, functions and joins in `FROM`.
/// - Names of prepared statements, cursors, savepoints, prepared transactions, channels of `NOTIFY`, and
///   of a function's parameters; the options of a `CREATE FUNCTION`, its body in quotes among them, and the
///   body of a `DO`. With PostgreSQL 18, also names of roles, the new name and the column of a
///   `RENAME`, and the payload of a `NOTIFY`.
/// - Anything that is 100 or more levels deep.
///
/// Strings that are not expressions count: a role's password, `OPTIONS` of a server, the text of a `COMMENT`.
/// [`normalize`](crate::normalize()) replaces those that can be secrets, so its result can group what this does not.
///
/// [`FingerprintOptions`](crate::FingerprintOptions) changes some of these. Fingerprints of different
/// PostgreSQL versions cannot be compared.
///
/// ```
/// let same = |a, b| Ok::<_, pg_ast::Error>(pg_ast::fingerprint(a)? == pg_ast::fingerprint(b)?);
/// assert!(same("SELECT a, b FROM t WHERE c = 1", "SELECT b, a AS x FROM t WHERE c IN ($1, $2)")?);
/// assert!(same("TABLE t10", "TABLE t11")? && !same("TABLE t1", "TABLE t2")?);
/// assert!(same("SELECT f(a, b)", "SELECT f(b, a)")? && !same("SELECT f(a)", "SELECT g(a)")?);
/// assert!(!same("SELECT a FROM t", "SELECT a FROM u")?);
/// # #[cfg(feature = "pg18")] {
/// assert!(same("SELECT a FROM t x", "SELECT a FROM s.u x")?);
/// assert!(!same("SELECT a FROM t x", "SELECT a FROM t y")?);
/// # }
/// let fingerprint = pg_ast::fingerprint("SELECT 1")?;
/// assert_eq!(fingerprint.to_string(), format!("{:016x}", fingerprint.value));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    /// The hash.
    pub value: u64,
}

impl Fingerprint {
    /// Returns the hash as 16 hexadecimal digits, as libpg_query writes it.
    #[must_use]
    pub fn hex(self) -> String {
        self.to_string()
    }
}

/// Prints 16 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.value)
    }
}
