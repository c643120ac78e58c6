//! Lists what statements name: tables, functions, aliases, columns of conditions.
//!
//! One pass over a view, with an explicit stack, so that neither a deep statement nor a long one
//! costs more than its nodes. An owned tree is viewed for it. `collect.rs` is the pass, `scope.rs` how far it goes,
//! `utility.rs` what it does with utility statements, by what `statement.rs` knows of their fields, `found.rs` what it
//! keeps.

mod collect;
pub(crate) mod found;
mod name_ranges;
pub(crate) mod names_found;
mod names_in_place;
mod scope;
pub(crate) mod statement;
mod tables;
mod tables_in_place;
mod utility;
mod walk_names;

use std::collections::BTreeMap;

use super::names::protobuf;
use super::names::{NodeRef, ParseResult};
use super::view::{Node, RawStmt, Tree};
use super::{ffi, names, statements, tree, view};
use crate::types::analysis::{Analysis, Context};
use crate::types::error::Error;
use crate::types::qualified_name::QualifiedName;
use collect::Collector;
use found::Found;
use scope::Scope;

// A path to a method of `Found` would work for a single lifetime only.
#[allow(clippy::redundant_closure_for_method_calls)]
impl ParseResult {
    /// Lists the tables, functions, aliases and columns that the statements name, in one pass.
    ///
    /// Each of the methods below returns a part of this, as the Rust crate `pg_query` does. The whole tree is covered, in
    /// time linear in its size. Most of the time goes into writing it as C nodes, so for a tree that is only read, a
    /// [view](super::super::view::Tree::analyze) is better. Names in `WITH` follow PostgreSQL's rules of scope: a name in `FROM`
    /// is a table unless a `WITH` around it defines it.
    ///
    /// A NUL in a name, which no parsed tree can have, is U+FFFD here.
    ///
    /// ```
    /// use pg_ast::Context;
    ///
    /// let tree = pg_ast::parse(
    ///     "WITH recent AS (SELECT * FROM events WHERE at > now())
    ///      INSERT INTO audit.log SELECT e.id FROM recent AS e",
    /// )?;
    /// let found = tree.analyze();
    /// let tables: Vec<_> = found.tables.iter().map(|t| (t.name.to_string(), t.context)).collect();
    /// assert_eq!(tables, [("audit.log".into(), Context::Dml), ("events".into(), Context::Select)]);
    /// assert_eq!(found.cte_names, ["recent"]);
    /// assert_eq!(found.functions[0].name, "now");
    /// assert_eq!(found.filter_columns[0].column, "at");
    /// assert_eq!(found.statement_types, ["InsertStmt", "SelectStmt"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn analyze(&self) -> Analysis {
        self.protobuf.analyze()
    }

    /// Returns the tables that the statements name, each once.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT * FROM a JOIN s.b ON a.id = b.id; DROP TABLE c")?;
    /// assert_eq!(tree.tables(), ["a", "s.b", "c"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.table_names(None))
    }

    /// Returns the tables that are read.
    ///
    /// ```
    /// let tree = pg_ast::parse("UPDATE a SET x = 1 FROM b")?;
    /// assert_eq!(tree.select_tables(), ["b"]);
    /// assert_eq!(tree.dml_tables(), ["a"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn select_tables(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.table_names(Some(Context::Select)))
    }

    /// Returns the tables whose rows are written.
    #[must_use]
    pub fn dml_tables(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.table_names(Some(Context::Dml)))
    }

    /// Returns the tables that utility statements are about.
    ///
    /// ```
    /// let tree = pg_ast::parse("CREATE VIEW v AS SELECT * FROM t")?;
    /// assert_eq!(tree.ddl_tables(), ["v"]);
    /// assert_eq!(tree.select_tables(), ["t"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn ddl_tables(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.table_names(Some(Context::Ddl)))
    }

    /// The functions that the statements name, each once.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT pg_catalog.lower(a) FROM t; DROP FUNCTION s.f(int), g")?;
    /// assert_eq!(tree.functions(), ["pg_catalog.lower", "s.f", "g"]);
    /// assert_eq!(tree.call_functions(), ["pg_catalog.lower"]);
    /// assert_eq!(tree.ddl_functions(), ["s.f", "g"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn functions(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.function_names(None))
    }

    /// The functions that are called.
    #[must_use]
    pub fn call_functions(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.function_names(Some(Context::Call)))
    }

    /// Returns the functions that utility statements are about.
    #[must_use]
    pub fn ddl_functions(&self) -> Vec<QualifiedName> {
        self.protobuf.found(|found| found.function_names(Some(Context::Ddl)))
    }

    /// Returns a map from the aliases of tables to the tables.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT * FROM s.users AS u")?;
    /// assert_eq!(tree.aliases()["u"], "s.users");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn aliases(&self) -> BTreeMap<String, QualifiedName> {
        self.protobuf.found(|found| found.aliases())
    }

    /// Returns the names that `WITH` defines, each once.
    ///
    /// ```
    /// let tree = pg_ast::parse("WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a, b")?;
    /// assert_eq!(tree.cte_names(), ["a", "b"]);
    /// assert!(tree.tables().is_empty());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn cte_names(&self) -> Vec<String> {
        self.protobuf.found(|found| found.cte_names())
    }

    /// Returns the columns in conditions, each with its table or alias, if it is named: those in `WHERE`, and in the
    /// `WHEN` of `MERGE`. A join condition (`ON`) is not a filter.
    ///
    /// ```
    /// let tree = pg_ast::parse("DELETE FROM t WHERE t.id = 1 AND at < $1")?;
    /// assert_eq!(tree.filter_columns(), [(Some("t".into()), "id".into()), (None, "at".into())]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn filter_columns(&self) -> Vec<(Option<String>, String)> {
        self.protobuf.found(|found| found.plain_filter_columns())
    }

    /// Returns the type of each statement, by its C name.
    ///
    /// Only top-level statements are covered; [`analyze`](Self::analyze) also lists the types of nested ones. The rest
    /// of the tree is not read.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT 1; CREATE LANGUAGE l HANDLER h; SELECT 2")?;
    /// assert_eq!(tree.statement_types(), ["SelectStmt", "CreatePLangStmt", "SelectStmt"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn statement_types(&self) -> Vec<&'static str> {
        let stmts = self.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.to_ref());
        stmts.map(super::names::NodeRef::name).collect()
    }
}

