//! Variables of psql, which it replaces before the server gets a statement.

use pg_ast::{Version, with_version};

/// Returns whether a wrong statement is correct with variables of psql in it: each stands for what the grammar accepts there.
pub(crate) fn is_correct_with_variables(version: Version, sql: &str) -> bool {
    sql.contains(':')
        && with_version!(version, pg => {
            use pg::syntax::rowan::NodeOrToken;
            use pg::syntax::{Script, SyntaxKind};

            Script::parse(sql).is_ok_and(|script| {
                let mut elements = script.root().descendants_with_tokens();
                elements.all(|element| match element {
                    NodeOrToken::Node(node) => node.kind() != SyntaxKind::ERROR,
                    NodeOrToken::Token(token) => {
                        token.kind() != SyntaxKind::ERROR && !token.text().is_empty()
                    }
                })
            })
        })
}
