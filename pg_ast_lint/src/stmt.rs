//! A statement, with the queries that rules need.

use core::mem;
use core::ops::Range;
use std::cell::OnceCell;
use std::collections::HashSet;

use pg_ast::LockMode;
use pg_ast::effects::{Effects, SessionEffect};
use pg_ast::protobuf::{
    AlterTableType, ConstrType, DropBehavior, ObjectType, Token, TransactionStmtKind,
};
use pg_ast::view::{
    AlterTableStmt, ColumnDef, CommonTableExpr, CreateStmt, List, Node, RangeVar, RenameStmt, Tree,
};

use crate::not_null::NotNulls;
use crate::overview::Overview;
use crate::settings::{FunctionPath, Parameter, Settings, function_path};

/// A change to text: the parts of a [`Fix`](crate::Fix).
pub(crate) type Change = (Range<usize>, String);

/// A statement of a script, or of SQL in the body of a function. All ranges are those of that text.
pub(crate) struct Stmt<'a> {
    pub(crate) script: &'a str,
    pub(crate) range: Range<usize>,
    pub(crate) tree: &'a Tree,
    /// What the whole script says, and the number of the statement in it.
    pub(crate) overview: &'a Overview,
    pub(crate) number: usize,
    pub(crate) rows: Rows,
    tokens: OnceCell<Vec<(Token, Range<usize>)>>,
    /// The columns of primary keys that are constraints of a table, with the place of its name.
    keys: OnceCell<HashSet<(i32, &'a str)>>,
    /// The names of its `WITH` queries.
    with_queries: OnceCell<HashSet<&'a str>>,
}

impl<'a> Stmt<'a> {
    pub(crate) fn new(
        script: &'a str,
        range: Range<usize>,
        tree: &'a Tree,
        (overview, number): (&'a Overview, usize),
    ) -> Self {
        let (tokens, keys) = (OnceCell::new(), OnceCell::new());
        let (rows, with_queries) = (Rows::Returned, OnceCell::new());
        Self { script, range, tree, overview, number, rows, tokens, keys, with_queries }
    }

    /// Sets where its rows go.
    pub(crate) fn with_rows(mut self, rows: Rows) -> Self {
        self.rows = rows;
        self
    }

    /// Returns whether a constraint of a table says that a column is in its primary key.
    pub(crate) fn is_in_key(&self, table: CreateStmt<'_>, column: &str) -> bool {
        let keys = self.keys.get_or_init(|| {
            let tables = self.tree.nodes().filter_map(Node::as_create_stmt);
            let keys = tables.flat_map(|table| {
                let place = place_of(table);
                let constraints = table.table_elts().iter().filter_map(Node::as_constraint);
                let primary = constraints.filter(|it| it.contype() == ConstrType::ConstrPrimary);
                primary.flat_map(move |it| it.keys().strs().map(move |column| (place, column)))
            });
            keys.collect()
        });
        keys.contains(&(place_of(table), column))
    }

    /// Returns whether a name may be that of one of its `WITH` queries.
    pub(crate) fn is_with_query(&self, name: &str) -> bool {
        let names = self.with_queries.get_or_init(|| {
            let queries = self.tree.nodes().filter_map(Node::as_common_table_expr);
            queries.map(CommonTableExpr::ctename).collect()
        });
        names.contains(name)
    }

    /// Returns whether it runs in a transaction: one that has begun, or that of statements which are sent together.
    pub(crate) fn is_in_transaction(&self, state: &State) -> bool {
        state.in_transaction || self.overview.is_joined(self.number)
    }

    /// Returns the range of a node; `None` if no token made it, and in a statement that could not be parsed by itself.
    pub(crate) fn range_of<'n>(&'n self, node: impl Into<Node<'n>>) -> Option<Range<usize>> {
        let range = self.tree.range(node)?;
        Some(self.range.start + range.start..self.range.start + range.end)
    }

