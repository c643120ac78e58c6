//! Threads start and end: none leaks memory.

use super::calls::{deparse, options, parse};

#[test]
fn five_thousand_threads() {
    for n in 0..5_000 {
        let sql = format!("SELECT {n}");
        let thread = std::thread::spawn(move || {
            let text = parse(&sql, &options(), |parse| deparse(parse.stmts));
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
        // A thread's first context alone has 64 kB: leaked, they would be 320 MB.
        assert!(kilobytes < 200_000, "{kilobytes} kB");
    }
}
