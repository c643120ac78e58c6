//! The places in a body before which a comment silences rules.

use core::ops::Range;

use pg_ast::LiteralPlaces;
use pg_ast::plpgsql::Part;

use crate::Finding;
use crate::ignore::{Comments, IgnoredParts};

/// The places in a body that matter for comments.
#[derive(Debug, Default)]
pub(crate) struct BodyPlaces {
    /// The parts for which a comment before them silences rules.
    parts: Vec<Range<usize>>,
    /// Where a comment is in the midst of SQL.
    sql: Vec<Range<usize>>,
}

impl BodyPlaces {
    /// Adds a part of a function in PL/pgSQL.
    pub(crate) fn add(&mut self, part: Part<'_>, place: Range<usize>) {
        let has_stmts = matches!(
            part,
            Part::Block(_)
                | Part::If(_)
                | Part::Case(_)
                | Part::Loop(_)
                | Part::While(_)
                | Part::Fori(_)
                | Part::Fors(_)
                | Part::Forc(_)
                | Part::ForeachA(_)
                | Part::Dynfors(_)
                | Part::Exception(_)
        );
        if has_stmts || part.is_stmt() || matches!(part, Part::Decl(_)) {
            self.parts.push(place.clone());
        }
        if !has_stmts {
            self.sql.push(place);
        }
    }

    /// Adds a statement in SQL.
    pub(crate) fn add_stmt(&mut self, place: Range<usize>) {
        self.parts.push(place.clone());
        self.sql.push(place);
    }

    /// Reads the comments of a body.
    pub(crate) fn read(
        mut self,
        comments: &mut Comments,
        script: &str,
        body: &LiteralPlaces,
        found: &mut Vec<Finding>,
    ) -> IgnoredParts {
        self.parts.sort_by_key(|place| place.start);
        self.sql.sort_by_key(|place| place.start);
        let mut sql = self.sql.iter().peekable();
        let mut ignored = Vec::new();
        // Behind the last part's first token or SQL.
        let mut at = body.content().start;
        for part in self.parts {
            while let Some(place) = sql.next_if(|place| place.start < part.start) {
                at = at.max(place.end);
            }
            if at < part.start {
                let here = comments.of_part(script, at..part.start, body.is_verbatim(), found);
                at = part.start;
                ignored.push((part, here));
            }
        }
        IgnoredParts::new(ignored)
    }
}
