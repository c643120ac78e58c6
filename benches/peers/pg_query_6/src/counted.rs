//! pg_query 6.2.1, with every call of malloc counted.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
