use peer_protocol::{Function, Peer, Sql};
use prost::Message as _;
use prost_structs::ParseResult;

pub struct Measured;

impl Peer for Measured {
    type Tree = ParseResult;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse];

    fn init() {
        protobuf_route::init();
    }

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        protobuf_route::parse(&sql.c, |bytes| ParseResult::decode(bytes).ok())
    }

    fn deparse(tree: &Self::Tree) -> bool {
        let bytes = tree.encode_to_vec();
        protobuf_route::deparse(&bytes, |text| String::from_utf8(text.to_vec()).ok()).is_some()
    }
}
