//! Tests statements of any depth: each step succeeds, or reports that the statement is too deep.

#[path = "common/deep.rs"]
#[allow(unreachable_pub)]
mod deep;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use deep::DEEP;
use pg_ast::{
    Error, ErrorKind, FromRaw, HeapSize as _, Node, NodeEnum, NodeMut, NodeRef, ParseResult,
    ParserOptions, Visit, VisitMut,
};
use prost::Message as _;

type Shape = fn(usize) -> String;

/// Statements of a given depth, by the nested construct.
const SHAPES: &[(&str, Shape)] = &[
    ("parentheses", |n| format!("SELECT {}1{}", "(".repeat(n), ")".repeat(n))),
    ("NOT", |n| format!("SELECT {}true", "NOT ".repeat(n))),
    ("+ 1", |n| format!("SELECT 1{}", " + 1".repeat(n))),
    ("::int", |n| format!("SELECT 1{}", "::int".repeat(n))),
    ("UNION", |n| format!("SELECT 1{}", " UNION SELECT 1".repeat(n))),
    ("subselects", |n| format!("{}SELECT 1{}", "SELECT (".repeat(n), ")".repeat(n))),
    ("FROM subselects", |n| {
        format!("{}SELECT 1{}", "SELECT * FROM (".repeat(n), ") AS t".repeat(n))
    }),
];

/// Parses with another depth limit.
fn parse(sql: &str, max_depth: usize) -> Result<ParseResult, Error> {
    pg_ast::parse_with(sql, ParserOptions::default().max_depth(max_depth))
}

/// Runs every operation on a tree; returns false if the statement is too deep.
fn survives(sql: &str, max_depth: usize) -> bool {
    let tree = match parse(sql, max_depth) {
        Ok(tree) => tree,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?}");
            return false;
        }
    };
    assert!(tree.depth() <= max_depth);
    let copy = tree.clone();
    assert!(copy == tree);
    let shown = format!("{tree:?}");
    assert!(shown.ends_with("warnings: [] }"), "{}", &shown[shown.len().saturating_sub(80)..]);
    let bytes = tree.protobuf.encode_to_vec();
    assert_eq!(bytes.len(), tree.protobuf.encoded_len());
    let text = pg_ast::deparse(&tree).expect("what can be parsed can be printed");
    // The SQL has parentheses that the tree lacks, so it may be the part that is too deep.
    match parse(&text, max_depth) {
        Ok(again) => assert_eq!(pg_ast::deparse(&again).as_ref(), Ok(&text)),
        Err(error) => assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?}"),
    }
    assert_eq!(Ok(tree.fingerprint()), pg_ast::fingerprint(sql));
    assert!(pg_ast::normalize(sql).is_ok());
    drop::<ParseResult>(copy);
    true
}

fn on_thread(stack: usize, f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, f);
        thread.expect("a thread").join().expect("no panic");
    });
}

/// Every shape at every depth. If the grammar reads it without a stack of its own, only the limit
/// applies, on every thread alike; the rest is limited by the grammar's stack, which is on the heap.
fn every_shape() {
    for (name, sql) in SHAPES {
        for (levels, max_depth) in
            [(1, 6_500), (1_000, 6_500), (6_400, 6_500), (6_600, 6_500), (10_000, 300_000)]
        {
            let survived = survives(&sql(levels), max_depth);
            let outcome = if survived { "ok" } else { "too deep" };
            println!("{levels} levels of {name} of {max_depth}: {outcome}");
            let by_list = ["+ 1", "::int", "UNION"].contains(name);
            assert!(survived || levels > 1_000, "{levels} levels of {name}");
            if by_list {
                assert_eq!(survived, levels < max_depth, "{levels} levels of {name}");
            }
        }
    }
}

