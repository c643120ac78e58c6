//! Out of memory for more stack: an error, or the abort of a failed allocation.
//!
//! Each case limits the address space of its process, so it runs in a separate one.

use crate::alone::{is_child, run_alone};
use pg_ast::{ErrorKind, ParseResult};

fn deep() -> String {
    format!("SELECT 1{}", " + 1".repeat(3_000))
}

/// From here on there are some megabytes, but not enough for a stack.
fn no_more_memory() {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("statm");
    let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
    // SAFETY: it returns a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let bytes = pages.expect("a number") * u64::try_from(page).expect("a size") + (3 << 20);
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: it only reads the limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// Runs `case` on a thread whose own stack is too short, without memory for another one.
fn child(case: impl FnOnce(&ParseResult) + Send) {
    let tree = pg_ast::parse(&deep()).expect("parses");
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let run = || {
            pg_ast::parse("SELECT 1").and_then(|tree| tree.deparse()).expect("there is memory");
            pg_ast::release_memory();
            no_more_memory();
            case(&tree);
        };
        thread.spawn_scoped(scope, run).expect("a thread").join().expect("no panic");
    });
}

#[test]
fn calls_that_can_fail_return_an_error() {
    if is_child() {
        return child(|tree| {
            let out_of_memory = Some(ErrorKind::OutOfMemory);
            let kind = |result: pg_ast::Result<String>| result.err().map(|error| error.kind());
            assert_eq!(kind(tree.deparse()), out_of_memory);
            let error = pg_ast::parse(&deep()).unwrap_err();
            assert_eq!(error.message(), "out of memory");
            assert!(error.detail().is_some_and(|detail| detail.contains("stack")), "{error:?}");
            assert_eq!(Some(error.kind()), out_of_memory);
            println!("both said so");
        });
    }
    let output = run_alone("no_stack::calls_that_can_fail_return_an_error");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("both said so"), "{output:?}");
}

#[test]
fn calls_that_cannot_fail_end_as_allocations_do() {
    if is_child() {
        return child(|tree| drop(tree.clone()));
    }
    let output = run_alone("no_stack::calls_that_cannot_fail_end_as_allocations_do");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{output:?}");
    assert!(errors.contains("memory allocation of 4194304 bytes failed"), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
}
