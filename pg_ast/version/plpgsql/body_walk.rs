//! Walks over a function: an iterator, and a visitor with a method for each kind of part.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::super::super::plpgsql_tree as generated;
use super::super::super::plpgsql_tree::{
    DataType, Decl, Exception, Expr, Function, StmtBlock, each_stmt,
};
use super::Part;
use super::names::NodeRef;
use crate::foundation::stack::with_stack;

/// An iterator over the parts of a function, from the top down: a part comes before those in it, which are in the order of
/// the text.
///
/// It begins with the types of the parameters and of the result, and the outermost block. Below an expression are the nodes of its
/// tree. Its state is on the heap, so the depth of a body does not matter, and it is lazy.
///
/// ```
/// use pg_ast::NodeRef;
/// use pg_ast::plpgsql::{self, Part};
///
/// let sql = "DO $$ DECLARE n int := f(1); BEGIN <<b>> BEGIN PERFORM g(n); END; END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let mut calls = Vec::new();
/// let mut parts = function.parts();
/// while let Some(part) = parts.next() {
///     if let Part::Node(NodeRef::FuncCall(call)) = part {
///         let label = parts.block().and_then(|block| block.label.as_deref());
///         let call = &sql[call.location as usize..][..4];
///         calls.push((call, label));
///     }
/// }
/// assert_eq!(calls, [("f(1)", None), ("g(n)", Some("b"))]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Parts<'a> {
    function: &'a Function,
    /// The remaining parts, the next one last, each with its depth.
    stack: Vec<(Part<'a>, usize)>,
    /// The last part, after its ancestors.
    path: Vec<Part<'a>>,
    /// The index in the stack at which the parts in that one begin.
    children: usize,
}

impl<'a> Parts<'a> {
    /// Skips the parts in the last one.
    pub fn skip_children(&mut self) {
        self.stack.truncate(self.children);
    }

    /// Returns the ancestors of the last part, its parent at the end.
    #[must_use]
    pub fn ancestors(&self) -> &[Part<'a>] {
        self.path.split_last().map_or(&[], |(_, ancestors)| ancestors)
    }

    /// Returns the innermost block around the last part.
    #[must_use]
    pub fn block(&self) -> Option<&'a StmtBlock> {
        self.ancestors().iter().rev().find_map(|part| match part {
            Part::Block(block) => Some(*block),
            _ => None,
        })
    }

    /// Returns the innermost statement around the last part.
    #[must_use]
    pub fn stmt(&self) -> Option<Part<'a>> {
        self.ancestors().iter().rev().copied().find(|part| part.is_stmt())
    }

    /// Returns the expression that the last part is, or that is around it.
    #[must_use]
    pub fn expr(&self) -> Option<&'a Expr> {
        self.path.iter().rev().find_map(|part| match part {
            Part::Expr(expr) => Some(*expr),
            _ => None,
        })
    }

    /// Returns whether the last part is, or is in, an expression whose value is run as SQL: that of `EXECUTE`.
    ///
    /// ```
    /// use pg_ast::plpgsql::{self, Part};
    ///
    /// let sql = "DO $$ BEGIN EXECUTE 'DELETE FROM ' || t USING 1; END $$";
    /// let parsed = plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let mut parts = function.parts();
    /// let mut exprs = Vec::new();
    /// while let Some(part) = parts.next() {
    ///     if let Part::Expr(expr) = part {
    ///         exprs.push((expr.query.as_str(), parts.is_dynamic()));
    ///     }
    /// }
    /// assert_eq!(exprs, [("'DELETE FROM ' || t", true), ("1", false)]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        let dynamic = self.stmt().and_then(Part::dynamic);
        dynamic.is_some_and(|dynamic| self.expr().is_some_and(|expr| core::ptr::eq(expr, dynamic)))
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let (part, depth) = self.stack.pop()?;
        self.path.truncate(depth);
        self.path.push(part);
        self.children = self.stack.len();
        let stack = &mut self.stack;
        part.each_child(self.function, &mut |child| stack.push((child, depth + 1)));
        self.stack[self.children..].reverse();
        Some(part)
    }
}

