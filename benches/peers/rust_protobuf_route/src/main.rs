//! libpg_query's Protobuf, decoded by rust-protobuf, as a separate process: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