/// The configured limit determines the maximum depth.
fn more_levels() {
    // Printing a chain of UNIONs takes time quadratic in its length.
    for (name, levels) in [("+ 1", DEEP), ("::int", DEEP), ("UNION", 20_000)] {
        let (_, sql) = SHAPES.iter().find(|(shape, _)| *shape == name).expect("a shape");
        assert!(survives(&sql(levels), 300_000), "{levels} levels of {name}");
        assert!(!survives(&sql(levels), 4_000));
        println!("{levels} levels of {name}: ok");
    }
}

/// A tree is cloned, printed, encoded and dropped on a smaller stack than it was parsed on.
fn less_stack_than_the_parser_had() {
    let tree = parse(&format!("SELECT 1{}", " + 1".repeat(DEEP)), 300_000).expect("parses");
    let shared = &tree;
    on_thread(256 << 10, || {
        let text = pg_ast::deparse(shared).expect("prints");
        assert_eq!(text.matches('+').count(), DEEP);
        assert!(!shared.protobuf.encode_to_vec().is_empty());
        assert!(format!("{shared:?}").contains("AExpr"));
        assert!(shared.deparse_truncated(50).is_ok());
        let copy = shared.clone();
        assert!(copy == *shared);
        // Trees that were not parsed are dropped the same way.
        drop(ParseResult::from(copy.into_protobuf()));
        let Some(NodeEnum::SelectStmt(select)) =
            shared.protobuf.stmts[0].stmt.as_ref().and_then(|stmt| stmt.node.as_ref())
        else {
            panic!()
        };
        let Some(NodeEnum::ResTarget(target)) = &select.target_list[0].node else { panic!() };
        let expr = target.val.as_ref().expect("an expression");
        // Neither copies it.
        assert_eq!(pg_ast::deparse_expr(expr).expect("prints").matches('+').count(), DEEP);
        assert_eq!(expr.to_string().matches('+').count(), DEEP);
        expr.as_ref().clone().drop_iteratively();
    });
    on_thread(64 << 10, move || drop(tree));
}

/// The nodes that were read from C before an error are dropped.
fn mistakes() {
    #[derive(FromRaw)]
    #[pg_ast(raw = pg_ast::raw::SelectStmt, partial)]
    struct Targets {
        #[pg_ast(name = "targetList")]
        target_list: Vec<Node>,
    }

    for (name, sql) in SHAPES.iter().filter(|(name, _)| ["+ 1", "::int"].contains(name)) {
        // A deep statement, and another one that is even deeper.
        let sql = format!("{}; {}", sql(20_000), sql(20_010));
        let options = ParserOptions::default().max_depth(20_008);
        let error = pg_ast::parse_with(&sql, options).expect_err("too deep");
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{name}");
        assert_eq!(error.cursor(), sql.find("; ").map(|end| end + 2), "{name}");
        let error = pg_ast::parse_as_with::<Targets>(&sql, options).err().expect("too deep");
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{name}");
        let stmts = pg_ast::parse_as::<Targets>("SELECT 1").expect("parses");
        assert_eq!(stmts[0].as_ref().map(|stmt| stmt.target_list.len()), Some(1));
    }
    // An expression, and several expressions.
    let sql = format!("a{}, b", " + 1".repeat(3_900));
    assert_eq!(pg_ast::parse_expr(&sql).expect_err("two").kind(), ErrorKind::Syntax);
    let expr = pg_ast::parse_expr(sql.trim_end_matches(", b")).expect("one");
    assert_eq!(expr.depth(), 3_901);
    expr.drop_iteratively();
}

