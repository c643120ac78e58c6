//! The bodies of functions, as concrete trees of their own.

use core::ops::Range;

use pg_ast::{Error, LiteralPlaces};
use rowan::{GreenNode, TextRange};

use super::body_grammar::BodyReader;
use super::body_tree_builder::DeeperNode;
use super::derived_tree::parse as parse_concrete;
use super::pg::parse;
use super::pg::protobuf::a_const::Val;
use super::syntax_kind::{SyntaxKind, SyntaxNode};

/// The language of a [`SyntaxBody`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyLanguage {
    /// `LANGUAGE sql`
    Sql,
    /// `LANGUAGE plpgsql`, or a `DO` without a language.
    PlPgSql,
}

/// The body of a function, of a procedure or of a `DO`, with its own concrete tree. See [`body_of`].
#[derive(Clone, Debug)]
pub struct SyntaxBody {
    language: BodyLanguage,
    literal: Range<usize>,
    places: LiteralPlaces,
    green: GreenNode,
    deeper: Vec<DeeperNode>,
}

impl SyntaxBody {
    /// Returns the language.
    #[must_use]
    pub fn language(&self) -> BodyLanguage {
        self.language
    }

    /// Returns the range of the string that the body is, with its quotes, in the text of the tree around it.
    #[must_use]
    pub fn literal(&self) -> Range<usize> {
        self.literal.clone()
    }

    /// Returns the tree of the body. Its text is the value of the string, byte for byte.
    ///
    /// For SQL, it is that of [`parse`](super::parse()). For PL/pgSQL, its nodes are named as in PL/pgSQL's `pl_gram.y`, from
    /// [`pl_function`](SyntaxKind::pl_function) to statements such as [`stmt_if`](SyntaxKind::stmt_if), and have the trees of the SQL
    /// in them. The targets of an `INTO` are one token there, [`PLPGSQL_INTO`](SyntaxKind::PLPGSQL_INTO).
    #[must_use]
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// Returns the nodes of PL/pgSQL that are too deep for the tree, each with its range in the body: outer ones before those in
    /// them. Their parts are in the deepest node around them that the tree has.
    pub fn deeper_nodes(&self) -> impl Iterator<Item = (SyntaxKind, Range<usize>)> {
        self.deeper.iter().cloned()
    }

    /// Returns the range in the text of the tree around it where a range of the body is written.
    #[must_use]
    pub fn outer(&self, range: TextRange) -> Range<usize> {
        let range = self.places.range(&range.into());
        self.literal.start + range.start..self.literal.start + range.end
    }
}

/// Makes the concrete tree of the body that a statement has in a string; `None` if it has none in SQL or PL/pgSQL. The body may be
/// wrong: the tree has all of it.
///
/// `node` is the statement, or one that has it. The string is read with `standard_conforming_strings` on.
///
/// ```
/// use pg_ast_syntax::{BodyLanguage, SyntaxKind};
///
/// let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS '
/// BEGIN
///   IF a > 1 THEN -- ''many''
///     RETURN a;
///   END IF;
/// END'";
/// let root = pg_ast_syntax::parse(sql)?;
/// let body = pg_ast_syntax::body_of(&root)?.unwrap();
/// assert_eq!(body.language(), BodyLanguage::PlPgSql);
/// assert!(sql[body.literal()].starts_with("'\nBEGIN"));
///
/// let tree = body.root();
/// let stmt = tree.descendants().find(|node| node.kind() == SyntaxKind::stmt_return).unwrap();
/// assert_eq!(stmt.text(), "RETURN a;");
/// assert_eq!(&sql[body.outer(stmt.text_range())], "RETURN a;");
/// let kinds: Vec<_> = stmt.ancestors().skip(1).map(|node| node.kind()).collect();
/// let (sect, block) = (SyntaxKind::proc_sect, SyntaxKind::pl_block);
/// assert_eq!(kinds, [sect, SyntaxKind::stmt_if, sect, block, SyntaxKind::pl_function]);
/// let expr = stmt.children().next().unwrap();
/// assert_eq!((expr.kind(), expr.text().to_string()), (SyntaxKind::PLpgSQL_Expr, "a".to_owned()));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// There is not enough memory.
pub fn body_of(node: &SyntaxNode) -> Result<Option<SyntaxBody>, Error> {
    let Some((language, string)) = find(node) else { return Ok(None) };
    let literal = string.text().to_string();
    let Some(value) = value_of(&literal) else { return Ok(None) };
    let Some(places) = LiteralPlaces::new(&literal, 0, &value, true) else { return Ok(None) };
    let (green, deeper) = match language {
        BodyLanguage::Sql => (parse_concrete(&value)?.green().into_owned(), Vec::new()),
        BodyLanguage::PlPgSql => BodyReader::new(&value).read()?,
    };
    Ok(Some(SyntaxBody { language, literal: string.text_range().into(), places, green, deeper }))
}

/// Finds the string of a body.
fn find(node: &SyntaxNode) -> Option<(BodyLanguage, SyntaxNode)> {
    let stmts = [SyntaxKind::CreateFunctionStmt, SyntaxKind::DoStmt];
    let stmt = node.descendants().find(|node| stmts.contains(&node.kind()))?;
    let is_do = stmt.kind() == SyntaxKind::DoStmt;
    let (mut language, mut string) = (is_do.then(|| "plpgsql".to_owned()), None);
    let items = [SyntaxKind::createfunc_opt_item, SyntaxKind::dostmt_opt_item];
    // A list of one item has no node.
    for item in stmt.descendants().filter(|item| items.contains(&item.kind())) {
        let first = item.first_token()?.kind();
        // One of words alone says nothing of the body: `WINDOW`.
        let Some(last) = item.last_child() else { continue };
        match first {
            SyntaxKind::LANGUAGE => language = Some(name_of(&last.text().to_string())),
            SyntaxKind::AS if last.kind() == SyntaxKind::func_as => {
                let mut strings = last.children();
                string = string.or(strings.next());
                // The object file and the symbol of a function in C.
                if strings.next().is_some() {
                    return None;
                }
            }
            SyntaxKind::AS => string = string.or(Some(last)),
            _ if is_do => string = string.or(Some(last)),
            _ => {}
        }
    }
    let language = match language?.as_str() {
        "sql" => BodyLanguage::Sql,
        "plpgsql" => BodyLanguage::PlPgSql,
        _ => return None,
    };
    let string = string.filter(|string| string.kind() == SyntaxKind::Sconst)?;
    Some((language, string))
}

/// Returns a name as the server reads it.
fn name_of(text: &str) -> String {
    let quoted = text.strip_prefix(['"', '\'']).and_then(|text| text.strip_suffix(['"', '\'']));
    quoted.map_or_else(|| text.to_ascii_lowercase(), str::to_owned)
}

/// Returns the value of a string; `None` if it is not a correct one.
fn value_of(literal: &str) -> Option<String> {
    if let Some(rest) = literal.strip_prefix('$') {
        let tag = rest.find('$')? + 2;
        let end = literal.len().checked_sub(tag)?;
        return literal.get(tag..end).map(str::to_owned);
    }
    let tree = parse(&format!("SELECT {literal}")).ok()?;
    tree.nodes().find_map(|node| {
        let constant = node.as_a_const()?;
        match constant.val.as_ref()? {
            Val::Sval(string) => Some(string.sval.clone()),
            _ => None,
        }
    })
}
