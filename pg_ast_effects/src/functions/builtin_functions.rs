//! PostgreSQL's own functions: what holds for all that one name means.

use pg_ast_catalog::{BuiltinFunction, BuiltinObjects, ParallelSafety, Volatility, builtin};

use crate::effects::Answer;

/// What holds for all functions of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FunctionsOfName {
    pub(crate) volatility: Volatility,
    pub(crate) parallel_safe: Answer,
    pub(crate) is_strict: bool,
    /// Whether everybody may execute each of them.
    pub(crate) is_public: bool,
}

/// Returns what holds for the functions of a name; `None` if PostgreSQL has none itself that SQL can call.
pub(crate) fn functions_of_name(name: &str, server: u32) -> Option<FunctionsOfName> {
    let functions = builtin(server)?.functions("pg_catalog", name);
    let found = functions.iter().filter(|function| function.is_callable());
    found.map(FunctionsOfName::of).reduce(FunctionsOfName::and)
}

/// Returns whether PostgreSQL itself has a function of a name for triggers.
#[cfg(feature = "catalog")]
pub(crate) fn is_builtin_trigger(name: &str, server: u32) -> bool {
    let functions = builtin(server).map_or(&[][..], |it| it.functions("pg_catalog", name));
    functions.iter().any(BuiltinFunction::is_trigger)
}

impl FunctionsOfName {
    fn of(function: &BuiltinFunction) -> Self {
        Self {
            volatility: function.volatility,
            parallel_safe: match function.parallel {
                ParallelSafety::Safe => Answer::Yes,
                ParallelSafety::Restricted => Answer::Maybe,
                ParallelSafety::Unsafe => Answer::No,
            },
            is_strict: function.is_strict,
            is_public: function.is_public,
        }
    }

    /// Which of two functions is called depends on types, so what holds is what holds for both.
    fn and(self, other: Self) -> Self {
        Self {
            volatility: self.volatility.max(other.volatility),
            parallel_safe: self.parallel_safe.min(other.parallel_safe),
            is_strict: self.is_strict && other.is_strict,
            is_public: self.is_public && other.is_public,
        }
    }
}

/// Returns the functions that are volatile in a version and have no entry in `function_rules.rs`.
#[must_use]
pub fn functions_without_effect() -> Vec<&'static str> {
    let versions = pg_ast::Version::ALL.iter().filter_map(|version| builtin(version.major()));
    let functions = versions.flat_map(BuiltinObjects::all_functions);
    let is_volatile = |function: &&BuiltinFunction| {
        function.volatility == Volatility::Volatile
            && function.schema == "pg_catalog"
            && function.is_callable()
    };
    let names = functions.filter(is_volatile).map(|function| function.name);
    names.filter(|name| super::FunctionEffect::of(name).is_none()).collect()
}
