//! Which Rust types read and write which C types: the implementations of `FromRaw` and `IntoRaw` are generic, and may
//! say more than was meant. They are the same in all versions, so one is tried, which takes long enough to compile.
//!
//! All pairs of a Rust type and a C type are tried. A pair that compiles has to have a value in [`pairs`], which is read and
//! written; one that has none fails the test.
#![allow(
    clippy::box_collection,
    clippy::option_option,
    clippy::redundant_allocation,
    clippy::too_many_lines,
    clippy::vec_box,
    reason = "what nobody would write is tried as well, and the table of it is long"
)]

use core::ffi::{CStr, c_char, c_void};
use core::fmt::Debug;
use std::collections::BTreeSet;
use std::ffi::CString;

use pg_ast::pg18::protobuf::a_const::Val;
use pg_ast::pg18::{self as pg, Node, NodeEnum, protobuf as pb, raw};
use pg_ast::{FromRaw, IntoRaw};

#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
pub(super) struct Table {
    pub(super) relname: Option<String>,
}

#[derive(Debug, FromRaw)]
#[pg_ast(raw = raw::Node)]
pub(super) enum Tables {
    #[allow(dead_code)]
    #[pg_ast(raw = raw::RangeVar)]
    Table(Table),
}

#[derive(Debug, FromRaw, IntoRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum Operation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
    #[pg_ast(name = "SETOP_UNION")]
    Union,
    #[pg_ast(name = "SETOP_INTERSECT")]
    Intersect,
    #[pg_ast(name = "SETOP_EXCEPT")]
    Except,
}

/// A pair, and whether it compiles.
pub(super) struct Pair {
    rust: &'static str,
    pub(super) c: &'static str,
    reads: bool,
    writes: bool,
}

/// Finds out at compile time whether a trait is implemented: the constants of the type itself are preferred to
/// those of a trait.
struct Probe<T, C>(T, C);

trait Not {
    const READS: bool = false;
    const WRITES: bool = false;
}

impl<T, C> Not for Probe<T, C> {}

impl<T: for<'t> FromRaw<'t, C>, C> Probe<T, C> {
    const READS: bool = true;
}

impl<T: 'static, C> Probe<T, C>
where
    &'static T: IntoRaw<C>,
{
    const WRITES: bool = true;
}

macro_rules! pair {
    ($c:ty, $rust:ty) => {
        Pair {
            rust: stringify!($rust),
            c: stringify!($c),
            reads: <Probe<$rust, $c>>::READS,
            writes: <Probe<$rust, $c>>::WRITES,
        }
    };
}

macro_rules! wrapped {
    ($c:ty, [$($rust:ty),* $(,)?]) => {
        &[$(
            pair!($c, $rust),
            pair!($c, Option<$rust>),
            pair!($c, Box<$rust>),
            pair!($c, Vec<$rust>),
            pair!($c, Option<Box<$rust>>),
            pair!($c, Option<Option<$rust>>),
            pair!($c, Option<Option<Box<$rust>>>),
            pair!($c, Option<Vec<$rust>>),
            pair!($c, Box<Option<$rust>>),
            pair!($c, Box<Option<Box<$rust>>>),
            pair!($c, Box<Option<Option<$rust>>>),
            pair!($c, Box<Option<Option<Box<$rust>>>>),
            pair!($c, Box<Vec<$rust>>),
            pair!($c, Vec<Option<$rust>>),
            pair!($c, Box<Vec<Option<$rust>>>),
            pair!($c, Box<Option<Vec<$rust>>>),
        )*]
    };
}

macro_rules! matrix {
    ([$($c:ty),* $(,)?] $rust:tt) => {
        &[$(wrapped!($c, $rust)),*]
    };
}