/// The closure of `transform` and the visitor of `visit_mut` drop the node that
/// they replace. That is drop glue, which needs room wherever they are called.
fn replaced() {
    struct Replace {
        replaced: usize,
        below: usize,
    }

    impl VisitMut for Replace {
        type Break = ();

        fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
            if matches!(slot.node, Some(NodeEnum::AExpr(_) | NodeEnum::TypeCast(_))) {
                if self.below == 0 {
                    *slot = pg_ast::make::int_const(7).into();
                    self.replaced += 1;
                    return ControlFlow::Continue(());
                }
                self.below -= 1;
            }
            self.visit_slot(slot)
        }
    }

    for (name, sql) in SHAPES.iter().filter(|(name, _)| ["+ 1", "::int"].contains(name)) {
        for below in [0, DEEP / 2] {
            let mut tree = parse(&sql(DEEP), 300_000).expect("parses");
            let mut visitor = Replace { replaced: 0, below };
            assert!(tree.visit_mut(&mut visitor).is_continue());
            assert_eq!(visitor.replaced, 1, "{name}");
            assert!(tree.depth() >= below && tree.depth() < below + 10, "{name}: {}", tree.depth());

            let mut tree = parse(&sql(DEEP), 300_000).expect("parses");
            let mut seen = 0;
            tree.transform(|node| match node.node {
                Some(NodeEnum::AExpr(_) | NodeEnum::TypeCast(_)) => {
                    seen += 1;
                    // From the bottom up.
                    if seen == DEEP - below { pg_ast::make::int_const(7).into() } else { node }
                }
                _ => node,
            });
            assert!(tree.depth() >= below && tree.depth() < below + 10, "{name}: {}", tree.depth());
        }
    }
}

/// Counts the nodes and the levels of a tree.
#[derive(Default)]
struct Counts {
    nodes: usize,
    level: usize,
    deepest: usize,
}

impl Counts {
    fn enter(&mut self) -> ControlFlow<()> {
        self.nodes += 1;
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> ControlFlow<()> {
        self.level -= 1;
        ControlFlow::Continue(())
    }
}

impl<'a> Visit<'a> for Counts {
    type Break = ();

    fn enter(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
        self.enter()
    }

    fn leave(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
        self.leave()
    }
}

impl VisitMut for Counts {
    type Break = ();

    fn enter(&mut self, _: NodeMut<'_>) -> ControlFlow<()> {
        self.enter()
    }

