//! The checks of the rules.

mod alter_table;
mod changes;
mod columns;
mod conditions;
mod destinations;
mod drops;
mod dynamic;
mod flow;
mod locks;
mod names;
mod objects;
mod queries;
mod security;
mod shadowed;
mod transactions;
mod types;
mod unqualified;
mod variables;

use core::ops::Range;

use pg_ast::LiteralPlaces;
use pg_ast::plpgsql::Function;
use pg_ast::view::{Node, RawStmt};
use pg_ast_effects::Effects;

use crate::Finding;
use crate::state::State;
use crate::stmt::{Rows, Stmt};

pub(crate) use self::alter_table::is_numbered;
pub(crate) use self::transactions::left_open;

/// Runs the rules about a statement as a whole, before its nodes; `state` is the state before it.
pub(crate) fn check_stmt(
    stmt: &Stmt<'_>,
    state: &State,
    raw: RawStmt<'_>,
    effects: &Effects,
    found: &mut Vec<Finding>,
) {
    let Some(node) = raw.stmt() else { return };
    transactions::placed(stmt, state, node, effects.block, found);
    locks::check(stmt, state, node, effects, found);
    names::check(stmt, state, node, found);
    // The notices are those of all statements.
    if raw.stmt_location() == 0 {
        names::cut(stmt, found);
    }
    types::check(stmt, state, node, found);
    security::check(stmt, state, node, found);
    changes::check(stmt, state, node, found);
    match node {
        Node::DropStmt(drop) => drops::dropped(stmt, state, drop, found),
        Node::TruncateStmt(truncate) => drops::truncated(stmt, state, truncate, found),
        Node::RenameStmt(rename) => drops::renamed(stmt, state, rename, found),
        Node::AlterObjectSchemaStmt(alter) => drops::moved(stmt, state, alter, found),
        _ => {}
    }
}

/// Runs all rules on a node; `state` is the state before the node.
pub(crate) fn check(
    stmt: &Stmt<'_>,
    state: &State,
    node: Node<'_>,
    ancestors: &[Node<'_>],
    found: &mut Vec<Finding>,
) {
    match node {
        Node::AlterTableStmt(alter) => alter_table::check(stmt, state, alter, found),
        Node::ColumnDef(column) => columns::check(stmt, column, ancestors, found),
        Node::SelectStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) | Node::AExpr(_) => {
            queries::check(stmt, node, ancestors, found);
        }
        Node::VariableSetStmt(set) => security::quoted(stmt, set, found),
        _ => objects::check(stmt, state, node, ancestors, found),
    }
    transactions::check(stmt, state, node, found);
    conditions::check(stmt, node, found);
    names::twice(stmt, node, found);
    unqualified::check(stmt, state, node, found);
    if stmt.rows == Rows::Nowhere && matches!(ancestors, [Node::RawStmt(_)]) {
        destinations::check(stmt, node, found);
    }
}

/// Runs the rules about functions in PL/pgSQL; `stmt` is the place of the function's statement in the script. The body is where it is
/// written, and its text.
pub(crate) fn check_function(
    script: &str,
    stmt: &Range<usize>,
    (function, body): (&Function, Option<(&LiteralPlaces, &str)>),
    found: &mut Vec<Finding>,
) {
    let text = script.get(stmt.clone()).unwrap_or_default();
    let first = found.len();
    let variables = pg_ast_plpgsql::variables(function);
    variables::check(text, function, &variables, found);
    dynamic::check(text, function, &variables, found);
    shadowed::check(text, function, found);
    flow::check(text, function, found);
    // Their places are those in the statement.
    for finding in &mut found[first..] {
        let is_name = name_at(text, finding.range.start) == finding.range;
        let shift = |range: &Range<usize>| stmt.start + range.start..stmt.start + range.end;
        finding.range = shift(&finding.range);
        // A name may go on in escapes, of which `name_at` knows nothing.
        let whole = body.filter(|_| is_name).and_then(|body| whole_name(body, finding.range.start));
        finding.range = whole.unwrap_or(finding.range.clone());
        for (range, _) in finding.fix.iter_mut().flat_map(|fix| &mut fix.changes) {
            *range = shift(range);
        }
    }
}

/// Returns the place of the name that begins at an offset.
fn name_at(text: &str, start: usize) -> Range<usize> {
    start..start + name_len(text.get(start..).unwrap_or_default())
}

/// Returns the place of the name that begins at an offset of the script, as the body has it.
fn whole_name((places, body): (&LiteralPlaces, &str), start: usize) -> Option<Range<usize>> {
    let name = name_at(body, places.inner(start)?);
    (!name.is_empty()).then(|| places.range(&name))
}

/// Returns the length of the name that some text begins with.
fn name_len(text: &str) -> usize {
    let mut len = part_len(text);
    while len > 0 && text[len..].starts_with('.') {
        match part_len(&text[len + 1..]) {
            0 => break,
            part => len += 1 + part,
        }
    }
    len
}

/// Returns the length of a part of a name: of a word, or of what is in quotes.
fn part_len(text: &str) -> usize {
    let unicode = ["u&\"", "U&\""].iter().any(|start| text.starts_with(start));
    let open = if unicode { 2 } else { 0 };
    if !text[open..].starts_with('"') {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        return text.find(|c| !is_name(c)).unwrap_or(text.len());
    }
    let mut len = open + 1;
    while let Some(quote) = text[len..].find('"') {
        len += quote + 1;
        if !text[len..].starts_with('"') {
            return len;
        }
        len += 1;
    }
    text.len()
}

/// Writes a word in the case of an existing one.
fn in_case_of(model: &str, word: &str) -> String {
    if model.chars().any(char::is_uppercase) { word.to_uppercase() } else { word.to_lowercase() }
}

#[cfg(test)]
mod tests {
    use pg_ast::LiteralPlaces;

    use super::{name_at, whole_name};

    #[test]
    fn names_of_all_kinds() {
        let name = |text: &str| text[name_at(text, 0)].to_owned();
        for expected in ["a", "\"a\"\"b\"", "s.\"a.\"\"\".b", "U&\"d\\0061\"", "ü$1"] {
            assert_eq!(name(&format!("{expected} := 1")), expected);
            assert_eq!(name(&format!("{expected}. ")), expected);
        }
        assert_eq!(name(":= 1"), "");
        let name = |sql: &str, value: &str| {
            let places = LiteralPlaces::new(sql, 0, value, true).unwrap();
            whole_name((&places, value), places.content().start).map(|name| sql[name].to_owned())
        };
        let expected = |name: &str| Some(name.to_owned());
        let sql = r#"E'\"a\"\"b\".c\nd'"#;
        assert_eq!(name(sql, "\"a\"\"b\".c\nd"), expected(r#"\"a\"\"b\".c"#));
        let found = name(r"E'\u00e4\x41\101b\t int'", "äAAb\t int");
        assert_eq!(found, expected(r"\u00e4\x41\101b"));
        let found = name(r"U&'!0061b!+0000e4!0020int' UESCAPE '!'", "abä int");
        assert_eq!(found, expected("!0061b!+0000e4"));
        assert_eq!(name("' a'", " a"), None);
    }
}
