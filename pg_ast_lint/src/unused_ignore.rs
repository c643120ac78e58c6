//! Comments that silence nothing.

use core::ops::Range;

use crate::ignore::{Comments, Entry, IgnoreComment};
use crate::{Finding, Fix, Rule};

/// Finds the comments of a script in which a name, or all of it, silences nothing.
pub(crate) fn check(script: &str, comments: &Comments, found: &mut Vec<Finding>) {
    found.extend(comments.unused().map(|(comment, entries)| finding(script, comment, entries)));
}

fn finding(script: &str, comment: &IgnoreComment, entries: &[Entry]) -> Finding {
    let unused = entries.iter().filter(|entry| !entry.is_used);
    let unused: Vec<_> = unused.map(|entry| script[entry.name.clone()].to_owned()).collect();
    let used = entries.iter().filter(|entry| entry.is_used).map(|entry| entry.name.clone());
    let mut kept: Vec<_> = used.chain(comment.unknown.iter().cloned()).collect();
    kept.sort_by_key(|name| name.start);
    let is_nameless = comment.names.is_empty();
    let range = if is_nameless { comment.range.clone() } else { comment.names.clone() };
    let message = match &unused[..] {
        _ if is_nameless => "no rule finds anything here that the comment could silence".to_owned(),
        [name] => format!("`{name}` finds nothing here that the comment could silence"),
        names => {
            format!("`{}` find nothing here that the comment could silence", names.join("`, `"))
        }
    };
    let fix = comment.is_exact.then(|| match kept[..] {
        [] => removal(script, comment),
        _ => {
            let names: Vec<_> = kept.iter().map(|name| &script[name.clone()]).collect();
            Some(Fix::new("Remove what is unused", vec![(range.clone(), names.join(", "))]))
        }
    });
    Finding::new(Rule::UnusedIgnore, range, message).help("remove it").fix(fix.flatten())
}

/// Makes the fix that removes a comment, with its line if nothing else is there.
fn removal(script: &str, comment: &IgnoreComment) -> Option<Fix> {
    let Range { start, end } = comment.range;
    let (before, behind) = (script.get(..start)?, script.get(end..)?);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = behind.find('\n').map_or(script.len(), |at| end + at + 1);
    let is_blank = |range: Range<usize>| script[range].trim().is_empty();
    let change = if is_blank(line_start..start) && is_blank(end..line_end) {
        (line_start..line_end, String::new())
    } else {
        let touches =
            !before.ends_with(char::is_whitespace) && !behind.starts_with(char::is_whitespace);
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        let is_last = is_blank(end..line_end);
        let start = if is_last { start - blanks } else { start };
        (start..end, if touches && !is_last { " ".to_owned() } else { String::new() })
    };
    let fix = Fix::new("Remove the comment", vec![change]);
    // A person wrote the reason, and may want to keep it.
    Some(if comment.has_reason { fix.not_safe() } else { fix })
}
