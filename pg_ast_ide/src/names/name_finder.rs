//! Finds the names in the tree of a statement: tables, functions, and what is neither.

use core::ops::Range;
use std::collections::HashMap;

use pg_ast::view::{Node, Tree};
use pg_ast::{NameKind, NameUse, QualifiedName};
use pg_ast_names::{Catalog, FunctionMeaning, Resolution, SourceKind, StarPart, TableMeaning};

use crate::names::{LocalKind, NameAt, NameRole, SymbolId, qualified, role};
use crate::stmt::StmtFacts;
use crate::stmt::identifiers::folded;

/// Returns the last two parts of a name.
fn of_parts(parts: &[String], catalog: &dyn Catalog) -> QualifiedName {
    let name = parts.last().cloned().unwrap_or_default();
    let schema = parts.len().checked_sub(2).map(|index| parts[index].clone());
    qualified(&QualifiedName { schema, name }, catalog)
}

/// Returns the table whose rows a type has, or the type.
pub(crate) fn type_of_parts(parts: &[String], catalog: &dyn Catalog) -> SymbolId {
    let name = of_parts(parts, catalog);
    let schema = name.schema.as_deref().unwrap_or_default();
    match catalog.relation(schema, &name.name) {
        Some(_) => SymbolId::Relation(name),
        None => SymbolId::Type(name),
    }
}

/// A name that the statement's tree has.
pub(crate) struct NameEntry {
    pub(crate) range: Range<usize>,
    pub(crate) kind: NameKind,
    pub(crate) used: NameUse,
    pub(crate) parts: Vec<String>,
    pub(crate) is_done: bool,
}

/// A query of `WITH`.
pub(crate) struct Cte {
    pub(crate) at: usize,
    /// Where its name can be used.
    scope: Range<usize>,
}

/// Returns the queries of `WITH`, by their names.
fn ctes(tree: &Tree, nodes: &[Node<'_>]) -> HashMap<String, Vec<Cte>> {
    let mut ctes = HashMap::<_, Vec<_>>::new();
    for node in nodes {
        let with = match node {
            Node::SelectStmt(it) => it.with_clause(),
            Node::InsertStmt(it) => it.with_clause(),
            Node::UpdateStmt(it) => it.with_clause(),
            Node::DeleteStmt(it) => it.with_clause(),
            Node::MergeStmt(it) => it.with_clause(),
            _ => None,
        };
        let (Some(with), Some(stmt)) = (with, tree.range(*node)) else { continue };
        for cte in with.ctes() {
            let (Node::CommonTableExpr(named), Some(range)) = (cte, tree.range(cte)) else {
                continue;
            };
            let start = if with.recursive() { stmt.start } else { range.end };
            let cte = Cte { at: range.start, scope: start..stmt.end };
            ctes.entry(named.ctename().to_owned()).or_default().push(cte);
        }
    }
    ctes
}

pub(crate) struct SymbolFinder<'a> {
    pub(crate) stmt: &'a StmtFacts,
    pub(crate) tree: &'a Tree,
    pub(crate) catalog: &'a dyn Catalog,
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) entries: Vec<NameEntry>,
    pub(crate) resolution: Resolution,
    /// The places of the aliases of sources.
    pub(crate) aliases: HashMap<usize, usize>,
    /// The queries of `WITH`, by their names.
    pub(crate) ctes: HashMap<String, Vec<Cte>>,
    /// The places at which columns of queries get their names, in order.
    pub(crate) labels: HashMap<String, Vec<usize>>,
    /// The same within a source; `None` for several.
    pub(crate) source_labels: HashMap<usize, HashMap<String, Option<usize>>>,
    /// The relation that a statement such as `ALTER TABLE` is about.
    pub(crate) subject: Option<QualifiedName>,
    pub(crate) found: Vec<NameAt>,
    pub(crate) stars: Vec<(Range<usize>, usize)>,
    /// What stars stand for, by their places.
    pub(crate) star_parts: Vec<(usize, Vec<StarPart>)>,
}

impl<'a> SymbolFinder<'a> {
    pub(crate) fn new(stmt: &'a StmtFacts, tree: &'a Tree, catalog: &'a dyn Catalog) -> Self {
        let mut entries = Vec::new();
        tree.walk_names(|name, used| {
            if let Some(range) = tree.name_range(name) {
                let parts = name.parts().map(str::to_owned).collect();
                entries.push(NameEntry { range, kind: name.kind(), used, parts, is_done: false });
            }
        });
        entries.sort_by_key(|entry| entry.range.start);
        let mut labels = HashMap::<_, Vec<_>>::new();
        for entry in entries.iter().filter(|entry| entry.used == NameUse::Definition) {
            if let (NameKind::Alias, Some(name)) = (entry.kind, entry.parts.last()) {
                labels.entry(name.clone()).or_default().push(entry.range.start);
            }
        }
        let nodes: Vec<_> = tree.nodes().collect();
        Self {
            stmt,
            tree,
            catalog,
            ctes: ctes(tree, &nodes),
            nodes,
            entries,
            resolution: pg_ast_names::resolve(tree, catalog),
            aliases: HashMap::new(),
            labels,
            source_labels: HashMap::new(),
            subject: None,
            found: Vec::new(),
            stars: Vec::new(),
            star_parts: Vec::new(),
        }
    }

