//! A rule of one's own: a comparison with NULL by an operator is never true. Shows where it is, and what is meant.
//!
//! ```text
//! cargo run --example null_rule -- "DELETE FROM t WHERE seen = NULL AND id = 1"
//! 1:21: seen = NULL is never true
//! DELETE FROM t WHERE seen IS NULL AND id = 1
//! ```

use pg_ast::{ColumnUnit, Edits, Error, FilterOperator, FilterValue, LineIndex, Literal, view};

/// Returns what is found, and the SQL without it.
pub(crate) fn check(sql: &str) -> Result<(Vec<String>, String), Error> {
    let tree = view::parse_with_ranges(sql, pg_ast::ParserOptions::default())?;
    let (lines, mut edits, mut found) = (LineIndex::new(sql), Edits::new(sql), Vec::new());
    for filter in tree.nodes().flat_map(view::Node::filters) {
        let meant = match (filter.operator, filter.value) {
            (FilterOperator::Operator("="), FilterValue::Literal(Literal::Null)) => "IS NULL",
            (FilterOperator::Operator("<>"), FilterValue::Literal(Literal::Null)) => "IS NOT NULL",
            _ => continue,
        };
        let Some(range) = tree.range(filter.node) else { continue };
        let place = lines.line_column(range.start, ColumnUnit::Characters);
        let text = &sql[range.clone()];
        found.push(format!("{}:{}: {text} is never true", place.line + 1, place.column + 1));
        edits.replace(range, format!("{} {meant}", filter.column));
    }
    found.dedup();
    Ok((found, edits.apply()?))
}

fn main() -> Result<(), Error> {
    let sql = std::env::args().nth(1).expect("usage: null_rule SQL");
    let (found, fixed) = check(&sql)?;
    println!("{}\n{fixed}", found.join("\n"));
    Ok(())
}
