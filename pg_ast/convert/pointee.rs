//! The C types that an `Option` reads behind a pointer.

/// A C struct that a pointer in a field leads to: an `Option<T>` reads `X *` if `T` reads this `X`.
///
/// It is implemented for the struct of every node that says itself what it is. It is not for
///
/// - `char`, which may be a whole field or the first byte of a string: an `Option<String>` reads `char *`;
/// - `List`, which may hold nodes or numbers: a `Vec<Node>` reads `List *`, and a `Vec<u64>` reads `Bitmapset *`;
/// - headers, such as `Node` and `Expr`, which have no more than a tag. A pointer to one leads to a node of any type, which
///   an `Option<T>` reads if `T` [reads nodes](crate::FromNode).
///
/// ```
/// # #[cfg(feature = "pg18")] {
/// use pg_ast::Pointee;
/// use pg_ast::pg18::raw;
///
/// fn is_pointee<X: Pointee>() {}
/// is_pointee::<raw::RangeVar>();
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a pointer to `{Self}` is not read as an `Option` of what reads `{Self}`",
    label = "no `Option` of this type reads `{Self} *`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#field-types"
)]
pub trait Pointee {}
