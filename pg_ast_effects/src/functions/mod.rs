//! PostgreSQL's own functions: what its catalog says of them, and what they change.

pub(crate) mod builtin_functions;
mod function_rules;

pub(crate) use builtin_functions::{BuiltinFunction, Volatility, builtin_function};
pub(crate) use function_rules::FunctionEffect;
