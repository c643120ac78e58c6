//! Reads the C types that name nodes of one PostgreSQL version, for views.

use super::a_const::Val;
use super::names::raw::NodeTag;
use super::names::views::CreateStmt;
use super::names::{protobuf, raw};
use super::{Bitmapset, List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::shape::Shape;
use crate::convert::c_tree::table::Kind;

/// A pointer to the header of a node can point to any node; a header by itself holds the tag, and no
/// children.
macro_rules! headers {
    ($($header:ident)*) => {$(
        impl Shape for InC<*mut raw::$header> {
            const KIND: Kind = Kind::Node;
            type View<'a> = Option<Node<'a>>;

            #[inline]
            fn view(&self) -> Option<Node<'_>> {
                let node = self.get().cast_const().cast::<raw::Node>();
                if node.is_null() {
                    return None;
                }
                // SAFETY: the creator of the view guarantees all that is below it.
                Some(unsafe { Node::from_raw(node) })
            }
        }

        impl Shape for InC<raw::$header> {
            const KIND: Kind = Kind::Nothing;
            type View<'a> = Option<Node<'a>>;

            #[inline]
            fn view(&self) -> Option<Node<'_>> {
                None
            }
        }
    )*};
}
protobuf::headers!(headers);

/// The `CREATE TABLE` inside `CREATE FOREIGN TABLE`, embedded by value.
impl Shape for InC<raw::CreateStmt> {
    const KIND: Kind = Kind::Embedded(NodeTag::T_CreateStmt.0);
    type View<'a> = Option<CreateStmt<'a>>;

    #[inline]
    fn view(&self) -> Option<CreateStmt<'_>> {
        Some(CreateStmt(self))
    }
}

/// `List *`: a null pointer is the empty list.
impl Shape for InC<*mut raw::List> {
    const KIND: Kind = Kind::List;
    type View<'a> = List<'a>;

    #[inline]
    fn view(&self) -> List<'_> {
        // SAFETY: the creator of the view guarantees all that is below it.
        unsafe { List::from_raw(*self.get()) }
    }
}

/// `Bitmapset *`: a null pointer is the empty set.
impl Shape for InC<*mut raw::Bitmapset> {
    const KIND: Kind = Kind::Set;
    type View<'a> = Bitmapset<'a>;

    #[inline]
    fn view(&self) -> Bitmapset<'_> {
        // SAFETY: the creator of the view guarantees all that is below it.
        unsafe { Bitmapset::from_raw(*self.get()) }
    }
}

/// The value of an `A_Const`: none if the constant is NULL.
impl Shape for InC<raw::ValUnion> {
    const KIND: Kind = Kind::Constant;
    type View<'a> = Option<Val<'a>>;

    #[inline]
    fn view(&self) -> Option<Val<'_>> {
        let value = (&raw const *self.get()).cast::<raw::Node>();
        // SAFETY: each member of the union is a node, and the union holds a whole one of the type
        // that its tag says.
        match unsafe { Node::from_raw(value) } {
            Node::Integer(value) => Some(Val::Ival(value)),
            Node::Float(value) => Some(Val::Fval(value)),
            Node::Boolean(value) => Some(Val::Boolval(value)),
            Node::String(value) => Some(Val::Sval(value)),
            Node::BitString(value) => Some(Val::Bsval(value)),
            _ => None,
        }
    }
}
