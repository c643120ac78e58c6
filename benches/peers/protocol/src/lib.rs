//! The protocol between a measured program and the runner.
//!
//! Each library is a separate process, which reads requests line by line, and answers each with one line:
//!
//! | request | answer |
//! |---|---|
//! | `works FUNCTION GROUP` | a `1` or `0` for each statement, or `-` if the library lacks the function |
//! | `time FUNCTION GROUP MASK REPETITIONS` | nanoseconds of processor time of all repetitions |
//! | `memory GROUP MASK` | allocations and bytes when parsing each statement once, and the bytes of the trees; `-` without a counter |
//! | `peak GROUP MASK` | the maximum resident memory of the process, in KiB |
//!
//! A mask is an answer to `works`: statements that it excludes are not measured. `--once FUNCTION GROUP MASK
//! REPETITIONS` as arguments does the same as `time` and exits, for tools that measure an entire process. `--texts FUNCTION`
//! prints the results of a rewrite.

mod clock;
mod count;
mod serve;
#[path = "../../../common/texts.rs"]
pub mod texts;

pub use count::{Memory, counted, note_allocated, note_freed};
pub use serve::{Peer, Sql, serve};

/// The measured functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// SQL to tree, and the tree dropped.
    Parse,
    /// SQL to tree, with a visit of every node, and the tree dropped.
    Walk,
    /// SQL to "it parses", without a tree for the caller.
    Check,
    /// Tree to SQL.
    Deparse,
    /// SQL to fingerprint.
    Fingerprint,
    /// Tree to fingerprint.
    FingerprintTree,
    /// SQL to SQL without constants.
    Normalize,
    /// SQL to SQL with other names of tables: parsed, changed, printed, dropped.
    RenameTables,
    /// The same with a target more.
    AppendTarget,
    /// The same with a parameter in place of the first constant.
    OneParameter,
    /// The same with a parameter in place of each constant.
    AllParameters,
    /// The same with the first half of the rows of a `VALUES`.
    CutValues,
    /// SQL to tree, and a copy of the tree: what a library does before a change if it changes a copy.
    Copy,
    /// SQL to the SQL of what a sharding proxy sends for it, as in a program that was ported from another library.
    RewritePorted,
    /// The same as in a program that was written for the library.
    RewriteTuned,
}

impl Function {
    /// All functions, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Parse,
        Self::Walk,
        Self::Deparse,
        Self::Check,
        Self::Fingerprint,
        Self::FingerprintTree,
        Self::Normalize,
    ];

    /// The changes of a tree.
    pub const CHANGES: [Self; 5] = [
        Self::RenameTables,
        Self::AppendTarget,
        Self::OneParameter,
        Self::AllParameters,
        Self::CutValues,
    ];

    /// Other functions that change trees.
    pub const OTHER_CHANGES: [Self; 3] = [Self::Copy, Self::RewritePorted, Self::RewriteTuned];

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
            Self::RenameTables => "rename_tables",
            Self::AppendTarget => "append_target",
            Self::OneParameter => "one_parameter",
            Self::AllParameters => "all_parameters",
            Self::CutValues => "cut_values",
            Self::Copy => "copy",
            Self::RewritePorted => "rewrite_ported",
            Self::RewriteTuned => "rewrite_tuned",
        }
    }

    /// Returns the function with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = Self::ALL.into_iter().chain(Self::CHANGES).chain(Self::OTHER_CHANGES);
        all.into_iter().find(|function| function.name() == name)
    }
}
