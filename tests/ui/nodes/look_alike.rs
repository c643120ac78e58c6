#![forbid(unsafe_code)]

use pg_ast::{FromRaw, IntoRaw};

mod raw {
    pub use pg_ast::raw::{Node, NodeTag};

    /// Not PostgreSQL's: where it has a number, the node has a pointer.
    #[repr(C)]
    pub struct SelectStmt {
        pub type_: NodeTag,
        pub distinct_clause: *mut SelectStmt,
        pub numbers: [u64; 100],
        pub last: i32,
    }
}

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::SelectStmt, skip_raw(distinct_clause, numbers))]
struct Select {
    last: i32,
}

fn main() {
    let _ = pg_ast::parse_as::<Select>("SELECT 1");
}
