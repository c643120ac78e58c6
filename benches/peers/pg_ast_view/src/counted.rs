//! Views of pg_ast, counting every call of malloc.

mod peer;
#[path = "../../../common/rewriter.rs"]
mod rewriter;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
