//! Trees that make no sense, in every version. What crashes takes this process with it.

mod common;

each_version!(malformed);

fn main() {
    #[cfg(feature = "pg15")]
    pg15::malformed::run();
    #[cfg(feature = "pg16")]
    pg16::malformed::run();
    #[cfg(feature = "pg17")]
    pg17::malformed::run();
    #[cfg(feature = "pg18")]
    pg18::malformed::run();
}
