//! Writes nodes into fingerprints: their fields, by the table of the structs, and nodes with rules of their own, which
//! libpg_query's generator knows as overrides, or its `pg_query_fingerprint.c` has by hand.
//!
//! Which fields count, and where they put what they hold, is listed in `codegen/fingerprint_rules.rs`; what the
//! stream is, is explained in `pg_ast/foundation/hashing.rs`.

use super::names::protobuf::AExprKind;
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::views::ENUMERATIONS;
use super::view::Bitmapset;
use super::view::macros::field;
use super::view::memory::{ContentInC, FieldInC, NodeCells, StructInC};
use super::view::node::structure_of;
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Counts, Enumeration, Field, Rule, Struct};
use crate::foundation::hashing::{HashPlace, MAX_DEPTH, Stream};
use crate::foundation::name::Name;
use crate::foundation::stack::with_stack;
use crate::types::options::FingerprintOptions;

/// Computes the fingerprint of a node alone. The number of visited nodes is subtracted from `nodes_left`.
///
/// Mirrors `pg_query_fingerprint_node` of libpg_query's `pg_query_fingerprint.c`.
///
/// # Safety
///
/// `node` is null, or satisfies the conditions of [`InC::new`]; `nodes_left` points to a number that nobody else uses
/// meanwhile.
pub(crate) unsafe extern "C" fn hash(node: *const raw::Node, nodes_left: *mut usize) -> u64 {
    // SAFETY: the caller guarantees both.
    let (node, nodes_left) = unsafe { (InC::new_or_null(node), &mut *nodes_left) };
    let mut stream = Stream::new(super::names::MAJOR, FingerprintOptions::default(), *nodes_left);
    any_node(node, &mut stream, HashPlace::NONE, 0);
    *nodes_left = stream.nodes_left();
    stream.hash()
}

/// Writes a node of any type, unless it is too deep.
// Both callers are tail calls then.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn any_node(
    at: Option<InC<'_, raw::Node>>,
    out: &mut Stream,
    place: HashPlace,
    depth: u32,
) {
    let Some(at) = at else { return };
    match at.structure() {
        Some(structure) => node(structure, out, place, depth),
        None => nested(at, out, place, depth),
    }
}

/// Writes a list that is a node, unless it is too deep; nothing for a list of numbers, or a node of an unknown type.
#[inline(never)]
fn nested(at: InC<'_, raw::Node>, out: &mut Stream, place: HashPlace, depth: u32) {
    if let Some(items) = at.as_list()
        && at.tag() == NodeTag::T_List
        && depth < MAX_DEPTH
    {
        with_stack(|| list(items.cells().nodes(), out, place, depth + 1));
    }
}

/// Writes a node's name and its fields, unless it is too deep, in a place that can hold any node.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn node(structure: StructInC<'_>, out: &mut Stream, place: HashPlace, depth: u32) {
    // These are tail calls, for which nothing has to be saved: most nodes are small.
    match structure.table().counts {
        _ if depth >= MAX_DEPTH => {}
        Counts::Nothing => {}
        Counts::Fields => with_stack(|| fields(structure, out, place, depth, true)),
        Counts::ByRule(rule) => by_rule(rule, structure, out, place, depth),
    }
}

/// Writes a node with rules besides its name and its fields.
#[inline(never)]
fn by_rule(rule: Rule, structure: StructInC<'_>, out: &mut Stream, place: HashPlace, depth: u32) {
    /// A field of the struct that the rule is called after.
    macro_rules! part {
        ($type:ident $tag:ident.$field:ident) => {{
            let whole = structure.typed::<raw::$type, { NodeTag::$tag.0 }>();
            let Some(whole) = whole else { return };
            field!(whole.$field)
        }};
    }
    let before = &structure.table().before;
    let text = match rule {
        Rule::String => part!(String T_String.sval).bytes().unwrap_or_default(),
        Rule::Float => match part!(Float T_Float.fval).bytes() {
            Some(digits) => digits,
            None => return,
        },
        Rule::BitString => match part!(BitString T_BitString.bsval).bytes() {
            Some(bits) => bits,
            None => return,
        },
        Rule::Boolean if part!(Boolean T_Boolean.boolval).get() => b"true",
        Rule::Boolean => b"false",
        Rule::Integer => return number(out, before, part!(Integer T_Integer.ival).get().into()),
        Rule::RangeVar => {
            out.name(before);
            if let Some(table) = structure.typed() {
                range_var(table, out, place);
            }
            return;
        }
        // A cast of a constant is a constant.
        Rule::TypeCast => {
            let tag = part!(TypeCast T_TypeCast.arg).target().map(InC::<raw::Node>::tag);
            if tag != Some(NodeTag::T_A_Const) && tag != Some(NodeTag::T_ParamRef) {
                with_stack(|| fields(structure, out, place, depth, true));
            }
            return;
        }
    };
    out.name(before);
    out.value(text);
}

/// Writes an integer that may be an item of a list of numbers, which has no struct.
pub(crate) fn integer(out: &mut Stream, value: i32) {
    if let Some(structure) = structure_of(NodeTag::T_Integer) {
        number(out, &structure.before, value.into());
    }
}

/// Writes the fields of a struct, after its name if that is wanted.
#[inline(never)]
fn fields(structure: StructInC<'_>, out: &mut Stream, place: HashPlace, depth: u32, named: bool) {
    if named {
        out.name(&structure.table().before);
    }
    for field in structure.counted() {
        // Most fields are empty.
        if field.is_empty() {
            continue;
        }
        let table = field.table();
        match field.content() {
            ContentInC::Node(node) => {
                if out.count(1) {
                    let begun = out.begin(&table.name);
                    any_node(node, out, table.place, depth + 1);
                    out.end(&begun);
                }
            }
            ContentInC::List(Some(list)) => field_list(list.cells().nodes(), table, out, depth),
            ContentInC::Text(string) => {
                if !place.has_any_of(table.place) {
                    out.name(&table.name);
                    out.value(string.bytes().unwrap_or_default());
                }
            }
            _ => other(structure.table(), field, out, depth),
        }
    }
}

