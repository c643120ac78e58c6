//! pg_raw_parse 0.1.0, as a separate process: see peer_protocol.

mod peer;
mod rewriter;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
