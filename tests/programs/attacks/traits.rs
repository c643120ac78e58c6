//! Every public trait, implemented wrongly. Those that only the library can implement, and those that are unsafe to implement, are
//! in `tests/ui/traits`.

use std::borrow::Borrow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use pg_ast::plpgsql::{Function, Part, VisitFunction};
use pg_ast::protobuf::Node;
use pg_ast::{
    HeapSize, IntoRaw, IntoRawContext, NodeEnum, NodeMut, NodeRef, ParserOptions, Pointee,
    ShapeCache, ShapeOptions, Visit, VisitMut, make, raw, view,
};
use pg_ast_names::{Catalog, Relation, RelationKind, Routine, dependencies, lineage, resolve};

use super::may_panic;

/// Each public trait has an attack in this file or in `tests/ui/traits`; those that are unsafe to implement are there.
#[test]
fn all_traits_are_attacked() {
    const HERE: [&str; 7] =
        ["HeapSize", "IntoRaw", "Pointee", "Visit", "VisitMut", "VisitFunction", "Catalog"];
    let listings = [
        include_str!("../../../.ci/api/pg_ast.txt"),
        include_str!("../../../.ci/api/pg_ast_names.txt"),
    ];
    let mut found = Vec::new();
    for line in listings.into_iter().flat_map(str::lines) {
        let line = line.strip_prefix("pub ").unwrap_or_default();
        let (is_unsafe, path) = match line.strip_prefix("unsafe trait ") {
            Some(path) => (true, path),
            None => match line.strip_prefix("trait ") {
                Some(path) => (false, path),
                None => continue,
            },
        };
        let path = path.split(['<', ' ']).next().unwrap_or_default().trim_end_matches(':');
        let name = path.rsplit("::").next().unwrap_or_default();
        let file = format!("{}/ui/traits/{}.rs", env!("CARGO_MANIFEST_DIR"), snake(name));
        let is_here = HERE.contains(&name) && !is_unsafe;
        assert!(is_here || Path::new(&file).exists(), "{path}: no attack, nor {file}");
        found.push(name);
    }
    assert!(found.len() > 10 && HERE.iter().all(|name| found.contains(name)), "{found:?}");
}

/// `a_name` of `AName`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// A size that is another one each time, and too large.
struct Sized(AtomicUsize);

impl HeapSize for Sized {
    fn heap_size(&self) -> usize {
        let calls = self.0.fetch_add(1, Ordering::Relaxed);
        if calls % 2 == 0 { usize::MAX / 3 } else { calls }
    }
}

#[test]
fn sizes_that_are_wrong() {
    let cache = ShapeCache::<Sized>::new(1 << 16, ShapeOptions::default());
    for round in 0..200 {
        let sql = format!("SELECT a{} FROM t WHERE b = {round}", round % 50);
        let hit = may_panic(|| {
            cache.get(&sql, |_| Sized(AtomicUsize::new(round))).map(|hit| hit.tree().is_ok())
        });
        assert_ne!(hit, Some(Ok(false)));
    }
    cache.clear();
    let _ = (vec![Sized(AtomicUsize::new(0))].heap_size(), cache.stats());
}

/// Options that are others each time they are looked at.
struct Fickle(Cell<u8>, [ParserOptions; 2]);

impl Borrow<ParserOptions> for Fickle {
    fn borrow(&self) -> &ParserOptions {
        self.0.set(self.0.get().wrapping_add(1));
        &self.1[usize::from(self.0.get() % 2)]
    }
}

#[test]
fn options_that_change() {
    let options = ParserOptions::default();
    let extremes = [
        options.max_bytes(0),
        options.max_bytes(usize::MAX),
        options.max_depth(0),
        options.max_depth(usize::MAX),
        options.max_nodes(0),
        options.max_nodes(usize::MAX),
        options.mode(pg_ast::ParseMode::PlPgSqlExpr),
    ];
    for one in extremes {
        for other in extremes {
            let fickle = || Fickle(Cell::new(0), [one, other]);
            let _ = pg_ast::parse_with("SELECT 1, (2)", fickle()).map(|tree| tree.deparse());
            let _ = view::parse_with("SELECT 1, (2)", fickle()).map(|tree| tree.encode_to_vec());
            let _ = view::parse_with_ranges("SELECT 1, (2)", fickle())
                .map(|tree| tree.nodes().filter_map(|node| tree.range(node)).count());
        }
    }
}

