#[derive(Walk, HeapSize)]
#[pg_ast(walk = crate::pg18::walk)]
pub enum Val {
    Ival(super::Integer),
    Sval(super::String),
}
