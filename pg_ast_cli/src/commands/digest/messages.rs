//! What the messages of a server say about statements, in the languages of PostgreSQL's own translations.

use std::borrow::Cow;

use super::words::{DURATION, EXECUTE, PARAMETERS, STATEMENT, STEPS, STEPS_BEHIND, UNITS};
use super::{plan, prefix};

/// Before a plan, in all languages.
const PLAN: &str = "plan:";

/// What a message says.
#[derive(Debug, PartialEq)]
pub(super) enum Event<'a> {
    /// A statement that is executed, or has been, with its time in milliseconds.
    Stmt { sql: &'a str, time: Option<f64> },
    /// A statement that has been executed, as `auto_explain` logs it.
    Plan { sql: Cow<'a, str>, time: f64, rows: Option<u64> },
    /// The time of a statement that another message has.
    Duration(f64),
    /// A step before an execution, or a function that is called without SQL.
    Step,
    /// A duration with words that are not known.
    Unknown,
    /// Nothing about the execution of statements.
    Other,
}

impl<'a> Event<'a> {
    /// Returns whether it is certainly about a statement.
    pub(super) fn is_certain(&self) -> bool {
        !matches!(self, Self::Other | Self::Unknown)
    }

    /// Returns whether a text is certainly about a statement, as its beginning tells: a line may have many such places, and is
    /// not read to its end for each.
    pub(super) fn begins_in(text: &str) -> bool {
        const BEGINNING: usize = 256;
        let text = prefix::cut(text, BEGINNING);
        duration(text).is_some_and(|(_, rest)| rest.starts_with(PLAN))
            || Event::of(text).is_certain()
    }

    pub(super) fn of(message: &'a str) -> Self {
        let Some((time, rest)) = duration(message) else {
            return match stmt(message) {
                Some(sql) => Self::Stmt { sql, time: None },
                None => unknown(message),
            };
        };
        if rest.is_empty() {
            Self::Duration(time)
        } else if let Some(sql) = stmt(rest) {
            Self::Stmt { sql, time: Some(time) }
        } else if let Some(plan) = rest.strip_prefix(PLAN) {
            match plan::query(plan) {
                Some(sql) => Self::Plan { sql, time, rows: plan::rows(plan) },
                None => Self::Unknown,
            }
        } else if is_step(rest) {
            Self::Step
        } else {
            Self::Unknown
        }
    }
}

/// Returns the values of parameters that a message's detail has.
pub(super) fn parameters(detail: &str) -> &str {
    strip_any(detail, PARAMETERS).unwrap_or_default()
}

fn is_step(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    strip_any(rest, STEPS).is_some() || STEPS_BEHIND.iter().any(|words| line.contains(words))
}

/// Tells a duration in words that are not known by its form, `WORD: 0.123 UNIT`, which is that of no other message.
fn unknown(message: &str) -> Event<'_> {
    /// Words are no longer than that.
    const WORDS: usize = 64;
    let parts = || {
        let (word, rest) = message.split_once(':')?;
        let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{3000}']);
        let (time, length) = milliseconds(rest)?;
        let rest = rest[length..].trim_start();
        let unit = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let is_word = |text: &str| {
            text.starts_with(char::is_alphabetic)
                && text.len() <= WORDS
                && !text.contains(|c: char| c.is_ascii_digit())
        };
        let behind = &rest[unit..];
        let is_end = behind.is_empty() || behind.starts_with([',', ' ']);
        (is_word(word) && is_word(&rest[..unit]) && is_end).then(|| (time, behind.trim()))
    };
    match parts() {
        Some((time, "")) => Event::Duration(time),
        Some((_, rest)) if rest.contains(": ") => Event::Unknown,
        _ => Event::Other,
    }
}

/// Reads the beginning of a text as the server writes milliseconds, with three digits behind the point. Returns its length, too.
fn milliseconds(text: &str) -> Option<(f64, usize)> {
    let length = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (whole, behind) = text[..length].split_once('.')?;
    let is_one = !whole.is_empty() && behind.len() == 3;
    is_one.then(|| time(&text[..length])).flatten().map(|time| (time, length))
}

/// Reads a time in milliseconds, if it is one that a server may write: it counts in 64 bits, and no sum of them is infinite.
pub(super) fn time(text: &str) -> Option<f64> {
    const MOST: f64 = 1e19;
    text.parse().ok().filter(|time| (0.0..MOST).contains(time))
}

/// Splits a message after its duration.
fn duration(message: &str) -> Option<(f64, &str)> {
    let rest = strip_any(message, DURATION)?.trim_start();
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let time = time(&rest[..length])?;
    let rest = strip_any(rest[length..].trim_start(), UNITS)?;
    Some((time, rest.strip_prefix(',').unwrap_or(rest).trim_start()))
}

