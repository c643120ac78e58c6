//! A statement, with the queries that rules need.

use core::ops::Range;
use std::cell::OnceCell;
use std::collections::HashSet;

use pg_ast::protobuf::{ConstrType, DropBehavior, ObjectType, Token, TransactionStmtKind};
use pg_ast::view::{CommonTableExpr, CreateStmt, List, Node, RangeVar, RenameStmt, Tree};
use pg_ast::{Literal, QualifiedName};
use pg_ast_effects::{Effects, FindEffects as _};

use crate::overview::Overview;
use crate::state::State;
use crate::stmt_facts::Gain;

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

    /// Returns whether something that the statement takes away is there again when it ends, or when its transaction does.
    pub(crate) fn gets(&self, gain: &Gain) -> bool {
        self.overview.gets(self.number, gain)
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

    /// Returns what a node does to a server of the script's version.
    pub(crate) fn effects_of<'n>(&self, node: impl Into<Node<'n>>) -> Effects {
        let node = node.into();
        // The version is one of the crate's own, so there is no error.
        node.effects_on(self.overview.major).unwrap_or_else(|_| node.effects())
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

/// The schema and name of a table or index.
pub(crate) type Key = (String, String);

/// An object of the server: its kind and its key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    /// One for all kinds whose names must differ: that of tables, functions or types.
    pub(crate) kind: ObjectType,
    pub(crate) key: Key,
}

impl Name {
    pub(crate) fn new(kind: ObjectType, key: Key) -> Self {
        let kind = match kind {
            ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectIndex
            | ObjectType::ObjectSequence
            | ObjectType::ObjectForeignTable => ObjectType::ObjectTable,
            ObjectType::ObjectProcedure
            | ObjectType::ObjectRoutine
            | ObjectType::ObjectAggregate => ObjectType::ObjectFunction,
            ObjectType::ObjectDomain => ObjectType::ObjectType,
            kind => kind,
        };
        Self { kind, key }
    }

    /// Makes the name of a trigger, a rule or a policy, which its table is a part of.
    pub(crate) fn of_part(kind: ObjectType, table: &str, name: &str) -> Self {
        Self { kind, key: key(table, name) }
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

/// Returns the key of an object by its name.
pub(crate) fn qualified_key(name: &QualifiedName) -> Key {
    key(name.schema.as_deref().unwrap_or_default(), &name.name)
}

/// Returns the key of what a statement names: a relation, a function, a type, a schema, or a role.
pub(crate) fn name_key(name: Node<'_>) -> Option<Key> {
    match name {
        Node::RangeVar(relation) => Some(key_of(relation)),
        Node::RoleSpec(role) => Some(key("", role.rolename())),
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

/// Returns the table of a trigger, a rule or a policy that a statement drops, and its own name.
pub(crate) fn part_of(kind: ObjectType, name: Node<'_>) -> Option<(Key, &str)> {
    let is_part = matches!(
        kind,
        ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectPolicy
    );
    let Node::List(parts) = name else { return None };
    let mut parts = parts.strs().rev();
    let (part, table) = (parts.next()?, parts.next()?);
    is_part.then(|| (key(parts.next().unwrap_or_default(), table), part))
}

/// Returns the name of what a statement drops.
pub(crate) fn dropped_name(kind: ObjectType, object: Node<'_>) -> Option<Name> {
    Some(match part_of(kind, object) {
        Some((table, part)) => Name::of_part(kind, &table.1, part),
        None => Name::new(kind, name_key(object)?),
    })
}

/// Returns what is renamed, or what has the part that is: its kind and its key.
pub(crate) fn renamed_object(rename: RenameStmt<'_>) -> Option<(ObjectType, Key)> {
    let kind = match rename.rename_type() {
        ObjectType::ObjectAttribute | ObjectType::ObjectDomconstraint => ObjectType::ObjectType,
        _ if rename.relation().is_some() => ObjectType::ObjectTable,
        kind => kind,
    };
    let name = rename.relation().map(Node::from).or(rename.object());
    // What is in no schema is named like a part.
    let key = name.map_or_else(|| Some(key("", rename.subname())), name_key);
    Some((kind, key?))
}

/// Returns whether the behavior is `CASCADE`.
pub(crate) fn cascades(behavior: DropBehavior) -> bool {
    behavior == DropBehavior::DropCascade
}

/// Returns whether a default is none: PostgreSQL drops one that is NULL.
pub(crate) fn is_null(value: Option<Node<'_>>) -> bool {
    value.is_none_or(|value| value.literal() == Some(Literal::Null))
}

fn place_of(table: CreateStmt<'_>) -> i32 {
    table.relation().map_or(-1, RangeVar::location)
}
