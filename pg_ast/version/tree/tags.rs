//! The tags of the C structs of one PostgreSQL version.

use super::names::{protobuf, raw};
use crate::convert::{Pointee, Tagged};

macro_rules! tagged {
    ($($raw:ident $tag:ident;)*) => {$(
        // SAFETY:
        // - the struct has the tag's name, by itself or by a typedef, which is how `makeNode` of
        //   nodes.h joins the two; `List` has all tags of lists, as pg_list.h says. It begins with
        //   the tag.
        // - bindgen's structs consist of numbers, pointers, enums as newtypes, and such structs.
        unsafe impl Tagged<{ raw::NodeTag::$tag.0 }> for raw::$raw {
            type Node = raw::Node;
            type NodeTag = raw::NodeTag;
            const TAG: raw::NodeTag = raw::NodeTag::$tag;
        }
    )*};
}
protobuf::tags!(tagged);

macro_rules! names {
    ($($raw:ident $tag:ident;)*) => {
        /// Returns the name of the nodes with a tag, which is PostgreSQL's name of their struct.
        pub(super) fn name_of(tag: raw::NodeTag) -> Option<&'static str> {
            let name = match tag {
                $(raw::NodeTag::$tag => stringify!($tag),)*
                _ => return None,
            };
            name.strip_prefix("T_")
        }
    };
}
protobuf::tags!(names);

macro_rules! pointees {
    ($($raw:ident)*) => {$(
        impl Pointee for raw::$raw {}
    )*};
}
protobuf::pointees!(pointees);
