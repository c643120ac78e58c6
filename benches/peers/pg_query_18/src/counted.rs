//! pg_query 18.1.0, with every call of malloc counted.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