/// Returns the SQL of a message without its duration.
fn stmt(message: &str) -> Option<&str> {
    strip_any(message, STATEMENT).or_else(|| Some(strip_any(message, EXECUTE)?.split_once(": ")?.1))
}

fn strip_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(sql: &str, time: Option<f64>) -> Event<'_> {
        Event::Stmt { sql, time }
    }

    #[test]
    fn messages_with_statements_are_known() {
        let of = |message| Event::of(message);
        assert_eq!(of("statement: SELECT 1"), at("SELECT 1", None));
        assert_eq!(of("duration: 1.5 ms  statement: SELECT 1"), at("SELECT 1", Some(1.5)));
        assert_eq!(of("execute <unnamed>: SELECT 1"), at("SELECT 1", None));
        assert_eq!(of("duration: 2 ms  execute s1: SELECT 1"), at("SELECT 1", Some(2.0)));
        assert_eq!(of("execute fetch from s1/c: SELECT 1"), at("SELECT 1", None));
        assert_eq!(of("duration: 1.500 ms"), Event::Duration(1.5));
        let endless = format!("duration: {}.000 ms  statement: SELECT 1", "9".repeat(400));
        for other in [
            "checkpoint starting: time",
            "",
            "duration: inf ms",
            &endless,
            "temporary file: path \"base/pgsql_tmp/pgsql_tmp7.0\", size 1000",
            "automatic vacuum of table \"a.b.c\": index scans: 0",
            "disconnection: session time: 0:00:00.003 user=u database=d host=[local]",
            "\tavg read rate: 0.000 MB/s, avg write rate: 0.000 MB/s",
            "avg read rate: 0.000 MB/s, avg write rate: 0.000 MB/s",
            "process 7 still waiting for ShareLock on transaction 1 after 1000.123 ms",
        ] {
            assert_eq!(of(other), Event::Other, "{other}");
        }
        for step in [
            "duration: 1 ms  parse s1: SELECT 1",
            "duration: 1 ms  bind s1/c: SELECT 1",
            "Dauer: 1.000 ms  Binden <unnamed>: SELECT 1",
            "실행시간: 1.000 ms  a 구문분석: SELECT 1",
            "ხანგრძლივობა: 1.000 მწმ  a-ის დამუშავება: SELECT 1",
            "duration: 1.000 ms  fastpath function call: \"lo_open\" (OID 952)",
        ] {
            assert_eq!(of(step), Event::Step, "{step}");
        }
    }

    /// Either by their form, or loudly.
    #[test]
    fn messages_of_languages_that_are_not_known_are_not_lost() {
        assert_eq!(Event::of("thời gian: 1.250 ms"), Event::Duration(1.25));
        for message in [
            "thời gian: 1.250 ms  câu lệnh: SELECT 1",
            "διάρκεια: 1.250 ms  πρόταση: SELECT 1",
            "duration: 1.250 ms  câu lệnh: SELECT 1",
            "duration: 1.250 ms  plan:\nno query",
        ] {
            assert_eq!(Event::of(message), Event::Unknown, "{message}");
        }
    }

    #[test]
    fn messages_of_other_languages_are_known() {
        let select = at("SELECT 1", Some(1.5));
        for message in [
            "Dauer: 1.500 ms  Anweisung: SELECT 1",
            "Dauer: 1.500 ms  Ausführen <unnamed>: SELECT 1",
            "duración: 1.500 ms  sentencia: SELECT 1",
            "durée : 1.500 ms, instruction : SELECT 1",
            "durée : 1.500 ms  exécute s/p: SELECT 1",
            "durata: 1.500 ms  istruzione: SELECT 1",
            "期間: 1.500 ミリ秒  文: SELECT 1",
            "ხანგრძლივობა: 1.500 მწმ  გამოსახულება: SELECT 1",
            "ხანგრძლივობა: 1.500 მწმs  გაშვება a: SELECT 1",
            "실행시간: 1.500 ms  명령 구문: SELECT 1",
            "수행시간: 1.500 ms  쿼리실행 a: SELECT 1",
            "продолжительность: 1.500 мс, оператор: SELECT 1",
            "varaktighet: 1.500 ms  sats: SELECT 1",
            "тривалість: 1.500 мс, оператор: SELECT 1",
            "执行时间: 1.500 ms 语句: SELECT 1",
            "执行时间: 1.500 ms 执行<unnamed>: SELECT 1",
            "duração: 1.500 ms  comando: SELECT 1",
        ] {
            assert_eq!(Event::of(message), select, "{message}");
        }
        assert_eq!(Event::of("varaktighet 1.500 ms"), Event::Duration(1.5));
        assert_eq!(Event::of("期間: 0.250 ミリ秒"), Event::Duration(0.25));
        assert_eq!(Event::of("Anweisung: SELECT 1"), at("SELECT 1", None));
    }
}
