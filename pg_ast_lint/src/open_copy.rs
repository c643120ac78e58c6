//! `COPY` data without an end.

use core::ops::Range;

use pg_ast::{PartEnd, ScriptState, Version};

/// Returns the range of the `COPY`, or `\copy`, whose data extends to the end of a script, without a line `\.`.
///
/// `stmts` are the ranges of the script's statements and their data.
///
/// For `pgast check`, which has parsed the script already.
#[doc(hidden)]
#[must_use]
pub fn open_copy(
    version: Version,
    script: &str,
    stmts: impl IntoIterator<Item = (Range<usize>, Option<Range<usize>>)>,
) -> Option<Range<usize>> {
    let is_open = |data: Range<usize>| {
        let last = script.get(data).and_then(|data| data.lines().next_back());
        last.is_some_and(|line| line.trim_end_matches('\r') != "\\.")
    };
    let open = stmts.into_iter().find(|(_, data)| data.clone().is_some_and(is_open));
    open.map(|(stmt, _)| stmt).or_else(|| open_command(version, script))
}

/// The same for `\copy`, which is no statement.
fn open_command(version: Version, script: &str) -> Option<Range<usize>> {
    if !script.as_bytes().windows(5).any(|name| name.eq_ignore_ascii_case(b"\\copy")) {
        return None;
    }
    let part = version.split_part(script, PartEnd::End, &mut ScriptState::default());
    let before = script.get(..part.data?.start)?.trim_end();
    Some(before.rfind('\n').map_or(0, |end| end + 1)..before.len())
}
