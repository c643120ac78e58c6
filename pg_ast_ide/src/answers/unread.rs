//! Words that may be a name, though nothing tells what they mean: why something is not renamed.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use pg_ast::QualifiedName;
use pg_ast::protobuf::{KeywordKind, Token};
use pg_ast::view::{Node, Tree};
use pg_ast::{NameKind, ScanToken, Version};
use pg_ast_names::ColumnMeaning;

use crate::answers::functions;
use crate::answers::references::{WordFinder, each_name, is_defined};
use crate::answers::rename::at;
use crate::names::{LocalKind, NameAt, NameRole, Names, SymbolId};
use crate::stmt::StmtFacts;
use crate::stmt::identifiers::{folded, is_name};
use crate::workspace::context::DocumentContext;

const ERROR: &str = "the name is in a statement with an error";

/// The types whose constants are names of objects.
const REG_TYPES: [&str; 11] = [
    "regclass",
    "regcollation",
    "regconfig",
    "regdictionary",
    "regnamespace",
    "regoper",
    "regoperator",
    "regproc",
    "regprocedure",
    "regrole",
    "regtype",
];

/// How many words before a string are looked at for the function whose argument it is.
const ARGUMENTS: usize = 64;

/// A place in a document, and what is wrong there.
type Unread = (Range<usize>, &'static str);

/// Returns the first place in a document where a word may be the name of something that other statements know, too.
pub(crate) fn in_document(
    cx: &DocumentContext<'_>,
    symbol: &SymbolId,
    name: &str,
) -> Option<Unread> {
    let mut finder = WordFinder::new(name);
    let mut others = ["natural", "inherit", "attach"].map(WordFinder::new);
    let mut indexes = 0..cx.document.stmts().len();
    indexes.find_map(|index| {
        let sql = cx.document.stmts()[index].stmt.sql();
        if !finder.is_in(sql) && !others.iter_mut().any(|finder| finder.is_in(sql)) {
            return None;
        }
        in_stmt(cx, index, symbol, name)
    })
}

/// Returns the first such place in a statement.
pub(crate) fn in_stmt(
    cx: &DocumentContext<'_>,
    index: usize,
    symbol: &SymbolId,
    name: &str,
) -> Option<Unread> {
    let placed = &cx.document.stmts()[index];
    let names = cx.names(index);
    let stmt = &*placed.stmt;
    let is_body = stmt.node().is_some_and(has_readable_body);
    let kinds = stmt.tree().map(kinds).unwrap_or_default();
    let words = UnreadWords { cx, stmt, names: &names, symbol, name, kinds, is_body };
    let (range, problem) = words.unread()?;
    let start = placed.range.start;
    Some((start + range.start..start + range.end, problem))
}

/// Fails if a call names a parameter of the function that a statement creates, or another definition of the function does.
pub(crate) fn in_calls(cx: &DocumentContext<'_>, index: usize, name: &str) -> Result<(), String> {
    let names = cx.names(index);
    let mut defined = names.all.iter().filter(|name| name.role == NameRole::Definition);
    let Some(function) = defined.find(|name| matches!(name.symbol, SymbolId::Routine(_))) else {
        return Ok(());
    };
    let (mut error, mut seen) = (None, HashSet::new());
    each_name(cx, &function.symbol, |of, stmt, call| {
        if !seen.insert((of.path.to_owned(), stmt, call.role == NameRole::Definition)) {
            return;
        }
        let placed = &of.document.stmts()[stmt];
        let sql = placed.stmt.sql();
        let is_own = of.path == cx.path && stmt == index;
        let other = call.role == NameRole::Definition && !is_own;
        let tokens: Vec<_> =
            placed.stmt.tokens().all.iter().filter(|token| !token.is_comment()).collect();
        for (place, token) in tokens.iter().enumerate() {
            let range = token.range();
            if !is_name(&sql[range.clone()]) || folded(&sql[range.clone()]) != name {
                continue;
            }
            let text = |index: Option<usize>| {
                let token = index.and_then(|index| tokens.get(index));
                token.map(|token| &sql[token.range()]).unwrap_or_default()
            };
            let is_argument = ["(", ","].contains(&text(place.checked_sub(1)))
                && ["=>", ":="].contains(&text(Some(place + 1)));
            let names = of.names(stmt);
            let is_parameter = || {
                let name = names.at_start(range.start);
                let of = name.map(|name| &name.symbol);
                matches!(of, Some(SymbolId::Local(LocalKind::Parameter, _)))
            };
            if is_argument || other && is_parameter() {
                let start = placed.range.start + range.start;
                error.get_or_insert_with(|| {
                    at(
                        of,
                        &(start..start),
                        "a call or another definition of the function has the name",
                    )
                });
            }
        }
    });
    error.map_or(Ok(()), Err)
}

/// Returns what the names of a tree are of.
fn kinds(tree: &Tree) -> HashMap<usize, NameKind> {
    let mut kinds = HashMap::new();
    tree.walk_names(|name, _| {
        if let Some(range) = tree.name_range(name) {
            kinds.insert(range.start, name.kind());
        }
    });
    kinds
}

struct UnreadWords<'a> {
    cx: &'a DocumentContext<'a>,
    stmt: &'a StmtFacts,
    names: &'a Names,
    symbol: &'a SymbolId,
    name: &'a str,
    /// What the tree has names of, by their places.
    kinds: HashMap<usize, NameKind>,
    is_body: bool,
}

