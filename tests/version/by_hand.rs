//! Views of C nodes that are made here: each in memory of its own, of exactly its size, so that Miri sees every read
//! beyond it (`.ci/run miri`). Nothing calls C.

#![allow(non_snake_case, reason = "the fields of C structs")]
#![allow(clippy::cast_ptr_alignment, reason = "each piece is aligned as it is asked for")]
#![allow(
    clippy::redundant_locals,
    reason = "the values of fields come before the place of their node"
)]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::collections::HashSet;
use std::ffi::c_char;
use std::hash::{BuildHasher as _, RandomState};
use std::mem::offset_of;
use std::ops::ControlFlow;
use std::thread;

use pg_ast::HeapSize as _;
use prost::Message as _;

use super::pg;
use super::pg::view::a_const::Val;
use super::pg::view::{self, Node};
use super::raw::{self, NodeTag};

/// What the C nodes of a test are in.
#[derive(Default)]
struct Memory(Vec<(*mut u8, Layout)>);

impl Drop for Memory {
    fn drop(&mut self) {
        for (piece, layout) in self.0.drain(..) {
            // SAFETY: allocated with this layout.
            unsafe { dealloc(piece, layout) };
        }
    }
}

/// Makes a node of a type, with these fields; the others are zeroes.
macro_rules! node {
    ($memory:expr, $type:ident $tag:ident { $($field:ident: $value:expr),* $(,)? }) => {{
        let node: *mut raw::$type = $memory.zeroed();
        $(let $field = $value;)*
        // SAFETY: the struct is there, and its header is a tag.
        unsafe {
            node.cast::<NodeTag>().write(NodeTag::$tag);
            $((&raw mut (*node).$field).write($field);)*
        }
        node
    }};
}

// After the macro, which they use.
mod edits;
mod templates;

impl Memory {
    fn piece(&mut self, layout: Layout, alloc: unsafe fn(Layout) -> *mut u8) -> *mut u8 {
        // SAFETY: no layout here is empty.
        let piece = unsafe { alloc(layout) };
        assert!(!piece.is_null());
        self.0.push((piece, layout));
        piece
    }

    /// As `palloc0`.
    fn zeroed<T>(&mut self) -> *mut T {
        let layout = Layout::new::<T>().align_to(8).expect("a layout");
        self.piece(layout, alloc_zeroed).cast()
    }

