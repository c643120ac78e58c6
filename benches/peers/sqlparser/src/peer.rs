use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};
use sqlparser::ast::Statement;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

pub struct Measured;

impl Peer for Measured {
    type Tree = Vec<Statement>;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse];

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        Parser::parse_sql(&PostgreSqlDialect {}, &sql.text).ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        !black_box(tree[0].to_string()).is_empty()
    }
}
