//! The names in the body of a function: variables, and what the SQL in it names.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use pg_ast::plpgsql::Function;
use pg_ast::{Context, QualifiedName};
use pg_ast_names::{
    Catalog, ColumnMeaning, ColumnUse, FunctionMeaning, Resolution, SourceKind, TableMeaning,
};

use crate::names::name_finder::type_of_parts;
use crate::names::{LocalKind, NameAt, NameRole, SymbolId, WrongName, qualified};
use crate::stmt::identifiers::{folded, is_name};
use crate::stmt::{Body, StmtFacts};

/// Adds the names in the body of a statement, if it has one.
pub(crate) fn add(
    stmt: &StmtFacts,
    catalog: &dyn Catalog,
    found: &mut Vec<NameAt>,
    mistakes: &mut Vec<WrongName>,
) {
    let Some(body) = stmt.body() else { return };
    let mut finder = BodyFinder::new(stmt, catalog, found);
    match body {
        Body::PlPgSql(function) => {
            for names in pg_ast_names::resolve_body(function, catalog) {
                let place = names.expr.location..names.expr.end;
                let place = usize::try_from(place.start).ok().zip(usize::try_from(place.end).ok());
                let place = place.map_or(0..stmt.sql().len(), |(start, end)| start..end);
                finder.resolved(&names.names, &place, mistakes);
            }
            finder.variables(function, found);
        }
        Body::Sql(function) => {
            let Ok(tree) = &function.body else { return };
            let place = stmt.tokens().body.clone().unwrap_or(0..0);
            finder.resolved(&pg_ast_names::resolve(tree, catalog), &place, mistakes);
        }
    }
    let BodyFinder { names, .. } = finder;
    found.extend(names);
}

struct BodyFinder<'a> {
    stmt: &'a StmtFacts,
    catalog: &'a dyn Catalog,
    /// The parameters, by name.
    parameters: HashMap<String, usize>,
    /// The places of what certainly is no variable.
    columns: HashSet<usize>,
    names: Vec<NameAt>,
    /// Where these begin.
    taken: HashSet<usize>,
}

impl<'a> BodyFinder<'a> {
    fn new(stmt: &'a StmtFacts, catalog: &'a dyn Catalog, found: &[NameAt]) -> Self {
        let parameters = found.iter().filter_map(|name| match name.symbol {
            SymbolId::Local(LocalKind::Parameter, at) => {
                Some((folded(&stmt.sql()[name.range.clone()]), at))
            }
            _ => None,
        });
        let parameters = parameters.collect();
        Self {
            stmt,
            catalog,
            parameters,
            columns: HashSet::new(),
            names: Vec::new(),
            taken: HashSet::new(),
        }
    }

    fn add(&mut self, range: Range<usize>, symbol: SymbolId, role: NameRole, is_certain: bool) {
        let (is_direct, output) = (true, None);
        self.taken.insert(range.start);
        self.names.push(NameAt { range, symbol, role, is_direct, output, is_certain });
    }

