//! A tree of a user's own: enums of nodes and structs as children, in lists and behind pointers.

use pg_ast::protobuf::BoolExprType;
use pg_ast::{ErrorKind, FromRaw, Node, NodeEnum, ParserOptions, raw};

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::Node)]
enum Expr {
    #[pg_ast(raw = raw::ColumnRef)]
    Column(Column),
    #[pg_ast(raw = raw::A_Const)]
    Const(Const),
    #[pg_ast(raw = raw::A_Expr)]
    Operator(Box<Operator>),
    #[pg_ast(raw = raw::BoolExpr)]
    Bool(Bool),
    #[pg_ast(raw = raw::List)]
    List(Vec<Expr>),
    #[pg_ast(other)]
    Other,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::ColumnRef, partial)]
struct Column {
    fields: Vec<Option<Name>>,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::String)]
struct Name {
    sval: String,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::A_Const, partial)]
struct Const {
    val: Option<Value>,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::Node)]
enum Value {
    #[pg_ast(raw = raw::Integer)]
    Int(Int),
    #[pg_ast(other)]
    Other(Box<Node>),
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::Integer)]
struct Int {
    ival: i32,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::A_Expr, partial)]
struct Operator {
    kind: Kind,
    lexpr: Option<Expr>,
    rexpr: Option<Box<Expr>>,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::A_Expr_Kind)]
enum Kind {
    #[pg_ast(name = "AEXPR_OP")]
    Op,
    #[pg_ast(name = "AEXPR_IN")]
    In,
    #[pg_ast(other)]
    Other,
}

#[derive(Debug, FromRaw, PartialEq)]
#[pg_ast(raw = raw::BoolExpr, partial)]
struct Bool {
    boolop: BoolExprType,
    args: Vec<Expr>,
}

#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "distinctClause")]
    distinct: Vec<Expr>,
    #[pg_ast(name = "whereClause")]
    condition: Option<Expr>,
    #[pg_ast(name = "valuesLists")]
    values: Vec<Vec<Expr>>,
    larg: Option<Box<Select>>,
}

fn column(name: &str) -> Expr {
    Expr::Column(Column { fields: vec![Some(Name { sval: name.to_owned() })] })
}

fn int(ival: i32) -> Expr {
    Expr::Const(Const { val: Some(Value::Int(Int { ival })) })
}

fn select(sql: &str) -> Select {
    pg_ast::parse_as(sql).unwrap().remove(0).unwrap()
}

fn condition(sql: &str) -> Expr {
    select(&format!("SELECT FROM t WHERE {sql}")).condition.unwrap()
}

fn operator(kind: Kind, left: Expr, right: Expr) -> Expr {
    Expr::Operator(Box::new(Operator { kind, lexpr: Some(left), rexpr: Some(Box::new(right)) }))
}

#[test]
fn children_are_of_own_types() {
    let either = Expr::Bool(Bool {
        boolop: BoolExprType::OrExpr,
        args: vec![operator(Kind::Op, column("a"), int(1)), column("b")],
    });
    let not = Expr::Bool(Bool { boolop: BoolExprType::NotExpr, args: vec![either] });
    assert_eq!(condition("NOT (a = 1 OR b)"), not);
    let list = Expr::List(vec![int(1), Expr::Other, Expr::Const(Const { val: None })]);
    assert_eq!(condition("a IN (1, $1, NULL)"), operator(Kind::In, column("a"), list));
    assert_eq!(condition("a LIKE 2"), operator(Kind::Other, column("a"), int(2)));
    let Expr::Const(Const { val: Some(Value::Other(text)) }) = condition("'x'") else { panic!() };
    assert!(matches!(&text.node, Some(NodeEnum::String(text)) if text.sval == "x"));
    let select = select("VALUES (1, a), (2, DEFAULT) UNION SELECT 1");
    let rows = &select.larg.as_ref().unwrap().values;
    assert_eq!(rows, &[[int(1), column("a")], [int(2), Expr::Other]]);
}

#[test]
fn an_empty_cell_is_an_option_or_the_variant_for_others() {
    #[derive(FromRaw)]
    #[pg_ast(raw = raw::SelectStmt, partial)]
    struct Optional {
        #[pg_ast(name = "distinctClause")]
        distinct: Vec<Option<Column>>,
    }

    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::SelectStmt, partial)]
    struct Columns {
        #[pg_ast(name = "distinctClause")]
        distinct: Vec<Column>,
    }

    let sql = "SELECT DISTINCT a";
    assert_eq!(select(sql).distinct, [Expr::Other]);
    assert_eq!(select("SELECT DISTINCT ON (a) a").distinct, [column("a")]);
    let optional: Optional = pg_ast::parse_as(sql).unwrap().remove(0).unwrap();
    assert_eq!(optional.distinct, [None]);
    let error = pg_ast::parse_as::<Columns>(sql).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnmappedNode);
    assert!(
        error.message().ends_with("::Column` does not read an empty cell of a list"),
        "{error}"
    );
    let columns: Columns = pg_ast::parse_as("SELECT DISTINCT ON (a) a").unwrap().remove(0).unwrap();
    assert_eq!(columns.distinct.len(), 1);
}

