//! The items of a `FROM`, each a source of columns.

use std::rc::Rc;

use pg_ast::Context;

use super::expr::written_rows;
use super::joined_columns::JoinNode;
use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::pg::protobuf::JoinType;
use super::pg::seam::with_stack;
use super::pg::view::{Alias, JoinExpr, List, Node, RangeSubselect, RangeVar};
use super::recorded_queries::SourceQuery;
use super::resolver::{FoundList, NameResolver, SourceState};
use crate::name_catalog::Relation;
use crate::name_mistakes::MistakeKind;
use crate::resolution::{SourceKind, TableMeaning};

/// Returns the name and the column names of an alias.
pub(crate) fn alias_parts(alias: Option<Alias<'_>>) -> (Option<&str>, Vec<&str>) {
    let Some(alias) = alias else { return (None, Vec::new()) };
    let name = Some(alias.aliasname()).filter(|name| !name.is_empty());
    (name, alias.colnames().strs().collect())
}

/// Two items of a query with the same name.
pub(crate) struct SameName<'a> {
    level: u32,
    items: [u32; 2],
    source: usize,
    node: Node<'a>,
}

impl<'a> NameResolver<'a> {
    /// Adds the items of a `FROM` to the query, and shows none of them.
    pub(crate) fn items_of_from(
        &mut self,
        items: impl IntoIterator<Item = Node<'a>>,
    ) -> Vec<usize> {
        self.names.show(0..0);
        let nodes = items.into_iter().filter_map(|item| self.item_of_from(item)).collect();
        self.report_same_names();
        nodes
    }

    /// Adds an item; returns its columns, as a place in `joins`.
    fn item_of_from(&mut self, item: Node<'a>) -> Option<usize> {
        let source = match item {
            Node::RangeVar(table) => self.range_var(table, Context::Select),
            Node::RangeSubselect(query) => self.range_subselect(query),
            Node::RangeFunction(function) => self.range_function(function),
            Node::RangeTableFunc(table) => self.range_table_func(table),
            Node::RangeTableSample(sample) => {
                let node = sample.relation().and_then(|relation| self.item_of_from(relation));
                for arg in sample.args().iter().chain(sample.repeatable()) {
                    self.expr(arg);
                }
                return node;
            }
            Node::JoinExpr(join) => return with_stack(|| Some(self.join(join))),
            _ if item.name() == "JsonTable" => self.json_table(item),
            _ => {
                self.expr(item);
                return None;
            }
        };
        self.check_name(source, item);
        self.add_item(source, true);
        Some(self.add_join_node(JoinNode::Item(source)))
    }