    fn text(&mut self, text: &str) -> *mut c_char {
        let layout = Layout::array::<u8>(text.len() + 1).expect("a layout");
        let copy = self.piece(layout, alloc_zeroed);
        // SAFETY: there is room for the text and a NUL.
        unsafe { copy.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
        copy.cast()
    }

    /// A list with its cells elsewhere and room for more, as C has it after it has grown.
    fn cells(&mut self, tag: NodeTag, cells: &[raw::ListCell]) -> *mut raw::List {
        let room = Layout::array::<raw::ListCell>(cells.len() + 3).expect("a layout");
        let elements = self.piece(room, alloc).cast::<raw::ListCell>();
        // SAFETY: there is room for the cells.
        unsafe { elements.copy_from_nonoverlapping(cells.as_ptr(), cells.len()) };
        let length = i32::try_from(cells.len()).expect("a few");
        let list: *mut raw::List = self.zeroed();
        // SAFETY: the list is there.
        unsafe {
            (*list).type_ = tag;
            (*list).length = length;
            (*list).max_length = length + 3;
            (*list).elements = elements;
        }
        list
    }

    fn list(&mut self, nodes: &[*mut raw::Node]) -> *mut raw::List {
        let cells: Vec<_> =
            nodes.iter().map(|node| raw::ListCell { ptr_value: node.cast() }).collect();
        self.cells(NodeTag::T_List, &cells)
    }

    /// A set of two words, the numbers 1 and 64.
    fn set(&mut self) -> *mut raw::Bitmapset {
        let words = offset_of!(raw::Bitmapset, words);
        let layout = Layout::from_size_align(words + 2 * size_of::<raw::bitmapword>(), 8);
        let set = self.piece(layout.expect("a layout"), alloc_zeroed).cast::<raw::Bitmapset>();
        // SAFETY: the set is there, with two words behind it.
        unsafe {
            (*set).nwords = 2;
            let words = (&raw mut (*set).words).cast::<raw::bitmapword>();
            let bits = usize::try_from(raw::bitmapword::BITS).expect("few");
            for member in [1, 64].into_iter().filter(|member| member / bits < 2) {
                *words.add(member / bits) |= 1 << (member % bits);
            }
        }
        set
    }

    fn string(&mut self, text: &str) -> *mut raw::Node {
        node!(self, String T_String { sval: self.text(text) }).cast()
    }

    fn column(&mut self, names: &[&str]) -> *mut raw::Node {
        let mut fields: Vec<_> = names.iter().map(|name| self.string(name)).collect();
        fields.push(node!(self, A_Star T_A_Star {}).cast());
        node!(self, ColumnRef T_ColumnRef { fields: self.list(&fields), location: 7 }).cast()
    }

    fn constant(&mut self, val: raw::ValUnion) -> *mut raw::Node {
        node!(self, A_Const T_A_Const { val: val, location: 3 }).cast()
    }

    fn number(&mut self, ival: i32) -> *mut raw::Node {
        self.constant(raw::ValUnion { ival: raw::Integer { type_: NodeTag::T_Integer, ival } })
    }

    fn target(&mut self, name: &str, val: *mut raw::Node) -> *mut raw::Node {
        node!(self, ResTarget T_ResTarget { name: self.text(name), val: val, location: 5 }).cast()
    }

    fn table(&mut self, name: &str) -> *mut raw::RangeVar {
        let alias = node!(self, Alias T_Alias { aliasname: self.text("x") });
        let relpersistence = b'p'.cast_signed() as c_char;
        node!(self, RangeVar T_RangeVar {
            relname: self.text(name), alias: alias, inh: true, relpersistence: relpersistence,
        })
    }

    /// `SELECT DISTINCT <constants, a column, lists> FROM t AS x WHERE 1 = 2`, with nothing in most fields.
    fn select(&mut self) -> *mut raw::Node {
        let sval = raw::String { type_: NodeTag::T_String, sval: self.text("it's \u{e9}") };
        let fval = raw::Float { type_: NodeTag::T_Float, fval: self.text("1.5") };
        let bsval = raw::BitString { type_: NodeTag::T_BitString, bsval: self.text("b1") };
        let boolval = raw::Boolean { type_: NodeTag::T_Boolean, boolval: true };
        let values = [
            self.number(-7),
            self.constant(raw::ValUnion { sval }),
            self.constant(raw::ValUnion { fval }),
            self.constant(raw::ValUnion { bsval }),
            self.constant(raw::ValUnion { boolval }),
            node!(self, A_Const T_A_Const { isnull: true }).cast(),
            self.column(&["s", "a"]),
            // A number by itself, which is smaller than the union of values.
            node!(self, Integer T_Integer { ival: 4 }).cast(),
            self.cells(NodeTag::T_IntList, &[5, -6].map(|int_value| raw::ListCell { int_value }))
                .cast(),
            self.cells(NodeTag::T_OidList, &[7].map(|oid_value| raw::ListCell { oid_value }))
                .cast(),
            self.list(&[std::ptr::null_mut()]).cast(),
        ];
        let targets = values.map(|value| self.target("v", value));
        let op = self.string("=");
        let condition = node!(self, A_Expr T_A_Expr {
            kind: raw::A_Expr_Kind::AEXPR_OP,
            name: self.list(&[op]),
            lexpr: self.number(1),
            rexpr: self.number(2),
            location: -1,
        });
        let table = self.table("t_1").cast();
        node!(self, SelectStmt T_SelectStmt {
            distinctClause: self.list(&[std::ptr::null_mut()]),
            targetList: self.list(&targets),
            fromClause: self.list(&[table]),
            whereClause: condition.cast(),
        })
        .cast()
    }

    /// `UPDATE t SET (a, b) = (SELECT ..)`: both columns point to the same source.
    fn update(&mut self) -> *mut raw::Node {
        let source = self.select();
        let targets = [1, 2].map(|colno| {
            let of = node!(self, MultiAssignRef T_MultiAssignRef {
                source: source, colno: colno, ncolumns: 2,
            });
            self.target("c", of.cast())
        });
        node!(self, UpdateStmt T_UpdateStmt {
            relation: self.table("u"), targetList: self.list(&targets),
        })
        .cast()
    }

    /// `CREATE FOREIGN TABLE`, which begins with the struct of `CREATE TABLE`.
    fn foreign_table(&mut self) -> *mut raw::Node {
        let column = node!(self, ColumnDef T_ColumnDef { colname: self.text("a") }).cast();
        // SAFETY: zeroes are a value of the struct.
        let mut base: raw::CreateStmt = unsafe { std::mem::zeroed() };
        base.type_ = NodeTag::T_CreateForeignTableStmt;
        base.relation = self.table("f");
        base.tableElts = self.list(&[column]);
        node!(self, CreateForeignTableStmt T_CreateForeignTableStmt {
            base: base, servername: self.text("s"),
        })
        .cast()
    }

    fn set_of_columns(&mut self) -> *mut raw::Node {
        node!(self, TableFunc T_TableFunc { notnulls: self.set() }).cast()
    }

    /// A statement of each of these kinds.
    fn tree(&mut self) -> view::Tree {
        let stmts = [self.select(), self.update(), self.foreign_table(), self.set_of_columns()];
        let stmts = stmts.map(|stmt| node!(self, RawStmt T_RawStmt { stmt: stmt }).cast());
        // SAFETY: all of it is whole, and the caller keeps the memory.
        unsafe { pg::tree_of(self.list(&stmts), true) }
    }
}

/// Calls `check` with all nodes of the tree.
fn with_nodes(check: impl Fn(&view::Tree, &[Node<'_>])) {
    let mut memory = Memory::default();
    let tree = memory.tree();
    let nodes: Vec<_> = tree.nodes().collect();
    assert!(nodes.len() > 80, "{}", nodes.len());
    check(&tree, &nodes);
    drop(nodes);
    drop(tree);
}

/// Counts the nodes that a visitor enters.
struct Count(usize);

impl<'a> view::Visit<'a> for Count {
    type Break = ();

    fn enter(&mut self, _: Node<'a>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// Returns the nodes that are checked one by one: for Miri, which takes some hundred times as long, the first of each type.
fn one_by_one<'a>(nodes: &[Node<'a>]) -> Vec<Node<'a>> {
    let mut seen = HashSet::new();
    nodes.iter().copied().filter(|node| seen.insert(node.name()) || !cfg!(miri)).collect()
}

#[test]
fn walks() {
    with_nodes(|tree, nodes| {
        let names: HashSet<_> = nodes.iter().map(|node| node.name()).collect();
        let all = ["OidList", "CreateStmt", "TableFunc", "MultiAssignRef", "BitString", "Alias"];
        assert!(all.iter().all(|name| names.contains(name)), "{names:?}");
        // Recursive, by each node's children.
        let mut count = Count(0);
        assert!(tree.visit(&mut count).is_continue());
        assert_eq!(count.0, nodes.len());
        assert!(nodes.iter().all(|node| node.location().is_none_or(|location| location < 10)));
        assert_eq!(tree.range(nodes[0]), None);
    });
}

#[test]
fn fields() {
    let mut memory = Memory::default();
    let tree = memory.tree();
    let stmts: Vec<_> = tree.stmts().filter_map(view::RawStmt::stmt).collect();
    let [
        Node::SelectStmt(select),
        Node::UpdateStmt(_),
        Node::CreateForeignTableStmt(foreign),
        Node::TableFunc(func),
    ] = stmts[..]
    else {
        panic!("{stmts:?}")
    };
    assert_eq!(select.distinct_clause().iter().collect::<Vec<_>>(), [Node::Null]);
    let values = select.target_list().iter().filter_map(|target| target.as_res_target()?.val());
    let values: Vec<_> = values.collect();
    let of_constants: Vec<_> = values[..6]
        .iter()
        .map(|value| match value.as_a_const().and_then(view::AConst::val) {
            Some(Val::Ival(value)) => value.ival().to_string(),
            Some(Val::Sval(value)) => value.sval().to_owned(),
            Some(Val::Fval(value)) => value.fval().to_owned(),
            Some(Val::Bsval(value)) => value.bsval().to_owned(),
            Some(Val::Boolval(value)) => value.boolval().to_string(),
            None => "NULL".to_owned(),
        })
        .collect();
    assert_eq!(of_constants, ["-7", "it's \u{e9}", "1.5", "b1", "true", "NULL"]);
    assert_eq!(values[0].literal(), Some(pg_ast::Literal::Integer(-7)));
    assert!(values[6].as_column_ref().is_some_and(|column| column.names().eq(["s", "a", "*"])));
    let numbers = |value: Node<'_>| -> Vec<_> {
        value.nodes().filter_map(|node| Some(node.as_integer()?.ival())).collect()
    };
    assert_eq!(
        values[7..10].iter().map(|value| numbers(*value)).collect::<Vec<_>>(),
        [vec![4], vec![5, -6], vec![7]]
    );
    let Some(Node::RangeVar(table)) = select.from_clause().first() else { panic!("no table") };
    assert_eq!((table.relname(), table.schemaname(), table.relpersistence()), ("t_1", "", "p"));
    let base = foreign.base_stmt().expect("always there");
    assert_eq!(base.relation().map(view::RangeVar::relname), Some("f"));
    assert_eq!(base.table_elts().len(), 1);
    assert_eq!(foreign.servername(), "s");
    assert_eq!(func.notnulls().iter().next(), Some(1));
    assert!(func.ns_uris().is_empty() && func.docexpr().is_none());
}

#[test]
fn copies_into_the_owned_tree() {
    with_nodes(|tree, nodes| {
        let owned = tree.to_owned_tree().expect("an owned tree");
        assert_eq!(
            format!("{:?}", tree.stmts().collect::<Vec<_>>()),
            format!("{:?}", owned.protobuf.stmts)
        );
        for node in one_by_one(nodes) {
            let copy = node.to_owned_tree().expect("an owned node");
            let of_copy = copy.node.as_ref().map(|node| format!("{node:?}"));
            assert_eq!(Some(format!("{node:?}")), of_copy);
            assert_eq!(copy.to_ref().map(pg::NodeRef::name), Some(node.name()));
        }
        let stmts = owned.protobuf.stmts.len();
        let lists: Vec<_> = nodes.iter().filter_map(|node| node.as_select_stmt()).collect();
        let items = lists[0].target_list();
        assert_eq!(items.to_owned_tree().expect("owned items").len(), items.len());
        assert_eq!((stmts, lists.len()), (4, 2));
    });
}

#[test]
fn comparisons() {
    let (mut memory, mut other) = (Memory::default(), Memory::default());
    let (tree, same) = (memory.tree(), other.tree());
    assert_eq!(tree, same);
    let state = RandomState::new();
    for (node, same) in tree.nodes().zip(same.nodes()) {
        assert_eq!(node, same);
        assert_eq!(state.hash_one(node), state.hash_one(same));
        assert_ne!(node.nodes().nth(1), Some(node));
    }
}

#[test]
fn encodings() {
    with_nodes(|tree, nodes| {
        let owned = tree.to_owned_tree().expect("an owned tree");
        assert_eq!(tree.encode_to_vec(), owned.encode_to_vec());
        for node in one_by_one(nodes) {
            let copy = node.to_owned_tree().expect("an owned node");
            assert_eq!(node.encode_to_vec(), copy.encode_to_vec(), "{node:?}");
            #[cfg(feature = "serde")]
            assert_eq!(node.to_json(), pg_ast::json::to_string(&copy).expect("JSON"));
        }
        #[cfg(feature = "serde")]
        assert_eq!(tree.to_json(), pg_ast::json::to_string(&owned.protobuf).expect("JSON"));
    });
}

#[test]
fn fingerprints() {
    with_nodes(|tree, nodes| {
        let owned = tree.to_owned_tree().expect("an owned tree");
        assert_eq!(tree.fingerprint(), owned.fingerprint());
        for node in one_by_one(nodes) {
            let copy = node.to_owned_tree().expect("an owned node");
            // The method is one for a given lifetime.
            #[allow(clippy::redundant_closure_for_method_calls)]
            let of_copy = copy.to_ref().expect("a node").with_view(|copy| copy.fingerprint());
            assert_eq!(Ok(node.fingerprint()), of_copy, "{node:?}");
        }
    });
}

#[test]
fn compact_copies() {
    let mut memory = Memory::default();
    let tree = memory.tree();
    let (compact, nodes) = (tree.compact(), tree.nodes().count());
    assert_eq!(compact, tree);
    let again = compact.clone();
    assert_eq!(again.heap_size(), compact.heap_size());
    let printed = format!("{tree:?}");
    // Nothing of a copy is in the original.
    drop(tree);
    drop(memory);
    // A tree is read on any thread.
    thread::scope(|scope| {
        let read = || (compact.nodes().count(), format!("{compact:?}"), compact.fingerprint());
        let other = scope.spawn(read);
        assert_eq!(read(), other.join().expect("no panic"));
    });
    drop(compact);
    assert_eq!((again.nodes().count(), format!("{again:?}")), (nodes, printed));
    // The source of both columns is one node, as in the original.
    let sources: Vec<_> = again
        .nodes()
        .filter_map(|node| node.as_multi_assign_ref()?.source())
        .map(|source| source.nodes().count())
        .collect();
    assert!(matches!(sources[..], [first, second] if first == second), "{sources:?}");
}

#[test]
fn a_view_of_an_owned_tree() {
    let mut memory = Memory::default();
    let owned = memory.tree().to_owned_tree().expect("an owned tree");
    let view = owned.to_view().expect("a view");
    assert_eq!(view.to_owned_tree(), Ok(owned.clone()));
    let same = owned.with_view(|stmts| view.stmts().eq(stmts.iter().copied()));
    assert_eq!(same, Ok(true));
}

/// A node of an unknown type has nothing but its tag.
#[test]
fn unknown_nodes() {
    let mut memory = Memory::default();
    let unknown: *mut raw::Node = memory.zeroed();
    // SAFETY: the header is there.
    unsafe { (*unknown).type_ = NodeTag(60_000) };
    let name = memory.string("a");
    let list = memory.list(&[unknown, name]);
    let stmt = node!(memory, SelectStmt T_SelectStmt { targetList: list }).cast();
    let stmts = [node!(memory, RawStmt T_RawStmt { stmt: stmt }).cast()];
    // SAFETY: all of it is whole.
    let tree = unsafe { pg::tree_of(memory.list(&stmts), false) };
    let nodes: Vec<_> = tree.nodes().collect();
    let Node::Unknown(unknown) = nodes[2] else { panic!("{nodes:?}") };
    assert_eq!(unknown.tag(), NodeTag(60_000));
    assert!(nodes[2].to_owned_tree().is_err());
    assert_eq!(nodes[2].nodes().count(), 1);
    assert_eq!(nodes[2].fingerprint(), Node::Null.fingerprint());
    assert_eq!(nodes[2], nodes[2]);
    assert_eq!(tree.compact().nodes().count(), 3);
}
