//! How far a pass goes. Each method is a question to which libpg_query's summary (`pg_query_summary.c`) has an answer of its
//! own. Which parts of a statement the summary looks at is a table: `SUMMARIES` in `codegen/statement_rules.rs`.

use super::statement::Stmt;
use super::view::Node;
use crate::convert::roles::Role;

/// How far a pass goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything.
    All,
    /// What libpg_query's summary looks at: of a utility statement only a few parts.
    Summary,
}

impl Scope {
    /// Whether the condition of a query filters. libpg_query keeps the columns of a `SELECT` alone.
    pub(crate) fn filters_in_query(self, query: Node<'_>) -> bool {
        self == Self::All
            || Stmt::new(query).is_some_and(|stmt| stmt.rules.is_in_summary(Role::Condition))
    }

    /// Whether conditions filter that are no query's own: those of `ON CONFLICT`, of a `WHEN` of `MERGE`, of utility
    /// statements. libpg_query keeps no column of these.
    pub(crate) fn filters_elsewhere(self) -> bool {
        self == Self::All
    }

    /// Whether a name that a `WITH` defines can have an alias. libpg_query keeps the alias of whatever stands in a `FROM`,
    /// and then looks whether that is a table.
    pub(crate) fn keeps_aliases_of_ctes(self) -> bool {
        self == Self::Summary
    }

    /// Whether all of a utility statement is gone through. libpg_query has a list of statements, and of each a list of parts.
    pub(crate) fn is_whole_utility(self) -> bool {
        self == Self::All
    }

    /// Whether the relations among a statement's objects are to be noted with these. libpg_query does not go through the
    /// statement's children, where they are met otherwise.
    pub(crate) fn meets_relations_as_objects(self) -> bool {
        self == Self::Summary
    }

    /// Whether the new name of a table or function counts, of which there is none yet. libpg_query has it, that of a function
    /// without a schema.
    pub(crate) fn has_new_names(self) -> bool {
        self == Self::Summary
    }
}