impl UnreadWords<'_> {
    fn unread(&self) -> Option<Unread> {
        let tokens = &self.stmt.tokens().all;
        if self.stmt.node().is_none() {
            let wrong = tokens.iter().find(|token| self.is_name(token, self.stmt.sql()))?;
            return Some((wrong.range(), ERROR));
        }
        let tokens: Vec<_> = tokens.iter().filter(|token| !token.is_comment()).copied().collect();
        (0..tokens.len()).find_map(|index| {
            let problem = self.problem(&tokens, index)?;
            Some((tokens[index].range(), problem))
        })
    }

    fn is_name(&self, token: &ScanToken, sql: &str) -> bool {
        let text = &sql[token.range()];
        is_name(text) && folded(text) == self.name
    }

    fn is_in_string(&self, written: &str) -> bool {
        let text = content(written);
        let inside = pg_ast::scan_lossy(text).scan.tokens;
        let is_it = |token: &ScanToken| {
            self.is_name(token, text) || self.is_derived(&folded(&text[token.range()]))
        };
        inside.iter().any(is_it)
    }

    fn problem(&self, tokens: &[ScanToken], index: usize) -> Option<&'static str> {
        let sql = self.stmt.sql();
        let token = &tokens[index];
        let range = token.range();
        let body = self.stmt.tokens().body.as_ref();
        match token.token {
            // Only dollars have tokens between them.
            Token::Sconst | Token::Usconst if self.is_body && body.is_none() => {
                let problem = "the name is in a body between single quotes";
                return self.is_in_string(&sql[range]).then_some(problem);
            }
            // A function that a body creates.
            Token::Sconst if self.is_in_body(range.start) && is_after_as(sql, tokens, index) => {
                let problem = "the name is in a body in a body";
                return self.is_in_string(&sql[range]).then_some(problem);
            }
            Token::Sconst if !matches!(self.symbol, SymbolId::Local(..)) => {
                let is_it = self.is_in_string(&sql[range])
                    && is_object(self.cx.workspace.version(), sql, tokens, index);
                return is_it.then_some("the name is in a string, or one that comes from it");
            }
            Token::Natural => {
                let SymbolId::Column(table, _) = self.symbol else { return None };
                return self.has_table(table).then_some("a NATURAL JOIN may depend on the name");
            }
            Token::Inherit | Token::Attach => {
                let SymbolId::Column(table, _) = self.symbol else { return None };
                let problem = "a table that inherits may have to have the column, too";
                return self.has_table(table).then_some(problem);
            }
            _ if self.is_name(token, sql) => {}
            _ if self.is_derived(&folded(&sql[range])) => {
                return Some("PostgreSQL derives this name from it");
            }
            _ => return None,
        }
        let is_unread = match self.names.at_start(range.start) {
            Some(name) if name.role == NameRole::Definition => self.is_inherited(&name.symbol),
            Some(name) => self.may_be_same(&name.symbol, !is_field(sql, tokens, index)),
            None if self.is_in_body(range.start) && self.stmt.body().is_none() => {
                return Some(ERROR);
            }
            None => self.may_be_it(tokens, index),
        };
        is_unread.then_some("it is not known what the name means here")
    }

    /// Returns whether PostgreSQL made a name of that of the table or the column: `t_pkey`, `t_a_seq`.
    fn is_derived(&self, name: &str) -> bool {
        const ENDS: [&str; 8] = ["pkey", "key", "fkey", "check", "excl", "idx", "seq", "not_null"];
        let (table, column) = match self.symbol {
            SymbolId::Relation(table) => (table, None),
            SymbolId::Column(table, column) => (table, Some(column)),
            _ => return false,
        };
        let columns_of = |rest: &str| {
            let rest = rest.trim_end_matches(|c: char| c.is_ascii_digit());
            let before = |end| rest.strip_suffix(end).filter(|it| it.ends_with('_'));
            ENDS.into_iter().find_map(before).map(str::to_owned)
        };
        let columns = name.strip_prefix(&*table.name).and_then(columns_of);
        let is_it = columns.is_some_and(|columns| {
            columns.starts_with('_')
                && column.is_none_or(|column| columns.contains(&format!("_{column}_")))
        });
        is_it && !self.cx.workspace.defined().any(|defined| defined.name == name)
    }

    fn is_in_body(&self, offset: usize) -> bool {
        let body = self.stmt.tokens().body.as_ref();
        self.is_body && body.is_some_and(|body| body.contains(&offset))
    }

    fn has_table(&self, table: &QualifiedName) -> bool {
        let is_it = |symbol: &SymbolId| matches!(symbol, SymbolId::Relation(it) if it == table);
        self.names.all.iter().any(|name| is_it(&name.symbol))
    }

    /// Returns whether a column that a table defines is also that of one from which it inherits.
    fn is_inherited(&self, column: &SymbolId) -> bool {
        let Some(Node::CreateStmt(create)) = self.stmt.node() else { return false };
        match (self.symbol, column) {
            (SymbolId::Column(of, _), SymbolId::Column(table, _)) => {
                of != table && self.has_table(of) && create.inh_relations().iter().next().is_some()
            }
            _ => false,
        }
    }

    /// Returns whether another symbol with the name may be the same object: where nothing says what it is, or where.
    fn may_be_same(&self, other: &SymbolId, is_without_schema: bool) -> bool {
        let is_elsewhere = |one: &QualifiedName, other: &QualifiedName| {
            one.schema != other.schema && is_without_schema
        };
        match (self.symbol, other) {
            (symbol, other) if symbol == other => false,
            (SymbolId::Relation(one), SymbolId::Relation(it))
            | (SymbolId::Routine(one), SymbolId::Routine(it))
            | (SymbolId::Type(one), SymbolId::Type(it)) => {
                is_elsewhere(one, it) && !is_defined(self.cx, other)
            }
            // The type of a table's rows.
            (SymbolId::Relation(one), SymbolId::Type(it))
            | (SymbolId::Type(one), SymbolId::Relation(it)) => {
                (one == it || is_elsewhere(one, it)) && !is_defined(self.cx, other)
            }
            // `f(x)` may be a column of a row, or a type.
            (SymbolId::Column(table, _), SymbolId::Routine(_)) => {
                self.has_table(table) && self.is_new_function(other)
            }
            (SymbolId::Type(_), SymbolId::Routine(_)) => self.is_new_function(other),
            (SymbolId::Object(one, _), SymbolId::Object(it, _)) => {
                one == it || [*one, *it].contains(&NameKind::Object)
            }
            (SymbolId::Relation(_), SymbolId::Object(kind, _)) => *kind == NameKind::Object,
            _ => false,
        }
    }

    /// Returns whether neither these files nor PostgreSQL have a function. Those behind casts and the like have names of types, with
    /// which a column of a row may be meant: `name(users)`.
    fn is_new_function(&self, symbol: &SymbolId) -> bool {
        let functions = functions::named(self.cx.workspace.version(), self.name);
        functions.iter().all(|function| function.is_support) && !is_defined(self.cx, symbol)
    }

    /// Returns whether a word of which nothing is known may be the name.
    fn may_be_it(&self, tokens: &[ScanToken], index: usize) -> bool {
        let sql = self.stmt.sql();
        let start = tokens[index].range().start;
        let text = |index: Option<usize>| {
            let token = index.and_then(|index| tokens.get(index));
            token.map(|token| &sql[token.range()]).unwrap_or_default()
        };
        let is_qualifier = text(Some(index + 1)) == ".";
        let is_schema = is_qualifier && self.is_schema(start);
        if matches!(self.symbol, SymbolId::Object(NameKind::Schema, _)) {
            return is_schema || self.is_word(tokens, index) && !self.kinds.contains_key(&start);
        }
        let is_field = is_field(sql, tokens, index);
        let is_in_body = self.is_in_body(start);
        let is_word = self.is_word(tokens, index);
        let kind = self.kinds.get(&start);
        match self.symbol {
            _ if is_schema => false,
            // The name of the function may be before a parameter.
            SymbolId::Local(LocalKind::Parameter, _) if is_field => {
                let function = index.checked_sub(2).map(|before| tokens[before].range());
                function.is_some_and(|function| {
                    let is_it = |name: &NameAt| {
                        folded(&sql[name.range.clone()]) == folded(&sql[function.clone()])
                    };
                    let mut defined =
                        self.names.all.iter().filter(|name| name.role == NameRole::Definition);
                    defined.any(|name| matches!(name.symbol, SymbolId::Routine(_)) && is_it(name))
                })
            }
            SymbolId::Local(LocalKind::Variable | LocalKind::Parameter, _) if is_in_body => {
                is_word && !is_field && text(Some(index + 1)) != "=>"
            }
            SymbolId::Local(LocalKind::Variable, _) => false,
            SymbolId::Local(LocalKind::Alias | LocalKind::Cte, _) if is_field => false,
            SymbolId::Local(..) => match kind {
                Some(kind) => matches!(kind, NameKind::Column | NameKind::Table | NameKind::Cte),
                None => is_word,
            },
            SymbolId::Column(..) if is_field => true,
            _ if is_in_body => is_word || is_field,
            SymbolId::Column(table, _) => {
                let is_column = kind == Some(&NameKind::Column) && !self.is_resolved(start);
                self.has_table(table) && (is_column || kind.is_none() && is_word)
            }
            _ => kind.is_none() && (is_word || is_field),
        }
    }

    /// Returns whether a word can be a name there.
    fn is_word(&self, tokens: &[ScanToken], index: usize) -> bool {
        let token = &tokens[index];
        let before = index.checked_sub(1).map(|before| &self.stmt.sql()[tokens[before].range()]);
        match token.keyword_kind {
            KeywordKind::NoKeyword => true,
            // `name` is a keyword, too, and so is the `TYPE` of `%TYPE`.
            KeywordKind::UnreservedKeyword => {
                self.is_in_body(token.range().start) && before != Some("%")
            }
            _ => false,
        }
    }

    /// Returns whether what begins at a place is the schema of a name.
    fn is_schema(&self, start: usize) -> bool {
        let name = self.names.behind_dots(self.stmt.sql(), start);
        name.is_some_and(|name| !matches!(name.symbol, SymbolId::Column(..) | SymbolId::Local(..)))
    }

    /// Returns whether the column at a place has been looked up.
    fn is_resolved(&self, start: usize) -> bool {
        let mut columns = self.names.resolution.columns.iter();
        columns.any(|column| {
            column.location == Some(start) && column.meaning != ColumnMeaning::Unknown
        })
    }
}

