//! What is told of a statement's types, beside what a server says of it.

use std::collections::BTreeMap;

use pg_ast_names::ColumnOrigin;
use pg_ast_types::{StmtTypes, SqlType};

use super::pg::view::{Node, SelectStmt, Tree};
use crate::connection::Session;
use crate::described::{ColumnOfServer, Described, TypeNames, TypeOfServer};

/// Something that differs.
pub struct Difference {
    /// What it is of: `parameter`, `type`, `modifier`, ..
    pub part: &'static str,
    /// Whether we tell nothing, where the server does.
    pub is_unknown: bool,
    pub ours: String,
    pub theirs: String,
    /// The node that it is of.
    pub node: String,
}

/// Returns how often things differ in which way, the commonest first.
pub fn counted(texts: impl Iterator<Item = String>) -> Vec<(usize, String)> {
    let mut counts = BTreeMap::<_, usize>::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(text, count)| (count, text)).collect();
    counts.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    counts
}

/// Returns what differs between the types of a statement, which is the only one of the tree.
pub fn differences(
    session: &mut Session,
    tree: &Tree,
    ours: &StmtTypes,
    theirs: &Described,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut differ = |part, ours: Option<String>, theirs: String, node: &dyn Fn() -> String| {
        if ours.as_deref() != Some(theirs.as_str()) {
            let is_unknown = ours.is_none();
            let ours = ours.unwrap_or_else(|| "?".to_owned());
            found.push(Difference { part, is_unknown, ours, theirs, node: node() });
        }
    };
    let nothing = || "statement".to_owned();
    let count = theirs.parameters.len();
    if ours.parameters.len() == count {
        for (index, (ours, theirs)) in ours.parameters.iter().zip(&theirs.parameters).enumerate() {
            let ours = ours.value_type.as_ref().map(|it| type_of(it).to_string());
            differ("parameter", ours, theirs.to_string(), &|| place_of_parameter(tree, index));
        }
    } else {
        let ours = ours.parameters.len();
        differ("number of parameters", Some(ours.to_string()), count.to_string(), &nothing);
    }
    match (&ours.columns, &theirs.columns) {
        (None, None) => {}
        (None, Some(_)) => differ("columns", None, "some".to_owned(), &nothing),
        (Some(_), None) => differ("columns", Some("some".to_owned()), "none".to_owned(), &nothing),
        (Some(ours), Some(theirs)) if ours.len() != theirs.len() => {
            let (ours, theirs) = (ours.len().to_string(), theirs.len().to_string());
            differ("number of columns", Some(ours), theirs, &nothing);
        }
        (Some(ours), Some(theirs)) => {
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                let node = || node_of_column(tree, index);
                differ("name", ours.name.clone(), theirs.name.clone(), &node);
                let (mut value_type, mut modifier) =
                    (ours.value_type.as_ref().map(type_of), ours.value_type.as_ref().map(|it| it.modifier));
                // Of a domain, the server sends the type below it.
                if let Some((own, was)) = value_type.as_ref().zip(modifier)
                    && *own != theirs.value_type
                    && let Some(below) = TypeNames::below_domains(session, own, was)
                {
                    (value_type, modifier) = (Some(below.0), Some(below.1));
                }
                differ("type", value_type.map(|it| it.to_string()), theirs.value_type.to_string(), &node);
                // Without a type, there is none of its modifier either.
                if let Some(modifier) = modifier {
                    differ("modifier", Some(modifier.to_string()), theirs.modifier.to_string(), &node);
                }
                match (ours.origin.as_ref().map(origin_text), origin_of_server(theirs)) {
                    (None, None) => {}
                    (ours, Some(theirs)) => differ("origin", ours, theirs, &node),
                    (ours, None) => differ("origin", ours, "none".to_owned(), &node),
                }
            }
        }
    }
    found
}

fn type_of(of: &SqlType) -> TypeOfServer {
    let schema = of.name.schema.as_deref().unwrap_or("?").to_owned();
    TypeOfServer { schema, name: of.name.name.clone(), is_array: of.is_array }
}

fn origin_text(origin: &ColumnOrigin) -> String {
    format!("{}.{}", origin.table.plain(), origin.column)
}

fn origin_of_server(column: &ColumnOfServer) -> Option<String> {
    let (schema, table, column) = column.origin.as_ref()?;
    Some(format!("{schema}.{table}.{column}"))
}

/// Returns what an expression is: its node, and the function or operator.
fn described(node: Node<'_>) -> String {
    let names = match node {
        Node::FuncCall(call) => call.funcname(),
        Node::AExpr(expr) => expr.name(),
        Node::TypeCast(_) => return "TypeCast".to_owned(),
        _ => return node.name().to_owned(),
    };
    let names: Vec<_> = names.into_iter().filter_map(Node::as_str).collect();
    format!("{} {}", node.name(), names.join("."))
}

/// Returns the nodes that a parameter is in.
fn place_of_parameter(tree: &Tree, index: usize) -> String {
    let mut nodes = tree.nodes();
    while let Some(node) = nodes.next() {
        let Node::ParamRef(parameter) = node else { continue };
        if usize::try_from(parameter.number()).ok() == Some(index + 1) {
            let ancestors = nodes.ancestors().iter().rev().take(2);
            let ancestors: Vec<_> = ancestors.map(|it| described(*it)).collect();
            return ancestors.join(" in ");
        }
    }
    "no parameter".to_owned()
}

/// Returns what a column is.
fn node_of_column(tree: &Tree, index: usize) -> String {
    let stmt = tree.stmts().next().and_then(super::pg::view::RawStmt::stmt);
    let select = match stmt {
        Some(Node::SelectStmt(select)) => leftmost(select),
        Some(stmt) => return stmt.name().to_owned(),
        None => return String::new(),
    };
    let targets: Vec<_> = select.target_list().into_iter().filter_map(Node::as_res_target).collect();
    let values: Vec<_> = targets.iter().filter_map(|it| it.val()).collect();
    let is_star = |node: &Node<'_>| match node {
        Node::ColumnRef(column) => {
            column.fields().into_iter().any(|field| matches!(field, Node::AStar(_)))
        }
        Node::AIndirection(it) => {
            it.indirection().into_iter().any(|field| matches!(field, Node::AStar(_)))
        }
        _ => false,
    };
    let before = values.iter().take(index + 1).any(is_star);
    match values.get(index) {
        _ if before => "*".to_owned(),
        Some(value) => described(*value),
        None => "VALUES".to_owned(),
    }
}

/// Returns the first `SELECT` of a `UNION`.
fn leftmost(mut select: SelectStmt<'_>) -> SelectStmt<'_> {
    while let Some(left) = select.larg() {
        select = left;
    }
    select
}
