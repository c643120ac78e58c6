//! What the messages of a server say about statements, in the languages of PostgreSQL's own translations.

use std::borrow::Cow;

use super::plan;
use super::words::{DURATION, EXECUTE, STATEMENT, UNITS};

/// What a message says.
#[derive(Debug, PartialEq)]
pub(super) enum Event<'a> {
    /// A statement that is executed, or has been, with its time in milliseconds.
    Stmt { sql: &'a str, time: Option<f64> },
    /// A statement that has been executed, as `auto_explain` logs it.
    Plan { sql: Cow<'a, str>, time: f64 },
    /// The time of a statement that another message has.
    Duration(f64),
    /// Nothing about the execution of statements.
    Other,
}

impl<'a> Event<'a> {
    pub(super) fn of(message: &'a str) -> Self {
        let Some((time, rest)) = duration(message) else {
            return match stmt(message) {
                Some(sql) => Self::Stmt { sql, time: None },
                None => Self::Other,
            };
        };
        if rest.is_empty() {
            Self::Duration(time)
        } else if let Some(sql) = stmt(rest) {
            Self::Stmt { sql, time: Some(time) }
        } else if let Some(sql) = rest.strip_prefix("plan:").and_then(plan::query) {
            Self::Plan { sql, time }
        } else {
            Self::Other
        }
    }
}

/// Splits a message after its duration.
fn duration(message: &str) -> Option<(f64, &str)> {
    let rest = strip_any(message, DURATION)?.trim_start();
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let time = rest[..length].parse().ok()?;
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
        for other in [
            "duration: 1 ms  parse s1: SELECT 1",
            "checkpoint starting: time",
            "",
            "duration: inf ms",
        ] {
            assert_eq!(of(other), Event::Other, "{other}");
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
