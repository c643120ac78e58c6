//! Views of pg_ast, as a separate process: see peer_protocol.

mod peer;
#[path = "../../../common/rewriter.rs"]
mod rewriter;

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