/// A struct that claims to be written as a node.
struct Liar;

impl IntoRaw<*mut raw::Node> for &Liar {
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        cx.c_string("no node").cast()
    }
}

impl Pointee for Liar {}

/// What is written wrongly is read by nobody: no call takes another tree than the library's own. This compiles, and nothing more can be done
/// with it: a context is only lent to an implementation.
#[test]
fn what_is_written_wrongly_reaches_nobody() {
    type Write = for<'a, 'b, 'c> fn(&'a Liar, &'b mut IntoRawContext<'c>) -> *mut raw::Node;
    let write: Write = |liar, cx| IntoRaw::<*mut raw::Node>::into_raw(liar, cx);
    assert_ne!(format!("{write:?}"), "");
}

/// Takes nodes out, swaps them with others, and moves what is above below.
struct Shuffler {
    kept: Vec<Node>,
    left: usize,
}

impl VisitMut for Shuffler {
    type Break = ();

    fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
        self.left = self.left.wrapping_sub(1);
        match self.left % 5 {
            0 => self.kept.push(std::mem::take(slot)),
            1 => {
                if let Some(kept) = self.kept.last_mut() {
                    std::mem::swap(slot, kept);
                }
            }
            2 => {
                let whole = std::mem::take(slot);
                *slot = make::not_expr(whole).into();
            }
            3 => std::mem::forget(std::mem::replace(slot, make::string("s").into())),
            _ => {}
        }
        self.visit_slot(slot)?;
        if self.left == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn leave(&mut self, node: NodeMut<'_>) -> ControlFlow<()> {
        assert!(self.left != 11, "a visitor that panics");
        if let NodeMut::UpdateStmt(update) = node {
            self.kept.extend(std::mem::take(&mut update.target_list));
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn visitors_that_take_the_tree_apart() {
    let sql = "UPDATE t SET (a, b) = (SELECT c, d + 1 FROM u WHERE e IN (1, 2)), f = 3 WHERE g; \
               CREATE FUNCTION f(a int) RETURNS TABLE (b s.t) RETURN 1; DROP FUNCTION g(int)";
    for left in 0..60 {
        let mut tree = pg_ast::parse(sql).expect("parses");
        let mut shuffler = Shuffler { kept: Vec::new(), left };
        let _ = may_panic(|| tree.visit_mut(&mut shuffler));
        tree.transform(|node| if left % 2 == 0 { Node::default() } else { node });
        let _ = (
            tree.deparse(),
            tree.fingerprint(),
            tree.analyze(),
            tree.clone() == tree,
            tree.to_view(),
        );
    }
}

/// Goes down again from each node, and keeps what it is lent.
struct Keeper<'a>(Vec<NodeRef<'a>>, Vec<view::Node<'a>>, usize);

impl<'a> Visit<'a> for Keeper<'a> {
    type Break = usize;

    fn enter(&mut self, node: NodeRef<'a>) -> ControlFlow<usize> {
        self.0.push(node);
        self.2 += 1;
        pg_ast::release_memory();
        if self.2 < 40 { Visit::visit_children(self, node) } else { ControlFlow::Continue(()) }
    }
}

impl<'a> view::Visit<'a> for Keeper<'a> {
    type Break = usize;

    fn enter(&mut self, node: view::Node<'a>) -> ControlFlow<usize> {
        self.1.push(node);
        self.2 += 1;
        pg_ast::release_memory();
        if self.2 < 40 {
            view::Visit::visit_children(self, node)
        } else {
            ControlFlow::Break(self.2)
        }
    }
}

#[test]
fn visitors_that_keep_what_they_see() {
    let tree = pg_ast::parse("SELECT a + b, (SELECT c) FROM t").expect("parses");
    let viewed = view::parse("SELECT a + b, (SELECT c) FROM t").expect("parses");
    let mut keeper = Keeper(Vec::new(), Vec::new(), 0);
    let _ = tree.visit(&mut keeper);
    keeper.2 = 0;
    let _ = viewed.visit(&mut keeper);
    assert!(keeper.0.iter().all(|node| !node.name().is_empty()));
    assert!(keeper.1.iter().all(|node| node.to_owned_tree().is_ok()));
}

struct Functions(usize);

impl<'a> VisitFunction<'a> for Functions {
    type Break = ();

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<()> {
        self.0 += 1;
        let _ = pg_ast::plpgsql::parse("DO $$ BEGIN NULL; END $$");
        assert!(self.0 < 9, "{part:?}");
        ControlFlow::Continue(())
    }

