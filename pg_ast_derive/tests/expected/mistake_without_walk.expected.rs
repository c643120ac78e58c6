// @generated from mistake_without_walk.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Walk
::core::compile_error! {
    "`Alias` does not say which tree it is part of: add `#[pg_ast(walk = ..)]`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
