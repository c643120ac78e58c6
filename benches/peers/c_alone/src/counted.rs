//! libpg_query's C code alone, counting every call of malloc.

mod peer;

peer_protocol::count_malloc!();

fn main() {
    peer_protocol::serve::<peer::Measured>();
}
