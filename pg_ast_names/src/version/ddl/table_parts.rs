//! What is in a table and can be needed: constraints, with their indexes and keys, and the sequences of columns.

use std::collections::{BTreeSet, HashMap};

use pg_ast::QualifiedName;

use super::expr::output_names::output_name;
use super::pg::protobuf::{AlterTableType, ConstrType};
use super::pg::view::{AlterTableCmd, Constraint, IndexElem, IndexStmt, List, Node};

/// The most bytes that a name can have: `NAMEDATALEN` of PostgreSQL without the zero at the end.
pub(crate) const MOST_IN_NAME: usize = 63;

/// A constraint of a table, and the column with which it is written.
pub(crate) struct TableConstraint<'a> {
    pub(crate) column: Option<&'a str>,
    pub(crate) constraint: Constraint<'a>,
    pub(crate) is_deferrable: bool,
    pub(crate) is_deferred: bool,
    /// Its name: if it is written without one, that of another key that is the same.
    name: Option<&'a str>,
}

impl<'a> TableConstraint<'a> {
    fn new(column: Option<&'a str>, constraint: Constraint<'a>) -> Self {
        let (is_deferrable, is_deferred) = (constraint.deferrable(), constraint.initdeferred());
        let names = [constraint.conname(), constraint.indexname()];
        let name = names.into_iter().find(|name| !name.is_empty());
        Self { column, constraint, is_deferrable, is_deferred, name }
    }
}

