//! A statement of a document: all that follows from its text alone.

pub(crate) mod bodies;
pub(crate) mod defined;
pub(crate) mod identifiers;
pub(crate) mod one_line;

use core::cell::OnceCell;
use core::ops::Range;

use pg_ast::plpgsql::{self, Function, SqlFunction};
use pg_ast::view::{self, Node, Tree};
use pg_ast::{ParserOptions, ScanToken};

use crate::answers::outline::{self, OutlineItem};
use crate::answers::regions;
use crate::stmt::defined::Defined;

/// A statement. Its places are byte offsets in its own text, so that it stays the same where the text before it changes.
pub(crate) struct StmtFacts {
    sql: String,
    tree: OnceCell<Option<Tree>>,
    rest: OnceCell<Option<Tree>>,
    body: OnceCell<Option<Body>>,
    tokens: OnceCell<StmtTokens>,
    defined: OnceCell<Vec<Defined>>,
    regions: OnceCell<Vec<Range<usize>>>,
    outline: OnceCell<OutlineItem>,
}

/// The body of a function, a procedure or a `DO`.
pub(crate) enum Body {
    PlPgSql(Box<Function>),
    Sql(Box<SqlFunction>),
}

impl Body {
    pub(crate) fn function(&self) -> Option<&Function> {
        match self {
            Self::PlPgSql(function) => Some(function),
            Self::Sql(_) => None,
        }
    }
}

/// The tokens of a statement, those of its body included.
#[derive(Default)]
pub(crate) struct StmtTokens {
    pub(crate) all: Vec<ScanToken>,
    /// The range of the body that has been scanned, without its quotes.
    pub(crate) body: Option<Range<usize>>,
}

impl StmtTokens {
    /// Returns the index of the first token that begins at a place or behind it.
    pub(crate) fn at(&self, offset: usize) -> usize {
        self.all.partition_point(|token| token.range().start < offset)
    }

    /// Returns the range of the token that begins at a place.
    pub(crate) fn range_at(&self, offset: usize) -> Option<Range<usize>> {
        let range = self.all.get(self.at(offset))?.range();
        (range.start == offset).then_some(range)
    }

    /// Returns the ranges of the parts of a name with dots that begins at a place.
    pub(crate) fn parts(&self, sql: &str, offset: usize) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut tokens = self.all[self.at(offset)..].iter().filter(|token| !token.is_comment());
        while let Some(token) = tokens.next() {
            parts.push(token.range());
            if tokens.next().is_none_or(|dot| &sql[dot.range()] != ".") {
                break;
            }
        }
        parts
    }
}

impl StmtFacts {
    pub(crate) fn new(sql: String) -> Self {
        Self {
            sql,
            tree: OnceCell::new(),
            rest: OnceCell::new(),
            body: OnceCell::new(),
            tokens: OnceCell::new(),
            defined: OnceCell::new(),
            regions: OnceCell::new(),
            outline: OnceCell::new(),
        }
    }

    pub(crate) fn sql(&self) -> &str {
        &self.sql
    }

    /// Returns its text without the body of a function, which defines nothing.
    pub(crate) fn head(&self) -> (&str, &str) {
        match &self.tokens().body {
            Some(body) => (&self.sql[..body.start], &self.sql[body.end..]),
            None => (&self.sql, ""),
        }
    }

