//! Nobody but a tree has nodes.

fn main() {
    let raw: pg_ast::raw::RangeVar = unsafe { std::mem::zeroed() };
    let _ = pg_ast::view::RangeVar(&raw);
}
