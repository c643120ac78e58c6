//! PostgreSQL's own functions: what its catalog says of them.

use crate::effects::Answer;

/// How the result of a function depends on its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Volatility {
    /// On them alone.
    Immutable,
    /// On the database and settings as well; it is the same for all rows of a statement.
    Stable,
    /// It may be another one each time, and the function may change something.
    Volatile,
}

/// What the catalog says of a function. Of overloaded functions, it is what holds for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BuiltinFunction {
    pub(crate) volatility: Volatility,
    pub(crate) parallel_safe: Answer,
    pub(crate) is_strict: bool,
    /// Whether everybody may execute it.
    pub(crate) is_public: bool,
}

/// The functions of all versions, each with a line, in the order of their bytes: a name, its codes in the first version, and
/// where they change the number of the version with the codes since then, `-` without the function. The codes are volatility
/// (`i`, `s`, `v`), parallel safety (`s`, `r`, `u`), whether it is strict (`t`, `f`), and `x` if not everybody may execute it; see
/// `codegen/functions/pg_proc.sql`.
static PG_PROC: &str = include_str!("pg_proc.txt");

/// Returns what the catalog of a version says of a function; `None` if it is not PostgreSQL's own.
pub(crate) fn builtin_function(name: &str, server: u32) -> Option<BuiltinFunction> {
    in_version(in_catalog(name)?, server)
}

/// Returns the codes that a function has in a version; `None` if it is not there.
fn codes_in(codes: &str, server: u32) -> Option<&str> {
    let mut last = None;
    for codes in codes.split(' ') {
        let number = codes.bytes().take_while(u8::is_ascii_digit).count();
        let (number, codes) = codes.split_at(number);
        // The codes of the first version have no number.
        if number.parse().is_ok_and(|since: u32| since > server) {
            break;
        }
        last = Some(codes);
    }
    last.filter(|codes| *codes != "-")
}

/// Returns what the codes of a function mean for a version.
fn in_version(codes: &str, server: u32) -> Option<BuiltinFunction> {
    let mut codes = codes_in(codes, server)?.bytes();
    let volatility = match codes.next()? {
        b'i' => Volatility::Immutable,
        b's' => Volatility::Stable,
        _ => Volatility::Volatile,
    };
    let parallel_safe = match codes.next()? {
        b's' => Answer::Yes,
        b'r' => Answer::Maybe,
        _ => Answer::No,
    };
    let is_strict = codes.next()? == b't';
    Some(BuiltinFunction {
        volatility,
        parallel_safe,
        is_strict,
        is_public: codes.next().is_none(),
    })
}

/// Returns the codes of a function, by a binary search for its line.
fn in_catalog(name: &str) -> Option<&'static str> {
    let mut rest = PG_PROC;
    while !rest.is_empty() {
        let middle = rest.len() / 2;
        // All of the text is ASCII.
        let start = rest.as_bytes()[..middle].iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |newline| newline + 1);
        let end = rest.as_bytes()[start..].iter().position(|byte| *byte == b'\n');
        let end = end.map_or(rest.len(), |length| start + length);
        let (found, codes) = rest.get(start..end)?.split_once(' ').unwrap_or_default();
        rest = match found.cmp(name) {
            core::cmp::Ordering::Equal => return Some(codes),
            core::cmp::Ordering::Less => rest.get(end + 1..).unwrap_or_default(),
            core::cmp::Ordering::Greater => &rest[..start],
        };
    }
    None
}

/// Returns the lines of the table: a name, and its codes in all versions.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = PG_PROC.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
}

/// Returns PostgreSQL's own functions in a version, each with its codes.
#[must_use]
pub fn builtin_functions(server: u32) -> Vec<(&'static str, &'static str)> {
    lines().filter_map(|(name, codes)| Some((name, codes_in(codes, server)?))).collect()
}

/// Returns the functions that are volatile in a version and have no entry in `function_rules.rs`.
#[must_use]
pub fn functions_without_effect() -> Vec<&'static str> {
    let is_volatile = |codes: &str| {
        let mut versions = pg_ast::Version::ALL.iter().map(|version| version.major());
        versions.any(|server| {
            let found = in_version(codes, server);
            found.is_some_and(|found| found.volatility == Volatility::Volatile)
        })
    };
    let functions = lines().filter(|(_, codes)| is_volatile(codes)).map(|(name, _)| name);
    functions.filter(|name| super::FunctionEffect::of(name).is_none()).collect()
}
