use peer_protocol::{Function, Peer, Sql};
use protobuf::Message as _;
use rust_protobuf_structs::pg_query::ParseResult;

pub struct Measured;

impl Peer for Measured {
    type Tree = ParseResult;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse];

    fn init() {
        protobuf_route::init();
    }

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        protobuf_route::parse(&sql.c, |bytes| ParseResult::parse_from_bytes(bytes).ok())
    }

    fn deparse(tree: &Self::Tree) -> bool {
        let Ok(bytes) = tree.write_to_bytes() else { return false };
        protobuf_route::deparse(&bytes, |text| String::from_utf8(text.to_vec()).ok()).is_some()
    }
}