impl FusedIterator for Parts<'_> {}

impl<'a> Part<'a> {
    /// Returns the expression of a statement whose value is run as SQL: that of `EXECUTE`, also in `FOR`, `OPEN` and
    /// `RETURN QUERY`.
    #[must_use]
    pub fn dynamic(self) -> Option<&'a Expr> {
        match self {
            Self::Dynexecute(stmt) => Some(&stmt.query),
            Self::Dynfors(stmt) => Some(&stmt.query),
            Self::Open(stmt) => stmt.dynquery.as_ref(),
            Self::ReturnQuery(stmt) => stmt.dynquery.as_ref(),
            _ => None,
        }
    }

    /// Returns the expressions after `USING` of a statement with [dynamic](Self::dynamic) SQL.
    #[must_use]
    pub fn dynamic_params(self) -> Option<&'a [Expr]> {
        self.dynamic()?;
        match self {
            Self::Dynexecute(stmt) => Some(&stmt.params),
            Self::Dynfors(stmt) => Some(&stmt.params),
            Self::Open(stmt) => Some(&stmt.params),
            Self::ReturnQuery(stmt) => Some(&stmt.params),
            _ => None,
        }
    }
}

impl Function {
    /// Returns every part of the function, with the nodes of the SQL inside; see [`Parts`].
    pub fn parts(&self) -> Parts<'_> {
        let mut stack = Vec::new();
        self.each_root(&mut |part| stack.push((part, 0)));
        stack.reverse();
        Parts { function: self, children: stack.len(), stack, path: Vec::new() }
    }

    /// Returns every node of the SQL inside, in the order of [`parts`](Self::parts).
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let sql = "DO $$ BEGIN FOR i IN 1 .. f() LOOP DELETE FROM t WHERE a = i; END LOOP; END $$";
    /// let parsed = pg_ast::plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let tables: Vec<_> = function
    ///     .nodes()
    ///     .filter_map(|node| match node {
    ///         NodeRef::RangeVar(table) => Some(table.relname.as_str()),
    ///         _ => None,
    ///     })
    ///     .collect();
    /// assert_eq!(tables, ["t"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn nodes(&self) -> impl FusedIterator<Item = NodeRef<'_>> {
        self.parts().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            _ => None,
        })
    }

    /// Visits the parts of the function as far as the visitor descends; see [`VisitFunction`].
    pub fn visit<'a, V: VisitFunction<'a> + ?Sized>(
        &'a self,
        visitor: &mut V,
    ) -> ControlFlow<V::Break> {
        let mut roots = Vec::new();
        self.each_root(&mut |part| roots.push(part));
        roots.into_iter().try_for_each(|part| part.visit(self, visitor))
    }
}

