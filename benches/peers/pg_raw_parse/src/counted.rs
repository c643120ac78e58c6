//! pg_raw_parse 0.1.0, counting every call of malloc.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
