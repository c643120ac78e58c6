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

/// The functions of PostgreSQL 15, each with a line, in the order of their bytes; see `codegen/functions/pg_proc.sql`.
static PG_PROC: &str = include_str!("pg_proc.txt");

/// Functions that came after PostgreSQL 15, with the codes of `pg_proc.txt`: from the release notes, and from
/// `pg_proc.dat` of each version.
static NEWER: &[(&str, &str)] = &[
    ("any_value", "ist"),
    ("array_reverse", "ist"),
    ("array_sample", "vst"),
    ("array_shuffle", "vst"),
    ("array_sort", "ist"),
    ("casefold", "ist"),
    ("crc32", "ist"),
    ("crc32c", "ist"),
    ("date_add", "sst"),
    ("date_subtract", "sst"),
    ("erf", "ist"),
    ("erfc", "ist"),
    ("gamma", "ist"),
    ("has_largeobject_privilege", "sst"),
    ("icu_unicode_version", "ist"),
    ("json_agg_strict", "ssf"),
    ("json_object_agg_strict", "ssf"),
    ("json_object_agg_unique", "ssf"),
    ("json_object_agg_unique_strict", "ssf"),
    ("jsonb_agg_strict", "ssf"),
    ("jsonb_object_agg_strict", "ssf"),
    ("jsonb_object_agg_unique", "ssf"),
    ("jsonb_object_agg_unique_strict", "ssf"),
    ("lgamma", "ist"),
    ("pg_available_wal_summaries", "vstx"),
    ("pg_basetype", "sst"),
    ("pg_clear_attribute_stats", "vut"),
    ("pg_clear_relation_stats", "vut"),
    ("pg_column_toast_chunk_id", "sst"),
    ("pg_get_acl", "sst"),
    ("pg_get_wait_events", "sst"),
    ("pg_input_error_info", "sst"),
    ("pg_input_is_valid", "sst"),
    ("pg_log_standby_snapshot", "vstx"),
    ("pg_numa_available", "vst"),
    ("pg_restore_attribute_stats", "vuf"),
    ("pg_restore_relation_stats", "vuf"),
    ("pg_split_walfile_name", "ist"),
    ("pg_stat_get_backend_io", "vrt"),
    ("pg_stat_get_io", "vrt"),
    ("pg_stat_reset_backend_stats", "vstx"),
    ("pg_sync_replication_slots", "vst"),
    ("random_normal", "vrt"),
    ("system_user", "sst"),
    ("to_bin", "ist"),
    ("to_oct", "ist"),
    ("to_regtypemod", "sst"),
    ("unicode_assigned", "ist"),
    ("unicode_version", "ist"),
    ("uuid_extract_timestamp", "ist"),
    ("uuid_extract_version", "ist"),
    ("uuidv4", "vst"),
    ("uuidv7", "vst"),
    ("xmltext", "ist"),
];

/// Returns what the catalog says of a function; `None` if it is not PostgreSQL's own.
pub(crate) fn builtin_function(name: &str) -> Option<BuiltinFunction> {
    let codes = in_catalog(name).or_else(|| {
        let index = NEWER.binary_search_by_key(&name, |(name, _)| name).ok()?;
        NEWER.get(index).map(|(_, codes)| *codes)
    })?;
    let mut codes = codes.bytes();
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

/// Returns the names of PostgreSQL's own functions.
#[must_use]
pub fn builtin_names() -> Vec<&'static str> {
    let of_catalog = PG_PROC.lines().filter(|line| !line.starts_with('#'));
    let of_catalog = of_catalog.filter_map(|line| Some(line.split_once(' ')?.0));
    of_catalog.chain(NEWER.iter().map(|(name, _)| *name)).collect()
}

/// Returns the volatile functions without an entry in `function_rules.rs`.
#[must_use]
pub fn functions_without_effect() -> Vec<&'static str> {
    let is_volatile = |name: &&str| {
        builtin_function(name).is_some_and(|found| found.volatility == Volatility::Volatile)
    };
    let mut names = builtin_names();
    names.retain(|name| is_volatile(name) && super::FunctionEffect::of(name).is_none());
    names
}
