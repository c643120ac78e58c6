//! Options of the concrete trees of scripts: the same for all versions.

use pg_ast::ParserOptions;

/// How a [`Script`](crate::Script) is read.
///
/// ```
/// use pg_ast_syntax::{Script, ScriptOptions};
/// use pg_ast::{ErrorKind, ParserOptions};
///
/// let options = ScriptOptions::default().parser(ParserOptions::default().max_bytes(8));
/// assert!(Script::parse_with("SELECT 1", options).is_ok());
/// let error = Script::parse_with("SELECT 10", options).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::TooLarge);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScriptOptions {
    pub(crate) parser: ParserOptions,
    pub(crate) placeholders: Placeholders,
}

impl ScriptOptions {
    /// Sets the settings of the parser, and the maximum length of the script. `standard_conforming_strings` is what the script
    /// sets, and all that is parsed is statements.
    #[must_use]
    pub fn parser(mut self, parser: ParserOptions) -> Self {
        self.parser = parser;
        self
    }

    /// Sets which placeholders are tokens; none by default.
    #[must_use]
    pub fn placeholders(mut self, placeholders: Placeholders) -> Self {
        self.placeholders = placeholders;
        self
    }
}

/// The placeholders of tools that read SQL before PostgreSQL gets it. Each is a token of a [`Script`](crate::Script), which
/// stands for what the grammar accepts there. None of them is by default.
///
/// ```
/// use pg_ast_syntax::{Placeholders, Script, ScriptOptions, SyntaxKind};
///
/// let sql = "SELECT a ? 'key' FROM {{ ref('t') }} WHERE b = ? LIMIT @most";
/// let options = ScriptOptions::default().placeholders(Placeholders::all());
/// let root = Script::parse_with(sql, options)?.root();
/// let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
/// let found = tokens.filter(|token| token.kind() == SyntaxKind::PLACEHOLDER);
/// let found: Vec<_> = found.map(|token| token.text().to_owned()).collect();
/// assert_eq!(found, ["{{ ref('t') }}", "?", "@most"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// `?`, `@name` and `%(name)s` are operators where they follow an operand. They are placeholders after an operator or a keyword; after
/// a keyword that may be a name, if the statement is correct so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
// Each is on or off.
#[allow(clippy::struct_excessive_bools)]
pub struct Placeholders {
    pub(crate) at_names: bool,
    pub(crate) question_marks: bool,
    pub(crate) braces: bool,
    pub(crate) extension: bool,
    pub(crate) percent_names: bool,
    pub(crate) dollar_braces: bool,
}

impl Placeholders {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Self {
            at_names: true,
            question_marks: true,
            braces: true,
            extension: true,
            percent_names: true,
            dollar_braces: true,
        }
    }

    /// Returns whether there may be variables of psql in a text, or these placeholders. It looks at single characters, so that
    /// it costs little; if it returns false, there are none.
    ///
    /// ```
    /// use pg_ast_syntax::Placeholders;
    ///
    /// let none = Placeholders::default();
    /// assert!(none.may_be_in("SELECT :'name'") && none.may_be_in(r"SELECT '1'\::type"));
    /// assert!(!none.may_be_in("SELECT '1'::int AS a, ?"));
    /// assert!(none.question_marks(true).may_be_in("SELECT '1'::int AS a, ?"));
    /// ```
    #[must_use]
    pub fn may_be_in(self, sql: &str) -> bool {
        let begins_name =
            |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_'\"{".contains(&byte);
        // Two colons are a cast; one behind a backslash is for the server.
        let (mut colons, mut before) = (0_usize, b' ');
        let mut has_variable = || {
            sql.bytes().any(|byte| {
                let is_variable = colons % 2 == 1 && begins_name(byte);
                colons = if byte == b':' && before != b'\\' { colons + 1 } else { 0 };
                before = byte;
                is_variable
            })
        };
        self != Self::default() || has_variable()
    }

    /// Sets whether `@name` is one.
    #[must_use]
    pub fn at_names(mut self, on: bool) -> Self {
        self.at_names = on;
        self
    }

    /// Sets whether `?` is one.
    #[must_use]
    pub fn question_marks(mut self, on: bool) -> Self {
        self.question_marks = on;
        self
    }

    /// Sets whether `{{ .. }}` is one.
    #[must_use]
    pub fn braces(mut self, on: bool) -> Self {
        self.braces = on;
        self
    }

    /// Sets whether those in the scripts of extensions are: `@extschema@`, `@extschema:name@`, `@extowner@`.
    #[must_use]
    pub fn extension(mut self, on: bool) -> Self {
        self.extension = on;
        self
    }

    /// Sets whether `%(name)s` is one.
    #[must_use]
    pub fn percent_names(mut self, on: bool) -> Self {
        self.percent_names = on;
        self
    }

    /// Sets whether `${name}` is one.
    #[must_use]
    pub fn dollar_braces(mut self, on: bool) -> Self {
        self.dollar_braces = on;
        self
    }
}
