//! Shortcuts to common parts, as in the owned tree: names and constants.

use super::names::protobuf::AExprKind;
use super::{
    AConst, AExpr, ColumnRef, FuncCall, List, Node, RangeVar, TransactionStmt, VariableSetStmt,
    a_const,
};
use crate::types::literal::{Literal, Sign};
use crate::types::qualified_name::QualifiedName;

impl<'a> Node<'a> {
    /// Returns the text of a `String` node: a name in a list of names. For constants, see
    /// [`literal`](Self::literal).
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.as_string().map(super::String::sval)
    }

    /// What it is in a list of names: a text, or a star for `*`.
    pub(crate) fn name_part(self) -> Option<&'a str> {
        match self {
            Self::String(string) => Some(string.sval()),
            Self::AStar(_) => Some("*"),
            _ => None,
        }
    }

    /// Returns the value of a constant, also with casts around it or signs before it. `None` for any other
    /// expression. See [`Node::literal`](crate::Node::literal) of the owned tree.
    ///
    /// ```
    /// use pg_ast::{Literal, view::{self, Node}};
    ///
    /// let tree = view::parse("SELECT a LIMIT 7::bigint")?;
    /// let select = tree.stmts().next().and_then(|stmt| stmt.stmt()?.as_select_stmt()).unwrap();
    /// assert_eq!(select.limit_count().and_then(Node::literal), Some(Literal::Integer(7)));
    /// assert_eq!(select.target_list().first().and_then(Node::literal), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn literal(self) -> Option<Literal<'a>> {
        let (mut node, mut sign) = (self, None);
        loop {
            node = match node {
                Self::TypeCast(cast) => cast.arg()?,
                Self::AExpr(expr) => {
                    let (operand, before) = signed(expr)?;
                    sign = Some(before.before(sign));
                    operand
                }
                Self::AConst(constant) => return value(constant)?.signed(sign),
                _ => return None,
            }
        }
    }
}

/// Returns the operand of a sign, and the sign.
fn signed(expr: AExpr<'_>) -> Option<(Node<'_>, Sign)> {
    let name = expr.name();
    if expr.kind() != AExprKind::AexprOp || name.len() != 1 || expr.lexpr().is_some() {
        return None;
    }
    Some((expr.rexpr()?, Sign::new(name.first()?.as_str()?)?))
}

fn value(constant: AConst<'_>) -> Option<Literal<'_>> {
    if constant.isnull() {
        return Some(Literal::Null);
    }
    Some(match constant.val()? {
        a_const::Val::Ival(integer) => Literal::Integer(integer.ival().into()),
        a_const::Val::Fval(float) => Literal::number(float.fval()),
        a_const::Val::Boolval(boolean) => Literal::Boolean(boolean.boolval()),
        a_const::Val::Sval(string) => Literal::String(string.sval()),
        a_const::Val::Bsval(bits) => Literal::BitString(bits.bsval()),
    })
}

impl<'a> List<'a> {
    /// Returns the strings in a list of names, `*` for a star.
    ///
    /// Mirrors `NameListToString` of PostgreSQL's `src/backend/catalog/namespace.c`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a::int")?;
    /// let name = tree.nodes().find_map(|node| node.as_type_name()).unwrap();
    /// assert!(name.names().strs().eq(["pg_catalog", "int4"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn strs(self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.iter().filter_map(Node::name_part)
    }

    /// Returns the last of the strings in a list of names, with the schema before it. What is before that is left out: the name of
    /// the database, or of a table with its schema where the list names a part of one.
    ///
    /// Mirrors `DeconstructQualifiedName` of PostgreSQL's `src/backend/catalog/namespace.c`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT app.f(1)")?;
    /// let call = tree.nodes().find_map(|node| node.as_func_call()).unwrap();
    /// assert_eq!(call.funcname().qualified_name(), "app.f");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn qualified_name(self) -> QualifiedName {
        let mut parts = self.strs().rev();
        let name = parts.next().unwrap_or_default();
        QualifiedName::of_parts(parts.next().unwrap_or_default(), name)
    }
}

impl RangeVar<'_> {
    /// Returns the name of the relation, with its schema if that is written.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT * FROM app.users")?;
    /// let table = tree.nodes().find_map(|node| node.as_range_var()).unwrap();
    /// assert_eq!(table.qualified_name(), "app.users");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn qualified_name(self) -> QualifiedName {
        QualifiedName::of_parts(self.schemaname(), self.relname())
    }
}

impl<'a> ColumnRef<'a> {
    /// Returns the parts of the column's name: `t`, `a` for `t.a`; and `*` for all columns, which
    /// [`is_star`](Self::is_star) distinguishes from a column of that name.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT t.a")?;
    /// let column = tree.nodes().find_map(|node| node.as_column_ref()).unwrap();
    /// assert!(column.names().eq(["t", "a"]) && !column.is_star());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn names(self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.fields().strs()
    }

    /// Returns whether this stands for all columns: `t.*` or `*`.
    #[must_use]
    pub fn is_star(self) -> bool {
        matches!(self.fields().last(), Some(Node::AStar(_)))
    }
}

impl<'a> FuncCall<'a> {
    /// Returns the parts of the function's name: `pg_catalog`, `now` for `pg_catalog.now()`.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT pg_catalog.now()")?;
    /// let call = tree.nodes().find_map(|node| node.as_func_call()).unwrap();
    /// assert!(call.names().eq(["pg_catalog", "now"]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn names(self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.funcname().strs()
    }
}

/// Returns what the options of a transaction say of `READ ONLY` or `READ WRITE`: the last of them counts.
fn read_only(options: List<'_>) -> Option<bool> {
    let options = options.iter().rev().filter_map(Node::as_def_elem);
    let mut settings = options.filter(|option| option.defname() == "transaction_read_only");
    match settings.next()?.arg()?.literal()? {
        Literal::Integer(value) => Some(value != 0),
        _ => None,
    }
}

impl TransactionStmt<'_> {
    /// Returns whether a `BEGIN` or `START TRANSACTION` says `READ ONLY` (true) or `READ WRITE` (false); `None` if it says
    /// neither, and `default_transaction_read_only` counts.
    ///
    /// ```
    /// let read_only = |sql| {
    ///     let tree = pg_ast::view::parse(sql).unwrap();
    ///     tree.node().and_then(|node| node.as_transaction_stmt()).unwrap().read_only()
    /// };
    /// assert_eq!(read_only("BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"), Some(true));
    /// assert_eq!(read_only("START TRANSACTION READ WRITE"), Some(false));
    /// assert_eq!(read_only("BEGIN"), None);
    /// ```
    #[must_use]
    pub fn read_only(self) -> Option<bool> {
        read_only(self.options())
    }
}

impl VariableSetStmt<'_> {
    /// Returns whether `SET TRANSACTION` or `SET SESSION CHARACTERISTICS AS TRANSACTION` says `READ ONLY` (true) or `READ WRITE`
    /// (false); `None` if it says neither, and for other settings.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SET TRANSACTION READ ONLY")?;
    /// let set = tree.node().and_then(|node| node.as_variable_set_stmt()).unwrap();
    /// assert_eq!(set.read_only(), Some(true));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn read_only(self) -> Option<bool> {
        read_only(self.args())
    }
}
