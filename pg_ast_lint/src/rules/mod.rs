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

use core::iter;
use core::ops::Range;

use pg_ast::plpgsql::Function;
use pg_ast::view::{Node, RawStmt};
use pg_ast_effects::Effects;

use crate::Finding;
use crate::state::State;
use crate::stmt::{Rows, Stmt};
use crate::text_map::Notation;

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

/// Runs the rules about functions in PL/pgSQL; `stmt` is the place of the function's statement in the script.
pub(crate) fn check_function(
    script: &str,
    stmt: &Range<usize>,
    function: &Function,
    found: &mut Vec<Finding>,
) {
    let text = script.get(stmt.clone()).unwrap_or_default();
    let first = found.len();
    let mut notation = None;
    let variables = pg_ast_plpgsql::variables(function);
    variables::check(text, function, &variables, found);
    dynamic::check(text, function, &variables, found);
    shadowed::check(text, function, found);
    flow::check(text, function, found);
    // Their places are those in the statement.
    for finding in &mut found[first..] {
        let is_escaped =
            text.get(finding.range.end..).is_some_and(|behind| behind.starts_with('\\'));
        if is_escaped && name_at(text, finding.range.start) == finding.range {
            // The name goes on in escapes, of which `name_at` knows nothing.
            let notation = notation.get_or_insert_with(|| Notation::at(text, finding.range.start));
            finding.range = escaped_name_at(text, finding.range.start, *notation);
        }
        let shift = |range: &Range<usize>| stmt.start + range.start..stmt.start + range.end;
        finding.range = shift(&finding.range);
        for (range, _) in finding.fix.iter_mut().flat_map(|fix| &mut fix.changes) {
            *range = shift(range);
        }
    }
}

/// Returns the place of the name that begins at an offset.
fn name_at(text: &str, start: usize) -> Range<usize> {
    let chars = text.get(start..).unwrap_or_default().chars();
    start..start + name_len(chars.map(|c| (c, c.len_utf8())))
}

/// Returns the place of the name that begins at an offset, in a string with escapes.
fn escaped_name_at(text: &str, start: usize, notation: Notation) -> Range<usize> {
    let mut rest = text.get(start..).unwrap_or_default();
    let chars = iter::from_fn(move || {
        let (c, len) = notation.first_char(rest)?;
        rest = &rest[len..];
        Some((c, len))
    });
    start..start + name_len(chars.collect::<Vec<_>>().into_iter())
}

/// Returns the length of the name that some text begins with; each character has the length in which it is written.
fn name_len(chars: impl Iterator<Item = (char, usize)> + Clone) -> usize {
    let mut chars = chars.peekable();
    let mut len = part_len(&mut chars);
    loop {
        let mut behind = chars.clone();
        let Some((_, dot)) = behind.next_if(|(c, _)| *c == '.').filter(|_| len > 0) else {
            return len;
        };
        let part = part_len(&mut behind);
        if part == 0 {
            return len;
        }
        len += dot + part;
        chars = behind;
    }
}

/// Returns the length of a part of a name: of a word, or of what is in quotes.
fn part_len(chars: &mut iter::Peekable<impl Iterator<Item = (char, usize)> + Clone>) -> usize {
    let mut len = 0;
    let mut unicode = chars.clone();
    if let (Some(('u' | 'U', u)), Some(('&', and)), Some(('"', _))) =
        (unicode.next(), unicode.next(), unicode.peek())
    {
        len += u + and;
        *chars = unicode;
    }
    if let Some((_, quote)) = chars.next_if(|(c, _)| *c == '"') {
        len += quote;
        while let Some((c, this)) = chars.next() {
            len += this;
            if c == '"' {
                match chars.next_if(|(c, _)| *c == '"') {
                    Some((_, second)) => len += second,
                    None => break,
                }
            }
        }
        return len;
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    while let Some((_, this)) = chars.next_if(|(c, _)| is_name(*c)) {
        len += this;
    }
    len
}

/// Writes a word in the case of an existing one.
fn in_case_of(model: &str, word: &str) -> String {
    if model.chars().any(char::is_uppercase) { word.to_uppercase() } else { word.to_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::{Notation, escaped_name_at, name_at};

    #[test]
    fn names_of_all_kinds() {
        let name = |text: &str| text[name_at(text, 0)].to_owned();
        for expected in ["a", "\"a\"\"b\"", "s.\"a.\"\"\".b", "U&\"d\\0061\"", "ü$1"] {
            assert_eq!(name(&format!("{expected} := 1")), expected);
            assert_eq!(name(&format!("{expected}. ")), expected);
        }
        assert_eq!(name(":= 1"), "");
        let name = |text: &str, notation| text[escaped_name_at(text, 0, notation)].to_owned();
        let escapes = Notation::Escapes;
        assert_eq!(name(r#"\"a\"\"b\".c\nd"#, escapes), r#"\"a\"\"b\".c"#);
        assert_eq!(name(r"\u00e4\x41\101b\t int", escapes), r"\u00e4\x41\101b");
        assert_eq!(name(r"\0061b\+0000e4\0020int", Notation::Unicode), r"\0061b\+0000e4");
    }
}
