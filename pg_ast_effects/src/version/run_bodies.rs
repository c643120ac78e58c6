//! What the bodies of `DO` do: in PL/pgSQL with the feature `plpgsql`.

use super::finder::EffectsFinder;
use super::pg::view::{DoStmt, Node};
use crate::UnknownSql;

impl<'a> EffectsFinder<'a> {
    /// Finds what a `DO` does.
    pub(super) fn body(&mut self, stmt: DoStmt<'a>) {
        let Some(body) = Node::DoStmt(stmt).routine_body() else { return };
        let language = body.language.unwrap_or_default();
        self.effects.repeatable = crate::Answer::Maybe;
        let is_read = match body.source {
            Some(source) if language == "plpgsql" => self.of_plpgsql(source),
            _ => false,
        };
        if !is_read {
            self.unknown(UnknownSql::Body(language.to_owned()));
        }
    }

    #[cfg(not(feature = "plpgsql"))]
    #[allow(clippy::unused_self, reason = "as with the feature")]
    fn of_plpgsql(&mut self, _: &str) -> bool {
        false
    }
}

#[cfg(feature = "plpgsql")]
pub(super) mod of_plpgsql {
    use super::super::certain_parts::CertainParts;
    use super::super::finder::EffectsFinder;
    use super::super::pg::ParseResult;
    use super::super::pg::plpgsql::{Function, Part, parse_body};
    use super::super::pg::seam::read;
    use super::super::pg::view::RawStmt;
    use super::super::pg_plpgsql::{SqlSkeleton, dynamic_sql};
    use super::super::{StmtContext, effects_of};
    use crate::{Answer, Effects, TransactionBlock, TransactionEffect, UnknownSql};
    use pg_ast::QualifiedName;

    /// The bodies in bodies that are read: a `DO` can only be in another one as dynamic SQL, as often as its quotes allow.
    pub(crate) const MAX_DEPTH: usize = 8;

    impl EffectsFinder<'_> {
        /// Adds what a body does; returns whether it could be read.
        pub(super) fn of_plpgsql(&mut self, body: &str) -> bool {
            if self.setting.depth >= MAX_DEPTH {
                return false;
            }
            let Ok(function) = parse_body(body, None) else { return false };
            self.of_function(&function);
            true
        }

        /// Adds what a function does when it is called.
        pub(crate) fn of_function(&mut self, function: &Function) {
            let mut dynamic: std::collections::HashMap<_, _> = dynamic_sql(function)
                .into_iter()
                .map(|it| (core::ptr::from_ref(it.expr), it))
                .collect();
            let mut certain_parts = CertainParts::default();
            let mut parts = function.parts();
            while let Some(part) = parts.next() {
                let certain = certain_parts.next(part, parts.ancestors());
                let expr = match part {
                    Part::Expr(expr) => expr,
                    Part::Commit(commit) => {
                        self.outside(ends_transaction(certain));
                        let chain = commit.chain;
                        self.effects.transaction.push(TransactionEffect::Commit { chain });
                        continue;
                    }
                    Part::Rollback(rollback) => {
                        self.outside(ends_transaction(certain));
                        let chain = rollback.chain;
                        self.effects.transaction.push(TransactionEffect::Rollback { chain });
                        continue;
                    }
                    _ => continue,
                };
                parts.skip_children();
                self.of_tree(&expr.tree, certain, None);
                let Some(dynamic) = dynamic.remove(&core::ptr::from_ref(expr)) else { continue };
                let skeleton = dynamic.skeleton();
                match skeleton.parse() {
                    Ok(tree) => self.of_tree(&tree, certain, Some((&skeleton, &expr.query))),
                    Err(_) => self.unknown(UnknownSql::Dynamic(expr.query.clone())),
                }
            }
            self.effects.repeatable = self.effects.repeatable.min(Answer::Maybe);
        }

        /// Adds what a statement of a body does.
        fn include(&mut self, effects: Effects) {
            // With a catalog, these are complete already.
            #[cfg(feature = "catalog")]
            if self.setting.known.is_some() {
                self.inner.add(effects);
                return;
            }
            self.effects.add(effects);
        }

        /// Leaves out what the effects of dynamic SQL have by a name that is computed.
        fn without_computed(&mut self, effects: &mut Effects, skeleton: &SqlSkeleton, sql: &str) {
            let is_known = |name: &QualifiedName| {
                let schema = name.schema.as_deref().unwrap_or_default();
                !skeleton.has_placeholder(&name.name) && !skeleton.has_placeholder(schema)
            };
            let count = |effects: &Effects| {
                effects.tables.len() + effects.privileges.len() + effects.losses.len()
            };
            let before = count(effects);
            effects.tables.retain(|it| is_known(&it.name));
            effects.privileges.retain(|it| it.name.as_ref().is_none_or(is_known));
            effects.losses.retain(|it| it.name.as_ref().is_none_or(is_known));
            if count(effects) < before {
                // What it does is known, but not to what.
                self.effects.unknown.push(UnknownSql::Dynamic(sql.to_owned()));
            }
        }

        fn of_tree(
            &mut self,
            tree: &ParseResult,
            certain: bool,
            dynamic: Option<(&SqlSkeleton, &str)>,
        ) {
            let setting = StmtContext { depth: self.setting.depth + 1, ..self.setting };
            let of = |stmt: &RawStmt<'_>| effects_of((*stmt).into(), setting);
            #[cfg(feature = "catalog")]
            let is_run = |stmt: &&RawStmt<'_>| {
                !super::super::called_routines::refused((**stmt).into(), setting)
            };
            #[cfg(not(feature = "catalog"))]
            let is_run = |_: &&RawStmt<'_>| true;
            let effects: Vec<_> = read(tree, |stmts| stmts.iter().filter(is_run).map(of).collect());
            self.has_bodies = true;
            for mut effects in effects {
                if let Some((skeleton, sql)) = dynamic {
                    self.without_computed(&mut effects, skeleton, sql);
                }
                if !certain {
                    effects.may_run();
                }
                // What must be in a block is in the transaction of the statement that runs it.
                if effects.block >= TransactionBlock::MaybeOutside {
                    self.outside(effects.block);
                }
                self.include(effects);
            }
        }
    }

    fn ends_transaction(certain: bool) -> TransactionBlock {
        if certain { TransactionBlock::Outside } else { TransactionBlock::MaybeOutside }
    }
}
