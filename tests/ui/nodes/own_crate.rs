#![forbid(unsafe_code)]

/// What the derives call `pg_ast`, with a trait and contexts that promise anything.
mod own {
    pub use pg_ast::{FromNode, FromRaw, FromRawContext};

    pub trait Tagged<const TAG: u32> {
        type Node;
        const TAG: pg_ast::raw::NodeTag = pg_ast::raw::NodeTag(TAG);
    }

    impl<const TAG: u32> Tagged<TAG> for pg_ast::raw::RangeVar {
        type Node = pg_ast::raw::Node;
    }

    impl<const TAG: u32> Tagged<TAG> for super::raw::Borrowed {
        type Node = pg_ast::raw::Node;
    }

    pub struct IntoRawContext<'a>(pub &'a ());

    pub trait IntoRaw<Raw> {
        fn into_raw(self, cx: &mut IntoRawContext<'_>) -> Raw;
    }
}

mod raw {
    pub use pg_ast::raw::Node;

    pub struct NodeTag;

    impl NodeTag {
        pub const T_Borrowed: pg_ast::raw::NodeTag = pg_ast::raw::NodeTag(0);
    }

    /// There is no reference of zeroes.
    pub struct Borrowed {
        pub type_: pg_ast::raw::NodeTag,
        pub text: &'static str,
    }
}

#[derive(pg_ast::FromRaw)]
#[pg_ast(raw = pg_ast::raw::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(pg_ast::FromRaw)]
#[pg_ast(raw = pg_ast::raw::Node, crate = own)]
enum Stmt {
    #[pg_ast(raw = pg_ast::raw::RangeVar, tag = "T_SelectStmt")]
    Select(Table),
}

#[derive(pg_ast::IntoRaw)]
#[pg_ast(raw = raw::Borrowed, crate = own, skip_raw(text))]
struct Borrowed {}

fn main() {
    let _ = pg_ast::parse_as::<Stmt>("SELECT 1");
    let raw: raw::Borrowed = own::IntoRaw::into_raw(&Borrowed {}, &mut own::IntoRawContext(&()));
    println!("{}", raw.text);
}
