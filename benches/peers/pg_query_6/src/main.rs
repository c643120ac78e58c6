//! pg_query 6.2.1, as a separate process: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
