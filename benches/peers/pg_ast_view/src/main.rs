//! Views of pg_ast, as a process of its own: see peer_protocol.

mod peer;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
