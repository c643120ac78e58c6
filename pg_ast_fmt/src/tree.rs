//! The tokens of a statement in their tree, for all versions in one form.

use std::ops::Range;

use pg_ast::{Error, Version, with_version};
use pg_ast_syntax::{Placeholders, ScriptOptions};

use crate::rules::{Rule, TokenRole};

/// A node or a token of the concrete tree.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// The index of its kind.
    pub(crate) kind: u16,
    pub(crate) is_node: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index of the part after all that are in this one.
    pub(crate) next: u32,
}

impl Part {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A comment.
#[derive(Clone, Copy)]
pub(crate) struct Comment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) is_line: bool,
}

/// The kind of a keyword in the body of a function. It has the role of one.
pub(crate) const BODY_KEYWORD: &str = "BODY_KEYWORD";
/// The kind of another token there, and of text that stays as it is.
pub(crate) const BODY_TEXT: &str = "body text";

/// What the symbols of a version's grammar are for the layout.
pub(crate) struct Kinds {
    pub(crate) names: Vec<&'static str>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) roles: Vec<TokenRole>,
}

impl Kinds {
    fn new(symbols: impl Iterator<Item = &'static str>) -> Self {
        let names: Vec<_> = symbols.collect();
        let of_nodes = names.iter().map(|symbol| Rule::of(symbol)).collect();
        let of_tokens = names.iter().map(|symbol| TokenRole::of(symbol)).collect();
        Self { names, rules: of_nodes, roles: of_tokens }
    }

    /// Returns the index of a kind.
    pub(crate) fn index(&self, name: &str) -> u16 {
        let index = self.names.iter().position(|kind| *kind == name);
        index.and_then(|index| u16::try_from(index).ok()).unwrap_or(u16::MAX)
    }
}

/// SQL is shorter than 4 GiB.
pub(crate) fn count(parts: usize) -> u32 {
    u32::try_from(parts).unwrap_or(u32::MAX)
}

/// A correct statement.
pub(crate) struct Tree<'a> {
    pub(crate) sql: &'a str,
    pub(crate) kinds: &'static Kinds,
    /// Nodes before what is in them.
    pub(crate) parts: Vec<Part>,
    /// In their order.
    pub(crate) comments: Vec<Comment>,
}

impl<'a> Tree<'a> {
    /// Returns `None` if the statement has a mistake. Variables of psql, and these placeholders, are none.
    pub(crate) fn parse(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
    ) -> Result<Option<Self>, Error> {
        Self::of_text(version, sql, placeholders, true)
    }

    /// As [`parse`](Self::parse), for a statement that is known to be wrong without variables and placeholders.
    pub(crate) fn parse_with_stand_ins(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
    ) -> Result<Option<Self>, Error> {
        Self::of_text(version, sql, placeholders, false)
    }

    fn of_text(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
        may_be_plain: bool,
    ) -> Result<Option<Self>, Error> {
        with_version!(version, pg, pg_ast_syntax as syntax => {
            use std::sync::LazyLock;

            use syntax::rowan::{Language as _, NodeOrToken, SyntaxKind as Raw};
            use syntax::{Script, SqlLanguage, SyntaxKind, SyntaxNode};

            static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
                let names = (0..).map(|raw| SqlLanguage::kind_from_raw(Raw(raw)).as_str());
                let of_bodies = [BODY_KEYWORD, BODY_TEXT];
                Kinds::new(names.take_while(|name| !name.is_empty()).chain(of_bodies))
            });

            // The green tree: its nodes know no places, and take no memory to look at.
            fn read(root: &SyntaxNode) -> Option<(Vec<Part>, Vec<Comment>)> {
                let (mut parts, mut comments) = (Vec::<Part>::new(), Vec::new());
                let (mut start, mut stmts) = (0_u32, 0);
                let green = root.green();
                let (Raw(kind), end) = (green.kind(), green.text_len().into());
                parts.push(Part { kind, is_node: true, start: 0, end, next: 1 });
                // The nodes that are open, each with its index.
                let mut open = vec![(green.children(), 0)];
                while let Some((children, index)) = open.last_mut() {
                    let Some(child) = children.next() else {
                        let next = count(parts.len());
                        parts[*index].next = next;
                        open.pop();
                        continue;
                    };
                    let Raw(raw) = child.kind();
                    let length = u32::from(child.text_len());
                    let end = start + length;
                    let is_node = child.as_node().is_some();
                    let kind = SqlLanguage::kind_from_raw(Raw(raw));
                    match kind {
                        SyntaxKind::ERROR | SyntaxKind::PSQL_COMMAND | SyntaxKind::COPY_DATA => {
                            return None;
                        }
                        SyntaxKind::SQL_COMMENT | SyntaxKind::C_COMMENT => {
                            let is_line = kind == SyntaxKind::SQL_COMMENT;
                            comments.push(Comment { start, end, is_line });
                        }
                        SyntaxKind::BLANK => {}
                        // What is missing: `pg_ast_syntax::mistakes` would tell, and make nodes that know their places.
                        _ if !is_node && length == 0 => return None,
                        _ => {
                            stmts += usize::from(kind == SyntaxKind::SCRIPT_STMT);
                            let next = count(parts.len() + 1);
                            parts.push(Part { kind: raw, is_node, start, end, next });
                        }
                    }
                    match child {
                        NodeOrToken::Node(node) => {
                            open.push((node.children(), parts.len() - 1));
                        }
                        NodeOrToken::Token(_) => start = end,
                    }
                }
                (stmts <= 1).then_some((parts, comments))
            }

            let mut found = if may_be_plain { read(&syntax::parse(sql)?) } else { None };
            // Variables are tokens in scripts alone.
            if found.is_none() && placeholders.may_be_in(sql) {
                let options = ScriptOptions::default().placeholders(placeholders);
                found = read(&Script::parse_with(sql, options)?.root());
            }
            Ok(found.map(|(parts, comments)| Tree { sql, kinds: &KINDS, parts, comments }))
        })
    }

    pub(crate) fn text(&self, part: &Part) -> &'a str {
        self.sql.get(part.range()).unwrap_or_default()
    }

    pub(crate) fn comment_text(&self, comment: &Comment) -> &'a str {
        self.sql.get(comment.start as usize..comment.end as usize).unwrap_or_default()
    }

    pub(crate) fn name(&self, part: &Part) -> &'static str {
        self.kinds.names.get(usize::from(part.kind)).copied().unwrap_or_default()
    }

    pub(crate) fn rule(&self, part: &Part) -> Rule {
        self.kinds.rules.get(usize::from(part.kind)).copied().unwrap_or_default()
    }

    pub(crate) fn role(&self, part: &Part) -> TokenRole {
        self.kinds.roles.get(usize::from(part.kind)).copied().unwrap_or_default()
    }

    /// Returns the indices of what is directly in a node.
    pub(crate) fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.parts[node].next as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let index = next;
            next = self.parts.get(index).filter(|_| index < end)?.next as usize;
            Some(index)
        })
    }
}
