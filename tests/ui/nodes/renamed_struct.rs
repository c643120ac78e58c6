#![forbid(unsafe_code)]

use pg_ast::{FromRaw, IntoRaw};

mod raw {
    pub use pg_ast::raw::{Alias as SelectStmt, Node, NodeTag};
}

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::SelectStmt)]
struct Alias {
    aliasname: String,
    colnames: Vec<pg_ast::Node>,
}

fn main() {
    let _ = pg_ast::parse_as::<Alias>("SELECT 1");
}
