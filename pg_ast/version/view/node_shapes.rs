//! Reads the C types that name nodes of one PostgreSQL version, for views.

use super::a_const::Val;
use super::edit::node_type::Points;
use super::names::raw::NodeTag;
use super::names::views::CreateStmt;
use super::names::{protobuf, raw};
use super::{Bitmapset, List, Node};
use crate::convert::c_tree::field_type::FieldType;
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::Kind;

/// A pointer to the header of a node can point to any node; a header by itself holds the tag, and no
/// children.
macro_rules! headers {
    ($($header:ident)*) => {$(
        impl FieldType for *mut raw::$header {
            const KIND: Kind = Kind::Node;
            type View<'a> = Option<Node<'a>>;

            #[inline]
            fn view(field: InC<'_, Self>) -> Option<Node<'_>> {
                let header = field.target()?;
                // SAFETY: around the header of a node is the whole node, which begins with its tag.
                Some(Node::of(unsafe { header.part(header.as_ptr().cast()) }))
            }
        }

        // SAFETY: around the header of a node is the whole node, of any type.
        unsafe impl Points for raw::$header {
            type Of = protobuf::Node;
        }

        impl FieldType for raw::$header {
            const KIND: Kind = Kind::Nothing;
            type View<'a> = Option<Node<'a>>;

            #[inline]
            fn view(_: InC<'_, Self>) -> Option<Node<'_>> {
                None
            }
        }
    )*};
}
protobuf::headers!(headers);

/// The `CREATE TABLE` inside `CREATE FOREIGN TABLE`, embedded by value.
impl FieldType for raw::CreateStmt {
    const KIND: Kind = Kind::Embedded(NodeTag::T_CreateStmt.0);
    type View<'a> = Option<CreateStmt<'a>>;

    #[inline]
    fn view(field: InC<'_, Self>) -> Option<CreateStmt<'_>> {
        Some(CreateStmt(field))
    }
}

/// `List *`: a null pointer is the empty list.
impl FieldType for *mut raw::List {
    const KIND: Kind = Kind::List;
    type View<'a> = List<'a>;

    #[inline]
    fn view(field: InC<'_, Self>) -> List<'_> {
        List::of(field.target())
    }
}

/// `Bitmapset *`: a null pointer is the empty set.
impl FieldType for *mut raw::Bitmapset {
    const KIND: Kind = Kind::Set;
    type View<'a> = Bitmapset<'a>;

    #[inline]
    fn view(field: InC<'_, Self>) -> Bitmapset<'_> {
        Bitmapset::of(field.target())
    }
}

/// The value of an `A_Const`: none if the constant is NULL.
impl FieldType for raw::ValUnion {
    const KIND: Kind = Kind::Constant;
    type View<'a> = Option<Val<'a>>;

    #[inline]
    fn view(field: InC<'_, Self>) -> Option<Val<'_>> {
        match Node::of(field.node()?) {
            Node::Integer(value) => Some(Val::Ival(value)),
            Node::Float(value) => Some(Val::Fval(value)),
            Node::Boolean(value) => Some(Val::Boolval(value)),
            Node::String(value) => Some(Val::Sval(value)),
            Node::BitString(value) => Some(Val::Bsval(value)),
            _ => None,
        }
    }
}
