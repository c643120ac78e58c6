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

macro_rules! runs {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        const RUNS: &[Run] = &[
            $(
                #[cfg(feature = $feature)]
                ($module::NAME, $module::malformed::run),
            )*
        ];
    };
}
libpg_query::for_each_version! { [runs!] }

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let all = args.iter().any(|arg| arg == "--all");
    let versions: Vec<_> = args.iter().filter(|arg| arg.starts_with("pg")).collect();
    let mut ran = 0;
    for (name, run) in RUNS {
        if versions.is_empty() || versions.contains(&&(*name).to_owned()) {
            run(all);
            ran += 1;
        }
    }
    assert!(ran > 0, "none of these versions is enabled: {versions:?}");
}
