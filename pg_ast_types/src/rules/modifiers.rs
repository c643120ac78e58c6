//! How types are written, with their lengths and precisions; and what of these is written means.

use core::fmt::{self, Formatter};

use pg_ast_catalog::format_type;

use crate::stmt_types::SqlType;

/// What PostgreSQL adds to lengths: `VARHDRSZ`.
const HEADER: i32 = 4;

/// The longest `varchar`: `MaxAttrSize` of `htup_details.h`.
const MAX_LENGTH: i32 = 10 * 1024 * 1024;

/// The longest `bit`: as many bits as `MaxAttrSize` has.
const MAX_BITS: i32 = MAX_LENGTH * 8;

/// The fields of an interval that are all of them: `INTERVAL_FULL_RANGE` of `timestamp.h`.
const ALL_FIELDS: i32 = 0x7FFF;

/// The precision that is none: `INTERVAL_FULL_PRECISION`.
const FULL_PRECISION: i32 = 0xFFFF;

/// The digits of seconds that there are at most: `MAX_TIMESTAMP_PRECISION` and its like.
const MAX_PRECISION: i32 = 6;

/// Writes a type, as `format_type_with_typemod` of PostgreSQL's `format_type.c` does: without a length, it is `bpchar`, since
/// `character` is `character(1)`.
pub(crate) fn write_type(f: &mut Formatter<'_>, of: &SqlType) -> fmt::Result {
    let is_builtin = of.name.schema.as_deref().is_none_or(|schema| schema == "pg_catalog");
    if is_builtin {
        write_builtin(f, &of.name.name, of.modifier)?;
    } else {
        write!(f, "{}", of.name)?;
        if of.modifier >= 0 {
            write!(f, "({})", of.modifier)?;
        }
    }
    if of.is_array { f.write_str("[]") } else { Ok(()) }
}

fn write_builtin(f: &mut Formatter<'_>, name: &str, modifier: i32) -> fmt::Result {
    match name {
        "time" | "timestamp" => write_time(f, name, modifier, " without time zone"),
        "timetz" | "timestamptz" => {
            write_time(f, name.trim_end_matches("tz"), modifier, " with time zone")
        }
        "bpchar" | "bit" if modifier < 0 => {
            f.write_str(if name == "bit" { "\"bit\"" } else { name })
        }
        _ => {
            f.write_str(&format_type(name))?;
            write_modifier(f, name, modifier)
        }
    }
}

/// Writes what the function of a type for this does: `typmodout` of `pg_type`.
fn write_modifier(f: &mut Formatter<'_>, name: &str, modifier: i32) -> fmt::Result {
    if modifier < 0 {
        return Ok(());
    }
    match name {
        "bpchar" | "varchar" if modifier <= HEADER => Ok(()),
        "bpchar" | "varchar" => write!(f, "({})", modifier - HEADER),
        "numeric" if modifier < HEADER => Ok(()),
        "numeric" => {
            let (precision, scale) = precision_and_scale(modifier);
            write!(f, "({precision},{scale})")
        }
        "interval" => write_interval(f, modifier),
        _ => write!(f, "({modifier})"),
    }
}

/// Returns what a modifier of `numeric` says, as `numeric_typmod_precision` and `numeric_typmod_scale` of `numeric.c` do: the scale
/// has eleven bits with a sign.
fn precision_and_scale(modifier: i32) -> (i32, i32) {
    let packed = modifier - HEADER;
    ((packed >> 16) & 0xFFFF, ((packed & 0x7FF) ^ 0x400) - 0x400)
}

/// Writes the precision between the words of a type: `time(3) with time zone`.
fn write_time(f: &mut Formatter<'_>, name: &str, modifier: i32, zone: &str) -> fmt::Result {
    f.write_str(name)?;
    if modifier >= 0 {
        write!(f, "({modifier})")?;
    }
    f.write_str(zone)
}

