//! The code in strings: bodies of functions, and of `DO`.

use std::borrow::Cow;

use pg_ast::plpgsql::{self, ParsedFunction, Part};
use pg_ast::{Node, NodeRef, ParseResult, ParserOptions};

use crate::stmt_facts::StmtFacts;

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
        let stmt = tree.stmts().next()?;
        match (stmt, stmt.routine_body()?.language) {
            (NodeRef::CreateFunctionStmt(create), Some("sql")) => {
                return create.sql_body.is_none().then_some(Self::Sql);
            }
            (_, None | Some("plpgsql")) => {}
            _ => return None,
        }
        // A statement with psql commands in it cannot be parsed by itself.
        let parsed = plpgsql::parse_with(&with_schema(text), options_of(tree)).ok()?;
        Some(Self::PlPgSql(Box::new(parsed.functions.into_iter().next()?)))
    }

    /// Returns what the statements of a `DO` say; `None` if it is something else.
    pub(crate) fn facts_of_do(&self) -> Option<StmtFacts> {
        let Self::PlPgSql(parsed) = self else { return None };
        let function = parsed.function.as_ref().ok().filter(|it| it.is_do)?;
        let mut facts = StmtFacts::default();
        for part in function.parts() {
            if let Part::Expr(expr) = part {
                facts.add(&expr.tree);
            }
        }
        Some(facts)
    }
}

/// Replaces `@extschema@`, `@extschema:name@` and `@extowner@` by names of the same length: scripts of extensions have them where
/// `CREATE EXTENSION` puts the name of a schema or of a role.
pub(crate) fn with_schema(text: &str) -> Cow<'_, str> {
    const WORD: &str = "@ext";
    if !text.contains(WORD) {
        return text.into();
    }
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(WORD) {
        let (before, found) = rest.split_at(start);
        replaced.push_str(before);
        let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, ':' | '-' | '_');
        let is_known = ["@extschema", "@extowner"].iter().any(|word| found.starts_with(word));
        let end = found[1..].find(is_end).filter(|_| is_known);
        let len = end.filter(|end| found[1 + end..].starts_with('@'));
        let (word, behind) = found.split_at(len.map_or(WORD.len(), |len| len + 2));
        match len {
            Some(_) => replaced
                .extend(word.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })),
            None => replaced.push_str(word),
        }
        rest = behind;
    }
    replaced.push_str(rest);
    replaced.into()
}

/// Returns the settings with which a statement of a script was parsed.
pub(crate) fn options_of(tree: &ParseResult) -> ParserOptions {
    ParserOptions::default().standard_conforming_strings(!has_escapes(tree))
}

/// Returns whether a backslash in `'..'` is an escape in a statement of a script.
pub(crate) fn has_escapes(tree: &ParseResult) -> bool {
    tree.warnings.iter().any(|it| it.message.starts_with("nonstandard use of"))
}

/// Returns the offset in the statement of a word before the string that the body is.
pub(crate) fn body_place(tree: &ParseResult) -> Option<usize> {
    let options = match tree.stmts().next()? {
        NodeRef::CreateFunctionStmt(create) => &create.options,
        NodeRef::DoStmt(body) => &body.args,
        _ => return None,
    };
    let mut options = options.iter().filter_map(Node::as_def_elem);
    let place = usize::try_from(options.find(|option| option.defname == "as")?.location).ok()?;
    // The tree is that of the statement alone, or of a script.
    place.checked_sub(usize::try_from(tree.protobuf.stmts.first()?.stmt_location).ok()?)
}

#[cfg(test)]
mod tests {
    use super::with_schema;

    #[test]
    fn schemas_of_extensions() {
        let text = "SELECT @extschema@.f(a @> '@extschema'), @extschema:x-y@.g() @extschema b@";
        let replaced = "SELECT _extschema_.f(a @> '@extschema'), _extschema_x_y_.g() @extschema b@";
        assert_eq!(with_schema(text), replaced);
        assert_eq!(text.len(), replaced.len());
        assert_eq!(with_schema("SELECT a @> b"), "SELECT a @> b");
    }
}
