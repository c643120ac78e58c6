//! Comments that silence nothing.

use core::ops::Range;

use crate::ignore::{Comments, Entry, IgnoreComment};
use crate::{Finding, Fix, Rule, fingerprint};

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
            Fix::new("Remove what is unused", vec![(range.clone(), names.join(", "))])
        }
    });
    Finding::new(Rule::UnusedIgnore, range, message).help("remove it").fix(fix)
}

/// Makes the fix that removes a comment, with its line if nothing else is there.
fn removal(script: &str, comment: &IgnoreComment) -> Fix {
    let Range { start, end } = comment.range;
    let (before, behind) = (fingerprint::before(script, start), fingerprint::behind(script, end));
    // Of a long line, the ends may not be known.
    let line_start = before.rfind('\n').map(|at| at + 1);
    let line_start = line_start.or((before.len() == start).then_some(0));
    let line_end = behind.find('\n').map(|at| at + 1);
    let line_end = line_end.or((behind.len() == script.len() - end).then_some(behind.len()));
    let is_first = line_start.is_some_and(|at| before[at..].trim().is_empty());
    let is_last = line_end.is_some_and(|at| behind[..at].trim().is_empty());
    let change = match (line_start, line_end) {
        (Some(first), Some(last)) if is_first && is_last => {
            (start - before.len() + first..end + last, String::new())
        }
        _ => {
            let touches =
                !before.ends_with(char::is_whitespace) && !behind.starts_with(char::is_whitespace);
            let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
            let start = if is_last { start - blanks } else { start };
            (start..end, if touches && !is_last { " ".to_owned() } else { String::new() })
        }
    };
    let fix = Fix::new("Remove the comment", vec![change]);
    // A person wrote the reason, and may want to keep it.
    if comment.has_reason { fix.not_safe() } else { fix }
}