#[test]
fn what_no_variant_reads_is_an_error_with_the_statement() {
    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::Node)]
    enum Item {
        #[pg_ast(raw = raw::RangeVar)]
        Table(Table),
    }

    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::RangeVar, partial)]
    struct Table {
        relname: String,
    }

    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::SelectStmt, partial)]
    struct Items {
        #[pg_ast(name = "fromClause")]
        from: Vec<Item>,
    }

    #[derive(Debug, FromRaw)]
    #[pg_ast(raw = raw::SelectStmt, partial)]
    #[expect(clippy::vec_box, reason = "a list of any type that reads nodes")]
    struct Tables {
        #[pg_ast(name = "fromClause")]
        from: Vec<Box<Table>>,
        #[pg_ast(name = "whereClause")]
        condition: Option<Column>,
    }

    let items: Items = pg_ast::parse_as("SELECT FROM a, b").unwrap().remove(0).unwrap();
    let names = items.from.iter().map(|Item::Table(table)| table.relname.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
    let error = pg_ast::parse_as::<Items>("SELECT 1; SELECT FROM a, f(), b").unwrap_err();
    assert_eq!((error.kind(), error.cursor()), (ErrorKind::UnmappedNode, Some(10)));
    let message = error.message();
    assert!(
        message.ends_with("::Item` does not read a node of the type RangeFunction"),
        "{message}"
    );

    let error = |sql| pg_ast::parse_as::<Tables>(sql).unwrap_err();
    let message = error("SELECT FROM a, b JOIN c ON a").message().to_owned();
    assert!(message.ends_with("Table>` does not read a node of the type JoinExpr"), "{message}");
    let message = error("SELECT FROM a WHERE b = 1").message().to_owned();
    assert!(message.ends_with("::Column` does not read a node of the type A_Expr"), "{message}");
    let tables: Tables = pg_ast::parse_as("SELECT FROM a WHERE b").unwrap().remove(0).unwrap();
    assert_eq!((tables.from[0].relname.as_str(), tables.condition.is_some()), ("a", true));
}

#[test]
fn a_deep_tree_is_read_on_a_small_stack() {
    // Each with the number of them that is too deep for us, and not for the parser.
    type Condition = (&'static str, usize, fn(usize) -> String);
    let conditions: [Condition; 3] = [
        ("NOT", 7_000, |levels| format!("{}a", "NOT ".repeat(levels))),
        ("+", 7_000, |levels| format!("a{}", " + 1".repeat(levels))),
        ("IN", 3_280, |levels| format!("{}a{}", "1 IN (".repeat(levels), ")".repeat(levels))),
    ];
    let read = move || {
        for (name, deep, sql) in conditions {
            // So many levels are dropped anywhere.
            let shallow = ParserOptions::default().max_depth(400);
            let levels = if name == "IN" { 199 } else { 398 };
            let sql_of = |levels| format!("SELECT FROM t WHERE {}", sql(levels));
            assert!(pg_ast::parse_as_with::<Select>(&sql_of(levels), shallow).is_ok(), "{name}");
            let error = pg_ast::parse_as_with::<Select>(&sql_of(levels + 2), shallow).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{name}");

            let mut next = Some(condition(&sql(1_500)));
            let mut levels = 0;
            // From the top, so that drop glue has one level at a time.
            while let Some(expr) = next {
                next = match expr {
                    Expr::Bool(mut not) => not.args.pop(),
                    Expr::Operator(mut operator) if name == "+" => operator.lexpr.take(),
                    Expr::Operator(mut operator) => operator.rexpr.take().map(|right| *right),
                    Expr::List(mut items) => items.pop(),
                    _ => break,
                };
                levels += 1;
            }
            assert!(levels == 1_500 || levels == 3_000, "{name}: {levels}");

            // What has been read before an error is dropped where there is room for it.
            let sql = sql_of(deep);
            let error = pg_ast::parse_as::<Select>(&sql).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{name}");
            let few = ParserOptions::default().max_nodes(1_000);
            let error = pg_ast::parse_as_with::<Select>(&sql, few).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TooLarge, "{name}");
            let tree = pg_ast::view::parse(&sql).unwrap();
            let stmt = tree.stmts().next().unwrap().stmt().unwrap();
            assert_eq!(stmt.read_as::<Select>().unwrap_err().kind(), ErrorKind::TooDeep, "{name}");
        }
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(read).unwrap().join().unwrap();
}
