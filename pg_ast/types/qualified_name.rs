//! The name of an object with its schema.

use core::fmt;

use crate::types::heap_size::HeapSize;
use crate::types::versions::Version;

/// The name of a table, a type, a function or another object, with its schema if that is known.
///
/// It prints itself as SQL, in quotes where it needs them, and is compared with text in that form: the two parts of
/// `"x.y"."z.w"` stay two. [`plain`](Self::plain) leaves the quotes out.
///
/// ```
/// use pg_ast::QualifiedName;
///
/// let tree = pg_ast::parse("SELECT * FROM users, app.\"Users\", \"x.y\".\"z.w\"")?;
/// assert_eq!(tree.tables(), ["users", "app.\"Users\"", "\"x.y\".\"z.w\""]);
/// assert_eq!(tree.tables()[1], QualifiedName::new("app", "Users"));
/// assert_eq!(tree.tables()[2].plain(), "x.y.z.w");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QualifiedName {
    /// The schema; `None` if it was not written, and a catalog does not say where the object is.
    pub schema: Option<String>,
    /// The name, without quotes.
    pub name: String,
}

impl QualifiedName {
    /// Makes a name with a schema.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::new("app", "users").to_string(), "app.users");
    /// ```
    #[must_use]
    pub fn new(schema: impl Into<String>, name: impl Into<String>) -> Self {
        Self { schema: Some(schema.into()), name: name.into() }
    }

    /// Makes a name without a schema.
    #[must_use]
    pub fn unqualified(name: impl Into<String>) -> Self {
        Self { schema: None, name: name.into() }
    }

    /// Makes a name of two parts, of which the first may be empty, as in PostgreSQL's nodes.
    pub(crate) fn of_parts(schema: &str, name: &str) -> Self {
        let schema = (!schema.is_empty()).then(|| schema.to_owned());
        Self { schema, name: name.to_owned() }
    }

    /// Returns the schema, a dot and the name, without quotes, as PostgreSQL's messages have names. Different names can have
    /// the same text.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    ///
    /// assert_eq!(QualifiedName::new("app", "Users").plain(), "app.Users");
    /// ```
    #[must_use]
    pub fn plain(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Prints the schema, a dot and the name as SQL: each in quotes if it needs them. Keywords are those of the newest
/// [version](Version::newest).
impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |name: &str| Version::newest().quote_identifier(name);
        if let Some(schema) = &self.schema {
            write!(f, "{}.", quoted(schema))?;
        }
        f.write_str(&quoted(&self.name))
    }
}

/// Compares the name as SQL.
impl PartialEq<str> for QualifiedName {
    fn eq(&self, other: &str) -> bool {
        let sql = self.to_string();
        sql == other
    }
}

/// Compares the name as SQL.
impl PartialEq<&str> for QualifiedName {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl HeapSize for QualifiedName {
    fn heap_size(&self) -> usize {
        let Self { schema, name } = self;
        schema.heap_size() + name.heap_size()
    }
}
