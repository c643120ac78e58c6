//! Which language a routine is in, and its body: as `CreateFunction` and `ExecuteDoStmt` in `functioncmds.c` read them.

use super::names::{self, NodeEnum, NodeRef};
use super::view::{DefElem, Node};
use crate::types::routine_body::RoutineBody;

impl<'a> Node<'a> {
    /// Returns the language and the body of a `CREATE FUNCTION`, a `CREATE PROCEDURE` or a `DO`; `None` for any other node.
    ///
    /// ```
    /// use pg_ast::view;
    ///
    /// let tree = view::parse("DO LANGUAGE plperl 'f()'; DO 'BEGIN END'; CREATE FUNCTION f() RETURNS int RETURN 1")?;
    /// let bodies: Vec<_> = tree.stmts().filter_map(|stmt| stmt.stmt()?.routine_body()).collect();
    /// assert_eq!((bodies[0].language, bodies[0].source), (Some("plperl"), Some("f()")));
    /// assert_eq!((bodies[1].language, bodies[1].source), (Some("plpgsql"), Some("BEGIN END")));
    /// assert_eq!((bodies[2].language, bodies[2].source), (Some("sql"), None));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn routine_body(self) -> Option<RoutineBody<'a>> {
        let (options, default) = match self {
            Self::CreateFunctionStmt(create) => {
                (create.options(), create.sql_body().map(|_| "sql"))
            }
            Self::DoStmt(block) => (block.args(), Some("plpgsql")),
            _ => return None,
        };
        let option = |name| {
            let mut options = options.iter().filter_map(Self::as_def_elem);
            options.find(|option| option.defname() == name).and_then(DefElem::arg)
        };
        let language = option("language").map_or(default, Self::as_str);
        let source = option("as").and_then(|source| match source {
            Self::List(strings) => strings.first()?.as_str(),
            string => string.as_str(),
        });
        Some(RoutineBody { language, source })
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the language and the body of a routine; see [`view::Node::routine_body`](super::view::Node::routine_body).
    #[must_use]
    pub fn routine_body(self) -> Option<RoutineBody<'a>> {
        let (options, default) = match self {
            Self::CreateFunctionStmt(create) => {
                (&create.options, create.sql_body.as_ref().map(|_| "sql"))
            }
            Self::DoStmt(block) => (&block.args, Some("plpgsql")),
            _ => return None,
        };
        let option = |name| {
            let mut options = options.iter().filter_map(names::Node::as_def_elem);
            options.find(|option| option.defname == name)?.arg.as_deref()
        };
        let language = option("language").map_or(default, names::Node::as_str);
        let source = option("as").and_then(|source| match &source.node {
            Some(NodeEnum::List(strings)) => strings.items.first()?.as_str(),
            _ => source.as_str(),
        });
        Some(RoutineBody { language, source })
    }
}
