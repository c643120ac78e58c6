//! Where the nodes of a tree are in memory, for readers that are not written in Rust.

use core::fmt::Write as _;
use core::mem::offset_of;

use super::names::raw;
use super::names::views::{CONSTANTS, ENUMERATIONS, STRUCTS, VARIANTS};
use super::{Node, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Field, Kind};

impl Tree {
    /// Returns the address of the list of statements in C, whose cells are `RawStmt`s; null if there are none.
    ///
    /// All of the tree may be read from there, as C would, until the tree is changed or dropped.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT 1; SELECT 2")?;
    /// let list = tree.as_raw();
    /// // SAFETY: the list is that of a tree, which lives on.
    /// assert_eq!(unsafe { (*list).length }, 2);
    /// assert!(pg_ast::view::parse("")?.as_raw().is_null());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> *const raw::List {
        self.parse().list().map_or(core::ptr::null(), InC::as_ptr)
    }
}

impl Node<'_> {
    /// Returns the address of the node's struct in C, which tells it from other nodes of the same type; null for
    /// [`Null`](Self::Null) and for an empty list.
    ///
    /// An [`Integer`](Self::Integer) that is an item of a list of numbers has no struct: only its number may be read.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT 1")?;
    /// let mut nodes = tree.nodes();
    /// let (stmt, select) = (nodes.next().unwrap(), nodes.next().unwrap());
    /// assert_ne!(stmt.as_ptr(), select.as_ptr());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn as_ptr(self) -> *const raw::Node {
        self.address().cast()
    }
}

/// Describes the structs of all nodes as JSON, as they are on this target: what the npm package generates its reader
/// from.
///
/// It is the table that Rust reads trees by, so a reader that is made from it cannot read another field than Rust does.
#[doc(hidden)]
#[must_use]
pub fn layout() -> String {
    let mut json = String::with_capacity(1 << 16);
    // Writing to a String cannot fail.
    let _ = write!(
        json,
        "{{\"version\":{},\"pointer\":{},\"list\":[{},{}],\"structs\":[",
        raw::PG_VERSION_NUM,
        size_of::<*const u8>(),
        offset_of!(raw::List, length),
        offset_of!(raw::List, elements),
    );
    for (index, item) in STRUCTS.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(json, "{comma}[\"{}\",{},[", item.name, item.tag);
        for (index, field) in item.in_order().enumerate() {
            json.push_str(if index == 0 { "" } else { "," });
            write_field(&mut json, field);
        }
        json.push_str("]]");
    }
    json.push_str("],\"enums\":[");
    for (index, enumeration) in ENUMERATIONS.iter().enumerate() {
        let zero = enumeration.constants.name(0).unwrap_or_default();
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(json, "{comma}[\"{zero}\"");
        // Some constants are characters.
        for bits in 0..=0xFF {
            if (enumeration.number)(bits) != 0 {
                let _ = write!(json, ",[{bits},\"{}\"]", enumeration.name(bits));
            }
        }
        json.push(']');
    }
    json.push(']');
    for (name, items) in [("variants", VARIANTS), ("constants", CONSTANTS)] {
        let _ = write!(json, ",\"{name}\":[");
        for (index, (tag, _, name)) in items.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(json, "{comma}[{tag},\"{name}\"]");
        }
        json.push(']');
    }
    json.push('}');
    json
}

/// Writes the name of a field, its offset, its kind, whether JSON always contains it, and what its kind depends on.
fn write_field(json: &mut String, field: &Field) {
    let (kind, of) = match field.kind {
        Kind::Nothing => ("Nothing", 0),
        Kind::Bool => ("Bool", 0),
        Kind::I16 => ("I16", 0),
        Kind::I32 => ("I32", 0),
        Kind::I64 => ("I64", 0),
        Kind::U32 => ("U32", 0),
        Kind::U64 => ("U64", 0),
        Kind::F64 => ("F64", 0),
        Kind::Char => ("Char", 0),
        Kind::Text => ("Text", 0),
        Kind::List | Kind::SharedList => ("List", 0),
        Kind::Node | Kind::SharedNode => ("Node", 0),
        Kind::Child(tag) | Kind::SharedChild(tag) => ("Child", tag),
        Kind::Embedded(tag) => ("Embedded", tag),
        Kind::Enumeration(index) => ("Enum", u32::from(index)),
        Kind::Set => ("Set", 0),
        Kind::Constant => ("Constant", 0),
    };
    let name = field.name.as_str();
    // Writing to a String cannot fail.
    let _ = write!(json, "[\"{name}\",{},\"{kind}\",{},{of}]", field.offset, field.in_json);
}
