//! Each method that changes a field of a node in its place, against the same change of the owned node.

use super::pg::protobuf::{self, RawStmt};
use super::pg::view::edit::{Arena, OfOneType};
use super::pg::view::{Node as View, Tree};
use super::pg::{Node, make};

/// A value of a field.
trait Sample {
    fn sample() -> Self;
}

fn sample<T: Sample>() -> T {
    T::sample()
}

macro_rules! samples {
    ($($type:ty = $value:expr;)*) => {$(
        impl Sample for $type {
            fn sample() -> Self {
                $value
            }
        }
    )*};
}
samples! {
    bool = true;
    i32 = 7;
    i64 = -8;
    u32 = 9;
    u64 = 10;
    f64 = 1.5;
    String = "x".to_owned();
    Vec<u64> = vec![1, 65];
    Node = make::string("x").into();
    Vec<Node> = vec![make::string("x").into()];
}

impl<T: Sample> Sample for Option<T> {
    fn sample() -> Self {
        Some(T::sample())
    }
}

impl<T: Sample> Sample for Box<T> {
    fn sample() -> Self {
        Self::new(T::sample())
    }
}

/// Returns a constant of an enumeration that C has, and that is not 0 there.
fn constant<E: TryFrom<i32> + Default>() -> E {
    E::try_from(2).or_else(|_| E::try_from(1)).unwrap_or_default()
}

#[derive(Default)]
struct Seen {
    nodes: usize,
    fields: usize,
}

/// The tree of a node in the owned types.
fn owned(node: Node) -> protobuf::ParseResult {
    let stmt = RawStmt { stmt: Some(Box::new(node)), ..RawStmt::default() };
    protobuf::ParseResult { version: 0, stmts: vec![stmt] }
}

fn compare(what: &str, owned: &protobuf::ParseResult, tree: &Tree) {
    let view = owned.to_view().expect("a view");
    assert_eq!(*tree, view, "{what}");
    assert_eq!(
        tree.node().map(View::encode_to_vec),
        view.node().map(View::encode_to_vec),
        "{what}"
    );
    // In C, no constant says that there is none: what a place is made with is the first one.
    let no_constant = "deparse: Constraint without contype has no SQL";
    if owned.deparse().is_err_and(|error| error.message() == no_constant) {
        assert!(tree.deparse().is_err(), "{what}");
        return;
    }
    assert_eq!(tree.deparse(), owned.deparse(), "{what}");
    assert_eq!(tree.clone().deparse(), owned.deparse(), "{what}");
}

impl Seen {
    fn node<T>(&mut self)
    where
        T: OfOneType + Default,
        Node: From<T>,
    {
        self.nodes += 1;
        self.field::<T>("", |_| {}, |_, _| {});
        self.fields -= 1;
    }

    fn field<T>(
        &mut self,
        name: &str,
        change: fn(&mut T),
        change_in_place: impl for<'m, 't> FnOnce(T::Mut<'m, 't>, &Arena<'t>),
    ) where
        T: OfOneType + Default,
        Node: From<T>,
    {
        let mut old = T::default();
        change(&mut old);
        let tree = Tree::build(|arena| {
            let mut new = arena.make::<T>();
            change_in_place(new.as_mut(), arena);
            new.into()
        });
        let what = format!("{}.{name}", std::any::type_name::<T>());
        if !what.ends_with("::RawStmt.") && !what.contains("::RawStmt.") {
            compare(&what, &owned(old.into()), &tree);
        }
        self.fields += 1;
    }
}

changes!();

#[test]
fn each_field_of_each_node() {
    let mut seen = Seen::default();
    changes(&mut seen);
    assert!(seen.nodes > 180 && seen.fields > 800, "{} {}", seen.nodes, seen.fields);
}
