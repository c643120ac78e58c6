//! The body of a routine, as its statement has it.

/// The language and the body of a `CREATE FUNCTION`, a `CREATE PROCEDURE` or a `DO`. See
/// [`Node::routine_body`](crate::view::Node::routine_body).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RoutineBody<'a> {
    /// The name of the language. Where none is written, it is `plpgsql` for `DO`, and `sql` for a body that is no string; otherwise
    /// `None`, which the server refuses.
    pub language: Option<&'a str>,
    /// The string that is the body; of a function in C, the name of the file. `None` for `RETURN` and `BEGIN ATOMIC`, and where
    /// there is no body.
    pub source: Option<&'a str>,
}
