//! Nodes that PostgreSQL's grammar uses in several places: every walk visits them once, and a change is a change
//! everywhere.

use std::collections::{BTreeMap, HashSet};
use std::mem::transmute_copy;
use std::ops::ControlFlow;

use pg_ast::{Edits, ParserOptions};

use super::pg::protobuf::{CreateFunctionStmt, FunctionParameterMode};
use super::pg::view::{self, Node as View};
use super::pg::{self, Node, NodeEnum, NodeMut, NodeRef, ParseResult, Visit, VisitMut, make};
use crate::common::corpus;

/// Statements with such nodes, each with the number of its parameters.
const SHARED: [(&str, usize); 10] = [
    ("UPDATE t SET (a, b) = (SELECT x + $1, y FROM u WHERE z = $2), c = $3", 3),
    ("UPDATE t SET (a, b, c) = ROW($1, $2, 3), (d, e) = (SELECT f, $3 FROM v)", 3),
    ("INSERT INTO t VALUES ($1) ON CONFLICT (a) DO UPDATE SET (a, b) = (SELECT x, $2 FROM u)", 2),
    ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET (b, c) = (SELECT $1, $2)", 2),
    (
        "WITH x AS (UPDATE t SET (a, b) = (SELECT c, $1 FROM u) RETURNING *) UPDATE v SET (a, b) = (SELECT $2, d)",
        2,
    ),
    ("DROP FUNCTION f(int, text), s.g(IN a numeric(5), OUT b int)", 0),
    ("COMMENT ON AGGREGATE a(int ORDER BY text) IS 'x'", 0),
    ("CREATE RECURSIVE VIEW v (a, b) AS SELECT $1, $2", 2),
    ("CREATE FUNCTION f(a int) RETURNS TABLE (b s.t(3)[]) RETURN $1", 1),
    ("CREATE FUNCTION f() RETURNS TABLE (a int, b s.t) RETURN $1", 1),
];

