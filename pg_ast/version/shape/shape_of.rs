//! Shapes: SQL without its constants.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use super::scanned::scanned_skeleton;
use crate::foundation::limits::check_length;
use crate::text::plain_scan::plain_skeleton;
use crate::text::skeleton::Skeleton;
use crate::types::error::Error;
use crate::types::shape_options::{ConstantKind, ConstantPlace, ShapeOptions};

/// SQL as far as the grammar looks at it: all but the values of its constants, which are listed.
///
/// Two shapes are equal if the SQL differs only in constants of the same kinds: numbers, strings, and the numbers of
/// parameters; or of any kind, if they are values in the items of [runs](ShapeOptions::runs). The trees are then the same, but for these and for locations; the few exceptions, such as `float(24)`, are
/// found out by [`Template`](super::super::Template). Shapes are compared by their contents and not by a hash.
///
/// It takes one pass over the SQL, which need not be correct; what PostgreSQL's scanner rejects has no shape.
///
/// ```
/// use pg_ast::{ConstantKind, Shape};
///
/// let shape = Shape::of("SELECT a FROM t WHERE b = 1 AND c IN ('x', 'y')")?;
/// assert_eq!(shape, Shape::of("SELECT a FROM t WHERE b = 20 AND c IN ('z')")?);
/// assert_ne!(shape, Shape::of("SELECT a FROM t WHERE b = 1 AND d IN ('x')")?);
/// let constants: Vec<_> = shape.constants().map(|constant| (constant.kind(), constant.text())).collect();
/// let string = ConstantKind::String;
/// assert_eq!(constants, [(ConstantKind::Integer, "1"), (string, "'x'"), (string, "'y'")]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct Shape<'a> {
    sql: &'a str,
    options: ShapeOptions,
    skeleton: Skeleton,
}

impl<'a> Shape<'a> {
    /// Returns the shape of SQL, with the default settings.
    ///
    /// # Errors
    ///
    /// PostgreSQL's scanner rejects the SQL, or it is longer than 64 MiB.
    pub fn of(sql: &'a str) -> Result<Self, Error> {
        Self::of_with(sql, ShapeOptions::default())
    }

    /// Returns the shape of SQL, with the given settings, which are a part of it.
    ///
    /// # Errors
    ///
    /// PostgreSQL's scanner rejects the SQL, or it is longer than
    /// [`max_bytes`](crate::ParserOptions::max_bytes).
    pub fn of_with(sql: &'a str, options: impl Borrow<ShapeOptions>) -> Result<Self, Error> {
        let options = *options.borrow();
        check_length(sql, options.parser)?;
        let skeleton = match plain_skeleton(sql, options) {
            Some(skeleton) => skeleton,
            None => scanned_skeleton(sql, options)?,
        };
        Ok(Self { sql, options, skeleton })
    }

    /// Returns the shape of the SQL itself, which no other SQL has.
    #[cfg(feature = "cache")]
    pub(super) fn exact(sql: &'a str, options: ShapeOptions) -> Self {
        Self { sql, options, skeleton: Skeleton::exact(sql) }
    }

    /// Returns the SQL.
    #[must_use]
    pub fn sql(&self) -> &'a str {
        self.sql
    }

    /// Returns the settings.
    #[must_use]
    pub fn options(&self) -> ShapeOptions {
        self.options
    }

    /// Returns the bytes that make the shape: those of the SQL, with others for the constants that are not in UTF-8.
    ///
    /// Two shapes with the same options are equal if their keys are. The bytes can change with the version of this
    /// crate.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.skeleton.key
    }

    /// Returns the constants, in order.
    ///
    /// The values in the items of [runs](ShapeOptions::runs) are constants also where they are `NULL`, `TRUE` or `FALSE`,
    /// and numbers have their sign there: the key does not have it. So each statement of a shape has the same constants in
    /// each item.
    ///
    /// ```
    /// use pg_ast::Shape;
    ///
    /// let shape = Shape::of("INSERT INTO t VALUES (-1, NULL)")?;
    /// assert_eq!(shape.constants().map(|constant| constant.text()).collect::<Vec<_>>(), ["-1", "NULL"]);
    /// let shape = Shape::of("SELECT -1, NULL")?;
    /// assert_eq!(shape.constants().map(|constant| constant.text()).collect::<Vec<_>>(), ["1"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn constants(&self) -> ConstantTokens<'_> {
        ConstantTokens { sql: self.sql, skeleton: &self.skeleton, next: 0, run: 0, repeated: 0..0 }
    }

    /// Makes values one of which has a kind here stand for constants of that kind only.
    pub(super) fn restrict(&mut self, kinds: &[Option<ConstantKind>]) {
        for (place, kind) in self.skeleton.constants.iter_mut().zip(kinds) {
            place.is_cell &= kind.is_none();
        }
    }

    pub(super) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }
}

/// Compares what counts: the SQL without its constants, and the options.
impl PartialEq for Shape<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.skeleton.key == other.skeleton.key && self.options == other.options
    }
}

impl Eq for Shape<'_> {}

impl Hash for Shape<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.skeleton.key.hash(state);
    }
}

/// Shows the key with `?` for a constant, and its kind nowhere; and the constants.
impl fmt::Debug for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = String::from_utf8_lossy(self.key()).replace('\u{FFFD}', "?");
        f.debug_struct("Shape")
            .field("key", &key)
            .field("constants", &self.constants().map(ConstantToken::text).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// A constant in SQL.
#[derive(Clone, Copy)]
pub struct ConstantToken<'a> {
    sql: &'a str,
    place: ConstantPlace,
}

impl<'a> ConstantToken<'a> {
    /// Returns its kind.
    #[must_use]
    pub fn kind(self) -> ConstantKind {
        self.place.kind
    }

    /// Returns its range in the SQL, in bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.place.start as usize..self.place.end as usize
    }

    /// Returns its SQL, with its quotes; with its sign if it is a value in an item of a run.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.sql.get(self.range()).unwrap_or_default()
    }
}

impl fmt::Debug for ConstantToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConstantToken")
            .field("kind", &self.kind())
            .field("range", &self.range())
            .field("text", &self.text())
            .finish()
    }
}

/// The constants of SQL, in order: [`Shape::constants`].
#[derive(Clone, Debug)]
pub struct ConstantTokens<'a> {
    sql: &'a str,
    skeleton: &'a Skeleton,
    next: usize,
    run: usize,
    /// The constants of repeated items that come next.
    repeated: Range<usize>,
}

impl<'a> Iterator for ConstantTokens<'a> {
    type Item = ConstantToken<'a>;

    fn next(&mut self) -> Option<ConstantToken<'a>> {
        let Self { sql, skeleton, .. } = *self;
        if let Some(index) = self.repeated.next() {
            let place = *skeleton.repeated_constants.get(index)?;
            return Some(ConstantToken { sql, place });
        }
        let place = *skeleton.constants.get(self.next)?;
        self.next += 1;
        while skeleton.runs.get(self.run).is_some_and(|run| run.per_item == 0) {
            self.run += 1;
        }
        if let Some(run) = skeleton.runs.get(self.run)
            && (run.first + run.per_item) as usize == self.next
        {
            self.run += 1;
            let start = run.constants as usize;
            self.repeated = start..start + (run.count * run.per_item) as usize;
        }
        Some(ConstantToken { sql, place })
    }
}
