//! Reads logs with a message per line: `stderr`, `jsonlog`, and both as log shippers wrap them.

use anyhow::Result;

use super::account::Reason;
use super::entries::{Entries, Place};
use super::json::{Found, Object};
use super::jsonlog::Flat;
use super::lines::Lines;
use super::log::{Log, Message};
use super::messages::Event;
use super::prefix;
use super::times::Time;

/// The maximum number of layers around a message.
const MAX_LAYERS: usize = 4;

/// The bytes of a line's beginning that have the time of Kubernetes.
const HEADER: usize = 32;

/// Reads lines of any of these forms. Those that have none are not understood for this reason.
pub(super) fn read(lines: &mut Lines<'_>, reason: Reason, log: &mut Log<'_>) -> Result<()> {
    let mut reader =
        Reader { entries: Entries::default(), partial: String::new(), held: 0, reason };
    while lines.next()? {
        let number = lines.number;
        let line = log.text(&lines.line);
        if lines.is_too_long {
            log.lose(Reason::TooLong, 1, number, &line);
            continue;
        }
        reader.line(&line, number, log)?;
    }
    if reader.held > 0 {
        log.lose(Reason::Cut, reader.held, lines.number, &reader.partial);
    }
    reader.entries.finish(log)
}

struct Reader {
    entries: Entries,
    /// The beginning of a line that Kubernetes has cut, and the number of its lines.
    partial: String,
    held: u64,
    reason: Reason,
}

impl Reader {
    fn line(&mut self, line: &str, number: u64, log: &mut Log<'_>) -> Result<()> {
        let Some((is_partial, text)) = kubernetes(line) else {
            return self.layer(line, Place { lines: 1, number, at: None }, MAX_LAYERS, log);
        };
        let at = Time::find(prefix::cut(line, HEADER));
        if self.partial.len() + text.len() > super::lines::MAX {
            log.lose(Reason::TooLong, self.held + 1, number, &self.partial);
            (self.partial, self.held) = (String::new(), 0);
            return Ok(());
        }
        if is_partial {
            self.partial += text;
            self.held += 1;
            return Ok(());
        }
        if self.held == 0 {
            return self.layer(text, Place { lines: 1, number, at }, MAX_LAYERS, log);
        }
        let whole = std::mem::take(&mut self.partial) + text;
        let held = std::mem::take(&mut self.held);
        self.layer(&whole, Place { lines: held + 1, number, at }, MAX_LAYERS, log)
    }

    /// Takes text that may be JSON around a message.
    fn layer(&mut self, text: &str, place: Place, layers: usize, log: &mut Log<'_>) -> Result<()> {
        let Place { lines, number, .. } = place;
        if !text.starts_with('{') || layers == 0 {
            // What is in JSON is JSON.
            let reason = if layers < MAX_LAYERS { Reason::NoSeverity } else { self.reason };
            return self.entries.take(text, place, reason, log);
        }
        if let Some(flat) = Flat::of(text) {
            return self.found(&flat.found(), place, layers, log);
        }
        let object: Object = match serde_json::from_str(text) {
            Ok(object) => object,
            Err(error) => {
                let reason = if error.is_eof() { Reason::Cut } else { self.reason };
                log.lose(reason, lines, number, text);
                return Ok(());
            }
        };
        let Some(found) = object.message() else {
            log.lose(Reason::NoMessage, lines, number, text);
            return Ok(());
        };
        self.found(&found, place, layers, log)
    }

    /// Takes what has been found in JSON.
    fn found(
        &mut self,
        found: &Found<'_>,
        place: Place,
        layers: usize,
        log: &mut Log<'_>,
    ) -> Result<()> {
        let Place { lines, number, .. } = place;
        let message = found.text.strip_suffix('\n').unwrap_or(found.text);
        if found.is_of_server || Event::of(message).is_certain() {
            self.entries.finish(log)?;
            return log.message(&Message {
                session: &found.session,
                at: found.at.or(place.at),
                database: found.database,
                user: found.user,
                application: found.application,
                text: message,
                detail: found.detail,
                stmt: found.stmt,
                is_error: found.is_error,
                lines,
                number,
            });
        }
        self.layer(message, Place { at: found.at.or(place.at), ..place }, layers - 1, log)
    }
}

/// Splits a line as Kubernetes writes it: time, stream, `F` or `P` if the line is not complete, text.
pub(super) fn kubernetes(line: &str) -> Option<(bool, &str)> {
    let bytes = line.as_bytes();
    if bytes.get(4) != Some(&b'-') || bytes.get(10) != Some(&b'T') {
        return None;
    }
    let (_time, rest) = line.split_once(' ')?;
    let rest = rest.strip_prefix("stdout ").or_else(|| rest.strip_prefix("stderr "))?;
    let (tag, text) = rest.split_once(' ').unwrap_or((rest, ""));
    match tag {
        "F" => Some((false, text)),
        "P" => Some((true, text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_kubernetes_are_known() {
        let time = "2026-01-01T00:00:00.123456789Z";
        assert_eq!(kubernetes(&format!("{time} stdout F a b")), Some((false, "a b")));
        assert_eq!(kubernetes(&format!("{time} stderr P \ta")), Some((true, "\ta")));
        assert_eq!(kubernetes(&format!("{time} LOG:  a")), None);
    }
}
