//! The C types that an `Option` reads behind a pointer.

/// A C struct that a pointer in a field leads to: an `Option<T>` reads `X *` if `T` reads this `X`.
///
/// It is implemented for `raw::Node`, which stands for a node of any type, and for the struct of every node that says
/// itself what it is. It is not for
///
/// - `char`, which may be a whole field or the first byte of a string: an `Option<String>` reads `char *`;
/// - `List`, which may hold nodes or numbers: a `Vec<Node>` reads `List *`, and a `Vec<u64>` reads `Bitmapset *`;
/// - headers, such as `Expr`, which have no more than a tag. What reads `Node *` reads `Expr *` as well.
///
/// ```
/// # #[cfg(feature = "pg18")] {
/// use pg_ast::Pointee;
/// use pg_ast::pg18::raw;
///
/// fn is_pointee<X: Pointee>() {}
/// is_pointee::<raw::RangeVar>();
/// is_pointee::<raw::Node>();
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a pointer to `{Self}` is not read as an `Option` of what reads `{Self}`",
    label = "no `Option` of this type reads `{Self} *`",
    note = "see https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#field-types"
)]
pub trait Pointee {}
