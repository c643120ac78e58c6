// @generated from mistake_without_raw.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
::core::compile_error! {
    "`Alias` does not say which C type it is: add `#[pg_ast(raw = ..)]`"
}

// IntoRaw
::core::compile_error! {
    "`Alias` does not say which C type it is: add `#[pg_ast(raw = ..)]`"
}