    fn leave(&mut self, _: NodeMut<'_>) -> ControlFlow<()> {
        self.leave()
    }
}

/// Runs every walk over a tree.
fn walks_on_less_stack(name: &str, tree: &mut ParseResult, levels: usize) {
    let count = tree.nodes().count();
    let deepest = tree.nodes().with_depth().map(|(_, depth)| depth + 1).max();
    assert_eq!(deepest, Some(tree.depth() + 1), "{name}");
    assert!(count > levels && deepest > Some(levels), "{name}: {count}, {deepest:?}");

    let mut counts = Counts::default();
    assert!(tree.visit(&mut counts).is_continue());
    assert_eq!((counts.nodes, Some(counts.deepest)), (count, deepest), "{name}");
    let mut counts = Counts::default();
    assert!(tree.visit_mut(&mut counts).is_continue());
    assert_eq!((counts.nodes, Some(counts.deepest)), (count, deepest), "{name}");

    let mut walked = 0;
    let end = tree.walk_mut(|_| {
        walked += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(walked, count, "{name}");

    tree.walk_tables_mut(|table, _| panic!("{table:?}"));
    let size = tree.heap_size();
    assert!(size > levels * size_of::<usize>(), "{name}: {size}");
    let mut given = 0;
    tree.transform(|node| {
        given += 1;
        node
    });
    assert!(given > 0 && given < count, "{name}: {given} of {count}");
    assert_eq!(tree.nodes().count(), count, "{name}");
    assert_eq!(tree.heap_size(), size, "{name}");
}

/// Operations that walk a tree take the required stack from the heap.
fn walks() {
    for (name, sql) in SHAPES.iter().filter(|(name, _)| ["+ 1", "::int", "UNION"].contains(name)) {
        let mut tree = parse(&sql(DEEP), 300_000).expect("parses");
        walks_on_less_stack(name, &mut tree, DEEP);
        println!("walks over {DEEP} levels of {name}: ok");
    }
}

/// Trees that became deep by a change are dropped on little stack: whether they were printed after it or not, and also
/// where the deep part is in no walk or has no place in C.
fn changed() {
    let deep = || {
        let mut tree = parse(&format!("SELECT 1{}", " + 1".repeat(DEEP)), 300_000).expect("parses");
        tree.protobuf.stmts[0].stmt.take().expect("a statement")
    };
    let shallow = || pg_ast::parse("SELECT a AND b").expect("parses");
    for prints in [false, true] {
        // A deeper statement in place of another.
        let mut tree = shallow();
        *tree.stmts_mut().next().expect("a statement") = *deep();
        if prints {
            assert_eq!(tree.deparse().expect("prints").matches('+').count(), DEEP);
        }
        drop(tree.clone());
        drop(tree);

        // Deeper after it was printed.
        let mut tree = shallow();
        assert!(tree.deparse().is_ok());
        *tree.stmts_mut().next().expect("a statement") = *deep();
        drop(tree);

        // In the place of a header.
        let mut tree = shallow();
        tree.nodes_mut().for_each(|node| {
            if let NodeMut::BoolExpr(expr) = node {
                expr.xpr = Some(deep());
            }
        });
        if prints {
            assert_eq!(tree.deparse().as_deref(), Ok("SELECT a AND b"));
        }
        drop(tree);

        // A list of numbers with something else in it.
        let mut tree = shallow();
        tree.transform(|node| match node.node {
            Some(NodeEnum::BoolExpr(_)) => {
                NodeEnum::IntList(pg_ast::protobuf::IntList { items: vec![*deep()] }).into()
            }
            _ => node,
        });
        if prints {
            let _ = tree.deparse();
        }
        drop(tree);

        // A copy of a node that was replaced where it is visited.
        let sql = format!("UPDATE t SET (a, b) = (SELECT 1{}, 2)", " + 1".repeat(DEEP));
        let mut tree = parse(&sql, 300_000).expect("parses");
        let update = tree.stmts_mut().find_map(Node::as_update_stmt_mut).expect("an UPDATE");
        for target in update.targets_mut() {
            let val = target.val.as_mut().and_then(|val| val.as_multi_assign_ref_mut());
            let val = val.expect("a reference");
            val.source.take().expect("a source").drop_iteratively();
            val.source = Some(Box::new(pg_ast::parse_expr("(SELECT 1, 2)").expect("parses")));
        }
        if prints {
            assert!(tree.deparse().is_ok());
        }
        tree.transform(|node| match node.node {
            Some(NodeEnum::UpdateStmt(_)) => {
                shallow().protobuf.stmts[0].stmt.take().map_or(node, |stmt| *stmt)
            }
            _ => node,
        });
        assert_eq!(tree.deparse().as_deref(), Ok("SELECT a AND b"));
    }
}

/// What PostgreSQL runs with its own limits is accepted by default. Parts of the deepest trees that are, with the largest
/// frames of drop glue, are dropped by it.
fn parts() {
    let chains: [(&str, usize, Shape); 9] = [
        ("UNION ALL", 6_000, |n| format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(n))),
        ("||", 6_000, |n| format!("SELECT 'a'{}", " || 'a'".repeat(n))),
        ("JOIN", 6_000, |n| format!("SELECT 1 FROM t{}", " JOIN t ON true".repeat(n))),
        ("::int", 6_000, |n| format!("SELECT 1{}", "::int".repeat(n))),
        ("AT TIME ZONE", 6_000, |n| format!("SELECT a{}", " AT TIME ZONE 'x'".repeat(n))),
        ("COLLATE", 6_000, |n| format!("SELECT a{}", " COLLATE x".repeat(n))),
        ("NOT", 6_000, |n| format!("SELECT {}true", "NOT ".repeat(n))),
        // These are flat.
        ("OR", 20_000, |n| format!("SELECT a{}", " OR a".repeat(n))),
        ("AND", 20_000, |n| format!("SELECT a{}", " AND a".repeat(n))),
    ];
    for (name, levels, sql) in chains {
        let tree = pg_ast::parse(&sql(levels)).unwrap_or_else(|error| panic!("{name}: {error}"));
        drop(tree.into_protobuf());
        // As deep as it goes.
        let deepest = (levels..).step_by(20).take_while(|levels| *levels < 6_600);
        let deepest = deepest.map_while(|levels| pg_ast::parse(&sql(levels)).ok()).last();
        if let Some(tree) = deepest {
            assert!(tree.depth() > 6_450, "{name}: {}", tree.depth());
            drop(tree.into_protobuf());
        }
    }
}

/// The limit is exact for all kinds of levels.
fn exact() {
    let shapes = [
        "SELECT 1",
        "SELECT NULL",
        "SELECT a.b[1:2]",
        "VALUES (1, ('x', true))",
        "SELECT 1 UNION SELECT DISTINCT 2.5",
        "DROP TABLE a, b.c",
        "CREATE FOREIGN TABLE t (a int CHECK (a > 1)) SERVER s OPTIONS (x 'y')",
        "DROP OPERATOR + (NONE, a)",
        "SELECT 1; UPDATE t SET (a, b) = (SELECT 1, 2)",
        "COPY t FROM 'f' (FORMAT csv, FORCE_NULL (a))",
        "",
    ];
    for sql in shapes {
        let depth = parse(sql, 100).expect("parses").depth();
        assert!(parse(sql, depth).is_ok(), "{sql}");
        if depth > 0 {
            let error = parse(sql, depth - 1).expect_err(sql);
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{sql}");
        }
    }
}

/// A wide statement is not deep.
fn a_million_elements() {
    let list: Vec<_> = (1..=1_000_000).map(|n| n.to_string()).collect();
    let sql = format!("SELECT * FROM t WHERE id IN ({})", list.join(", "));
    let tree = pg_ast::parse(&sql).expect("parses");
    assert!(pg_ast::deparse(&tree).as_deref() == Ok(&sql));
    assert!(tree.clone() == tree);
    assert!(tree.nodes().count() > 2_000_000);
}

/// A test by name, with the stacks that it runs on.
type Test = (&'static str, &'static [usize], fn());

// Without the test harness, which runs everything on its own threads: the main thread counts.
//
// Drop glue is compiled here, without optimisation: as in an unoptimised program with an optimised
// library. This cannot affect the library, which does not depend on how it was compiled.
fn main() {
    let tests: [Test; 9] = [
        ("exact", &[2 << 20], exact),
        ("parts", &[2 << 20], parts),
        ("every_shape", &[2 << 20, 256 << 10], every_shape),
        ("more_levels", &[256 << 10], more_levels),
        ("less_stack_than_the_parser_had", &[2 << 20], less_stack_than_the_parser_had),
        ("mistakes", &[256 << 10], mistakes),
        ("replaced", &[2 << 20, 256 << 10], replaced),
        ("walks", &[256 << 10], walks),
        ("changed", &[2 << 20, 256 << 10], changed),
    ];
    // The argument can be the name of a test, as for the test harness.
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_asked = |name: &str| only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let on_threads: Vec<_> = tests
        .iter()
        .flat_map(|(name, stacks, test)| stacks.iter().map(move |stack| (*name, *stack, *test)))
        .filter(|(name, ..)| is_asked(name))
        .collect();
    let on_main =
        [("every_shape", every_shape as fn()), ("a_million_elements", a_million_elements)];
    let on_main: Vec<_> = on_main.into_iter().filter(|(name, _)| is_asked(name)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // Some take half a minute, so as many run at a time as there are processors.
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, stack, test)) =
                    on_threads.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    // Before the test: a stack overflow ends the process.
                    println!("{name} with {} KiB of stack", stack >> 10);
                    on_thread(*stack, test);
                }
            });
        }
        for (name, test) in &on_main {
            println!("{name} on the main thread");
            test();
        }
    });
    let passed = on_threads.len() + on_main.len();
    println!("{passed} passed, 0 failed");
}
