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
        let tokens: Vec<_> = tokens.iter().filter(|token| !token.is_comment()).copied().collect();
        (0..tokens.len()).find_map(|index| {
            let problem = self.problem(&tokens, index, is_body)?;
            Some((tokens[index].range(), problem))
        })
    }

    fn is_name(&self, token: &ScanToken, sql: &str) -> bool {
        let text = &sql[token.range()];
        is_name(text) && folded(text) == self.name
    }

    fn is_in_string(&self, written: &str) -> bool {
        let text = written.trim_matches('\'');
        let inside = pg_ast::scan_lossy(text).scan.tokens;
        inside.iter().any(|token| self.is_name(token, text))
    }

    fn problem(&self, tokens: &[ScanToken], index: usize, is_body: bool) -> Option<&'static str> {
        let sql = self.stmt.sql();
        let token = &tokens[index];
        let range = token.range();
        let body = self.stmt.tokens().body.as_ref();
        let is_in_body = is_body && body.is_some_and(|body| body.contains(&range.start));
        match token.token {
            // Only dollars have tokens between them.
            Token::Sconst | Token::Usconst if is_body && body.is_none() => {
                let problem = "the name is in a body between single quotes";
                return self.is_in_string(&sql[range]).then_some(problem);
            }
            Token::Sconst if !matches!(self.symbol, Symbol::Local(..) | Symbol::Column(..)) => {
                let is_it = is_object(sql, tokens, index) && self.is_in_string(&sql[range]);
                return is_it.then_some("the name is in a string");
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
        let before = index.checked_sub(1).map(|before| &sql[tokens[before].range()]);
        let is_field = before == Some(".");
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

/// Returns whether a string is certainly the name of an object: `'t'::regclass`, `regclass 't'`, `nextval('s')`.
fn is_object(sql: &str, tokens: &[ScanToken], index: usize) -> bool {
    const FUNCTIONS: [&str; 5] =
        ["nextval", "currval", "setval", "pg_get_serial_sequence", "pg_sequence_last_value"];
    let text = |index: Option<usize>| {
        let token = index.and_then(|index| tokens.get(index));
        token.map(|token| sql[token.range()].to_ascii_lowercase()).unwrap_or_default()
    };
    let is_reg = |word: &str| word.starts_with("reg");
    let (before, function) = (text(index.checked_sub(1)), text(index.checked_sub(2)));
    is_reg(&before)
        || text(Some(index + 1)) == "::" && is_reg(&text(Some(index + 2)))
        || before == "(" && (FUNCTIONS.contains(&&*function) || function.starts_with("to_reg"))
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
