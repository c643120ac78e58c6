//! Words that may be a name, though nothing tells what they mean: why something is not renamed.

use core::ops::Range;

use pg_ast::ScanToken;
use pg_ast::protobuf::{KeywordKind, Token};
use pg_ast::view::{List, Node};

use crate::context::Context;
use crate::identifiers::{folded, is_name};
use crate::names::{LocalKind, Names, Symbol};
use crate::references::WordFinder;
use crate::stmt::Stmt;

const ERROR: &str = "the name is in a statement with an error";

/// A place in a document, and what is wrong there.
type Unread = (Range<usize>, &'static str);

/// Returns the first place in a document where a word may be the name of something that other statements know, too.
pub(crate) fn in_document(cx: &Context<'_>, symbol: &Symbol, name: &str) -> Option<Unread> {
    let mut finder = WordFinder::new(name);
    let mut indexes = 0..cx.document.stmts().len();
    indexes.find_map(|index| {
        let sql = cx.document.stmts()[index].stmt.sql();
        let has_word = finder.is_in(sql);
        if !has_word && !has_natural_join(sql) {
            return None;
        }
        in_stmt(cx, index, symbol, name)
    })
}

/// Returns the first such place in a statement.
pub(crate) fn in_stmt(
    cx: &Context<'_>,
    index: usize,
    symbol: &Symbol,
    name: &str,
) -> Option<Unread> {
    let placed = &cx.document.stmts()[index];
    let names = cx.names(index);
    let (range, problem) = Words { stmt: &placed.stmt, names: &names, symbol, name }.unread()?;
    let start = placed.range.start;
    Some((start + range.start..start + range.end, problem))
}

fn has_natural_join(sql: &str) -> bool {
    WordFinder::new("natural").is_in(sql)
}

struct Words<'a> {
    stmt: &'a Stmt,
    names: &'a Names,
    symbol: &'a Symbol,
    name: &'a str,
}

impl Words<'_> {
    fn unread(&self) -> Option<Unread> {
        let tokens = &self.stmt.tokens().all;
        let Some(node) = self.stmt.node() else {
            let wrong = tokens.iter().find(|token| self.is_name(token, self.stmt.sql()))?;
            return Some((wrong.range(), ERROR));
        };
        let is_body = has_readable_body(node);
        let mut before: Option<&ScanToken> = None;
        for token in tokens.iter().filter(|token| !token.is_comment()) {
            let problem = self.problem(token, before, is_body);
            if let Some(problem) = problem {
                return Some((token.range(), problem));
            }
            before = Some(token);
        }
        None
    }

    fn is_name(&self, token: &ScanToken, sql: &str) -> bool {
        let text = &sql[token.range()];
        is_name(text) && folded(text) == self.name
    }

    fn problem(
        &self,
        token: &ScanToken,
        before: Option<&ScanToken>,
        is_body: bool,
    ) -> Option<&'static str> {
        let sql = self.stmt.sql();
        let range = token.range();
        let body = self.stmt.tokens().body.as_ref();
        let is_in_body = is_body && body.is_some_and(|body| body.contains(&range.start));
        match token.token {
            // Only dollars have tokens between them.
            Token::Sconst | Token::Usconst if is_body && body.is_none() => {
                let text = sql[range].trim_matches('\'');
                let inside = pg_ast::scan_lossy(text).scan.tokens;
                let is_inside = inside.iter().any(|token| self.is_name(token, text));
                return is_inside.then_some("the name is in a body between single quotes");
            }
            Token::Natural => {
                let Symbol::Column(table, _) = self.symbol else { return None };
                let of_table =
                    |symbol: &Symbol| matches!(symbol, Symbol::Relation(it) if it == table);
                let has_table = self.names.all.iter().any(|name| of_table(&name.symbol));
                return has_table.then_some("a NATURAL JOIN may depend on the name");
            }
            _ if !self.is_name(token, sql) || self.names.at_start(range.start).is_some() => {
                return None;
            }
            _ => {}
        }
        let is_field = before.is_some_and(|before| &sql[before.range()] == ".");
        let is_word = token.keyword_kind == KeywordKind::NoKeyword;
        if is_in_body && self.stmt.body().is_none() {
            return Some(ERROR);
        }
        let is_unknown = match self.symbol {
            Symbol::Local(LocalKind::Variable | LocalKind::Parameter, _) => {
                is_in_body && is_word && !is_field
            }
            Symbol::Local(..) => false,
            Symbol::Column(..) if is_field => true,
            _ => is_in_body && (is_word || is_field),
        };
        is_unknown.then_some("it is not known what the name means here")
    }
}

/// Returns whether a statement has a body in PL/pgSQL or SQL.
fn has_readable_body(node: Node<'_>) -> bool {
    let options = match node {
        Node::CreateFunctionStmt(create) => create.options(),
        Node::DoStmt(block) => block.args(),
        _ => return false,
    };
    let language = language(options);
    language.is_none_or(|language| ["plpgsql", "sql"].contains(&language))
}

fn language(options: List<'_>) -> Option<&str> {
    options.iter().find_map(|option| match option {
        Node::DefElem(option) if option.defname() == "language" => match option.arg()? {
            Node::String(name) => Some(name.sval()),
            _ => None,
        },
        _ => None,
    })
}
