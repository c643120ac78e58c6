//! Writes nodes into fingerprints: their fields, by the table of the structs, and nodes with rules of their own, which
//! libpg_query's generator knows as overrides, or its `pg_query_fingerprint.c` has by hand.
//!
//! Which fields count, and where they put what they hold, is listed in `pg_ast/codegen/fingerprint_rules.rs`; what the
//! stream is, is explained in `pg_ast/foundation/hashing.rs`.

// The places of fields are counted in bytes; each is aligned, as its struct is.
#![allow(clippy::cast_ptr_alignment)]

use core::ffi::c_char;
use core::slice;

use super::names::protobuf::AExprKind;
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::ENUMERATIONS;
use super::view::structure_of;
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::shape::Shape as _;
use crate::convert::c_tree::table::{Counts, Empty, Enumeration, Field, Kind, Rule, Struct};
use crate::foundation::hashing::{MAX_DEPTH, Place, Stream};
use crate::foundation::name_place::Name;
use crate::foundation::stack::with_stack;
use crate::types::options::FingerprintOptions;

/// Computes the fingerprint of a node alone. The number of visited nodes is subtracted from `nodes_left`.
///
/// Mirrors `pg_query_fingerprint_node` of libpg_query's `pg_query_fingerprint.c`.
///
/// # Safety
///
/// The conditions of [`any`]; `nodes_left` points to a number that nobody else uses meanwhile.
pub(crate) unsafe extern "C" fn hash(node: *const raw::Node, nodes_left: *mut usize) -> u64 {
    // SAFETY: the caller guarantees `nodes_left`.
    let nodes_left = unsafe { &mut *nodes_left };
    let mut stream = Stream::new(super::names::MAJOR, FingerprintOptions::default(), *nodes_left);
    // SAFETY: the caller guarantees the node.
    unsafe { any(node, &mut stream, Place::NONE, 0) };
    *nodes_left = stream.nodes_left();
    stream.hash()
}

/// Writes a node of any type, unless it is too deep.
///
/// # Safety
///
/// `at` is null, or points to a node of the type that its tag says, in a tree that can be read (see [`InC::new`]).
#[inline]
pub(crate) unsafe fn any(at: *const raw::Node, out: &mut Stream, place: Place, depth: u32) {
    if at.is_null() {
        return;
    }
    // SAFETY: the caller guarantees the node.
    unsafe {
        match structure_of((*at).type_) {
            Some(structure) => node(structure, at.cast(), out, place, depth),
            None => nested(at, out, place, depth),
        }
    }
}

/// Writes a list that is a node, unless it is too deep; nothing for a list of numbers, or a node of an unknown type.
///
/// # Safety
///
/// The conditions of [`any`], and there is a node.
#[inline(never)]
unsafe fn nested(at: *const raw::Node, out: &mut Stream, place: Place, depth: u32) {
    // SAFETY: the caller guarantees the node, which is a list if its tag says so.
    unsafe {
        if (*at).type_ == NodeTag::T_List && depth < MAX_DEPTH {
            with_stack(|| list(InC::<raw::List>::new(at.cast()).cells(), out, place, depth + 1));
        }
    }
}

/// Writes a node's name and its fields, unless it is too deep, in a place that can hold any node.
///
/// # Safety
///
/// `at` points to a struct of this table, a part of a tree that can be read (see [`InC::new`]).
#[inline]
pub(crate) unsafe fn node(
    structure: &Struct,
    at: *const u8,
    out: &mut Stream,
    place: Place,
    depth: u32,
) {
    // These are tail calls, for which nothing has to be saved: most nodes are small.
    // SAFETY: the caller guarantees the struct.
    unsafe {
        match structure.counts {
            _ if depth >= MAX_DEPTH => {}
            Counts::Nothing => {}
            Counts::Fields => with_stack(|| fields(structure, at, out, place, depth, true)),
            Counts::ByRule(rule) => by_rule(rule, structure, at, out, place, depth),
        }
    }
}

/// Writes a node with rules besides its name and its fields.
///
/// # Safety
///
/// As for [`node`]; the rule is that of the struct.
#[inline(never)]
unsafe fn by_rule(
    rule: Rule,
    structure: &Struct,
    at: *const u8,
    out: &mut Stream,
    place: Place,
    depth: u32,
) {
    macro_rules! part {
        ($type:ident.$field:ident) => {
            InC::new(&raw const (*at.cast::<raw::$type>()).$field)
        };
    }
    // SAFETY: the caller answers for the struct, which is the one that its rule is called after, and for what it points
    // to.
    unsafe {
        let text = match rule {
            Rule::String => part!(String.sval).bytes().unwrap_or_default(),
            Rule::Float => match part!(Float.fval).bytes() {
                Some(digits) => digits,
                None => return,
            },
            Rule::BitString => match part!(BitString.bsval).bytes() {
                Some(bits) => bits,
                None => return,
            },
            Rule::Boolean if *part!(Boolean.boolval).get() => b"true",
            Rule::Boolean => b"false",
            Rule::Integer => {
                return number(out, &structure.before, (*part!(Integer.ival).get()).into());
            }
            Rule::RangeVar => {
                out.name(&structure.before);
                return range_var(InC::new(at.cast()), out, place);
            }
            // A cast of a constant is a constant.
            Rule::TypeCast => {
                let arg = part!(TypeCast.arg).get().as_ref();
                let tag = arg.map(|arg| arg.type_);
                if tag != Some(NodeTag::T_A_Const) && tag != Some(NodeTag::T_ParamRef) {
                    with_stack(|| fields(structure, at, out, place, depth, true));
                }
                return;
            }
        };
        out.name(&structure.before);
        out.value(text);
    }
}

