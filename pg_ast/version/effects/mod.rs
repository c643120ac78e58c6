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
use crate::types::versions::check_server;

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
        self.protobuf.read(|stmts| stmts.iter().map(|stmt| stmt.effects()).collect())
    }

    /// Returns what each statement does to a server of another major version than the grammar's, one of those that the crate
    /// supports, with or without its feature.
    ///
    /// ```
    /// use pg_ast::effects::PrivilegeKind;
    ///
    /// let tree = pg_ast::parse("VACUUM t")?;
    /// let needed = |server| Ok::<_, pg_ast::Error>(tree.effects_on(server)?[0].privileges[0].kind);
    /// assert_eq!((needed(16)?, needed(17)?), (PrivilegeKind::Owner, PrivilegeKind::Maintain));
    /// assert!(tree.effects_on(17_00_04).is_err());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if `server` is none of these numbers: 15 to 18. What a server
    /// reports as `server_version_num`, such as 170004, is the number of a release.
    pub fn effects_on(&self, server: u32) -> Result<Vec<Effects>, Error> {
        check_server(server)?;
        let of = |stmt: &RawStmt<'_>| effects_of(Node::from(*stmt), server, 0);
        Ok(self.protobuf.read(|stmts| stmts.iter().map(of).collect()))
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
        self.stmts().map(RawStmt::effects).collect()
    }

    /// Returns what each statement does to a server of another major version; see [`ParseResult::effects_on`].
    ///
    /// # Errors
    ///
    /// It is none that the crate supports.
    pub fn effects_on(&self, server: u32) -> Result<Vec<Effects>, Error> {
        check_server(server)?;
        Ok(self.stmts().map(|stmt| effects_of(stmt.into(), server, 0)).collect())
    }
}

impl RawStmt<'_> {
    /// Returns what the statement does to a server of this version; see [`ParseResult::effects`].
    #[must_use]
    pub fn effects(self) -> Effects {
        Node::from(self).effects()
    }

    /// Returns what the statement does to a server of another major version; see [`ParseResult::effects_on`].
    ///
    /// # Errors
    ///
    /// It is none that the crate supports.
    pub fn effects_on(self, server: u32) -> Result<Effects, Error> {
        Node::from(self).effects_on(server)
    }
}

impl Node<'_> {
    /// Returns what a statement does to a server of this version; see [`ParseResult::effects`]. For another node, it is
    /// what evaluating it does.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT nextval('s')")?;
    /// let call = tree.nodes().find(|node| node.as_func_call().is_some()).unwrap();
    /// assert!(call.effects().writes.is_yes());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects(self) -> Effects {
        effects_of(self, MAJOR, 0)
    }

    /// Returns what a statement does to a server of another major version; see [`ParseResult::effects_on`].
    ///
    /// # Errors
    ///
    /// It is none that the crate supports.
    pub fn effects_on(self, server: u32) -> Result<Effects, Error> {
        check_server(server)?;
        Ok(effects_of(self, server, 0))
    }
}

// A path to the method would work for a single lifetime only.
#[allow(clippy::redundant_closure_for_method_calls)]
impl NodeRef<'_> {
    /// Returns what a statement does to a server of this version; see [`ParseResult::effects`]. For another node, it is
    /// what evaluating it does.
    ///
    /// ```
    /// let tree = pg_ast::parse("TRUNCATE t")?;
    /// let stmt = tree.stmts().next().unwrap();
    /// assert_eq!(stmt.effects(), tree.effects()[0]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn effects(self) -> Effects {
        self.read(|node| node.effects())
    }

    /// Returns what a statement does to a server of another major version; see [`ParseResult::effects_on`].
    ///
    /// # Errors
    ///
    /// It is none that the crate supports.
    pub fn effects_on(self, server: u32) -> Result<Effects, Error> {
        self.read(|node| node.effects_on(server))
    }
}
