//! The parts of a function, and how to get from one to those in it.

use core::ops::Range;

use super::super::super::plpgsql_tree as generated;
use super::super::super::plpgsql_tree::{
    DataType, Datum, Decl, Exception, Expr, Function, Param, Stmt, each_stmt, each_struct,
};
use super::names::{Node, NodeRef, ParseResult, protobuf};
use super::{Dno, Stmts, Target};
use crate::ParseMode;

macro_rules! parts {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        /// A part of a function, borrowed: a statement of any kind, a declaration, a handler, an expression, a type, or a
        /// node of the SQL inside.
        ///
        /// It has the size of a reference and a tag, or two, and is `Copy`.
        ///
        /// ```
        /// use pg_ast::plpgsql::{self, Part};
        ///
        /// let parsed = plpgsql::parse("DO $$ BEGIN UPDATE t SET a = 1; COMMIT; END $$")?;
        /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
        /// let stmts: Vec<_> =
        ///     function.parts().filter(|part| part.is_stmt()).map(|part| part.name()).collect();
        /// let names = ["PLpgSQL_stmt_block", "PLpgSQL_stmt_execsql", "PLpgSQL_stmt_commit"];
        /// assert_eq!(stmts, names);
        /// assert!(function.parts().any(|part| matches!(part, Part::Commit(stmt) if !stmt.chain)));
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Part<'a> {
            $(
                #[doc = concat!("A statement; see [`Stmt::", stringify!($variant), "`].")]
                $variant(&'a generated::$rust),
            )*
            /// A declaration of a block.
            Decl(&'a Decl),
            /// A handler: a `WHEN` after `EXCEPTION`.
            Exception(&'a Exception),
            /// An expression or a statement in SQL.
            Expr(&'a Expr),
            /// The type of a variable, of a parameter or of the result.
            DataType(&'a DataType),
            /// A node of the SQL inside.
            Node(NodeRef<'a>),
        }

        impl<'a> Part<'a> {
            /// Returns whether it is a statement of PL/pgSQL.
            #[must_use]
            pub fn is_stmt(self) -> bool {
                matches!(self, $(Self::$variant(_))|*)
            }

            /// Returns whether it is a loop, of any kind.
            ///
            /// ```
            /// let body = "BEGIN WHILE a LOOP NULL; END LOOP; RETURN; END";
            /// let body = pg_ast::plpgsql::parse_body(body, None)?;
            /// let mut parts = body.parts();
            /// let mut loops = 0;
            /// while let Some(part) = parts.next() {
            ///     loops += usize::from(part.is_loop());
            /// }
            /// assert_eq!(loops, 1);
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            pub fn is_loop(self) -> bool {
                matches!(
                    self,
                    Self::Loop(_)
                        | Self::While(_)
                        | Self::Fori(_)
                        | Self::Fors(_)
                        | Self::Forc(_)
                        | Self::ForeachA(_)
                        | Self::Dynfors(_)
                )
            }

            /// Returns PostgreSQL's name of its type: that of the C struct.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($raw),)*
                    Self::Decl(_) => "PLpgSQL_decl",
                    Self::Exception(_) => "PLpgSQL_exception",
                    Self::Expr(_) => "PLpgSQL_expr",
                    Self::DataType(_) => "PLpgSQL_type",
                    Self::Node(node) => node.name(),
                }
            }

            /// Returns its place in the text, as byte offsets; `None` if it was not written there, and for nodes, of
            /// which only the [location](NodeRef::location) is known.
            #[must_use]
            pub fn range(self) -> Option<Range<usize>> {
                match self {
                    $(Self::$variant(stmt) => stmt.range(),)*
                    Self::Decl(decl) => decl.range(),
                    Self::Exception(handler) => handler.range(),
                    Self::Expr(expr) => expr.range(),
                    Self::DataType(ty) => ty.range(),
                    Self::Node(_) => None,
                }
            }

            /// Calls `f` for each part in this one, in the order of the text.
            ///
            /// The parts of a statement are its expressions, and then the statements in it; those of an expression and of a
            /// type, the statement in SQL that its tree is; those of a declaration, the variable's type and its expressions,
            /// which are in the `function`.
            pub fn children(self, function: &'a Function, mut f: impl FnMut(Part<'a>)) {
                self.each_child(function, &mut f);
            }

            /// Compiled here, and not for each `f`.
            pub(super) fn each_child(self, function: &'a Function, f: &mut dyn FnMut(Part<'a>)) {
                match self {
                    $(Self::$variant(stmt) => stmt.parts(f),)*
                    Self::Decl(decl) => declared(decl, function, f),
                    Self::Exception(handler) => handler.action.parts(f),
                    Self::Expr(expr) => expr.tree.parts(f),
                    Self::DataType(ty) => ty.tree.parts(f),
                    Self::Node(node) => node.children(|child| f(Part::Node(child))),
                }
            }
        }

        impl<'a> From<&'a Stmt> for Part<'a> {
            fn from(stmt: &'a Stmt) -> Self {
                match stmt { $(Stmt::$variant(stmt) => Self::$variant(stmt),)* }
            }
        }

        $(
            impl<'a> From<&'a generated::$rust> for Part<'a> {
                fn from(stmt: &'a generated::$rust) -> Self {
                    Self::$variant(stmt)
                }
            }
        )*
    };
}
each_stmt!(parts);

