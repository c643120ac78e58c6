//! The names in a statement, each with its place and what it means.

use core::cell::OnceCell;
use core::ops::Range;
use std::collections::HashMap;

use pg_ast::scopes::{
    Catalog, ColumnMeaning, ColumnUse, FunctionMeaning, MistakeKind, QualifiedName, Resolution,
    SourceColumn, SourceKind, StarPart, TableMeaning,
};
use pg_ast::view::{Node, Tree};
use pg_ast::{NameKind, NameUse};

use crate::body_names;
use crate::semantic_tokens::{self, Word};
use crate::stmt::Stmt;

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A table, a view or another relation, with its schema.
    Relation(QualifiedName),
    Column(QualifiedName, String),
    Routine(QualifiedName),
    Type(QualifiedName),
    /// Another object of the database, by its kind and its name with dots.
    Object(NameKind, String),
    /// What the statement itself names, by the place where it does so.
    Local(LocalKind, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LocalKind {
    /// Another name of an item of a `FROM`.
    Alias,
    /// A query of `WITH`.
    Cte,
    /// A column of a query that has a name of its own.
    Column,
    Variable,
    Parameter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Definition,
    Read,
    Write,
}

/// A name at a place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) range: Range<usize>,
    pub(crate) symbol: Symbol,
    pub(crate) role: Role,
    /// Whether it would change if the object got another name: not the column of a query that shows a column of a table.
    pub(crate) is_direct: bool,
    /// Whether it is the name that a query gives its column by not giving it another one.
    pub(crate) is_output: bool,
    /// Whether it may mean something else.
    pub(crate) is_certain: bool,
}

/// A name that means nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) range: Range<usize>,
    pub(crate) kind: MistakeKind,
    pub(crate) message: String,
    pub(crate) suggestion: Option<String>,
}

/// The names in a statement.
#[derive(Default)]
pub(crate) struct Names {
    /// In the order of their places, which do not overlap.
    pub(crate) all: Vec<Name>,
    pub(crate) mistakes: Vec<Mistake>,
    /// What the names of the statement mean, without those in its body.
    pub(crate) resolution: Resolution,
    /// The stars, by the index of their use.
    pub(crate) stars: Vec<(Range<usize>, usize)>,
    words: OnceCell<Vec<Word>>,
}

impl Names {
    /// Returns what the words of the statement are.
    pub(crate) fn words(&self, stmt: &Stmt) -> &[Word] {
        self.words.get_or_init(|| semantic_tokens::words(stmt, self))
    }

    pub(crate) fn of(stmt: &Stmt, catalog: &dyn Catalog) -> Self {
        let Some(tree) = stmt.tree() else { return Self::default() };
        let mut finder = Finder::new(stmt, tree, catalog);
        finder.tables();
        finder.columns();
        finder.functions();
        finder.others();
        let Finder { mut found, resolution, stars, .. } = finder;
        let mut mistakes: Vec<_> = resolution
            .mistakes
            .iter()
            .filter_map(|mistake| {
                let range = mistake.range(stmt.sql()).or_else(|| {
                    let node = tree.nodes().nth(mistake.node?)?;
                    tree.range(node)
                })?;
                Some(Mistake {
                    range,
                    kind: mistake.kind,
                    message: mistake.message.clone(),
                    suggestion: mistake.suggestion.clone(),
                })
            })
            .collect();
        body_names::add(stmt, catalog, &mut found, &mut mistakes);
        found.sort_by_key(|name| (name.range.start, name.range.end));
        found.dedup_by(|next, first| next.range.start < first.range.end);
        mistakes.sort_by_key(|mistake| mistake.range.start);
        Self { all: found, mistakes, resolution, stars, words: OnceCell::new() }
    }

    /// Returns the name that begins at a place.
    pub(crate) fn at_start(&self, start: usize) -> Option<&Name> {
        let index =
            self.all.partition_point(|name| (name.range.start, name.range.end) <= (start, start));
        self.all.get(index).filter(|name| name.range.start == start)
    }

    /// Returns the name of which a place holds the schema.
    pub(crate) fn behind_dots(&self, sql: &str, offset: usize) -> Option<&Name> {
        let next = self.all.partition_point(|name| name.range.start < offset);
        let name = self.all.get(next)?;
        let between = sql.get(offset..name.range.start)?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"' | '.');
        (between.ends_with('.') && between.chars().all(is_part)).then_some(name)
    }

    /// Returns the name that holds a place, or ends there.
    pub(crate) fn at(&self, offset: usize) -> Option<&Name> {
        let next = self.all.partition_point(|name| name.range.start <= offset);
        self.all[..next].last().filter(|name| offset <= name.range.end)
    }
}

