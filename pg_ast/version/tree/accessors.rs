//! Shortcuts to common parts: statements, nodes of a given type, names, constants.

use super::names::protobuf;
use super::names::protobuf::{AConst, AExpr, AExprKind, ColumnRef, FuncCall, TypeName, a_const};
use super::names::{Node, NodeEnum, NodeMut, NodeRef, ParseResult};
use crate::types::literal::{Literal, Sign};

macro_rules! of_type {
    ($(
        $variant:ident $message:ident $held:ident $raw:ident $name:ident $visit:ident
        $as:ident $as_mut:ident;
    )*) => {
        /// Conversions to a given node type.
        ///
        /// ```
        /// use pg_ast::Node;
        ///
        /// let tree = pg_ast::parse("SELECT 1 FROM t")?;
        /// let select = tree.stmts().find_map(|stmt| stmt.as_select_stmt());
        /// let table = select.and_then(|select| select.from_clause.first()?.as_range_var());
        /// assert_eq!(table.map(|table| table.relname.as_str()), Some("t"));
        /// assert_eq!(Node::default().as_select_stmt(), None);
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        impl Node {
            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as(&self) -> Option<&protobuf::$message> {
                    self.node.as_ref()?.$as()
                }

                #[doc = concat!("The node as a `", stringify!($variant), "`, mutably, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as_mut(&mut self) -> Option<&mut protobuf::$message> {
                    self.node.as_mut()?.$as_mut()
                }
            )*
        }

        /// Conversions to a given node type.
        impl NodeEnum {
            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as(&self) -> Option<&protobuf::$message> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }

                #[doc = concat!("The node as a `", stringify!($variant), "`, mutably, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as_mut(&mut self) -> Option<&mut protobuf::$message> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }
            )*
        }

        /// Conversions to a given node type.
        impl<'a> NodeRef<'a> {
            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as(self) -> Option<&'a protobuf::$message> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }
            )*
        }

        /// Conversions to a given node type. A method that takes the node itself returns a
        /// reference that lives as long; use [`reborrow`](NodeMut::reborrow) to keep the node.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// let mut tree = pg_ast::parse("SELECT a FROM t JOIN u USING (id)")?;
        /// let _ = tree.walk_mut(|node| {
        ///     if let Some(table) = node.as_range_var_mut() {
        ///         table.schemaname = "s".to_owned();
        ///     }
        ///     ControlFlow::<()>::Continue(())
        /// });
        /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a FROM s.t JOIN s.u USING (id)");
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        impl<'a> NodeMut<'a> {
            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as(&self) -> Option<&protobuf::$message> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }

                #[doc = concat!("The node as a `", stringify!($variant), "`, mutably, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as_mut(self) -> Option<&'a mut protobuf::$message> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }
            )*
        }
    };
}
protobuf::each_node!(of_type);

impl protobuf::ParseResult {
    /// Returns the statements as nodes, in order; see [`ParseResult::stmts`](super::super::ParseResult::stmts).
    #[must_use]
    pub fn stmts(&self) -> impl DoubleEndedIterator<Item = NodeRef<'_>> + Clone {
        self.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.to_ref())
    }

    /// Returns the statements as mutable nodes, in order; see
    /// [`ParseResult::stmts_mut`](super::super::ParseResult::stmts_mut).
    #[must_use]
    pub fn stmts_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Node> {
        self.stmts.iter_mut().filter_map(|stmt| stmt.stmt.as_deref_mut())
    }
}

impl ParseResult {
    /// Returns the statements as nodes, in order.
    ///
    /// The [`RawStmt`](protobuf::RawStmt) around each of them has its place in the SQL: those
    /// are `tree.protobuf.stmts`.
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let tree = pg_ast::parse("SELECT 1; DELETE FROM t; SELECT a, b")?;
    /// let targets = tree.stmts().filter_map(NodeRef::as_select_stmt).map(|s| s.target_list.len());
    /// assert_eq!(targets.collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn stmts(&self) -> impl DoubleEndedIterator<Item = NodeRef<'_>> + Clone {
        self.protobuf.stmts()
    }

    /// Returns the statements as mutable nodes, in order. Each is a [`Node`], so that a statement of another
    /// type can take its place.
    ///
    /// A change of a field is a change of this field alone. Of `SET (a, b) = (SELECT ..)`, an owned tree has the `SELECT`
    /// once for each column, and the first is printed: walks, such as [`nodes_mut`](super::super::ParseResult::nodes_mut),
    /// change all of them.
    ///
    /// ```
    /// let mut tree = pg_ast::parse("SELECT * FROM users WHERE id = 1; SELECT 2")?;
    /// for stmt in tree.stmts_mut() {
    ///     if let Some(select) = stmt.as_select_stmt_mut() {
    ///         select.where_clause = None;
    ///     }
    /// }
    /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT * FROM users; SELECT 2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn stmts_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Node> {
        self.change().stmts_mut()
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the text of a `String` node: a name in a list of names; see [`Node::as_str`].
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        Some(&self.as_string()?.sval)
    }

    /// Returns the value of a constant; see [`Node::literal`].
    #[must_use]
    pub fn literal(self) -> Option<Literal<'a>> {
        let (mut node, mut sign) = (self, None);
        loop {
            node = match node {
                Self::TypeCast(cast) => cast.arg.as_ref()?.to_ref()?,
                Self::AExpr(expr) => {
                    let (operand, before) = signed(expr)?;
                    sign = Some(before.before(sign));
                    operand.to_ref()?
                }
                Self::AConst(constant) => return value(constant)?.signed(sign),
                _ => return None,
            }
        }
    }
}

