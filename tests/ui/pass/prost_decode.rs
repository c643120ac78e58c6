//! prost's own `decode`, with its bound or without it.

use pg_ast::prost::Message as _;
use pg_ast::prost::encoding::DecodeContext;
use pg_ast::{ParseResult, protobuf};

#[test]
fn a_tree_that_is_too_deep_for_prost_is_said_to_be() {
    let bytes = |levels| {
        let sql = format!("SELECT {}x", "NOT ".repeat(levels));
        pg_ast::parse(&sql).unwrap().encode_to_vec()
    };
    assert!(protobuf::ParseResult::decode(&*bytes(40)).is_ok());
    let deep = bytes(60);
    assert!(ParseResult::decode(&deep).is_ok());
    let decoded = protobuf::ParseResult::decode(&*deep);
    if size_of::<DecodeContext>() == 0 {
        // Another crate of this build has prost's feature `no-recursion-limit`.
        assert!(decoded.is_ok());
        return;
    }
    let error = decoded.unwrap_err().to_string();
    assert_eq!(error, "failed to decode Protobuf message: recursion limit reached");
    // A mistake in the bytes is another one.
    let cut = protobuf::ParseResult::decode(&bytes(1)[..20]).unwrap_err().to_string();
    assert!(cut.ends_with("buffer underflow"), "{cut}");
}
