#[derive(pg_ast_derive::HeapSize, pg_ast_derive::Recursive, pg_ast_derive::Walk)]
#[pg_ast(raw = pg_ast::raw::SetOperation, walk = walk)]
enum SetOperation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
}

mod walk {
    use std::ops::ControlFlow;

    pub type Sink<'s, 'a> = dyn FnMut(&'a ()) + 's;
    pub type SinkMut<'s, 'a> = dyn FnMut(&'a mut ()) + 's;
    pub trait Field {
        fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()>;
        fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()>;
    }
}

// What stands in for the impls gives no message of its own.
fn uses(op: SetOperation) -> bool {
    let _ = walk::Field::walk(&op, &mut |_| ());
    op.clone() == op && pg_ast::HeapSize::heap_size(&op) > 0
}

fn main() {}
