#![forbid(unsafe_code)]

use pg_ast::{FromRaw, FromRawContext, raw};

/// A method that would be found before one of the context.
trait Shadow: Sized {
    fn tagged<Raw, const TAG: u32>(self, node: *const raw::Node) -> *const Raw {
        node.cast()
    }
}

impl Shadow for &mut FromRawContext {}

/// A constant that is found where the tags have none of this name.
trait Tag {
    const T_Table: Self;
}

impl Tag for raw::NodeTag {
    const T_Table: Self = raw::NodeTag::T_SelectStmt;
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::RangeVar, tag = "T_SelectStmt")]
    Select(Table),
    #[pg_ast(raw = raw::RangeVar, tag = "T_Table")]
    Table(Table),
}

fn main() {
    let _ = pg_ast::parse_as::<Stmt>("SELECT 1");
}
