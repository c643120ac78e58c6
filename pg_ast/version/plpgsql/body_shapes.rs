//! Type shapes of PL/pgSQL: what its C structs are read as.
//!
//! Compiled once per version, against that version's `raw`.

use core::ptr;

use super::super::super::plpgsql_tree::{
    self, Condition, DataType, Datum, Expr, Stmt, StmtBlock, each_datum, each_stmt, each_struct,
};
use super::names::raw::{self, PLpgSQL_datum_type, PLpgSQL_stmt_type};
use super::names::{Node, ParseResult, protobuf};
use super::tree::teardown::Levels;
use super::{Dno, Target};
use crate::ParseMode;
use crate::convert::internal::Internal;
use crate::convert::lists::RawList;
use crate::convert::{FromNode, FromRaw, FromRawContext, Pointee, Tagged};

macro_rules! tagged {
    ($node:ident $tags:ident: $($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {$(
        // SAFETY:
        // - plpgsql.h says which struct has which tag, by its name; each begins with the fields of the header, of
        //   which the tag is the first. The compiler of PL/pgSQL makes no other.
        // - bindgen's structs consist of numbers, pointers, enums as newtypes, and such structs.
        unsafe impl Tagged<{ $tags::$tag.0 }> for raw::$raw {
            type Node = raw::$node;
            type NodeTag = $tags;
            const TAG: $tags = $tags::$tag;
        }
    )*};
}
macro_rules! tagged_stmts {
    ($($rows:tt)*) => { tagged! { PLpgSQL_stmt PLpgSQL_stmt_type: $($rows)* } };
}
macro_rules! tagged_datums {
    ($($rows:tt)*) => { tagged! { PLpgSQL_datum PLpgSQL_datum_type: $($rows)* } };
}
each_stmt!(tagged_stmts);
each_datum!(tagged_datums);

macro_rules! structs {
    ($($rust:ident $raw:ident: $($field:ident)*;)*) => {$(
        impl Pointee for raw::$raw {}
        // SAFETY: the attributes come from the bindings, and from the table in codegen/plpgsql_fields.rs, which has the struct, the
        // items and the lengths from plpgsql.h.
        unsafe impl Internal for plpgsql_tree::$rust {}
    )*};
}
each_struct!(structs);
// SAFETY: plpgsql.h says which field of the headers has the tag, and of which enum.
unsafe impl Internal for Stmt {}
// SAFETY: as for statements.
unsafe impl Internal for Datum {}
// SAFETY: it has no attributes; what it reads by itself is below.
unsafe impl Internal for Target {}
impl Pointee for raw::PLpgSQL_datum {}
impl Pointee for raw::PLpgSQL_variable {}

/// What the tag in a header tells apart.
macro_rules! by_tag {
    ($($rust:ident $raw:ident $tag:ident;)*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, raw::$raw> for $rust {
            unsafe fn from_raw(raw: *const raw::$raw, cx: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees the header, and the whole struct around it.
                unsafe {
                    Self::from_node(raw, cx).unwrap_or_else(|| {
                        cx.unmapped_node(i64::from((*raw).$tag.0));
                        Self::default()
                    })
                }
            }
        }
    )*};
}
by_tag! {
    Stmt PLpgSQL_stmt cmd_type;
    Datum PLpgSQL_datum dtype;
}

/// Pointers that are never null.
macro_rules! required {
    ($($rust:ident $raw:ident;)*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, *mut raw::$raw> for $rust {
            unsafe fn from_raw(raw: *const *mut raw::$raw, cx: &mut FromRawContext) -> Self {
                // SAFETY: the same conditions, which the caller guarantees.
                let value: Option<Self> = unsafe { FromRaw::from_raw(raw, cx) };
                // After another error, the value is discarded.
                value.unwrap_or_else(|| {
                    cx.missing(stringify!($raw));
                    Self::default()
                })
            }
        }
    )*};
}
required! {
    DataType PLpgSQL_type;
    Datum PLpgSQL_datum;
    Expr PLpgSQL_expr;
    StmtBlock PLpgSQL_stmt_block;
    Target PLpgSQL_variable;
}

/// Makes a tree of a statement.
fn tree_of(stmt: Option<protobuf::RawStmt>, cx: &FromRawContext) -> ParseResult {
    let version = raw::PG_VERSION_NUM.cast_signed();
    ParseResult {
        protobuf: protobuf::ParseResult { version, stmts: stmt.into_iter().collect() },
        warnings: Vec::new(),
        levels: Levels::new(cx.levels()),
    }
}

/// The tree of an expression.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, *mut raw::RawStmt> for ParseResult {
    unsafe fn from_raw(raw: *const *mut raw::RawStmt, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        let stmt = unsafe { FromRaw::from_raw(raw, cx) };
        tree_of(stmt, cx)
    }
}

