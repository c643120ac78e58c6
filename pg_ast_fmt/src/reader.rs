//! Reads concrete trees: what is in them, one after the other.

use std::ops::Range;

use pg_ast::Version;
use pg_ast_syntax::rowan::{GreenNodeData, NodeOrToken, SyntaxKind as Raw};

use crate::tree::{Comment, Kinds, Part, QUOTE, Tree, count};

/// A node that is in no tree since it is too deep for it.
struct DeeperNode {
    kind: u16,
    start: u32,
    end: u32,
}

pub(crate) struct Reader {
    version: Version,
    kinds: &'static Kinds,
    parts: Vec<Part>,
    comments: Vec<Comment>,
    /// The place behind what is read.
    at: u32,
    /// The next one last.
    deeper: Vec<DeeperNode>,
    /// Those of them that are open, each with its end and its index.
    open: Vec<(u32, usize)>,
}

impl Reader {
    pub(crate) fn new(version: Version, kinds: &'static Kinds) -> Self {
        let (parts, comments, deeper, open) = Default::default();
        Self { version, kinds, parts, comments, at: 0, deeper, open }
    }

    /// Adds nodes to those of the tree, outer ones before those in them, each with the number of its kind.
    pub(crate) fn with_deeper_nodes(
        mut self,
        nodes: impl Iterator<Item = (u16, Range<usize>)>,
        quote: usize,
    ) -> Self {
        let nodes = nodes.filter(|(_, range)| !range.is_empty());
        let nodes = nodes.map(|(number, range)| {
            let (start, end) = (count(range.start + quote), count(range.end + quote));
            DeeperNode { kind: self.kinds.of_number(number), start, end }
        });
        self.deeper.extend(nodes);
        self.deeper.reverse();
        self
    }

    /// Reads a statement. `None` if it has a mistake, or is more than one.
    pub(crate) fn stmt<'a>(mut self, sql: &'a str, root: &GreenNodeData) -> Option<Tree<'a>> {
        self.root(root, sql);
        self.read(root)?;
        let name = |part: &&Part| self.kinds.names[usize::from(part.kind)] == "SCRIPT_STMT";
        (self.parts.iter().filter(name).count() <= 1).then(|| self.tree(sql, 0))
    }

    /// Reads a body. `None` if it has a mistake. `text` is with quotes, of this length.
    pub(crate) fn body<'a>(
        mut self,
        text: &'a str,
        quote: usize,
        root: &GreenNodeData,
    ) -> Option<Tree<'a>> {
        let kind = self.kinds.index(QUOTE);
        self.root(root, text);
        self.token(kind, count(quote));
        self.read(root)?;
        self.token(kind, count(quote));
        self.finish(0);
        Some(self.tree(text, quote))
    }

    fn tree(self, sql: &str, quote: usize) -> Tree<'_> {
        let Self { kinds, parts, comments, .. } = self;
        Tree { sql, kinds, parts, comments, quote }
    }

    fn root(&mut self, root: &GreenNodeData, text: &str) {
        let Raw(number) = root.kind();
        self.start(self.kinds.of_number(number), count(text.len()), true);
    }

    /// Reads what is in the root. The nodes of a green tree know no places, and take no memory to look at.
    fn read(&mut self, root: &GreenNodeData) -> Option<()> {
        // The nodes that are open, each with its index.
        let mut open = vec![(root.children(), 0)];
        while let Some((children, place)) = open.last_mut() {
            let Some(child) = children.next() else {
                self.end_deeper_nodes();
                self.finish(*place);
                open.pop();
                continue;
            };
            let (Raw(number), length) = (child.kind(), u32::from(child.text_len()));
            let kind = self.kinds.of_number(number);
            let name = self.kinds.names.get(usize::from(kind)).copied().unwrap_or_default();
            match (name, child) {
                ("ERROR" | "PSQL_COMMAND" | "COPY_DATA", _) => return None,
                ("SQL_COMMENT" | "C_COMMENT", _) => self.comment(length, name == "SQL_COMMENT"),
                ("BLANK", _) => self.at += length,
                // What is missing: `pg_ast_syntax::mistakes` would tell, and make nodes that know their places.
                (_, NodeOrToken::Token(_)) if length == 0 => return None,
                ("PLPGSQL_INTO", NodeOrToken::Token(token)) => self.into(kind, token.text())?,
                (_, NodeOrToken::Token(_)) => {
                    self.deeper_nodes();
                    self.token(kind, length);
                }
                (_, NodeOrToken::Node(node)) => {
                    // Nodes of PL/pgSQL in the tree are in no deeper ones.
                    if self.kinds.is_of_plpgsql(number) {
                        self.end_deeper_nodes();
                    } else {
                        self.deeper_nodes();
                    }
                    open.push((node.children(), self.start(kind, length, true)));
                }
            }
        }
        Some(())
    }

    fn start(&mut self, kind: u16, length: u32, is_node: bool) -> usize {
        let place = self.parts.len();
        let (start, end, next) = (self.at, self.at.saturating_add(length), count(place + 1));
        self.parts.push(Part { kind, is_node, start, end, next });
        place
    }

    fn finish(&mut self, place: usize) {
        self.parts[place].next = count(self.parts.len());
    }

    fn token(&mut self, kind: u16, length: u32) {
        self.start(kind, length, false);
        self.at = self.at.saturating_add(length);
    }

    fn comment(&mut self, length: u32, is_line: bool) {
        let (start, end) = (self.at, self.at.saturating_add(length));
        self.comments.push(Comment { start, end, is_line });
        self.at = end;
    }

    /// Begins the nodes that the tree does not have, before the next token.
    fn deeper_nodes(&mut self) {
        self.end_deeper_nodes();
        while let Some(node) = self.deeper.pop_if(|node| node.start <= self.at) {
            let place = self.start(node.kind, node.end - node.start, true);
            self.open.push((node.end, place));
        }
    }

    fn end_deeper_nodes(&mut self) {
        while let Some((_, place)) = self.open.pop_if(|(end, _)| *end <= self.at) {
            self.finish(place);
        }
    }

    /// Reads the `INTO` of PL/pgSQL, which is one token in its tree.
    fn into(&mut self, kind: u16, text: &str) -> Option<()> {
        let (start, node) = (self.at, self.start(kind, count(text.len()), true));
        let mut number = 0;
        for token in self.version.scan(text).ok()? {
            let length = count(token.range.len());
            self.at = start + count(token.range.start);
            let text = &text[token.range.clone()];
            if token.is_comment() {
                self.comment(length, token.name == "SQL_COMMENT");
                continue;
            }
            let is_strict = number == 1 && text.eq_ignore_ascii_case("strict");
            let kind = match text {
                _ if number == 0 || is_strict => self.kinds.index("PLPGSQL_KEYWORD"),
                "," | "." | "[" | "]" | "(" | ")" => self.kinds.index(&format!("'{text}'")),
                _ => self.kinds.index("IDENT"),
            };
            self.token(kind, length);
            number += 1;
        }
        self.at = start + count(text.len());
        self.finish(node);
        Some(())
    }
}
