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
            Self(number) => SYMBOLS.get(usize::from(number)).copied().unwrap_or_default(),
        }
    }

    /// Returns whether tokens are of this kind. [`ERROR`](Self::ERROR) is one of nodes as well.
    #[must_use]
    pub fn is_token(self) -> bool {
        self >= Self::BLANK || self < Self::accept
    }

    /// Returns whether it is a blank or a comment.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::BLANK | Self::SQL_COMMENT | Self::C_COMMENT)
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
