//! The parts of statements that most programs ask for, by their types, as in the owned tree.

use super::names::protobuf::AExprKind;
use super::{AExpr, InsertStmt, List, Node, ResTarget, SelectStmt, UpdateStmt};

impl<'a> SelectStmt<'a> {
    /// Returns what the `SELECT` returns: the items of `target_list`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a, 1 AS one FROM t")?;
    /// let select = tree.nodes().find_map(|node| node.as_select_stmt()).unwrap();
    /// assert!(select.targets().map(|target| target.name()).eq(["", "one"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn targets(self) -> impl DoubleEndedIterator<Item = ResTarget<'a>> + Clone {
        self.target_list().iter().filter_map(Node::as_res_target)
    }

    /// Returns the rows of `VALUES`: the lists in `values_lists`.
    ///
    /// ```
    /// use pg_ast::{Literal, view::{self, Node}};
    ///
    /// let tree = view::parse("VALUES (1, 'a'), (2, 'b')")?;
    /// let values = tree.nodes().find_map(|node| node.as_select_stmt()).unwrap();
    /// let keys = values.rows().map(|row| row.first().and_then(Node::literal).unwrap());
    /// assert!(keys.eq([Literal::Integer(1), Literal::Integer(2)]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn rows(self) -> impl DoubleEndedIterator<Item = List<'a>> + Clone {
        self.values_lists().iter().filter_map(|row| match row {
            Node::List(row) => Some(row),
            _ => None,
        })
    }
}

impl<'a> InsertStmt<'a> {
    /// Returns the names of the columns for which there are values, in their order; none if the SQL does not name them.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("INSERT INTO t (a, b) VALUES (1, 2)")?;
    /// let insert = tree.nodes().find_map(|node| node.as_insert_stmt()).unwrap();
    /// assert_eq!(insert.columns().position(|column| column == "b"), Some(1));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn columns(self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.cols().iter().filter_map(Node::as_res_target).map(ResTarget::name)
    }

    /// Returns the `SELECT` or `VALUES` that the rows come from; `None` for `DEFAULT VALUES`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("INSERT INTO t VALUES (1), (2); INSERT INTO t DEFAULT VALUES")?;
    /// let inserts = tree.nodes().filter_map(|node| node.as_insert_stmt());
    /// let rows = inserts.map(|insert| insert.source().map(|source| source.rows().count()));
    /// assert!(rows.eq([Some(2), None]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn source(self) -> Option<SelectStmt<'a>> {
        self.select_stmt()?.as_select_stmt()
    }
}

impl<'a> UpdateStmt<'a> {
    /// Returns the assignments, each a [`ResTarget`] with the name of its column: the items of `target_list`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("UPDATE t SET a = 1, (b, c) = (SELECT 2, 3)")?;
    /// let update = tree.nodes().find_map(|node| node.as_update_stmt()).unwrap();
    /// assert!(update.targets().map(|target| target.name()).eq(["a", "b", "c"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn targets(self) -> impl DoubleEndedIterator<Item = ResTarget<'a>> + Clone {
        self.target_list().iter().filter_map(Node::as_res_target)
    }
}

impl<'a> AExpr<'a> {
    /// Returns the operator, without its schema; `None` if the expression is more than its operator, such as `a = ANY (..)`,
    /// `IN` or `LIKE`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a <= 1, a IN (1, 2)")?;
    /// let operators = tree.nodes().filter_map(|node| node.as_a_expr()).map(|expr| expr.operator());
    /// assert!(operators.eq([Some("<="), None]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn operator(self) -> Option<&'a str> {
        let is_plain = self.kind() == AExprKind::AexprOp;
        self.name().last().filter(|_| is_plain)?.as_str()
    }
}