    /// Returns its tree with ranges, if it is valid.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        let parse = || view::parse_with_ranges(&self.sql, ParserOptions::default()).ok();
        self.tree.get_or_init(parse).as_ref()
    }

    /// Returns its tree, or what can be read of a wrong one, without ranges.
    pub(crate) fn readable(&self) -> Option<&Tree> {
        let lossy = || pg_ast::parse_lossy(&self.sql).and_then(|lossy| lossy.tree.to_view()).ok();
        self.tree().or_else(|| self.rest.get_or_init(lossy).as_ref())
    }

    /// Returns the node of a valid statement.
    pub(crate) fn node(&self) -> Option<Node<'_>> {
        self.tree()?.stmts().next()?.stmt()
    }

    /// Returns the body of the function that it creates or runs, if both are valid.
    pub(crate) fn body(&self) -> Option<&Body> {
        let compile = || {
            if !matches!(self.node()?, Node::CreateFunctionStmt(_) | Node::DoStmt(_)) {
                return None;
            }
            let parsed = plpgsql::parse(&self.sql).ok()?;
            if let Some(function) = parsed.functions.into_iter().next() {
                return Some(Body::PlPgSql(Box::new(function.function.ok()?)));
            }
            let function = parsed.sql_functions.into_iter().next()?;
            function.body.is_ok().then(|| Body::Sql(Box::new(function)))
        };
        self.body.get_or_init(compile).as_ref()
    }

    /// Returns whether it may define, change or drop what a catalog has.
    pub(crate) fn is_definition(&self) -> bool {
        const DEFINING: [&str; 16] = [
            "CREATE",
            "ALTER",
            "DROP",
            "SET",
            "RESET",
            "DISCARD",
            "IMPORT",
            // What a transaction takes back is not defined.
            "BEGIN",
            "START",
            "COMMIT",
            "END",
            "ROLLBACK",
            "ABORT",
            "SAVEPOINT",
            "RELEASE",
            "PREPARE",
        ];
        const INTO: [&str; 2] = ["INTO", "set_config"];
        let tokens = &self.tokens().all;
        let text = |token: &ScanToken| &self.sql[token.range()];
        let Some(first) = tokens.iter().find(|token| !token.is_comment()) else { return false };
        let first = text(first);
        DEFINING.iter().any(|word| first.eq_ignore_ascii_case(word))
            || ["SELECT", "WITH", "("].iter().any(|word| first.eq_ignore_ascii_case(word))
                && tokens
                    .iter()
                    .any(|token| INTO.iter().any(|word| text(token).eq_ignore_ascii_case(word)))
    }

    /// Returns what it defines, without a catalog.
    pub(crate) fn defined(&self) -> &[Defined] {
        self.defined.get_or_init(|| defined::defined(self))
    }

    /// Returns the ranges of its parts that can be folded.
    pub(crate) fn regions(&self) -> &[Range<usize>] {
        self.regions.get_or_init(|| regions::regions(self))
    }

    /// Returns what an outline shows of it.
    pub(crate) fn outline(&self) -> &OutlineItem {
        self.outline.get_or_init(|| outline::of_stmt(self))
    }

    /// Returns its tokens and comments. In place of a dollar-quoted body of a function are the tokens in it.
    pub(crate) fn tokens(&self) -> &StmtTokens {
        self.tokens.get_or_init(|| self.scan())
    }

    fn scan(&self) -> StmtTokens {
        let mut tokens = StmtTokens::default();
        let lossy = pg_ast::scan_lossy(&self.sql);
        let scanned = lossy.scan.tokens;
        let words = scanned.iter().take(4).map(|token| &self.sql[token.range()]);
        let has_body = |word: &str| {
            ["FUNCTION", "PROCEDURE", "DO"].iter().any(|it| word.eq_ignore_ascii_case(it))
        };
        if !words.into_iter().any(has_body) {
            tokens.all = scanned;
            return tokens;
        }
        // A body that has no end is an error.
        let unclosed = lossy.errors.into_iter().map(|error| error.range);
        let unclosed = unclosed.filter(|range| self.sql[range.clone()].starts_with('$')).last();
        for token in scanned {
            let range = token.range();
            match self.quoted(&range).filter(|_| tokens.body.is_none()) {
                Some(body) => self.scan_body(body, &mut tokens),
                None => tokens.all.push(token),
            }
        }
        if let Some(body) = unclosed.and_then(|range| self.quoted(&range))
            && tokens.body.is_none()
        {
            self.scan_body(body, &mut tokens);
            // The scanner may have gone on behind its first line.
            tokens.all.sort_by_key(|token| token.start);
        }
        tokens
    }

    /// Returns the range between the dollars of a string, if it has some.
    fn quoted(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let text = &self.sql[range.clone()];
        let quote = text.strip_prefix('$')?.find('$')? + 2;
        let is_closed = text.len() >= 2 * quote && text.ends_with(&text[..quote]);
        Some(range.start + quote..if is_closed { range.end - quote } else { range.end })
    }

    fn scan_body(&self, body: Range<usize>, tokens: &mut StmtTokens) {
        let inside = pg_ast::scan_lossy(&self.sql[body.clone()]).scan.tokens;
        let moved = |offset: u32| offset + u32::try_from(body.start).unwrap_or(u32::MAX);
        tokens.all.extend(inside.into_iter().map(|mut token| {
            (token.start, token.end) = (moved(token.start), moved(token.end));
            token
        }));
        tokens.body = Some(body);
    }
}
