//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.
//!
//! `finder.rs` is the pass over a statement. What is known stands in tables: `statement_rules.rs` has a rule for every type of
//! statement, `alter_rules.rs` for every subcommand of `ALTER TABLE`, `functions/` for PostgreSQL's own functions.

mod alter_costs;
mod alter_rules;
#[cfg(feature = "plpgsql")]
mod certain_parts;
mod finder;
mod function_calls;
mod locked_tables;
mod losses;
mod privileges_needed;
mod privileges_of_names;
mod privileges_of_rows;
mod privileges_of_servers;
mod privileges_to_alter;
mod privileges_to_create;
mod run_bodies;
mod session_changes;
mod statement_rules;
mod statements_about;

use finder::EffectsFinder;
use pg::view::{Node, RawStmt, Tree};
use pg::{NodeRef, ParseResult, seam};

use super::pg;
#[cfg(feature = "plpgsql")]
use super::pg_plpgsql;
use crate::effects::Effects;
use crate::find_effects::Sealed;

/// The major version.
const MAJOR: u32 = pg::raw::PG_VERSION_NUM / 10_000;

fn effects_of(stmt: Node<'_>, server: u32, depth: usize) -> Effects {
    EffectsFinder::new(server, depth).find(stmt)
}

/// Returns whether a subcommand of `ALTER TABLE` has a rule.
pub(crate) fn has_alter_rule(subtype: &str) -> bool {
    alter_rules::alter_rule(subtype).is_some()
}

impl Sealed for ParseResult {
    type Found = Vec<Effects>;

    fn find(&self, server: Option<u32>) -> Vec<Effects> {
        seam::read(self, |stmts| stmts.iter().map(|stmt| stmt.find(server)).collect())
    }
}

impl Sealed for Tree {
    type Found = Vec<Effects>;

    fn find(&self, server: Option<u32>) -> Vec<Effects> {
        self.stmts().map(|stmt| stmt.find(server)).collect()
    }
}

impl Sealed for RawStmt<'_> {
    type Found = Effects;

    fn find(&self, server: Option<u32>) -> Effects {
        Node::from(*self).find(server)
    }
}

impl Sealed for Node<'_> {
    type Found = Effects;

    fn find(&self, server: Option<u32>) -> Effects {
        effects_of(*self, server.unwrap_or(MAJOR), 0)
    }
}

#[cfg(feature = "plpgsql")]
impl Sealed for pg::plpgsql::Function {
    type Found = Effects;

    fn find(&self, server: Option<u32>) -> Effects {
        let mut finder = EffectsFinder::new(server.unwrap_or(MAJOR), 0);
        finder.of_function(self);
        finder.finish()
    }
}

impl Sealed for NodeRef<'_> {
    type Found = Effects;

    fn find(&self, server: Option<u32>) -> Effects {
        seam::read_node(*self, |node| node.find(server))
    }
}
