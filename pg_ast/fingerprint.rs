//! What is the same of statements that differ in their constants.

pub(crate) mod in_c;
pub(crate) mod stream;

use core::fmt;

/// A hash of a statement's structure: statements that differ in their constants, or in the order of
/// columns and tables where that makes no difference, have the same.
///
/// It is libpg_query's, to the bit. Fingerprints of different PostgreSQL versions cannot be
/// compared.
///
/// ```
/// let fingerprint = pg_ast::fingerprint("SELECT 1")?;
/// assert_eq!(fingerprint, pg_ast::fingerprint("SELECT 2")?);
/// assert_eq!(fingerprint.to_string(), format!("{:016x}", fingerprint.value));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    /// The hash.
    pub value: u64,
}

impl Fingerprint {
    /// The hash as 16 hexadecimal digits, as libpg_query writes it.
    #[must_use]
    pub fn hex(self) -> String {
        self.to_string()
    }
}

/// 16 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.value)
    }
}