fn is_after_as(sql: &str, tokens: &[ScanToken], index: usize) -> bool {
    index.checked_sub(1).is_some_and(|it| sql[tokens[it].range()].eq_ignore_ascii_case("AS"))
}

/// Returns whether a dot is before a word.
fn is_field(sql: &str, tokens: &[ScanToken], index: usize) -> bool {
    index.checked_sub(1).is_some_and(|before| &sql[tokens[before].range()] == ".")
}

/// Returns what is between the quotes of a string.
fn content(written: &str) -> &str {
    if let Some((_, rest)) = written.strip_prefix('$').and_then(|rest| rest.split_once('$')) {
        return rest
            .rsplit_once('$')
            .and_then(|(rest, _)| rest.rsplit_once('$'))
            .unwrap_or_default()
            .0;
    }
    let behind = written.split_once('\'').map_or(written, |(_, rest)| rest);
    behind.strip_suffix('\'').unwrap_or(behind)
}

/// Returns whether a string is certainly the name of an object: `'t'::regclass`, `regclass 't'`, `nextval('s')`.
fn is_object(version: Version, sql: &str, tokens: &[ScanToken], index: usize) -> bool {
    let text = |index: Option<usize>| {
        let token = index.and_then(|index| tokens.get(index));
        token.map(|token| sql[token.range()].to_ascii_lowercase()).unwrap_or_default()
    };
    let is_reg = |word: &str| REG_TYPES.iter().any(|of| word.eq_ignore_ascii_case(of));
    let behind = tokens[index + 1..].iter().map(|token| &sql[token.range()]);
    let mut behind = behind.skip_while(|text| *text == ")");
    let is_cast = |word: Option<&str>| {
        word.is_some_and(|word| word == "::" || word.eq_ignore_ascii_case("as"))
    };
    if is_reg(&text(index.checked_sub(1)))
        || is_cast(behind.next()) && behind.next().is_some_and(is_reg)
    {
        return true;
    }
    // The function whose argument it is.
    let mut depth = 0_u32;
    let open = (0..index).rev().take(ARGUMENTS).find(|before| match &*text(Some(*before)) {
        ")" => {
            depth += 1;
            false
        }
        "(" if depth > 0 => {
            depth -= 1;
            false
        }
        "(" => true,
        _ => false,
    });
    let function = text(open.and_then(|open| open.checked_sub(1)));
    functions::takes_names(version, &function)
}

/// Returns whether a statement has a body in PL/pgSQL or SQL.
fn has_readable_body(node: Node<'_>) -> bool {
    node.routine_body().is_some_and(|body| matches!(body.language, None | Some("plpgsql" | "sql")))
}
