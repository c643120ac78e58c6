//! What statements do to a server: what they write, lock, rewrite, change in the session, lose and need.
//!
//! `finder.rs` is the pass over a statement. What is known stands in tables: `statement_rules.rs` has a rule for every type of
//! statement, `alter_rules.rs` for every subcommand of `ALTER TABLE`, `types/effects/` for PostgreSQL's own functions.

mod alter_costs;
mod alter_rules;
#[cfg(feature = "plpgsql")]
mod certain_parts;
mod finder;
mod function_calls;
mod locked_tables;
mod losses;
mod privileges_needed;
mod run_bodies;
mod session_changes;
mod statement_rules;
mod statements_about;

#[cfg(feature = "plpgsql")]
use super::plpgsql;
use super::{facts, names, view};
use finder::EffectsFinder;
use names::{MAJOR, NodeRef, ParseResult, protobuf};
use view::{Node, RawStmt, Tree};

use crate::types::effects::Effects;
use crate::types::error::Error;

fn effects_of(stmt: Node<'_>, server: u32, depth: usize) -> Effects {
    EffectsFinder::new(server, depth).find(stmt)
}

/// Returns what the statements in SQL do.
pub(crate) fn effects_of_text(sql: &str) -> Result<Vec<Effects>, Error> {
    Ok(view::parse(sql)?.effects())
}

/// Returns whether a subcommand of `ALTER TABLE` has a rule.
#[doc(hidden)]
#[must_use]
pub fn has_alter_rule(subtype: protobuf::AlterTableType) -> bool {
    alter_rules::alter_rule(subtype.as_str_name()).is_some()
}

impl ParseResult {
    /// Returns what each statement does to a server of this version: what it writes, which tables it locks and rewrites, what it
    /// changes in the session, what it can lose, and which privileges it needs.
    ///
    /// See [`Effects`](crate::effects::Effects) for what the text of a statement does not tell.
    ///
    /// ```
    /// use pg_ast::effects::{Answer, LossKind};
    ///
    /// let tree = pg_ast::parse("SELECT * FROM t; WITH d AS (DELETE FROM t RETURNING *) SELECT count(*) FROM d")?;
    /// let [reads, deletes] = &tree.effects()[..] else { panic!() };
    /// assert_eq!((reads.writes, deletes.writes), (Answer::No, Answer::Yes));
    /// assert_eq!(deletes.losses[0].kind, LossKind::AllRows);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects(&self) -> Vec<Effects> {
        self.effects_on(MAJOR)
    }

    /// Does the same for a server of another major version, from 15 on.
    ///
    /// ```
    /// use pg_ast::effects::PrivilegeKind;
    ///
    /// let tree = pg_ast::parse("VACUUM t")?;
    /// let needed = |server| tree.effects_on(server)[0].privileges[0].kind;
    /// assert_eq!((needed(16), needed(17)), (PrivilegeKind::Owner, PrivilegeKind::Maintain));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects_on(&self, server: u32) -> Vec<Effects> {
        self.protobuf.read(|stmts| stmts.iter().map(|stmt| stmt.effects_on(server)).collect())
    }
}

impl Tree {
    /// Returns what each statement does to a server of this version; see [`ParseResult::effects`].
    ///
    /// ```
    /// use pg_ast::effects::SessionEffect;
    ///
    /// let tree = pg_ast::view::parse("SELECT set_config('search_path', 's', false)")?;
    /// assert_eq!(tree.effects()[0].session, [SessionEffect::Setting("search_path".into())]);
    /// assert_eq!(tree.effects(), tree.to_owned_tree()?.effects());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects(&self) -> Vec<Effects> {
        self.effects_on(MAJOR)
    }

    /// Does the same for a server of another major version, from 15 on.
    #[must_use]
    pub fn effects_on(&self, server: u32) -> Vec<Effects> {
        self.stmts().map(|stmt| stmt.effects_on(server)).collect()
    }
}

impl RawStmt<'_> {
    /// Returns what the statement does to a server of this major version; see [`ParseResult::effects`].
    #[must_use]
    pub fn effects_on(self, server: u32) -> Effects {
        Node::from(self).effects_on(server)
    }
}

impl Node<'_> {
    /// Returns what a statement does to a server of this major version; see [`ParseResult::effects`]. For another node, it is
    /// what evaluating it does.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT nextval('s')")?;
    /// let call = tree.nodes().find(|node| node.as_func_call().is_some()).unwrap();
    /// assert!(call.effects_on(18).writes.is_yes());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects_on(self, server: u32) -> Effects {
        effects_of(self, server, 0)
    }
}

impl NodeRef<'_> {
    /// Returns what a statement does to a server of this major version; see [`ParseResult::effects`].
    ///
    /// ```
    /// let tree = pg_ast::parse("TRUNCATE t")?;
    /// let stmt = tree.stmts().next().unwrap();
    /// assert_eq!(stmt.effects_on(18), tree.effects()[0]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects_on(self, server: u32) -> Effects {
        self.read(|node| node.effects_on(server))
    }
}