/// The tree of a type: as of [`ParseMode::TypeName`].
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, *mut raw::TypeName> for ParseResult {
    unsafe fn from_raw(raw: *const *mut raw::TypeName, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        let name: Option<protobuf::TypeName> = unsafe { FromRaw::from_raw(raw, cx) };
        let stmt = name.map(|name| protobuf::RawStmt {
            stmt: Some(Box::new(Node::from(name))),
            ..protobuf::RawStmt::default()
        });
        tree_of(stmt, cx)
    }
}

/// Returns the mode of an expression.
pub(super) fn parse_mode(raw: raw::RawParseMode) -> Option<ParseMode> {
    use raw::RawParseMode as Raw;
    Some(match raw {
        Raw::RAW_PARSE_DEFAULT => ParseMode::Default,
        Raw::RAW_PARSE_TYPE_NAME => ParseMode::TypeName,
        Raw::RAW_PARSE_PLPGSQL_EXPR => ParseMode::PlPgSqlExpr,
        Raw::RAW_PARSE_PLPGSQL_ASSIGN1 => ParseMode::PlPgSqlAssign1,
        Raw::RAW_PARSE_PLPGSQL_ASSIGN2 => ParseMode::PlPgSqlAssign2,
        Raw::RAW_PARSE_PLPGSQL_ASSIGN3 => ParseMode::PlPgSqlAssign3,
        _ => return None,
    })
}

/// The mode of an expression.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, raw::RawParseMode> for ParseMode {
    unsafe fn from_raw(raw: *const raw::RawParseMode, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised C enum.
        let mode = unsafe { *raw };
        parse_mode(mode).unwrap_or_else(|| {
            cx.unmapped_constant("RawParseMode", i64::from(mode.0));
            Self::default()
        })
    }
}

/// The number of a variable; -1 is none.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, i32> for Option<Dno> {
    unsafe fn from_raw(raw: *const i32, _: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised number.
        u32::try_from(unsafe { *raw }).ok().map(Dno)
    }
}

// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, i32> for Dno {
    unsafe fn from_raw(raw: *const i32, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        unsafe { Option::<Self>::from_raw(raw, cx) }.unwrap_or_else(|| {
            cx.missing("number of a variable");
            Self::default()
        })
    }
}

/// The variable of a loop over integers.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, *mut raw::PLpgSQL_var> for Dno {
    unsafe fn from_raw(raw: *const *mut raw::PLpgSQL_var, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, and the target of a pointer that is not null.
        unsafe {
            if (*raw).is_null() {
                cx.missing("PLpgSQL_var");
                return Self::default();
            }
            Self::from_raw(&raw const (**raw).dno, cx)
        }
    }
}

/// The header of a record or of a row; a record of an unknown type stands for a variable of any kind.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, raw::PLpgSQL_variable> for Target {
    unsafe fn from_raw(raw: *const raw::PLpgSQL_variable, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees the header, and the whole struct around it, which the tag tells. As for lists,
        // a row has as many numbers as it says.
        unsafe {
            match (*raw).dtype {
                PLpgSQL_datum_type::PLPGSQL_DTYPE_ROW => {
                    let row = raw.cast::<raw::PLpgSQL_row>();
                    let varnos = &raw const (*row).varnos;
                    Self::List(cx.array::<Self, _, _>((*row).nfields, varnos))
                }
                PLpgSQL_datum_type::PLPGSQL_DTYPE_REC => {
                    let datatype = (*raw.cast::<raw::PLpgSQL_rec>()).datatype;
                    let dno = Dno::from_raw(&raw const (*raw).dno, cx);
                    if !ptr::eq(datatype, ptr::null()) && (*datatype).unknown {
                        Self::List(vec![dno])
                    } else {
                        Self::Record(dno)
                    }
                }
                other => {
                    cx.unmapped_node(i64::from(other.0));
                    Self::default()
                }
            }
        }
    }
}

/// The conditions of a handler, chained.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, *mut raw::PLpgSQL_condition> for Vec<Condition> {
    unsafe fn from_raw(raw: *const *mut raw::PLpgSQL_condition, cx: &mut FromRawContext) -> Self {
        let mut conditions = Self::new();
        // SAFETY: the caller guarantees `raw`, and the target of each pointer that is not null.
        unsafe {
            let mut next = *raw;
            while !next.is_null() && cx.count(1) {
                conditions.push(Condition::from_raw(next, cx));
                next = (*next).next;
            }
        }
        conditions
    }
}

// SAFETY: `elements` are the cells, `length` of them.
unsafe impl RawList for raw::List {
    unsafe fn length(list: *const Self) -> usize {
        // SAFETY: the caller guarantees the list.
        usize::try_from(unsafe { (*list).length }).unwrap_or(0)
    }

    unsafe fn pointer(list: *const Self, index: usize) -> *const u8 {
        // SAFETY: the caller guarantees the list, and the index of a cell with a pointer.
        unsafe { (*(*list).elements.add(index)).ptr_value.cast_const().cast() }
    }
}