/// Returns the operand of a sign, and the sign.
fn signed(expr: &AExpr) -> Option<(&Node, Sign)> {
    match (&expr.name[..], &expr.lexpr, &expr.rexpr) {
        ([name], None, Some(operand)) if expr.kind() == AExprKind::AexprOp => {
            Some((operand, Sign::new(name.as_str()?)?))
        }
        _ => None,
    }
}

fn value(constant: &AConst) -> Option<Literal<'_>> {
    if constant.isnull {
        return Some(Literal::Null);
    }
    Some(match constant.val.as_ref()? {
        a_const::Val::Ival(integer) => Literal::Integer(integer.ival.into()),
        a_const::Val::Fval(float) => Literal::number(float.fval.as_str()),
        a_const::Val::Boolval(boolean) => Literal::Boolean(boolean.boolval),
        a_const::Val::Sval(string) => Literal::String(&string.sval),
        a_const::Val::Bsval(bits) => Literal::BitString(&bits.bsval),
    })
}

impl NodeEnum {
    /// Returns the text of a `String` node: a name in a list of names; see [`Node::as_str`].
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        Some(&self.as_string()?.sval)
    }
}

impl Node {
    /// Returns the text of a `String` node: a name in a list of names. For constants, see
    /// [`literal`](Self::literal).
    ///
    /// ```
    /// let tree = pg_ast::parse("DROP TABLE s.t")?;
    /// let drop = tree.stmts().next().and_then(|stmt| stmt.as_drop_stmt()).unwrap();
    /// let name = drop.objects[0].as_list().unwrap();
    /// assert_eq!(name.items.iter().filter_map(|part| part.as_str()).collect::<Vec<_>>(), ["s", "t"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        Some(&self.as_string()?.sval)
    }

    /// Returns the value of a constant, also with casts around it or signs before it: `1`, `-1`, `'1'::int`,
    /// `- 1::bigint`. `None` for any other expression.
    ///
    /// The value is the one that is written, before any cast: `'1'::int` is a string.
    ///
    /// ```
    /// use pg_ast::Literal;
    ///
    /// assert_eq!(pg_ast::parse_expr("- 7::bigint")?.literal(), Some(Literal::Integer(-7)));
    /// assert_eq!(pg_ast::parse_expr("-1.50")?.literal(), Some(Literal::Float("-1.50".into())));
    /// assert_eq!(pg_ast::parse_expr("DATE '2026-01-01'")?.literal(), Some(Literal::String("2026-01-01")));
    /// assert_eq!(pg_ast::parse_expr("1 + 1")?.literal(), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn literal(&self) -> Option<Literal<'_>> {
        self.to_ref()?.literal()
    }
}

/// Returns the parts of a name, `*` for a star.
fn names(list: &[Node]) -> impl DoubleEndedIterator<Item = &str> + Clone {
    list.iter().filter_map(|part| match &part.node {
        Some(NodeEnum::String(string)) => Some(string.sval.as_str()),
        Some(NodeEnum::AStar(_)) => Some("*"),
        _ => None,
    })
}

impl ColumnRef {
    /// Returns the parts of the column's name: `t`, `a` for `t.a`; and `*` for all columns, which
    /// [`is_star`](Self::is_star) distinguishes from a column of that name.
    ///
    /// Mirrors `NameListToString` of PostgreSQL's `src/backend/catalog/namespace.c`.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("s.t.a")?;
    /// assert!(expr.as_column_ref().unwrap().names().eq(["s", "t", "a"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        names(&self.fields)
    }

    /// Returns whether this stands for all columns: `t.*` or `*`.
    ///
    /// ```
    /// let is_star = |sql| Some(pg_ast::parse_expr(sql).ok()?.as_column_ref()?.is_star());
    /// assert_eq!((is_star("t.*"), is_star("t.\"*\"")), (Some(true), Some(false)));
    /// ```
    #[must_use]
    pub fn is_star(&self) -> bool {
        self.fields.last().is_some_and(|last| last.as_a_star().is_some())
    }
}

impl TypeName {
    /// Returns the parts of the type's name: `pg_catalog`, `int4` for `int`, which is a keyword.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("a::int")?;
    /// let name = expr.as_type_cast().and_then(|cast| cast.type_name.as_ref()).unwrap();
    /// assert!(name.names().eq(["pg_catalog", "int4"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        names(&self.names)
    }
}

impl FuncCall {
    /// Returns the parts of the function's name: `pg_catalog`, `now` for `pg_catalog.now()`.
    ///
    /// ```
    /// let expr = pg_ast::parse_expr("lower(a)")?;
    /// assert!(expr.as_func_call().unwrap().names().eq(["lower"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        names(&self.funcname)
    }
}