macro_rules! visitor {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        /// A walk over a function, with a method for each kind of statement and of other parts.
        ///
        /// Each method visits the parts in its part, unless it is overridden. An overriding method calls
        /// [`visit_children`](Self::visit_children) for that; if it does not, the walk skips them. A method that breaks ends the
        /// walk. For the nodes of the SQL inside, there is one method, [`visit_node`](Self::visit_node); a
        /// [`Visit`](crate::Visit) can continue there.
        ///
        /// A walk begins with [`Function::visit`]. It takes more stack from the heap when it needs it, so that the depth of a
        /// body does not matter.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::plpgsql::{self, Function, StmtLoop, StmtReturn, VisitFunction};
        ///
        /// /// Counts the `RETURN` that are not in a `LOOP`.
        /// #[derive(Default)]
        /// struct Returns(usize);
        ///
        /// impl<'a> VisitFunction<'a> for Returns {
        ///     type Break = ();
        ///
        ///     fn visit_stmt_return(&mut self, _: &'a StmtReturn, _: &'a Function) -> ControlFlow<()> {
        ///         self.0 += 1;
        ///         ControlFlow::Continue(())
        ///     }
        ///
        ///     fn visit_stmt_loop(&mut self, _: &'a StmtLoop, _: &'a Function) -> ControlFlow<()> {
        ///         ControlFlow::Continue(())
        ///     }
        /// }
        ///
        /// let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        ///     LOOP RETURN 1; END LOOP;
        ///     IF b THEN RETURN 2; END IF;
        ///     RETURN 3;
        /// END $$";
        /// let parsed = plpgsql::parse(sql)?;
        /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
        /// let mut returns = Returns::default();
        /// assert!(function.visit(&mut returns).is_continue());
        /// assert_eq!(returns.0, 2);
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        pub trait VisitFunction<'a> {
            /// The value returned by a walk that stops early.
            type Break;

            /// Called for each part, before the method of its kind.
            fn enter(&mut self, part: Part<'a>) -> ControlFlow<Self::Break> {
                let _ = part;
                ControlFlow::Continue(())
            }

            /// Called for each part, after the method of its kind; not if the walk ends there.
            fn leave(&mut self, part: Part<'a>) -> ControlFlow<Self::Break> {
                let _ = part;
                ControlFlow::Continue(())
            }

            /// Visits the parts in a part, in the order of the text.
            fn visit_children(
                &mut self,
                part: Part<'a>,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                let mut broken = ControlFlow::Continue(());
                part.each_child(function, &mut |child| {
                    if broken.is_continue() {
                        broken = child.visit(function, self);
                    }
                });
                broken
            }

            $(
                #[doc = concat!(
                    " Visits a statement of the kind `", stringify!($variant), "`: by default, the parts in it."
                )]
                fn $visit(
                    &mut self,
                    stmt: &'a generated::$rust,
                    function: &'a Function,
                ) -> ControlFlow<Self::Break> {
                    self.visit_children(Part::$variant(stmt), function)
                }
            )*

            /// Visits a declaration: by default, the type and the expressions of the variable.
            fn visit_decl(
                &mut self,
                decl: &'a Decl,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                self.visit_children(Part::Decl(decl), function)
            }

            /// Visits a handler: by default, the statements in it.
            fn visit_exception(
                &mut self,
                handler: &'a Exception,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                self.visit_children(Part::Exception(handler), function)
            }

            /// Visits an expression: by default, the nodes of its tree.
            fn visit_expr(
                &mut self,
                expr: &'a Expr,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                self.visit_children(Part::Expr(expr), function)
            }

            /// Visits a type: by default, the nodes of its tree.
            fn visit_data_type(
                &mut self,
                ty: &'a DataType,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                self.visit_children(Part::DataType(ty), function)
            }

            /// Visits a node of the SQL inside: by default, the nodes below it.
            fn visit_node(
                &mut self,
                node: NodeRef<'a>,
                function: &'a Function,
            ) -> ControlFlow<Self::Break> {
                self.visit_children(Part::Node(node), function)
            }
        }

        impl<'a> Part<'a> {
            /// Visits this part of the function, and those in it as far as the visitor descends; see [`VisitFunction`].
            ///
            /// It calls `enter`, the method of its kind, and `leave`.
            pub fn visit<V: VisitFunction<'a> + ?Sized>(
                self,
                function: &'a Function,
                visitor: &mut V,
            ) -> ControlFlow<V::Break> {
                with_stack(|| {
                    visitor.enter(self)?;
                    match self {
                        $(Self::$variant(stmt) => visitor.$visit(stmt, function),)*
                        Self::Decl(decl) => visitor.visit_decl(decl, function),
                        Self::Exception(handler) => visitor.visit_exception(handler, function),
                        Self::Expr(expr) => visitor.visit_expr(expr, function),
                        Self::DataType(ty) => visitor.visit_data_type(ty, function),
                        Self::Node(node) => visitor.visit_node(node, function),
                    }?;
                    visitor.leave(self)
                })
            }
        }
    };
}
each_stmt!(visitor);
