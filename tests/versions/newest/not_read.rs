//! The errors for nodes that a user's own type does not read.

use pg_ast::pg18::protobuf::a_const::Val;
use pg_ast::pg18::{self as pg, Node, protobuf as pb, raw};
use pg_ast::{FromRaw, IntoRaw};

use super::field_types::{Tables, list_of, node, numbers};

/// A node, a cell or a number that a type does not read is an error, and never read as another one.
#[test]
fn what_a_type_does_not_read_is_an_error() {
    fn refused<K, C, T>(value: &K, expected: &str)
    where
        for<'a> &'a K: IntoRaw<C>,
        T: for<'t> FromRaw<'t, C>,
    {
        // SAFETY: as in `reads`.
        let error = unsafe { pg::convert_field::<K, C, T>(value) }.map(drop).expect_err(expected);
        assert_eq!(error.kind(), pg_ast::ErrorKind::UnmappedNode, "{error}");
        assert_eq!(error.message(), expected);
    }
    type Children = *mut raw::List;
    type Child = *mut raw::Node;
    let prefix = "versions::newest::field_types";
    let not_read = |what: &str| format!("`{prefix}::Tables` does not read {what}");
    let string = || Node::from(pb::String { sval: "a".to_owned() });
    let of_string = not_read("a node of the type String");
    refused::<Vec<Node>, Children, Vec<Tables>>(&vec![node(), string()], &of_string);
    refused::<Vec<Node>, Children, Vec<Box<Tables>>>(
        &vec![string()],
        &of_string
            .replace(prefix, &format!("alloc::boxed::Box<{prefix}"))
            .replace("Tables`", "Tables>`"),
    );
    refused::<Option<Box<Node>>, Child, Option<Tables>>(&Some(Box::new(string())), &of_string);
    let of_null = not_read("an empty cell of a list");
    refused::<Vec<Node>, Children, Vec<Tables>>(&vec![node(), Node { node: None }], &of_null);
    let of_numbers = not_read("a number in a list");
    refused::<pb::IntList, Children, Vec<Tables>>(&pb::IntList { items: numbers() }, &of_numbers);
    refused::<pb::OidList, Children, Vec<Tables>>(&pb::OidList { items: numbers() }, &of_numbers);
    let of_list = not_read("a node of the type List");
    refused::<Option<Box<Node>>, Child, Option<Tables>>(&Some(Box::new(list_of(node()))), &of_list);
    refused::<Option<Val>, raw::ValUnion, Option<Tables>>(
        &Some(Val::Ival(pb::Integer { ival: 1 })),
        &not_read("a node of the type Integer"),
    );
}