    /// Returns where a use begins.
    pub(crate) fn start(&self, location: Option<usize>, node: Option<usize>) -> Option<usize> {
        location.or_else(|| Some(self.tree.range(*self.nodes.get(node?)?)?.start))
    }

    /// Returns the first entry with a name at a place or behind it that no use has taken.
    pub(crate) fn entry(
        &self,
        start: usize,
        name: &str,
        fits: impl Fn(NameKind) -> bool,
    ) -> Option<usize> {
        const LOOKED_AT: usize = 64;
        let first = self.entries.partition_point(|entry| entry.range.start < start);
        let near = self.entries.iter().enumerate().skip(first).take(LOOKED_AT);
        let is_it = |entry: &NameEntry| {
            fits(entry.kind) && !entry.is_done && entry.parts.last().is_some_and(|it| it == name)
        };
        near.into_iter().find(|(_, entry)| is_it(entry)).map(|(index, _)| index)
    }

    pub(crate) fn add(&mut self, range: Range<usize>, symbol: SymbolId, role: NameRole) {
        self.found.push(NameAt {
            range,
            symbol,
            role,
            is_direct: true,
            output: None,
            is_certain: true,
        });
    }

    /// Tables, and the aliases of all sources.
    pub(crate) fn tables(&mut self) {
        let tables = core::mem::take(&mut self.resolution.tables);
        for table in &tables {
            let Some(start) = self.start(table.location, table.node) else { continue };
            let fits = |kind| {
                matches!(
                    kind,
                    NameKind::Table | NameKind::Cte | NameKind::Object | NameKind::Sequence
                )
            };
            let Some(entry) = self.entry(start, &table.name.name, fits) else { continue };
            let symbol = match &table.meaning {
                TableMeaning::Cte(name) => self.cte(name, start),
                TableMeaning::Relation(name) => {
                    Some(SymbolId::Relation(qualified(name, self.catalog)))
                }
                _ => Some(SymbolId::Relation(qualified(&table.name, self.catalog))),
            };
            let entry = &mut self.entries[entry];
            entry.is_done = true;
            let Some(symbol) = symbol else { continue };
            let (range, role) = (entry.range.clone(), role(entry.used));
            let defines = matches!(entry.used, NameUse::Definition | NameUse::Alter);
            if let (true, None, SymbolId::Relation(name)) = (defines, &self.subject, &symbol) {
                self.subject = Some(name.clone());
            }
            self.add(range, symbol, role);
        }
        self.resolution.tables = tables;
        for source in 0..self.resolution.sources.len() {
            if let Some(range) = self.alias(source) {
                self.aliases.insert(source, range.start);
                self.add(
                    range.clone(),
                    SymbolId::Local(LocalKind::Alias, range.start),
                    NameRole::Definition,
                );
            }
        }
        self.locked();
    }

    /// Adds what `FOR UPDATE OF` locks: items of the `FROM` with these names.
    fn locked(&mut self) {
        let locks = self.nodes.iter().filter_map(|node| match node {
            Node::LockingClause(lock) => Some(lock.locked_rels()),
            _ => None,
        });
        // One of several could be any.
        let mut by_name: HashMap<&str, Option<usize>> = HashMap::new();
        for (source, it) in self.resolution.sources.iter().enumerate() {
            if let Some(name) = &it.name {
                by_name.entry(name).and_modify(|only| *only = None).or_insert(Some(source));
            }
        }
        let mut locked = Vec::new();
        for table in locks.flatten() {
            let (Node::RangeVar(named), Some(range)) = (table, self.tree.range(table)) else {
                continue;
            };
            if let Some(source) = by_name.get(named.relname()).copied().flatten() {
                locked.push((range, source));
            }
        }
        for (range, source) in locked {
            if let Some(symbol) = self.source_symbol(source) {
                self.add(range, symbol, NameRole::Read);
            }
        }
    }

    /// Returns what the name of a source means.
    pub(crate) fn source_symbol(&self, source: usize) -> Option<SymbolId> {
        if let Some(at) = self.aliases.get(&source) {
            return Some(SymbolId::Local(LocalKind::Alias, *at));
        }
        let source = &self.resolution.sources[source];
        match &source.kind {
            SourceKind::Table(name) => Some(SymbolId::Relation(qualified(name, self.catalog))),
            SourceKind::Cte(name) => self.cte(name, self.start(source.location, source.node)?),
            _ => None,
        }
    }

    /// Returns the place of the alias of a source, if it has one.
    fn alias(&mut self, source: usize) -> Option<Range<usize>> {
        let source = &self.resolution.sources[source];
        let name = source.name.as_deref()?;
        let alias = match *self.nodes.get(source.node?)? {
            Node::RangeVar(it) => it.alias(),
            Node::RangeSubselect(it) => it.alias(),
            Node::RangeFunction(it) => it.alias(),
            Node::RangeTableFunc(it) => it.alias(),
            Node::JsonTable(it) => it.alias(),
            Node::JoinExpr(it) => it.alias(),
            Node::RangeTableSample(it) => match it.relation()? {
                Node::RangeVar(it) => it.alias(),
                _ => None,
            },
            _ => None,
        };
        let start = self.tree.range(alias?)?.start;
        let entry = self.entry(start, name, |kind| kind == NameKind::Alias)?;
        self.entries[entry].is_done = true;
        Some(self.entries[entry].range.clone())
    }

