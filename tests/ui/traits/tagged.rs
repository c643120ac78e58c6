//! Which struct has a tag is unsafe to say.

use pg_ast::Tagged;
use pg_ast::raw::{Node, NodeTag};

struct Mine {
    tag: NodeTag,
}

impl Tagged<1> for Mine {
    type Node = Node;
    type NodeTag = NodeTag;
    const TAG: NodeTag = NodeTag(1);
}

fn main() {}
