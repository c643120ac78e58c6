//! The columns of tables, below each other.

use crate::ops::Op;
use crate::tree::Tree;

/// Returns where types and constraints of columns begin, each with the blanks before it that are more than one, by the index of the
/// gap. `flat` is the width of all before a step; what is wider than `widest` does not move the others.
pub(crate) fn paddings(
    tree: &Tree<'_>,
    ops: &[Op],
    flat: &[usize],
    widest: usize,
    has_comments: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let tokens: Vec<_> = ops
        .iter()
        .enumerate()
        .filter_map(|(step, op)| match op {
            Op::Token(part) => Some((*part as usize, step)),
            _ => None,
        })
        .collect();
    // The step of the first token of a part.
    let step_of = |part: usize| {
        let place = tokens.partition_point(|(token, _)| *token < part);
        tokens.get(place).map_or(ops.len(), |(_, step)| *step)
    };
    let is = |part: usize, name: &str| {
        let part = &tree.parts[part];
        part.is_node && tree.name(part) == name
    };
    let mut paddings = Vec::new();
    for list in (0..tree.parts.len()).filter(|part| is(*part, "TableElementList")) {
        // The names, and the types: the gap behind each, and its width.
        let mut cells = [const { Vec::new() }; 2];
        for column in tree.children(list).filter(|child| is(*child, "columnDef")) {
            let starts: Vec<_> = tree.children(column).take(3).map(step_of).collect();
            for (cell, cells) in starts.windows(2).zip(&mut cells) {
                let (start, next) = (cell[0], cell[1]);
                let gap = (start..next).rfind(|step| matches!(ops[*step], Op::Gap(_)));
                if let Some(gap) = gap.filter(|gap| !has_comments(*gap)) {
                    cells.push((gap, flat[gap] - flat[start]));
                }
            }
        }
        for mut cells in cells {
            cells.retain(|(_, width)| *width <= widest);
            let width = cells.iter().map(|(_, width)| *width).max().unwrap_or(0);
            paddings.extend(cells.into_iter().map(|(gap, own)| (gap, width - own)));
        }
    }
    paddings.sort_unstable();
    paddings
}
