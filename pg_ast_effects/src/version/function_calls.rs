//! What the functions do that a statement calls.

use super::finder::EffectsFinder;
use super::pg::view::{FuncCall, Node};
use crate::functions::{FunctionEffect, FunctionsOfName, functions_of_name};
use crate::{Answer, FunctionCalled, SessionEffect, TransactionEffect, UnknownSql, Volatility};
use pg_ast::QualifiedName;

/// Returns the name of the function that a call is of, if it is PostgreSQL's own, and what the catalog says of it.
pub(super) fn called(call: FuncCall<'_>, server: u32) -> Option<(&str, FunctionsOfName)> {
    let mut names = call.names().rev();
    let name = names.next()?;
    if names.next().is_some_and(|schema| schema != "pg_catalog") {
        return None;
    }
    Some((name, functions_of_name(name, server)?))
}

impl<'a> EffectsFinder<'a> {
    pub(super) fn function(&mut self, call: FuncCall<'a>) {
        self.call_needs(call);
        self.of_sequence(call);
        let full = call.funcname().qualified_name();
        let Some((name, builtin)) = called(call, self.server) else {
            #[cfg(feature = "catalog")]
            if self.known_function(call, &full) {
                return;
            }
            return self.unknown_function(full);
        };
        #[cfg(feature = "catalog")]
        if super::privileges_of_names::is_of_sequence(name) {
            self.known_sequence(call);
        }
        let effect = FunctionEffect::of(name).unwrap_or(match builtin.volatility {
            Volatility::Volatile => FunctionEffect::Sql,
            _ => FunctionEffect::Nothing,
        });
        let before = core::mem::take(&mut self.effects.writes);
        self.builtin(call, effect);
        let writes = core::mem::replace(&mut self.effects.writes, before);
        self.effects.writes = before.max(writes);
        self.effects.functions.push(FunctionCalled {
            name: full,
            volatility: builtin.volatility,
            parallel_safe: builtin.parallel_safe,
            is_strict: builtin.is_strict,
            writes,
            is_builtin: true,
        });
    }

    pub(super) fn unknown_function(&mut self, name: QualifiedName) {
        self.unknown(UnknownSql::Function(name.clone()));
        self.effects.functions.push(FunctionCalled {
            name,
            volatility: Volatility::Volatile,
            parallel_safe: Answer::No,
            is_strict: false,
            writes: Answer::Maybe,
            is_builtin: false,
        });
    }

    /// Notes that the statement runs SQL which is not in its text.
    pub(super) fn unknown(&mut self, sql: UnknownSql) {
        self.writes(Answer::Maybe, Answer::Maybe, Answer::Maybe);
        self.effects.session.push(SessionEffect::Unknown);
        self.effects.repeatable = self.effects.repeatable.min(Answer::Maybe);
        self.effects.unknown.push(sql);
    }

    fn builtin(&mut self, call: FuncCall<'a>, effect: FunctionEffect) {
        let first = first_text(call).unwrap_or_default();
        let (yes, no) = (Answer::Yes, Answer::No);
        match effect {
            FunctionEffect::Nothing | FunctionEffect::SequenceValue => {}
            FunctionEffect::Rows => self.writes(yes, no, no),
            FunctionEffect::LargeObject => {
                self.writes(yes, Answer::from(self.server < 16), no);
                self.not_again();
            }
            FunctionEffect::Sequence => {
                self.writes(yes, no, no);
                self.effects.session.push(SessionEffect::Sequence);
                self.not_again();
            }
            FunctionEffect::SetSequence => {
                self.writes(yes, no, no);
                self.effects.session.push(SessionEffect::Sequence);
            }
            FunctionEffect::Setting => {
                let name = first.to_owned();
                // What is no constant may be false.
                let is_local = call.args().iter().nth(2).and_then(Node::literal);
                if is_local.is_some_and(|value| is_true(&value)) {
                    self.effects.transaction.push(TransactionEffect::Setting(name));
                } else {
                    self.effects.session.push(SessionEffect::Setting(name));
                }
            }
            FunctionEffect::Seed => self.effects.session.push(SessionEffect::Seed),
            FunctionEffect::AdvisoryLock => self.effects.session.push(SessionEffect::AdvisoryLock),
            FunctionEffect::AdvisoryXactLock => {
                self.effects.transaction.push(TransactionEffect::AdvisoryLock);
            }
            FunctionEffect::Notify => {
                self.writes(no, yes, no);
                self.effects.transaction.push(TransactionEffect::Notify);
            }
            FunctionEffect::Replication => {
                self.effects.session.push(SessionEffect::Replication);
                self.writes(yes, yes, no);
            }
            FunctionEffect::Server => {
                self.writes(yes, yes, Answer::Maybe);
                self.effects.repeatable = self.effects.repeatable.min(Answer::Maybe);
            }
            FunctionEffect::PrimaryChange => {
                self.writes(yes, yes, no);
                self.effects.repeatable = self.effects.repeatable.min(Answer::Maybe);
            }
            FunctionEffect::PrimaryRead | FunctionEffect::TransactionId => self.writes(no, yes, no),
            FunctionEffect::Sql => {
                self.unknown(UnknownSql::Dynamic(call.funcname().qualified_name().plain()));
            }
            FunctionEffect::Cursor => {
                self.unknown(UnknownSql::Cursor(first.to_owned()));
            }
        }
    }

    fn not_again(&mut self) {
        self.effects.repeatable = Answer::No;
    }
}

/// Returns the first argument of a call, if it is a string.
pub(super) fn first_text(call: FuncCall<'_>) -> Option<&str> {
    match call.args().first()?.literal() {
        Some(pg_ast::Literal::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns whether a constant is `true`, as `boolin` reads it.
pub(super) fn is_true(value: &pg_ast::Literal<'_>) -> bool {
    match value {
        pg_ast::Literal::Boolean(value) => *value,
        pg_ast::Literal::String(text) => {
            let text = text.trim().to_ascii_lowercase();
            !text.is_empty()
                && (["true", "yes"].iter().any(|all| all.starts_with(&text))
                    || text == "on"
                    || text == "1")
        }
        _ => false,
    }
}
