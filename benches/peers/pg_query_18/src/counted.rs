//! pg_query 18.1.0, counting every call of malloc.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