/// The types of the fields, one for all structs, enums and headers of nodes each, with Rust's types.
pub(super) const MATRIX: &[&[Pair]] = matrix! {
    [
        bool,
        i16,
        i32,
        u32,
        i64,
        u64,
        usize,
        f64,
        c_char,
        *mut c_char,
        *const c_char,
        *mut c_void,
        raw::NodeTag,
        raw::SetOperation,
        raw::ValUnion,
        raw::CreateStmt,
        raw::Expr,
        *mut raw::Expr,
        *mut raw::Node,
        *mut raw::List,
        *mut raw::Bitmapset,
        *mut raw::RangeVar,
    ]
    [
        bool,
        i8,
        u8,
        i16,
        u16,
        i32,
        u32,
        i64,
        u64,
        usize,
        f32,
        f64,
        char,
        &'static str,
        Box<str>,
        String,
        &'static CStr,
        CString,
        Node,
        NodeEnum,
        pb::List,
        pb::IntList,
        pb::OidList,
        pb::Integer,
        pb::String,
        pb::RangeVar,
        pb::CreateStmt,
        pb::SetOperation,
        Val,
        Table,
        Tables,
        Operation,
    ]
};

/// Tests a value that `T` has for what `K` writes, which is a type of the tree: see `fields.rs`.
fn reads<K, C, T>(value: &K, expected: &T)
where
    for<'a> &'a K: IntoRaw<C>,
    T: for<'t> FromRaw<'t, C> + Debug,
    K: Debug,
{
    // SAFETY: a type of the tree writes whole C data, and so do those of this file, which are derived.
    let read = unsafe { pg::convert_field::<K, C, T>(value) };
    let read = read.unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert_eq!(format!("{read:?}"), format!("{expected:?}"), "of {value:?}");
}

/// The pairs that compile, as they are read and written.
#[derive(Default)]
struct Tested {
    reads: BTreeSet<(String, String)>,
    writes: BTreeSet<(String, String)>,
}

pub(super) fn key(rust: &str, c: &str) -> (String, String) {
    let plain = |ty: &str| ty.replace(char::is_whitespace, "");
    (plain(rust), plain(c))
}

/// Each line has the Rust type, the C type, a type of the tree that reads and writes the same C type, and values of this
/// and that. What is true of a type is true of a box of it.
macro_rules! pairs {
    ($tested:ident: $($verb:ident $rust:ty, $c:ty, $tree:ty { $($value:expr => $expected:expr),+ $(,)? })*) => {$(
        pairs!(@$verb $tested $rust, $c, $tree { $($value, $expected;)+ });
        pairs!(@$verb $tested Box<$rust>, $c, $tree { $($value, Box::new($expected);)+ });
    )*};
    (@both $tested:ident $rust:ty, $c:ty, $tree:ty { $($values:tt)+ }) => {
        pairs!(@reads $tested $rust, $c, $tree { $($values)+ });
        pairs!(@writes $tested $rust, $c, $tree { $($values)+ });
    };
    (@reads $tested:ident $rust:ty, $c:ty, $tree:ty { $($value:expr, $expected:expr;)+ }) => {
        $tested.reads.insert(key(stringify!($rust), stringify!($c)));
        $(reads::<$tree, $c, $rust>(&$value, &$expected);)+
    };
    (@writes $tested:ident $rust:ty, $c:ty, $tree:ty { $($value:expr, $expected:expr;)+ }) => {
        $tested.writes.insert(key(stringify!($rust), stringify!($c)));
        $(reads::<$rust, $c, $tree>(&$expected, &$value);)+
    };
}

pub(super) fn table() -> pb::RangeVar {
    pb::RangeVar { relname: "é".to_owned(), inh: true, ..pb::RangeVar::default() }
}

fn create() -> pb::CreateStmt {
    // There is no constant for 0 in C.
    let oncommit = pb::OnCommitAction::OncommitNoop.into();
    pb::CreateStmt { relation: Some(table()), oncommit, ..pb::CreateStmt::default() }
}

pub(super) fn node() -> Node {
    table().into()
}

