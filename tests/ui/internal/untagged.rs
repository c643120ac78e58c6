#![forbid(unsafe_code)]

use pg_ast::{FromRaw, raw};

/// A number would be read as a `bool`.
#[derive(FromRaw)]
#[pg_ast(raw = raw::ValUnion, internal(untagged), partial)]
struct Value {
    boolval: Flag,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Boolean)]
struct Flag {
    boolval: bool,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::A_Const, partial)]
struct Constant {
    val: Value,
}

/// As it was written once.
#[derive(FromRaw)]
#[pg_ast(raw = raw::ValUnion, untagged, partial)]
struct Former {
    boolval: Flag,
}

fn main() {
    let _ = pg_ast::parse_as::<Constant>("SELECT 7");
}
