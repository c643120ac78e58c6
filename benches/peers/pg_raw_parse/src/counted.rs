//! pg_raw_parse 0.1.0, counting every call of malloc.

mod peer;
mod rewriter;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
