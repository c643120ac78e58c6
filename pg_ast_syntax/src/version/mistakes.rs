//! The mistakes in a concrete tree.

use core::ops::Range;

use rowan::{GreenNodeData, GreenTokenData, Language, NodeOrToken};

use super::syntax_kind::{SqlLanguage, SyntaxKind, SyntaxNode};

/// A part of a concrete tree where the SQL is wrong: see [`mistakes`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// The range of what has been skipped, or an empty one where something is missing, in bytes of the text of the tree.
    pub range: Range<usize>,
    /// The kind of the token that is missing there. `None` with an empty range: the SQL is unfinished, and no single token is known
    /// that would go on with it.
    pub missing: Option<SyntaxKind>,
}

/// Finds what is wrong in a concrete tree, in order: tokens that have been skipped, those that are missing, and what the scanner
/// rejects. A tree without mistakes is that of correct SQL.
///
/// Variables of psql, and placeholders of tools, are none in the tree of a [`Script`](super::Script). [`Script::check`] tells why
/// PostgreSQL rejects a statement.
///
/// ```
/// use pg_ast_syntax::SyntaxKind;
///
/// let root = pg_ast_syntax::parse("SELECT count(* FROM t WHERE ) a = 1")?;
/// let found: Vec<_> = pg_ast_syntax::mistakes(&root).map(|it| (it.range, it.missing)).collect();
/// assert_eq!(found, [(14..14, Some(SyntaxKind::CLOSE_PAREN)), (28..29, None)]);
///
/// let root = pg_ast_syntax::Script::parse("SELECT :a FROM t")?.root();
/// assert_eq!(pg_ast_syntax::mistakes(&root).count(), 0);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// [`Script::check`]: super::Script::check
pub fn mistakes(root: &SyntaxNode) -> impl Iterator<Item = Mistake> {
    // The green tree: its nodes take no memory to look at.
    let green = root.green().into_owned();
    let start = usize::from(root.text_range().start());
    let mut found = Vec::new();
    find(&green, start, &mut found);
    found.into_iter()
}

fn find(root: &GreenNodeData, mut at: usize, found: &mut Vec<Mistake>) {
    let mut open = vec![root.children()];
    while let Some(children) = open.last_mut() {
        match children.next() {
            None => _ = open.pop(),
            Some(NodeOrToken::Node(node)) => {
                let kind = SqlLanguage::kind_from_raw(node.kind());
                if kind == SyntaxKind::ERROR {
                    let end = at + usize::from(node.text_len());
                    found.push(Mistake { range: at..end, missing: None });
                    at = end;
                } else {
                    open.push(node.children());
                }
            }
            Some(NodeOrToken::Token(token)) => {
                let end = at + token.text().len();
                found.extend(of_token(token, at..end));
                at = end;
            }
        }
    }
}

fn of_token(token: &GreenTokenData, range: Range<usize>) -> Option<Mistake> {
    let kind = SqlLanguage::kind_from_raw(token.kind());
    if kind == SyntaxKind::ERROR {
        return Some(Mistake { range, missing: None });
    }
    range.is_empty().then_some(Mistake { range, missing: Some(kind) })
}