    /// Returns the place to point to for a node: the statement if nothing else is known.
    pub(crate) fn place<'n>(&'n self, node: impl Into<Node<'n>>) -> Range<usize> {
        self.range_of(node).unwrap_or(self.range.clone())
    }

    /// Returns the text between two offsets.
    pub(crate) fn text(&self, range: Range<usize>) -> &'a str {
        self.script.get(range).unwrap_or_default()
    }

    /// Returns the tokens in a range, without comments.
    pub(crate) fn tokens(&self, range: &Range<usize>) -> &[(Token, Range<usize>)] {
        let tokens = self.tokens.get_or_init(|| {
            let scan = pg_ast::scan(self.text(self.range.clone())).unwrap_or_default();
            let tokens = scan.tokens.iter().filter(|token| !token.is_comment()).map(|token| {
                let range = token.range();
                (token.token, self.range.start + range.start..self.range.start + range.end)
            });
            tokens.collect()
        });
        let first = tokens.partition_point(|(_, token)| token.start < range.start);
        let behind = tokens.partition_point(|(_, token)| token.end <= range.end);
        tokens.get(first..behind).unwrap_or_default()
    }

    /// Returns the first token of a kind in a range.
    pub(crate) fn token(&self, range: &Range<usize>, kind: Token) -> Option<Range<usize>> {
        self.tokens(range).iter().find(|(token, _)| *token == kind).map(|(_, range)| range.clone())
    }

    /// Returns the changes that replace tokens by text. Comments between them stay.
    pub(crate) fn replace_tokens(&self, tokens: &[(Token, Range<usize>)], by: &str) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        let mut by = by.to_owned();
        for (_, range) in tokens {
            let last = changes.last_mut().filter(|(last, _)| {
                self.text(last.end..range.start).chars().all(char::is_whitespace)
            });
            match last {
                Some((last, _)) => last.end = range.end,
                None => changes.push((range.clone(), core::mem::take(&mut by))),
            }
        }
        changes
    }
}

/// Where the rows of a statement go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// To who runs it.
    Returned,
    /// To a record, or to what is as good as one: whatever columns they have.
    ToRecord,
    /// Nowhere: it is a statement of PL/pgSQL that must not return any.
    Nowhere,
}

/// Returns the change that inserts text.
pub(crate) fn insert(offset: usize, text: impl Into<String>) -> Change {
    (offset..offset, text.into())
}

/// What can be created besides tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Functions,
    Types,
    Schemas,
    Views,
    /// Those of tables, by the names of the table and their own.
    Triggers,
    Rules,
    Policies,
}

/// The effects of the previous statements.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) in_transaction: bool,
    /// The number of transactions that have begun.
    transactions: usize,
    pub(crate) settings: Settings,
    /// What the last function says about the path on which names are looked up.
    function_path: FunctionPath,
    /// Whether a statement has locked a table that others use.
    pub(crate) has_locked: bool,
    /// Tables that the script has created, and their indexes.
    created: HashSet<Key>,
    /// The temporary ones among them.
    temporary: HashSet<Key>,
    /// Columns that the script has added to other tables.
    columns: HashSet<(Key, String)>,
    /// What the script has created besides tables and indexes.
    others: HashSet<(Space, Key)>,
    not_nulls: NotNulls,
}

/// The schema and name of a table or index.
pub(crate) type Key = (String, String);

impl State {
    pub(crate) fn new(in_transaction: bool) -> Self {
        Self { in_transaction, ..Self::default() }
    }

    /// Makes the state in which the function that was created last runs.
    pub(crate) fn of_function(created: &Self) -> Self {
        let mut state = Self::new(true);
        let is_safe = matches!(created.function_path, FunctionPath::Safe | FunctionPath::Unknown);
        state.settings.safe_path = Parameter::new(is_safe);
        state
    }

    /// Returns whether the script has created a table or an index.
    pub(crate) fn is_new(&self, table: Option<RangeVar<'_>>) -> bool {
        table.is_some_and(|table| self.created.contains(&key_of(table)))
    }

    /// Returns whether the script has added a column: no program uses it yet.
    pub(crate) fn is_column_new(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        table.is_some_and(|table| self.columns.contains(&(key_of(table), column.to_owned())))
    }

    /// Returns whether a valid constraint says that a column is not NULL.
    pub(crate) fn is_not_null(&self, table: Option<RangeVar<'_>>, column: &str) -> bool {
        table.is_some_and(|table| self.not_nulls.has(&key_of(table), column))
    }

    /// Does the same by the parts of a name.
    pub(crate) fn is_name_new(&self, name: Node<'_>) -> bool {
        name_key(name).is_some_and(|key| self.created.contains(&key))
    }

    /// Does the same by the schema and the name.
    pub(crate) fn is_key_new(&self, key: &Key) -> bool {
        self.created.contains(key)
    }

