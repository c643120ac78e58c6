//! The run time of this process.

/// Returns the nanoseconds that this process has spent on a processor. No measured function waits, so
/// on an idle machine this is the elapsed time; on a busy one it excludes the time of other processes.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time() -> u128 {
    use std::ffi::{c_int, c_long};

    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: c_long,
    }

    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    }

    /// Of `time.h`.
    const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;

    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the struct is `struct timespec` where `time_t` has 64 bits, and is writable.
    let status = unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0, "Linux has this clock");
    let seconds = u128::try_from(time.seconds).unwrap_or_default();
    seconds * 1_000_000_000 + u128::try_from(time.nanoseconds).unwrap_or_default()
}

/// Elsewhere, the elapsed time.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time() -> u128 {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos()
}
