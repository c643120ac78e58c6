use pg_ast::{FromRaw, raw, view};

#[derive(FromRaw)]
#[pg_ast(raw = raw::ListenStmt)]
struct Listen<'a> {
    conditionname: &'a str,
}

fn main() {
    let listen: Listen = {
        let tree = view::parse("LISTEN jobs").unwrap();
        tree.stmts().next().unwrap().stmt().unwrap().read_as().unwrap().unwrap()
    };
    println!("{}", listen.conditionname);

    let mut tree = view::parse("LISTEN jobs").unwrap();
    let listen: Listen = tree.stmts().next().unwrap().stmt().unwrap().read_as().unwrap().unwrap();
    tree.edit(|_, _| {});
    println!("{}", listen.conditionname);
}
