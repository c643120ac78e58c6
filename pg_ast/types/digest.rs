//! Options and result of a digest, which are the same for all versions.

use crate::types::analysis::Analysis;
use crate::types::error::Warning;
use crate::types::fingerprint::Fingerprint;
use crate::types::options::{FingerprintOptions, NormalizeOptions, ParserOptions};

/// The parts that [`digest`](crate::digest()) computes; none by default.
///
/// Every call takes options by value or by reference.
///
/// ```
/// use pg_ast::DigestOptions;
///
/// let options = DigestOptions::default().statement_types(true);
/// let digest = pg_ast::digest("SELECT 1; BEGIN", options)?;
/// assert_eq!(digest.statement_types.as_deref(), Some(&["SelectStmt", "TransactionStmt"][..]));
/// assert_eq!((digest.fingerprint, digest.normalized), (None, None));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DigestOptions {
    pub(crate) parser: ParserOptions,
    pub(crate) fingerprint: Option<FingerprintOptions>,
    pub(crate) normalized: Option<NormalizeOptions>,
    pub(crate) analysis: bool,
    pub(crate) statement_types: bool,
    pub(crate) truncated: Option<usize>,
}

impl DigestOptions {
    /// Sets the options of the parser.
    #[must_use]
    pub fn parser(mut self, options: ParserOptions) -> Self {
        self.parser = options;
        self
    }

    /// Sets whether to compute the fingerprint, as [`fingerprint`](crate::fingerprint()) does.
    #[must_use]
    pub fn fingerprint(mut self, value: bool) -> Self {
        self.fingerprint = value.then(FingerprintOptions::default);
        self
    }

    /// Computes the fingerprint, with the given settings.
    #[must_use]
    pub fn fingerprint_with(mut self, options: FingerprintOptions) -> Self {
        self.fingerprint = Some(options);
        self
    }

    /// Sets whether to compute the SQL with parameters in place of its constants, as
    /// [`normalize`](crate::normalize()) does.
    #[must_use]
    pub fn normalized(mut self, value: bool) -> Self {
        self.normalized = value.then(NormalizeOptions::default);
        self
    }

    /// Computes the SQL with parameters in place of its constants, with the given settings.
    #[must_use]
    pub fn normalized_with(mut self, options: NormalizeOptions) -> Self {
        self.normalized = Some(options);
        self
    }

    /// Sets whether to list what the statements name, such as tables, as
    /// [`analyze`](crate::view::Tree::analyze) does.
    #[must_use]
    pub fn analysis(mut self, value: bool) -> Self {
        self.analysis = value;
        self
    }

    /// Sets whether to list the types of the statements, as
    /// [`statement_types`](crate::view::Tree::statement_types) does.
    #[must_use]
    pub fn statement_types(mut self, value: bool) -> Self {
        self.statement_types = value;
        self
    }

    /// Sets the length to cut the SQL to, as [`deparse_truncated`](crate::view::Tree::deparse_truncated) does; `None` leaves this part
    /// out.
    #[must_use]
    pub fn truncated(mut self, max_length: Option<usize>) -> Self {
        self.truncated = max_length;
        self
    }
}

/// The result of [`digest`](crate::digest()); a part that was not requested is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digest {
    /// The fingerprint.
    pub fingerprint: Option<Fingerprint>,
    /// The SQL with parameters in place of its constants.
    pub normalized: Option<String>,
    /// The tables, functions and columns that the statements name.
    pub analysis: Option<Analysis>,
    /// The type of each statement, by its C name.
    pub statement_types: Option<Vec<&'static str>>,
    /// The statements as the deparser prints them, cut to the requested length.
    pub truncated: Option<String>,
    /// The warnings that PostgreSQL raised, in order.
    pub warnings: Vec<Warning>,
}
