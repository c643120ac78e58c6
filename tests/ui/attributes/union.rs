use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::ValUnion)]
union Value {
    number: i32,
    truth: bool,
}

fn main() {}
