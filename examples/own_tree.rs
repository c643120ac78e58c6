//! Reads what a router needs into a tree of its own: the kind of a statement, its tables, and the values that it has for a
//! column. The types are thirty fields and variants; nothing else of the statement is read, and nothing is copied.
//!
//! ```text
//! cargo run --example own_tree -- tenant_id "SELECT * FROM orders WHERE tenant_id IN (1, $2) AND paid"
//! select orders, tenant_id = 1 or $2
//! ```

use std::collections::BTreeSet;

use pg_ast::protobuf::{AExprKind, BoolExprType};
use pg_ast::view::{self, ColumnRef, List, Node, RangeVar, WithClause};
use pg_ast::{Error, FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt<'a> {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(Select<'a>),
    #[pg_ast(raw = raw::InsertStmt)]
    Insert(Insert<'a>),
    #[pg_ast(raw = raw::UpdateStmt)]
    Update(Update<'a>),
    #[pg_ast(other)]
    Other,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select<'a> {
    #[pg_ast(name = "withClause")]
    with: Option<WithClause<'a>>,
    #[pg_ast(name = "fromClause")]
    from: Vec<Item<'a>>,
    #[pg_ast(name = "whereClause")]
    condition: Option<Expr<'a>>,
    #[pg_ast(name = "valuesLists")]
    rows: Vec<List<'a>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::InsertStmt, partial)]
struct Insert<'a> {
    relation: Option<RangeVar<'a>>,
    cols: List<'a>,
    #[pg_ast(name = "selectStmt")]
    source: Option<Select<'a>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::UpdateStmt, partial)]
struct Update<'a> {
    relation: Option<RangeVar<'a>>,
    #[pg_ast(name = "whereClause")]
    condition: Option<Expr<'a>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Item<'a> {
    #[pg_ast(raw = raw::RangeVar)]
    Table(RangeVar<'a>),
    #[pg_ast(raw = raw::JoinExpr)]
    Join(Box<Join<'a>>),
    #[pg_ast(other)]
    Other,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::JoinExpr, partial)]
struct Join<'a> {
    larg: Option<Item<'a>>,
    rarg: Option<Item<'a>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Expr<'a> {
    #[pg_ast(raw = raw::ColumnRef)]
    Column(ColumnRef<'a>),
    #[pg_ast(raw = raw::A_Expr)]
    Operator(Box<Operator<'a>>),
    #[pg_ast(raw = raw::BoolExpr)]
    Bool(Bool<'a>),
    #[pg_ast(raw = raw::List)]
    List(List<'a>),
    #[pg_ast(other)]
    Value(Node<'a>),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::A_Expr, partial)]
struct Operator<'a> {
    kind: AExprKind,
    name: List<'a>,
    lexpr: Option<Expr<'a>>,
    rexpr: Option<Expr<'a>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::BoolExpr, partial)]
struct Bool<'a> {
    boolop: BoolExprType,
    args: Vec<Expr<'a>>,
}

/// The values of a column, as SQL; `None` if they are not known.
type Values = Option<BTreeSet<String>>;

/// What is known of a statement.
#[derive(Debug, PartialEq)]
pub(crate) struct Route {
    /// The kind of the statement.
    pub(crate) kind: &'static str,
    /// The tables that it names; incomplete if the values are not known.
    pub(crate) tables: Vec<String>,
    /// The values that its condition, or its rows, have for the column of that name, whichever table it is of.
    pub(crate) values: Values,
}

/// Returns what is known of each statement.
pub(crate) fn routes(sql: &str, column: &str) -> Result<Vec<Route>, Error> {
    let tree = view::parse(sql)?;
    let stmts = tree.stmts().filter_map(pg_ast::view::RawStmt::stmt);
    stmts.map(|stmt| Ok(route(&stmt.read_as()?.unwrap_or(Stmt::Other), column))).collect()
}

fn route(stmt: &Stmt<'_>, column: &str) -> Route {
    let mut tables = Vec::new();
    let (kind, values) = match stmt {
        Stmt::Select(select) => {
            let is_known = items(&select.from, &mut tables) && select.with.is_none();
            let values = select.condition.as_ref().and_then(|expr| of_condition(expr, column));
            ("select", values.filter(|_| is_known))
        }
        Stmt::Insert(insert) => {
            tables.extend(insert.relation.map(table));
            ("insert", of_rows(insert, column))
        }
        Stmt::Update(update) => {
            tables.extend(update.relation.map(table));
            ("update", update.condition.as_ref().and_then(|expr| of_condition(expr, column)))
        }
        Stmt::Other => ("other", None),
    };
    Route { kind, tables, values }
}

fn table(table: RangeVar<'_>) -> String {
    table.relname().to_owned()
}

/// Collects the tables of a `FROM`; returns false if it has something else.
fn items<'a>(from: impl IntoIterator<Item = &'a Item<'a>>, tables: &mut Vec<String>) -> bool {
    let mut is_known = true;
    let mut rest: Vec<_> = from.into_iter().collect();
    rest.reverse();
    while let Some(item) = rest.pop() {
        match item {
            Item::Table(range) => tables.push(table(*range)),
            Item::Join(join) => rest.extend(join.rarg.iter().chain(&join.larg)),
            Item::Other => is_known = false,
        }
    }
    is_known
}

/// Returns the values that the column has wherever the condition is true.
fn of_condition(condition: &Expr<'_>, column: &str) -> Values {
    match condition {
        Expr::Bool(bool) => {
            let mut sides = bool.args.iter().map(|side| of_condition(side, column));
            match bool.boolop {
                BoolExprType::AndExpr => sides.flatten().next(),
                BoolExprType::OrExpr => {
                    sides.try_fold(BTreeSet::new(), |found, side| Some(&found | &side?))
                }
                _ => None,
            }
        }
        Expr::Operator(operator) if operator.name.strs().eq(["="]) => {
            match (operator.kind, operator.lexpr.as_ref()?, operator.rexpr.as_ref()?) {
                (AExprKind::AexprOp, Expr::Column(of), Expr::Value(node))
                | (AExprKind::AexprOp, Expr::Value(node), Expr::Column(of))
                    if is_column(*of, column) =>
                {
                    Some(BTreeSet::from([value(*node)?]))
                }
                (AExprKind::AexprIn, Expr::Column(of), Expr::List(items))
                    if is_column(*of, column) =>
                {
                    items.iter().map(value).collect()
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the values that an `INSERT` writes to the column.
fn of_rows(insert: &Insert<'_>, column: &str) -> Values {
    let mut names = insert.cols.iter().filter_map(Node::as_res_target);
    let place = names.position(|target| target.name() == column)?;
    let rows = &insert.source.as_ref()?.rows;
    let values = rows.iter().map(|row| row.get(place).and_then(value)).collect::<Values>();
    values.filter(|values| !values.is_empty())
}

fn is_column(of: ColumnRef<'_>, column: &str) -> bool {
    of.names().next_back() == Some(column)
}

fn value(node: Node<'_>) -> Option<String> {
    match node {
        Node::AConst(_) => Some(node.literal()?.to_string()),
        Node::ParamRef(param) => Some(format!("${}", param.number())),
        _ => None,
    }
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let column = arguments.next().expect("usage: own_tree COLUMN SQL ..");
    for sql in arguments {
        for Route { kind, tables, values } in routes(&sql, &column)? {
            let values = values.map(|values| Vec::from_iter(values).join(" or "));
            let values = values.unwrap_or_else(|| "?".to_owned());
            println!("{kind} {}, {column} = {values}", tables.join(", "));
        }
    }
    Ok(())
}
