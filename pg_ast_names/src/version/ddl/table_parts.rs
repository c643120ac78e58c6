//! What is in a table and can be needed: constraints, with their indexes and keys, and the sequences of columns.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use super::pg::protobuf::{AlterTableType, ConstrType};
use super::pg::view::{Constraint, IndexStmt, List, Node};

/// A constraint of a table, and the column with which it is written.
pub(crate) struct TableConstraint<'a> {
    pub(crate) column: Option<&'a str>,
    pub(crate) constraint: Constraint<'a>,
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
            Node::Constraint(constraint) => {
                found.push(TableConstraint { column: None, constraint });
            }
            Node::ColumnDef(column) => {
                let constraints = column.constraints().iter().filter_map(|it| match it {
                    Node::Constraint(constraint) => {
                        Some(TableConstraint { column: Some(column.colname()), constraint })
                    }
                    _ => None,
                });
                found.extend(constraints);
            }
            _ => {}
        }
    }
    found
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

/// Returns the names of the sequences that columns of a table get, by a type such as `serial` or by `IDENTITY`. One without a schema
/// is in that of the table.
pub(crate) fn sequences(stmt: Node<'_>, table: &str) -> Vec<QualifiedName> {
    let mut found = Vec::new();
    let own = |column: &str| QualifiedName::unqualified(object_name(table, column, "seq"));
    for element in elements(stmt) {
        let Node::ColumnDef(column) = element else { continue };
        let of_type = column.type_name().and_then(|of| of.names().last()).and_then(Node::as_str);
        let identity = column.constraints().iter().find_map(|constraint| match constraint {
            Node::Constraint(it) if it.contype() == ConstrType::ConstrIdentity => Some(it),
            _ => None,
        });
        if let Some(identity) = identity {
            found.push(written_name(identity).unwrap_or_else(|| own(column.colname())));
        } else if of_type.is_some_and(pg_ast_catalog::is_serial) {
            found.push(own(column.colname()));
        }
    }
    if let Node::AlterTableStmt(alter) = stmt {
        for cmd in alter.cmds() {
            if let Node::AlterTableCmd(cmd) = cmd
                && let (AlterTableType::AtAddIdentity, Some(Node::Constraint(identity))) =
                    (cmd.subtype(), cmd.def())
            {
                found.push(written_name(identity).unwrap_or_else(|| own(cmd.name())));
            }
        }
    }
    found
}

/// Returns names of columns in alphabetical order.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}

fn or_column(names: List<'_>, column: Option<&str>) -> Vec<String> {
    if names.is_empty() { sorted(column.into_iter()) } else { sorted(names.strs()) }
}

impl TableConstraint<'_> {
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
        if !self.constraint.conname().is_empty() {
            return Some(self.constraint.conname().to_owned());
        }
        // Of `USING INDEX`, it is that of the index.
        if !self.constraint.indexname().is_empty() {
            return Some(self.constraint.indexname().to_owned());
        }
        let columns = |names: List<'_>| match (names.is_empty(), self.column) {
            (true, Some(column)) => column.to_owned(),
            _ => names.strs().collect::<Vec<_>>().join("_"),
        };
        match self.constraint.contype() {
            ConstrType::ConstrPrimary => Some(object_name(table, "", "pkey")),
            ConstrType::ConstrUnique => {
                Some(object_name(table, &columns(self.constraint.keys()), "key"))
            }
            ConstrType::ConstrForeign => {
                Some(object_name(table, &columns(self.constraint.fk_attrs()), "fkey"))
            }
            ConstrType::ConstrCheck => {
                let column = self.column.or_else(|| only_column(self.constraint.raw_expr()?));
                Some(object_name(table, column.unwrap_or_default(), "check"))
            }
            ConstrType::ConstrExclusion => {
                let columns = self.constraint.exclusions().iter().filter_map(|pair| match pair {
                    Node::List(pair) => match pair.first()? {
                        Node::IndexElem(it) if it.name().is_empty() => Some("expr"),
                        Node::IndexElem(it) => Some(it.name()),
                        _ => None,
                    },
                    _ => None,
                });
                Some(object_name(table, &columns.collect::<Vec<_>>().join("_"), "excl"))
            }
            _ => None,
        }
    }
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

/// Returns the name that PostgreSQL gives to a part of a table: the longer of the two names is cut so that it has room. See
/// `makeObjectName` of `indexcmds.c`.
pub(crate) fn object_name(table: &str, column: &str, label: &str) -> String {
    /// `NAMEDATALEN` without the zero at the end.
    const MOST: usize = 63;
    let separators = 1 + usize::from(!column.is_empty());
    let room = MOST.saturating_sub(label.len() + separators);
    let (mut first, mut second) = (table.len(), column.len());
    while first + second > room {
        if first > second { first -= 1 } else { second -= 1 }
    }
    let cut = |name: &str, length: usize| {
        let end = (0..=length).rev().find(|&end| name.is_char_boundary(end));
        name[..end.unwrap_or(0)].to_owned()
    };
    let (table, column) = (cut(table, first), cut(column, second));
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
