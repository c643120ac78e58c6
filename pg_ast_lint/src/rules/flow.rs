//! Where control goes in functions in PL/pgSQL.

use core::ops::Range;

use pg_ast::plpgsql::{Exception, Function, Part, Stmt, StmtBlock};

use super::name_at;
use crate::{Finding, Rule};

/// Checks a function; `text` is its statement.
pub(super) fn check(text: &str, function: &Function, found: &mut Vec<Finding>) {
    let flow = pg_ast_plpgsql::flow(function);
    if flow.end_is_reached
        && pg_ast_plpgsql::needs_return(function)
        && let Some(place) = end_word(text, &function.action)
    {
        let help = "add RETURN, or RAISE EXCEPTION if that must not happen";
        found.push(Finding::of(Rule::MissingReturn, place).help(help));
    }
    if flow.unreachable.is_empty() {
        return;
    }
    let mut stmts: Vec<_> =
        function.parts().filter(|part| part.is_stmt()).filter_map(with_range).collect();
    stmts.sort_by_key(|(_, range)| range.end);
    for (part, place) in flow.unreachable.into_iter().filter_map(with_range) {
        let before = stmts.partition_point(|(_, range)| range.end <= place.start);
        let before = before.checked_sub(1).map(|last| stmts[last].0);
        // A RETURN after RAISE, or after IF with RAISE in all branches, is there on purpose.
        let is_on_purpose = matches!(part, Part::Return(_) | Part::Null(_))
            && !matches!(before, Some(Part::Return(_) | Part::Exit(_)));
        if !is_on_purpose {
            found.push(Finding::of(Rule::UnreachableCode, place).help("remove it"));
        }
    }
}

fn with_range(part: Part<'_>) -> Option<(Part<'_>, Range<usize>)> {
    Some((part, part.range()?))
}

/// Returns the place of the `END` of a block.
fn end_word(text: &str, block: &StmtBlock) -> Option<Range<usize>> {
    let handlers = block.exceptions.iter().flat_map(|it| &it.exc_list).filter_map(Exception::range);
    let stmts = block.body.iter().filter_map(Stmt::range);
    let range = block.range()?;
    let from = stmts.chain(handlers).map(|it| it.end).max().unwrap_or(range.start);
    let scan = pg_ast::scan(text.get(from..range.end)?).ok()?;
    let mut words = scan.tokens.iter().map(|token| name_at(text, from + token.range().start));
    words.rfind(|word| text[word.clone()].eq_ignore_ascii_case("end"))
}
