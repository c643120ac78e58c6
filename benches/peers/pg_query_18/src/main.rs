//! pg_query 18.1.0, as a separate process: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
