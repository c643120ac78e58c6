//! A mistake is one message, wherever the type is used.

use pg_ast::HeapSize as _;
use pg_ast_derive::HeapSize;

#[derive(HeapSize)]
#[pg_ast(crat = pg_ast)]
struct Name {
    text: String,
}

#[derive(HeapSize)]
struct Pair(String, String);

#[derive(HeapSize)]
enum Either {
    Name(Name),
    Both { first: Name, second: Name },
}

#[derive(HeapSize)]
struct Timed {
    name: Name,
    time: std::time::Duration,
}

fn main() {
    let _ = |either: Either, pair: Pair, timed: Timed| {
        either.heap_size() + pair.heap_size() + timed.heap_size()
    };
}
