//! The kinds of nodes and tokens.

use core::fmt;

use super::super::syntax_kinds::each_syntax_kind;

macro_rules! kinds {
    (
        tokens { $($constant:ident $number:literal $name:literal;)* }
        nodes { $($node:ident $node_number:literal $node_name:literal;)* }
    ) => {
        /// The kind of a node or a token: a symbol of PostgreSQL's grammar, by its name in `gram.y`.
        ///
        /// Tokens that are characters have the character's name: `','` is `COMMA`. The kinds of PostgreSQL's versions are
        /// not the same.
        ///
        /// ```
        /// use pg_ast_syntax::SyntaxKind;
        ///
        /// assert_eq!(SyntaxKind::a_expr.as_str(), "a_expr");
        /// assert_eq!(SyntaxKind::OPEN_PAREN.as_str(), "'('");
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
            $(
                #[doc = concat!("`", $node_name, "`")]
                pub const $node: Self = Self($node_number);
            )*
        }

        /// The symbols of the grammar, by their numbers.
        const SYMBOLS: &[&str] = &[$($name,)* $($node_name),*];

        /// Each kind of nodes as a type: by its name in PostgreSQL's `gram.y`, and in bodies in PL/pgSQL by that in `pl_gram.y`.
        /// See [`TypedNode`](super::TypedNode).
        #[allow(non_camel_case_types)]
        pub mod nodes {
            use super::super::typed_nodes::TypedNode;

            $(
                #[doc = concat!("`", $node_name, "`")]
                pub type $node = TypedNode<$node_number>;
            )*
            #[cfg(feature = "plpgsql")]
            pub use super::plpgsql_nodes::*;
        }
    };
}
each_syntax_kind!(kinds);

impl SyntaxKind {
    /// Blanks and line ends.
    pub const BLANK: Self = Self(0xF000);
    /// Skipped tokens; as a token, what the scanner rejects, or without text, the end of SQL that is unfinished.
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

    /// Returns the kinds of the grammar's symbols.
    #[cfg(feature = "plpgsql")]
    pub(super) fn by_name() -> std::collections::HashMap<&'static str, Self> {
        (0..).zip(SYMBOLS).map(|(number, name)| (*name, Self(number))).collect()
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
            #[cfg(feature = "plpgsql")]
            Self(number @ FIRST_OF_PLPGSQL..) => {
                let index = usize::from(number - FIRST_OF_PLPGSQL);
                PLPGSQL_KINDS.get(index).copied().unwrap_or_default()
            }
            Self(number) => SYMBOLS.get(usize::from(number)).copied().unwrap_or_default(),
        }
    }

    /// Returns whether tokens are of this kind. [`ERROR`](Self::ERROR) is one of nodes as well.
    #[must_use]
    pub fn is_token(self) -> bool {
        let is_node = matches!(self, Self::SCRIPT | Self::SCRIPT_STMT);
        #[cfg(feature = "plpgsql")]
        let is_node = is_node || self >= Self::pl_function;
        self < Self::accept || (self >= Self::BLANK && !is_node)
    }

    /// Returns whether it is a blank, a comment, or the byte order mark.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        let comments = [Self::SQL_COMMENT, Self::C_COMMENT];
        self == Self::BLANK || comments.contains(&self) || self == Self::BYTE_ORDER_MARK
    }
}

/// The number of the first kind in bodies in PL/pgSQL.
#[cfg(feature = "plpgsql")]
const FIRST_OF_PLPGSQL: u16 = 0xF100;

#[cfg(feature = "plpgsql")]
macro_rules! plpgsql_kinds {
    (
        tokens { $($number:literal $constant:ident $doc:literal;)* }
        nodes { $($node_number:literal $node:ident $node_doc:literal;)* }
    ) => {
        /// In bodies in PL/pgSQL, named as in its `pl_gram.y`.
        #[allow(non_upper_case_globals)]
        impl SyntaxKind {
            $(
                #[doc = $doc]
                pub const $constant: Self = Self(FIRST_OF_PLPGSQL + $number);
            )*
            $(
                #[doc = $node_doc]
                pub const $node: Self = Self(FIRST_OF_PLPGSQL + $node_number);
            )*
        }

        /// Their names, by their numbers.
        const PLPGSQL_KINDS: &[&str] = &[$(stringify!($constant),)* $(stringify!($node)),*];

        /// Its nodes as types.
        #[allow(non_camel_case_types)]
        mod plpgsql_nodes {
            use super::super::typed_nodes::TypedNode;

            $(
                #[doc = $node_doc]
                pub type $node = TypedNode<{ super::FIRST_OF_PLPGSQL + $node_number }>;
            )*
        }
    };
}
#[cfg(feature = "plpgsql")]
plpgsql_kinds! {
    tokens {
        0 PLPGSQL_KEYWORD "A keyword of PL/pgSQL that is none of SQL: `LOOP`, `ELSIF`, `PERFORM`.";
        1 PLPGSQL_INTO "The `INTO` of a statement in SQL, with its targets.";
    }
    nodes {
        2 pl_function "The body of a function: the root.";
        3 comp_option "`#variable_conflict use_column`";
        4 pl_block "`BEGIN .. END`, with its declarations";
        5 block_label "`<<label>>`";
        6 decl_sect "`DECLARE` and what follows";
        7 decl_statement "A declaration.";
        8 decl_datatype "The type in a declaration.";
        9 decl_cursor_args "The parameters of a cursor.";
        10 proc_sect "Statements.";
        11 exception_sect "`EXCEPTION` and what follows";
        12 proc_exception "`WHEN .. THEN` of a block, with its statements";
        13 proc_conditions "The conditions in it.";
        14 stmt_assign "`a := 1;`";
        15 stmt_if "`IF .. END IF;`";
        16 stmt_elsif "`ELSIF .. THEN`, with its statements";
        17 stmt_else "`ELSE`, with its statements";
        18 stmt_case "`CASE .. END CASE;`";
        19 case_when "`WHEN .. THEN` of a `CASE`, with its statements";
        20 stmt_loop "`LOOP .. END LOOP;`";
        21 stmt_while "`WHILE .. LOOP .. END LOOP;`";
        22 stmt_for "`FOR .. LOOP .. END LOOP;`";
        23 stmt_foreach_a "`FOREACH .. LOOP .. END LOOP;`";
        24 stmt_exit "`EXIT` or `CONTINUE`";
        25 stmt_return "`RETURN`, also with `NEXT` or `QUERY`";
        26 stmt_raise "`RAISE`";
        27 stmt_assert "`ASSERT`";
        28 stmt_execsql "A statement in SQL.";
        29 stmt_dynexecute "`EXECUTE`";
        30 stmt_perform "`PERFORM`";
        31 stmt_getdiag "`GET DIAGNOSTICS`";
        32 stmt_open "`OPEN`";
        33 stmt_fetch "`FETCH`";
        34 stmt_move "`MOVE`";
        35 stmt_close "`CLOSE`";
        36 stmt_null "`NULL;`";
        37 stmt_commit "`COMMIT`";
        38 stmt_rollback "`ROLLBACK`";
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
