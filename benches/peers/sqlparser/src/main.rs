//! sqlparser 0.63.0, as a separate process: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
