//! Splitting and checking: statements, what is between them, and their errors.

use pg_ast::{PartEnd, ScriptState, Version};

use super::{Result, between, ensure};

/// Splits and checks a script.
pub fn of(script: &str) -> Result {
    let version = Version::newest();
    let stmts = pg_ast::parse_script(script);
    let checked = version.parse_script(script);
    ensure(stmts.len() == checked.len(), || "split and check: other statements".to_owned())?;
    let mut end = 0;
    for (stmt, checked) in stmts.iter().zip(&checked) {
        let range = stmt.range.clone();
        ensure(end <= range.start && range.start < range.end, || format!("the order: {range:?}"))?;
        end = range.end;
        let text = script.get(range.clone()).ok_or_else(|| format!("no characters: {range:?}"))?;
        // An open quote contains the blanks at the end.
        let is_last = range.end == script.len() && stmt.result.is_err();
        let trimmed = if is_last { text.trim_ascii_start() } else { text.trim_ascii() };
        ensure(trimmed == text, || format!("blanks around {text:?}"))?;
        let known = (&stmt.range, stmt.result.as_ref().err(), &stmt.copy_data);
        let again = (&checked.range, checked.result.as_ref().err(), &checked.copy_data);
        ensure(known == again, || format!("split and check: {known:?}, {again:?}"))?;
        let warnings = checked.result.iter().flatten().filter_map(|warning| warning.cursor);
        let errors = stmt.result.as_ref().err().and_then(pg_ast::Error::cursor);
        for place in warnings.chain(errors) {
            // A statement without a semicolon may be correct, up to the next one, where the error is.
            let is_inside = range.start <= place
                && (place <= range.end || (place <= script.len() && pg_ast::parse(text).is_ok()));
            ensure(is_inside && script.is_char_boundary(place), || {
                format!("{place} is not in {range:?}: {:?}", stmt.result.as_ref().err())
            })?;
        }
    }
    let ranges: Vec<_> = stmts.iter().map(|stmt| stmt.range.clone()).collect();
    let mut copies = 0;
    let texts = ranges.iter().map(|range| &script[range.clone()]).chain([""]);
    for (index, (gap, text)) in between(script, &ranges).into_iter().zip(texts).enumerate() {
        left_over(gap, index == ranges.len(), &mut copies)?;
        // Their data may also be in a statement that begins on their line.
        copies *= usize::from(!text.contains('\n'));
        let lower = text.to_ascii_lowercase();
        // To psql, FROM STDOUT is the same.
        copies += usize::from(lower.starts_with("copy") && lower.contains("std"));
    }
    if stmts.iter().all(|stmt| stmt.result.is_ok()) {
        let texts: Vec<_> = ranges.iter().map(|range| script[range.clone()].to_owned()).collect();
        let without_commands = |text: &str| !text.contains('\\');
        for len in [1, 50, 1000] {
            let parts = in_parts(script, len)?;
            let same = parts.len() == texts.len()
                && parts.iter().zip(&texts).all(|(a, b)| a == b || !without_commands(b));
            ensure(same, || format!("in parts of {len}: {parts:?} are not {texts:?}"))?;
        }
    }
    Ok(())
}

/// Returns the statements of a script that is read in parts of at least so many bytes.
pub fn in_parts(script: &str, first: usize) -> Result<Vec<String>> {
    let mut state = ScriptState::default();
    let (mut stmts, mut rest, mut len) = (Vec::new(), script, first);
    loop {
        let mut end = len.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let kind = if end < rest.len() { PartEnd::More } else { PartEnd::End };
        let part = Version::newest().split_part(&rest[..end], kind, &mut state);
        let texts = part.stmts.iter().map(|stmt| part.text[stmt.range.clone()].to_owned());
        stmts.extend(texts);
        if kind == PartEnd::End {
            ensure(part.taken == rest.len(), || {
                format!("{} bytes are left", rest.len() - part.taken)
            })?;
            return Ok(stmts);
        }
        rest = &rest[part.taken..];
        len = if part.taken == 0 { 2 * len } else { first };
    }
}

/// Looks for what is neither blank, comment nor semicolon, and not for psql, in the text between statements. So many
/// statements before it may have data.
fn left_over(gap: &str, is_last: bool, copies: &mut usize) -> Result {
    let mut rest = gap.strip_prefix('\u{feff}').unwrap_or(gap);
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            // The data of a COPY begin on the next line.
            b'\n'
                if *copies > 0
                    && let Some(end) = end_of_data(rest) =>
            {
                *copies -= 1;
                // The line break before the data of the next one.
                end - usize::from(*copies > 0 && rest[..end].ends_with('\n'))
            }
            // Or with the script.
            b'\n' if *copies > 0 && is_last => rest.len(),
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c' | b';' => 1,
            b'-' if rest.starts_with("--") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            b'/' if let Some(length) = block_comment(rest) => length,
            b'\\' => {
                let line = rest.find('\n').unwrap_or(rest.len());
                let command = rest[..line].to_ascii_lowercase();
                *copies += usize::from(command.starts_with("\\copy") && command.contains("std"));
                line
            }
            // This command discards what is before it.
            _ if rest.contains("\\r") => return Ok(()),
            _ => return Err(format!("no statement has {rest:?} of {gap:?}")),
        };
        rest = &rest[length..];
    }
    Ok(())
}

/// Returns where the line `\.` ends.
fn end_of_data(text: &str) -> Option<usize> {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.trim_end_matches(['\n', '\r']) == "\\." {
            return Some(end);
        }
    }
    None
}

/// Returns the length of a comment, which can have comments in it, if it ends.
fn block_comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match text.as_bytes().get(at..at + 2)? {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth > 0 => (depth, at) = (depth - 1, at + 2),
            _ if depth == 0 => return (at > 0).then_some(at),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}