    /// Adds what the names of an expression or a query mean.
    fn resolved(
        &mut self,
        names: &Resolution,
        within: &Range<usize>,
        mistakes: &mut Vec<WrongName>,
    ) {
        let sql = self.stmt.sql();
        let tokens = self.stmt.tokens();
        let mut defined = HashSet::new();
        for table in &names.tables {
            let Some(start) = table.location else { continue };
            let symbol = match &table.meaning {
                TableMeaning::Cte(_) => continue,
                TableMeaning::Relation(name) => qualified(name, self.catalog),
                _ => qualified(&table.name, self.catalog),
            };
            let Some(range) = tokens.parts(sql, start).last().cloned() else { continue };
            if folded(&sql[range.clone()]) == table.name.name {
                // A foreign key to the table that the statement defines comes after the definition.
                let key = (table.stmt, &table.name.name);
                let is_new = table.meaning == TableMeaning::New && defined.insert(key);
                let role = match table.context {
                    Context::Dml => NameRole::Write,
                    _ if is_new => NameRole::Definition,
                    _ => NameRole::Read,
                };
                self.add(range, SymbolId::Relation(symbol), role, true);
            }
        }
        let aliases: Vec<_> = (0..names.sources.len()).map(|it| self.alias(names, it)).collect();
        for range in aliases.iter().flatten() {
            let symbol = SymbolId::Local(LocalKind::Alias, range.start);
            self.add(range.clone(), symbol, NameRole::Definition, true);
        }
        let mut unplaced = Vec::new();
        for column in &names.columns {
            match column.location {
                Some(start) => self.column(names, column, start, &aliases),
                None => unplaced.push(column),
            }
        }
        if !unplaced.is_empty() {
            let places = self.places(within);
            for column in unplaced {
                self.unplaced(names, column, &places);
            }
        }
        for function in &names.functions {
            let Some(start) = function.location else { continue };
            let Some(range) = tokens.parts(sql, start).last().cloned() else { continue };
            if folded(&sql[range.clone()]) != function.name.name {
                continue;
            }
            let name = match &function.meaning {
                FunctionMeaning::Function(name) => qualified(name, self.catalog),
                _ => qualified(&function.name, self.catalog),
            };
            self.add(range, SymbolId::Routine(name), NameRole::Read, true);
        }
        for mistake in &names.mistakes {
            let Some(range) = mistake.range(sql) else { continue };
            let first = mistake.location.and_then(|start| tokens.range_at(start));
            let first = first.map(|range| folded(&sql[range]));
            if first.is_some_and(|first| self.parameters.contains_key(&first)) {
                continue;
            }
            mistakes.push(WrongName {
                range,
                kind: mistake.kind,
                message: mistake.message.clone(),
                suggestion: mistake.suggestion.clone(),
            });
        }
    }

    /// Returns the place of the alias of a source that is a table.
    fn alias(&self, names: &Resolution, source: usize) -> Option<Range<usize>> {
        let source = &names.sources[source];
        let (start, name) = (source.location?, source.name.as_deref()?);
        let sql = self.stmt.sql();
        let table = self.stmt.tokens().parts(sql, start).last()?.end;
        let tokens = &self.stmt.tokens().all;
        let mut behind =
            tokens[self.stmt.tokens().at(table)..].iter().filter(|it| !it.is_comment());
        let mut alias = behind.next()?.range();
        if sql[alias.clone()].eq_ignore_ascii_case("AS") {
            alias = behind.next()?.range();
        }
        (folded(&sql[alias.clone()]) == name).then_some(alias)
    }

    fn column(
        &mut self,
        names: &Resolution,
        column: &ColumnUse,
        start: usize,
        aliases: &[Option<Range<usize>>],
    ) {
        let sql = self.stmt.sql();
        let parts = self.stmt.tokens().parts(sql, start);
        let Some(range) = parts.get(column.names.len().saturating_sub(1)).cloned() else { return };
        let source = match &column.meaning {
            ColumnMeaning::Column(of) => Some(of.source),
            ColumnMeaning::Row(source) => Some(*source),
            _ => None,
        };
        if let (Some(source), true) = (source, column.names.len() > 1) {
            let qualifier = parts[column.names.len() - 2].clone();
            let symbol = match (&aliases[source], &names.sources[source].kind) {
                (Some(alias), _) => Some(SymbolId::Local(LocalKind::Alias, alias.start)),
                (None, SourceKind::Table(name)) => {
                    Some(SymbolId::Relation(qualified(name, self.catalog)))
                }
                _ => None,
            };
            if let Some(symbol) = symbol {
                self.add(qualifier, symbol, NameRole::Read, true);
            }
        }
        match &column.meaning {
            ColumnMeaning::Variable(_) => {}
            ColumnMeaning::Column(of) => {
                self.columns.insert(start);
                let is_table = names.sources[of.source].kind.table().is_some();
                if let Some(origin) = &of.origin {
                    let table = qualified(&origin.table, self.catalog);
                    let symbol = SymbolId::Column(table, origin.column.to_string());
                    let is_direct = is_table && *origin.column == *of.name;
                    self.add(range, symbol, NameRole::Read, true);
                    if let Some(name) = self.names.last_mut() {
                        name.is_direct = is_direct;
                    }
                }
            }
            _ => {
                if let [name] = column.names.as_slice()
                    && let Some(at) = self.parameters.get(name)
                {
                    let symbol = SymbolId::Local(LocalKind::Parameter, *at);
                    self.add(range, symbol, NameRole::Read, true);
                }
            }
        }
    }

