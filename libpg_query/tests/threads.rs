//! Threads come and go: each leaves nothing behind.

#![cfg(feature = "pg18")]

mod common;

use common::{deparse, options, parse};

#[test]
fn five_thousand_threads() {
    for n in 0..5_000 {
        let sql = format!("SELECT {n}");
        let thread = std::thread::spawn(move || {
            let text = parse(&sql, &options(), |parse| deparse(parse.stmts));
            // SAFETY: no result is left, and no call is running.
            unsafe { libpg_query::pg18::shim_thread_exit() };
            assert_eq!(text, Ok(sql));
        });
        thread.join().expect("no panic");
    }
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").expect("a status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 =
            peak.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes");
        // A thread's first context alone is 64 kB: leaked, they would be 320 MB.
        assert!(kilobytes < 100_000, "{kilobytes} kB");
    }
}
