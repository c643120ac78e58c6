//! Views show the contents of the owned tree.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::thread;

use pg_ast::{DeparseOptions, ErrorKind, FingerprintOptions, ParserOptions};

use super::maker::Maker;
use super::pg::view::{self, Node};
use super::pg::{self, ParseResult};
use super::schema;
use crate::common::corpus;
use crate::common::deep::DEEP;

/// Returns every node of a tree as its name and its depth.
fn outline(tree: &ParseResult) -> Vec<(&'static str, usize)> {
    tree.nodes().with_depth().map(|(node, depth)| (node.name(), depth)).collect()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn regression_statements() {
    let options = DeparseOptions::default();
    let mut count = 0;
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        match (pg::parse(&sql), view::parse(&sql)) {
            (Ok(owned), Ok(tree)) => {
                assert_eq!(tree.to_owned_tree().expect("an owned tree"), owned, "{sql}");
                let nodes: Vec<_> =
                    tree.nodes().with_depth().map(|(node, depth)| (node.name(), depth)).collect();
                assert_eq!(nodes, outline(&owned), "{sql}");
                // An owned tree does not distinguish an empty string from NULL.
                assert_eq!(tree.deparse(), pg::reformat(&sql, &options), "{sql}");
                assert_eq!(tree.warnings(), owned.warnings, "{sql}");
                verbs_agree(&sql, &tree, &owned);
                count += 1;
            }
            (Err(owned), Err(view)) => assert_eq!(owned, view, "{sql}"),
            (owned, view) => panic!("{sql}: {owned:?}, {view:?}"),
        }
    }
    println!("{count} statements");
    assert!(count > 30_000, "{count}");
}

/// Calls that read return the same for both; and for the SQL, if there is such a call.
fn verbs_agree(sql: &str, tree: &view::Tree, owned: &ParseResult) {
    assert_eq!(Ok(tree.fingerprint()), pg::fingerprint(sql), "{sql}");
    assert_eq!(tree.analyze(), owned.analyze(), "{sql}");
    assert_eq!(tree.statement_types(), owned.statement_types(), "{sql}");
    assert_eq!(tree.is_utility_stmt(), owned.is_utility_stmt(), "{sql}");
    assert_eq!(Ok(tree.is_utility_stmt()), pg::is_utility_stmt(sql), "{sql}");
    // An owned tree does not distinguish an empty string from NULL.
    if !sql.contains("''") {
        assert_eq!(tree.fingerprint(), owned.fingerprint(), "{sql}");
    }
}

#[test]
fn texts_are_cut_as_of_the_owned_tree() {
    let mut count = 0;
    for sql in corpus::own_statements().iter().filter(|sql| !sql.contains("''")) {
        let (Ok(tree), Ok(owned)) = (view::parse(sql), pg::parse(sql)) else { continue };
        for length in [10, 25, 40, 80] {
            assert_eq!(tree.deparse_truncated(length), owned.deparse_truncated(length), "{sql}");
        }
        count += 1;
    }
    assert!(count > 1_000, "{count}");
    // The SQL is that of the view, which has the empty string, until something is cut.
    let sql = "COMMENT ON TABLE t IS ''; SELECT aaaaaaaaaaaaaaaaaaaa, b";
    let tree = view::parse(sql).expect("parses");
    assert_eq!(tree.deparse_truncated(60).as_deref(), Ok(sql));
    assert!(tree.deparse_truncated(50).is_ok_and(|text| text.len() <= 50));
}

#[test]
fn names_are_those_of_the_owned_tree() {
    let sql = "WITH c AS (SELECT s.f(x) FROM \"A\".b AS z WHERE z.d = 1)
        INSERT INTO t SELECT * FROM c; DROP TABLE u; DROP FUNCTION g; UPDATE v SET a = now()";
    let (tree, owned) = (view::parse(sql).expect("parses"), pg::parse(sql).expect("parses"));
    assert_eq!(tree.tables(), ["t", "\"A\".b", "u", "v"]);
    assert_eq!(tree.tables(), owned.tables());
    assert_eq!(tree.select_tables(), ["\"A\".b"]);
    assert_eq!(tree.dml_tables(), ["t", "v"]);
    assert_eq!(tree.ddl_tables(), ["u"]);
    assert_eq!(tree.functions(), ["s.f", "g", "now"]);
    assert_eq!(tree.functions(), owned.functions());
    assert_eq!(tree.call_functions(), ["s.f", "now"]);
    assert_eq!(tree.ddl_functions(), ["g"]);
    assert_eq!(tree.cte_names(), ["c"]);
    assert_eq!(tree.filter_columns(), [(Some("z".to_owned()), "d".to_owned())]);
    assert_eq!(tree.aliases()["z"], "\"A\".b");
    assert_eq!(tree.aliases(), owned.aliases());
}

