//! What `#[pg_ast(internal(..))]` asks for: the trees that `codegen/` writes implement it, and nobody else can, since the
//! module is private.
//!
//! Such an attribute says what nothing can check: that a struct without a tag is the one that a field leads to, and what is
//! in a list. In a struct of a user's own, it could say anything.

/// A type of this crate's own trees, whose derive may take its attributes at their word.
///
/// # Safety
///
/// The attributes are true of C: a struct without a tag is read only where C says which one it is, and the items of lists and
/// the lengths of arrays are those that the attributes name.
#[diagnostic::on_unimplemented(
    message = "`internal(..)` is for the trees that `pg_ast` generates, and `{Self}` is a type of your own",
    label = "only `pg_ast` itself may use this attribute",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#compile-errors"
)]
pub unsafe trait Internal {}

/// A node that has no SQL unless some of its fields have a value.
#[diagnostic::on_unimplemented(
    message = "`internal(..)` is for the trees that `pg_ast` generates, and `{Self}` is a type of your own",
    label = "only `pg_ast` itself may use this attribute",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#compile-errors"
)]
pub trait Complete {
    /// Returns the name of a field without which there is no SQL, if the node lacks one.
    fn missing_field(&self) -> Option<&'static str>;
}