    /// Returns where the query of `WITH` is named that a name at a place means: the innermost one.
    pub(crate) fn cte_at(&self, name: &str, place: usize) -> Option<usize> {
        let visible = self.ctes.get(name)?.iter().filter(|cte| cte.scope.contains(&place));
        Some(visible.max_by_key(|cte| cte.scope.start.max(cte.at))?.at)
    }

    /// Returns that query.
    pub(crate) fn cte(&self, name: &str, place: usize) -> Option<SymbolId> {
        Some(SymbolId::Local(LocalKind::Cte, self.cte_at(name, place)?))
    }

    pub(crate) fn functions(&mut self) {
        let functions = core::mem::take(&mut self.resolution.functions);
        for function in &functions {
            let Some(start) = self.start(function.location, function.node) else { continue };
            let fits = |kind| kind == NameKind::Function;
            let Some(entry) = self.entry(start, &function.name.name, fits) else { continue };
            let name = match &function.meaning {
                FunctionMeaning::Function(name) => qualified(name, self.catalog),
                _ => qualified(&function.name, self.catalog),
            };
            self.entries[entry].is_done = true;
            let range = self.entries[entry].range.clone();
            self.add(range, SymbolId::Routine(name), NameRole::Read);
        }
        self.resolution.functions = functions;
    }

    /// Names that nothing has resolved: of what is defined, and of objects of other kinds.
    pub(crate) fn others(&mut self) {
        for index in 0..self.entries.len() {
            let entry = &self.entries[index];
            if entry.is_done {
                continue;
            }
            let local = |kind| Some(SymbolId::Local(kind, entry.range.start));
            let symbol = match entry.kind {
                NameKind::Table | NameKind::Sequence => {
                    Some(SymbolId::Relation(of_parts(&entry.parts, self.catalog)))
                }
                NameKind::Column => self.column_of_ddl(entry),
                NameKind::Function => Some(SymbolId::Routine(of_parts(&entry.parts, self.catalog))),
                NameKind::Type => {
                    let is_built_in = entry.parts.len() > 1 && entry.parts[0] == "pg_catalog";
                    (!is_built_in).then(|| type_of_parts(&entry.parts, self.catalog))
                }
                NameKind::Alias => local(LocalKind::Column),
                NameKind::Cte if entry.used == NameUse::Definition => local(LocalKind::Cte),
                NameKind::Cte => {
                    entry.parts.last().and_then(|name| self.cte(name, entry.range.start))
                }
                NameKind::Parameter if entry.used == NameUse::Definition => {
                    local(LocalKind::Parameter)
                }
                NameKind::Parameter
                | NameKind::Operator
                | NameKind::Language
                | NameKind::AccessMethod
                | NameKind::Setting => None,
                NameKind::Trigger | NameKind::Rule | NameKind::Policy | NameKind::Constraint => {
                    entry.parts.last().map(|name| SymbolId::Object(entry.kind, name.clone()))
                }
                kind => Some(SymbolId::Object(kind, entry.parts.join("."))),
            };
            let (range, role) = (entry.range.clone(), role(entry.used));
            let table = self.table_of(entry);
            if let Some(symbol) = symbol {
                self.add(range, symbol, role);
            }
            if let Some((range, symbol)) = table {
                self.add(range, symbol, NameRole::Read);
            }
        }
    }

    /// Returns the table of a column that is named with it, as in `OWNED BY t.a`, and where its name is.
    pub(crate) fn table_of(&self, entry: &NameEntry) -> Option<(Range<usize>, SymbolId)> {
        let (_, table) = entry.parts.split_last().filter(|_| entry.kind == NameKind::Column)?;
        let (sql, tokens) = (self.stmt.sql(), self.stmt.tokens());
        let name = table.last()?;
        let range = tokens.all.get(tokens.at(entry.range.start).checked_sub(2)?)?.range();
        let symbol = SymbolId::Relation(of_parts(table, self.catalog));
        (folded(&sql[range.clone()]) == *name).then_some((range, symbol))
    }

    /// A column that is defined or commented, or whose statement has no sources.
    fn column_of_ddl(&self, entry: &NameEntry) -> Option<SymbolId> {
        let [column] = &entry.parts[..] else { return None };
        let of_subject = [NameUse::Definition, NameUse::Alter, NameUse::Drop, NameUse::Key];
        let table = if entry.used == NameUse::Comment {
            let table = self.entries.iter().find(|entry| entry.kind == NameKind::Table)?;
            of_parts(&table.parts, self.catalog)
        } else {
            self.subject.clone().filter(|_| of_subject.contains(&entry.used))?
        };
        Some(SymbolId::Column(table, column.clone()))
    }
}
