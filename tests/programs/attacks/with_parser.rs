//! Handles and trees of the parser, kept, forgotten, swapped, sent, and used after what they came from is gone or given back.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::thread;

use pg_ast::{
    DeparseOptions, Edits, ObjectName, ShapeCache, ShapeOptions, Template, protobuf, view,
};

use super::may_panic;

const SQL: &str = "UPDATE t SET (a, b) = (SELECT c, d FROM u WHERE e = 1), f = 'x' WHERE g IN (2, 3); \
                   CREATE RECURSIVE VIEW v (h) AS SELECT 4; CREATE FUNCTION f(a int) RETURNS TABLE (b s.t) RETURN 1; \
                   DROP FUNCTION k(int); COMMENT ON COLUMN s.t.a IS 'l'";

fn tree() -> view::Tree {
    view::parse(SQL).expect("parses")
}

/// Uses all of a tree.
fn use_all(tree: &view::Tree) {
    let _ = (
        tree.deparse(),
        tree.encode_to_vec(),
        tree.fingerprint(),
        tree.to_owned_tree(),
        tree.analyze(),
    );
    let compact = tree.compact();
    assert!(compact == *tree);
    let _ = (tree.clone().encode_to_vec(), tree.nodes().count());
}

/// A tree goes to another thread, is changed there, shared, and dropped on a third one. The memory of the first is given back meanwhile.
#[test]
fn trees_on_other_threads() {
    let mut tree = tree();
    pg_ast::release_memory();
    let tree = thread::spawn(move || {
        tree.edit(|mut stmts, arena| stmts.push(arena.stmt(arena.make::<protobuf::NotifyStmt>())));
        tree
    });
    let tree = tree.join().expect("no panic");
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                use_all(&tree);
                pg_ast::release_memory();
            });
        }
    });
    thread::spawn(move || drop(tree)).join().expect("no panic");
}

/// A value of the thread that is dropped behind those of the library uses it.
#[test]
fn calls_at_the_end_of_a_thread() {
    struct Late(RefCell<Vec<view::Tree>>);

    impl Drop for Late {
        fn drop(&mut self) {
            let mut tree = tree();
            tree.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_schemaname("s")));
            use_all(&tree);
            self.0.borrow().iter().for_each(use_all);
        }
    }

    thread_local!(static LATE: Late = const { Late(RefCell::new(Vec::new())) });
    thread::spawn(|| {
        LATE.with(|late| late.0.borrow_mut().push(tree()));
        use_all(&tree());
    })
    .join()
    .expect("no panic");
}

/// Memory is given back, and calls are made, while others are under way.
#[test]
fn calls_within_calls() {
    let owned = pg_ast::parse(SQL).expect("parses");
    let read = owned.with_view(|stmts| {
        pg_ast::release_memory();
        let inner = owned.with_view(|stmts| {
            pg_ast::release_memory();
            use_all(&tree());
            format!("{stmts:?}")
        });
        assert_eq!(inner.as_deref(), Ok(&*format!("{stmts:?}")));
        inner
    });
    assert!(read.is_ok());
    let mut tree = tree();
    let other = self::tree();
    tree.edit(|mut stmts, arena| {
        pg_ast::release_memory();
        let mut within = self::tree();
        within.edit(|mut stmts, within| {
            stmts.transform(|node| within.copy(node.view()));
            pg_ast::release_memory();
        });
        for stmt in within.stmts().chain(other.stmts()) {
            stmts.push(arena.copy(stmt));
        }
        drop(within);
        stmts.walk_names_mut(|name, _| {
            pg_ast::release_memory();
            let _ = pg_ast::normalize("SELECT 1");
            name.set_name("n");
        });
    });
    use_all(&tree);
}

/// Trees are exchanged, replaced and forgotten between edits, and edits panic anywhere.
#[test]
fn edits_that_end_early() {
    for stop in 0..60 {
        let mut trees = [tree(), tree()];
        let mut met = 0;
        let mut count = move || {
            met += 1;
            assert!(met != stop, "a closure that panics");
        };
        let [one, other] = &mut trees;
        let _ = may_panic(|| {
            one.edit(|mut stmts, arena| {
                stmts.transform(|mut node| {
                    count();
                    let mut nodes = node.nodes_mut();
                    if let Some(mut slot) = nodes.next() {
                        slot.update(|old| {
                            count();
                            old
                        });
                    }
                    node
                });
                other.edit(|mut inner, of_inner| {
                    count();
                    inner.retain(|_| {
                        count();
                        stop % 2 == 0
                    });
                    for stmt in stmts.iter() {
                        inner.push(of_inner.copy(stmt));
                    }
                });
                stmts.push(arena.stmt(arena.string("\0")));
            });
        });
        trees.swap(0, 1);
        use_all(&trees[0]);
        let kept = std::mem::replace(&mut trees[1], tree());
        if stop == 3 {
            std::mem::forget(kept);
        } else {
            use_all(&kept);
        }
    }
}