#[expect(clippy::unnecessary_wraps, reason = "the values of `Option<String>`")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub(super) fn list_of(node: Node) -> Node {
    pb::List { items: vec![node] }.into()
}

pub(super) fn numbers() -> Vec<Node> {
    [1, -2].map(|ival| pb::Integer { ival }.into()).to_vec()
}

fn pairs() -> Tested {
    let mut tested = Tested::default();
    let own = || Table { relname: text("é") };
    let string = || pb::String { sval: "é".to_owned() };
    let constant = || Val::Sval(string());
    let text_node = || Some(Box::new(Node::from(string())));
    pairs! { tested:
        both bool, bool, bool { true => true, false => false }
        both i32, i16, i32 { i32::from(i16::MIN) => i32::from(i16::MIN), 7 => 7 }
        both i32, i32, i32 { i32::MIN => i32::MIN, i32::MAX => i32::MAX }
        both i64, i32, i32 { i32::MIN => i64::from(i32::MIN), 7 => 7 }
        both i64, i64, i64 { i64::MIN => i64::MIN, i64::MAX => i64::MAX }
        both u32, u32, u32 { u32::MAX => u32::MAX }
        both u64, u64, u64 { u64::MAX => u64::MAX }
        both f64, f64, f64 { 0.5 => 0.5, f64::MIN => f64::MIN }
        both String, c_char, String { "a".to_owned() => "a".to_owned(), String::new() => String::new() }
        both Option<String>, *mut c_char, Option<String> {
            None => None, text("") => text(""), text("é") => text("é"), text("ab") => text("ab"),
        }
        both Option<String>, *const c_char, Option<String> { None => None, text("") => text(""), text("é") => text("é") }
        both String, *mut c_char, Option<String> { text("é") => "é".to_owned(), None => String::new() }
        reads String, *mut c_char, Option<String> { text("") => String::new() }
        both String, *const c_char, Option<String> { text("é") => "é".to_owned(), None => String::new() }
        both pb::SetOperation, raw::SetOperation, pb::SetOperation {
            pb::SetOperation::SetopExcept => pb::SetOperation::SetopExcept,
        }
        both Operation, raw::SetOperation, pb::SetOperation {
            pb::SetOperation::SetopNone => Operation::None,
            pb::SetOperation::SetopUnion => Operation::Union,
            pb::SetOperation::SetopIntersect => Operation::Intersect,
            pb::SetOperation::SetopExcept => Operation::Except,
        }
        both Option<Val>, raw::ValUnion, Option<Val> { None => None, Some(constant()) => Some(constant()) }
        both pb::CreateStmt, raw::CreateStmt, Option<pb::CreateStmt> { Some(create()) => create() }
        both Option<pb::CreateStmt>, raw::CreateStmt, Option<pb::CreateStmt> { Some(create()) => Some(create()) }
        both Option<Box<Node>>, raw::Expr, Option<Box<Node>> { None => None }
        both Option<Node>, *mut raw::Expr, Option<Box<Node>> { None => None, Some(Box::new(node())) => Some(node()) }
        both Option<Box<Node>>, *mut raw::Expr, Option<Box<Node>> {
            None => None, Some(Box::new(node())) => Some(Box::new(node())),
        }
        both Option<Node>, *mut raw::Node, Option<Box<Node>> { None => None, Some(Box::new(node())) => Some(node()) }
        both Option<Box<Node>>, *mut raw::Node, Option<Box<Node>> {
            None => None, Some(Box::new(node())) => Some(Box::new(node())),
        }
        both Vec<Node>, *mut raw::List, Vec<Node> {
            vec![] => vec![], vec![node(), Node { node: None }] => vec![node(), Node { node: None }],
        }
        reads Vec<Node>, *mut raw::List, pb::IntList { pb::IntList { items: numbers() } => numbers() }
        reads Vec<Node>, *mut raw::List, pb::OidList { pb::OidList { items: numbers() } => numbers() }
        both Vec<u64>, *mut raw::Bitmapset, Vec<u64> { vec![] => vec![], vec![0, 64] => vec![0, 64] }
        both Option<pb::RangeVar>, *mut raw::RangeVar, Option<pb::RangeVar> {
            None => None, Some(table()) => Some(table()),
        }
        both Option<Box<pb::RangeVar>>, *mut raw::RangeVar, Option<pb::RangeVar> {
            None => None, Some(table()) => Some(Box::new(table())),
        }
        reads Option<Table>, *mut raw::RangeVar, Option<pb::RangeVar> { None => None, Some(table()) => Some(own()) }
        reads Option<Box<Table>>, *mut raw::RangeVar, Option<pb::RangeVar> {
            None => None, Some(table()) => Some(Box::new(own())),
        }
        writes Node, *mut raw::Node, Option<Box<Node>> { None => Node { node: None }, Some(Box::new(node())) => node() }
        writes NodeEnum, *mut raw::Node, Option<Box<Node>> { Some(Box::new(node())) => table().into() }
        writes pb::RangeVar, *mut raw::RangeVar, Option<pb::RangeVar> { Some(table()) => table() }
        writes Val, *mut raw::Node, Option<Box<Node>> { text_node() => constant() }
        writes Option<Option<pb::RangeVar>>, *mut raw::RangeVar, Option<pb::RangeVar> { Some(table()) => Some(Some(table())) }
        writes Option<Option<Box<pb::RangeVar>>>, *mut raw::RangeVar, Option<pb::RangeVar> {
            Some(table()) => Some(Some(Box::new(table()))),
        }
        writes pb::List, *mut raw::List, Vec<Node> { vec![node()] => pb::List { items: vec![node()] } }
        writes pb::IntList, *mut raw::List, Vec<Node> { numbers() => pb::IntList { items: numbers() } }
        writes pb::OidList, *mut raw::List, Vec<Node> { numbers() => pb::OidList { items: numbers() } }
    }
    // What reads nodes reads them wherever a node can be.
    macro_rules! children {
        ($($rust:ty { $value:expr => $expected:expr })*) => {
            pairs! { tested: $(
                reads Vec<$rust>, *mut raw::List, Vec<Node> {
                    vec![] => vec![], vec![$value, $value] => vec![$expected, $expected],
                }
                reads Vec<Option<$rust>>, *mut raw::List, Vec<Node> {
                    vec![] => vec![], vec![$value, Node { node: None }] => vec![Some($expected), None],
                }
            )* }
            children!(@pointers *mut raw::Node: $($rust { $value => $expected })*);
            children!(@pointers *mut raw::Expr: $($rust { $value => $expected })*);
            // Of these nodes, a constant holds none; `constants` below has those that it does.
            pairs! { tested: $(
                reads Option<$rust>, raw::ValUnion, Option<Val> { None => None }
                reads Option<Box<$rust>>, raw::ValUnion, Option<Val> { None => None }
                reads Option<Option<$rust>>, raw::ValUnion, Option<Val> { None => None }
                reads Option<Option<Box<$rust>>>, raw::ValUnion, Option<Val> { None => None }
                reads Option<Vec<$rust>>, raw::ValUnion, Option<Val> { None => None }
            )* }
        };
        (@pointers $c:ty: $($rust:ty { $value:expr => $expected:expr })*) => {
            pairs! { tested: $(
                reads Option<$rust>, $c, Option<Box<Node>> { None => None, Some(Box::new($value)) => Some($expected) }
                reads Option<Box<$rust>>, $c, Option<Box<Node>> {
                    None => None, Some(Box::new($value)) => Some(Box::new($expected)),
                }
                reads Option<Option<$rust>>, $c, Option<Box<Node>> {
                    None => None, Some(Box::new($value)) => Some(Some($expected)),
                }
                reads Option<Option<Box<$rust>>>, $c, Option<Box<Node>> {
                    None => None, Some(Box::new($value)) => Some(Some(Box::new($expected))),
                }
                reads Option<Vec<$rust>>, $c, Option<Box<Node>> {
                    None => None, Some(Box::new(list_of($value))) => Some(vec![$expected]),
                }
            )* }
        };
    }
    children! {
        Node { node() => node() }
        NodeEnum { node() => NodeEnum::from(table()) }
        pb::Integer { pb::Integer { ival: 7 }.into() => pb::Integer { ival: 7 } }
        pb::String { string().into() => string() }
        pb::RangeVar { node() => table() }
        pb::CreateStmt { create().into() => create() }
        Val { string().into() => constant() }
        Table { node() => own() }
        Tables { node() => Tables::Table(own()) }
    }
    macro_rules! constants {
        ($($rust:ty { $expected:expr })*) => {
            pairs! { tested: $(
                reads Option<$rust>, raw::ValUnion, Option<Val> { Some(constant()) => Some($expected) }
                reads Option<Box<$rust>>, raw::ValUnion, Option<Val> { Some(constant()) => Some(Box::new($expected)) }
                reads Option<Option<$rust>>, raw::ValUnion, Option<Val> { Some(constant()) => Some(Some($expected)) }
            )* }
        };
    }
    constants! {
        Node { Node::from(string()) }
        NodeEnum { NodeEnum::from(string()) }
        pb::String { string() }
    }
    // What no reader returns: an `Option` writes what the type in it does.
    macro_rules! nodes {
        ($($rust:ty { $value:expr => $expected:expr })*) => {
            pairs! { tested:
                $(writes $rust, *mut raw::Node, Option<Box<Node>> { $value => $expected })*
                $(writes $rust, *mut raw::Expr, Option<Box<Node>> { $value => $expected })*
            }
        };
    }
    let some = || Some(Box::new(node()));
    let variant = || NodeEnum::from(table());
    nodes! {
        Option<NodeEnum> { some() => Some(variant()) }
        Option<Box<NodeEnum>> { some() => Some(Box::new(variant())) }
        Option<Option<NodeEnum>> { some() => Some(Some(variant())) }
        Option<Option<Box<NodeEnum>>> { some() => Some(Some(Box::new(variant()))) }
        Option<Val> { text_node() => Some(constant()) }
        Option<Box<Val>> { text_node() => Some(Box::new(constant())) }
        Option<Option<Val>> { text_node() => Some(Some(constant())) }
        Option<Option<Box<Val>>> { text_node() => Some(Some(Box::new(constant()))) }
        Option<Option<Node>> { some() => Some(Some(node())) }
        Option<Option<Box<Node>>> { some() => Some(some()) }
    }
    tested
}

