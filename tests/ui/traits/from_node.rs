//! What says that it is a node is unsafe to implement.

use pg_ast::{FromNode, FromRawContext, raw};

struct Mine;

impl FromNode<'_, raw::Node> for Mine {
    unsafe fn write_node(_: *const raw::Node, _: *mut Option<Self>, _: &mut FromRawContext) {}
}

fn main() {}
