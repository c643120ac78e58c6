//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.
//!
//! `finder.rs` is the pass over a statement. What is known stands in tables: `statement_rules.rs` has a rule for every type of
//! statement, `alter_rules.rs` for every subcommand of `ALTER TABLE`, `functions/` for PostgreSQL's own functions.

mod alter_costs;
mod alter_rules;
#[cfg(feature = "catalog")]
mod called_routines;
#[cfg(feature = "catalog")]
mod cascaded_tables;
#[cfg(feature = "plpgsql")]
mod certain_parts;
#[cfg(feature = "catalog")]
mod expanded_tables;
mod finder;
mod function_calls;
mod locked_tables;
mod looked_up;
mod losses;
mod privileges_needed;
mod privileges_of_names;
mod privileges_of_rows;
mod privileges_of_servers;
mod privileges_to_alter;
mod privileges_to_create;
#[cfg(feature = "catalog")]
mod privileges_with_catalog;
#[cfg(feature = "catalog")]
mod queried_relations;
#[cfg(feature = "catalog")]
mod row_events;
mod run_bodies;
mod session_changes;
mod statement_rules;
mod statements_about;
#[cfg(feature = "catalog")]
mod with_catalog;

use finder::EffectsFinder;
use pg::view::{Node, RawStmt, Tree};
use pg::{NodeRef, ParseResult, seam};

use super::pg;
#[cfg(feature = "plpgsql")]
use super::pg_plpgsql;
use crate::effects::Effects;
use crate::find_effects::{Sealed, Server};

/// The major version.
const MAJOR: u32 = pg::raw::PG_VERSION_NUM / 10_000;

/// Where a statement runs.
#[derive(Clone, Copy)]
struct StmtContext<'a> {
    /// The major version of the server.
    server: u32,
    /// How many bodies of functions are around the statement.
    #[cfg_attr(not(feature = "plpgsql"), expect(dead_code))]
    depth: usize,
    /// Whether it is in the body of a function that is not volatile.
    #[cfg(feature = "catalog")]
    reads_only: bool,
    /// What is known of the database.
    #[cfg(feature = "catalog")]
    known: Option<with_catalog::KnownCatalog<'a>>,
    #[cfg(not(feature = "catalog"))]
    known: core::marker::PhantomData<&'a ()>,
}

impl StmtContext<'_> {
    /// The same without a catalog.
    fn by_text(self) -> Self {
        #[cfg(feature = "catalog")]
        return Self { known: None, ..self };
        #[cfg(not(feature = "catalog"))]
        self
    }

    /// Calls a function with the setting of a statement that is in no body.
    fn of_stmt<R>(on: Server<'_>, f: impl FnOnce(StmtContext<'_>) -> R) -> R {
        let server = on.major.unwrap_or(MAJOR);
        #[cfg(feature = "catalog")]
        {
            let done = core::cell::RefCell::default();
            let known =
                on.catalog.map(|catalog| with_catalog::KnownCatalog { catalog, done: &done });
            f(StmtContext { server, depth: 0, reads_only: false, known })
        }
        #[cfg(not(feature = "catalog"))]
        f(StmtContext { server, depth: 0, known: on.catalog })
    }
}

fn effects_of(stmt: Node<'_>, setting: StmtContext<'_>) -> Effects {
    EffectsFinder::new(setting).find(stmt)
}

/// Returns whether a subcommand of `ALTER TABLE` has a rule.
pub(crate) fn has_alter_rule(subtype: &str) -> bool {
    alter_rules::alter_rule(subtype).is_some()
}

impl Sealed for ParseResult {
    type Found = Vec<Effects>;

    fn find(&self, on: Server<'_>) -> Vec<Effects> {
        seam::read(self, |stmts| stmts.iter().map(|stmt| stmt.find(on)).collect())
    }
}

impl Sealed for Tree {
    type Found = Vec<Effects>;

    fn find(&self, on: Server<'_>) -> Vec<Effects> {
        self.stmts().map(|stmt| stmt.find(on)).collect()
    }
}

impl Sealed for RawStmt<'_> {
    type Found = Effects;

    fn find(&self, on: Server<'_>) -> Effects {
        Node::from(*self).find(on)
    }
}

impl Sealed for Node<'_> {
    type Found = Effects;

    fn find(&self, on: Server<'_>) -> Effects {
        StmtContext::of_stmt(on, |setting| effects_of(*self, setting))
    }
}

#[cfg(feature = "plpgsql")]
impl Sealed for pg::plpgsql::Function {
    type Found = Effects;

    fn find(&self, on: Server<'_>) -> Effects {
        StmtContext::of_stmt(on, |setting| {
            let mut finder = EffectsFinder::new(setting);
            finder.of_function(self);
            finder.finish()
        })
    }
}

impl Sealed for NodeRef<'_> {
    type Found = Effects;

    fn find(&self, on: Server<'_>) -> Effects {
        seam::read_node(*self, |node| node.find(on))
    }
}