/// The parts of a declared variable.
fn declared<'a>(decl: &'a Decl, function: &'a Function, f: &mut dyn FnMut(Part<'a>)) {
    if decl.kind == generated::DeclType::Alias {
        return;
    }
    match function.datum(decl.dno) {
        Some(Datum::Var(var) | Datum::Promise(var)) => {
            // The type of a cursor is not written.
            let is_cursor = decl.kind == generated::DeclType::Cursor;
            if let (true, Some(Datum::Row(row))) =
                (is_cursor, var.cursor_explicit_argrow.and_then(|dno| function.datum(dno)))
            {
                for parameter in row.varnos.iter().filter_map(|dno| function.datum(*dno)) {
                    of_type(parameter, f);
                }
            }
            if !is_cursor {
                f(Part::DataType(&var.datatype));
            }
            var.cursor_explicit_expr.parts(f);
            var.default_val.parts(f);
        }
        Some(Datum::Rec(rec)) => {
            rec.datatype.parts(f);
            rec.default_val.parts(f);
        }
        Some(Datum::Row(_) | Datum::Recfield(_)) | None => {}
    }
}

fn of_type<'a>(datum: &'a Datum, f: &mut dyn FnMut(Part<'a>)) {
    match datum {
        Datum::Var(var) | Datum::Promise(var) => f(Part::DataType(&var.datatype)),
        Datum::Rec(rec) => rec.datatype.parts(f),
        Datum::Row(_) | Datum::Recfield(_) => {}
    }
}

impl Function {
    /// Calls `f` for the types of the parameters and of the result, and for the outermost block.
    pub(super) fn each_root<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        self.params.parts(f);
        self.returns.parts(f);
        f(Part::Block(&self.action));
    }
}

/// The parts that the value of a field holds, if any. A type that does not implement it does not compile in a struct.
pub(super) trait Holds {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>));
}

macro_rules! nothing {
    ($($type:ty),* $(,)?) => {$(
        impl Holds for $type {
            fn parts<'a>(&'a self, _: &mut dyn FnMut(Part<'a>)) {}
        }
    )*};
}
nothing!(
    bool,
    i32,
    i64,
    u32,
    String,
    Dno,
    Target,
    ParseMode,
    Node,
    protobuf::FetchDirection,
    protobuf::FunctionParameterMode,
    generated::DeclType,
    generated::GetdiagKind,
    generated::PromiseType,
    generated::RaiseOptionType,
    generated::ResolveOption,
    generated::Trigtype,
    generated::TypeKind,
    generated::Condition,
);

impl<T: Holds> Holds for Option<T> {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        if let Some(value) = self {
            value.parts(f);
        }
    }
}

impl<T: Holds> Holds for Vec<T> {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        for value in self {
            value.parts(f);
        }
    }
}

impl Holds for Stmts {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        for stmt in self {
            f(stmt.into());
        }
    }
}

impl Holds for ParseResult {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        for stmt in self.stmts() {
            f(Part::Node(stmt));
        }
    }
}

/// A value that is a part itself.
macro_rules! itself {
    ($($type:ident)*) => {$(
        impl Holds for $type {
            fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
                f(Part::$type(self));
            }
        }
    )*};
}
itself!(Decl Exception Expr DataType);

impl Holds for Param {
    fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        self.datatype.parts(f);
    }
}

/// The structs whose parts are those of their fields.
macro_rules! structs {
    ($($rust:ident $raw:ident: $($field:ident)*;)*) => {
        $(of_fields!($rust: $($field)*);)*
    };
}
macro_rules! of_fields {
    // These have rules of their own, or are variables, which declarations lead to.
    (Function: $($field:ident)*) => {};
    (Param: $($field:ident)*) => {};
    (Decl: $($field:ident)*) => {};
    (Exception: $($field:ident)*) => {};
    (Expr: $($field:ident)*) => {};
    (DataType: $($field:ident)*) => {};
    (Condition: $($field:ident)*) => {};
    (Var: $($field:ident)*) => {};
    (Row: $($field:ident)*) => {};
    (Rec: $($field:ident)*) => {};
    (Recfield: $($field:ident)*) => {};
    ($rust:ident: $($field:ident)*) => {
        impl Holds for generated::$rust {
            fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
                let Self { $($field),* } = self;
                $($field.parts(f);)*
            }
        }
    };
}
each_struct!(structs);
