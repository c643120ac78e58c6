//! Converts between pg_ast's tree and this one, which has the same messages in other boxes.

use super::NodeEnum;
use super::lists::{each_message, each_node};
use super::native::protobuf as native;
use super::protobuf::{self, a_const};

/// Reads a value of this tree out of one of pg_ast's.
pub(super) trait FromNative<Native> {
    fn from_native(native: Native) -> Self;
}

/// Copies a value of this tree for pg_ast.
pub(super) trait ToNative<Native> {
    fn to_native(&self) -> Native;
}

/// Some nodes have a box in pg_ast's tree, others do not.
trait Unbox<T> {
    fn unbox(self) -> T;
}

impl<T> Unbox<T> for Box<T> {
    fn unbox(self) -> T {
        *self
    }
}

/// A level of a tree takes less than this, also in debug builds.
const ENOUGH: usize = 96 * 1024;
const MORE: usize = 1024 * 1024;

macro_rules! values {
    ($($type:ty),*) => {$(
        impl FromNative<$type> for $type {
            fn from_native(native: $type) -> Self {
                native
            }
        }

        impl ToNative<$type> for $type {
            fn to_native(&self) -> $type {
                self.clone()
            }
        }
    )*};
}
values!(bool, i32, i64, u32, u64, f64, String);

impl<N, T: FromNative<N>> FromNative<Option<N>> for Option<T> {
    fn from_native(native: Option<N>) -> Self {
        native.map(T::from_native)
    }
}

impl<N, T: ToNative<N>> ToNative<Option<N>> for Option<T> {
    fn to_native(&self) -> Option<N> {
        self.as_ref().map(T::to_native)
    }
}

impl<N, T: FromNative<N>> FromNative<Vec<N>> for Vec<T> {
    fn from_native(native: Vec<N>) -> Self {
        native.into_iter().map(T::from_native).collect()
    }
}

impl<N, T: ToNative<N>> ToNative<Vec<N>> for Vec<T> {
    fn to_native(&self) -> Vec<N> {
        self.iter().map(T::to_native).collect()
    }
}

/// Every message that leads back to its own type has a box, or is a node.
impl<N, T: FromNative<N>> FromNative<Box<N>> for Box<T> {
    fn from_native(native: Box<N>) -> Self {
        stacker::maybe_grow(ENOUGH, MORE, || Self::new(T::from_native(*native)))
    }
}

impl<N, T: ToNative<N>> ToNative<Box<N>> for Box<T> {
    fn to_native(&self) -> Box<N> {
        stacker::maybe_grow(ENOUGH, MORE, || Box::new((**self).to_native()))
    }
}

macro_rules! messages {
    ($($message:ident { $($field:ident),* })*) => {$(
        impl FromNative<native::$message> for protobuf::$message {
            fn from_native(native: native::$message) -> Self {
                let native::$message { $($field),* } = native;
                Self { $($field: FromNative::from_native($field)),* }
            }
        }

        impl ToNative<native::$message> for protobuf::$message {
            fn to_native(&self) -> native::$message {
                let Self { $($field),* } = self;
                native::$message { $($field: $field.to_native()),* }
            }
        }

        impl Unbox<Self> for native::$message {
            fn unbox(self) -> Self {
                self
            }
        }
    )*};
}
each_message!(messages);

impl FromNative<native::RangeVar> for protobuf::RangeVar {
    fn from_native(native: native::RangeVar) -> Self {
        Self {
            catalogname: native.catalogname,
            schemaname: native.schemaname,
            relname: native.relname,
            inh: native.inh,
            relpersistence: native.relpersistence,
            alias: FromNative::from_native(native.alias),
            location: native.location,
        }
    }
}

impl ToNative<native::RangeVar> for protobuf::RangeVar {
    fn to_native(&self) -> native::RangeVar {
        native::RangeVar {
            catalogname: self.catalogname.clone(),
            schemaname: self.schemaname.clone(),
            relname: self.relname.clone(),
            inh: self.inh,
            // pg_query prints a table without `relpersistence` as a permanent one, which is an error in pg_ast.
            relpersistence: match self.relpersistence.as_str() {
                "" => "p".to_owned(),
                kind => kind.to_owned(),
            },
            alias: self.alias.to_native(),
            location: self.location,
        }
    }
}

impl Unbox<Self> for native::RangeVar {
    fn unbox(self) -> Self {
        self
    }
}

macro_rules! nodes {
    ($($variant:ident $message:ident;)*) => {
        impl FromNative<native::node::Node> for NodeEnum {
            fn from_native(native: native::node::Node) -> Self {
                stacker::maybe_grow(ENOUGH, MORE, || match native {
                    $(native::node::Node::$variant(message) => {
                        let message: native::$message = message.unbox();
                        Self::$variant(protobuf::$message::from_native(message).into())
                    })*
                })
            }
        }

        impl ToNative<native::node::Node> for NodeEnum {
            fn to_native(&self) -> native::node::Node {
                stacker::maybe_grow(ENOUGH, MORE, || match self {
                    $(Self::$variant(message) => {
                        let message: &protobuf::$message = message;
                        message.to_native().into()
                    })*
                })
            }
        }
    };
}
each_node!(nodes);

macro_rules! constants {
    ($($variant:ident)*) => {
        impl FromNative<native::a_const::Val> for a_const::Val {
            fn from_native(native: native::a_const::Val) -> Self {
                match native {
                    $(native::a_const::Val::$variant(value) => {
                        Self::$variant(FromNative::from_native(value))
                    })*
                }
            }
        }

        impl ToNative<native::a_const::Val> for a_const::Val {
            fn to_native(&self) -> native::a_const::Val {
                match self {
                    $(Self::$variant(value) => native::a_const::Val::$variant(value.to_native()),)*
                }
            }
        }
    };
}
constants!(Ival Fval Boolval Sval Bsval);