    /// Returns whether the script has created a temporary table.
    pub(crate) fn is_temporary(&self, name: &Key) -> bool {
        self.temporary.contains(name)
    }

    /// Returns whether the script has created something that is not a table or an index.
    pub(crate) fn is_other_new(&self, space: Space, name: &Key) -> bool {
        self.others.contains(&(space, name.clone()))
    }

    /// Returns whether the current transaction has added a constraint, which has to be validated.
    pub(crate) fn is_unvalidated_here(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        let table = table.map(key_of).unwrap_or_default();
        self.transaction().is_some_and(|it| self.not_nulls.is_unvalidated(&table, name, it))
    }

    /// Returns whether the script has added a constraint.
    pub(crate) fn is_constraint_new(&self, table: Option<RangeVar<'_>>, name: &str) -> bool {
        table.is_some_and(|table| self.not_nulls.has_added(&key_of(table), name))
    }

    /// Returns the number of the current transaction.
    fn transaction(&self) -> Option<usize> {
        self.in_transaction.then_some(self.transactions)
    }

    /// Begins the transaction in which a `DO` runs, or a function; returns whether there was one already.
    pub(crate) fn enter(&mut self) -> bool {
        self.transactions += usize::from(!self.in_transaction);
        mem::replace(&mut self.in_transaction, true)
    }

    /// Applies the effect of a statement as a whole, before its nodes.
    pub(crate) fn follow_stmt(&mut self, stmt: Node<'_>, effects: &Effects) {
        match stmt {
            Node::VariableSetStmt(set) => self.settings.set(set),
            Node::DiscardStmt(_)
                if effects.session.iter().any(|it| matches!(it, SessionEffect::AllSettings)) =>
            {
                self.settings = Settings::default();
            }
            _ => {}
        }
        // What is in a DO is looked at by itself.
        self.has_locked |= !matches!(stmt, Node::DoStmt(_)) && self.locks_others(effects);
    }

    /// Returns whether a statement keeps others from reading or writing a table that the script has not created.
    pub(crate) fn locks_others(&self, effects: &Effects) -> bool {
        effects.tables.iter().any(|table| {
            let name = || key(table.schema_name.as_deref().unwrap_or_default(), &table.table_name);
            table.lock >= LockMode::ShareLock
                && !table.table_name.is_empty()
                && !self.created.contains(&name())
        })
    }

    /// Applies the effect of a node of a statement.
    pub(crate) fn follow(&mut self, node: Node<'_>) {
        match node {
            Node::TransactionStmt(stmt) => {
                let (kind, chain) = (stmt.kind(), stmt.chain());
                let was_in = mem::take(&mut self.in_transaction);
                self.in_transaction = in_transaction_after(kind, chain, was_in);
                self.transactions += usize::from(self.in_transaction && (!was_in || chain));
                if !self.in_transaction || chain {
                    self.settings.end_transaction();
                }
            }
            Node::CreateStmt(create) => self.create(create.relation()),
            Node::IntoClause(into) => self.create(into.rel()),
            Node::ViewStmt(view) if !view.replace() => {
                let name = view.view().map(key_of);
                self.others.extend(name.map(|name| (Space::Views, name)));
            }
            Node::CreateSeqStmt(create) => self.create(create.sequence()),
            Node::CreateSchemaStmt(create) if !create.if_not_exists() => {
                self.others.insert((Space::Schemas, key("", create.schemaname())));
            }
            Node::CreateFunctionStmt(create) => {
                self.function_path = function_path(create.options()).0;
                if !create.replace() {
                    self.create_other(Space::Functions, create.funcname());
                }
            }
            Node::DefineStmt(create)
                if create.kind() == ObjectType::ObjectAggregate && !create.replace() =>
            {
                self.create_other(Space::Functions, create.defnames());
            }
            Node::CreateEnumStmt(create) => self.create_other(Space::Types, create.type_name()),
            Node::CreateRangeStmt(create) => self.create_other(Space::Types, create.type_name()),
            Node::CreateDomainStmt(create) => self.create_other(Space::Types, create.domainname()),
            Node::CompositeTypeStmt(create) => {
                let name = create.typevar().map(key_of);
                self.others.extend(name.map(|name| (Space::Types, name)));
            }
            Node::FuncCall(call) => self.settings.call(call),
            Node::IndexStmt(index)
                if self.is_new(index.relation()) && !index.idxname().is_empty() =>
            {
                let schema = index.relation().map_or("", RangeVar::schemaname);
                self.created.insert(key(schema, index.idxname()));
            }
            Node::AlterTableStmt(alter)
                if alter.objtype() == ObjectType::ObjectTable && !self.is_new(alter.relation()) =>
            {
                self.alter(alter);
            }
            Node::RenameStmt(rename) => self.rename(rename),
            Node::DropStmt(drop) => {
                let gone = drop.objects().iter().filter_map(name_key);
                gone.for_each(|key| {
                    self.created.remove(&key);
                    self.not_nulls.drop(&key);
                });
            }
            Node::DropdbStmt(_) | Node::DropOwnedStmt(_) => self.created.clear(),
            _ => {}
        }
    }

