//! Nodes of one kind each, as types, and the comments about a node.

use core::fmt;
use core::iter::successors;

use rowan::ast::{AstNode, support};

use super::syntax_kind::{SqlLanguage, SyntaxKind, SyntaxNode, SyntaxToken};

/// A node of the concrete tree of a known kind: what the types of [`nodes`](super::nodes) stand for.
///
/// It is an [`AstNode`] of [`rowan`], whose `cast` makes it of a node. `KIND` is the number of the kind.
///
/// ```
/// use pg_ast_syntax::rowan::ast::AstNode;
/// use pg_ast_syntax::{SyntaxKind, nodes};
///
/// let root = pg_ast_syntax::parse("SELECT a, b AS c FROM t")?;
/// let select = root.descendants().find_map(nodes::simple_select::cast).unwrap();
/// assert!(select.token(SyntaxKind::SELECT).is_some());
/// assert_eq!(select.child::<nodes::from_clause>().unwrap().syntax().text(), "FROM t");
/// let targets = select.child::<nodes::target_list>().unwrap();
/// let last = targets.children::<nodes::target_el>().last().unwrap();
/// assert_eq!(last.syntax().text(), "b AS c");
/// assert_eq!(nodes::where_clause::cast(root), None);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypedNode<const KIND: u16>(SyntaxNode);

impl<const KIND: u16> AstNode for TypedNode<KIND> {
    type Language = SqlLanguage;

    fn can_cast(kind: SyntaxKind) -> bool {
        kind.number() == KIND
    }

    fn cast(node: SyntaxNode) -> Option<Self> {
        Self::can_cast(node.kind()).then_some(Self(node))
    }

    fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

impl<const KIND: u16> TypedNode<KIND> {
    /// Returns the first node of a kind that is directly in it.
    #[must_use]
    pub fn child<N: AstNode<Language = SqlLanguage>>(&self) -> Option<N> {
        support::child(&self.0)
    }

    /// Returns the nodes of a kind that are directly in it. A list of a single item is no node: the item is one, in what is
    /// around it.
    pub fn children<N: AstNode<Language = SqlLanguage>>(
        &self,
    ) -> impl Iterator<Item = N> + use<N, KIND> {
        support::children(&self.0)
    }

    /// Returns the first token of a kind that is directly in it.
    #[must_use]
    pub fn token(&self, kind: SyntaxKind) -> Option<SyntaxToken> {
        support::token(&self.0, kind)
    }

    /// Returns the [`comments`] about it.
    pub fn comments(&self) -> impl Iterator<Item = SyntaxToken> + use<KIND> {
        comments(&self.0)
    }
}

impl<const KIND: u16> fmt::Debug for TypedNode<KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Returns the comments about a node, in order: those before it, up to an empty line, another token, or what follows that on its
/// line; and those behind it on the line on which it ends. Behind its comma or semicolon, they count if nothing else follows on the
/// line.
///
/// Those in it are about its parts. Nodes that begin or end with the same token have the same comments before or behind them.
///
/// ```
/// use pg_ast_syntax::rowan::ast::AstNode;
/// use pg_ast_syntax::{comments, nodes};
///
/// let sql = "-- Accounts that can log in.
/// CREATE TABLE users (
///     id bigint, -- never 0
///     /* As it
///        was typed. */
///     name text -- unique
/// );";
/// let root = pg_ast_syntax::parse(sql)?;
/// let of_table = root.descendants().find_map(nodes::CreateStmt::cast).unwrap();
/// let texts = |comments: Vec<String>| comments.join(" ");
/// let found = of_table.comments().map(|comment| comment.to_string()).collect();
/// assert_eq!(texts(found), "-- Accounts that can log in.");
///
/// let columns = root.descendants().filter_map(nodes::columnDef::cast);
/// let found = columns.map(|column| texts(column.comments().map(|it| it.to_string()).collect()));
/// assert!(found.eq(["-- never 0", "/* As it\n       was typed. */ -- unique"]));
/// assert_eq!(comments(&root).count(), 0);
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub fn comments(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    let before = node.first_token().map(|first| before(&first)).unwrap_or_default();
    let behind = node.last_token().map(|last| behind(&last)).unwrap_or_default();
    before.into_iter().rev().chain(behind)
}

/// Returns the comments before a token, the last one first.
fn before(first: &SyntaxToken) -> Vec<SyntaxToken> {
    let (mut found, mut kept, mut is_on_its_line) = (Vec::new(), 0, true);
    let tokens = successors(first.prev_token(), SyntaxToken::prev_token);
    let mut tokens = tokens.filter(is_written);
    let around = tokens.by_ref().find(|token| {
        if is_comment(token) {
            found.push(token.clone());
            kept = if is_on_its_line { found.len() } else { kept };
            return false;
        }
        let lines = lines(token);
        is_on_its_line &= lines == 0;
        // What is before them ends on another line.
        kept = if lines > 0 { found.len() } else { kept };
        lines > 1 || !token.kind().is_trivia()
    });
    // At the beginning of the text, all are about it.
    found.truncate(if around.is_some() { kept } else { found.len() });
    found
}

/// Returns the comments behind a token on its line.
fn behind(last: &SyntaxToken) -> Vec<SyntaxToken> {
    let (mut found, mut before_sign) = (Vec::new(), None);
    let tokens = successors(last.next_token(), SyntaxToken::next_token);
    for token in tokens.filter(is_written) {
        let is_sign = [SyntaxKind::COMMA, SyntaxKind::SEMICOLON].contains(&token.kind());
        if is_comment(&token) {
            found.push(token);
        } else if lines(&token) > 0 {
            break;
        } else if is_sign && before_sign.is_none() {
            before_sign = Some(found.len());
        } else if !token.kind().is_trivia() {
            found.truncate(before_sign.unwrap_or(found.len()));
            break;
        }
    }
    found
}

/// One that is missing has no text.
fn is_written(token: &SyntaxToken) -> bool {
    !token.text().is_empty()
}

fn is_comment(token: &SyntaxToken) -> bool {
    [SyntaxKind::SQL_COMMENT, SyntaxKind::C_COMMENT].contains(&token.kind())
}

/// Returns the number of line ends in a blank, or whether another token ends with one: the data of a `COPY`.
fn lines(token: &SyntaxToken) -> usize {
    let text = token.text();
    if token.kind() == SyntaxKind::BLANK {
        // `\n`, `\r\n`, or `\r`.
        text.matches('\n').count().max(text.matches('\r').count())
    } else {
        usize::from(text.ends_with('\n'))
    }
}
