//! A type shape of a user's own, through which a tree recurses: as deep as the limits say, on any stack.

use pg_ast::{ErrorKind, FromNode, FromRaw, FromRawContext, ParserOptions, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    #[pg_ast(name = "whereClause")]
    condition: Option<Condition>,
}

#[derive(Default)]
enum Condition {
    Bool(Bool),
    #[default]
    Other,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::BoolExpr, partial)]
struct Bool {
    args: Conditions,
}

struct Conditions(Vec<Condition>);

// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<raw::Node> for Condition {
    unsafe fn from_raw(node: *const raw::Node, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees that it is a whole node.
        match unsafe { Bool::from_node(node, cx) } {
            Some(found) => Self::Bool(found),
            None => Self::Other,
        }
    }
}

// SAFETY: the trait's own `write_raw`.
unsafe impl FromRaw<*mut raw::List> for Conditions {
    unsafe fn from_raw(field: *const *mut raw::List, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees that the pointer is null or points to a whole list.
        let Some(list) = (unsafe { (*field).as_ref() }) else { return Self(Vec::new()) };
        if list.type_ != raw::NodeTag::T_List {
            cx.unmapped_node(i64::from(list.type_.0));
            return Self(Vec::new());
        }
        let length = usize::try_from(list.length).unwrap_or(0);
        let read = |index| {
            // SAFETY: there are `length` cells, and the tag says that they are pointers to nodes.
            let node = unsafe { (*list.elements.add(index)).ptr_value }.cast::<raw::Node>();
            // SAFETY: as above; the conditions of BoolExpr are never null.
            cx.enter(|cx| unsafe { Condition::from_raw(node, cx) })
        };
        Self((0..length).map(read).collect())
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
            condition = not.args.0.pop();
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
