//! PostgreSQL's own functions: what its catalog says of them, and what they change.

pub(crate) mod builtin_functions;
mod function_rules;

#[cfg(feature = "catalog")]
pub(crate) use builtin_functions::is_builtin_trigger;
pub(crate) use builtin_functions::{FunctionsOfName, functions_of_name};
pub(crate) use function_rules::FunctionEffect;
