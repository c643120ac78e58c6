//! The tokens of a statement in their tree, for all versions in one form.

use std::ops::Range;

use pg_ast::{Error, Version, with_version};
use pg_ast_syntax::{Placeholders, ScriptOptions};

use crate::reader::Reader;
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

/// The kind of the quotes around a body.
pub(crate) const QUOTE: &str = "quote";

/// What the symbols of a version's grammar are for the layout.
pub(crate) struct Kinds {
    pub(crate) names: Vec<&'static str>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) roles: Vec<TokenRole>,
    /// The numbers of the first kinds that have no number of the grammar's, each with its index; those of PL/pgSQL last.
    firsts: [(u16, usize); 2],
}

impl Kinds {
    /// `others` are kinds that have no number of the grammar's, with the number of the first one.
    fn new(symbols: Vec<&'static str>, others: [(u16, Vec<&'static str>); 2]) -> Self {
        let mut names = symbols;
        let firsts = others.map(|(first, others)| {
            let index = names.len();
            names.extend(others);
            (first, index)
        });
        names.push(QUOTE);
        let of_nodes = names.iter().map(|symbol| Rule::of(symbol)).collect();
        let of_tokens = names.iter().map(|symbol| TokenRole::of(symbol)).collect();
        Self { names, rules: of_nodes, roles: of_tokens, firsts }
    }

    /// Returns whether a kind is one of PL/pgSQL, by its number.
    pub(crate) fn is_of_plpgsql(&self, number: u16) -> bool {
        let [_, (first, _)] = self.firsts;
        number >= first
    }

    /// Returns the index of a kind, by its number.
    pub(crate) fn of_number(&self, number: u16) -> u16 {
        let first = self.firsts.iter().rev().find(|(first, _)| *first <= number);
        first.map_or(number, |(first, index)| {
            u16::try_from(index + usize::from(number - first)).unwrap_or(u16::MAX)
        })
    }

    /// Returns the index of a kind, by its name.
    pub(crate) fn index(&self, name: &str) -> u16 {
        let index = self.names.iter().position(|kind| *kind == name);
        index.and_then(|index| u16::try_from(index).ok()).unwrap_or(u16::MAX)
    }
}

/// Returns the kinds of a version.
fn kinds(version: Version) -> &'static Kinds {
    with_version!(version, pg, pg_ast_syntax as syntax => {
        use std::sync::LazyLock;

        use syntax::rowan::{Language as _, SyntaxKind as Raw};
        use syntax::{SqlLanguage, SyntaxKind};

        static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
            let names = |first: u16| {
                let names = (first..).map(|raw| SqlLanguage::kind_from_raw(Raw(raw)).as_str());
                names.take_while(|name| !name.is_empty()).collect()
            };
            let others = [SyntaxKind::BLANK, SyntaxKind::PLPGSQL_KEYWORD];
            let others = others.map(|first| SqlLanguage::kind_to_raw(first).0);
            Kinds::new(names(0), others.map(|first| (first, names(first))))
        });

        &KINDS
    })
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
    /// The length of the quotes that the first and the last token are: those of a body.
    pub(crate) quote: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Sql,
    PlPgSql,
}

/// The body of a function, procedure or `DO`, between dollars.
pub(crate) struct Body<'a> {
    pub(crate) language: Language,
    /// Its place in the statement, with the quotes.
    pub(crate) literal: Range<usize>,
    /// With the quotes, and the length of one.
    pub(crate) text: &'a str,
    pub(crate) quote: usize,
    /// With the quotes. `None` if it has a mistake.
    pub(crate) tree: Option<Tree<'a>>,
}

impl<'a> Tree<'a> {
    /// Returns `None` if the statement has a mistake. Variables of psql, and these placeholders, are none.
    pub(crate) fn parse(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
    ) -> Result<Option<Self>, Error> {
        Ok(Self::read(version, sql, placeholders, false)?.map(|(tree, _)| tree))
    }

    /// As [`parse`](Self::parse), with the body that the statement has.
    pub(crate) fn parse_with_body(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
    ) -> Result<Option<(Self, Option<Body<'a>>)>, Error> {
        Self::read(version, sql, placeholders, true)
    }

    fn read(
        version: Version,
        sql: &'a str,
        placeholders: Placeholders,
        with_body: bool,
    ) -> Result<Option<(Self, Option<Body<'a>>)>, Error> {
        let kinds = kinds(version);
        with_version!(version, pg, pg_ast_syntax as syntax => {
            let mut root = syntax::parse(sql)?;
            let mut found = Reader::new(version, kinds).stmt(sql, &root.green());
            // Variables are tokens in scripts alone.
            if found.is_none() && placeholders.may_be_in(sql) {
                let options = ScriptOptions::default().placeholders(placeholders);
                root = syntax::Script::parse_with(sql, options)?.root();
                found = Reader::new(version, kinds).stmt(sql, &root.green());
            }
            let Some(tree) = found else { return Ok(None) };
            let mut names = tree.parts.iter().map(|part| tree.name(part));
            let has_body = with_body
                && sql.contains('$')
                && names.any(|name| matches!(name, "CreateFunctionStmt" | "DoStmt"));
            let found = if has_body { syntax::body_of(&root)? } else { None };
            let body = found.and_then(|body| {
                let literal = body.literal();
                let text = sql.get(literal.clone())?;
                let quote = text.strip_prefix('$')?.find('$')? + 2;
                let is_sql = body.language() == syntax::BodyLanguage::Sql;
                let language = if is_sql { Language::Sql } else { Language::PlPgSql };
                let deeper = body.deeper_nodes().map(|(kind, range)| {
                    (<syntax::SqlLanguage as syntax::rowan::Language>::kind_to_raw(kind).0, range)
                });
                let reader = Reader::new(version, kinds).with_deeper_nodes(deeper, quote);
                let tree = reader.body(text, quote, &body.root().green());
                Some(Body { language, literal, text, quote, tree })
            });
            Ok(Some((tree, body)))
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
        self.parts_from(node + 1, self.parts[node].next as usize)
    }

    /// Returns the indices of a part and of those behind it that are directly in the same node, which has this end.
    pub(crate) fn parts_from(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let mut next = first;
        std::iter::from_fn(move || {
            let index = next;
            next = self.parts.get(index).filter(|_| index < end)?.next as usize;
            Some(index)
        })
    }
}
