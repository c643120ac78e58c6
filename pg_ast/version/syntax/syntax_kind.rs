//! The kinds of nodes and tokens.

use core::fmt;

use super::super::super::syntax_kinds::each_syntax_kind;

macro_rules! kinds {
    ($($constant:ident $number:literal $name:literal;)*) => {
        /// The kind of a node or a token: a symbol of PostgreSQL's grammar, by its name in `gram.y`.
        ///
        /// Tokens that are characters have their number in ASCII: `','` is `ASCII_44`. The kinds of PostgreSQL's versions
        /// are not the same.
        ///
        /// ```
        /// use pg_ast::syntax::SyntaxKind;
        ///
        /// assert_eq!(SyntaxKind::a_expr.as_str(), "a_expr");
        /// assert_eq!(SyntaxKind::ASCII_40.as_str(), "'('");
        /// assert!(SyntaxKind::SELECT.is_token() && !SyntaxKind::SelectStmt.is_token());
        /// assert!(SyntaxKind::BLANK.is_trivia());
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct SyntaxKind(u16);

        #[allow(non_upper_case_globals)]
        impl SyntaxKind {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: Self = Self($number);
            )*
        }

        /// The symbols of the grammar, by their numbers.
        const SYMBOLS: &[&str] = &[$($name),*];
    };
}
each_syntax_kind!(kinds);

impl SyntaxKind {
    /// Blanks and line ends.
    pub const BLANK: Self = Self(0xF000);
    /// Skipped tokens; as a token, what the scanner rejects.
    pub const ERROR: Self = Self(0xF001);
    /// A whole script: the root of a [`Script`](super::Script).
    pub const SCRIPT: Self = Self(0xF002);
    /// A statement of a script, with what ends it: a semicolon, or a psql command.
    pub const SCRIPT_STMT: Self = Self(0xF003);
    /// A psql command, with its arguments.
    pub const PSQL_COMMAND: Self = Self(0xF004);
    /// The data of a `COPY .. FROM STDIN`: whole lines, up to the `\.`.
    pub const COPY_DATA: Self = Self(0xF005);
    /// The byte order mark at the beginning of a script.
    pub const BYTE_ORDER_MARK: Self = Self(0xF006);
    /// A token with a variable of psql: `:name`, `:'name'`, `:"name"`, `:{?name}`.
    pub const PSQL_VARIABLE: Self = Self(0xF007);
    /// A token with one of the [`Placeholders`](super::Placeholders) of tools.
    pub const PLACEHOLDER: Self = Self(0xF008);

    /// Returns the number: that of the symbol.
    pub(super) const fn number(self) -> u16 {
        self.0
    }

    /// The kind of a symbol of the grammar.
    pub(super) fn of_symbol(symbol: u16) -> Self {
        Self(symbol)
    }

    /// Returns the name: that in `gram.y` for symbols of the grammar.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BLANK => "BLANK",
            Self::ERROR => "ERROR",
            Self::SCRIPT => "SCRIPT",
            Self::SCRIPT_STMT => "SCRIPT_STMT",
            Self::PSQL_COMMAND => "PSQL_COMMAND",
            Self::COPY_DATA => "COPY_DATA",
            Self::BYTE_ORDER_MARK => "BYTE_ORDER_MARK",
            Self::PSQL_VARIABLE => "PSQL_VARIABLE",
            Self::PLACEHOLDER => "PLACEHOLDER",
            Self(number) => SYMBOLS.get(usize::from(number)).copied().unwrap_or_default(),
        }
    }

    /// Returns whether tokens are of this kind. [`ERROR`](Self::ERROR) is one of nodes as well.
    #[must_use]
    pub fn is_token(self) -> bool {
        let is_node = matches!(self, Self::SCRIPT | Self::SCRIPT_STMT);
        self < Self::accept || (self >= Self::BLANK && !is_node)
    }

    /// Returns whether it is a blank, a comment, or the byte order mark.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        let comments = [Self::SQL_COMMENT, Self::C_COMMENT];
        self == Self::BLANK || comments.contains(&self) || self == Self::BYTE_ORDER_MARK
    }
}

impl fmt::Debug for SyntaxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The SQL of this version, for [`rowan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SqlLanguage {}

impl rowan::Language for SqlLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind(raw.0)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind.0)
    }
}

/// A node of the concrete tree.
pub type SyntaxNode = rowan::SyntaxNode<SqlLanguage>;
/// A token of the concrete tree.
pub type SyntaxToken = rowan::SyntaxToken<SqlLanguage>;
/// A node or a token of the concrete tree.
pub type SyntaxElement = rowan::SyntaxElement<SqlLanguage>;