    /// Notes that the query has a source of the same name, if it has.
    fn check_name(&mut self, source: usize, node: Node<'a>) {
        let Some(name) = &self.found.sources[source].name else { return };
        let Some((other, item)) = self.names.has_source(name) else { return };
        // Tables of different schemas can have the same name.
        let is_plain = |at: usize| !self.sources[at].has_alias;
        let kind = |at: usize| self.found.sources[at].kind.table();
        let differ = match (kind(source), kind(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        if !(is_plain(source) && is_plain(other) && differ) {
            let (level, items) = (self.names.level(), [item, self.names.items()]);
            self.same_names.push(SameName { level, items, source, node });
        }
    }

    /// Adds the mistakes of sources that have the same name, when all of them are known.
    fn report_same_names(&mut self) {
        let level = self.names.level();
        while let Some(same) = self.same_names.pop_if(|same| same.level >= level) {
            let source = &self.found.sources[same.source];
            let location = source.location.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
            let name = source.name.clone().unwrap_or_default();
            let message = format!("table name \"{name}\" specified more than once");
            self.mistake(same.node, location, 0, MistakeKind::DuplicateSource, message, None);
        }
    }

    /// Makes a source of a table.
    pub(crate) fn range_var(&mut self, table: RangeVar<'a>, context: Context) -> usize {
        let node = Node::RangeVar(table);
        let name = table.qualified_name();
        let (alias, column_names) = alias_parts(table.alias());
        let cte = if name.schema.is_none() && context == Context::Select {
            self.visible_cte(table.relname())
        } else {
            None
        };
        let query = cte.as_ref().and_then(|(cte, _)| {
            let has_names = !column_names.is_empty() || !cte.aliascolnames().is_empty();
            Some(SourceQuery { query: cte.ctequery()?, has_names, is_cte: true })
        });
        let (kind, meaning, columns, relation) = match cte {
            Some((_, columns)) => {
                let name = table.relname().to_owned();
                (SourceKind::Cte(name.clone()), TableMeaning::Cte(name), columns, None)
            }
            None => match self.relation(&name) {
                Ok(relation) => {
                    let columns = self.columns_of(relation);
                    let name = relation.name.clone();
                    let meaning = TableMeaning::Relation(name.clone());
                    (SourceKind::Table(name), meaning, columns, Some(relation))
                }
                Err(meaning) => {
                    let is_missing = meaning == TableMeaning::Missing && !self.is_lenient;
                    // Queries say that there is no such relation in any case.
                    let is_of_ddl = context == Context::Ddl;
                    if is_missing && !(is_of_ddl && self.misses_schema(node, -1, &name)) {
                        self.missing_table(node, table.location(), &name);
                    }
                    let columns = Rc::new(NamedColumns::unknown());
                    (SourceKind::Table(name.clone()), meaning, columns, None)
                }
            },
        };
        let is_cte = matches!(kind, SourceKind::Cte(_));
        let is_stored = relation.map_or(!is_cte, Relation::has_system_columns);
        let columns = self.with_names(node, table.location(), columns, &column_names);
        let has_alias = alias.is_some();
        let state = SourceState { columns, relation, has_alias, is_stored };
        let shown = alias.unwrap_or(table.relname());
        let source = self.add_source(node, table.location(), kind, Some(shown), state);
        self.record_query(source, query);
        if let Some(recorded) = self.recorded.as_mut().filter(|_| !column_names.is_empty()) {
            recorded.add_renamed(source);
        }
        self.add_table_use(node, table.location(), name, meaning, context);
        if let Some(found) = self.found.tables.last_mut() {
            found.source = Some(source);
        }
        source
    }

    /// Applies the column names of an alias.
    pub(crate) fn with_names(
        &mut self,
        node: Node<'a>,
        location: i32,
        columns: Rc<NamedColumns<'a>>,
        names: &[&str],
    ) -> Rc<NamedColumns<'a>> {
        if names.is_empty() {
            return columns;
        }
        let (renamed, fits) = columns.renamed(names);
        if !fits {
            let message = format!(
                "table has {} columns available but {} columns specified",
                columns.columns.len(),
                names.len()
            );
            self.mistake(node, location, 0, MistakeKind::TooManyNames, message, None);
        }
        Rc::new(renamed)
    }

    /// Runs `f` where an item can see those before it, if it is a `LATERAL` one.
    pub(crate) fn in_lateral<R>(&mut self, is_lateral: bool, f: impl FnOnce(&mut Self) -> R) -> R {
        let items = match self.names.top() {
            Some(top) if is_lateral => top.first_lateral..top.items,
            _ => 0..0,
        };
        let before = self.names.show(items);
        let result = f(self);
        self.names.show(before);
        result
    }

    fn range_subselect(&mut self, item: RangeSubselect<'a>) -> usize {
        let columns = self.in_lateral(item.lateral(), |this| match item.subquery() {
            Some(query) => this.query(query),
            None => Rc::new(NamedColumns::unknown()),
        });
        let source = self.derived(item.into(), SourceKind::Subquery, item.alias(), columns, -1);
        let has_names = item.alias().is_some_and(|alias| !alias.colnames().is_empty());
        let query = item.subquery();
        let query = query.map(|query| SourceQuery { query, has_names, is_cte: false });
        self.record_query(source, query);
        source
    }

    fn record_query(&mut self, source: usize, query: Option<SourceQuery<'a>>) {
        let Some(query) = query else { return };
        self.at(query.query, FoundList::Query);
        if let Some(recorded) = &mut self.recorded {
            recorded.add_source(source, query);
        }
    }

    /// Adds a source that has its columns from a query or an expression.
    pub(crate) fn derived(
        &mut self,
        node: Node<'a>,
        kind: SourceKind,
        alias: Option<Alias<'a>>,
        columns: Rc<NamedColumns<'a>>,
        location: i32,
    ) -> usize {
        let (name, column_names) = alias_parts(alias);
        let columns = self.with_names(node, location, columns, &column_names);
        let has_alias = name.is_some();
        let state = SourceState { columns, relation: None, has_alias, is_stored: false };
        self.add_source(node, location, kind, name, state)
    }

    fn join(&mut self, join: JoinExpr<'a>) -> usize {
        let (first, first_source) = (self.names.items(), self.sources.len());
        let left = join.larg().and_then(|arm| self.item_of_from(arm));
        let (middle, middle_source) = (self.names.items(), self.sources.len());
        let right = join.rarg().and_then(|arm| self.item_of_from(arm));
        let end = self.names.items();
        if let Some(recorded) = &mut self.recorded {
            let arms = [first_source..middle_source, middle_source..self.sources.len()];
            recorded.add_join(join, arms);
        }
        let keep_right = join.jointype() == JoinType::JoinRight;

        let mut merged = Vec::new();
        if join.is_natural() {
            if let (Some(left), Some(right)) = (left, right) {
                merged = self.natural(left, right, [first..middle, middle..end], keep_right);
            }
        } else {
            for name in join.using_clause() {
                let arms = [first..middle, middle..end];
                merged.extend(self.using(name, arms, keep_right));
            }
        }
        let kept = merged.iter().filter_map(|it| Some((it.name.clone(), it.kept?)));
        let kept: Vec<_> = kept.collect();
        if let Some(recorded) = &mut self.recorded {
            recorded.add_merged(join, merged);
        }
        for (name, meant) in &kept {
            self.names.merge_column(first, name, *meant);
        }
        let node = self.add_join(left, right, kept);

        if let (Some(name), columns) = alias_parts(join.join_using_alias()) {
            let columns: Vec<_> = columns.into_iter().collect();
            let merged = Rc::new(NamedColumns::new(self.merged_columns(node)));
            let columns = self.with_names(join.into(), -1, merged, &columns);
            let state = SourceState { columns, relation: None, has_alias: true, is_stored: false };
            let source = self.add_source(join.into(), -1, SourceKind::Join, Some(name), state);
            self.check_name(source, join.into());
            self.add_item(source, false);
        }
        if let Some(condition) = join.quals() {
            let end = self.names.items();
            let before = self.names.show(first..end);
            self.expr(condition);
            self.names.show(before);
        }
        self.names.hide_stored_from(first);
        let Some(alias) = join.alias() else { return node };
        let columns = Rc::new(self.joined(&[node]));
        let source = self.derived(join.into(), SourceKind::Join, Some(alias), columns, -1);
        self.names.hide_from(first);
        // Names within do not count outside.
        let level = self.names.level();
        let is_within = |[one, other]: [u32; 2]| one < first && other >= first;
        self.same_names.retain(|same| same.level != level || !is_within(same.items));
        self.check_name(source, join.into());
        self.add_item(source, true);
        self.add_join_node(JoinNode::Item(source))
    }

    /// Makes a source of the rows that a statement has before it changes them, or has not inserted.
    pub(crate) fn other_row(
        &mut self,
        source: usize,
        name: &str,
        node: Node<'a>,
        may_be_stored: bool,
    ) -> usize {
        let Some(state) = self.sources.get(source) else { return source };
        let (columns, relation) = (state.columns.clone(), state.relation);
        let is_stored = state.is_stored && may_be_stored;
        let kind = match &self.found.sources[source].kind {
            SourceKind::Table(name) => SourceKind::RowOf(name.clone()),
            other => other.clone(),
        };
        let state = SourceState { columns, relation, has_alias: true, is_stored };
        self.add_source(node, -1, kind, Some(name), state)
    }

    /// Returns the columns of a list of definitions: `AS t(a int, b text)`.
    pub(crate) fn defined_columns(&mut self, definitions: List<'a>) -> NamedColumns<'a> {
        let definitions = definitions.iter().filter_map(|definition| match definition {
            Node::ColumnDef(definition) => Some(definition),
            _ => None,
        });
        let columns = definitions.map(|definition| {
            let name = definition.type_name().and_then(written_rows::type_name);
            let row = name.and_then(|name| self.row_of_type(&name));
            NamedColumn { row, ..NamedColumn::new(definition.colname()) }
        });
        NamedColumns::new(columns.collect())
    }
}
