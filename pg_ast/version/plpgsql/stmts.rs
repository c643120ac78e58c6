//! Lists of statements, and what all parts of the tree have.
//!
//! Statements contain lists of statements: each recursion over the tree goes through `Stmts`, which takes more stack from the
//! heap when this one runs short, so that the depth of a body does not matter.

use core::fmt;
use core::mem;
use core::ops::{Deref, DerefMut, Range};

use super::super::super::plpgsql_tree as generated;
use super::super::super::plpgsql_tree::{
    Datum, Stmt, each_datum, each_ranged, each_stmt, each_struct,
};
use super::names::protobuf;
use super::{Dno, Target};
use crate::convert::lists::FromItems;
use crate::foundation::stack::{DEEPER, Level, with_stack};
use crate::types::heap_size::HeapSize;

/// A list of statements: a [`Vec`] that can be dropped, cloned, compared and printed on any stack, however deep the statements
/// in it are.
///
/// ```
/// use pg_ast::plpgsql::{self, Stmt, StmtNull, Stmts};
///
/// let parsed = plpgsql::parse("DO $$ BEGIN IF a THEN NULL; END IF; END $$")?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let Stmt::If(stmt) = &function.action.body[0] else { panic!() };
/// assert!(matches!(stmt.then_body[..], [Stmt::Null(_)]));
///
/// let body: Stmts = [Stmt::Null(Box::new(StmtNull::default()))].into_iter().collect();
/// assert_eq!(body.into_iter().count(), 1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Default)]
pub struct Stmts(Vec<Stmt>);

impl Drop for Stmts {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            with_stack(|| drop(mem::take(&mut self.0)));
        }
    }
}

impl Clone for Stmts {
    fn clone(&self) -> Self {
        with_stack(|| Self(self.0.clone()))
    }
}

impl PartialEq for Stmts {
    fn eq(&self, other: &Self) -> bool {
        with_stack(|| self.0 == other.0)
    }
}

impl fmt::Debug for Stmts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(_level) = Level::enter(2) else { return f.write_str(DEEPER) };
        with_stack(|| self.0.fmt(f))
    }
}

impl HeapSize for Stmts {
    fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

impl Deref for Stmts {
    type Target = Vec<Stmt>;

    fn deref(&self) -> &Vec<Stmt> {
        &self.0
    }
}

impl DerefMut for Stmts {
    fn deref_mut(&mut self) -> &mut Vec<Stmt> {
        &mut self.0
    }
}

impl From<Vec<Stmt>> for Stmts {
    fn from(stmts: Vec<Stmt>) -> Self {
        Self(stmts)
    }
}

impl FromIterator<Stmt> for Stmts {
    fn from_iter<I: IntoIterator<Item = Stmt>>(stmts: I) -> Self {
        Self(stmts.into_iter().collect())
    }
}

impl IntoIterator for Stmts {
    type Item = Stmt;
    type IntoIter = std::vec::IntoIter<Stmt>;

    fn into_iter(mut self) -> Self::IntoIter {
        mem::take(&mut self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Stmts {
    type Item = &'a Stmt;
    type IntoIter = core::slice::Iter<'a, Stmt>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Stmts {
    type Item = &'a mut Stmt;
    type IntoIter = core::slice::IterMut<'a, Stmt>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl FromItems for Stmts {
    type Item = Stmt;

    fn from_items(items: Vec<Stmt>) -> Self {
        Self(items)
    }
}

/// Returns the range between two places, if there is one.
pub(super) fn range(location: i32, end: i32) -> Option<Range<usize>> {
    let (start, end) = (usize::try_from(location).ok()?, usize::try_from(end).ok()?);
    (start <= end).then_some(start..end)
}

macro_rules! ranged {
    ($($rust:ident)*) => {$(
        impl generated::$rust {
            /// Returns its place in the text, as byte offsets; `None` if it was not written there.
            #[must_use]
            pub fn range(&self) -> Option<Range<usize>> {
                range(self.location, self.end)
            }
        }
    )*};
}
each_ranged!(ranged);

macro_rules! sizes {
    ($($rust:ident $raw:ident: $($field:ident)*;)*) => {$(
        impl HeapSize for generated::$rust {
            fn heap_size(&self) -> usize {
                let Self { $($field),* } = self;
                0 $(+ $field.heap_size())*
            }
        }
    )*};
}
each_struct!(sizes);

macro_rules! statements {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        impl HeapSize for Stmt {
            fn heap_size(&self) -> usize {
                match self { $(Self::$variant(stmt) => stmt.heap_size(),)* }
            }
        }

        impl Stmt {
            /// Returns its place in the text, as byte offsets: from the label to the semicolon.
            ///
            /// ```
            /// let sql = "DO $$ BEGIN <<l>> LOOP EXIT l; END LOOP; END $$";
            /// let parsed = pg_ast::plpgsql::parse(sql)?;
            /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
            /// let range = function.action.body[0].range().unwrap();
            /// assert_eq!(&sql[range], "<<l>> LOOP EXIT l; END LOOP;");
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            pub fn range(&self) -> Option<Range<usize>> {
                match self { $(Self::$variant(stmt) => stmt.range(),)* }
            }

            /// Returns the number of its line in the body, from 1.
            #[must_use]
            pub fn lineno(&self) -> i32 {
                match self { $(Self::$variant(stmt) => stmt.lineno,)* }
            }

            /// Returns PostgreSQL's name of its type: that of the C struct.
            ///
            /// ```
            /// let parsed = pg_ast::plpgsql::parse("DO $$ BEGIN COMMIT; END $$")?;
            /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
            /// assert_eq!(function.action.body[0].name(), "PLpgSQL_stmt_commit");
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($raw),)* }
            }
        }

        $(
            impl From<generated::$rust> for Stmt {
                fn from(stmt: generated::$rust) -> Self {
                    Self::$variant(Box::new(stmt))
                }
            }
        )*
    };
}
each_stmt!(statements);

impl Default for Stmt {
    /// `NULL`.
    fn default() -> Self {
        Self::Null(Box::default())
    }
}

macro_rules! datums {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        impl HeapSize for Datum {
            fn heap_size(&self) -> usize {
                match self { $(Self::$variant(datum) => datum.heap_size(),)* }
            }
        }
    };
}
each_datum!(datums);

macro_rules! nothing {
    ($($type:ty),*) => {$(
        impl HeapSize for $type {
            fn heap_size(&self) -> usize {
                0
            }
        }
    )*};
}
nothing!(Dno, protobuf::FetchDirection, protobuf::FunctionParameterMode);

impl HeapSize for Target {
    fn heap_size(&self) -> usize {
        match self {
            Self::Record(_) => 0,
            Self::List(dnos) => dnos.heap_size(),
        }
    }
}

/// What an enumeration has besides its constants.
macro_rules! constants {
    ($rust:ident: $($variant:ident $name:ident;)*) => {
        impl $rust {
            /// All constants, in the order of C.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns PostgreSQL's name of the constant.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }
        }

        impl $crate::HeapSize for $rust {
            fn heap_size(&self) -> usize {
                0
            }
        }
    };
}
pub(crate) use constants;
