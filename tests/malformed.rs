//! Trees that make no sense, in every version. What crashes takes this process with it.
//!
//! ```text
//! cargo test --test malformed                # one mutation at each place of a tree
//! cargo test --test malformed -- --all       # each of them: minutes
//! cargo test --test malformed -- pg15 pg16   # with these versions
//! ```

mod common;

each_version!(malformed);

/// A version's name and its test.
type Run = (&'static str, fn(all: bool));

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let all = args.iter().any(|arg| arg == "--all");
    let versions: Vec<_> = args.iter().filter(|arg| arg.starts_with("pg")).collect();
    let runs: &[Run] = &[
        #[cfg(feature = "pg15")]
        (pg15::NAME, pg15::malformed::run),
        #[cfg(feature = "pg16")]
        (pg16::NAME, pg16::malformed::run),
        #[cfg(feature = "pg17")]
        (pg17::NAME, pg17::malformed::run),
        #[cfg(feature = "pg18")]
        (pg18::NAME, pg18::malformed::run),
    ];
    let mut ran = 0;
    for (name, run) in runs {
        if versions.is_empty() || versions.contains(&&(*name).to_owned()) {
            run(all);
            ran += 1;
        }
    }
    assert!(ran > 0, "none of these versions is enabled: {versions:?}");
}
