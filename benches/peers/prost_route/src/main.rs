//! libpg_query's Protobuf, decoded by prost, as a separate process: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
