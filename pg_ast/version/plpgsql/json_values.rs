//! The values in the JSON of functions in PL/pgSQL: numbers, strings, constants.

use serde_json::Value;

use super::super::super::plpgsql_tree as generated;
use super::super::super::plpgsql_tree::{GetdiagKind, PromiseType, RaiseOptionType};
use super::Dno;
use super::json_fields::{FunctionWriter, Json};
use super::names::{Node, NodeEnum, ParseResult, protobuf};
use crate::ParseMode;

impl Json for Dno {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        (self.index() != 0).then(|| self.index().into())
    }

    fn optional_json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        Some(self.index().into())
    }
}

impl Json for bool {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        self.then_some(Value::Bool(true))
    }
}

impl Json for String {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        Some(self.as_str().into())
    }
}

/// The name of a collation has a string for each part.
impl Json for Node {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        match &self.node {
            Some(NodeEnum::String(string)) => Some(string.sval.as_str().into()),
            _ => None,
        }
    }
}

/// Trees of SQL are not written: `query` is what they were read from.
impl Json for ParseResult {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        None
    }
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Json for $type {
            fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
                (*self != 0).then(|| (*self).into())
            }
        }
    )*};
}
numbers!(i32, i64, u32);

/// Constants that libpg_query writes as numbers: those of C.
macro_rules! constants_by_number {
    ($($type:ty: $number:expr;)*) => {$(
        impl Json for $type {
            fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
                let number: fn(Self) -> i32 = $number;
                Some(number(*self).into())
            }
        }
    )*};
}
constants_by_number! {
    // Protobuf has another constant before the first one.
    protobuf::FetchDirection: |direction| i32::from(direction) - 1;
    RaiseOptionType: |kind| kind as i32;
    ParseMode: |mode| match mode {
        ParseMode::Default => 0,
        ParseMode::TypeName => 1,
        ParseMode::PlPgSqlExpr => 2,
        ParseMode::PlPgSqlAssign1 => 3,
        ParseMode::PlPgSqlAssign2 => 4,
        ParseMode::PlPgSqlAssign3 => 5,
    };
}

/// Constants by PostgreSQL's names.
macro_rules! constants_by_name {
    ($($type:ty: $name:expr;)*) => {$(
        impl Json for $type {
            fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
                let name: fn(Self) -> &'static str = $name;
                Some(name(*self).into())
            }
        }
    )*};
}
constants_by_name! {
    protobuf::FunctionParameterMode: |mode| mode.as_str_name();
    generated::DeclType: |kind| kind.name();
    generated::ResolveOption: |option| option.name();
    generated::Trigtype: |kind| kind.name();
    generated::TypeKind: |kind| kind.name();
    GetdiagKind: diagnostics_item;
}

impl Json for PromiseType {
    fn json(&self, _: &mut FunctionWriter<'_>) -> Option<Value> {
        (*self != Self::None).then(|| self.name().into())
    }
}

/// Returns the keyword of an item of `GET DIAGNOSTICS`.
#[must_use]
pub fn diagnostics_item(kind: GetdiagKind) -> &'static str {
    match kind.name().trim_start_matches("PLPGSQL_GETDIAG_") {
        "ROUTINE_OID" => "PG_ROUTINE_OID",
        "CONTEXT" => "PG_CONTEXT",
        "ERROR_CONTEXT" => "PG_EXCEPTION_CONTEXT",
        "ERROR_DETAIL" => "PG_EXCEPTION_DETAIL",
        "ERROR_HINT" => "PG_EXCEPTION_HINT",
        "DATATYPE_NAME" => "PG_DATATYPE_NAME",
        name => name,
    }
}