#[test]
fn each_pair_of_types_that_compiles_has_a_value() {
    let tested = pairs();
    let mut tried = 0;
    let mut found = Tested::default();
    for pair in MATRIX.iter().copied().flatten() {
        tried += 1;
        if pair.reads {
            found.reads.insert(key(pair.rust, pair.c));
        }
        if pair.writes {
            found.writes.insert(key(pair.rust, pair.c));
        }
    }
    println!("{tried} pairs, {} read, {} written", found.reads.len(), found.writes.len());
    // The probe sees what compiles.
    assert!(found.reads.contains(&key("Vec<Node>", "*mut raw::List")));
    let without = |of: &BTreeSet<_>, others: &BTreeSet<_>| of.difference(others).cloned().collect();
    let differences: [Vec<_>; 4] = [
        without(&found.reads, &tested.reads),
        without(&found.writes, &tested.writes),
        without(&tested.reads, &found.reads),
        without(&tested.writes, &found.writes),
    ];
    let [untested, untested_back, untried, untried_back] = &differences;
    assert!(
        differences.iter().all(Vec::is_empty),
        "read, without a value: {untested:?}\nwritten, without a value: {untested_back:?}\n\
         read, not tried: {untried:?}\nwritten, not tried: {untried_back:?}"
    );
}
