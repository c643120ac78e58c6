// @generated from mistake_without_tree.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Message
::core::compile_error! {
    "`Alias` does not say which tree it is part of: add `#[pg_ast(tree = ..)]`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
