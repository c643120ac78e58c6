//! The deparser: statements that it refuses, or whose meaning it changes.

use std::ops::RangeInclusive;

use super::Mend;

/// One change of the deparser, in the words that occur once in a function.
const fn mend(
    versions: RangeInclusive<u32>,
    function: &'static str,
    find: &'static str,
    replace: &'static str,
    why: &'static str,
) -> Mend {
    Mend { file: "src/postgres_deparse.c", versions, function, find, count: 1, replace, why }
}

pub(super) const MENDS: &[Mend] = &[
    mend(
        17..=18,
        "deparseCreateStmt",
        "quote_identifier(create_stmt->accessMethod));",
        "quote_identifier(create_stmt->accessMethod)); deparseAppendStringInfoChar(state, ' ');",
        "no blank between USING heap and TABLESPACE",
    ),
    mend(
        15..=16,
        "deparseCreateStmt",
        "quote_identifier(create_stmt->accessMethod));",
        "quote_identifier(create_stmt->accessMethod)); appendStringInfoChar(str, ' ');",
        "no blank between USING heap and TABLESPACE",
    ),
];
