#![forbid(unsafe_code)]

use pg_ast::FromRaw;

mod raw {
    pub use pg_ast::raw::{Node, RangeVar};

    /// Equal to any tag.
    pub struct NodeTag(pub u32);

    impl NodeTag {
        pub const T_RangeVar: Self = Self(pg_ast::raw::NodeTag::T_RangeVar.0);
    }

    impl PartialEq<NodeTag> for pg_ast::raw::NodeTag {
        fn eq(&self, _: &NodeTag) -> bool {
            true
        }
    }
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::RangeVar)]
    Table(Table),
}

fn main() {
    let _ = pg_ast::parse_as::<Table>("SELECT 1");
}