fn parse(sql: &str) -> ParseResult {
    pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The number of the node's variant, and its address.
fn place(node: View<'_>) -> (u32, usize) {
    #[repr(C)]
    struct Words(u32, usize);

    assert_eq!(size_of::<View<'_>>(), size_of::<Words>());
    // SAFETY: a `#[repr(u32)]` enum of references is laid out like that.
    let Words(variant, address) = unsafe { transmute_copy(&node) };
    (variant, address)
}

/// No node in all SQL that there is comes twice, and what is left out is one that comes elsewhere: the list in
/// `convert/shared_nodes.rs` is complete.
#[test]
fn shared_nodes_are_of_four_kinds() {
    let (mut nodes, mut kinds) = (0, BTreeMap::new());
    let sqls = corpus::statements().into_iter().chain(corpus::own_statements());
    for sql in sqls.chain(SHARED.map(|(sql, _)| sql.to_owned())) {
        let Ok(tree) = view::parse(&sql) else { continue };
        let mut seen = HashSet::new();
        // An empty list is no node.
        for node in tree.nodes().filter(|node| place(*node).1 != 0) {
            assert!(seen.insert(place(node)), "{} is in several places: {sql}", node.name());
        }
        nodes += seen.len();
        for node in tree.nodes() {
            let mut left_out = |kind, node: View<'_>| {
                assert!(seen.contains(&place(node)), "{} is left out: {sql}", node.name());
                *kinds.entry(kind).or_insert(0) += 1;
            };
            match node {
                View::MultiAssignRef(reference) if reference.colno() > 1 => {
                    reference.source().into_iter().for_each(|node| left_out("source", node));
                }
                View::ObjectWithArgs(object) if !object.objfuncargs().is_empty() => {
                    object.objargs().iter().for_each(|node| left_out("objargs", node));
                }
                View::ViewStmt(view) if view.query().is_some_and(has_columns) => {
                    view.aliases().iter().for_each(|node| left_out("aliases", node));
                }
                View::CreateFunctionStmt(function) if has_columns_of_table(function) => {
                    let returned: View<'_> = function.return_type().expect("a type").into();
                    assert!(!seen.contains(&place(returned)), "{sql}");
                    *kinds.entry("returnType").or_insert(0) += 1;
                }
                _ => {}
            }
        }
        // The owned tree has the same nodes, in the same order.
        if let Ok(owned) = tree.to_owned_tree() {
            let names = tree.nodes().map(View::name);
            assert!(owned.nodes().map(NodeRef::name).eq(names), "{sql}");
        }
    }
    println!("{nodes} nodes; left out: {kinds:?}");
    assert!(nodes > 400_000, "{nodes}");
    assert!(kinds.len() == 4 && kinds.values().all(|count| *count > 3), "{kinds:?}");
}

/// Whether a query is one that `CREATE RECURSIVE VIEW` makes.
fn has_columns(query: View<'_>) -> bool {
    let with = query.as_select_stmt().and_then(view::SelectStmt::with_clause);
    with.is_some_and(|with| with.recursive() && with.location() < 0)
}

/// Whether a function has columns, of which the grammar makes what it returns.
fn has_columns_of_table(function: view::CreateFunctionStmt<'_>) -> bool {
    let mut parameters = function.parameters().iter().filter_map(View::as_function_parameter);
    parameters.any(|it| it.mode() == FunctionParameterMode::FuncParamTable)
}

/// In an edit, what a function returns follows its columns, whatever becomes of them.
#[test]
fn what_a_function_returns_follows_its_columns() {
    type Change = (&'static str, fn(&mut Vec<Node>), &'static str);
    let changes: [Change; 4] = [
        ("a s.t", |columns| columns.truncate(0), ""),
        ("a s.t", |columns| columns.push(columns[0].clone()), "a s.t, a s.t"),
        ("a s.t, b u", |columns| columns.truncate(1), "a s.t"),
        ("a s.t, b u", |columns| columns.reverse(), "b u, a s.t"),
    ];
    for (columns, change, expected) in changes {
        let sql = |columns: &str| format!("CREATE FUNCTION f() RETURNS TABLE ({columns}) RETURN 1");
        let mut edited = view::parse(&sql(columns)).expect("parses");
        let returned = |tree: &view::Tree| {
            let function = tree.nodes().find_map(View::as_create_function_stmt);
            let returned =
                function.and_then(view::CreateFunctionStmt::return_type).expect("a type");
            (returned.names().strs().map(str::to_owned).collect::<Vec<_>>(), returned.setof())
        };
        let before = returned(&edited);
        edited.edit(|mut stmts, arena| {
            let function =
                stmts.get_mut(0).and_then(pg::view::edit::NodeMut::into_type::<CreateFunctionStmt>);
            let mut function = function.expect("a function");
            let parameters = function.view().parameters().iter();
            let mut parameters: Vec<_> =
                parameters.map(|it| it.to_owned_tree().expect("a node")).collect();
            change(&mut parameters);
            let mut list = function.parameters_mut();
            list.clear();
            list.extend(parameters.iter().map(|column| arena.own(column).expect("a node")));
        });
        if expected.is_empty() {
            // What it returned stays: nothing else says it.
            assert_eq!(returned(&edited), before);
            continue;
        }
        assert_eq!(edited.deparse().as_deref(), Ok(&*sql(expected)));
        let mut of_edit = edited.to_owned_tree().expect("a tree");
        let mut wanted = parse(&sql(expected));
        of_edit.clear_locations();
        wanted.clear_locations();
        assert!(of_edit == wanted, "{expected}: {of_edit:?}");
    }
}

/// Whatever changes nothing leaves all copies as they were.
#[test]
fn walks_that_change_nothing_change_nothing() {
    struct Nothing;
    impl VisitMut for Nothing {
        type Break = ();
    }
    for (sql, _) in SHARED {
        let tree = parse(sql);
        let mut changed = tree.clone();
        changed.nodes_mut().for_each(|_| ());
        changed.transform(|node| node);
        assert!(changed.visit_mut(&mut Nothing).is_continue());
        changed.walk_tables_mut(|_, _| ());
        assert!(changed == tree, "{sql}");
    }
}

/// Numbers the parameters anew, by each way to change a tree.
type Renumber = fn(&mut ParseResult) -> usize;

const RENUMBER: [(&str, Renumber); 5] = [
    ("nodes_mut", |tree| {
        let mut number = 0;
        let mut nodes = tree.nodes_mut();
        while let Some(node) = nodes.next() {
            if let NodeMut::ParamRef(param) = node {
                number += 1;
                param.number = 10 + number;
            }
        }
        number.cast_unsigned() as usize
    }),
    ("walk_mut", |tree| {
        let mut number = 0;
        let _ = tree.walk_mut(|node| {
            if let NodeMut::ParamRef(param) = node {
                number += 1;
                param.number = 10 + number;
            }
            ControlFlow::<()>::Continue(())
        });
        number.cast_unsigned() as usize
    }),
    ("visit_mut", |tree| {
        struct Renumber(i32);
        impl VisitMut for Renumber {
            type Break = ();

            fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
                if let Some(NodeEnum::ParamRef(_)) = slot.node {
                    self.0 += 1;
                    *slot = make::param_ref(10 + self.0).into();
                }
                self.visit_slot(slot)
            }
        }
        let mut renumber = Renumber(0);
        assert!(tree.visit_mut(&mut renumber).is_continue());
        renumber.0.cast_unsigned() as usize
    }),
    ("transform", |tree| {
        let mut number = 0;
        tree.transform(|node| match node.node {
            Some(NodeEnum::ParamRef(_)) => {
                number += 1;
                make::param_ref(10 + number).into()
            }
            _ => node,
        });
        number.cast_unsigned() as usize
    }),
    ("walk_mut, broken off", |tree| {
        let count = tree.nodes().filter(|node| matches!(node, NodeRef::ParamRef(_))).count();
        let mut number = 0;
        let _ = tree.walk_mut(|node| {
            if let NodeMut::ParamRef(param) = node {
                number += 1;
                param.number = 10 + i32::try_from(number).expect("a number");
            }
            if number == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        number
    }),
];

/// Each is visited once, and its copies are what it has become: the tree is that of the SQL that it prints.
#[test]
fn a_change_is_carried_over_to_the_copies() {
    for (name, renumber) in RENUMBER {
        for (sql, count) in SHARED {
            let mut tree = parse(sql);
            assert_eq!(renumber(&mut tree), count, "{name}: {sql}");
            let text = tree.deparse().expect("prints");
            for number in 1..=count {
                assert!(text.contains(&format!("${}", 10 + number)), "{name}: {text}");
            }
            let again = parse(&text);
            // A fingerprint counts all copies, and parameters by their numbers nowhere.
            assert_eq!(tree.fingerprint(), again.fingerprint(), "{name}: {text}");
            let numbers = |tree: &ParseResult| {
                let debug = format!("{:?}", tree.protobuf);
                let numbers = debug.split("ParamRef { number: ").skip(1);
                let numbers = numbers.filter_map(|rest| rest.split(',').next().map(str::to_owned));
                numbers.collect::<Vec<_>>()
            };
            assert_eq!(numbers(&tree), numbers(&again), "{name}: {text}");
        }
    }
}

#[test]
fn types_and_columns_are_changed_in_both_places() {
    let rename = |tree: &mut ParseResult| {
        tree.nodes_mut().for_each(|node| {
            if let NodeMut::String(string) = node
                && ["int4", "a"].contains(&&*string.sval)
            {
                string.sval.push('x');
            }
        });
    };
    for (sql, expected) in [
        ("DROP FUNCTION f(int, text)", "DROP FUNCTION f(pg_catalog.int4x, text)"),
        (
            "DROP AGGREGATE f(int ORDER BY int)",
            "DROP AGGREGATE f(pg_catalog.int4x ORDER BY pg_catalog.int4x)",
        ),
    ] {
        let mut tree = parse(sql);
        rename(&mut tree);
        let again = parse(expected);
        assert_eq!(tree.deparse(), again.deparse());
        assert_eq!(tree.fingerprint(), again.fingerprint());
    }
    let sql = "CREATE RECURSIVE VIEW v (a, b) AS SELECT 1, 2";
    let mut tree = parse(sql);
    rename(&mut tree);
    let again = parse(&sql.replace("(a,", "(ax,"));
    assert_eq!((tree.deparse(), tree.fingerprint()), (again.deparse(), again.fingerprint()));
}

/// The loops of the documentation.
#[test]
fn edits_are_made_once() {
    let sql = "UPDATE t SET (a, b) = (SELECT x, y FROM u) -- all";
    let options = ParserOptions::default();
    let (tree, ranges) = pg::parse_with_ranges(sql, options).expect("parses");
    let of_view = view::parse_with_ranges(sql, options).expect("parses");
    let mut edits = Edits::new(sql);
    for (node, range) in tree.nodes().with_ranges(&ranges) {
        if let (NodeRef::RangeVar(table), Some(range)) = (node, range) {
            edits.replace(range.clone(), format!("app.{}", table.relname));
            edits.insert_behind(range.end, " AS z");
        }
    }
    let expected = "UPDATE app.t AS z SET (a, b) = (SELECT x, y FROM app.u AS z) -- all";
    assert_eq!(edits.apply().as_deref(), Ok(expected));
    let mut edits = Edits::new(sql);
    for node in of_view.nodes().filter(|node| node.as_range_var().is_some()) {
        edits.insert_behind(of_view.range(node).expect("a range").end, " AS z");
    }
    assert_eq!(edits.apply().as_deref(), Ok(&*expected.replace("app.", "")));
}

#[test]
fn tables_are_counted_once() {
    let sql = "UPDATE t SET (a, b, c) = (SELECT x, y, z FROM u)";
    let mut tree = parse(sql);
    let mut count = 0;
    tree.walk_tables_mut(|table, _| {
        count += 1;
        table.relname = format!("t{count}");
    });
    assert_eq!(count, 2);
    let expected = "UPDATE t1 SET (a, b, c) = (SELECT x, y, z FROM t2)";
    assert_eq!(tree.deparse().as_deref(), Ok(expected));
    assert_eq!(tree.fingerprint(), parse(expected).fingerprint());
    assert_eq!(tree.tables(), ["t1", "t2"]);
}

/// Whatever reads or changes a tree finds each call once, also in sources within sources.
#[test]
fn every_verb_finds_a_call_once() {
    struct Calls(Vec<String>);

    fn name(call: &super::pg::protobuf::FuncCall) -> String {
        call.names().collect()
    }

    impl<'a> Visit<'a> for Calls {
        type Break = ();

        fn visit_func_call(&mut self, call: &'a super::pg::protobuf::FuncCall) -> ControlFlow<()> {
            self.0.push(name(call));
            self.visit_children(call.into())
        }
    }

    let inner = "(SELECT g(), h() FROM v WHERE z IN (SELECT i()))";
    let outer = format!("UPDATE t SET (a, b) = (SELECT f(), {inner} FROM u), c = j()");
    let nested = "WITH w AS (UPDATE t SET (a, b) = (SELECT g(), h() FROM v, i()) RETURNING *) \
                  UPDATE u SET (a, b) = (SELECT f(), j() FROM w)";
    let upsert = "INSERT INTO t VALUES (f()) ON CONFLICT (a) DO UPDATE SET (a, b) = \
                  (SELECT g(), (SELECT h() FROM u WHERE i())), c = j()";
    for sql in [&outer, nested, upsert] {
        let mut tree = parse(sql);
        let all = || ["f", "g", "h", "i", "j"].map(str::to_owned).to_vec();
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let calls = |tree: &ParseResult| {
            sorted(tree.nodes().filter_map(NodeRef::as_func_call).map(name).collect())
        };
        assert_eq!(calls(&tree), all(), "{sql}");
        assert_eq!(
            sorted(tree.functions().iter().map(ToString::to_string).collect()),
            all(),
            "{sql}"
        );
        let mut visited = Calls(Vec::new());
        assert!(tree.visit(&mut visited).is_continue());
        assert_eq!(sorted(visited.0), all(), "{sql}");
        // By the accessors: the targets of each UPDATE.
        let mut by_targets = Vec::new();
        for update in tree.nodes().filter_map(NodeRef::as_update_stmt) {
            let nodes = update.targets().flat_map(|target| NodeRef::from(target).nodes());
            by_targets.extend(nodes.filter_map(NodeRef::as_func_call).map(name));
        }
        assert!(sorted(by_targets.clone()).windows(2).all(|two| two[0] != two[1]), "{sql}");

        // Each change is made once: a call gets one argument.
        let add = |call: &mut super::pg::protobuf::FuncCall| {
            call.args.push(make::int_const(1).into());
        };
        tree.nodes_mut().for_each(|node| {
            node.as_func_call_mut().into_iter().for_each(add);
        });
        let _ = tree.walk_mut(|node| {
            node.as_func_call_mut().into_iter().for_each(add);
            ControlFlow::<()>::Continue(())
        });
        tree.transform(|mut node| {
            node.as_func_call_mut().into_iter().for_each(add);
            node
        });
        let text = tree.deparse().expect("prints");
        assert_eq!(text.matches("(1, 1, 1)").count(), 5, "{text}");
        assert_eq!(text.matches('1').count(), 15, "{text}");
        assert_eq!(tree.fingerprint(), parse(&text).fingerprint(), "{text}");

        // A call becomes another node, once.
        let mut count = 0;
        tree.transform(|node| match node.as_func_call() {
            Some(_) => {
                count += 1;
                make::param_ref(count).into()
            }
            None => node,
        });
        // `i()` is in a FROM in one of them, where only a function can be; it is not printed then.
        assert_eq!(count, 5, "{sql}");
        assert_eq!(calls(&tree), [""; 0]);
    }
}