    fn visit_children(&mut self, _: Part<'a>, _: &'a Function) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A catalog that contradicts itself.
struct Contradiction {
    relation: Relation,
    path: Vec<String>,
    calls: Cell<usize>,
}

impl Catalog for Contradiction {
    fn search_path(&self) -> &[String] {
        &self.path
    }

    fn relation(&self, _: &str, _: &str) -> Option<&Relation> {
        self.calls.set(self.calls.get() + 1);
        (self.calls.get() % 3 != 0).then_some(&self.relation)
    }

    fn routines(&self, _: &str, _: &str) -> &[Routine] {
        &[]
    }

    fn is_known(&self, _: &str) -> bool {
        self.calls.get() % 2 == 0
    }

    fn relation_names<'a>(&'a self, _: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        Box::new(std::iter::repeat_n("", 100))
    }
}

#[test]
fn catalogs_and_functions() {
    let relation = Relation::new("", "", RelationKind::View, ["", "a", "a", "\0"]);
    let path = vec![String::new(), "pg_catalog".to_owned(), "\"".to_owned()];
    let catalog = Contradiction { relation, path, calls: Cell::new(0) };
    for sql in [
        "SELECT *, a, t.a, t FROM t NATURAL JOIN u",
        "INSERT INTO t SELECT * FROM t",
        "UPDATE t SET a = b",
    ] {
        let tree = view::parse(sql).expect("parses");
        let names = resolve(&tree, &catalog);
        let _ = (format!("{names:?}"), dependencies(&tree, &catalog));
        let found = lineage(&tree, &catalog);
        for result in &found.results {
            let columns = result.columns.iter().map(|column| found.sources(column));
            let _ = (columns.collect::<Vec<_>>(), found.influences(result));
        }
    }
    let functions =
        pg_ast::plpgsql::parse("DO $$ DECLARE a int; BEGIN a := 1; IF a THEN NULL; END IF; END $$");
    let functions = functions.expect("parses").functions;
    for function in functions.iter().filter_map(|it| it.function.as_ref().ok()) {
        let _ = may_panic(|| function.visit(&mut Functions(0)));
    }
}

/// A message whose enumerations and numbers mean nothing, which everything reads.
#[test]
fn messages_of_nonsense() {
    for number in [i32::MIN, -1, 0, 1, 77, i32::MAX] {
        let sql = "SELECT a::int[3], sum(b) OVER (ROWS 1 PRECEDING) FROM t JOIN u USING (c)";
        let mut tree = pg_ast::parse(sql).expect("parses");
        tree.nodes_mut().for_each(|node| match node {
            NodeMut::SelectStmt(select) => {
                select.op = number;
                select.limit_option = number;
            }
            NodeMut::JoinExpr(join) => join.jointype = number,
            NodeMut::WindowDef(window) => window.frame_options = number,
            NodeMut::TypeName(name) => (name.typemod, name.location) = (number, number),
            NodeMut::ColumnRef(column) => column.location = number,
            NodeMut::ParamRef(param) => param.number = number,
            _ => {}
        });
        let _ =
            (tree.deparse(), tree.fingerprint(), tree.to_view().map(|view| view.encode_to_vec()));
        let _ = (tree.deparse_truncated(5), tree.analyze());
    }
    let _ = NodeEnum::from(make::int_const(i64::MIN));
}
