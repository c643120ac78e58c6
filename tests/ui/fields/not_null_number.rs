use pg_ast::{IntoRaw, raw};

#[derive(IntoRaw)]
#[pg_ast(raw = raw::Integer)]
struct Integer {
    #[pg_ast(not_null)]
    ival: i32,
}

fn main() {}
