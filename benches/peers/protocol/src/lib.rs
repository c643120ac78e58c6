//! What a measured program and the runner say to each other.
//!
//! Each library is a process of its own, which reads requests line by line, and answers each in one line:
//!
//! | request | answer |
//! |---|---|
//! | `works FUNCTION GROUP` | a `1` or `0` for each statement, or `-` where the library has no such function |
//! | `time FUNCTION GROUP MASK REPETITIONS` | nanoseconds of processor time that the repetitions took together |
//! | `memory GROUP MASK` | allocations and bytes of parsing each statement once, and the bytes that the trees hold; `-` if it does not count |
//! | `peak GROUP MASK` | the most memory that the process has had resident, in KiB |
//!
//! A mask is an answer to `works`: what it leaves out is not measured. `--once FUNCTION GROUP MASK
//! REPETITIONS` as arguments does the same as `time` and ends, for tools that look at a whole process.

mod clock;
mod count;
mod serve;
#[path = "../../../common/texts.rs"]
pub mod texts;

pub use count::{Memory, counted, note_allocated, note_freed};
pub use serve::{Peer, Sql, serve};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// Text to tree, and the tree dropped.
    Parse,
    /// Text to tree, every node of it visited, and the tree dropped.
    Walk,
    /// Text to "it parses", no tree for the caller.
    Check,
    /// Tree to text.
    Deparse,
    /// Text to fingerprint.
    Fingerprint,
    /// Tree to fingerprint.
    FingerprintTree,
    /// Text to text without constants.
    Normalize,
}

impl Function {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Parse,
        Self::Walk,
        Self::Deparse,
        Self::Check,
        Self::Fingerprint,
        Self::FingerprintTree,
        Self::Normalize,
    ];

    /// Its name in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Walk => "walk",
            Self::Check => "check",
            Self::Deparse => "deparse",
            Self::Fingerprint => "fingerprint",
            Self::FingerprintTree => "fingerprint_tree",
            Self::Normalize => "normalize",
        }
    }

    /// The function of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }
}
