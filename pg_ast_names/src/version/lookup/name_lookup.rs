//! What a name means: a column, a source, a table, a function.

use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::VERSION;
use super::column_names::{NamedColumn, NamedColumns, RowType, of_relation};
use super::pg::view::{ColumnRef, Node};
use super::resolver::NameResolver;
use super::visible_names::{FoundName, Meant};
use crate::builtin_names::builtin_relation;
use crate::catalog_types::CatalogTypeKind;
use crate::name_catalog::{Relation, RelationColumn};
use crate::name_mistakes::MistakeKind;
use crate::resolution::{
    Candidates, ColumnMeaning, ColumnOrigin, FunctionMeaning, SourceColumn, SourceKind,
    TableMeaning,
};

/// The columns that each stored row has; see `SysAtt` of PostgreSQL's `heap.c`.
pub(crate) const SYSTEM_COLUMNS: [&str; 6] = ["ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"];

/// The schemas that are searched before those of `search_path`.
const IMPLICIT: [&str; 2] = ["pg_temp", "pg_catalog"];

impl<'a> NameResolver<'a> {
    /// Returns the schemas in which a name is looked up.
    pub(crate) fn schemas<'n>(&self, schema: Option<&'n str>) -> Vec<&'n str>
    where
        'a: 'n,
    {
        let Some(schema) = schema else {
            let path = self.catalog.search_path();
            let implicit = IMPLICIT.into_iter();
            let implicit = implicit.filter(|name| !path.iter().any(|listed| listed == name));
            return implicit.chain(path.iter().map(String::as_str)).collect();
        };
        vec![schema]
    }

    /// Returns the relation of a name, or what its absence means.
    pub(crate) fn relation(&self, name: &QualifiedName) -> Result<&'a Relation, TableMeaning> {
        let schemas = self.schemas(name.schema.as_deref());
        for schema in &schemas {
            let relation = self.catalog.relation(schema, &name.name).or_else(|| {
                // The server's own tables are recognised by their names.
                let may_be_own = name.schema.is_some() || name.name.starts_with("pg_");
                may_be_own.then(|| builtin_relation(VERSION, schema, &name.name)).flatten()
            });
            if let Some(relation) = relation {
                return Ok(relation);
            }
        }
        let is_known = schemas.iter().all(|schema| {
            let is_own = *schema == "pg_catalog" && name.schema.is_none();
            self.catalog.is_known(schema) || (is_own && !name.name.starts_with("pg_"))
        });
        let is_index = |schema: &&str| self.catalog.has_index(schema, &name.name) == Some(true);
        let is_known = is_known && !schemas.iter().any(is_index);
        Err(if is_known { TableMeaning::Missing } else { TableMeaning::Unknown })
    }

    /// Returns the relation whose rows the values of a type are; those of a domain can be.
    pub(crate) fn row_of_type(&self, name: &QualifiedName) -> Option<RowType<'a>> {
        self.relation(self.below_domains(name)?).ok().map(RowType::Relation)
    }

    /// Returns the type below domains; `None` if that is an array.
    pub(crate) fn below_domains<'n>(&self, name: &'n QualifiedName) -> Option<&'n QualifiedName>
    where
        'a: 'n,
    {
        /// Hardly any domain is over a domain over a domain.
        const MOST: usize = 32;
        let mut name = name;
        for _ in 0..MOST {
            let Some(schema) = name.schema.as_deref() else { break };
            match self.catalog.user_type(schema, &name.name).map(|of| &of.kind) {
                Some(CatalogTypeKind::Domain { base, .. }) if base.is_array => return None,
                Some(CatalogTypeKind::Domain { base, .. }) => name = &base.name,
                _ => break,
            }
        }
        Some(name)
    }

    pub(crate) fn row_of_column(&self, column: &'a RelationColumn) -> Option<RowType<'a>> {
        self.row_of_type(column.type_name()?)
    }

    /// Returns the columns of a relation.
    pub(crate) fn columns_of(&mut self, relation: &'a Relation) -> Rc<NamedColumns<'a>> {
        let key = core::ptr::from_ref(relation);
        if let Some(columns) = self.of_relations.get(&key) {
            return columns.clone();
        }
        let columns =
            of_relation(Some(&relation.name), &relation.columns, relation.is_complete, |column| {
                self.row_of_column(column)
            });
        let columns = Rc::new(columns);
        self.of_relations.insert(key, columns.clone());
        columns
    }

    /// Returns the columns of a row.
    pub(crate) fn columns_of_row(&mut self, row: &RowType<'a>) -> Rc<NamedColumns<'a>> {
        match row {
            RowType::Relation(relation) => self.columns_of(relation),
            RowType::Columns(columns) => columns.clone(),
        }
    }

    /// Resolves the name of a column, or a star that stands for a row.
    pub(crate) fn column_ref(&mut self, column: ColumnRef<'a>) -> ColumnMeaning {
        let names: Vec<&'a str> = column.names().collect();
        let meaning = self.or_variable(column, |this| this.column_or_row(column, &names));
        let owned = names.iter().map(|name| (*name).to_owned()).collect();
        self.add_column_use(column.into(), column.location(), owned, meaning.clone());
        meaning
    }

    fn column_or_row(&mut self, column: ColumnRef<'a>, names: &[&'a str]) -> ColumnMeaning {
        let node = Node::ColumnRef(column);
        match (names, column.is_star()) {
            ([], _) | ([_], true) => ColumnMeaning::Unknown,
            ([qualifiers @ .., _], true) => match self.qualified(node, column, qualifiers) {
                Some(source) => ColumnMeaning::Row(source),
                None => ColumnMeaning::Unknown,
            },
            ([name], false) => self.unqualified(node, column, name),
            ([qualifiers @ .., name], false) => match self.qualified(node, column, qualifiers) {
                Some(source) => self.column_of(node, column, source, names.len() - 1, name),
                None if names.len() == 2 && self.is_variable(names[0]) => {
                    ColumnMeaning::Variable(names[0].to_owned())
                }
                None => ColumnMeaning::Unknown,
            },
        }
    }

    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Returns the source that qualifies a column; adds a mistake if there is none.
    pub(crate) fn qualified(
        &mut self,
        node: Node<'a>,
        column: ColumnRef<'a>,
        qualifiers: &[&str],
    ) -> Option<usize> {
        // Before a schema, there may be the database.
        let (name, schema) = match qualifiers {
            [name] => (*name, None),
            [schema, name] | [_, schema, name] => (*name, Some(*schema)),
            _ => return None,
        };
        let found = match schema {
            None => self.names.source(name),
            Some(schema) => {
                let qualified = self.names.source(&format!("{schema}\0{name}"));
                // Without a catalog, a table that is named without its schema may be that.
                qualified.or_else(|| {
                    self.names.source(name).filter(|found| self.may_be_in_schema(found))
                })
            }
        };
        if let Some(FoundName { meant: Meant::Source(source), .. }) = found {
            return Some(source);
        }
        if self.is_lenient || self.is_variable(qualifiers[0]) {
            return None;
        }
        let alias = self
            .alias_of(&QualifiedName { schema: schema.map(str::to_owned), name: name.to_owned() });
        let is_elsewhere = alias.is_some() || self.names.is_source_somewhere(name);
        let message = if is_elsewhere {
            format!("invalid reference to FROM-clause entry for table \"{name}\"")
        } else {
            format!("missing FROM-clause entry for table \"{name}\"")
        };
        let suggestion = if is_elsewhere {
            alias.filter(|alias| self.names.source(alias).is_some())
        } else if !self.may_suggest() {
            None
        } else {
            let names: Vec<_> = self.names.source_names().map(str::to_owned).collect();
            self.similar(name, names.iter().map(String::as_str))
        };
        let part = qualifiers.len() - 1;
        self.mistake(
            node,
            column.location(),
            part,
            MistakeKind::MissingSource,
            message,
            suggestion,
        );
        None
    }

    /// Returns the alias of a table in one of the queries around this place, as `searchRangeTableForRel` does.
    fn alias_of(&mut self, name: &QualifiedName) -> Option<String> {
        if !self.may_suggest() {
            return None;
        }
        let relation = self.relation(name).ok().map(|relation| &relation.name);
        let (mut compared, mut found) = (0, None);
        for source in self.names.open_sources() {
            compared += 1;
            let Some(source) = self.found.sources.get(source) else { continue };
            let is_it = match (&source.kind, relation) {
                (SourceKind::Table(of), Some(relation)) => of == relation,
                (SourceKind::Table(of), None) => of == name,
                (SourceKind::Cte(of), _) => name.schema.is_none() && *of == name.name,
                _ => false,
            };
            // In the order of the statement, whatever the order of the names.
            if is_it && found.is_none_or(|at| source.location < at) {
                found = Some(source.location);
            }
        }
        self.compared += compared;
        let location = found?;
        let mut open = self.names.open_sources();
        open.find_map(|source| {
            let source = self.found.sources.get(source)?;
            (source.location == location).then(|| source.name.clone()).flatten()
        })
    }

    fn may_be_in_schema(&self, found: &FoundName) -> bool {
        let Meant::Source(source) = found.meant else { return false };
        let kind = self.found.sources.get(source).map(|source| &source.kind);
        let has_alias = self.sources.get(source).is_some_and(|state| state.has_alias);
        !has_alias
            && matches!(kind, Some(SourceKind::Table(name) | SourceKind::RowOf(name)) if name.schema.is_none())
    }

    /// Returns what a column of a source means; adds a mistake if it has no such column.
    pub(crate) fn column_of(
        &mut self,
        node: Node<'a>,
        column: ColumnRef<'a>,
        source: usize,
        part: usize,
        name: &str,
    ) -> ColumnMeaning {
        let Some(state) = self.sources.get(source) else { return ColumnMeaning::Unknown };
        let columns = state.columns.clone();
        let is_system = SYSTEM_COLUMNS.contains(&name) && state.is_stored;
        match columns.find(name) {
            Some((_, true)) => {
                let message = format!("column reference \"{name}\" is ambiguous");
                let kind = MistakeKind::AmbiguousColumn;
                self.mistake(node, column.location(), part, kind, message, None);
                return ColumnMeaning::Unknown;
            }
            Some((index, false)) => {
                return self.meaning(Meant::Column { source, index });
            }
            None if is_system || !columns.is_complete() => {
                return ColumnMeaning::Column(self.unlisted(source, name));
            }
            None => {}
        }
        // `t.f` can be `f(t)`.
        let function = QualifiedName::unqualified(name);
        match self.routines(&function, Some(1)) {
            Some(routines) => {
                let found = routines.first().map_or(function.clone(), |it| it.name.clone());
                let meaning = FunctionMeaning::Function(found);
                self.add_function_use(node, column.location(), function, meaning, Some(1));
                return ColumnMeaning::Row(source);
            }
            None if is_like_cast(name) => return ColumnMeaning::Row(source),
            None => {}
        }
        let of = self.found.sources[source].name.clone().unwrap_or_default();
        let message = format!("column {of}.{name} does not exist");
        let names = columns.columns.iter().map(|column| &*column.name);
        let suggestion = if self.may_suggest() { self.similar(name, names) } else { None };
        let kind = MistakeKind::MissingColumn;
        self.mistake(node, column.location(), part, kind, message, suggestion);
        ColumnMeaning::Unknown
    }

    /// Returns the meaning of what was found.
    pub(crate) fn meaning(&self, meant: Meant) -> ColumnMeaning {
        match meant {
            Meant::Column { source, index } => match self.source_column(source, index) {
                Some(column) => ColumnMeaning::Column(column),
                None => ColumnMeaning::Unknown,
            },
            Meant::Source(source) => ColumnMeaning::Row(source),
            Meant::Unknown(_) => ColumnMeaning::Unknown,
        }
    }

    /// Returns the column that one of a join with an alias stands for.
    pub(crate) fn base(&self, meant: Meant) -> Meant {
        let Meant::Column { source, index } = meant else { return meant };
        let state = self.sources.get(source);
        let column = state.and_then(|state| state.columns.columns.get(index));
        column.and_then(|column| column.meant).unwrap_or(meant)
    }

    pub(crate) fn source_column(&self, source: usize, index: usize) -> Option<SourceColumn> {
        let Meant::Column { source, index } = self.base(Meant::Column { source, index }) else {
            return None;
        };
        let column = self.sources.get(source)?.columns.columns.get(index)?;
        let name = column.name.clone();
        if column.origin.is_none() && self.sources[source].relation.is_none() {
            return Some(SourceColumn { index: Some(index), ..self.unlisted(source, &name) });
        }
        Some(SourceColumn { source, index: Some(index), name, origin: column.origin.clone() })
    }

    /// Returns a column that is not in the list of its source: one of a table that the catalog does not know, or a system column.
    pub(crate) fn unlisted(&self, source: usize, name: &str) -> SourceColumn {
        let name: Arc<str> = Arc::from(name);
        let table = self.found.sources.get(source).and_then(|source| source.kind.table());
        let column = name.clone();
        let origin = table.map(|table| ColumnOrigin { table: Arc::new(table.clone()), column });
        SourceColumn { source, index: None, name, origin }
    }

    fn unqualified(
        &mut self,
        node: Node<'a>,
        column: ColumnRef<'a>,
        name: &'a str,
    ) -> ColumnMeaning {
        let known = self.names.column(name);
        let unknown = self.names.unknown();
        if let Some(found) = known
            && unknown.is_none_or(|(level, _)| found.level >= level)
        {
            if found.is_ambiguous {
                let message = format!("column reference \"{name}\" is ambiguous");
                let kind = MistakeKind::AmbiguousColumn;
                self.mistake(node, column.location(), 0, kind, message, None);
                return ColumnMeaning::Unknown;
            }
            return self.meaning(found.meant);
        }
        if SYSTEM_COLUMNS.contains(&name)
            && let Some(FoundName { meant: Meant::Source(source), is_ambiguous, .. }) =
                self.names.stored()
        {
            if is_ambiguous {
                let message = format!("column reference \"{name}\" is ambiguous");
                let kind = MistakeKind::AmbiguousColumn;
                self.mistake(node, column.location(), 0, kind, message, None);
                return ColumnMeaning::Unknown;
            }
            return ColumnMeaning::Column(self.unlisted(source, name));
        }
        if let Some(FoundName { meant: Meant::Source(source), .. }) = self.names.source(name) {
            return ColumnMeaning::Row(source);
        }
        if unknown.is_none() && self.is_variable(name) {
            return ColumnMeaning::Variable(name.to_owned());
        }
        if let Some((_, visible)) = unknown {
            let known_column = known.and_then(|found| match self.meaning(found.meant) {
                ColumnMeaning::Column(column) => Some(column),
                _ => None,
            });
            let known_level = known.map(|found| found.level);
            let one =
                Candidates { unknown: visible, known_level, known: known_column, output: None };
            return self.only_candidate(one, name);
        }
        if self.is_lenient {
            return ColumnMeaning::Unknown;
        }
        let suggestion = if self.may_suggest() {
            let names: Vec<_> = self.names.column_names().map(str::to_owned).collect();
            self.similar(name, names.iter().map(String::as_str))
        } else {
            None
        };
        let message = format!("column \"{name}\" does not exist");
        let kind = MistakeKind::MissingColumn;
        self.mistake(node, column.location(), 0, kind, message, suggestion);
        ColumnMeaning::Unknown
    }

    /// Returns the meaning of a name of which only these are candidates.
    fn only_candidate(&self, one: Candidates, name: &str) -> ColumnMeaning {
        let record = self.found.unknown.get(one.unknown.last);
        let is_only = one.known.is_none()
            && record.is_some_and(|record| {
                let before = record.before.and_then(|before| self.found.unknown.get(before));
                before.is_none_or(|before| before.item < one.unknown.first_item)
                    && self.found.outer.get(record.query).is_none_or(Option::is_none)
            });
        match record {
            Some(record) if is_only && !self.is_variable(name) => {
                ColumnMeaning::Column(self.unlisted(record.source, name))
            }
            _ => ColumnMeaning::OneOf(one),
        }
    }

    /// Adds the mistake that a table does not exist.
    /// Notes that there is no schema of a name that has one; returns whether that is so.
    pub(crate) fn misses_schema(
        &mut self,
        node: Node<'a>,
        location: i32,
        name: &QualifiedName,
    ) -> bool {
        let Some(schema) = name.schema.as_deref().filter(|_| !self.is_lenient) else {
            return false;
        };
        if self.catalog.has_schema(schema) != Some(false) {
            return false;
        }
        let message = format!("schema \"{schema}\" does not exist");
        self.mistake(node, location, 0, MistakeKind::MissingSchema, message, None);
        true
    }

    pub(crate) fn missing_table(&mut self, node: Node<'a>, location: i32, name: &QualifiedName) {
        let message = format!("relation \"{}\" does not exist", name.plain());
        let suggestion = self.similar_relation(name);
        let part = usize::from(name.schema.is_some());
        self.mistake(node, location, part, MistakeKind::MissingTable, message, suggestion);
    }

    /// Returns the name of a relation that is most like a wrong one.
    pub(crate) fn similar_relation(&mut self, name: &QualifiedName) -> Option<String> {
        if !self.may_suggest() {
            return None;
        }
        let schemas = self.schemas(name.schema.as_deref());
        let catalog = self.catalog;
        let names = schemas.iter().flat_map(|schema| catalog.relation_names(schema));
        let names: Vec<_> = names.collect();
        self.similar(&name.name, names.into_iter())
    }

    /// Returns the rows that a column has, if its type is composite.
    pub(crate) fn row_of_meaning(&self, meaning: &ColumnMeaning) -> Option<RowType<'a>> {
        match meaning {
            ColumnMeaning::Row(source) => {
                Some(RowType::Columns(self.sources.get(*source)?.columns.clone()))
            }
            ColumnMeaning::Column(column) => {
                let columns = &self.sources.get(column.source)?.columns;
                let (index, _) = columns.find(&column.name)?;
                columns.columns.get(index)?.row.clone()
            }
            _ => None,
        }
    }
}

/// Returns whether a name certainly means a column or a row: it is not one of a table whose columns are not known.
pub(crate) fn is_certain(names: &NameResolver<'_>, meaning: &ColumnMeaning) -> bool {
    match meaning {
        ColumnMeaning::Column(column) => names.sources.get(column.source).is_some_and(|state| {
            state.columns.find(&column.name).is_some()
                || state.is_stored && SYSTEM_COLUMNS.contains(&&*column.name)
        }),
        ColumnMeaning::Row(_) | ColumnMeaning::All(_) => true,
        _ => false,
    }
}

/// Returns whether a name can be that of a type that a row is cast to, or of a function of PostgreSQL's own: `t.text`.
pub(crate) fn is_like_cast(name: &str) -> bool {
    matches!(
        name,
        "text"
            | "varchar"
            | "name"
            | "bpchar"
            | "json"
            | "jsonb"
            | "row_to_json"
            | "to_json"
            | "to_jsonb"
            | "hstore"
    )
}

/// Makes a column of a name and the rows that its values are.
pub(crate) fn column<'a>(name: &str, row: Option<RowType<'a>>) -> NamedColumn<'a> {
    NamedColumn { row, ..NamedColumn::new(name) }
}