/// Calls that cannot fail accept a tree that C cannot hold.
#[test]
fn what_c_cannot_hold_is_read_all_the_same() {
    let named = |name: &str| {
        let mut tree = pg::parse("SELECT f(a) FROM t WHERE b = 1").expect("parses");
        let _ = tree.walk_mut(|node| -> std::ops::ControlFlow<()> {
            if let pg::NodeMut::RangeVar(table) = node {
                name.clone_into(&mut table.relname);
            }
            std::ops::ControlFlow::Continue(())
        });
        tree
    };
    let tree = named("a\0b");
    assert_eq!(tree.with_view(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::Nul));
    assert_eq!(tree.tables()[0].name, "a\u{FFFD}b");
    assert_eq!(tree.functions(), ["f"]);
    assert_eq!(tree.analyze().tables[0].name.name, "a\u{FFFD}b");
    assert_ne!(tree.fingerprint(), named("a").fingerprint());
    assert_eq!(tree.statement_types(), ["SelectStmt"]);
    let error = tree.deparse_truncated(10).expect_err("a NUL");
    assert_eq!(error.kind(), ErrorKind::Nul);
}

#[test]
fn other_calls_leave_a_view_alone() {
    let (one, other) = (pg::parse("SELECT a FROM b").unwrap(), pg::parse("SELECT c").unwrap());
    one.with_view(|stmts| {
        let before = format!("{stmts:?}");
        assert_eq!(other.deparse().as_deref(), Ok("SELECT c"));
        assert_eq!(format!("{stmts:?}"), before);
    })
    .unwrap();
}

/// A view is `Copy`, so that the standard library's `to_owned` of a reference to one is another view.
#[test]
fn a_view_behind_references_becomes_an_owned_tree() {
    let sql = "SELECT 1; TRUNCATE t";
    let (tree, owned) = (view::parse(sql).expect("parses"), pg::parse(sql).expect("parses"));
    let stmts: Vec<_> = tree.stmts().collect();
    let references: Vec<&view::RawStmt<'_>> = stmts.iter().collect();
    let copies: Result<Vec<_>, _> = references.iter().map(|stmt| stmt.to_owned_tree()).collect();
    assert_eq!(copies, Ok(owned.protobuf.stmts.clone()));
    let tree = &&tree;
    assert_eq!(tree.to_owned_tree(), Ok(owned));
}

/// A list by itself may be empty, though no tree has such a node.
#[test]
fn an_empty_list_is_no_node() {
    let list = Node::List(view::List::default());
    assert_eq!(list.to_owned_tree(), Ok(pg::Node::default()));
    assert_eq!(list.fingerprint(), Node::Null.fingerprint());
    assert_eq!(list.nodes().count(), 1);
}

/// Each node type with all of its fields set, to a depth: as no SQL has them.
#[test]
fn every_field() {
    let mut maker = Maker::default();
    for message in schema::node_types() {
        let owned = schema::node(Some(maker.message(&message, 2)));
        let node = owned.to_ref().expect("a node");
        let expected: Vec<_> =
            node.nodes().with_depth().map(|(node, depth)| (node.name(), depth)).collect();
        node.with_view(|view| {
            let nodes: Vec<_> =
                view.nodes().with_depth().map(|(node, depth)| (node.name(), depth)).collect();
            assert_eq!(nodes, expected, "{node:?}");
            assert_eq!(view.to_owned_tree().expect("an owned node"), owned);
            assert_eq!(format!("{view:?}"), format!("{:?}", owned.node.as_ref().expect("a node")));
            assert_eq!(view, view);
            assert_eq!(
                view.fingerprint_with(FingerprintOptions::default()),
                Ok(view.fingerprint())
            );
            // Each node below it equals itself, and its own copy.
            for child in view.nodes() {
                let copy = child.to_owned_tree().expect("an owned node");
                let same = copy
                    .to_ref()
                    .expect("a node")
                    .with_view(|copy| (copy == child, hash(&copy) == hash(&child)));
                assert_eq!(same.expect("a view"), (true, true), "{child:?}");
            }
        })
        .expect("a view");
    }
}

#[test]
fn what_differs_is_not_equal() {
    let different =
        ["SELECT a", "SELECT b", "SELECT  a", "SELECT a, a", "SELECT a FROM t", "SELECT 1"];
    let trees: Vec<_> = different.iter().map(|sql| view::parse(sql).expect("parses")).collect();
    for (i, a) in trees.iter().enumerate() {
        for (j, b) in trees.iter().enumerate() {
            assert_eq!(a == b, i == j, "{} / {}", different[i], different[j]);
        }
    }
    assert_eq!(trees[0], view::parse("SELECT a").expect("parses"));
}

