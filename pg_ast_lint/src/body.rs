//! The code in strings: bodies of functions, and of `DO`.

use pg_ast::plpgsql::{self, Function, Part, ParsedFunction};
use pg_ast::protobuf::{CreateFunctionStmt, DoStmt};
use pg_ast::{Node, NodeEnum, NodeRef, ParseResult, ParserOptions};

/// The code of a statement, if it has any.
pub(crate) enum Body {
    /// A function, or why PL/pgSQL does not accept it; its places are those in the statement.
    PlPgSql(Box<ParsedFunction>),
    /// Statements in SQL.
    Sql,
}

impl Body {
    /// Reads the body of a statement; `None` if it has none in a language that is known here.
    pub(crate) fn of(text: &str, tree: &ParseResult) -> Option<Self> {
        match tree.stmts().next()? {
            NodeRef::CreateFunctionStmt(create) if language(&create.options) == Some("sql") => {
                return create.sql_body.is_none().then_some(Self::Sql);
            }
            NodeRef::CreateFunctionStmt(CreateFunctionStmt { options: words, .. })
            | NodeRef::DoStmt(DoStmt { args: words, .. })
                if matches!(language(words), None | Some("plpgsql")) => {}
            _ => return None,
        }
        // A statement with psql commands in it cannot be parsed by itself.
        let parsed = plpgsql::parse_with(text, options_of(tree)).ok()?;
        Some(Self::PlPgSql(Box::new(parsed.functions.into_iter().next()?)))
    }

    /// Returns the statements that run with the script: those of a `DO`.
    pub(crate) fn stmts_of_do(&self) -> impl Iterator<Item = NodeRef<'_>> {
        let function = match self {
            Self::PlPgSql(parsed) => parsed.function.as_ref().ok().filter(|it| it.is_do),
            Self::Sql => None,
        };
        let exprs = function.into_iter().flat_map(Function::parts).filter_map(|part| match part {
            Part::Expr(expr) => Some(expr),
            _ => None,
        });
        exprs.flat_map(|expr| expr.tree.stmts())
    }
}

/// Returns the settings with which a statement of a script was parsed.
pub(crate) fn options_of(tree: &ParseResult) -> ParserOptions {
    ParserOptions::default().standard_conforming_strings(!has_escapes(tree))
}

/// Returns whether a backslash in `'..'` is an escape in a statement of a script.
pub(crate) fn has_escapes(tree: &ParseResult) -> bool {
    tree.warnings.iter().any(|it| it.message.starts_with("nonstandard use of"))
}

fn language(words: &[Node]) -> Option<&str> {
    match &option(words, "language")?.1.node {
        Some(NodeEnum::String(name)) => Some(name.sval.as_str()),
        _ => None,
    }
}

/// Returns the place and the value of an option of a `CREATE FUNCTION`.
fn option<'a>(words: &'a [Node], name: &str) -> Option<(usize, &'a Node)> {
    words.iter().find_map(|word| match &word.node {
        Some(NodeEnum::DefElem(word)) if word.defname == name => {
            Some((usize::try_from(word.location).ok()?, word.arg.as_deref()?))
        }
        _ => None,
    })
}

/// Returns the text of a function in SQL, and the offset of its `AS` in the script.
pub(crate) fn sql_text(create: &CreateFunctionStmt) -> Option<(usize, &str)> {
    let (place, body) = option(&create.options, "as")?;
    match &body.node {
        Some(NodeEnum::List(list)) => match &list.items.first()?.node {
            Some(NodeEnum::String(text)) => Some((place, text.sval.as_str())),
            _ => None,
        },
        _ => None,
    }
}
