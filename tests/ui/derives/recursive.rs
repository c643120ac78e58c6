use pg_ast_derive::Recursive;

#[derive(Recursive)]
struct Name<T> {
    #[pg_ast(naem = "name")]
    text: T,
}

#[derive(Recursive)]
union Number {
    signed: i32,
    unsigned: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct Uses {
    name: Name<String>,
}

fn main() {}
