//! Templates: the tree of a shape, without its constants.

use core::borrow::Borrow;
use core::fmt;

use super::bound_form::BoundForm;
use super::shape_of::Shape;
use super::view::compact::Block;
use super::view::{self, Tree};
use crate::types::error::Error;
use crate::types::fingerprint::Fingerprint;
use crate::types::heap_size::HeapSize;
use crate::types::shape_options::ShapeOptions;

/// The tree of a [`Shape`], from which the tree of any SQL of that shape is made without a parse.
///
/// [`bind`](Self::bind) returns what [`view::parse_with`](super::super::view::parse_with) would: the same nodes, constants,
/// locations and warnings. It copies the tree, and writes the constants of the SQL into it.
///
/// ```
/// use pg_ast::{Shape, Template, view};
///
/// let template = Template::new("SELECT a FROM t WHERE b = 1 AND c IN ('x')")?;
/// let sql = "SELECT a FROM t WHERE b = 2000 AND c IN ('y', 'z')";
/// let tree = template.bind(&Shape::of(sql)?).expect("the same shape");
/// assert_eq!(tree, view::parse(sql)?);
/// assert!(template.bind(&Shape::of("SELECT a FROM u")?).is_none());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # When a template is exact
///
/// PostgreSQL's grammar reads the values of a few constants: `float(24)` is another type than `float(25)`. A template of such
/// a statement is [exact](Self::is_exact): it binds to its own SQL only. This is found out for each template: other SQL
/// of its shape, with other constants and other numbers of items, is parsed and compared.
///
/// So it takes two parses of a long statement to make one, and about ten of a short one. It holds none of the constants, unless it is exact.
pub struct Template {
    options: ShapeOptions,
    key: Box<[u8]>,
    form: TemplateForm,
}

enum TemplateForm {
    Bound(Box<BoundForm>),
    Exact(Box<ExactForm>),
}

/// That a template binds to SQL; with the tree if it had to be bound to find that out.
#[cfg(feature = "cache")]
pub(super) enum Binding {
    Certain,
    Made(Box<Tree>),
}

/// The SQL, and its tree.
struct ExactForm {
    /// Empty if the key is the SQL.
    sql: Box<str>,
    tree: Tree,
    fingerprint: Fingerprint,
}

impl Template {
    /// Parses SQL, with the default settings.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse`](super::super::view::parse()).
    pub fn new(sql: &str) -> Result<Self, Error> {
        Self::new_with(sql, ShapeOptions::default())
    }

    /// Parses SQL, with the given settings.
    ///
    /// # Errors
    ///
    /// The errors of [`view::parse_with`](super::super::view::parse_with).
    pub fn new_with(sql: &str, options: impl Borrow<ShapeOptions>) -> Result<Self, Error> {
        let options = *options.borrow();
        let tree = view::parse_with(sql, options.parser)?;
        Ok(Self::of(&Shape::of_with(sql, options)?, &tree))
    }

    /// Makes the template of a shape, whose SQL has been parsed.
    pub(super) fn of(shape: &Shape<'_>, tree: &Tree) -> Self {
        let form = match BoundForm::make(shape, tree) {
            Some(form) => TemplateForm::Bound(Box::new(form)),
            None => TemplateForm::Exact(Box::new(ExactForm {
                sql: if shape.skeleton().is_exact() { "" } else { shape.sql() }.into(),
                tree: tree.compact(),
                fingerprint: tree.fingerprint(),
            })),
        };
        Self { options: shape.options(), key: shape.key().into(), form }
    }

    /// Makes the template of two shapes with their trees, of which the first one is compact: for tests without a parser.
    #[doc(hidden)]
    #[must_use]
    pub fn of_trees((shape, tree): (&Shape<'_>, &Tree), long: (&Shape<'_>, &Tree)) -> Option<Self> {
        let form = TemplateForm::Bound(Box::new(BoundForm::find((shape, tree), long)?));
        Some(Self { options: shape.options(), key: shape.key().into(), form })
    }

