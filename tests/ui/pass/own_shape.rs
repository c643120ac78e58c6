//! A type shape of a user's own: a list that is read into another collection, as deep as the limits say.

use std::collections::VecDeque;

use pg_ast::{ErrorKind, FromNode, FromRaw, FromRawContext, ParserOptions, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    #[pg_ast(name = "whereClause")]
    condition: Option<Condition>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Condition {
    #[pg_ast(raw = raw::BoolExpr)]
    Bool(Bool),
    #[pg_ast(other)]
    Other,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::BoolExpr, partial)]
struct Bool {
    args: Deque<Condition>,
}

struct Deque<T>(VecDeque<T>);

// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromNode<'t, raw::Node>> FromRaw<'t, *mut raw::List> for Deque<T> {
    unsafe fn from_raw(field: *const *mut raw::List, cx: &mut FromRawContext) -> Self {
        // SAFETY: the same conditions, which the caller guarantees.
        Self(unsafe { Vec::from_raw(field, cx) }.into())
    }
}

fn nots(levels: usize) -> String {
    format!("DELETE FROM t WHERE {}a", "NOT ".repeat(levels))
}

#[test]
fn own_shapes() {
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let read = || {
        let mut stmts = pg_ast::parse_as::<Delete>(&nots(3_000)).unwrap();
        let mut condition = stmts[0].take().unwrap().condition;
        let mut levels = 0;
        while let Some(Condition::Bool(mut not)) = condition {
            condition = not.args.0.pop_back();
            levels += 1;
        }
        assert_eq!(levels, 3_000);

        let error = pg_ast::parse_as::<Delete>(&nots(10_000)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::TooDeep);
        let few = ParserOptions::default().max_nodes(100);
        let many = format!("DELETE FROM t WHERE a{}", " AND a".repeat(200));
        let error = pg_ast::parse_as_with::<Delete>(&many, few).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
    };
    small.spawn(read).unwrap().join().unwrap();
}
