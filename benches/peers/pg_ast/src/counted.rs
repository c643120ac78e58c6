//! pg_ast, counting every call of malloc.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
