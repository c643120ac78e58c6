//! The parts of statements that most programs ask for, by their types. Views have the same ones.

use super::names::protobuf::{
    AExpr, AExprKind, InsertStmt, List, Node, ResTarget, SelectStmt, UpdateStmt,
};

fn targets(list: &[Node]) -> impl DoubleEndedIterator<Item = &ResTarget> + Clone {
    list.iter().filter_map(Node::as_res_target)
}

fn targets_mut(list: &mut [Node]) -> impl DoubleEndedIterator<Item = &mut ResTarget> {
    list.iter_mut().filter_map(Node::as_res_target_mut)
}

impl SelectStmt {
    /// Returns what the `SELECT` returns: the items of `target_list`, each of which is a [`ResTarget`] in every tree that
    /// was parsed. Items of another type are left out.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT a, 1 AS one FROM t")?;
    /// let select = tree.stmts().next().and_then(|stmt| stmt.as_select_stmt()).unwrap();
    /// assert!(select.targets().map(|target| target.name.as_str()).eq(["", "one"]));
    /// let values = select.targets().filter_map(|target| target.val.as_ref()?.literal());
    /// assert!(values.eq([pg_ast::Literal::Integer(1)]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn targets(&self) -> impl DoubleEndedIterator<Item = &ResTarget> + Clone {
        targets(&self.target_list)
    }

    /// Like [`targets`](Self::targets), but mutable.
    ///
    /// ```
    /// let mut tree = pg_ast::parse("SELECT a, b FROM t")?;
    /// if let Some(select) = tree.stmts_mut().find_map(|stmt| stmt.as_select_stmt_mut()) {
    ///     select.targets_mut().last().unwrap().name = "c".to_owned();
    /// }
    /// assert_eq!(tree.deparse()?, "SELECT a, b AS c FROM t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn targets_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut ResTarget> {
        targets_mut(&mut self.target_list)
    }

    /// Returns the rows of `VALUES`: the items of each list in `values_lists`, where every tree that was parsed has lists.
    ///
    /// ```
    /// use pg_ast::Literal;
    ///
    /// let tree = pg_ast::parse("VALUES (1, 'a'), (2, 'b')")?;
    /// let values = tree.stmts().next().and_then(|stmt| stmt.as_select_stmt()).unwrap();
    /// let keys = values.rows().map(|row| row[0].literal().unwrap());
    /// assert!(keys.eq([Literal::Integer(1), Literal::Integer(2)]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[Node]> + Clone {
        self.values_lists.iter().filter_map(Node::as_list).map(|row| &row.items[..])
    }

    /// Like [`rows`](Self::rows), but mutable. To add or remove rows, change `values_lists`; `make::list` makes one.
    ///
    /// ```
    /// use pg_ast::make;
    ///
    /// let mut tree = pg_ast::parse("INSERT INTO t (a) VALUES (1), (2)")?;
    /// let insert = tree.stmts_mut().find_map(|stmt| stmt.as_insert_stmt_mut()).unwrap();
    /// insert.cols.push(make::insert_column("tenant").into());
    /// let source = insert.source_mut().unwrap();
    /// source.rows_mut().for_each(|row| row.push(make::param_ref(1).into()));
    ///
    /// let rest = source.values_lists.split_off(1);
    /// assert_eq!(tree.deparse()?, "INSERT INTO t (a, tenant) VALUES (1, $1)");
    /// # assert_eq!(rest.len(), 1);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn rows_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Vec<Node>> {
        let rows = self.values_lists.iter_mut().filter_map(Node::as_list_mut);
        rows.map(|List { items }| items)
    }
}

impl InsertStmt {
    /// Returns the names of the columns for which there are values, in their order; none if the SQL does not name them.
    ///
    /// ```
    /// let tree = pg_ast::parse("INSERT INTO t (a, b) VALUES (1, 2)")?;
    /// let insert = tree.stmts().next().and_then(|stmt| stmt.as_insert_stmt()).unwrap();
    /// assert_eq!(insert.columns().position(|column| column == "b"), Some(1));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        targets(&self.cols).map(|column| column.name.as_str())
    }

    /// Returns the `SELECT` or `VALUES` that the rows come from; `None` for `DEFAULT VALUES`.
    ///
    /// ```
    /// let tree = pg_ast::parse("INSERT INTO t VALUES (1), (2); INSERT INTO t DEFAULT VALUES")?;
    /// let inserts = tree.stmts().filter_map(|stmt| stmt.as_insert_stmt());
    /// let rows = inserts.map(|insert| insert.source().map(|source| source.rows().count()));
    /// assert!(rows.eq([Some(2), None]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn source(&self) -> Option<&SelectStmt> {
        self.select_stmt.as_ref()?.as_select_stmt()
    }

    /// Like [`source`](Self::source), but mutable; see [`SelectStmt::rows_mut`].
    #[must_use]
    pub fn source_mut(&mut self) -> Option<&mut SelectStmt> {
        self.select_stmt.as_mut()?.as_select_stmt_mut()
    }
}

impl UpdateStmt {
    /// Returns the assignments, each a [`ResTarget`] with the name of its column: the items of `target_list`.
    ///
    /// ```
    /// let tree = pg_ast::parse("UPDATE t SET a = 1, (b, c) = (SELECT 2, 3)")?;
    /// let update = tree.stmts().next().and_then(|stmt| stmt.as_update_stmt()).unwrap();
    /// assert!(update.targets().map(|target| target.name.as_str()).eq(["a", "b", "c"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn targets(&self) -> impl DoubleEndedIterator<Item = &ResTarget> + Clone {
        targets(&self.target_list)
    }

    /// Like [`targets`](Self::targets), but mutable.
    ///
    /// Each column of `(b, c) = (SELECT ..)` has a copy of the source, of which the first is printed: to change it, use a
    /// walk, such as [`nodes_mut`](super::super::ParseResult::nodes_mut), which changes all of them.
    #[must_use]
    pub fn targets_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut ResTarget> {
        targets_mut(&mut self.target_list)
    }
}

impl AExpr {
    /// Returns the operator, without its schema; `None` if the expression is more than its operator: `a = ANY (..)`, `IN`,
    /// `IS DISTINCT FROM`, `LIKE`, `BETWEEN` and the like, which [`kind`](Self::kind) tells apart. What the tree has for
    /// these is in `name`. [`filters`](super::super::NodeRef::filters) reads conditions of all kinds.
    ///
    /// ```
    /// let operator = |sql| Some(pg_ast::parse_expr(sql).ok()?.as_a_expr()?.operator()?.to_owned());
    /// assert_eq!(operator("a <= 1").as_deref(), Some("<="));
    /// assert_eq!(operator("a = ANY ($1)"), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn operator(&self) -> Option<&str> {
        let is_plain = self.kind() == AExprKind::AexprOp;
        self.name.last().filter(|_| is_plain)?.as_str()
    }
}