/// Writes an integer that may be an item of a list of numbers, which has no struct.
pub(crate) fn integer(out: &mut Stream, value: i32) {
    if let Some(structure) = structure_of(NodeTag::T_Integer) {
        number(out, &structure.before, value.into());
    }
}

/// Writes the fields of a struct, after its name if that is wanted.
///
/// # Safety
///
/// The conditions of [`node`].
#[inline(never)]
unsafe fn fields(
    structure: &Struct,
    at: *const u8,
    out: &mut Stream,
    place: Place,
    depth: u32,
    named: bool,
) {
    if named {
        out.name(&structure.before);
    }
    for field in &structure.fields[..usize::from(structure.counted)] {
        let at = field.at(at);
        // SAFETY: the caller guarantees the struct, which has a field there, of a type that determines its kind
        // (`Field::new`), and what it points to.
        unsafe {
            // Most fields are empty.
            let is_empty = match field.empty {
                Empty::Pointer => (*at.cast::<*const u8>()).is_null(),
                Empty::Byte => *at == 0,
                Empty::Other => false,
            };
            if is_empty {
                continue;
            }
            match field.kind {
                Kind::Node => {
                    if out.count(1) {
                        let begun = out.begin(&field.name);
                        any(*at.cast::<*const raw::Node>(), out, field.place, depth + 1);
                        out.end(&begun);
                    }
                }
                Kind::List => field_list(InC::new(*at.cast()), field, out, depth),
                Kind::Text => {
                    if !place.has_any_of(field.place) {
                        out.name(&field.name);
                        out.value(InC::<*const c_char>::new(at.cast()).bytes().unwrap_or_default());
                    }
                }
                _ => other(structure, field, at, out, depth),
            }
        }
    }
}

/// Writes a field that few nodes have, or that is rarely written.
///
/// # Safety
///
/// The conditions of [`node`]; the field is at `at`, and not empty as far as [`Empty`] tells.
#[inline(never)]
unsafe fn other(structure: &Struct, field: &Field, at: *const u8, out: &mut Stream, depth: u32) {
    let name = &field.name;
    macro_rules! read {
        ($type:ty) => {
            InC::<$type>::new(at.cast())
        };
    }
    // SAFETY: the caller guarantees the field, whose type determines its kind, and what it points to.
    unsafe {
        match field.kind {
            Kind::Child(tag) => child(NodeTag(tag), *read!(*const u8).get(), field, out, depth),
            Kind::Enumeration(enumeration) => {
                out.name(name);
                out.bytes(name_of(
                    structure,
                    &ENUMERATIONS[usize::from(enumeration)],
                    *read!(u32).get(),
                ));
            }
            Kind::Bool => {
                out.name(name);
                out.text("true");
            }
            Kind::Char => {
                out.name(name);
                out.value(&read!(c_char).get().to_ne_bytes());
            }
            Kind::I16 => number(out, name, (*read!(i16).get()).into()),
            Kind::I32 => number(out, name, (*read!(i32).get()).into()),
            Kind::I64 => number(out, name, *read!(i64).get()),
            Kind::U32 => number(out, name, (*read!(u32).get()).into()),
            Kind::U64 => {
                let number = *read!(u64).get();
                if number != 0 {
                    out.name(name);
                    out.number(number);
                }
            }
            Kind::F64 => {
                let number = *read!(f64).get();
                if number != 0.0 {
                    out.name(name);
                    out.number(format_args!("{number:.6}"));
                }
            }
            // Only parse analysis makes one. Its name always counts.
            Kind::Set => {
                out.name(name);
                read!(*mut raw::Bitmapset).view().iter().for_each(|member| out.number(member));
            }
            // The struct that a `CreateForeignTableStmt` begins with is always there, at the same depth.
            Kind::Embedded(tag) => {
                out.name(name);
                if let Some(part) = structure_of(NodeTag(tag)) {
                    fields(part, at, out, Place::NONE, depth, false);
                }
            }
            Kind::Text
            | Kind::Node
            | Kind::List
            | Kind::Nothing
            | Kind::Constant
            | Kind::SharedNode
            | Kind::SharedList => {}
        }
    }
}

fn number<const LONGEST: usize>(out: &mut Stream, name: &Name<LONGEST>, value: i64) {
    if value != 0 {
        out.name(name);
        out.number(value);
    }
}