/// Returns a name with its schema: that of the search path if none is known.
pub(crate) fn qualified(name: &QualifiedName, catalog: &dyn Catalog) -> QualifiedName {
    let schema = name.schema.clone().or_else(|| catalog.search_path().first().cloned());
    QualifiedName { schema, name: name.name.clone() }
}

/// Returns the last two parts of a name.
fn of_parts(parts: &[String], catalog: &dyn Catalog) -> QualifiedName {
    let name = parts.last().cloned().unwrap_or_default();
    let schema = parts.len().checked_sub(2).map(|index| parts[index].clone());
    qualified(&QualifiedName { schema, name }, catalog)
}

/// A name that the statement's tree has.
struct Entry {
    range: Range<usize>,
    kind: NameKind,
    used: NameUse,
    parts: Vec<String>,
    is_done: bool,
}

struct Finder<'a> {
    stmt: &'a Stmt,
    tree: &'a Tree,
    catalog: &'a dyn Catalog,
    nodes: Vec<Node<'a>>,
    entries: Vec<Entry>,
    resolution: Resolution,
    /// The places of the aliases of sources.
    aliases: HashMap<usize, usize>,
    /// The places at which queries of `WITH` get their names.
    ctes: HashMap<String, usize>,
    /// The places at which columns of queries get their names, in order.
    labels: HashMap<String, Vec<usize>>,
    /// The same within a source; `None` for several.
    source_labels: HashMap<usize, HashMap<String, Option<usize>>>,
    /// The relation that a statement such as `ALTER TABLE` is about.
    subject: Option<QualifiedName>,
    found: Vec<Name>,
    stars: Vec<(Range<usize>, usize)>,
}

impl<'a> Finder<'a> {
    fn new(stmt: &'a Stmt, tree: &'a Tree, catalog: &'a dyn Catalog) -> Self {
        let mut entries = Vec::new();
        tree.walk_names(|name, used| {
            if let Some(range) = tree.name_range(name) {
                let parts = name.parts().map(str::to_owned).collect();
                entries.push(Entry { range, kind: name.kind(), used, parts, is_done: false });
            }
        });
        entries.sort_by_key(|entry| entry.range.start);
        let (mut ctes, mut labels) = (HashMap::new(), HashMap::<String, Vec<usize>>::new());
        for entry in entries.iter().filter(|entry| entry.used == NameUse::Definition) {
            let Some(name) = entry.parts.last() else { continue };
            match entry.kind {
                NameKind::Cte => drop(ctes.entry(name.clone()).or_insert(entry.range.start)),
                NameKind::Alias => labels.entry(name.clone()).or_default().push(entry.range.start),
                _ => {}
            }
        }
        Self {
            stmt,
            tree,
            catalog,
            nodes: tree.nodes().collect(),
            entries,
            resolution: tree.resolve(catalog),
            aliases: HashMap::new(),
            ctes,
            labels,
            source_labels: HashMap::new(),
            subject: None,
            found: Vec::new(),
            stars: Vec::new(),
        }
    }

    /// Returns where a use begins.
    fn start(&self, location: Option<usize>, node: Option<usize>) -> Option<usize> {
        location.or_else(|| Some(self.tree.range(*self.nodes.get(node?)?)?.start))
    }

    /// Returns the first entry with a name at a place or behind it that no use has taken.
    fn entry(&self, start: usize, name: &str, fits: impl Fn(NameKind) -> bool) -> Option<usize> {
        const LOOKED_AT: usize = 64;
        let first = self.entries.partition_point(|entry| entry.range.start < start);
        let near = self.entries.iter().enumerate().skip(first).take(LOOKED_AT);
        let is_it = |entry: &Entry| {
            fits(entry.kind) && !entry.is_done && entry.parts.last().is_some_and(|it| it == name)
        };
        near.into_iter().find(|(_, entry)| is_it(entry)).map(|(index, _)| index)
    }

    fn add(&mut self, range: Range<usize>, symbol: Symbol, role: Role) {
        self.found.push(Name {
            range,
            symbol,
            role,
            is_direct: true,
            is_output: false,
            is_certain: true,
        });
    }