    /// Returns the places of the words in a range that mean nothing yet: the first one of each, and whether there are more.
    fn places(&self, within: &Range<usize>) -> HashMap<String, (Range<usize>, bool)> {
        let (sql, tokens) = (self.stmt.sql(), self.stmt.tokens());
        let mut places: HashMap<_, (Range<usize>, bool)> = HashMap::new();
        for token in &tokens.all[tokens.at(within.start)..tokens.at(within.end)] {
            let range = token.range();
            if is_name(&sql[range.clone()]) && !self.taken.contains(&range.start) {
                let place = places.entry(folded(&sql[range.clone()]));
                place.and_modify(|place| place.1 = true).or_insert((range, false));
            }
        }
        places
    }

    /// A column whose place the tree does not have: `ON CONFLICT (c)`. It is certain if the name stands only once there.
    fn unplaced(
        &mut self,
        names: &Resolution,
        column: &ColumnUse,
        places: &HashMap<String, (Range<usize>, bool)>,
    ) {
        let ColumnMeaning::Column(of) = &column.meaning else { return };
        let (Some(origin), Some(name)) = (&of.origin, column.names.last()) else { return };
        if names.sources[of.source].kind.table().is_none() {
            return;
        }
        if let Some((range, has_more)) = places.get(name) {
            let table = qualified(&origin.table, self.catalog);
            let symbol = SymbolId::Column(table, origin.column.to_string());
            self.add(range.clone(), symbol, NameRole::Read, !has_more);
        }
    }

    fn variables(&mut self, function: &Function, of_head: &[NameAt]) {
        let sql = self.stmt.sql();
        let tokens = self.stmt.tokens();
        // What a statement assigns, by the places of the statements.
        let mut assigned: HashMap<usize, HashMap<String, Range<usize>>> = HashMap::new();
        for variable in pg_ast_plpgsql::variables(function) {
            let declared = variable.declared.clone().and_then(|declared| {
                let inside = &tokens.all[tokens.at(declared.start)..tokens.at(declared.end)];
                let named = |range: &Range<usize>| folded(&sql[range.clone()]) == variable.name;
                inside.iter().map(|token| token.range()).find(named)
            });
            let kind = match variable.parameter {
                Some(_) => LocalKind::Parameter,
                None => LocalKind::Variable,
            };
            let Some(declared) = declared else { continue };
            let symbol = SymbolId::Local(kind, declared.start);
            self.add(declared.clone(), symbol.clone(), NameRole::Definition, true);
            let place = variable.declared.clone().unwrap_or(0..0);
            let row = match variable.parameter {
                Some(_) => of_head.iter().find_map(|name| match &name.symbol {
                    SymbolId::Relation(of) if place.contains(&name.range.start) => Some(of.clone()),
                    _ => None,
                }),
                None => self.declared_row(declared.end..place.end),
            };
            for read in &variable.reads {
                if self.columns.contains(&read.location) {
                    continue;
                }
                // A label may be before it.
                let parts = tokens.parts(sql, read.location);
                let named = |range: &&Range<usize>| folded(&sql[(*range).clone()]) == variable.name;
                let index = parts.iter().take(2).position(|range| named(&range));
                let range = index.map(|index| parts[index].clone());
                if let (Some(row), Some(index)) = (&row, index) {
                    self.field(row, parts.get(index + 1));
                }
                let range = range.or_else(|| self.word(read.location, variable.name));
                if let Some(range) = range.filter(|range| !self.taken.contains(&range.start)) {
                    self.add(range, symbol.clone(), NameRole::Read, true);
                }
            }
            for write in &variable.writes {
                let start = write.location;
                // The loop whose variable it is.
                if start <= declared.start {
                    continue;
                }
                let targets = assigned.entry(start).or_insert_with(|| self.targets(start));
                match targets.get(variable.name) {
                    Some(range) if self.taken.contains(&range.start) => {}
                    Some(range) => {
                        if let Some(row) = &row {
                            self.field(row, tokens.parts(sql, range.start).get(1));
                        }
                        self.add(range.clone(), symbol.clone(), NameRole::Write, true);
                    }
                    // Somewhere in the statement.
                    None => self.add(start..start, symbol.clone(), NameRole::Write, false),
                }
            }
        }
    }