    /// Returns whether it binds only to the SQL that it was made of.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.form, TemplateForm::Exact(_))
    }

    /// Returns the bytes of its shape; see [`Shape::key`].
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Returns the settings of its shape.
    #[must_use]
    pub fn options(&self) -> ShapeOptions {
        self.options
    }

    /// Returns the fingerprint of all SQL that it binds to; `None` if constants count in it, as in `COMMENT`, and where
    /// several columns are assigned together, `SET (a, b) = ..`.
    ///
    /// ```
    /// use pg_ast::Template;
    ///
    /// let template = Template::new("SELECT * FROM t WHERE id = 1")?;
    /// assert_eq!(template.fingerprint(), Some(pg_ast::fingerprint("SELECT * FROM t WHERE id = 2")?));
    /// assert_eq!(Template::new("COMMENT ON TABLE t IS 'a'")?.fingerprint(), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        match &self.form {
            TemplateForm::Bound(form) => form.fingerprint,
            TemplateForm::Exact(exact) => Some(exact.fingerprint),
        }
    }

    /// Returns the normalized SQL of a shape that it binds to, if that is known without a parse.
    #[cfg(feature = "cache")]
    pub(super) fn normalized(&self, shape: &Shape<'_>) -> Option<String> {
        match &self.form {
            TemplateForm::Bound(form) => form.normalized(shape),
            TemplateForm::Exact(_) => None,
        }
    }

    /// Returns whether the trees of all SQL that it binds to have the same analysis.
    #[cfg(feature = "cache")]
    pub(super) fn same_analysis(&self) -> bool {
        match &self.form {
            TemplateForm::Bound(form) => form.same_analysis,
            TemplateForm::Exact(_) => true,
        }
    }

    /// Returns whether the parser warns about SQL that it binds to.
    #[cfg(feature = "cache")]
    pub(super) fn has_warnings(&self) -> bool {
        match &self.form {
            TemplateForm::Bound(form) => !form.warnings.is_empty(),
            TemplateForm::Exact(exact) => !exact.tree.warnings().is_empty(),
        }
    }

    /// Returns whether [`bind`](Self::bind) returns a tree for a shape with this key and these options.
    #[cfg(feature = "cache")]
    pub(super) fn binds(&self, shape: &Shape<'_>) -> Option<Binding> {
        match &self.form {
            TemplateForm::Bound(form) if form.may_fail(shape) => {
                form.bind(shape, None).map(|tree| Binding::Made(Box::new(tree)))
            }
            TemplateForm::Bound(_) => Some(Binding::Certain),
            TemplateForm::Exact(exact) => exact.is_that_of(shape).then_some(Binding::Certain),
        }
    }

    /// Returns the tree of SQL of this shape.
    ///
    /// `None` if it has another shape, or the template [is exact](Self::is_exact) and that of other SQL; and if the parser
    /// would reject the SQL: a constant that is not UTF-8 (`E'\xff'`), or a tree that is too large.
    #[must_use]
    pub fn bind(&self, shape: &Shape<'_>) -> Option<Tree> {
        self.bind_in(shape, None)
    }

    /// Like [`bind`](Self::bind), in the memory of another tree if that suffices. Returns false where `bind` returns `None`;
    /// the tree is empty then.
    ///
    /// ```
    /// use pg_ast::{Shape, Template, view};
    ///
    /// let template = Template::new("SELECT 1")?;
    /// let mut tree = view::parse("")?;
    /// for sql in ["SELECT 1", "SELECT 2"] {
    ///     assert!(template.bind_into(&Shape::of(sql)?, &mut tree));
    ///     assert_eq!(tree.deparse()?, sql);
    /// }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn bind_into(&self, shape: &Shape<'_>, tree: &mut Tree) -> bool {
        let block = tree.take_block();
        match self.bind_in(shape, block) {
            Some(bound) => *tree = bound,
            None => return false,
        }
        true
    }

    fn bind_in(&self, shape: &Shape<'_>, block: Option<Block>) -> Option<Tree> {
        if *self.key != *shape.key() || self.options != shape.options() {
            return None;
        }
        match &self.form {
            TemplateForm::Bound(form) => form.bind(shape, block),
            TemplateForm::Exact(exact) => exact.is_that_of(shape).then(|| exact.tree.compact()),
        }
    }
}

impl ExactForm {
    fn is_that_of(&self, shape: &Shape<'_>) -> bool {
        shape.skeleton().is_exact() || *self.sql == *shape.sql()
    }
}

impl HeapSize for Template {
    fn heap_size(&self) -> usize {
        let Self { options: _, key, form } = self;
        key.len()
            + match form {
                TemplateForm::Bound(form) => size_of::<BoundForm>() + form.size(key),
                TemplateForm::Exact(exact) => {
                    size_of::<ExactForm>() + exact.sql.len() + exact.tree.heap_size()
                }
            }
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = String::from_utf8_lossy(&self.key).replace('\u{FFFD}', "?");
        f.debug_struct("Template")
            .field("key", &key)
            .field("is_exact", &self.is_exact())
            .finish_non_exhaustive()
    }
}
