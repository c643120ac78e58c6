//! Settings of the server.

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pg_ast::Version;
use pg_ast_lint::{Finding, Options};

use crate::files;

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
    /// The rules of the linter, and the placeholders that are no errors. [`version`](Self::version) replaces the version of it.
    pub lint: Options,
    /// The rules for a file, where they differ by files.
    by_file: Option<Function<RulesOf>>,
    /// Which findings in a file are shown, where not all of them are.
    shown: Option<Function<ShownOf>>,
    /// The layout. The editor decides how far lines are indented.
    pub format: pg_ast_fmt::Options,
    /// Scripts that define the database. With one, names that neither it nor the workspace defines are errors.
    pub schema: Vec<PathBuf>,
}

/// A function of the program that starts the server.
struct Function<F: ?Sized>(Arc<F>);

type RulesOf = dyn Fn(&Path) -> Option<Options> + Send + Sync;
type ShownOf = dyn Fn(&Path, Vec<Finding>) -> Vec<Finding> + Send + Sync;

impl<F: ?Sized> Clone for Function<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: ?Sized> fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Function(..)")
    }
}

impl Default for Settings {
    /// The newest version, all rules, the default layout, and no schema.
    fn default() -> Self {
        Self {
            version: Version::newest(),
            lint: Options::default(),
            by_file: None,
            shown: None,
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
    pub fn lint(self, lint: Options) -> Self {
        Self { lint, ..self }
    }

    /// Sets the rules of the linter for each file, by its absolute path; `None` for one that is not checked. Documents that are no
    /// files have those of [`lint`](Self::lint).
    ///
    /// ```
    /// use pg_ast_lint::{Options, Rule};
    /// use pg_ast_lsp::Settings;
    ///
    /// let settings = Settings::default().lint_by_file(|path| {
    ///     let is_test = path.starts_with("/project/tests");
    ///     (!is_test).then(|| Options::default().without([Rule::DropTable]))
    /// });
    /// # let _ = settings;
    /// ```
    #[must_use]
    pub fn lint_by_file(
        self,
        lint: impl Fn(&Path) -> Option<Options> + Send + Sync + 'static,
    ) -> Self {
        Self { by_file: Some(Function(Arc::new(lint))), ..self }
    }

    /// Sets which of the findings in a file are shown, by its absolute path: those that the function returns. All of them are shown in
    /// documents that are no files.
    ///
    /// ```
    /// use pg_ast_lsp::Settings;
    ///
    /// let settings = Settings::default().shown(|path, mut findings| {
    ///     let most = if path.starts_with("/project/old") { 10 } else { usize::MAX };
    ///     findings.truncate(most);
    ///     findings
    /// });
    /// # let _ = settings;
    /// ```
    #[must_use]
    pub fn shown(
        self,
        shown: impl Fn(&Path, Vec<Finding>) -> Vec<Finding> + Send + Sync + 'static,
    ) -> Self {
        Self { shown: Some(Function(Arc::new(shown))), ..self }
    }

    /// Returns those of the findings in a document that are shown.
    pub(crate) fn shown_of(&self, uri: &str, findings: Vec<Finding>) -> Vec<Finding> {
        match (&self.shown, files::path(uri)) {
            (Some(shown), Some(path)) => shown.0(&path, findings),
            _ => findings,
        }
    }

    /// Returns the rules for a document; `None` if it is not checked.
    pub(crate) fn lint_of(&self, uri: &str) -> Option<Options> {
        let options = match (&self.by_file, files::path(uri)) {
            (Some(by_file), Some(path)) => by_file.0(&path)?,
            _ => self.lint.clone(),
        };
        Some(options.version(self.version))
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
