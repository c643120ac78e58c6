struct Select {
    all: bool,
}

fn main() {
    let _ = pg_ast::parse_as::<Select>("SELECT 1");
}
