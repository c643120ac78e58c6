//! Digests by way of a cache of shapes.

use core::borrow::Borrow;

use super::facts::digest::digest;
use super::facts::normalize::normalize_with;
use super::shape_cache::{Hit, ShapeCache};
use super::view::Tree;
use crate::types::analysis::Analysis;
use crate::types::digest::{Digest, DigestOptions};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::{FingerprintOptions, NormalizeOptions};

impl ShapeCache<Analysis> {
    /// Computes the results that the options select, as [`digest`](super::super::digest()) does, from what is known of the shape.
    ///
    /// The fingerprint, normalized SQL and the analysis are those of the shape: SQL of a known shape is not parsed for them.
    /// Where constants count in them, the tree is bound, as for the SQL cut to a length; see also [`Hit::normalize`].
    ///
    /// The settings of the parser are those of the cache. With others in the options, the cache is not used. Normalized SQL
    /// has a digest in any case; a cache has it too if its settings have [`ParserOptions::normalized`](crate::ParserOptions::normalized).
    ///
    /// ```
    /// use pg_ast::{DigestOptions, ShapeCache, ShapeOptions};
    ///
    /// let cache = ShapeCache::new(16 << 20, ShapeOptions::default().ignore_layout(true));
    /// let options = DigestOptions::default().fingerprint(true).analysis(true);
    /// for id in 0..100 {
    ///     let sql = format!("SELECT name FROM users WHERE id = {id}");
    ///     assert_eq!(cache.digest(&sql, options)?, pg_ast::digest(&sql, options)?);
    /// }
    /// assert_eq!((cache.stats().hits, cache.stats().misses), (98, 2));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`digest`](super::super::digest()).
    pub fn digest(&self, sql: &str, options: impl Borrow<DigestOptions>) -> Result<Digest, Error> {
        let options = *options.borrow();
        let own = self.options().parser;
        let is_own = options.parser.normalized(own.normalized) == own;
        // A limit on nodes is another one for each part.
        if !is_own || own.max_nodes.is_some() {
            return digest(sql, options);
        }
        match self.get(sql, Tree::analyze) {
            Ok(hit) => hit.digest(options),
            Err(error) if error.kind() == ErrorKind::Syntax && own.normalized => Err(error),
            // It depends on the parts which other one comes first.
            Err(_) => digest(sql, options),
        }
    }
}

impl Hit<'_, Analysis> {
    /// Computes the parts in the order of [`digest`], for the same errors.
    fn digest(&self, options: DigestOptions) -> Result<Digest, Error> {
        let DigestOptions { parser, fingerprint, normalized, analysis, statement_types, truncated } =
            options;
        let sql = self.shape().sql();
        let by_default = FingerprintOptions::default();
        let fingerprint = match fingerprint {
            Some(options) if options == by_default => Some(self.fingerprint()?),
            Some(options) => Some(self.fingerprint_with(options)?),
            None => None,
        };
        let normalized = match normalized {
            Some(options) if options == NormalizeOptions::default() => Some(self.normalize()?),
            Some(options) => Some(normalize_with(sql, parser, options)?),
            None => None,
        };
        let analysis = if !analysis {
            None
        } else if self.is_value_exact() {
            Some(self.value().clone())
        } else {
            Some(self.tree()?.analyze())
        };
        let statement_types =
            if statement_types { Some(self.tree()?.statement_types()) } else { None };
        let truncated = match truncated {
            Some(length) => Some(self.tree()?.deparse_truncated(length)?),
            None => None,
        };
        let warnings = self.warnings()?;
        Ok(Digest { fingerprint, normalized, analysis, statement_types, truncated, warnings })
    }

    /// Returns whether the value is also the analysis of this SQL.
    fn is_value_exact(&self) -> bool {
        !self.is_hit() || self.template().is_none_or(super::template::Template::same_analysis)
    }
}
