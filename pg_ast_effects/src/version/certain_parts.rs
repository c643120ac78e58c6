//! Which parts of a body in PL/pgSQL run whenever it ends without an error.

use super::pg::plpgsql::{DeclType, Expr, Part};

/// A pass beside [`Parts`](super::pg::plpgsql::Parts), over the parts in their order.
#[derive(Default)]
pub(super) struct CertainParts {
    /// Whether the last part runs, after the same of its ancestors.
    path: Vec<bool>,
    /// The depths of the loops around the last part.
    loops: Vec<usize>,
    /// The depth of the statement whose rest may be skipped: an `EXIT`, `CONTINUE` or `RETURN` in it was met.
    left: Option<usize>,
}

impl CertainParts {
    /// Returns whether a part runs for certain, which is the next one.
    pub(super) fn next(&mut self, part: Part<'_>, ancestors: &[Part<'_>]) -> bool {
        let depth = ancestors.len();
        self.path.truncate(depth);
        while self.loops.last().is_some_and(|around| *around >= depth) {
            self.loops.pop();
        }
        if self.left.is_some_and(|left| depth <= left) {
            self.left = None;
        }
        let parent = ancestors.last().copied();
        // The condition and the result are evaluated before it leaves.
        let is_left =
            self.left.is_some() && !matches!(parent, Some(Part::Exit(_) | Part::Return(_)));
        let certain = self.path.last().is_none_or(|parent| *parent)
            && !is_left
            && parent.is_none_or(|parent| runs(parent, part));
        self.path.push(certain);
        let leaves = match part {
            _ if part.is_loop() => {
                self.loops.push(depth);
                None
            }
            Part::Exit(exit) if exit.label.is_none() => self.loops.last().copied(),
            // A label may be that of any statement around.
            Part::Exit(_) | Part::Return(_) => Some(0),
            _ => None,
        };
        if let Some(leaves) = leaves {
            self.left = Some(self.left.map_or(leaves, |left| left.min(leaves)));
        }
        certain
    }
}

/// Returns whether a part runs if the one around it does.
fn runs(parent: Part<'_>, part: Part<'_>) -> bool {
    let is = |expr: &Expr| matches!(part, Part::Expr(it) if core::ptr::eq(it, expr));
    match parent {
        // An error before it may be handled, and so may be its own.
        Part::Block(block) => matches!(part, Part::Decl(_)) || block.exceptions.is_none(),
        // The query of a cursor runs when it is opened.
        Part::Decl(decl) => decl.kind != DeclType::Cursor,
        Part::If(it) => is(&it.cond),
        Part::Case(case) => match (&case.t_expr, case.case_when_list.first()) {
            (Some(operand), _) => is(operand),
            (None, first) => first.is_some_and(|first| is(&first.written)),
        },
        Part::Loop(_) => true,
        _ if parent.is_loop() => matches!(part, Part::Expr(_)),
        // A setting turns it off, and its message is for its failure.
        Part::Assert(_) => false,
        _ => true,
    }
}
