//! What the SQL in a function names.

use std::collections::{HashMap, HashSet};

use pg_ast::{Analysis, ParseMode, QualifiedName};

use super::body::body_variables::variables;
use super::dynamic::dynamic_sql::{Dynamic, DynamicPart, dynamic_sql};
use super::dynamic::sql_skeleton::SqlSkeleton;
use super::pg::plpgsql::{Expr, Function, Part, ResolveOption};
use super::pg::{NodeRef, ParseResult};

/// What a function names in a database, as far as its SQL says; see [`facts()`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Facts<'a> {
    /// The SQL that names something, in the order of the text. That of a variable is listed where it is run first.
    pub sql: Vec<SqlFacts<'a>>,
    /// Dynamic SQL that could not be read, such as that of a variable: what it does is not known.
    pub unread: Vec<Dynamic<'a>>,
    /// The statements that end a transaction: `COMMIT` and `ROLLBACK`.
    pub transactions: Vec<Part<'a>>,
}

/// What one expression or one statement in SQL names.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SqlFacts<'a> {
    /// The statement of PL/pgSQL: for a declaration, its block; none for what is before the body.
    pub stmt: Option<Part<'a>>,
    /// The expression.
    pub expr: &'a Expr,
    /// Whether it is not the expression itself, but the SQL that is its value.
    pub is_dynamic: bool,
    /// What it names. Columns that are variables of the function are left out, and so are the types of expressions.
    pub names: Analysis,
    /// In dynamic SQL, what it names by a name that is put together from values, with
    /// [placeholders](SqlSkeleton::has_placeholder).
    pub computed: Analysis,
}

/// Lists what a function names, by each part of its SQL; that of dynamic SQL as far as it is known.
///
/// Static SQL is parsed already, and dynamic SQL is parsed here.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let sql = "CREATE PROCEDURE archive(before date) LANGUAGE plpgsql AS $$
/// BEGIN
///     INSERT INTO archive.log SELECT * FROM log WHERE at < before;
///     EXECUTE format('DELETE FROM %s WHERE at < $1', 'log') USING before;
///     COMMIT;
///     PERFORM set_config('search_path', 'archive', false);
/// END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let facts = pg_ast_plpgsql::facts(function);
/// let names = facts.analyze();
/// assert_eq!(names.dml_tables(), ["archive.log", "log"]);
/// assert_eq!(names.select_tables(), ["log"]);
/// assert_eq!(names.functions(), ["format", "set_config"]);
/// assert_eq!(names.filter_columns[0].column, "at");
/// assert!(facts.unread.is_empty());
/// assert_eq!(facts.transactions.len(), 1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn facts(function: &Function) -> Facts<'_> {
    let variables = variable_places(function);
    let mut dynamic: HashMap<*const Expr, Dynamic<'_>> = HashMap::new();
    for found in dynamic_sql(function) {
        dynamic.insert(found.expr, found);
    }
    // Whether SQL that several statements share could be read.
    let mut is_read: HashMap<*const DynamicPart<'_>, bool> = HashMap::new();
    let mut facts = Facts::default();
    let mut parts = function.parts();
    while let Some(part) = parts.next() {
        let expr = match part {
            Part::Expr(expr) => expr,
            Part::Commit(_) | Part::Rollback(_) => {
                facts.transactions.push(part);
                continue;
            }
            _ => continue,
        };
        parts.skip_children();
        let stmt = parts.stmt();
        let mut found = SqlFacts::of_tree(stmt, expr, &expr.tree);
        if expr.parse_mode != ParseMode::Default {
            found.names.statement_types.clear();
        }
        if function.resolve_option != ResolveOption::Column {
            found.without_variables(&variables);
        }
        facts.push(found);
        let Some(dynamic) = dynamic.remove(&core::ptr::from_ref(expr)) else { continue };
        let is_read = is_read.entry(dynamic.parts_id()).or_insert_with(|| {
            let skeleton = dynamic.skeleton();
            let Ok(tree) = skeleton.parse() else { return false };
            let mut found = SqlFacts::of_tree(stmt, expr, &tree);
            found.is_dynamic = true;
            found.split_computed(&skeleton);
            facts.push(found);
            true
        });
        if !*is_read {
            facts.unread.push(dynamic);
        }
    }
    facts
}

/// Returns the locations of names that are those of variables.
fn variable_places(function: &Function) -> HashSet<usize> {
    let variables = variables(function);
    variables.iter().flat_map(|uses| uses.reads.iter().map(|used| used.location)).collect()
}

impl<'a> SqlFacts<'a> {
    fn of_tree(stmt: Option<Part<'a>>, expr: &'a Expr, tree: &ParseResult) -> Self {
        Self { stmt, expr, is_dynamic: false, names: tree.analyze(), computed: Analysis::default() }
    }

    fn without_variables(&mut self, variables: &HashSet<usize>) {
        if self.names.filter_columns.is_empty() {
            return;
        }
        let mut names = HashSet::new();
        for node in self.expr.tree.nodes() {
            if let NodeRef::ColumnRef(column) = node
                && usize::try_from(column.location).is_ok_and(|place| variables.contains(&place))
            {
                let mut parts = column.names().rev();
                let column = parts.next();
                names.insert((parts.next(), column));
            }
        }
        self.names.filter_columns.retain(|column| {
            let table = column.table.as_ref().map(|table| table.name.as_str());
            !names.contains(&(table, Some(column.column.as_str())))
        });
    }

    /// Moves the names that have placeholders.
    fn split_computed(&mut self, skeleton: &SqlSkeleton) {
        let has = |text: &str| skeleton.has_placeholder(text);
        let is_computed =
            |name: &QualifiedName| has(&name.name) || name.schema.as_deref().is_some_and(has);
        let Self { names, computed, .. } = self;
        computed.tables = split(&mut names.tables, |table| is_computed(&table.name));
        computed.functions = split(&mut names.functions, |function| is_computed(&function.name));
        computed.cte_names = split(&mut names.cte_names, |name| has(name));
        computed.filter_columns = split(&mut names.filter_columns, |column| {
            has(&column.column) || column.table.as_ref().is_some_and(|table| has(&table.name))
        });
        names.aliases.retain(|alias, name| {
            let is_known = !has(alias) && !is_computed(name);
            if !is_known {
                computed.aliases.insert(alias.clone(), name.clone());
            }
            is_known
        });
    }

    fn is_empty(&self) -> bool {
        self.names == Analysis::default() && self.computed == Analysis::default()
    }
}

fn split<T>(items: &mut Vec<T>, is_moved: impl FnMut(&T) -> bool) -> Vec<T> {
    let (moved, rest) = core::mem::take(items).into_iter().partition(is_moved);
    *items = rest;
    moved
}

impl<'a> Facts<'a> {
    fn push(&mut self, found: SqlFacts<'a>) {
        if !found.is_empty() {
            self.sql.push(found);
        }
    }

    /// Returns what all of the SQL names, each once.
    #[must_use]
    pub fn analyze(&self) -> Analysis {
        self.sql.iter().map(|sql| &sql.names).collect()
    }
}
