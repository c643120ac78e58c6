//! PL/pgSQL: functions as typed trees, with the trees of the SQL inside them.
//!
//! [`parse`] compiles every function, procedure and `DO` of SQL that is in PL/pgSQL, by PostgreSQL's own compiler, without a
//! database. The structs are those of PostgreSQL's `plpgsql.h`, with the places of what was written added: a [`Function`] has its
//! variables, each a [`Datum`] with a number ([`Dno`]), and a tree of statements, each a [`Stmt`]. An [`Expr`] has its text
//! and its tree, a [`ParseResult`](super::ParseResult) as of [`parse`](super::parse()).
//!
//! All places are byte offsets in the SQL that was parsed, also those of nodes in the trees of expressions: whichever quotes the
//! body has.
//!
//! | question | call |
//! |---|---|
//! | which parts a function has | [`Function::parts`], [`Function::visit`], [`Function::nodes`] |
//! | what functions in SQL are | [`Parsed::sql_functions`], [`sql_body`] |
//! | where control goes, how variables are used, how dynamic SQL is built, what is named; and to print it | the crate [`pg_ast_plpgsql`](https://docs.rs/pg_ast_plpgsql) |
//!
//! Types, tables and other functions are not looked up. A variable whose type is not one of PostgreSQL's own
//! ([`DataType::unknown`]) may be used as one of any kind.
//!
//! ```
//! use pg_ast::plpgsql::{self, Stmt};
//!
//! let sql = "CREATE FUNCTION total(id int) RETURNS numeric LANGUAGE plpgsql AS $$
//! DECLARE sum numeric(10, 2) := 0;
//! BEGIN
//!     SELECT sum(price) INTO sum FROM items WHERE order_id = id;
//!     RETURN sum;
//! END $$";
//! let parsed = plpgsql::parse(sql)?;
//! let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
//! assert_eq!(function.name.as_deref(), Some("total"));
//!
//! let Stmt::Execsql(select) = &function.action.body[0] else { panic!() };
//! assert_eq!(select.sqlstmt.tree.tables(), ["items"]);
//! let target = select.target.as_ref().unwrap();
//! assert_eq!(function.variable_name(target.dnos()[0]), Some("sum"));
//! assert!(sql[select.range().unwrap()].starts_with("SELECT sum(price) INTO sum"));
//! # Ok::<(), pg_ast::Error>(())
//! ```

mod body_items;
mod body_shapes;
mod body_views;
mod body_walk;
mod compile;
mod datums;
pub(super) mod json_call;
mod json_fields;
pub(super) mod json_values;
mod parts_of_body;
mod sql_functions;
mod stmts;
mod view_call;

use super::{facts, ffi, names, print, read, tree, view as sql_view};

pub use super::super::plpgsql_tree::*;
pub use body_walk::{Parts, VisitFunction};
pub use compile::{Parsed, ParsedFunction, parse, parse_body, parse_with};
pub use datums::{Dno, Target};
pub use parts_of_body::Part;
pub use sql_functions::{SqlFunction, sql_body};
pub use stmts::Stmts;

/// What the generated code names.
pub(crate) mod prelude {
    pub(crate) use super::super::names::{ParseResult, protobuf, raw};
    pub(crate) use super::stmts::constants;
    pub(crate) use super::{Dno, Stmts, Target};
    pub(crate) use pg_ast_derive::FromRaw;
}

pub mod view {
    //! Functions in PL/pgSQL as PostgreSQL's compiler made them, in C, for reading.
    //!
    //! A view is the tree of [`plpgsql::parse`](super::parse()) without the copy, as those of [`pg_ast::view`](crate::view)
    //! are: [`parse`] returns [`Parsed`], which owns the C structs, and the types here are references to them, with a method
    //! for each field, of the same name as in the owned struct. The trees of the SQL inside are views as well.
    //!
    //! ```
    //! use pg_ast::plpgsql::view::{self, Stmt};
    //!
    //! let sql = "DO $$ DECLARE a int; BEGIN SELECT b INTO a FROM t; END $$";
    //! let parsed = view::parse(sql)?;
    //! let function = parsed.functions().next().unwrap().function()?;
    //! let Some(Stmt::Execsql(stmt)) = function.action().body().first() else { panic!() };
    //! let select = stmt.sqlstmt().tree().and_then(|tree| tree.stmt()?.as_select_stmt()).unwrap();
    //! let table = select.from_clause().first().and_then(|item| item.as_range_var()).unwrap();
    //! assert_eq!(&sql[table.location() as usize..][..1], "t");
    //! # Ok::<(), pg_ast::Error>(())
    //! ```

    pub use super::super::super::plpgsql_views::*;
    pub use super::body_items::{Conditions, Dnos, Elements, ElementsIter};
    pub use super::body_views::{Datum, Stmt, Target};
    pub use super::view_call::{Compiled, Parsed, ParsedFunction, parse, parse_body, parse_with};
}

/// What the generated views name.
pub(crate) mod view_prelude {
    pub(crate) use super::super::names::{protobuf, raw};
    pub(crate) use super::Dno;
    pub(crate) use super::body_items::{Conditions, Dnos, Elements};
    pub(crate) use super::body_views::{
        Datum, Element, OfArray, Shown, Stmt, Target, array, items, part, view,
    };
    pub(crate) use super::sql_view::macros::field;
    pub(crate) use super::sql_view::memory::arrays::{ArrayInC, zeros};
    pub(crate) use super::sql_view::to_owned::{debug, to_owned};
    pub(crate) use crate::convert::c_tree::in_c::InC;
}