    /// Adds the names in the type of a declared variable; returns the table whose rows it has.
    fn declared_row(&mut self, behind: Range<usize>) -> Option<QualifiedName> {
        let (sql, tokens) = (self.stmt.sql(), self.stmt.tokens());
        let inside = &tokens.all[tokens.at(behind.start)..tokens.at(behind.end)];
        let mut words =
            inside.iter().filter(|token| !token.is_comment()).map(|token| token.range());
        let first = words.find(|word| !sql[word.clone()].eq_ignore_ascii_case("CONSTANT"))?;
        let parts = tokens.parts(sql, first.start);
        let last = parts.last()?.end;
        let mut rest = words.skip_while(|word| word.start < last).map(|word| &sql[word]);
        let is_of =
            |word: Option<&str>, of: &str| word.is_some_and(|it| it.eq_ignore_ascii_case(of));
        let names: Vec<_> = parts.iter().map(|part| folded(&sql[part.clone()])).collect();
        let is_copied = rest.next() == Some("%");
        let is_column = is_copied && is_of(rest.next(), "TYPE");
        let table = if is_column { names.len().checked_sub(1)? } else { names.len() };
        let SymbolId::Relation(row) = type_of_parts(&names[..table], self.catalog) else {
            return None;
        };
        self.add(
            parts[table.checked_sub(1)?].clone(),
            SymbolId::Relation(row.clone()),
            NameRole::Read,
            true,
        );
        if is_column {
            self.field(&row, parts.last());
            return None;
        }
        Some(row)
    }

    /// Adds a column of a row.
    fn field(&mut self, row: &QualifiedName, place: Option<&Range<usize>>) {
        if let Some(range) = place.filter(|range| !self.taken.contains(&range.start)) {
            let column = folded(&self.stmt.sql()[range.clone()]);
            self.add(range.clone(), SymbolId::Column(row.clone(), column), NameRole::Read, true);
        }
    }

    /// Returns the place of a variable that a statement names without an expression: `RETURN v`, `CLOSE c`.
    fn word(&self, stmt: usize, name: &str) -> Option<Range<usize>> {
        const STMTS: [&str; 5] = ["RETURN", "CLOSE", "FETCH", "MOVE", "FOR"];
        let (sql, tokens) = (self.stmt.sql(), self.stmt.tokens());
        let first = tokens.range_at(stmt)?;
        if !STMTS.iter().any(|word| sql[first.clone()].eq_ignore_ascii_case(word)) {
            return None;
        }
        let rest = tokens.all[tokens.at(first.end)..].iter().filter(|token| !token.is_comment());
        let mut words = rest.map(|token| token.range()).take_while(|range| {
            let text = &sql[range.clone()];
            text != ";" && !text.eq_ignore_ascii_case("LOOP")
        });
        words.find(|range| {
            let text = &sql[range.clone()];
            is_name(text) && folded(text) == name && !self.taken.contains(&range.start)
        })
    }

    /// Returns the names that can be those of variables that a statement assigns.
    fn targets(&self, start: usize) -> HashMap<String, Range<usize>> {
        const BEFORE: [&str; 9] =
            [";", ",", ".", "INTO", "STRICT", "FOR", "FOREACH", "DIAGNOSTICS", "OPEN"];
        let (sql, tokens) = (self.stmt.sql(), self.stmt.tokens());
        let mut targets = HashMap::new();
        let mut before = ";";
        for token in tokens.all[tokens.at(start)..].iter().filter(|token| !token.is_comment()) {
            let (range, text) = (token.range(), &sql[token.range()]);
            if text == ";" || text.eq_ignore_ascii_case("LOOP") {
                break;
            }
            if BEFORE.iter().any(|word| before.eq_ignore_ascii_case(word))
                && is_name(text)
                && !self.taken.contains(&range.start)
            {
                targets.entry(folded(text)).or_insert(range);
            }
            before = text;
        }
        targets
    }
}
