//! Trees that are made, copied, read and encoded in Rust alone. `.ci/run miri` runs these, and Miri runs no C.

use prost::Message as _;

use super::pg::{self, Node, make, view};

/// The terms of a sum; Miri takes some hundred times as long.
const TERMS: u16 = if cfg!(miri) { 50 } else { 1_000 };

/// Returns an expression with texts, lists and numbers, and many nodes.
fn expression() -> Node {
    let texts = ["", "a", "\u{e9}\u{20ac}", "it's"].map(make::string_const);
    let call = make::func_call(["s", "f"], texts);
    let sum = (0..i32::from(TERMS)).fold(Node::from(make::int_const(-7)), |sum, number| {
        make::a_expr("+", sum, make::param_ref(number)).into()
    });
    make::or_expr(make::type_cast(call, make::type_name(["s", "t"])), sum).into()
}

#[test]
fn copies_are_equal() {
    let node = expression();
    let (copy, shown) = (node.clone(), format!("{node:?}"));
    assert_eq!(copy, node);
    drop(node);
    assert_eq!(format!("{copy:?}"), shown);
    let encoded = copy.encode_to_vec();
    assert_eq!(Node::decode(encoded.as_slice()).expect("decodes"), copy);
}

#[test]
fn nodes_are_written_as_those_of_c_and_read_again() {
    let (node, other) = (expression(), Node::from(make::column_ref(["a"])));
    let names: Vec<_> = node.nodes().map(pg::NodeRef::name).collect();
    assert!(names.len() > 2 * usize::from(TERMS), "{}", names.len());
    let read = node.to_ref().expect("a node").with_view(|view| {
        let of_view: Vec<_> = view.nodes().map(view::Node::name).collect();
        assert_eq!(of_view, names);
        // A call within this one has memory of its own.
        let within = other.to_ref().expect("a node").with_view(|view| {
            assert_eq!(view.name(), "ColumnRef");
            view.to_owned_tree()
        });
        assert_eq!(within, Ok(Ok(other.clone())));
        view.to_owned_tree()
    });
    assert_eq!(read, Ok(Ok(node)));
}
