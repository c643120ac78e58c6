//! Fingerprints of statements, most of which differ from others only in their constants.

use pg_ast::{
    Error, ErrorKind, Fingerprint, FingerprintOptions, ParserOptions, ShapeOptions, Version,
    with_version,
};

/// The maximum size of a cache.
const BYTES: usize = 32 << 20;

/// Finds the fingerprint of SQL by a cache.
type Cached = dyn Fn(&str, ParserOptions) -> Result<Fingerprint, Error> + Send + Sync;

/// Finds fingerprints. A statement whose shape is known is not parsed.
pub(super) struct Fingerprints {
    version: Version,
    /// By the caches of the version; an error if they do not know.
    cached: Box<Cached>,
}

impl Fingerprints {
    pub(super) fn new(version: Version) -> Self {
        let cached = with_version!(version, pg => {
            // A cache has the settings of its parser: a backslash is an escape, or not.
            let caches = [true, false].map(|standard| {
                let parser = ParserOptions::default()
                    .standard_conforming_strings(standard)
                    .normalized(true);
                let options = ShapeOptions::default().parser(parser).ignore_layout(true);
                (parser, pg::ShapeCache::new(BYTES, options))
            });
            Box::new(move |sql: &str, parser: ParserOptions| {
                // A fingerprint is that of normalized SQL, too.
                let parser = parser.normalized(true);
                match caches.iter().find(|cache| cache.0 == parser) {
                    Some((_, cache)) => cache.get(sql, |_| ())?.fingerprint(),
                    None => plain(sql, parser, version),
                }
            }) as _
        });
        Self { version, cached }
    }

    /// Returns the fingerprint of a statement.
    pub(super) fn get(&self, sql: &str, parser: ParserOptions) -> Result<Fingerprint, Error> {
        match (self.cached)(sql, parser) {
            // The cache also refuses strings that are not UTF-8, which the fingerprint does not read.
            Err(error) if error.kind() != ErrorKind::Syntax => plain(sql, parser, self.version),
            found => found,
        }
    }
}

fn plain(sql: &str, parser: ParserOptions, version: Version) -> Result<Fingerprint, Error> {
    version.fingerprint_with(sql, parser, FingerprintOptions::default())
}