/// Writes a field that few nodes have, or that is rarely written; it is not empty as far as [`FieldInC::is_empty`] tells.
#[inline(never)]
fn other(structure: &Struct, field: FieldInC<'_>, out: &mut Stream, depth: u32) {
    let name = &field.table().name;
    match field.content() {
        ContentInC::Child(Some(node)) => child(node, field.table(), out, depth),
        ContentInC::Enumeration(enumeration, bits) => {
            out.name(name);
            out.bytes(name_of(structure, &ENUMERATIONS[usize::from(enumeration)], bits));
        }
        ContentInC::Bool(_) => {
            out.name(name);
            out.text("true");
        }
        ContentInC::Char(char) => {
            out.name(name);
            out.value(char.bytes());
        }
        ContentInC::I16(value) => number(out, name, value.into()),
        ContentInC::I32(value) => number(out, name, value.into()),
        ContentInC::I64(value) => number(out, name, value),
        ContentInC::U32(value) => number(out, name, value.into()),
        ContentInC::U64(value) => {
            if value != 0 {
                out.name(name);
                out.number(value);
            }
        }
        ContentInC::F64(value) => {
            if value != 0.0 {
                out.name(name);
                out.number(format_args!("{value:.6}"));
            }
        }
        // Only parse analysis makes one. Its name always counts.
        ContentInC::Set(set) => {
            out.name(name);
            Bitmapset::of(set).iter().for_each(|member| out.number(member));
        }
        // The struct that a `CreateForeignTableStmt` begins with is always there, at the same depth.
        ContentInC::Embedded(part) => {
            out.name(name);
            fields(part, out, HashPlace::NONE, depth, false);
        }
        ContentInC::Text(_)
        | ContentInC::Node(_)
        | ContentInC::Child(None)
        | ContentInC::List(_)
        | ContentInC::Nothing
        | ContentInC::Constant(_)
        | ContentInC::SharedNode(_)
        | ContentInC::SharedList(_) => {}
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
fn child(node: InC<'_, raw::Node>, field: &Field, out: &mut Stream, depth: u32) {
    let Some(structure) = node.structure() else { return };
    if let Some(string) = structure.typed::<raw::String, { NodeTag::T_String.0 }>() {
        // A string: the extension's name in `AlterObjectDependsStmt`.
        if let Some(text) = field!(string.sval).bytes().filter(|text| !text.is_empty()) {
            out.name(&field.name);
            out.value(text);
        }
    } else if out.takes_message(depth) && out.count(1) {
        let begun = out.begin(&field.name);
        match structure.typed() {
            Some(table) => range_var(table, out, field.place),
            None => with_stack(|| fields(structure, out, field.place, depth + 1, false)),
        }
        out.end(&begun);
    }
}

/// Writes a list that is in a field.
fn field_list(cells: NodeCells<'_>, field: &Field, out: &mut Stream, depth: u32) {
    let mut nodes = cells.iter();
    match (nodes.next(), cells.len()) {
        (None, _) => {}
        // The cell of `SELECT DISTINCT`, in place of columns.
        (Some(None), 1) => out.name(&field.name),
        _ if depth + 1 < MAX_DEPTH => {
            let begun = out.begin(&field.name);
            list(cells, out, field.place, depth + 2);
            out.end(&begun);
        }
        _ => {}
    }
}

/// Writes a list, whose items are at the given depth.
fn list(cells: NodeCells<'_>, out: &mut Stream, place: HashPlace, depth: u32) {
    if !out.count(cells.len()) {
        return;
    }
    if place.has_any_of(HashPlace::SORTED) && cells.len() > 1 {
        let mut list = out.begin_list();
        for node in cells.iter() {
            any_node(node, out, place, depth);
            out.end_item(&mut list);
        }
        out.sort(&list);
    } else {
        cells.iter().for_each(|node| any_node(node, out, place, depth));
    }
}

/// Writes a table. In a query it counts by its alias, and by its name only if there is none; elsewhere, by both
/// and by its schema as well.
fn range_var(table: InC<'_, raw::RangeVar>, out: &mut Stream, place: HashPlace) {
    let is_query = place.has_any_of(HashPlace::QUERY);
    let alias = field!(table.alias).target().filter(|_| !out.options.ignore_aliases);
    let text = |out: &mut Stream, name, text: Option<&[u8]>| {
        if let Some(text) = text {
            out.text(name);
            out.value(text);
        }
    };
    if let Some(alias) = alias {
        text(out, "aliasname", field!(alias.aliasname).bytes());
    }
    text(out, "catalogname", field!(table.catalogname).bytes());
    if field!(table.inh).get() {
        out.text("inhtrue");
    }
    let persistence = field!(table.relpersistence).bytes();
    if let Some(relname) = field!(table.relname).bytes()
        && persistence != b"t"
        && !(is_query && alias.is_some())
    {
        out.text("relname");
        if out.options.full_relname {
            out.value(relname);
        } else {
            out.without_numbers(relname);
        }
    }
    if !persistence.is_empty() {
        out.text("relpersistence");
        out.value(persistence);
    }
    if !is_query || out.options.include_schema {
        text(out, "schemaname", field!(table.schemaname).bytes());
    }
}
