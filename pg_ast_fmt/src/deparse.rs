//! Prints trees.

use pg_ast::{Error, Version};

use crate::options::Options;
use crate::script::format;

/// A tree of any version of PostgreSQL.
pub trait ParsedTree {
    /// Prints it on one line.
    ///
    /// # Errors
    ///
    /// The tree is malformed.
    fn to_sql(&self) -> Result<String, Error>;

    /// The version of PostgreSQL whose tree it is.
    fn version(&self) -> Version;
}

macro_rules! trees {
    ($($feature:literal $module:ident $variant:ident,)*) => {
        $(
            #[cfg(feature = $feature)]
            impl ParsedTree for pg_ast::$module::ParseResult {
                fn to_sql(&self) -> Result<String, Error> {
                    self.deparse()
                }

                fn version(&self) -> Version {
                    Version::$variant
                }
            }
        )*
    };
}
trees! {
    "pg15" pg15 Pg15,
    "pg16" pg16 Pg16,
    "pg17" pg17 Pg17,
    "pg18" pg18 Pg18,
}

/// Prints a tree as SQL, in the layout of this crate. A tree has no comments, and does not know how constants were written.
///
/// ```
/// use pg_ast_fmt::{Options, deparse};
///
/// let tree = pg_ast::parse("select a, b /* both */ from t where a = 0xFF")?;
/// let sql = deparse(&tree, &Options::default().width(20))?;
/// assert_eq!(sql, "SELECT a, b\nFROM t\nWHERE a = 255;\n");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The tree is malformed.
pub fn deparse(tree: &impl ParsedTree, options: &Options) -> Result<String, Error> {
    let sql = tree.to_sql()?;
    Ok(format(tree.version(), &sql, options).text)
}