#[test]
fn fields_have_their_values() {
    let sql =
        "SELECT DISTINCT a AS x, 'é', 1.5, true, NULL, -7 FROM ONLY s.t WHERE b IN ($1, 2) LIMIT 3";
    let tree = view::parse(sql).expect("parses");
    let stmt = tree.stmts().next().expect("a statement");
    assert_eq!((stmt.stmt_location(), stmt.stmt_len()), (0, 0));
    let Some(Node::SelectStmt(select)) = stmt.stmt() else { panic!("no SELECT") };
    assert_eq!(select.distinct_clause().first(), Some(Node::Null));
    assert_eq!(select.distinct_clause().len(), 1);
    assert_eq!(select.op(), pg::protobuf::SetOperation::SetopNone);
    assert!(select.into_clause().is_none() && select.larg().is_none() && !select.all());
    let Some(Node::RangeVar(table)) = select.from_clause().first() else { panic!("no table") };
    assert_eq!((table.catalogname(), table.schemaname(), table.relname()), ("", "s", "t"));
    assert_eq!((table.inh(), table.relpersistence()), (false, "p"));
    assert_eq!(&sql[usize::try_from(table.location()).expect("a place")..][..3], "s.t");

    let values: Vec<_> = select
        .target_list()
        .iter()
        .map(|target| {
            let Node::ResTarget(target) = target else { panic!("no target") };
            let value = match target.val() {
                Some(Node::AConst(value)) => format!("{:?} {}", value.val(), value.isnull()),
                Some(other) => other.name().to_owned(),
                None => "none".to_owned(),
            };
            (target.name(), value)
        })
        .collect();
    let expected = [
        ("x", "ColumnRef"),
        ("", "Some(Sval(String { sval: \"é\" })) false"),
        ("", "Some(Fval(Float { fval: \"1.5\" })) false"),
        ("", "Some(Boolval(Boolean { boolval: true })) false"),
        ("", "None true"),
        ("", "Some(Ival(Integer { ival: -7 })) false"),
    ];
    assert_eq!(values, expected.map(|(name, value)| (name, value.to_owned())));
}

/// The depth limit of trees applies to copies.
#[test]
fn deep_trees_are_read_and_dropped() {
    const LEVELS: usize = DEEP;
    let sql = format!("SELECT a{}", " + 1".repeat(LEVELS));
    let options = ParserOptions::default();
    let run = move || {
        let tree = view::parse_with(&sql, options).expect("parses");
        assert_eq!(tree.to_owned_tree().expect_err("too deep").kind(), ErrorKind::TooDeep);
        let depth = tree.nodes().with_depth().map(|(_, depth)| depth).max();
        assert!(depth > Some(LEVELS));
        assert_eq!(tree, view::parse_with(&sql, options).expect("parses"));
        assert!(format!("{tree:?}").len() > LEVELS);
        tree
    };
    // It is dropped on a thread with a smaller stack than the one that made it.
    let tree = thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join();
    let drop = thread::Builder::new().stack_size(256 << 10).spawn(move || drop(tree));
    drop.expect("a thread").join().expect("a drop");
}

/// One source for several columns is in the tree once per
/// column: exponential sizes are rejected, as in an owned tree.
#[test]
fn shared_nodes_are_bounded() {
    let nested = |levels: usize| {
        let update = |inner: String| {
            format!("WITH x AS (UPDATE t SET (a,b,c,d,e,f,g,h,i,j)=({inner}))SELECT 1")
        };
        (0..levels).fold("SELECT 1".to_owned(), |inner, _| update(inner))
    };
    let options = ParserOptions::default().max_nodes(100_000);
    let tree = view::parse_with(&nested(3), options).expect("parses");
    assert!(tree.encode_to_vec().len() > 10_000);
    assert!(tree.nodes().count() < 200);
    let error = view::parse(&nested(9)).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert_eq!(error, pg::parse(&nested(9)).expect_err("too large"));
}

#[test]
fn strings_are_utf_8() {
    for sql in [r"SELECT E'\xc3'", r"SELECT E'a\303', 1", r#"SELECT E'\xff' AS "x""#] {
        let error = view::parse(sql).map(|_| ()).expect_err("no UTF-8");
        assert_eq!(error, pg::parse(sql).map(|_| ()).expect_err("no UTF-8"), "{sql}");
    }
    let tree = view::parse(r"SELECT E'\xc3\xa9'").expect("parses");
    assert!(tree.nodes().any(|node| matches!(node, Node::String(text) if text.sval() == "é")));
}

/// A tree is read by several threads at once, and dropped by another one.
#[test]
fn threads_share_a_tree() {
    let tree = view::parse("SELECT a, b FROM t JOIN u USING (id) WHERE c = 1").expect("parses");
    let expected: Vec<_> = tree.nodes().map(Node::name).collect();
    let read = || {
        for _ in 0..100 {
            let names: Vec<_> = tree.nodes().map(Node::name).collect();
            assert_eq!(names, expected);
            assert!(tree.deparse().expect("prints").starts_with("SELECT a, b"));
        }
    };
    // Joined, because ThreadSanitizer does not see that a scope waits.
    thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(read));
        for thread in threads {
            thread.join().expect("reads");
        }
    });
    thread::spawn(move || drop(tree)).join().expect("a drop");
}