/// Names are replaced by those of other places and other trees, with stars and parts that do not belong there.
#[test]
fn names_of_other_places() {
    static OTHER: LazyLock<view::Tree> = LazyLock::new(|| {
        view::parse("SELECT a.*, * FROM x.y JOIN z USING (w); DROP TRIGGER b ON c.d")
            .expect("parses")
    });
    let mut others = Vec::<ObjectName<'static>>::new();
    OTHER.walk_names(|name, _| others.push(name.clone()));
    for (round, other) in others.iter().enumerate() {
        let (mut view, mut tree) = (tree(), pg_ast::parse(SQL).expect("parses"));
        let mut swapped = 0;
        let mut change = |name: &mut ObjectName<'_>| {
            swapped += 1;
            match (swapped + round) % 6 {
                0 => name.set_qualifier([""; 0]),
                1 => name.set_qualifier(["p", "q", "r", "s", "t"]),
                2 => name.set_name(""),
                3 => name.set_name("\u{e9}\0"),
                _ => *name = other.clone(),
            }
        };
        view.edit(|mut stmts, _| {
            stmts.walk_names_mut(|name, _| change(name));
            stmts.walk_columns_mut(|name, _| change(name));
        });
        tree.walk_names_mut(|name, _| change(name));
        use_all(&view);
        let _ = (tree.deparse(), tree.to_view());
        // A range is one of the tree that is asked.
        let options = pg_ast::ParserOptions::default();
        let ranged = view::parse_with_ranges("SELECT a", options).expect("parses");
        assert!(ranged.name_range(other).is_none_or(|range| range.end <= 8));
    }
}

/// Trees of shapes outlive their cache, and are written over while others are there.
#[test]
fn trees_of_shapes() {
    let template =
        Template::new("SELECT a FROM t WHERE b = 1 AND c IN (2, 3)").expect("a template");
    let shape = pg_ast::Shape::of("SELECT a FROM t WHERE b = 9 AND c IN (7)").expect("a shape");
    let mut tree = tree();
    for _ in 0..3 {
        let _ = template.bind_into(&shape, &mut tree);
        let bound = template.bind(&shape);
        tree.edit(|mut stmts, _| stmts.walk_tables_mut(|table, _| table.set_relname("u")));
        let _ = template.bind_into(&shape, &mut tree);
        use_all(&tree);
        bound.iter().for_each(use_all);
    }
    let cache = ShapeCache::<()>::new(1 << 12, ShapeOptions::default());
    let hits: Vec<_> = (0..50)
        .map(|number| format!("SELECT a{number} FROM t WHERE b = {number}"))
        .filter_map(|sql| {
            cache.get(&sql, |_| cache.clear()).ok().and_then(|hit| hit.tree().ok().cloned())
        })
        .collect();
    drop(cache);
    hits.iter().for_each(use_all);
}

/// Places and comments from nowhere.
#[test]
fn places_that_are_nowhere() {
    let sql = "SELECT '\u{e9}' FROM t";
    let of_text = pg_ast::comments("SELECT 1 -- a").expect("comments").remove(0);
    for place in [0, 1, 9, 10, 17, 18, usize::MAX - 1, usize::MAX] {
        for end in [0, 10, 18, usize::MAX] {
            let mut edits = Edits::new(sql);
            edits
                .insert_before(place, "x")
                .replace(place..end, "y")
                .remove(end..place)
                .remove_item(place..end);
            let _ = may_panic(|| edits.apply());
        }
        let comment = |text: &str| {
            let mut comment = of_text.clone();
            text.clone_into(&mut comment.text);
            comment.match_location = place;
            comment.newlines_before = 3;
            comment.newlines_after = place % 7;
            comment
        };
        let comments = vec![comment("-- a"), comment("/* b"), comment(""), comment("-- \n")];
        for comment in comments {
            let options = DeparseOptions::default()
                .comments(vec![comment])
                .pretty_print(true)
                .indent_size(u16::MAX);
            let _ = tree().deparse_with(options.max_line_length(0));
        }
    }
}