// As above.
#[allow(clippy::redundant_closure_for_method_calls)]
impl protobuf::ParseResult {
    /// Lists what the statements name; see [`ParseResult::analyze`](super::super::ParseResult::analyze).
    #[must_use]
    pub fn analyze(&self) -> Analysis {
        self.found(|found| found.analysis())
    }

    fn found<R>(&self, read: fn(&Found<'_>) -> R) -> R {
        self.read(|stmts| read(&find(stmts.iter().copied(), Scope::All)))
    }
}

/// The same methods as those of the owned tree.
///
/// ```
/// use pg_ast::view;
///
/// let tree = view::parse("WITH c AS (TABLE a) UPDATE s.b AS x SET d = f(1) FROM c WHERE e")?;
/// assert_eq!(tree.select_tables(), ["a"]);
/// assert_eq!(tree.dml_tables(), ["s.b"]);
/// assert_eq!(tree.functions(), ["f"]);
/// assert_eq!(tree.cte_names(), ["c"]);
/// assert_eq!((tree.filter_columns(), &tree.aliases()["x"].name), (vec![(None, "e".into())], &"b".to_owned()));
/// assert_eq!(tree.analyze(), tree.to_owned_tree()?.analyze());
/// # Ok::<(), pg_ast::Error>(())
/// ```
impl Tree {
    /// Lists what the statements name; see [`ParseResult::analyze`].
    #[must_use]
    pub fn analyze(&self) -> Analysis {
        self.found().analysis()
    }

    /// Lists what libpg_query's summary would find.
    pub(crate) fn summarize(&self) -> Analysis {
        find(self.stmts(), Scope::Summary).analysis()
    }

    fn found(&self) -> Found<'_> {
        find(self.stmts(), Scope::All)
    }

