use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::ListCell, partial)]
struct Cell {
    int_value: i32,
}

fn main() {}
