//! The account of an input's lines: each is understood, or counted by what is wrong with it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::shown;

/// The number of characters to show of a line that is not understood.
const SHOWN: usize = 200;

/// Why lines are not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reason {
    NoSeverity,
    NoBeginning,
    Cut,
    TooLong,
    NotJson,
    NoMessage,
    NoSyslogHeader,
    Columns,
    OpenData,
    Language,
    NoTime,
}

/// Why lines are understood and have nothing to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Skipped {
    /// Messages that are not about statements.
    Other,
    /// What the server does before it executes a statement.
    Steps,
    Blank,
    /// Of clients that have sent no statement, such as a single semicolon.
    Empty,
    /// Out of the window of time.
    Window,
    /// Of other databases, users or applications.
    Filter,
}

impl Skipped {
    /// What a person reads behind the number of lines.
    pub(super) fn explanation(self) -> &'static str {
        match self {
            Self::Other => "of messages about something else",
            Self::Steps => "of steps before an execution (parse, bind) and of function calls",
            Self::Blank => "blank",
            Self::Empty => "of calls without a statement, such as a single semicolon",
            Self::Window => "before --since or after --until",
            Self::Filter => "of other databases, users or applications",
        }
    }
}

impl Reason {
    /// Returns whether the lines may be a part of a statement, within a string, or its data.
    fn may_be_sql(self) -> bool {
        matches!(
            self,
            Self::NoBeginning
                | Self::Cut
                | Self::TooLong
                | Self::OpenData
                | Self::Language
                | Self::NoTime
        )
    }

    /// What a person reads behind the number of lines.
    pub(super) fn explanation(self) -> &'static str {
        match self {
            Self::NoSeverity => "without a severity such as LOG:",
            Self::NoBeginning => "continue a message that does not begin in the log",
            Self::Cut => "of records that are cut off",
            Self::TooLong => "of messages or statements over 4 MiB",
            Self::NotJson => "that are not JSON, and without a severity such as LOG:",
            Self::NoMessage => "of JSON without a message",
            Self::NoSyslogHeader => "without the header of syslog",
            Self::Columns => "of CSV with other columns",
            Self::OpenData => "of COPY data without an end (\\.)",
            Self::Language => {
                "with a duration and words of a language that is not known (lc_messages)"
            }
            Self::NoTime => "without a time, which --since and --until need",
        }
    }
}

/// Lines that are not understood for one reason.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Lost {
    pub(super) kind: Reason,
    pub(super) lines: u64,
    pub(super) first: First,
}

/// The first of them.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct First {
    pub(super) file: String,
    /// Counted from 1.
    pub(super) line: u64,
    /// The form of its beginning; empty for a part of a statement or its data.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
}

/// The lines of all inputs. Those read are those understood, those skipped and those lost.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) lines: u64,
    /// Those with something that is counted, or that belongs to it.
    pub(super) understood: u64,
    pub(super) skipped: BTreeMap<Skipped, u64>,
    lost: BTreeMap<Reason, Lost>,
    /// Lines with bytes that are not UTF-8, which are replaced.
    pub(super) not_utf8: u64,
    /// Durations whose statements are not in the log.
    pub(super) durations: u64,
    /// Calls of statements whose SQL `pg_stat_statements` does not show.
    pub(super) hidden: u64,
    /// The inputs without a statement, and the number of their lines.
    pub(super) without_stmts: Vec<(String, u64)>,
    /// The name of the current input.
    pub(super) file: String,
}

impl Account {
    /// Counts lines that are not understood, the first of which has this number and text.
    pub(super) fn lose(&mut self, kind: Reason, lines: u64, number: u64, text: &str) {
        let lost = self.lost.entry(kind).or_insert_with(|| {
            let text: String = text.chars().take(SHOWN).collect();
            let text = if kind.may_be_sql() { String::new() } else { shown::line(&text) };
            Lost { kind, lines: 0, first: First { file: self.file.clone(), line: number, text } }
        });
        lost.lines += lines;
    }

    pub(super) fn skip(&mut self, why: Skipped, lines: u64) {
        if lines > 0 {
            *self.skipped.entry(why).or_default() += lines;
        }
    }

    pub(super) fn lost(&self) -> impl Iterator<Item = &Lost> {
        self.lost.values()
    }
}