/// Returns the columns and constraints that a statement adds to a table.
fn elements(stmt: Node<'_>) -> Vec<Node<'_>> {
    match stmt {
        Node::CreateStmt(create) => {
            create.table_elts().iter().chain(create.constraints()).collect()
        }
        Node::CreateForeignTableStmt(create) => {
            create.base_stmt().map_or_else(Vec::new, |create| elements(create.into()))
        }
        Node::AlterTableStmt(alter) => {
            let elements = alter.cmds().iter().filter_map(|cmd| match cmd {
                Node::AlterTableCmd(cmd) => cmd.def(),
                _ => None,
            });
            elements.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the constraints that a statement adds to a table.
pub(crate) fn constraints(stmt: Node<'_>) -> Vec<TableConstraint<'_>> {
    constraints_of(elements(stmt))
}

/// Returns the constraints among definitions of columns and constraints.
pub(crate) fn constraints_of<'a>(
    elements: impl IntoIterator<Item = Node<'a>>,
) -> Vec<TableConstraint<'a>> {
    let mut found = Vec::new();
    for element in elements {
        match element {
            Node::Constraint(constraint) => found.push(TableConstraint::new(None, constraint)),
            Node::ColumnDef(column) => {
                let first = found.len();
                for constraint in column.constraints().iter().filter_map(Node::as_constraint) {
                    // What is written behind a constraint of a column is a node of its own.
                    let last = found.get_mut(first..).and_then(<[_]>::last_mut);
                    let last: Option<&mut TableConstraint<'_>> = last;
                    match (constraint.contype(), last) {
                        (ConstrType::ConstrAttrDeferrable, Some(last)) => last.is_deferrable = true,
                        (ConstrType::ConstrAttrDeferred, Some(last)) => last.is_deferred = true,
                        _ => found.push(TableConstraint::new(Some(column.colname()), constraint)),
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Leaves out keys of the same columns as one before them, of which a primary key is the first, as `transformIndexConstraints` of
/// PostgreSQL's `parse_utilcmd.c` does. What is left has the name of one that has one.
pub(crate) fn without_redundant(constraints: Vec<TableConstraint<'_>>) -> Vec<TableConstraint<'_>> {
    let key = |it: &TableConstraint<'_>| {
        let constraint = it.constraint;
        let is_plain = it.is_key() && constraint.indexname().is_empty();
        let columns: Vec<_> = match it.column {
            Some(column) if constraint.keys().is_empty() => vec![column.to_owned()],
            _ => constraint.keys().strs().map(str::to_owned).collect(),
        };
        let included: Vec<_> = constraint.including().strs().map(str::to_owned).collect();
        is_plain.then_some((columns, included, it.is_deferrable, it.is_deferred))
    };
    let is_primary =
        |it: &TableConstraint<'_>| it.constraint.contype() == ConstrType::ConstrPrimary;
    let mut places = HashMap::new();
    if let Some(place) = constraints.iter().position(is_primary) {
        places.insert(key(&constraints[place]), place);
    }
    let mut names = HashMap::new();
    let mut kept = vec![true; constraints.len()];
    for (place, constraint) in constraints.iter().enumerate() {
        let Some(of) = key(constraint) else { continue };
        let first = *places.entry(Some(of)).or_insert(place);
        kept[place] = first == place;
        if let Some(name) = constraint.written_name() {
            names.entry(first).or_insert(name);
        }
    }
    let all = constraints.into_iter().enumerate().filter(|(place, _)| kept[*place]);
    all.map(|(place, constraint)| TableConstraint {
        name: constraint.written_name().or_else(|| names.get(&place).copied()),
        ..constraint
    })
    .collect()
}

/// Returns the name of the sequence that the options of `IDENTITY` give.
fn written_name(identity: Constraint<'_>) -> Option<QualifiedName> {
    let mut options = identity.options().iter();
    options.find_map(|option| match option {
        Node::DefElem(option) if option.defname() == "sequence_name" => match option.arg()? {
            Node::List(name) => Some(name.qualified_name()),
            _ => None,
        },
        _ => None,
    })
}

/// A sequence that a column of a table gets.
pub(crate) struct OwnedSequence<'a> {
    pub(crate) column: &'a str,
    /// One without a schema is in that of the table.
    pub(crate) name: QualifiedName,
    /// Whether the statement has the name; another one gets a number if something has it already.
    pub(crate) is_written: bool,
}

impl<'a> OwnedSequence<'a> {
    fn new(table: &str, column: &'a str, identity: Option<Constraint<'_>>) -> Self {
        let written = identity.and_then(written_name);
        let is_written = written.is_some();
        let given = || QualifiedName::unqualified(object_name(table, column, "seq"));
        Self { column, name: written.unwrap_or_else(given), is_written }
    }
}

/// Returns the sequences that columns of a table get, by a type such as `serial` or by `IDENTITY`.
pub(crate) fn sequences_of<'a>(
    elements: impl IntoIterator<Item = Node<'a>>,
    table: &str,
) -> Vec<OwnedSequence<'a>> {
    let mut found = Vec::new();
    for column in elements.into_iter().filter_map(Node::as_column_def) {
        let of_type = column.type_name().and_then(|of| of.names().last()).and_then(Node::as_str);
        let constraints = column.constraints().iter().filter_map(Node::as_constraint);
        let mut identities = constraints.filter(|it| it.contype() == ConstrType::ConstrIdentity);
        let identity = identities.next();
        if identity.is_some() || of_type.is_some_and(pg_ast_catalog::is_serial) {
            found.push(OwnedSequence::new(table, column.colname(), identity));
        }
    }
    found
}

/// Returns the sequence that `ADD GENERATED .. AS IDENTITY` creates.
pub(crate) fn added_identity<'a>(cmd: AlterTableCmd<'a>, table: &str) -> Option<OwnedSequence<'a>> {
    let identity = cmd.def().filter(|_| cmd.subtype() == AlterTableType::AtAddIdentity)?;
    Some(OwnedSequence::new(table, cmd.name(), identity.as_constraint()))
}

/// Returns the names of the sequences that a statement gives to columns of a table.
pub(crate) fn sequences(stmt: Node<'_>, table: &str) -> Vec<QualifiedName> {
    let mut found = sequences_of(elements(stmt), table);
    if let Node::AlterTableStmt(alter) = stmt {
        let cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
        found.extend(cmds.filter_map(|cmd| added_identity(cmd, table)));
    }
    found.into_iter().map(|it| it.name).collect()
}

/// Returns names of columns in alphabetical order.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}

fn or_column(names: List<'_>, column: Option<&str>) -> Vec<String> {
    if names.is_empty() { sorted(column.into_iter()) } else { sorted(names.strs()) }
}

impl<'a> TableConstraint<'a> {
    /// Returns whether it has an index.
    pub(crate) fn has_index(&self) -> bool {
        let kind = self.constraint.contype();
        kind == ConstrType::ConstrExclusion || self.is_key()
    }

    pub(crate) fn is_key(&self) -> bool {
        matches!(self.constraint.contype(), ConstrType::ConstrPrimary | ConstrType::ConstrUnique)
    }

    /// Returns its columns, of a key.
    pub(crate) fn columns(&self) -> Vec<String> {
        or_column(self.constraint.keys(), self.column)
    }

    /// Returns the columns that it refers to, of a foreign key; none for the primary key.
    pub(crate) fn referred(&self) -> Vec<String> {
        sorted(self.constraint.pk_attrs().strs())
    }

    /// Returns its name; if it has none, the one that PostgreSQL gives to the first of its kind, if that follows from the text.
    pub(crate) fn name(&self, table: &str) -> Option<String> {
        match self.written_name() {
            Some(name) => Some(name.to_owned()),
            None => Some(self.given_name()?.of(table, 0)),
        }
    }

    /// Returns the name that it is written with; of `USING INDEX`, that of the index.
    pub(crate) fn written_name(&self) -> Option<&'a str> {
        self.name
    }

    /// Returns how PostgreSQL names it.
    pub(crate) fn given_name(&self) -> Option<GivenName> {
        let columns = |names: List<'a>| match (names.is_empty(), self.column) {
            (true, Some(column)) => vec![column],
            _ => names.strs().collect::<Vec<_>>(),
        };
        let constraint = self.constraint;
        Some(match constraint.contype() {
            ConstrType::ConstrPrimary => GivenName::new("pkey", []),
            ConstrType::ConstrUnique => {
                let keys = columns(constraint.keys()).into_iter().map(str::to_owned);
                let included = constraint.including().strs().map(str::to_owned);
                GivenName { label: "key", columns: joined(keys.chain(included)).join("_") }
            }
            ConstrType::ConstrForeign => GivenName::new("fkey", columns(constraint.fk_attrs())),
            ConstrType::ConstrCheck => {
                GivenName::new("check", constraint.raw_expr().and_then(only_column))
            }
            ConstrType::ConstrExclusion => {
                let names = excluded(constraint).map(index_column_name);
                let included = constraint.including().strs().map(str::to_owned);
                GivenName { label: "excl", columns: joined(names.chain(included)).join("_") }
            }
            _ => return None,
        })
    }
}

/// How PostgreSQL names a part of a table.
#[derive(Clone)]
pub(crate) struct GivenName {
    columns: String,
    label: &'static str,
}

impl GivenName {
    pub(crate) fn new<'a>(label: &'static str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        Self { label, columns: columns.into_iter().collect::<Vec<_>>().join("_") }
    }

    /// Returns the name for a table, with a number if there are others.
    pub(crate) fn of(&self, table: &str, number: usize) -> String {
        match number {
            0 => object_name(table, &self.columns, self.label),
            _ => object_name(table, &self.columns, &format!("{}{number}", self.label)),
        }
    }
}

/// Returns what an exclusion constraint compares.
pub(crate) fn excluded(constraint: Constraint<'_>) -> impl Iterator<Item = IndexElem<'_>> {
    constraint.exclusions().iter().filter_map(|pair| match pair {
        Node::List(pair) => pair.first()?.as_index_elem(),
        _ => None,
    })
}

/// Returns the column that an index has, if it is one and no expression.
pub(crate) fn index_column(element: IndexElem<'_>) -> Option<&str> {
    if !element.name().is_empty() {
        return Some(element.name());
    }
    // An expression can be a column with a collation.
    let mut expr = element.expr();
    while let Some(Node::CollateClause(collate)) = expr {
        expr = collate.arg();
    }
    match expr? {
        Node::ColumnRef(column) => column.fields().last()?.as_str(),
        _ => None,
    }
}

/// Returns the name of a column of an index, before it is told apart from others; see `ChooseIndexColumnNames` of `indexcmds.c`.
pub(crate) fn index_column_name(element: IndexElem<'_>) -> String {
    let of_expr = || match output_name(element.expr()?).known() {
        "?column?" => None,
        name => Some(name),
    };
    index_column(element).or_else(of_expr).unwrap_or("expr").to_owned()
}

/// Gives names of an index's columns numbers where others have them already.
pub(crate) fn joined(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashMap::<String, usize>::new();
    let mut found = Vec::new();
    for name in names {
        let mut unique = name.clone();
        while let Some(count) = seen.get_mut(&unique) {
            unique = format!("{name}{count}");
            *count += 1;
        }
        seen.insert(unique.clone(), 1);
        found.push(unique);
    }
    found
}

/// Returns the column that an expression names, if it is a single one.
fn only_column(expr: Node<'_>) -> Option<&str> {
    let mut columns = expr.nodes().filter_map(|node| match node {
        Node::ColumnRef(column) => column.fields().last()?.as_str(),
        _ => None,
    });
    let first = columns.next()?;
    columns.all(|column| column == first).then_some(first)
}

/// Returns the characters of a name that have room in so many bytes.
pub(crate) fn cut_name(name: &str, length: usize) -> &str {
    let end = (0..=length.min(name.len())).rev().find(|&end| name.is_char_boundary(end));
    &name[..end.unwrap_or(0)]
}

/// Returns the name that PostgreSQL gives to a part of a table: the longer of the two names is cut so that it has room. See
/// `makeObjectName` of `indexcmds.c`.
pub(crate) fn object_name(table: &str, column: &str, label: &str) -> String {
    let separators = 1 + usize::from(!column.is_empty());
    let room = MOST_IN_NAME.saturating_sub(label.len() + separators);
    let (mut first, mut second) = (table.len(), column.len());
    while first + second > room {
        if first > second { first -= 1 } else { second -= 1 }
    }
    let (table, column) = (cut_name(table, first), cut_name(column, second));
    if column.is_empty() { format!("{table}_{label}") } else { format!("{table}_{column}_{label}") }
}

/// Returns the columns that an index keeps unique, if a foreign key can refer to them.
pub(crate) fn unique_columns(index: IndexStmt<'_>) -> Option<Vec<String>> {
    if !index.unique() || index.where_clause().is_some() {
        return None;
    }
    let names = index.index_params().iter().map(|param| match param {
        Node::IndexElem(element) if !element.name().is_empty() => Some(element.name()),
        _ => None,
    });
    let names: Option<Vec<_>> = names.collect();
    names.map(|names| sorted(names.into_iter()))
}