/// The fields of an interval that can be written, by their bits: `INTERVAL_MASK` of `timestamp.h`.
const FIELDS: &[(i32, &str)] = &[
    (YEAR, " year"),
    (MONTH, " month"),
    (DAY, " day"),
    (HOUR, " hour"),
    (MINUTE, " minute"),
    (SECOND, " second"),
    (YEAR | MONTH, " year to month"),
    (DAY | HOUR, " day to hour"),
    (DAY | HOUR | MINUTE, " day to minute"),
    (DAY | HOUR | MINUTE | SECOND, " day to second"),
    (HOUR | MINUTE, " hour to minute"),
    (HOUR | MINUTE | SECOND, " hour to second"),
    (MINUTE | SECOND, " minute to second"),
    (ALL_FIELDS, ""),
];

const MONTH: i32 = 1 << 1;
const YEAR: i32 = 1 << 2;
const DAY: i32 = 1 << 3;
const HOUR: i32 = 1 << 10;
const MINUTE: i32 = 1 << 11;
const SECOND: i32 = 1 << 12;

/// Writes the fields and the precision of an interval, as `intervaltypmodout` of `timestamp.c` does.
fn write_interval(f: &mut Formatter<'_>, modifier: i32) -> fmt::Result {
    let (fields, precision) = ((modifier >> 16) & ALL_FIELDS, modifier & FULL_PRECISION);
    let written = FIELDS.iter().find(|(bits, _)| *bits == fields);
    f.write_str(written.map_or("", |(_, words)| words))?;
    if precision == FULL_PRECISION { Ok(()) } else { write!(f, "({precision})") }
}

/// Returns what is written between the parentheses of a type of `pg_catalog`, as `atttypmod` has it: -1 if nothing is. `None` for
/// what no server takes, and for types of which nobody knows how they read it.
///
/// It does what the functions of `typmodin` of `pg_type` do. The words around a type are in the list, as the grammar puts them
/// there: the one bit of `bit`, and the fields of an interval before its precision.
pub(crate) fn modifier_of(type_name: &str, modifiers: &[&str]) -> Option<i32> {
    if modifiers.is_empty() {
        return Some(-1);
    }
    let numbers: Option<Vec<i32>> = modifiers.iter().map(|it| it.parse().ok()).collect();
    match (type_name, numbers?.as_slice()) {
        ("bpchar" | "varchar", [length]) if (1..=MAX_LENGTH).contains(length) => {
            Some(length + HEADER)
        }
        ("bit" | "varbit", [length]) if (1..=MAX_BITS).contains(length) => Some(*length),
        ("numeric", [precision]) => numeric_modifier(*precision, 0),
        ("numeric", [precision, scale]) => numeric_modifier(*precision, *scale),
        // More digits are a warning.
        ("time" | "timetz" | "timestamp" | "timestamptz", [precision]) if *precision >= 0 => {
            Some((*precision).min(MAX_PRECISION))
        }
        ("interval", [ALL_FIELDS]) => Some(-1),
        ("interval", [fields]) => interval_modifier(*fields, FULL_PRECISION),
        ("interval", [fields, precision]) if *precision >= 0 => {
            interval_modifier(*fields, (*precision).min(MAX_PRECISION))
        }
        _ => None,
    }
}

/// Returns what [`modifier_of`] reads as a modifier.
pub(crate) fn written(type_name: &str, modifier: i32) -> Vec<String> {
    let numbers = match type_name {
        _ if modifier < 0 => Vec::new(),
        "bpchar" | "varchar" => vec![modifier - HEADER],
        "numeric" => {
            let (precision, scale) = precision_and_scale(modifier);
            vec![precision, scale]
        }
        "interval" if modifier & FULL_PRECISION == FULL_PRECISION => vec![modifier >> 16],
        "interval" => vec![modifier >> 16, modifier & FULL_PRECISION],
        _ => vec![modifier],
    };
    numbers.iter().map(i32::to_string).collect()
}

/// Packs a precision and a scale, as `make_numeric_typmod` of `numeric.c` does.
fn numeric_modifier(precision: i32, scale: i32) -> Option<i32> {
    let is_valid = (1..=1000).contains(&precision) && (-1000..=1000).contains(&scale);
    is_valid.then_some(((precision << 16) | (scale & 0x7FF)) + HEADER)
}

/// Packs fields and a precision: `INTERVAL_TYPMOD` of `timestamp.h`.
fn interval_modifier(fields: i32, precision: i32) -> Option<i32> {
    let is_valid = FIELDS.iter().any(|(bits, _)| *bits == fields);
    is_valid.then_some((fields << 16) | precision)
}
