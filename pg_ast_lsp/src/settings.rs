//! Settings of the server.

use std::path::PathBuf;

use pg_ast::Version;

/// What the server is told when it starts.
///
/// An editor can override [`version`](Self::version) and [`schema`](Self::schema) by initialization options of these names, as in
/// `{ "version": "16", "schema": ["schema.sql"] }`.
///
/// ```
/// use pg_ast_lsp::Settings;
/// use pg_ast_lsp::pg_ast::Version;
///
/// let settings = Settings::default().version(Version::newest()).schema(["schema.sql".into()]);
/// assert_eq!(settings.schema.len(), 1);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The version of PostgreSQL whose grammar decides what is an error, and what can be typed.
    pub version: Version,
    /// The rules of the linter, and the placeholders that are no errors.
    pub lint: pg_ast_lint::Options,
    /// The layout. The editor decides how far lines are indented.
    pub format: pg_ast_fmt::Options,
    /// Scripts that define the database. With one, names that neither it nor the workspace defines are errors.
    pub schema: Vec<PathBuf>,
}

impl Default for Settings {
    /// The newest version, all rules, the default layout, and no schema.
    fn default() -> Self {
        Self {
            version: Version::newest(),
            lint: pg_ast_lint::Options::default(),
            format: pg_ast_fmt::Options::default(),
            schema: Vec::new(),
        }
    }
}

impl Settings {
    /// Sets the version of PostgreSQL.
    #[must_use]
    pub fn version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// Sets the rules of the linter.
    #[must_use]
    pub fn lint(self, lint: pg_ast_lint::Options) -> Self {
        Self { lint, ..self }
    }

    /// Sets the layout.
    #[must_use]
    pub fn format(self, format: pg_ast_fmt::Options) -> Self {
        Self { format, ..self }
    }

    /// Sets the scripts that define the database.
    #[must_use]
    pub fn schema(self, schema: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { schema: schema.into_iter().collect(), ..self }
    }
}
