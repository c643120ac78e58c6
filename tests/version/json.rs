//! Over the whole of PostgreSQL's regression SQL, our JSON is libpg_query's own, and gives the same tree.

use pg_ast::json;

use super::pg::{self, protobuf};
use super::{NAME, c_route};
use crate::common::corpus;

#[test]
fn regression_statements() {
    let mut n = 0;
    for sql in corpus::statements().iter().chain(&corpus::own_statements()) {
        let Ok(tree) = pg::parse(sql) else { continue };
        let ours = json::to_string(&tree.protobuf).unwrap();
        let theirs = c_route::json(sql).unwrap();
        if ours != theirs {
            n += 1;
            println!("{NAME} {sql}\n  {ours}\n  {theirs}");
        }
        let back = json::from_str::<protobuf::ParseResult>(&ours).unwrap_or_else(|e| panic!("{sql}\n{ours}\n{e}"));
        assert_eq!(back, tree.protobuf, "{sql}");
    }
    println!("{NAME}: {n}");
}
