use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum SetOperation {}

fn main() {}