    /// Returns the tables that the statements name, each once.
    #[must_use]
    pub fn tables(&self) -> Vec<QualifiedName> {
        self.found().table_names(None)
    }

    /// Returns the tables that are read.
    #[must_use]
    pub fn select_tables(&self) -> Vec<QualifiedName> {
        self.found().table_names(Some(Context::Select))
    }

    /// Returns the tables whose rows are written.
    #[must_use]
    pub fn dml_tables(&self) -> Vec<QualifiedName> {
        self.found().table_names(Some(Context::Dml))
    }

    /// Returns the tables that utility statements are about.
    #[must_use]
    pub fn ddl_tables(&self) -> Vec<QualifiedName> {
        self.found().table_names(Some(Context::Ddl))
    }

    /// Returns the functions that the statements name, each once.
    #[must_use]
    pub fn functions(&self) -> Vec<QualifiedName> {
        self.found().function_names(None)
    }

    /// Returns the functions that are called.
    #[must_use]
    pub fn call_functions(&self) -> Vec<QualifiedName> {
        self.found().function_names(Some(Context::Call))
    }

    /// Returns the functions that utility statements are about.
    #[must_use]
    pub fn ddl_functions(&self) -> Vec<QualifiedName> {
        self.found().function_names(Some(Context::Ddl))
    }

    /// Returns a map from the aliases of tables to the tables.
    #[must_use]
    pub fn aliases(&self) -> BTreeMap<String, QualifiedName> {
        self.found().aliases()
    }

    /// Returns the names that `WITH` defines, each once.
    #[must_use]
    pub fn cte_names(&self) -> Vec<String> {
        self.found().cte_names()
    }

    /// Returns the columns in conditions, each with its table or alias, if it is named.
    #[must_use]
    pub fn filter_columns(&self) -> Vec<(Option<String>, String)> {
        self.found().plain_filter_columns()
    }

    /// Returns the type of each statement, by its C name.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT 1; CREATE LANGUAGE l HANDLER h; SELECT 2")?;
    /// assert_eq!(tree.statement_types(), ["SelectStmt", "CreatePLangStmt", "SelectStmt"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn statement_types(&self) -> Vec<&'static str> {
        self.stmts().filter_map(|stmt| Some(stmt.stmt()?.name())).collect()
    }
}

// As above.
#[allow(clippy::redundant_closure_for_method_calls)]
impl NodeRef<'_> {
    /// Lists what the node names; see [`Node::analyze`].
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT f() FROM t; DELETE FROM u")?;
    /// let per_stmt: Vec<_> = tree.stmts().map(|stmt| stmt.analyze().tables).collect();
    /// assert_eq!((per_stmt[0].len(), &*per_stmt[1][0].name.name), (1, "u"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn analyze(self) -> Analysis {
        self.read(|node| node.analyze())
    }
}

impl Node<'_> {
    /// Lists the tables, functions, aliases and columns that a statement, or a part of one, names; see
    /// [`ParseResult::analyze`]. A `WITH` outside of the node is not taken into account.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT (SELECT f(a) FROM t WHERE b) FROM u")?;
    /// let target = tree.nodes().find(|node| node.as_res_target().is_some()).unwrap();
    /// let found = target.analyze();
    /// assert_eq!((&*found.tables[0].name.name, &*found.functions[0].name.name), ("t", "f"));
    /// assert_eq!(found.filter_columns[0].column, "b");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn analyze(self) -> Analysis {
        found_in(self).analysis()
    }
}

fn found_in(node: Node<'_>) -> Found<'_> {
    let mut walk = Collector::new(Scope::All);
    match node {
        Node::RawStmt(stmt) => walk.statement(stmt),
        node => walk.node(node),
    }
    walk.found
}

/// Lists what the statements in SQL name.
pub(crate) fn analyze_text(sql: &str) -> Result<Analysis, Error> {
    Ok(super::view::parse(sql)?.analyze())
}

fn find<'a>(stmts: impl Iterator<Item = RawStmt<'a>>, scope: Scope) -> Found<'a> {
    let mut walk = Collector::new(scope);
    stmts.for_each(|stmt| walk.statement(stmt));
    walk.found
}
