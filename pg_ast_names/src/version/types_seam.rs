//! What `pg_ast_types` needs of this crate beside its API: what names mean, by the nodes that have them.
//!
//! Only that crate may use it, in the same version: nothing here is covered by semantic versioning.

use core::ops::Range;

use super::VERSION;
use super::any_tree::AnyTree;
use super::ddl::apply_ddl::apply_with;
use super::expr::written_rows::column_type;
use super::lookup::visible_names::Meant;
use super::pg::view::{JoinExpr, Node, RawStmt, TypeName};
use super::query::found_nodes::FoundAt;
use super::query::recorded_queries::RecordedQueries;
use super::resolver::NameResolver;
use crate::builtin_names::builtin_relation;
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::{Catalog, Relation};
use crate::relation_parts::ColumnType;
use crate::resolution::{ColumnList, ColumnUse, FunctionUse, Resolution};

/// What the names of a tree mean.
pub struct ResolvedNames<'a> {
    resolver: NameResolver<'a>,
    recorded: RecordedQueries<'a>,
    found: FoundAt,
}

/// A column of a source, by their places.
pub type PlacedColumn = (usize, usize);

/// A column of both arms of a join.
pub struct MergedColumns {
    /// What it is in each.
    pub arms: [Option<PlacedColumn>; 2],
    /// The one that stands for both.
    pub kept: Option<PlacedColumn>,
}

/// Passes what the names of a tree mean, and its statements, to `f`.
pub fn with_names<R>(
    tree: AnyTree<'_>,
    catalog: &dyn Catalog,
    f: impl for<'a> FnOnce(&ResolvedNames<'a>, &[RawStmt<'a>]) -> R,
) -> R {
    tree.read(|stmts| {
        f(&ResolvedNames::new(catalog, |resolver| resolver.resolve_all(stmts)), stmts)
    })
}

/// Returns the types of the columns of the query that a statement stores, of those that are known.
pub type TypesOfNames<'f> =
    &'f dyn for<'a> Fn(&ResolvedNames<'a>, Node<'a>, &DdlCatalog) -> Vec<Option<ColumnType>>;

/// Adds to a catalog what the statements define, as [`define`](super::define) does, with the types that `f` tells of the columns of
/// the query that a statement stores.
pub fn define_with_types(tree: AnyTree<'_>, catalog: &mut DdlCatalog, f: TypesOfNames<'_>) {
    let types = |stmt: Node<'_>, catalog: &DdlCatalog| {
        let names = ResolvedNames::new(catalog, |resolver| drop(resolver.statement(stmt)));
        f(&names, stmt, catalog)
    };
    tree.read(|stmts| {
        for stmt in stmts.iter().filter_map(|stmt| stmt.stmt()) {
            apply_with(catalog, stmt, &types);
        }
    });
}

/// Returns a table or view of the catalog, or of PostgreSQL's own.
pub fn relation<'c>(catalog: &'c dyn Catalog, schema: &str, name: &str) -> Option<&'c Relation> {
    builtin_relation(VERSION, schema, name).or_else(|| catalog.relation(schema, name))
}

impl<'a> ResolvedNames<'a> {
    /// Resolves the names of statements.
    fn new(catalog: &'a dyn Catalog, resolve: impl FnOnce(&mut NameResolver<'a>)) -> Self {
        let mut resolver = NameResolver::new(catalog);
        resolver.recorded = Some(RecordedQueries::default());
        resolve(&mut resolver);
        let recorded = resolver.recorded.take().unwrap_or_default();
        let found = resolver.found_at();
        Self { resolver, recorded, found }
    }

    /// Returns what was found; nodes, and the columns of sources, are not in it.
    pub fn found(&self) -> &Resolution {
        &self.resolver.found
    }

    /// Returns the columns that a node names.
    pub fn columns_at(&self, node: Node<'_>) -> impl Iterator<Item = &ColumnUse> {
        let places = self.found.columns(node).iter();
        places.filter_map(|place| self.resolver.found.columns.get(*place))
    }

    /// Returns the function that a node calls.
    pub fn function_at(&self, node: Node<'_>) -> Option<&FunctionUse> {
        self.resolver.found.functions.get(self.found.function(node)?)
    }

    /// Returns the sources that a node is: more than one in a `RETURNING`.
    pub fn sources_at(&self, node: Node<'_>) -> &[usize] {
        self.found.sources(node)
    }

    /// Returns the columns of a source.
    pub fn columns_of(&self, source: usize) -> ColumnList {
        let state = self.resolver.sources.get(source);
        state.map(|state| state.columns.list()).unwrap_or_default()
    }

    /// Returns the relation that a source is.
    pub fn relation_of(&self, source: usize) -> Option<&'a Relation> {
        self.resolver.sources.get(source)?.relation
    }

    /// Returns the query that a source is.
    pub fn query_of(&self, source: usize) -> Option<Node<'a>> {
        self.recorded.query_of(source).map(|of| of.query)
    }

    /// Returns the sources of a query, with those of queries in it.
    pub fn sources_of(&self, query: Node<'_>) -> Range<usize> {
        self.recorded.sources_of(query)
    }

    /// Returns the sources of both arms of a join.
    pub fn arms_of(&self, join: JoinExpr<'_>) -> [Range<usize>; 2] {
        self.recorded.arms_of(join)
    }

    /// Returns the columns that both arms of a join have.
    pub fn merged_in(&self, join: JoinExpr<'_>) -> Vec<MergedColumns> {
        let placed = |meant: Option<Meant>| match self.resolver.base(meant?) {
            Meant::Column { source, index } => Some((source, index)),
            _ => None,
        };
        let merged = self.recorded.merged_in(join).iter().map(|column| MergedColumns {
            arms: column.arms.map(placed),
            kept: placed(column.kept),
        });
        merged.collect()
    }
}

/// Returns a type as it is written, whose schema is not known if it is not written; `None` for that of a column (`t.a%TYPE`).
#[must_use]
pub fn written_type(of: TypeName<'_>) -> Option<ColumnType> {
    column_type(of)
}