    /// Tables, and the aliases of all sources.
    fn tables(&mut self) {
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
                TableMeaning::Cte(name) => self.cte(name),
                TableMeaning::Relation(name) => {
                    Some(Symbol::Relation(qualified(name, self.catalog)))
                }
                _ => Some(Symbol::Relation(qualified(&table.name, self.catalog))),
            };
            let Some(symbol) = symbol else { continue };
            let entry = &mut self.entries[entry];
            entry.is_done = true;
            let (range, role) = (entry.range.clone(), role(entry.used));
            let defines = matches!(entry.used, NameUse::Definition | NameUse::Alter);
            if let (true, None, Symbol::Relation(name)) = (defines, &self.subject, &symbol) {
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
                    Symbol::Local(LocalKind::Alias, range.start),
                    Role::Definition,
                );
            }
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

    /// Returns the query of `WITH` that has a name.
    fn cte(&self, name: &str) -> Option<Symbol> {
        Some(Symbol::Local(LocalKind::Cte, *self.ctes.get(name)?))
    }

    fn columns(&mut self) {
        let columns = core::mem::take(&mut self.resolution.columns);
        for (index, column) in columns.iter().enumerate() {
            let Some(start) = self.start(column.location, column.node) else { continue };
            if column.names.last().is_some_and(|name| name == "*") {
                self.star(start, index, column);
                continue;
            }
            let Some(name) = column.names.last() else { continue };
            let Some(entry) = self.entry(start, name, |kind| kind == NameKind::Column) else {
                continue;
            };
            self.entries[entry].is_done = true;
            let range = self.entries[entry].range.clone();
            let used = self.entries[entry].used;
            if let Some(source) = self.source_of(column) {
                self.qualifier(column, start, source);
            }
            let Some((symbol, is_direct)) = self.meaning(column, &range) else { continue };
            let is_output = self.is_output(column, &range);
            let is_certain = !matches!(column.meaning, ColumnMeaning::Both(_));
            let role = role(used);
            self.found.push(Name { range, symbol, role, is_direct, is_output, is_certain });
        }
        self.resolution.columns = columns;
    }

    /// Returns whether a column of a target list is shown under its own name.
    fn is_output(&self, column: &ColumnUse, range: &Range<usize>) -> bool {
        let Some(node) = column.node.filter(|node| *node > 0) else { return false };
        // The parent is the node before.
        match self.nodes.get(node - 1) {
            Some(Node::ResTarget(target)) => {
                target.name().is_empty()
                    && self.tree.range(*target).is_some_and(|it| it.end == range.end)
            }
            _ => false,
        }
    }

    fn star(&mut self, start: usize, index: usize, column: &ColumnUse) {
        let parts = self.stmt.tokens().parts(self.stmt.sql(), start);
        if let Some(range) = parts.last() {
            self.stars.push((range.clone(), index));
        }
        if let Some(source) = self.source_of(column) {
            self.qualifier(column, start, source);
        }
    }

    /// Returns the source that the name before a column refers to.
    fn source_of(&self, column: &ColumnUse) -> Option<usize> {
        if column.names.len() < 2 {
            return None;
        }
        match &column.meaning {
            ColumnMeaning::Column(of) => Some(of.source),
            ColumnMeaning::Row(source) => Some(*source),
            ColumnMeaning::All(parts) => Some(match parts.first()? {
                StarPart::Column(of) => of.source,
                StarPart::AllOf(source) => *source,
                _ => return None,
            }),
            _ => None,
        }
    }

    /// Adds the name of a table or the alias before a column.
    fn qualifier(&mut self, column: &ColumnUse, start: usize, source: usize) {
        let parts = self.stmt.tokens().parts(self.stmt.sql(), start);
        let Some(range) = parts.get(column.names.len() - 2).cloned() else { return };
        let symbol = match self.aliases.get(&source) {
            Some(at) => Some(Symbol::Local(LocalKind::Alias, *at)),
            None => match &self.resolution.sources[source].kind {
                SourceKind::Table(name) => Some(Symbol::Relation(qualified(name, self.catalog))),
                SourceKind::Cte(name) => self.cte(name),
                _ => None,
            },
        };
        if let Some(symbol) = symbol {
            self.add(range, symbol, Role::Read);
        }
    }

    /// Returns the meaning of a column, and whether its name is that of the object.
    fn meaning(&mut self, column: &ColumnUse, range: &Range<usize>) -> Option<(Symbol, bool)> {
        match &column.meaning {
            ColumnMeaning::Column(of) => self.source_column(of),
            ColumnMeaning::Both(both) => self.source_column(both.first()?),
            ColumnMeaning::Field(of, field) => {
                Some((Symbol::Column(qualified(of, self.catalog), field.clone()), true))
            }
            ColumnMeaning::Output(_) => {
                let labels = self.labels.get(column.names.last()?)?;
                let before = labels.partition_point(|label| *label < range.start);
                Some((Symbol::Local(LocalKind::Column, *labels.get(before.checked_sub(1)?)?), true))
            }
            ColumnMeaning::Row(source) => match self.aliases.get(source) {
                Some(at) => Some((Symbol::Local(LocalKind::Alias, *at), true)),
                None => {
                    let table = self.resolution.sources[*source].kind.table()?;
                    Some((Symbol::Relation(qualified(table, self.catalog)), true))
                }
            },
            _ => None,
        }
    }

    fn source_column(&mut self, of: &SourceColumn) -> Option<(Symbol, bool)> {
        let source = self.resolution.sources.get(of.source)?;
        let is_table = source.kind.table().is_some();
        match &of.origin {
            Some(origin) if is_table || *origin.column == *of.name => {
                let table = qualified(&origin.table, self.catalog);
                let symbol = Symbol::Column(table, origin.column.to_string());
                Some((symbol, is_table && *origin.column == *of.name))
            }
            _ => {
                let label = self.label(of.source, &of.name)?;
                Some((Symbol::Local(LocalKind::Column, label), true))
            }
        }
    }

    /// Returns the place where a query names one of its columns.
    fn label(&mut self, source: usize, name: &str) -> Option<usize> {
        if !self.source_labels.contains_key(&source) {
            let labels = self.labels_of(source).unwrap_or_default();
            self.source_labels.insert(source, labels);
        }
        self.source_labels.get(&source)?.get(name).copied().flatten()
    }

    fn labels_of(&self, source: usize) -> Option<HashMap<String, Option<usize>>> {
        let source = &self.resolution.sources[source];
        let within = match &source.kind {
            SourceKind::Cte(cte) => {
                let at = *self.ctes.get(cte)?;
                let is_it = |node: &&Node<'_>| {
                    matches!(node, Node::CommonTableExpr(_))
                        && self.tree.range(**node).is_some_and(|range| range.start == at)
                };
                self.tree.range(*self.nodes.iter().find(is_it)?)?
            }
            _ => self.tree.range(*self.nodes.get(source.node?)?)?,
        };
        let first = self.entries.partition_point(|entry| entry.range.start < within.start);
        let inside = self.entries[first..].iter().take_while(|it| it.range.end <= within.end);
        let mut labels = HashMap::new();
        for entry in inside {
            if let (NameKind::Alias, NameUse::Definition, Some(name)) =
                (entry.kind, entry.used, entry.parts.last())
            {
                let label = labels.entry(name.clone());
                label.and_modify(|label| *label = None).or_insert(Some(entry.range.start));
            }
        }
        Some(labels)
    }

    fn functions(&mut self) {
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
            self.add(range, Symbol::Routine(name), Role::Read);
        }
        self.resolution.functions = functions;
    }

    /// Names that nothing has resolved: of what is defined, and of objects of other kinds.
    fn others(&mut self) {
        for index in 0..self.entries.len() {
            let entry = &self.entries[index];
            if entry.is_done {
                continue;
            }
            let local = |kind| Some(Symbol::Local(kind, entry.range.start));
            let symbol = match entry.kind {
                NameKind::Table => Some(Symbol::Relation(of_parts(&entry.parts, self.catalog))),
                NameKind::Column => self.column_of_ddl(entry),
                NameKind::Function => Some(Symbol::Routine(of_parts(&entry.parts, self.catalog))),
                NameKind::Type => {
                    let is_built_in = entry.parts.len() > 1 && entry.parts[0] == "pg_catalog";
                    (!is_built_in).then(|| Symbol::Type(of_parts(&entry.parts, self.catalog)))
                }
                NameKind::Alias => local(LocalKind::Column),
                NameKind::Cte if entry.used == NameUse::Definition => local(LocalKind::Cte),
                NameKind::Cte => entry.parts.last().and_then(|name| self.cte(name)),
                NameKind::Parameter if entry.used == NameUse::Definition => {
                    local(LocalKind::Parameter)
                }
                NameKind::Parameter
                | NameKind::Operator
                | NameKind::Language
                | NameKind::AccessMethod
                | NameKind::Setting => None,
                kind => Some(Symbol::Object(kind, entry.parts.join("."))),
            };
            if let Some(symbol) = symbol {
                let (range, role) = (entry.range.clone(), role(entry.used));
                self.add(range, symbol, role);
            }
        }
    }

    /// A column that is defined or commented, or whose statement has no sources.
    fn column_of_ddl(&self, entry: &Entry) -> Option<Symbol> {
        let (column, table) = entry.parts.split_last()?;
        let table = match table.is_empty() {
            true if matches!(
                entry.used,
                NameUse::Definition | NameUse::Alter | NameUse::Drop | NameUse::Key
            ) =>
            {
                self.subject.clone()?
            }
            true => return None,
            false if entry.used == NameUse::Comment => of_parts(table, self.catalog),
            false => return None,
        };
        Some(Symbol::Column(table, column.clone()))
    }
}

pub(crate) fn role(used: NameUse) -> Role {
    match used {
        NameUse::Definition => Role::Definition,
        NameUse::InsertTarget
        | NameUse::UpdateTarget
        | NameUse::DeleteTarget
        | NameUse::MergeTarget
        | NameUse::Alter
        | NameUse::Drop => Role::Write,
        _ => Role::Read,
    }
}