    fn alter(&mut self, alter: AlterTableStmt<'_>) {
        self.not_nulls.alter(alter, self.transaction());
        let Some(table) = alter.relation().map(key_of) else { return };
        for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
            let column = cmd.def().and_then(Node::as_column_def).map(ColumnDef::colname);
            match (cmd.subtype(), column) {
                (AlterTableType::AtAddColumn, Some(column)) => {
                    self.columns.insert((table.clone(), column.to_owned()));
                }
                (AlterTableType::AtDropColumn, _) => {
                    self.columns.remove(&(table.clone(), cmd.name().to_owned()));
                }
                _ => {}
            }
        }
    }

    fn rename(&mut self, rename: RenameStmt<'_>) {
        let Some(table) = rename.relation().map(key_of) else { return };
        self.not_nulls.rename(rename);
        match rename.rename_type() {
            ObjectType::ObjectTable | ObjectType::ObjectIndex | ObjectType::ObjectMatview => {
                let was_created = self.created.remove(&table);
                self.created.extend(was_created.then(|| (table.0, rename.newname().to_owned())));
            }
            ObjectType::ObjectColumn => {
                let was_added = self.columns.remove(&(table.clone(), rename.subname().to_owned()));
                self.columns.extend(was_added.then(|| (table, rename.newname().to_owned())));
            }
            _ => {}
        }
    }

    fn create(&mut self, table: Option<RangeVar<'_>>) {
        let is_temporary = table.is_some_and(|table| table.relpersistence() == "t");
        self.temporary.extend(table.filter(|_| is_temporary).map(key_of));
        self.created.extend(table.map(key_of));
    }

    fn create_other(&mut self, space: Space, name: List<'_>) {
        self.others.extend(list_key(name).map(|name| (space, name)));
    }
}

/// Returns whether a transaction is open after a command about transactions.
pub(crate) fn in_transaction_after(kind: TransactionStmtKind, chain: bool, before: bool) -> bool {
    match kind {
        TransactionStmtKind::TransStmtBegin | TransactionStmtKind::TransStmtStart => true,
        TransactionStmtKind::TransStmtCommit | TransactionStmtKind::TransStmtRollback => chain,
        TransactionStmtKind::TransStmtPrepare => false,
        _ => before,
    }
}

pub(crate) fn key_of(table: RangeVar<'_>) -> Key {
    key(table.schemaname(), table.relname())
}

/// A table without a schema is usually in `public`.
pub(crate) fn key(schema: &str, name: &str) -> Key {
    let schema = if schema == "public" { "" } else { schema };
    (schema.to_owned(), name.to_owned())
}

/// Returns the key of what a statement names: a relation, a function, a type, or a schema.
pub(crate) fn name_key(name: Node<'_>) -> Option<Key> {
    match name {
        Node::List(parts) => list_key(parts),
        Node::ObjectWithArgs(object) => list_key(object.objname()),
        Node::TypeName(name) => list_key(name.names()),
        Node::String(name) => Some(key("", name.sval())),
        _ => None,
    }
}

/// Returns the key of the parts of a name.
pub(crate) fn list_key(parts: List<'_>) -> Option<Key> {
    let mut parts = parts.strs().rev();
    let name = parts.next()?;
    Some(key(parts.next().unwrap_or_default(), name))
}

/// Returns whether the behavior is `CASCADE`.
pub(crate) fn cascades(behavior: DropBehavior) -> bool {
    behavior == DropBehavior::DropCascade
}

fn place_of(table: CreateStmt<'_>) -> i32 {
    table.relation().map_or(-1, RangeVar::location)
}