/// Returns the name of an enumeration's constant, which always counts. For other values it is that of 0.
fn name_of(structure: &Struct, enumeration: &Enumeration, bits: u32) -> &'static [u8] {
    let number = (enumeration.number)(bits);
    // `= ANY (..)` and `IN (..)` are the same as `=`.
    let in_any = [AExprKind::AexprOpAny as i32, AExprKind::AexprIn as i32];
    if structure.tag == NodeTag::T_A_Expr.0 && in_any.contains(&number) {
        return AExprKind::AexprOp.as_str_name().as_bytes();
    }
    let number = if number == 0 { (enumeration.number)(0) } else { number };
    enumeration.constants.name_bytes(number)
}

/// Writes a child whose type is fixed.
///
/// # Safety
///
/// The conditions of [`node`], with the tag of the struct.
unsafe fn child(tag: NodeTag, at: *const u8, field: &Field, out: &mut Stream, depth: u32) {
    if tag == NodeTag::T_String {
        // A string: the extension's name in `AlterObjectDependsStmt`.
        // SAFETY: the caller guarantees the struct.
        let string = unsafe { InC::new(&raw const (*at.cast::<raw::String>()).sval) };
        if let Some(text) = string.bytes().filter(|text| !text.is_empty()) {
            out.name(&field.name);
            out.value(text);
        }
    } else if let Some(structure) = structure_of(tag)
        && out.takes_message(depth)
        && out.count(1)
    {
        let begun = out.begin(&field.name);
        // SAFETY: the caller guarantees the struct.
        unsafe {
            if tag == NodeTag::T_RangeVar {
                range_var(InC::new(at.cast()), out, field.place);
            } else {
                with_stack(|| fields(structure, at, out, field.place, depth + 1, false));
            }
        }
        out.end(&begun);
    }
}

impl InC<raw::List> {
    /// Returns the cells of a list of nodes; none for a list of numbers, which do not count.
    fn cells(&self) -> &[InC<raw::ListCell>] {
        let list = self.get();
        match usize::try_from(list.length) {
            Ok(length) if length > 0 && list.type_ == NodeTag::T_List => {
                // SAFETY: the creator of `self` guarantees the list, which has that many cells;
                // `InC<T>` is laid out as `T` is.
                unsafe { slice::from_raw_parts(list.elements.cast_const().cast(), length) }
            }
            _ => &[],
        }
    }
}

impl InC<raw::ListCell> {
    /// Returns the node in a cell of a list of nodes.
    fn node(&self) -> *const raw::Node {
        // SAFETY: `cells` returns only cells of lists of nodes.
        unsafe { self.get().ptr_value }.cast_const().cast()
    }
}

/// Writes a list that is in a field.
fn field_list(items: &InC<raw::List>, field: &Field, out: &mut Stream, depth: u32) {
    match items.cells() {
        [] => {}
        // The cell of `SELECT DISTINCT`, in place of columns.
        [only] if only.node().is_null() => out.name(&field.name),
        cells if depth + 1 < MAX_DEPTH => {
            let begun = out.begin(&field.name);
            list(cells, out, field.place, depth + 2);
            out.end(&begun);
        }
        _ => {}
    }
}

/// Writes a list, whose items are at the given depth.
fn list(cells: &[InC<raw::ListCell>], out: &mut Stream, place: Place, depth: u32) {
    if !out.count(cells.len()) {
        return;
    }
    if place.has_any_of(Place::SORTED) && cells.len() > 1 {
        let mut list = out.begin_list();
        for cell in cells {
            // SAFETY: the creator of the list guarantees its nodes.
            unsafe { any(cell.node(), out, place, depth) };
            out.end_item(&mut list);
        }
        out.sort(&list);
    } else {
        for cell in cells {
            // SAFETY: as above.
            unsafe { any(cell.node(), out, place, depth) };
        }
    }
}

/// Writes a table. In a query it counts by its alias, and by its name only if there is none; elsewhere, by both
/// and by its schema as well.
fn range_var(table: &InC<raw::RangeVar>, out: &mut Stream, place: Place) {
    let is_query = place.has_any_of(Place::QUERY);
    let table = table.get();
    // SAFETY: strings of a table, and of its alias, which the creator of `table` guarantees.
    let string = |string: &*mut c_char| unsafe { InC::new(string) }.bytes();
    // SAFETY: as above.
    let alias = unsafe { table.alias.as_ref() }.filter(|_| !out.options.ignore_aliases);
    let text = |out: &mut Stream, name, text: Option<&[u8]>| {
        if let Some(text) = text {
            out.text(name);
            out.value(text);
        }
    };
    if let Some(alias) = alias {
        text(out, "aliasname", string(&alias.aliasname));
    }
    text(out, "catalogname", string(&table.catalogname));
    if table.inh {
        out.text("inhtrue");
    }
    let persistence = table.relpersistence.to_ne_bytes();
    if let Some(relname) = string(&table.relname)
        && persistence != *b"t"
        && !(is_query && alias.is_some())
    {
        out.text("relname");
        if out.options.full_relname {
            out.value(relname);
        } else {
            out.without_numbers(relname);
        }
    }
    if persistence != [0] {
        out.text("relpersistence");
        out.value(&persistence);
    }
    if !is_query || out.options.include_schema {
        text(out, "schemaname", string(&table.schemaname));
    }
}
